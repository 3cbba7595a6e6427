//! JSON text: what is none is refused, and nothing of it is kept that was not scanned.

use std::fmt::Write as _;

use boundary_contract::{Claim, Delivery, Finding, FindingKind, Outcome, Payload, RefusalKind, Tool};
use boundary_corpus::{Fixture, Input};
use serde_json::{Value, json as value};

use super::super::Draft;
use super::super::flag::findings_of;
use super::same_value;
use crate::case::{Case, Evidence};
use crate::generate::placement::ORDER;
use crate::oracle::{Judged, Wrong, json, leak};
use crate::placeholder;
use crate::stimulus::Stimulus;
use crate::subject::Subject;

/// The stack on which nesting is tried, in bytes: room for honest work, none for a level a frame.
const SMALL_STACK: usize = 256 * 1024;

/// How many containers are opened and never closed.
const LEVELS: usize = 100_000;

pub(super) fn malformed(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = draft
        .fixtures()
        .map(|fixture| {
            let canary = placeholder::canary(&fixture.id);
            draft.fixture_case(fixture, move |_, _, evidence| refused_unquoted(evidence, &canary))
        })
        .collect();
    for (name, opening) in
        [("unclosed-arrays", "["), ("unclosed-objects", "{\"berth\":"), ("unclosed-mixed", "[{\"berth\":")]
    {
        let canary = placeholder::canary_of(&format!("{}/{name}", draft.requirement.id));
        let text = format!("{}\"{canary}\"", opening.repeat(LEVELS));
        let judge = move |subject: &Subject, evidence: Evidence<'_>| unclosed(subject, evidence, &canary);
        let case = draft.case(name, move || raw(text.clone()), judge).on_stack(SMALL_STACK);
        cases.push(if name == "unclosed-arrays" { case } else { case.heavy() });
    }
    cases.extend(twins(draft, |_, _, evidence| delivered_whole(sent_as_text(evidence)?, evidence)));
    for (name, text) in VALID {
        cases.push(draft.case(name, || raw(*text), |_, evidence| delivered_whole(text, evidence)));
    }
    Ok(cases)
}

