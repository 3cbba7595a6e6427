//! The kit judges boundaries of any design: good ones of many are conformant in all that they claim.

use boundary_kit::contract::Claim;
use boundary_kit::corpus::Need;
use boundary_kit::report::{Terminal, matrix_json, matrix_text};
use boundary_kit::runner::{Options, Report, RowReport, RunVerdict, Status};
use boundary_kit::saboteur::{Matrix, matrix, named_matrix};

#[path = "designs/good.rs"]
mod good;
#[path = "designs/parts.rs"]
mod parts;

use parts::Design;

fn check(design: &Design) -> (Report, String) {
    check_with(design, &Options::default())
}

fn check_with(design: &Design, options: &Options) -> (Report, String) {
    let mut out = Vec::new();
    let report = boundary_kit::check_with(design, options, &mut Terminal::new(&mut out, false)).unwrap();
    (report, String::from_utf8(out).unwrap())
}

fn only(patterns: &[&str]) -> Options {
    let mut options = Options::default();
    options.only = patterns.iter().map(|pattern| pattern.parse().unwrap()).collect();
    options
}

#[test]
fn each_design_is_conformant_in_all_that_it_claims() {
    let mut red = String::new();
    for design in good::all() {
        // How their time grows is asked of one below: they scan alike, and it takes longer than all else.
        let (report, shown) = check_with(&design, &only(&["[!c]*", "ceiling/[!t]*"]));
        if report.verdict != RunVerdict::Conformant {
            red.push_str(&shown);
        }
        for claim in design.description.claims.iter().filter(|claim| !stands(&report, **claim)) {
            red.push_str(&format!("{}: nothing stands behind {claim}\n", design.description.name));
        }
    }
    assert!(red.is_empty(), "{red}");
}

/// Whether a requirement of this claim was judged, or may be later: what a run of everything looks at by itself.
fn stands(report: &Report, claim: Claim) -> bool {
    let of_claim = |row: &&RowReport| row.requirement.claims.contains(&Need::Claim(claim));
    report.rows.iter().filter(of_claim).any(|row| row.cases > 0 || row.status == Status::NotBuilt)
}

#[test]
fn the_time_of_another_design_grows_linearly() {
    let (report, shown) = check_with(&good::nonce_digest(), &only(&["ceiling/time"]));
    assert_eq!((report.rows.len(), report.rows[0].status), (1, Status::Pass), "{shown}");
}

/// The designs that have a file of their own stay as small as a first boundary is.
#[test]
fn six_designs_take_at_most_eighty_lines_each() {
    for (name, file) in [
        ("nonce-fresh", include_str!("designs/nonce_envelope.rs")),
        ("json-object", include_str!("designs/json_envelope.rs")),
        ("entity-encoding", include_str!("designs/entity_encoding.rs")),
        ("dotted-paths", include_str!("designs/dotted_paths.rs")),
        ("counts-bytes", include_str!("designs/byte_units.rs")),
        ("refuses-forgery", include_str!("designs/refuse_on_forgery.rs")),
    ] {
        assert!(file.contains(&format!("described(\"{name}\", &EVERYTHING)")), "{name} claims less than there is");
        assert!(file.lines().count() <= 80, "{name} takes {} lines", file.lines().count());
        assert!(good::all().iter().any(|design| design.description.name == name), "{name} is not tried");
    }
}

#[test]
fn each_saboteur_of_each_design_is_killed_by_what_it_names() {
    let mut problems = Vec::new();
    for design in good::all() {
        problems.extend(survivors(&design, named_matrix(&design)));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// On a design that has nothing in common with the kit's own: what else a saboteur trips is declared.
#[test]
fn no_saboteur_has_an_undeclared_side_effect_on_another_design() {
    let design = good::nonce_digest();
    let problems = survivors(&design, matrix(&design));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_no_saboteur_can_break_in_a_design_is_said_and_is_no_failure() {
    for (design, requirement, why) in [
        (good::json_object(), "envelope/close-neutralised", "its content is a string of a JSON object"),
        (good::texts_alone(), "flag/path", "it takes texts alone"),
    ] {
        let matrix = named_matrix(&design).unwrap();
        let spared = matrix.spared.iter().find(|spared| spared.requirement == requirement).unwrap();
        assert_eq!(spared.why, why);
        assert!(matrix.holds());
        assert!(matrix_text(&matrix, false).contains(&format!("{requirement}: {why}")));
        let without = &matrix_json(&matrix)["summary"]["requirements_without"];
        assert!(without.as_array().unwrap().iter().any(|id| id == requirement), "{without}");
    }
}

#[test]
fn what_a_design_is_warned_of_unbroken_is_asked_of_no_saboteur() {
    let design = good::fails_by_default();
    let (report, shown) = check(&design);
    let row = report.rows.iter().find(|row| row.requirement.id.as_str() == "policy/annotate-is-default").unwrap();
    assert_eq!((row.status, report.verdict), (Status::Warn, RunVerdict::Conformant), "{shown}");
    let matrix = named_matrix(&design).unwrap();
    let tried = |name: &str| matrix.rows.iter().any(|row| row.saboteur.name == name);
    assert!(tried("policy-off-switch") && !tried("policy-refuses-unasked"));
}

#[test]
fn what_a_design_leaves_out_is_not_claimed() {
    for (design, not_claimed) in [
        (good::texts_alone(), &["depth/at-the-ceiling"][..]),
        (
            good::without_optional_fields(),
            &[
                "envelope/provenance-fields",
                "envelope/trust-is-untrusted",
                "forgery/payload-kept",
                "envelope/flags-shown",
            ],
        ),
        (good::only_flags(), &["envelope/exactly-one", "flag/path", "flag/encoded", "forgery/turn-markers"]),
        (good::fails_with_no_policy(), &["flag/still-delivered"]),
    ] {
        let (report, shown) = check(&design);
        for id in not_claimed {
            let row = report.rows.iter().find(|row| row.requirement.id.as_str() == *id).unwrap();
            assert_eq!((row.status, row.cases), (Status::NotClaimed, 0), "{id}: {shown}");
            assert!(row.note.is_some(), "{id}");
        }
    }
}

/// What is wrong with a matrix, a line each.
fn survivors(design: &Design, matrix: Result<Matrix, String>) -> Vec<String> {
    let name = &design.description.name;
    let matrix = match matrix {
        Ok(matrix) => matrix,
        Err(problem) => return vec![format!("{name}: {problem}")],
    };
    let mut problems: Vec<String> = Vec::new();
    for row in &matrix.rows {
        if !row.killed_by_named() {
            problems.push(format!("{name}: {} lives: {:?}", row.saboteur.name, row.tripped));
        }
        if !row.undeclared().is_empty() {
            problems.push(format!("{name}: {} also trips {:?}", row.saboteur.name, row.undeclared()));
        }
    }
    if !matrix.without.is_empty() {
        problems.push(format!("{name}: no saboteur breaks {:?}", matrix.without));
    }
    problems
}
