//! Structural forgery: what could pass for the conversation's own structure is made harmless, and
//! nothing else is touched.

use boundary_contract::{Encoding, Grammar, Payload};
use boundary_corpus::{Expect, Fixture, Input, Level, Marker, Matching};
use serde_json::json;

use super::envelope::refused_as_forgery;
use super::flag::ORDER;
use super::neutralised::{self, judge_markers, no_hidden, no_marker, reading};
use super::{Draft, Row};
use crate::case::{Case, Evidence, Exchange};
use crate::generate::forms::{doubled, full_width, split};
use crate::oracle::hidden::Hidden;
use crate::oracle::marker::Reading;
use crate::oracle::{Judged, Wrong, text};
use crate::stimulus::Stimulus;
use crate::subject::{Content, Subject};

pub(super) const ROWS: &[Row] = &[
    Row { id: "forgery/turn-markers", cases: turn_markers },
    Row { id: "forgery/no-reconstruction", cases: no_reconstruction },
    Row { id: "forgery/idempotent", cases: idempotent },
    Row { id: "forgery/survives-reading", cases: survives_reading },
    Row { id: "forgery/null-and-controls", cases: null_and_controls },
    Row { id: "forgery/bidi", cases: bidi },
    Row { id: "forgery/invisible", cases: invisible },
    Row { id: "forgery/whitespace-survives", cases: survives },
    Row { id: "forgery/legitimate-text-survives", cases: legitimate_text },
    Row { id: "forgery/payload-kept", cases: payload_kept },
    Row { id: "forgery/leaves-a-trace", cases: leaves_a_trace },
    Row { id: "forgery/everywhere", cases: everywhere },
    Row { id: "forgery/never-evaluated", cases: survives },
];

const BEFORE: &str = "The tide table follows.";
const AFTER: &str = "High water is at noon.";

/// The controls that must be gone; the other C0 controls only should.
const CONTROLS: &[Hidden] = &[Hidden::Null, Hidden::Escape, Hidden::Delete, Hidden::Backspace, Hidden::C1];
const INVISIBLE: &[Hidden] = &[Hidden::Tag, Hidden::VariationRun, Hidden::ZeroWidth];

/// A text around a marker, or around whatever stands in its place.
fn around(middle: &str) -> String {
    format!("{BEFORE}\n{middle}\n{AFTER}")
}

fn kept_around() -> [String; 2] {
    [BEFORE.to_owned(), AFTER.to_owned()]
}

fn turn_markers(draft: &Draft) -> Result<Vec<Case>, String> {
    some_family(draft)?;
    let mut cases: Vec<Case> = draft
        .subject
        .structural_markers()
        .map(|marker| {
            let send = || Stimulus::text(around(&marker.text));
            draft.hostile_case(&marker.id, send, |subject, evidence| judge_around(subject, evidence, Reading::Raw))
        })
        .collect();
    cases.extend(neutralised::cases(draft, |subject, _, content| no_marker(subject, content, Reading::Raw)));
    Ok(cases)
}

/// # Errors
///
/// Why none of the rows about turn markers is claimed.
fn some_family(draft: &Draft) -> Result<(), String> {
    match draft.subject.structural_markers().next() {
        Some(_) => Ok(()),
        None => Err("it claims no family of structural turn markers".to_owned()),
    }
}

fn judge_around(subject: &Subject, evidence: Evidence<'_>, reading: Reading) -> Judged {
    if refused_as_forgery(subject, evidence) {
        return Ok(());
    }
    let content = subject.content(evidence.delivery(0)?)?;
    no_marker(subject, &content, reading)?;
    text::keeps(&content.text, &kept_around())
}

fn no_reconstruction(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for marker in one_a_family(draft) {
        let nested = doubled(&marker.text);
        let name = format!("nested-{}", marker.id);
        cases.push(draft.hostile_case(
            &name,
            move || Stimulus::text(around(&nested)),
            |subject, evidence| judge_around(subject, evidence, reading(subject, false)),
        ));
    }
    cases.extend(neutralised::cases(draft, judge_reconstruction));
    Ok(cases)
}

