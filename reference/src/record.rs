//! What is kept of a check: the event that a host records, and the line that this crate logs.
//!
//! Both hold the names of heuristics and of the tool. The event says where, as the findings do. A line of a log travels
//! further than an event and is read by more people, and a path may hold a key, which is data its author chose: so the
//! lines hold no path that the tool did not declare.

use std::collections::{BTreeMap, BTreeSet};

use boundary_contract::{Delivery, Event, Finding, FindingKind};

use crate::heuristics::HEURISTICS;
use crate::refusal::RefusedResult;

/// What the lines are logged under, whichever module they come from.
const TARGET: &str = "boundary_reference";

/// The kinds of order that are looked for, with the names of their heuristics.
pub(crate) fn kinds() -> BTreeMap<FindingKind, Vec<String>> {
    let mut kinds: BTreeMap<FindingKind, Vec<String>> = BTreeMap::new();
    for heuristic in HEURISTICS {
        kinds.entry(heuristic.kind).or_default().push(heuristic.id.to_owned());
    }
    kinds
}

/// The names of the heuristics that these findings are of, sorted.
pub(crate) fn flagged(findings: &[Finding]) -> Vec<&'static str> {
    let found: BTreeSet<&str> = findings.iter().map(|finding| finding.heuristic.as_str()).collect();
    let known: BTreeSet<&'static str> = HEURISTICS.iter().map(|heuristic| heuristic.id).collect();
    known.into_iter().filter(|id| found.contains(id)).collect()
}

/// What should be recorded: one event for all findings, and none where there are none.
pub(crate) fn event(findings: &[Finding]) -> Option<Event> {
    if findings.is_empty() {
        return None;
    }
    let mut event = Event::new("tool_result_flagged");
    event.heuristics = flagged(findings).into_iter().map(str::to_owned).collect();
    let paths: BTreeSet<&String> = findings.iter().map(|finding| &finding.path).collect();
    event.paths = paths.into_iter().cloned().collect();
    Some(event)
}

/// Logs what became of a tool's result, where there is something to say. The name must be fit to be shown.
pub(crate) fn log(tool: &str, checked: &Result<Delivery, RefusedResult>) {
    match checked {
        Err(refused) => log::warn!(target: TARGET, "{refused}"),
        Ok(delivery) => {
            if !delivery.findings.is_empty() {
                let names = flagged(&delivery.findings).join(", ");
                log::warn!(target: TARGET, "tool result flagged: tool `{tool}` returned what reads like an order: {names}");
            }
            if delivery.truncated {
                let kept = delivery.text.chars().count();
                log::debug!(target: TARGET, "tool result cut: tool `{tool}` returned more than the {kept} characters kept");
            }
        }
    }
}

/// Logs that a text was marked, and by which heuristics.
pub(crate) fn log_mark(flagged: &[&'static str]) {
    if !flagged.is_empty() {
        log::warn!(target: TARGET, "text flagged: it reads like an order: {}", flagged.join(", "));
    }
}
