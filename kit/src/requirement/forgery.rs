//! Structural forgery: what could pass for the conversation's own structure is made harmless, and
//! nothing else is touched.

use std::sync::Arc;

use boundary_contract::Payload;
use boundary_corpus::{Expect, Fixture, Input, Level};
use serde_json::json;

use super::flag::ORDER;
use super::imitation::refused_as_forgery;
use super::neutralised::{self, judge_markers, no_hidden, no_marker, reading};
use super::turn::one_a_family;
use super::{Draft, Row};
use crate::case::{Case, Evidence, Exchange};
use crate::oracle::hidden::Hidden;
use crate::oracle::{Judged, Wrong, text};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[
    Row { id: "forgery/idempotent", cases: idempotent },
    Row { id: "forgery/null-and-controls", cases: null_and_controls },
    Row { id: "forgery/bidi", cases: bidi },
    Row { id: "forgery/invisible", cases: invisible },
    Row { id: "forgery/whitespace-survives", cases: survives },
    Row { id: "forgery/legitimate-text-survives", cases: legitimate_text },
    Row { id: "forgery/payload-kept", cases: payload_kept },
    Row { id: "forgery/everywhere", cases: everywhere },
    Row { id: "forgery/never-evaluated", cases: survives },
];

/// The controls that must be gone; the other C0 controls only should.
const CONTROLS: &[Hidden] = &[Hidden::Null, Hidden::Escape, Hidden::Delete, Hidden::Backspace, Hidden::C1];
pub(super) const INVISIBLE: &[Hidden] = &[Hidden::Tag, Hidden::VariationRun, Hidden::ZeroWidth];

fn null_and_controls(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(neutralised::cases(draft, |_, fixture, content| match fixture.level {
        Some(Level::Should) => no_hidden(content, &[Hidden::OtherC0]),
        _ => no_hidden(content, CONTROLS),
    }))
}

fn bidi(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(neutralised::cases(draft, |_, fixture, content| match fixture.level {
        Some(Level::Should) => no_hidden(content, &[Hidden::BidiIsolate]),
        _ => no_hidden(content, &[Hidden::BidiOverride]),
    }))
}

fn invisible(draft: &Draft) -> Result<Vec<Case>, String> {
    // A letter in eight bits, one character for each bit.
    let bits = |zero: char, one: char| {
        let bit = move |at| if 0b0110_1001 >> at & 1 == 1 { one } else { zero };
        format!("The north{} pier opens at eight.", (0..8).map(bit).collect::<String>())
    };
    let carriers = [
        ("directional-marks", '\u{200e}', '\u{200f}'),
        ("invisible-operators", '\u{2062}', '\u{2064}'),
        ("spaces-without-width", '\u{200b}', '\u{feff}'),
        ("soft-hyphens", '\u{ad}', '\u{200b}'),
        ("variation-selectors", '\u{fe00}', '\u{fe01}'),
        ("supplementary-selectors", '\u{e0100}', '\u{e0101}'),
        ("annotations", '\u{fff9}', '\u{fffb}'),
        ("fillers", '\u{115f}', '\u{3164}'),
    ];
    let in_turn = carriers.map(|(name, zero, one)| {
        let send = move || Stimulus::text(bits(zero, one));
        let case = draft.hostile_case(name, send, |subject, evidence| {
            let content = subject.content(evidence.delivery(0)?)?;
            no_hidden(&content, INVISIBLE)?;
            text::keeps(&content.text, &["pier opens at eight.".to_owned()])
        });
        (name.to_owned(), case)
    });
    let mut cases = neutralised::cases(draft, |_, _, content| no_hidden(content, INVISIBLE));
    cases.push(draft.in_turn("characters-as-bits", in_turn));
    Ok(cases)
}

fn everywhere(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = neutralised::cases(draft, |subject, fixture, content| {
        judge_markers(subject, fixture, content)?;
        no_hidden(content, CONTROLS)?;
        no_hidden(content, &[Hidden::BidiOverride])
    });
    let at_each = |name: &str, text: &str, judge: fn(&Subject, Evidence<'_>) -> Judged| {
        neutralised::everywhere(draft, name, text, move |subject, evidence, keeps| {
            judge(subject, evidence)?;
            match evidence.first().outcome.delivered() {
                Some(delivery) => text::keeps(&subject.content(delivery)?.text, keeps),
                None => Ok(()),
            }
        })
    };
    cases.extend(one_a_family(draft).map(|marker| at_each(&marker.id, &marker.text, judge_no_marker)));
    for (name, hidden) in [("null", "\0"), ("escape", "\u{1b}"), ("bidi", "\u{202e}"), ("tags", "\u{e0068}\u{e0069}")] {
        cases.push(at_each(name, hidden, judge_no_hidden));
    }
    Ok(cases)
}

