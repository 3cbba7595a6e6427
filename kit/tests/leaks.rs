//! Boundaries that say more of a result than they may: each is red, in the requirement that it breaks.

use std::sync::Mutex;

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{
    AdapterFault, Boundary, Call, Claim, Description, Forms, Input, Outcome, Refusal, boundary_fn,
};
use boundary_kit::runner::{RunVerdict, Status};

mod asked;

use asked::{assert_red, check};

/// The kit's good boundary, with this done to each answer.
fn smallest(change: impl Fn(&Call<'_>, &mut Outcome) + Send + Sync) -> impl Boundary {
    described(Smallest.describe(), change)
}

fn described(description: Description, change: impl Fn(&Call<'_>, &mut Outcome) + Send + Sync) -> impl Boundary {
    boundary_fn(description, move |call: &Call<'_>| {
        let mut outcome = Smallest.check(call)?;
        change(call, &mut outcome);
        Ok(outcome)
    })
}

fn text(call: &Call<'_>) -> String {
    match call.input {
        Input::Raw(text) => text.to_owned(),
        _ => call.payload().unwrap().to_text(),
    }
}

fn refusal(outcome: &mut Outcome, change: impl FnOnce(&mut Refusal)) {
    if let Outcome::Refused(refusal) = outcome {
        change(refusal);
    }
}

#[test]
fn what_tracing_is_told_is_heard() {
    let by_field = smallest(|call, _| tracing::trace!(payload = text(call), "checked"));
    assert_red(&by_field, "leak/log", "of tracing");
    let by_debug_form = smallest(|call, _| tracing::debug!(payload = ?text(call)));
    assert_red(&by_debug_form, "leak/log", "of tracing");
    let by_span = smallest(|call, _| {
        let _span = tracing::info_span!("check", payload = text(call)).entered();
    });
    assert_red(&by_span, "leak/log", "of tracing");
    let encoded = smallest(|call, _| tracing::warn!("checked {:?}", text(call).as_bytes()));
    assert_red(&encoded, "leak/encoded", "as a list of bytes");
}

#[test]
fn what_log_is_told_is_heard_in_words_targets_and_pairs() {
    let by_words = smallest(|call, _| log::trace!("checked {}", text(call)));
    assert_red(&by_words, "leak/log", "of log");
    let by_target = smallest(|call, _| log::info!(target: &text(call), "checked"));
    assert_red(&by_target, "leak/log", "of log");
    let by_pair = smallest(|call, _| log::error!(payload = text(call); "checked"));
    assert_red(&by_pair, "leak/log", "of log");
}

#[test]
fn what_is_logged_without_text_of_the_result_is_no_leak() {
    let proper = smallest(|call, outcome| {
        log::debug!("{}: {} bytes, {} findings", call.tool.name, text(call).len(), outcome.findings().len());
        tracing::debug!(tool = call.tool.name, findings = outcome.findings().len());
    });
    let (report, shown) = check(&proper, "leak/log");
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
}

#[test]
fn an_error_of_a_library_kept_as_a_cause_is_found() {
    #[derive(Debug)]
    #[expect(dead_code, reason = "it is kept for the debug form, as many errors keep what they are about")]
    struct Refused(std::num::ParseIntError, String);
    impl std::fmt::Display for Refused {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "not of its declared type")
        }
    }
    impl std::error::Error for Refused {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    let derived = smallest(|call, outcome| {
        let text = text(call);
        refusal(outcome, |refusal| {
            if let Err(cause) = text.parse::<i64>() {
                refusal.forms = Some(Forms::of(&Refused(cause, text)));
            }
        });
    });
    assert_red(&derived, "leak/refusal", "of forms.debug");
}

#[test]
fn a_refusal_for_depth_that_names_the_keys_on_the_way_is_found() {
    let wordy = smallest(|call, outcome| {
        refusal(outcome, |refusal| {
            if refusal.kind.as_str() == "depth" {
                refusal.at = Some(text(call));
            }
        });
    });
    assert_red(&wordy, "leak/refusal", "leak/refusal/deep-keys");
}

