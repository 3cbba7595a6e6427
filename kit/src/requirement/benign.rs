//! Ordinary text: what only speaks of instructions, prompts and keys is not flagged.

use boundary_corpus::{Fixture, Input};

use super::{Draft, Row};
use crate::case::{Case, Evidence};
use crate::oracle::{Judged, Wrong};
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[Row { id: "benign/core", cases: core }, Row { id: "benign/twins", cases: twins }];

fn core(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(draft.fixtures().map(|fixture| draft.fixture_case(fixture, unflagged)).collect())
}

fn twins(draft: &Draft) -> Result<Vec<Case>, String> {
    Ok(draft
        .every_fixture()
        .filter(|fixture| matches!(fixture.twin, Some(Input::Payload(_))))
        .filter_map(|fixture| draft.twin_case(fixture, unflagged))
        .collect())
}

/// Delivered without a finding, and delivered: an empty envelope is no delivery of a text.
fn unflagged(subject: &Subject, _: &Fixture, evidence: Evidence<'_>) -> Judged {
    let delivery = evidence.delivery(0)?;
    let found = delivery.findings.len();
    if found > 0 {
        return Err(Wrong::new("no finding", format!("{found} of them")).at("findings"));
    }
    let sent = evidence.first().sent.payload().is_some_and(|payload| !payload.to_text().trim().is_empty());
    if sent && subject.content(delivery)?.text.trim().is_empty() {
        return Err(Wrong::new("the text", "nothing of it").at("rendered"));
    }
    Ok(())
}