fn judge_no_marker(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    if refused_as_forgery(subject, evidence) {
        return Ok(());
    }
    no_marker(subject, &subject.content(evidence.delivery(0)?)?, reading(subject, false))
}

fn judge_no_hidden(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    let content = subject.content(evidence.delivery(0)?)?;
    no_hidden(&content, CONTROLS)?;
    no_hidden(&content, &[Hidden::BidiOverride])?;
    no_hidden(&content, INVISIBLE)
}

fn survives(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(draft.fixtures().map(|fixture| draft.hostile_fixture_case(fixture, judge_survives)).collect())
}

fn legitimate_text(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = survives(draft)?;
    // Each attack's benign twin comes through as it is.
    cases.extend(
        draft
            .every_fixture()
            .filter(|fixture| matches!(fixture.expect, Expect::Neutralised { .. }))
            .filter_map(|fixture| draft.twin_case(fixture, judge_survives)),
    );
    Ok(cases)
}

fn judge_survives(subject: &Subject, _: &Fixture, evidence: Evidence<'_>) -> Judged {
    let content = subject.content(evidence.delivery(0)?)?;
    match evidence.first().sent.payload() {
        Some(sent) => as_it_was(sent, &content.text),
        None => Ok(()),
    }
}

/// A string stands as it was; anything else stands as JSON of the same value.
pub(super) fn as_it_was(sent: &Payload, got: &str) -> Judged {
    match sent.as_str() {
        Some(sent) => text::same(sent, got),
        None => text::json_equals(got, sent),
    }
}

/// Whatever is neutralised somewhere, neutralised again.
fn idempotent(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(draft
        .every_fixture()
        .filter(|fixture| matches!(fixture.expect, Expect::Neutralised { .. }))
        .map(|fixture| {
            let subject = Arc::clone(&draft.subject);
            let again = move |so_far: &[Exchange]| again(&subject, so_far);
            draft.hostile_fixture_case(fixture, judge_idempotent).then(again)
        })
        .collect())
}

fn judge_idempotent(subject: &Subject, _: &Fixture, evidence: Evidence<'_>) -> Judged {
    if refused_as_forgery(subject, evidence) {
        return Ok(());
    }
    let once = subject.content(evidence.delivery(0)?)?;
    let twice = subject.content(evidence.delivery(1)?)?;
    text::same(&once.text, &twice.text)
}

/// The text that the first exchange delivered, as the model reads it, under the same policy.
pub(super) fn again(subject: &Subject, so_far: &[Exchange]) -> Option<Stimulus> {
    let delivery = so_far[0].outcome.delivered()?;
    let text = subject.content(delivery).ok()?.text;
    Some(Stimulus { policy: so_far[0].sent.policy, ..Stimulus::text(text) })
}

fn payload_kept(draft: &Draft) -> Result<Vec<Case>, String> {
    let judge = |subject: &Subject, evidence: Evidence<'_>| {
        if refused_as_forgery(subject, evidence) {
            return Ok(());
        }
        let delivery = evidence.delivery(0)?;
        match (&evidence.first().sent.input, &delivery.payload) {
            (Input::Payload(sent), Some(kept)) if sent != kept => {
                Err(Wrong::new("the value, unchanged", "another value").at("payload"))
            }
            _ => Ok(()),
        }
    };
    let no_payload = |evidence: Evidence<'_>| {
        let absent = evidence.first().outcome.delivered().is_some_and(|delivery| delivery.payload.is_none());
        absent.then_some("`payload` is not given")
    };
    let marker = draft.subject.structural_markers().next().map_or("<|im_start|>", |marker| &marker.text);
    let hostile = format!("a\0b \u{202e}c {marker} d");
    let text = hostile.clone();
    let mut cases = vec![
        draft.hostile_case("text", move || Stimulus::text(text.clone()), judge).unless(no_payload),
        // What forges nothing is delivered by a boundary that refuses forgery too.
        draft.hostile_case("hidden-text", || Stimulus::text("a\0b \u{202e}c d"), judge).unless(no_payload),
        draft.hostile_case("order", || Stimulus::text(ORDER), judge).unless(no_payload),
    ];
    if draft.subject.takes_structure() {
        let value = json!({"hits": [{"body": hostile, "n": 2}], hostile.clone(): null});
        cases.push(draft.hostile_case("structured", move || Stimulus::json(value.clone()), judge).unless(no_payload));
    }
    Ok(cases)
}
