//! A boundary that misbehaves is red at one case, and as good as it was at every other.
//!
//! Here are the members that leave the process as it is; a panic stands for all in what they hit.

use boundary_kit::canary::{Smallest, SmallestGuard};
use boundary_kit::contract::Boundary;
use boundary_kit::report::Terminal;
use boundary_kit::runner::{FailureKind, Options, RunVerdict};
use boundary_kit::zoo::{self, Charged, Member, Misbehaving};

#[path = "designs/good.rs"]
#[allow(dead_code, reason = "each test target uses some of the designs")]
mod good;
#[path = "designs/parts.rs"]
#[allow(dead_code, reason = "each test target uses some of the parts")]
mod parts;

fn member(name: &str) -> &'static Member {
    zoo::members().find(|member| member.name == name).unwrap()
}

/// The ids of the cases that failed, with how each did, and what a terminal shows.
fn failures(boundary: &dyn Boundary, options: &Options) -> (Vec<(String, FailureKind)>, String) {
    let mut out = Vec::new();
    let report = boundary_kit::check_with(boundary, options, &mut Terminal::new(&mut out, false)).unwrap();
    assert_eq!(report.verdict, RunVerdict::Nonconformant);
    // A busy machine may have a warning of time in any run.
    let rows = report.rows.iter().filter(|row| row.requirement.id.as_str() != "ceiling/time");
    let failures = rows.flat_map(|row| &row.failures);
    let failed = failures.map(|failure| (failure.case.clone(), failure.kind)).collect();
    (failed, String::from_utf8(out).unwrap())
}

#[test]
fn whatever_its_design_a_boundary_fails_at_its_case_alone() {
    let designs = [good::nonce_digest(), good::json_object(), good::texts_alone(), good::marks_and_keeps()];
    let mut boundaries: Vec<Box<dyn Boundary>> = vec![Box::new(Smallest), Box::new(SmallestGuard)];
    boundaries.extend(designs.into_iter().map(|design| Box::new(design) as Box<dyn Boundary>));
    for boundary in boundaries {
        let misbehaving = Misbehaving::new(boundary, member("panic")).unwrap();
        let case = misbehaving.case().to_string();
        let (failed, shown) = failures(&misbehaving, &Options::default());
        assert_eq!(failed, [(case, FailureKind::Panic)], "{shown}");
    }
}

#[test]
fn a_panic_is_contained_whatever_it_carries() {
    let mut only = Options::default();
    only.only = vec!["type/checked-first".parse().unwrap()];
    for member in zoo::members().filter(|member| member.outcome == Charged::Panic) {
        let (failed, shown) = failures(&Misbehaving::new(Smallest, member).unwrap(), &only);
        assert_eq!(failed, [(zoo::CASES[0].to_owned(), FailureKind::Panic)], "{}", member.name);
        assert!(shown.contains("got       a panic") && shown.contains("at        kit/src/zoo/member.rs:"), "{shown}");
        assert!(!shown.contains("no way to read"), "the message of a panic is shown: {shown}");
    }
}

#[test]
fn another_case_can_be_named() {
    let case = "depth/at-the-ceiling/default-arrays-over";
    let misbehaving = Misbehaving::at(Smallest, member("panic"), case).unwrap();
    let mut only = Options::default();
    only.only = vec!["depth/at-the-ceiling".parse().unwrap(), "type/checked-first".parse().unwrap()];
    let (failed, shown) = failures(&misbehaving, &only);
    assert_eq!(failed, [(case.to_owned(), FailureKind::Panic)], "{shown}");
}
