//! What is recorded: a flagged result leaves an event that says what was found and where, and no other does.

use boundary_contract::{Claim, Event, OnSuspicion, Outcome, Policy, Recipe, RefusalKind, Tool, With};
use serde_json::json;

use super::suspicion::{NO_ORDER, ORDER, order_claimed, refuses};
use super::{Draft, Row};
use crate::case::{Case, Evidence, Exchange};
use crate::oracle::{Judged, Wrong, path};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[
    Row { id: "record/flagged-event", cases: flagged_event },
    Row { id: "record/nothing-otherwise", cases: nothing_otherwise },
];

const FLAGGED: &str = "tool_result_flagged";
const ORDINARY: &str = "The ledger of the east pier lists four berths.";

/// The events of a flagged result that an outcome records. Who leaves them out records none.
fn flagged(outcome: &Outcome) -> Vec<&Event> {
    outcome.events().iter().filter(|event| event.kind == FLAGGED).collect()
}

fn flagged_event(draft: &Draft) -> Result<Vec<Case>, String> {
    let subject = &draft.subject;
    if !subject.claims(Claim::Flag) {
        return Err("claim not made: flag".to_owned());
    }
    order_claimed(draft)?;
    let policy = subject.annotating().unwrap_or_default();
    let text = format!("{ORDINARY}\n\n{ORDER}");
    // Flat, for ceilings of depth as low as they may be.
    let fields = json!({"a": ORDINARY, "b": ORDER, "c": ORDINARY, "d": ORDER});
    let structured = subject.takes_structure() && subject.claims(Claim::Paths);
    let mut cases = Vec::new();
    let sent = text.clone();
    let send = move || Stimulus { policy, ..Stimulus::text(sent.clone()) };
    cases.push(draft.case("text", send, |subject, evidence| is_recorded(subject, evidence, &[""])));
    if structured {
        let sent = fields.clone();
        let send = move || Stimulus { policy, ..Stimulus::json(sent.clone()) };
        cases.push(draft.case("fields", send, |subject, evidence| is_recorded(subject, evidence, &["/b", "/d"])));
    }
    // A refusal for suspicion is no less a flagged result than a delivery.
    let fails = subject.claims(Claim::Policy) && subject.description.policies.contains(&OnSuspicion::Fail);
    if fails || refuses(subject.description.defaults.on_suspicion) {
        let policy = Policy { on_suspicion: fails.then_some(OnSuspicion::Fail), ..Policy::default() };
        let refused = |subject: &Subject, evidence: Evidence<'_>, places: &[&str]| {
            evidence.refusal(RefusalKind::Suspicion)?;
            is_recorded(subject, evidence, places)
        };
        let send = move || Stimulus { policy, ..Stimulus::text(text.clone()) };
        cases.push(draft.case("refused-text", send, move |subject, evidence| refused(subject, evidence, &[""])));
        if structured {
            let send = move || Stimulus { policy, ..Stimulus::json(fields.clone()) };
            cases.push(
                draft.case("refused-fields", send, move |subject, evidence| refused(subject, evidence, &["/b", "/d"])),
            );
        }
    }
    Ok(cases)
}

/// One event for all findings or one for each, which together name every heuristic and every place.
fn is_recorded(subject: &Subject, evidence: Evidence<'_>, places: &[&str]) -> Judged {
    let outcome = &evidence.first().outcome;
    let (events, findings) = (flagged(outcome), outcome.findings());
    if events.is_empty() {
        return Err(Wrong::new(format!("an event `{FLAGGED}`"), "none").at("events"));
    }
    if events.len() > 1 && events.len() != findings.len() && !findings.is_empty() {
        let expected = format!("one event, or one for each of {} findings", findings.len());
        return Err(Wrong::new(expected, format!("{} events", events.len())).at("events"));
    }
    if events.iter().any(|event| event.heuristics.iter().all(String::is_empty)) {
        return Err(Wrong::new("a heuristic in each event", "an event without one").at("events[].heuristics"));
    }
    let named = |heuristic: &String| events.iter().any(|event| event.heuristics.contains(heuristic));
    let missing = findings.iter().filter(|finding| !named(&finding.heuristic)).count();
    if missing > 0 {
        let got = format!("{missing} findings whose heuristic no event names");
        return Err(Wrong::new("the heuristic of each finding", got).at("events[].heuristics"));
    }
    if !subject.claims(Claim::Paths) {
        return Ok(());
    }
    let root = subject.description.path_root.as_deref();
    let leads =
        |place: &&&str| events.iter().flat_map(|event| &event.paths).any(|named| path::leads_to(named, place, root));
    match places.iter().find(|place| !leads(place)) {
        None => Ok(()),
        Some(place) => Err(Wrong::new(format!("a path to `{place}`"), "other paths").at("events[].paths")),
    }
}

fn nothing_otherwise(draft: &Draft) -> Result<Vec<Case>, String> {
    let subject = &draft.subject;
    let delivered = |_: &Subject, evidence: Evidence<'_>| {
        evidence.delivery(0)?;
        is_unrecorded(evidence, 0)
    };
    let mut cases = vec![
        draft.case("ordinary", || Stimulus::text(ORDINARY), delivered),
        draft.case("much-the-same-words", || Stimulus::text(format!("{ORDINARY} {NO_ORDER}")), delivered),
        draft.case("empty", || Stimulus::text(""), delivered),
    ];
    if subject.takes_structure() {
        let value = || Stimulus::json(json!({"a": ORDINARY, "b": [4, null, true]}));
        cases.push(draft.case("structured", value, delivered));
    }
    if subject.claims(Claim::Flag) && order_claimed(draft).is_ok() {
        let after = draft.case(
            "after-a-flagged-one",
            || Stimulus::text(ORDER),
            |_, evidence| {
                evidence.delivery(1)?;
                is_unrecorded(evidence, 1)
            },
        );
        cases.push(after.then(|_: &[Exchange]| Some(Stimulus::text(ORDINARY))));
    }
    let max_depth = subject.description.defaults.max_depth;
    if subject.takes_structure() && subject.claims(Claim::Depth) && max_depth < 1_000 {
        let send = move || Stimulus::recipe(Recipe::nest(max_depth + 1, With::Array, ORDINARY));
        cases.push(draft.case("too-deep", send, |_, evidence| {
            evidence.refusal(RefusalKind::Depth)?;
            is_unrecorded(evidence, 0)
        }));
    }
    if subject.claims(Claim::ReturnTypes) {
        let send = || Stimulus::text(ORDINARY).of(Tool::new("berth_count").returning(json!({"type": "integer"})));
        cases.push(draft.case("of-another-type", send, |_, evidence| {
            evidence.refusal(RefusalKind::ReturnType)?;
            is_unrecorded(evidence, 0)
        }));
    }
    Ok(cases)
}

fn is_unrecorded(evidence: Evidence<'_>, step: usize) -> Judged {
    match evidence.exchanges.get(step).map_or(0, |exchange| flagged(&exchange.outcome).len()) {
        0 => Ok(()),
        count => Err(Wrong::new(format!("no event `{FLAGGED}`"), format!("{count} of them")).at("events")),
    }
}
