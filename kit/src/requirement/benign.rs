//! Ordinary text: what only speaks of instructions, prompts and keys is not flagged.

use boundary_corpus::Input;

use super::flag::{nothing_to_neutralise, places_in_peace};
use super::{Draft, Row};
use crate::case::{Case, Evidence};
use crate::oracle::{Judged, Wrong, text};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[Row { id: "benign/core", cases: core }, Row { id: "benign/twins", cases: twins }];

fn core(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(draft
        .fixtures()
        .map(|fixture| draft.fixture_case(fixture, |subject, _, evidence| unflagged(subject, evidence)))
        .collect())
}

fn twins(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = draft
        .every_fixture()
        .filter(|fixture| matches!(fixture.twin, Some(Input::Payload(_))))
        .filter_map(|fixture| draft.twin_case(fixture, |subject, _, evidence| unflagged(subject, evidence)))
        .collect();
    cases.extend(places_in_peace(draft).map(|(place, payload)| {
        draft.case(&format!("twin-of-place-{place}"), move || Stimulus::new(Input::Payload(payload.clone())), unflagged)
    }));
    Ok(cases)
}

/// Delivered without a finding, and delivered: a text as it was, and of anything else something.
fn unflagged(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    let delivery = evidence.delivery(0)?;
    let found = delivery.findings.len();
    if found > 0 {
        return Err(Wrong::new("no finding", format!("{found} of them")).at("findings"));
    }
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