/// What removal may build is not only a marker: runs of hidden characters and an envelope's own too.
fn judge_reconstruction(subject: &Subject, fixture: &Fixture, content: &Content) -> Judged {
    judge_markers(subject, fixture, content)?;
    subject.no_envelope_inside(content)?;
    no_hidden(content, INVISIBLE)
}

fn survives_reading(draft: &Draft) -> Result<Vec<Case>, String> {
    type Disguise = fn(&str) -> String;
    const MUST: [(&str, Disguise); 3] = [
        ("zero-width", |text| split(text, '\u{200b}')),
        ("full-width", full_width),
        ("json-escape", |text| text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect()),
    ];
    const SHOULD: (&str, Disguise) =
        ("entities", |text| text.chars().map(|c| format!("&#{};", u32::from(c))).collect());
    some_family(draft)?;
    let encoding = draft.subject.grammar().map(Grammar::encoding);
    let mut cases = Vec::new();
    for marker in one_a_family(draft) {
        for (name, disguise) in MUST {
            // The boundary's own encoding is undone before the model reads, so it is no disguise.
            if name == "json-escape" && encoding == Some(Encoding::Json) {
                continue;
            }
            let send = move || Stimulus::text(around(&disguise(&marker.text)));
            cases.push(draft.hostile_case(&format!("{name}-{}", marker.id), send, |subject, evidence| {
                judge_around(subject, evidence, reading(subject, false))
            }));
        }
        if marker.matching == Matching::Folded {
            let send = || Stimulus::text(around(&swap_case(&marker.text)));
            cases.push(draft.hostile_case(&format!("other-case-{}", marker.id), send, |subject, evidence| {
                judge_around(subject, evidence, reading(subject, false))
            }));
        }
        if encoding != Some(Encoding::Entities) {
            let (name, disguise) = SHOULD;
            let send = move || Stimulus::text(around(&disguise(&marker.text)));
            let case = draft.hostile_case(&format!("{name}-{}", marker.id), send, |subject, evidence| {
                judge_around(subject, evidence, reading(subject, true))
            });
            cases.push(case.should());
        }
    }
    cases.extend(neutralised::cases(draft, |subject, fixture, content| {
        no_marker(subject, content, reading(subject, fixture.level == Some(Level::Should)))
    }));
    Ok(cases)
}

fn one_a_family(draft: &Draft) -> impl Iterator<Item = &'static Marker> {
    let mut last = None;
    draft.subject.structural_markers().filter(move |marker| last.replace(&marker.family) != Some(&marker.family))
}

fn swap_case(text: &str) -> String {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    text.chars().map(swap).collect()
}

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
    Ok(neutralised::cases(draft, |_, _, content| no_hidden(content, INVISIBLE)))
}

fn everywhere(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(neutralised::cases(draft, |subject, fixture, content| {
        judge_markers(subject, fixture, content)?;
        no_hidden(content, CONTROLS)?;
        no_hidden(content, &[Hidden::BidiOverride])
    }))
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
            let subject = std::sync::Arc::clone(&draft.subject);
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

fn leaves_a_trace(draft: &Draft) -> Result<Vec<Case>, String> {
    some_family(draft)?;
    Ok(one_a_family(draft)
        .map(|marker| {
            let with = || Stimulus::text(around(&marker.text));
            let without = |_: &[Exchange]| Some(Stimulus::text(around("")));
            draft.hostile_case(&marker.id, with, judge_trace).then(without)
        })
        .collect())
}

/// A text that held a marker reads otherwise than one that never did.
fn judge_trace(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    if refused_as_forgery(subject, evidence) {
        return Ok(());
    }
    let words = |step| {
        let content = subject.content(evidence.delivery(step)?)?;
        Ok::<_, Wrong>(content.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    };
    if words(0)? == words(1)? {
        return Err(Wrong::new("something to be seen where a marker was neutralised", "nothing"));
    }
    Ok(())
}