#[test]
fn a_path_that_names_a_long_or_an_unprintable_key_only_warns() {
    let naming = smallest(|call, outcome| {
        let Ok(payload) = call.payload() else { return };
        let keys = boundary_kit::contract::Payload::tokens(&payload);
        let key = keys.filter_map(|token| match token {
            boundary_kit::contract::Token::Key(key) => Some(key.to_owned()),
            _ => None,
        });
        // The one under which the order stands, unless the order stands in the key itself.
        let Some(key) = key.max_by_key(String::len).filter(|key| !key.contains("Ignore")) else { return };
        if let Outcome::Delivered(delivery) = outcome {
            delivery.findings.iter_mut().for_each(|finding| finding.path = finding.path.replace("{key}", &key));
        }
    });
    let (report, shown) = check(&naming, "leak/findings");
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    assert!(shown.contains("warn leak/findings"), "{shown}");
    for case in ["order-under-a-long-key", "order-under-an-unprintable-key"] {
        assert!(shown.contains(case), "{shown}");
    }
}

#[test]
fn a_reason_may_quote_the_field_and_never_what_it_decodes_to() {
    let quoting = smallest(|call, outcome| {
        if let Outcome::Delivered(delivery) = outcome {
            delivery.reason = Some(format!("reads like an order: {}", text(call)));
        }
    });
    for only in ["leak/findings", "leak/encoded"] {
        let (report, shown) = check(&quoting, only);
        assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    }
}

#[test]
fn an_answer_that_another_tenant_gets_again_is_found() {
    let cache: Mutex<Option<(String, Outcome)>> = Mutex::new(None);
    let caching = boundary_fn(Smallest.describe(), move |call: &Call<'_>| {
        let mut cache = cache.lock().unwrap();
        let of_this_tool = cache.as_ref().filter(|(tool, _)| *tool == call.tool.name);
        if let (Some((_, outcome)), Some("south")) = (of_this_tool, call.tenant) {
            return Ok(outcome.clone());
        }
        let outcome = Smallest.check(call)?;
        *cache = Some((call.tool.name.clone(), outcome.clone()));
        Ok(outcome)
    });
    assert_red(&caching, "leak/across-results", "of rendered");
}

#[test]
fn who_refuses_and_flags_nothing_has_fewer_places_to_leak_from_and_is_heard_all_the_same() {
    let wrapper = |leaks: bool| {
        let mut description = Smallest.describe();
        description.claims = [Claim::Envelope].into();
        described(description, move |call, _| {
            if leaks {
                log::debug!("{}", text(call));
            }
        })
    };
    let (report, shown) = check(&wrapper(false), "leak/*");
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    for row in &report.rows {
        let claimed = !matches!(row.requirement.id.as_str(), "leak/refusal" | "leak/findings" | "leak/events");
        assert_eq!(row.status == Status::Pass, claimed, "{}: {shown}", row.requirement.id);
    }
    assert_red(&wrapper(true), "leak/log", "leak/log/delivered-text");
}

#[test]
fn who_refuses_everything_or_nothing_passes_no_requirement_about_refusals() {
    let nothing = boundary_fn(Smallest.describe(), |call: &Call<'_>| -> Result<Outcome, AdapterFault> {
        let text = text(call);
        Ok(boundary_kit::contract::Delivery::new(text.clone(), text).into())
    });
    assert_red(&nothing, "leak/refusal", "a refusal of kind `return-type`");
    assert_red(&nothing, "leak/findings", "a finding of kind `override`");
    let everything = boundary_fn(Smallest.describe(), |_: &Call<'_>| {
        Ok(Refusal::new(boundary_kit::contract::RefusalKind::Suspicion, "no").into())
    });
    assert_red(&everything, "leak/refusal", "a refusal of kind `return-type`");
    assert_red(&everything, "leak/across-results", "a delivery");
}