/// Text that is JSON, in the ways in which it may be written.
const VALID: &[(&str, &str)] = &[
    ("valid-null", "null"),
    ("valid-text", "\"Berth five is free.\""),
    ("valid-spaced", " \t\r\n{ \"berth\" : 5 , \"free\" : [ true , false ] } \n"),
    ("valid-escapes", r#"{"n\u006fte": "caf\u00e9 \/ \ud83c\udf0a"}"#),
    ("valid-numbers", "[0, -1, 2.50, 1e3, 1E-2]"),
    ("valid-empty", "[[], {}, \"\"]"),
];

/// A valid text, judged as raw text, of a tool that declares what it is.
pub(super) fn valid_of_its_type(draft: &Draft) -> Vec<Case> {
    if !draft.subject.claims(Claim::JsonText) {
        return Vec::new();
    }
    let text = r#"{"price": 40, "note": "per night"}"#;
    let send = move || raw(text).of(priced());
    vec![draft.case("json-text", send, move |_, evidence| delivered_whole(text, evidence))]
}

/// A text of which the value is not what its tool declares.
pub(super) fn mistyped(draft: &Draft) -> Vec<Case> {
    if !draft.subject.claims(Claim::JsonText) {
        return Vec::new();
    }
    [("json-text-field", r#"{"price": "40"}"#), ("json-text-root", "[40]"), ("json-text-scalar", "\"40\"")]
        .into_iter()
        .map(|(name, text)| {
            let send = move || raw(text).of(priced());
            draft.case(name, send, |_, evidence| evidence.refusal(RefusalKind::ReturnType).map(drop))
        })
        .collect()
}

fn priced() -> Tool {
    Tool::new("stock_level")
        .returning(value!({"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]}))
}

fn raw(text: impl Into<String>) -> Stimulus {
    Stimulus::new(Input::Raw(text.into()))
}

fn refused_unquoted(evidence: Evidence<'_>, canary: &str) -> Judged {
    evidence.refusal(RefusalKind::Malformed)?;
    leak::find(canary, &evidence.first().outcome)
}

/// Text that was given up on for its depth is refused for that, which is as true as that it never ends.
fn unclosed(subject: &Subject, evidence: Evidence<'_>, canary: &str) -> Judged {
    let outcome = &evidence.first().outcome;
    let deep = outcome.refused().is_some_and(|refusal| refusal.kind == RefusalKind::Depth);
    if !(deep && subject.claims(Claim::Depth)) {
        evidence.refusal(RefusalKind::Malformed)?;
    }
    leak::find(canary, outcome)
}

/// The twins of this requirement's fixtures.
fn twins(
    draft: &Draft,
    judge: impl Fn(&Subject, &'static Fixture, Evidence<'_>) -> Judged + Copy + Send + Sync + 'static,
) -> Vec<Case> {
    draft.fixtures().filter_map(|fixture| draft.twin_case(fixture, judge)).collect()
}

/// The text that was sent. Fixtures of these requirements are text, or they are wrong.
fn sent_as_text(evidence: Evidence<'_>) -> Result<&str, Wrong> {
    match &evidence.first().sent.input {
        Input::Raw(text) => Ok(text),
        _ => Err(Wrong::new("a fixture with `raw` text", "another fixture")),
    }
}

/// Judges that the value of a text was delivered.
fn delivered_whole(text: &str, evidence: Evidence<'_>) -> Judged {
    let delivery = evidence.delivery(0)?;
    match serde_json::from_str::<Payload>(text) {
        Ok(value) => same_value(&value, delivery),
        Err(_) => Err(Wrong::new("a text of the kit's own that is JSON", "one that is not")),
    }
}

/// A text with one key twice or more, and an order as one of the values.
struct Duplicated {
    name: &'static str,
    /// The text, with this as the order.
    write: fn(&str) -> String,
}

const DUPLICATED: &[Duplicated] = &[
    Duplicated { name: "order-first", write: |order| format!("{{\"note\": {order}, \"note\": \"Open at nine.\"}}") },
    Duplicated { name: "order-last", write: |order| format!("{{\"note\": \"Open at nine.\", \"note\": {order}}}") },
    Duplicated { name: "order-between-many", write: |order| many(order) },
    Duplicated {
        name: "order-in-a-nested-object",
        write: |order| format!("{{\"hits\": [{{\"body\": {order}, \"id\": 1, \"body\": \"Fees rose.\"}}]}}"),
    },
    Duplicated {
        name: "key-spelled-with-an-escape",
        write: |order| format!("{{\"n\\u006fte\": {order}, \"note\": \"Open at nine.\"}}"),
    },
    Duplicated {
        name: "order-in-an-object-that-is-replaced",
        write: |order| format!("{{\"page\": {{\"body\": {order}}}, \"page\": {{\"body\": \"Fees rose.\"}}}}"),
    },
    Duplicated {
        name: "order-in-a-list-that-is-replaced-by-a-number",
        write: |order| format!("{{\"notes\": [\"Fees rose.\", {order}], \"notes\": 2}}"),
    },
    Duplicated { name: "empty-key", write: |order| format!("{{\"\": {order}, \"\": null}}") },
    Duplicated { name: "order-in-the-key", write: |order| format!("{{{order}: 1, {order}: 2}}") },
];

/// A key so often that no short list of its values holds the order.
fn many(order: &str) -> String {
    let mut text = String::from("{");
    for index in 0..40 {
        let comma = if index == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = match index {
            17 => write!(text, "{comma}\"note\": {order}"),
            _ => write!(text, "{comma}\"note\": \"Open at {index}.\""),
        };
    }
    text + "}"
}

pub(super) fn duplicate_keys(draft: &Draft) -> Result<Vec<Case>, String> {
    if !draft.subject.claims(Claim::Flag) {
        return Err("it flags nothing, so that no value needs to be scanned".to_owned());
    }
    let mut cases: Vec<Case> = draft.fixtures().map(|fixture| fixture_with_duplicates(draft, fixture)).collect();
    cases.extend(twins(draft, |_, _, evidence| delivered_whole(sent_as_text(evidence)?, evidence)));
    if !draft.subject.claims_kind(FindingKind::Override) {
        return Ok(cases);
    }
    for Duplicated { name, write } in DUPLICATED {
        let canary = placeholder::canary_of(&format!("{}/{name}", draft.requirement.id));
        let order = Value::from(ORDER.replace("harbour", &canary)).to_string();
        let send = move || raw(write(&order));
        let judge = move |subject: &Subject, evidence: Evidence<'_>| {
            seen_or_gone(subject, FindingKind::Override, evidence, &canary)
        };
        cases.push(draft.case(name, send, judge));
        let send = || raw(write("\"Closed at five.\""));
        cases.push(draft.case(&format!("twin-of-{name}"), send, |_, evidence| left_alone(evidence)));
    }
    Ok(cases)
}

/// A fixture with duplicate keys, and after it each text in it alone: whatever a text is flagged for by itself, the
/// whole is flagged for, unless that text is gone from it.
fn fixture_with_duplicates(draft: &Draft, fixture: &'static Fixture) -> Case {
    let judge = |subject: &Subject, _: &Fixture, evidence: Evidence<'_>| {
        let outcome = &evidence.first().outcome;
        match outcome {
            Outcome::Refused(refusal) if refusal.kind == RefusalKind::Malformed => return Ok(()),
            Outcome::Refused(_) => evidence.delivery(0).map(drop)?,
            Outcome::Delivered(_) => {}
        }
        let delivery = evidence.delivery(0)?;
        let content = readable(subject, delivery);
        let payload = delivery.payload.as_ref().map(Payload::to_text).unwrap_or_default();
        for alone in &evidence.exchanges[1..] {
            let Some(text) = alone.sent.payload().and_then(Payload::as_str) else { continue };
            let gone = ![&content, &delivery.text, &payload].into_iter().any(|kept| kept.contains(text));
            let seen = |finding: &Finding| outcome.findings().iter().any(|other| other.heuristic == finding.heuristic);
            if !gone && !alone.outcome.findings().iter().all(seen) {
                let expected = "a finding for each text that is flagged by itself, or the text gone";
                return Err(Wrong::new(expected, "a text that is kept and was not scanned").at("findings"));
            }
        }
        Ok(())
    };
    // More than any fixture has; what is not there is not sent.
    const TEXTS: usize = 16;
    (0..TEXTS).fold(draft.fixture_case(fixture, judge), |case, index| {
        case.then(move |so_far| {
            let Input::Raw(text) = &so_far[0].sent.input else { return None };
            let value = json::read(text).ok()?;
            match placeholder::texts(&value).nth(index) {
                Some(alone) => Some(Stimulus::text(alone)),
                // The whole comes once more at the end, so that a failure shows it as what was sent.
                None => (placeholder::texts(&value).count() == index).then(|| so_far[0].sent.clone()),
            }
        })
    })
}

/// The content of a delivery; nothing where its envelope cannot be read, which other requirements judge.
fn readable(subject: &Subject, delivery: &Delivery) -> String {
    subject.content(delivery).map(|content| content.text).unwrap_or_default()
}

/// Judges that an order with a canary in it was flagged, stands nowhere in what is delivered, or that the text was
/// refused for what it is.
fn seen_or_gone(subject: &Subject, kind: FindingKind, evidence: Evidence<'_>, canary: &str) -> Judged {
    match &evidence.first().outcome {
        Outcome::Refused(refusal) if refusal.kind == RefusalKind::Malformed => {
            leak::find(canary, &evidence.first().outcome)
        }
        Outcome::Refused(_) => findings_of(subject, kind, evidence).map(drop),
        Outcome::Delivered(delivery) => {
            let Err(missed) = findings_of(subject, kind, evidence) else { return Ok(()) };
            let payload = delivery.payload.as_ref().map(Payload::to_text).unwrap_or_default();
            let content = readable(subject, delivery);
            let kept = [
                ("rendered", delivery.rendered.as_str()),
                ("the content", &content),
                ("text", &delivery.text),
                ("payload", &payload),
            ];
            match leak::find_in(canary, &kept) {
                Ok(()) => Ok(()),
                Err(kept) => Err(missed.at(kept.at.unwrap_or_default())),
            }
        }
    }
}

/// Judges that a text with duplicate keys and no order was delivered unflagged and not emptied, or refused for what it is.
fn left_alone(evidence: Evidence<'_>) -> Judged {
    match &evidence.first().outcome {
        Outcome::Refused(refusal) if refusal.kind == RefusalKind::Malformed => Ok(()),
        Outcome::Delivered(delivery) if !delivery.findings.is_empty() => {
            let got = format!("{} findings", delivery.findings.len());
            Err(Wrong::new("no finding", got).of_an_alarm())
        }
        // Whichever of two equal keys is kept, one is.
        Outcome::Delivered(delivery) if delivery.text.trim().is_empty() => {
            Err(Wrong::new("the value, rendered", "nothing of it").at("text").of_loss())
        }
        Outcome::Delivered(_) => Ok(()),
        Outcome::Refused(refusal) => {
            let got = format!("a refusal of kind `{}`", refusal.kind);
            Err(Wrong::new("a delivery, or a refusal of kind `malformed`", got))
        }
    }
}
