//! The properties hold for the kit's own good boundary, and each fails on one that is broken.

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{AdapterFault, Boundary, Call, Claim, Delivery, Description, Grammar, Outcome, Refusal};
use boundary_kit::contract::{Finding, RefusalKind};
use boundary_kit::properties;

boundary_kit::properties!(|| Smallest);

/// A boundary that says what the good one says and answers otherwise.
struct Broken(fn(&Call<'_>) -> Result<Outcome, AdapterFault>);

impl Boundary for Broken {
    fn describe(&self) -> Description {
        Smallest.describe()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        (self.0)(call)
    }
}

/// The words of the panic with which a property fails.
fn failure(property: fn(fn() -> Broken), make: fn() -> Broken) -> String {
    let panic = std::panic::catch_unwind(|| property(make)).expect_err("the property holds on a broken boundary");
    panic.downcast_ref::<String>().cloned().expect("a panic with words")
}

#[test]
fn an_envelope_that_its_content_closes_is_found() {
    let words = failure(properties::exactly_one_envelope, || {
        Broken(|call| {
            let text = call.payload()?.to_text();
            let open = "<untrusted-data source=\"\" tool=\"\" tenant=\"\" flagged=\"\" truncated=\"false\">";
            Ok(Delivery::new(format!("{open}\n{text}\n</untrusted-data>"), text).into())
        })
    });
    assert!(words.starts_with("exactly_one_envelope does not hold"), "{words}");
    assert!(words.contains("seed      ") && words.chars().all(|c| c == '\n' || matches!(c, ' '..='~')), "{words}");
}

#[test]
fn a_refusal_that_quotes_is_found() {
    let words = failure(properties::refusals_leak_nothing, || {
        Broken(|call| {
            let message = format!("{} is no integer", call.payload()?.to_json());
            Ok(Refusal::new(RefusalKind::ReturnType, message).into())
        })
    });
    assert!(words.contains("refusals_leak_nothing does not hold"), "{words}");
    assert!(words.contains("message"), "{words}");
}

#[test]
fn a_text_that_changes_each_time_is_found() {
    let words = failure(properties::idempotent, || {
        Broken(|call| {
            let marked = boundary_kit::contract::Payload::from(format!("{} again", call.payload()?.to_text()));
            let mut changed = call.clone();
            changed.input = (&marked).into();
            Smallest.check(&changed)
        })
    });
    assert!(words.contains("idempotent does not hold"), "{words}");
}

#[test]
fn a_finding_that_only_the_delivered_text_shows_is_found() {
    let words = failure(properties::delivered_text_holds_no_surprise, || {
        Broken(|call| {
            let mut outcome = Smallest.check(call)?;
            let hidden = call.payload()?.as_str().is_some_and(|text| text.contains("tide"));
            if let Outcome::Delivered(delivery) = &mut outcome {
                delivery.findings = Vec::new();
                if hidden {
                    delivery.findings.push(Finding::new("override", ""));
                }
                // What it delivers always says `tide`, whatever it was sent.
                let tide = boundary_kit::contract::Payload::from("tide");
                let mut changed = call.clone();
                changed.input = (&tide).into();
                if let Outcome::Delivered(other) = Smallest.check(&changed)? {
                    delivery.rendered = other.rendered;
                    delivery.text = other.text;
                }
            }
            Ok(outcome)
        })
    });
    assert!(words.contains("delivered_text_holds_no_surprise does not hold"), "{words}");
}

#[test]
fn a_finding_that_carries_its_match_is_found() {
    type Form = fn(&str) -> String;
    let plain: Form = str::to_owned;
    for (form, words) in [(plain, "char "), ((|text| text.chars().rev().collect()) as Form, "as reverse")] {
        let leaky = move || Leaky(form);
        let panic = std::panic::catch_unwind(|| properties::findings_leak_nothing(leaky)).unwrap_err();
        let shown = panic.downcast_ref::<String>().cloned().unwrap();
        assert!(shown.starts_with("findings_leak_nothing does not hold") && shown.contains(words), "{shown}");
    }

    /// The good boundary, whose findings carry the result along in some form.
    struct Leaky(Form);
    impl Boundary for Leaky {
        fn describe(&self) -> Description {
            Smallest.describe()
        }
        fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
            let mut outcome = Smallest.check(call)?;
            let text = self.0(&call.payload()?.to_text());
            if let Outcome::Delivered(delivery) = &mut outcome {
                delivery.findings.iter_mut().for_each(|finding| finding.via.push(text.clone()));
            }
            Ok(outcome)
        }
    }
}

#[test]
fn a_boundary_that_flags_nothing_has_no_findings_to_judge() {
    let words = failure(properties::findings_leak_nothing, || {
        Broken(|call| {
            let mut outcome = Smallest.check(call)?;
            if let Outcome::Delivered(delivery) = &mut outcome {
                delivery.findings.clear();
            }
            Ok(outcome)
        })
    });
    assert!(words.contains("tests nothing: the boundary flagged none of 1024 results"), "{words}");
}

#[test]
fn an_order_that_is_missed_misplaced_or_seen_everywhere_is_found() {
    let property = properties::orders_are_found_where_they_stand;
    type Change = fn(&Call<'_>, &mut Delivery);
    let changed = |change: Change| {
        move |call: &Call<'_>| {
            let mut outcome = Smallest.check(call)?;
            if let Outcome::Delivered(delivery) = &mut outcome {
                change(call, delivery);
            }
            Ok(outcome)
        }
    };
    type Check = Box<dyn Fn(&Call<'_>) -> Result<Outcome, AdapterFault> + Send + Sync>;
    struct Changed(Check);
    impl Boundary for Changed {
        fn describe(&self) -> Description {
            Smallest.describe()
        }
        fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
            (self.0)(call)
        }
    }
    let changes: [(Change, &str); 4] = [
        // Deep inside, nobody looks.
        (
            |call, delivery| {
                if call.payload().is_ok_and(|payload| payload.depth() > 3) {
                    delivery.findings.clear();
                }
            },
            "a finding of kind `override`, got none",
        ),
        (
            |_, delivery| delivery.findings.retain(|finding| !finding.path.ends_with("{key}")),
            "a finding of kind `override`, got none",
        ),
        (
            |_, delivery| delivery.findings.iter_mut().for_each(|finding| finding.path = "/body".to_owned()),
            "got other paths",
        ),
        (
            |call, delivery| {
                if call.payload().is_ok_and(|payload| payload.depth() > 1) {
                    delivery.findings.push(Finding::new("override", "/body"));
                }
            },
            "no finding in an ordinary text at the same place",
        ),
    ];
    for (change, expected) in changes {
        let make = move || Changed(Box::new(changed(change)));
        let panic = std::panic::catch_unwind(|| property(make)).expect_err(expected);
        let words = panic.downcast_ref::<String>().cloned().unwrap();
        assert!(words.starts_with("orders_are_found_where_they_stand does not hold"), "{words}");
        assert!(words.contains(expected), "{words}");
    }
}

#[test]
fn a_ceiling_that_does_not_hold_is_found() {
    fn uncut(call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let mut whole = call.clone();
        whole.policy.max_chars = None;
        Smallest.check(&whole)
    }
    let words = failure(properties::ceilings_hold, || Broken(uncut));
    assert!(words.starts_with("ceilings_hold does not hold") && words.contains("chars of content"), "{words}");
    fn unmarked(call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let mut outcome = Smallest.check(call)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            delivery.truncated = false;
        }
        Ok(outcome)
    }
    let words = failure(properties::ceilings_hold, || Broken(unmarked));
    assert!(words.contains("content that is marked as truncated"), "{words}");
    fn marked(call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let mut outcome = Smallest.check(call)?;
        let low = call.policy.max_chars.is_some_and(|ceiling| ceiling < 20_000);
        if let Outcome::Delivered(delivery) = &mut outcome {
            delivery.truncated |= low;
        }
        Ok(outcome)
    }
    let words = failure(properties::ceilings_hold, || Broken(marked));
    assert!(words.contains("content that fits, whole"), "{words}");
}

