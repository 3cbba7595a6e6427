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
