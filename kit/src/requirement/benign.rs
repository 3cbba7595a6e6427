//! Ordinary text: what only speaks of instructions, prompts and keys is not flagged.

use std::sync::Arc;

use boundary_corpus::{Fixture, Input};

use super::flag::nothing_to_neutralise;
use super::suspicion::is_unflagged;
use super::{Draft, Row, latitude, placement};
use crate::case::{Case, Evidence, Ordinary, Rate};
use crate::oracle::{Judged, Wrong, text};
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[
    Row { id: "benign/core", cases: core },
    Row { id: "benign/twins", cases: twins },
    Row { id: "benign/hard", cases: hard },
];

/// The most of the hard texts without an order that may be flagged, in percent.
const MOST_FLAGGED: usize = 2;

fn core(draft: &Draft) -> Result<Vec<Case>, String> {
    let case = |fixture| {
        let case = draft.fixture_case(fixture, |subject, _, evidence| unflagged(subject, evidence));
        case.counted(rate(Ordinary::Core, fixture))
    };
    Ok(draft.fixtures().map(case).collect())
}

fn twins(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = draft
        .every_fixture()
        .filter(|fixture| matches!(fixture.twin, Some(Input::Payload(_))))
        .filter_map(|fixture| {
            let case = draft.twin_case(fixture, |subject, _, evidence| unflagged(subject, evidence))?;
            Some(case.counted(rate(Ordinary::Twin, fixture)))
        })
        .collect();
    cases.extend(placement::in_peace(draft, unflagged));
    Ok(cases)
}

/// Each hard text on its own counts towards a rate; that the rate is low is a case over all of them.
fn hard(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = draft
        .fixtures()
        .map(|fixture| {
            let why = if fixture.quotes { Ordinary::Quoting } else { Ordinary::Hard };
            let case = draft.fixture_case(fixture, |subject, _, evidence| unflagged(subject, evidence));
            case.only_counted(rate(why, fixture))
        })
        .collect();
    let mut texts = draft.fixtures().filter(|fixture| !fixture.quotes);
    if let Some(first) = texts.next() {
        let send = draft.attack(first);
        let subject = Arc::clone(&draft.subject);
        let judge = move |evidence: Evidence<'_>| few_alarms(&subject, evidence);
        let all = Case::new(draft.requirement, "at-most-two-percent", send, judge);
        cases.push(texts.fold(all, |case, fixture| {
            let send = draft.attack(fixture);
            case.then(move |_| Some(send()))
        }));
    }
    Ok(cases)
}

fn rate(why: Ordinary, fixture: &Fixture) -> Rate {
    Rate::FalseAlarms(why, fixture.id.family().to_owned())
}

/// No more texts than may be are flagged or refused.
fn few_alarms(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    let texts = evidence.exchanges.len();
    let alarms = (0..texts)
        .filter(|step| match evidence.delivery(*step) {
            Ok(delivery) => !delivery.findings.is_empty(),
            // A described ceiling is no alarm.
            Err(wrong) => {
                let exchanges = &evidence.exchanges[*step..=*step];
                latitude::by_a_ceiling(subject, Evidence { exchanges, ..evidence }, &wrong).is_none()
            }
        })
        .count();
    if alarms * 100 > texts * MOST_FLAGGED {
        let expected = format!("at most {MOST_FLAGGED} % of {texts} texts that hold no order flagged or refused");
        return Err(Wrong::new(expected, format!("{alarms} of them")).at("findings"));
    }
    Ok(())
}

/// Delivered without a finding, and delivered: a text as it was, and of anything else something.
fn unflagged(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    let delivery = evidence.delivery(0).map_err(Wrong::of_an_alarm)?;
    is_unflagged(delivery).map_err(Wrong::of_an_alarm)?;
    let content = subject.content(delivery)?;
    let Some(sent) = evidence.first().sent.payload() else { return Ok(()) };
    match sent.as_str() {
        Some(text) if nothing_to_neutralise(subject, sent) => text::same(text, &content.text),
        _ if content.text.trim().is_empty() && !sent.to_text().trim().is_empty() => {
            Err(Wrong::new("the text", "nothing of it").at("rendered").of_loss())
        }
        _ => Ok(()),
    }
}
