//! Return types: a value is held to what its tool declared.

use boundary_contract::{Delivery, Payload, Refusal, RefusalKind};
use boundary_corpus::{Expect, Fixture};

use super::flag::nothing_to_neutralise;
use super::forgery::as_it_was;
use super::{Draft, Row};
use crate::case::{Case, Evidence};
use crate::oracle::{Judged, Wrong, leak, path, text};
use crate::placeholder;
use crate::subject::Subject;

mod json_text;

pub(super) const ROWS: &[Row] = &[
    Row { id: "type/mismatch-refused", cases: mismatch_refused },
    Row { id: "type/names-tool-and-violation", cases: names_tool_and_violation },
    Row { id: "type/never-quotes-value", cases: never_quotes_value },
    Row { id: "type/no-repair", cases: as_expected },
    Row { id: "type/undeclared-taken-at-its-word", cases: as_expected },
    Row { id: "type/valid-delivered", cases: valid_delivered },
    Row { id: "type/checked-first", cases: refused },
    Row { id: "type/malformed-refused", cases: json_text::malformed },
    Row { id: "type/duplicate-keys", cases: json_text::duplicate_keys },
    Row { id: "type/keys-are-values-too", cases: keys_are_values_too },
];

const MISMATCHES: &str = "type/mismatch-refused";

fn refused(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(draft.fixtures().map(|fixture| draft.fixture_case(fixture, judge_refused)).collect())
}

fn mismatch_refused(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = refused(draft)?;
    cases.extend(json_text::mistyped(draft));
    Ok(cases)
}

fn as_expected(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(draft
        .fixtures()
        .map(|fixture| {
            let judge = if fixture.expect == Expect::Delivered { judge_delivered } else { judge_refused };
            draft.fixture_case(fixture, judge)
        })
        .collect())
}

fn names_tool_and_violation(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(mismatches(draft).map(|fixture| draft.fixture_case(fixture, judge_names)).collect())
}

fn never_quotes_value(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(mismatches(draft).map(|fixture| draft.fixture_case(fixture, judge_quotes_nothing)).collect())
}

fn keys_are_values_too(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(draft.fixtures().map(|fixture| draft.fixture_case(fixture, judge_quotes_nothing)).collect())
}

fn valid_delivered(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> =
        mismatches(draft).filter_map(|fixture| draft.twin_case(fixture, judge_delivered)).collect();
    cases.extend(json_text::valid_of_its_type(draft));
    Ok(cases)
}

fn mismatches(draft: &Draft) -> impl Iterator<Item = &'static Fixture> {
    draft.every_fixture().filter(|fixture| fixture.requirement.as_str() == MISMATCHES)
}

fn judge_refused(_: &Subject, _: &Fixture, evidence: Evidence<'_>) -> Judged {
    evidence.refusal(RefusalKind::ReturnType).map(drop)
}

fn judge_delivered(subject: &Subject, _: &Fixture, evidence: Evidence<'_>) -> Judged {
    let delivery = evidence.delivery(0)?;
    let Some(sent) = evidence.first().sent.payload() else { return Ok(()) };
    if delivery.rendered.trim().is_empty() && !sent.to_text().trim().is_empty() {
        return Err(Wrong::new("the value, rendered", "nothing of it").at("rendered"));
    }
    if nothing_to_neutralise(subject, sent) {
        as_it_was(sent, &subject.content(delivery)?.text)?;
    }
    same_value(sent, delivery)
}

/// The host gets the value itself; where a boundary hands none over, its text must be the value's.
fn same_value(sent: &Payload, delivery: &Delivery) -> Judged {
    match &delivery.payload {
        Some(payload) if payload == sent => Ok(()),
        Some(_) => Err(Wrong::new("a payload equal to the value", "another value").at("payload")),
        None => match sent.as_str() {
            Some(sent) => text::same(sent, &delivery.text),
            None => text::json_equals(&delivery.text, sent),
        },
    }
}

fn judge_names(subject: &Subject, fixture: &Fixture, evidence: Evidence<'_>) -> Judged {
    let refusal = evidence.refusal(RefusalKind::ReturnType)?;
    let Expect::Refused { at, violated, .. } = &fixture.expect else {
        return Err(Wrong::new("a fixture that expects a refusal", "another fixture"));
    };
    if !refusal.message.contains(&evidence.first().sent.tool.name) {
        return Err(Wrong::new("the tool's name", "a message without it").at("message"));
    }
    let root = subject.description.path_root.as_deref();
    if let Some(at) = at.as_ref().filter(|at| !names_place(refusal, at, violated.as_deref(), root)) {
        return Err(Wrong::new(format!("the place `{at}`, in `at` or in the message"), "neither").at("at"));
    }
    let names = |keyword: &str| refusal.violated.as_deref() == Some(keyword) || says(&refusal.message, keyword);
    if let Some(violated) = violated.as_ref().filter(|violated| !names(violated)) {
        let expected = format!("the keyword `{violated}`, in `violated` or in the message");
        return Err(Wrong::new(expected, "neither").at("violated"));
    }
    Ok(())
}

/// Whether a message says a keyword as a word of its own. That a *return type* was broken says no keyword.
fn says(message: &str, keyword: &str) -> bool {
    let words: Vec<&str> = message.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.iter().enumerate().any(|(at, word)| {
        let of_the_return = at > 0 && words[at - 1].eq_ignore_ascii_case("return");
        *word == keyword && !of_the_return
    })
}

fn names_place(refusal: &Refusal, pointer: &str, violated: Option<&str>, root: Option<&str>) -> bool {
    let Some(at) = refusal.at.as_deref() else {
        return pointer.split('/').all(|segment| refusal.message.contains(segment));
    };
    // Of a missing or a superfluous member, the member's own place is as good as its object's.
    let of_a_member = matches!(violated, Some("required" | "additionalProperties"));
    let parent = at.rfind(['/', '.', '[']).map_or("", |end| &at[..end]);
    path::leads_to(at, pointer, root) || of_a_member && path::leads_to(parent, pointer, root)
}

fn judge_quotes_nothing(_: &Subject, fixture: &Fixture, evidence: Evidence<'_>) -> Judged {
    evidence.refusal(RefusalKind::ReturnType)?;
    leak::find(&placeholder::canary(&fixture.id), &evidence.first().outcome)
}