#[test]
fn a_property_of_a_claim_that_is_not_made_tests_nothing_and_says_so() {
    struct Wrapper;
    impl Boundary for Wrapper {
        fn describe(&self) -> Description {
            Description::new("wrapper", "1").claim(Claim::Envelope).envelope(Grammar::tag("x-data"))
        }
        fn check(&self, _: &Call<'_>) -> Result<Outcome, AdapterFault> {
            Err(AdapterFault::new("never asked"))
        }
    }
    let panic = std::panic::catch_unwind(|| properties::idempotent(|| Wrapper)).unwrap_err();
    let words = panic.downcast_ref::<String>().cloned().unwrap();
    assert!(words.contains("does not claim `neutralise`, so `idempotent` tests nothing"), "{words}");
}

#[test]
fn a_boundary_that_refuses_everything_is_no_pass() {
    let refuse = || Broken(|_| Ok(Refusal::new(RefusalKind::Suspicion, "refused").into()));
    for property in
        [properties::exactly_one_envelope, properties::idempotent, properties::delivered_text_holds_no_surprise]
    {
        let words = failure(property, refuse);
        assert!(words.contains("tests nothing: the boundary refused all"), "{words}");
    }
}

#[test]
fn a_panic_of_the_boundary_is_told_by_its_place_alone() {
    let words =
        failure(properties::exactly_one_envelope, || Broken(|call| panic!("quoting {}", call.payload()?.to_text())));
    assert!(words.contains("got a panic, at kit/tests/properties.rs:") && !words.contains("quoting"), "{words}");
}
