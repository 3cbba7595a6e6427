use std::hint::black_box;

use boundary_contract::{Boundary, Delivery, Description, Refusal, RefusalKind, boundary_fn};

use super::*;
use crate::case::Verdict;
use crate::oracle::Wrong;
use crate::runner::Plan;
use crate::runner::probe::{Probed, probe};
use crate::subject::Subject;

/// How much a boundary does with so many bytes, in steps of its own.
type Steps = fn(usize) -> usize;

/// A boundary that does so much with a text, and then delivers it cut, or refuses it.
fn working(steps: Steps, refuses: bool) -> impl Boundary {
    boundary_fn(description(), move |call| {
        let payload = call.payload()?;
        let text = payload.as_str().unwrap_or_default();
        black_box((0..steps(text.len())).fold(0_usize, |sum, step| black_box(sum ^ step)));
        Ok(if refuses { Refusal::new(RefusalKind::Size, "too long").into() } else { Delivery::new("", "").into() })
    })
}

fn description() -> Description {
    Description::new("working", "1").claim(Claim::Ceiling)
}

/// What the case of clean text comes to.
fn judged(boundary: &dyn Boundary) -> Verdict {
    let subject = Subject::new(description());
    let cases = Plan::one(&subject, "ceiling/time");
    match probe(boundary, &subject.description, &cases[0]).probed {
        Probed::Judged(verdict) => verdict,
        other => panic!("{other:?}"),
    }
}

#[test]
fn work_in_proportion_passes_however_much_it_is() {
    let all: [Steps; 3] = [|length| length, |length| length * 100, |_| 100_000];
    for steps in all {
        assert_eq!(judged(&working(steps, false)), Verdict::Pass);
    }
}

#[test]
fn work_on_the_square_fails_whether_the_text_is_delivered_or_refused() {
    for refuses in [false, true] {
        let Verdict::Fail(wrong) = judged(&working(|length| length * (length >> 14), refuses)) else {
            panic!("square work passes");
        };
        assert_eq!(wrong.expected, "time that grows with an exponent of at most 1.15");
        assert!(wrong.got.starts_with("an exponent of ") && wrong.got.contains(" from 64 KiB to "), "{}", wrong.got);
    }
}

#[test]
fn the_answers_of_a_timed_case_are_not_kept() {
    let delivering = boundary_fn(description(), |call| {
        let text = call.payload()?.to_text();
        Ok(Delivery::new(text.clone(), text).into())
    });
    let requirement = boundary_corpus::corpus().requirement("ceiling/time").unwrap();
    let case = Case::new(
        requirement,
        "kept",
        || Stimulus::text("tide"),
        |evidence| {
            let delivery = evidence.delivery(0)?;
            let held = delivery.rendered.len() + delivery.text.len();
            if held == 0 { Ok(()) } else { Err(Wrong::new("nothing", held.to_string())) }
        },
    );
    for (case, verdict) in [(case.clone(), Verdict::Fail(Wrong::new("nothing", "8"))), (case.timed(), Verdict::Pass)] {
        let probed = probe(&delivering, &description(), &case).probed;
        assert!(matches!(probed, Probed::Judged(judged) if judged == verdict));
    }
}

#[test]
fn every_text_is_about_as_long_as_its_size_says() {
    let subject = Subject::new(description());
    let names: Vec<String> = Plan::one(&subject, "ceiling/time").into_iter().map(|case| case.id.to_string()).collect();
    assert_eq!(names.len(), UNITS.len() + 1);
    for (name, unit) in UNITS {
        let text = Repeat { unit: (*unit).to_owned(), times: 0, before: String::new(), after: String::new() };
        for size in [0, SIZES[0], SIZES[1]] {
            let sent = sent(&text, Policy::default(), size);
            let length = sent.call().payload().unwrap().as_str().unwrap().len();
            let size = usize::try_from(size).unwrap();
            assert!(length <= size && length + unit.len() > size, "{name}: {length} of {size}");
        }
    }
}

#[test]
fn sizes_are_shown_in_the_units_of_memory() {
    assert_eq!(SIZES.map(bytes)[3..6], ["512 KiB", "1 MiB", "2 MiB"]);
}
