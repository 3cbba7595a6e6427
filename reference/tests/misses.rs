//! What the scan misses and what it flags without need, held to the list in `MISSES.md`.

use std::collections::{BTreeMap, BTreeSet};

use boundary_corpus::{Expect, Fixture, Tier, corpus};
use boundary_kit::contract::Boundary as _;
use boundary_kit::stimulus::Stimulus;
use boundary_reference::Reference;

const LIST: &str = include_str!("../MISSES.md");

/// The names of the heuristics that a result is flagged by.
fn flagged(stimulus: &Stimulus) -> BTreeSet<String> {
    let outcome = Reference::default().check(&stimulus.call()).unwrap();
    let findings = outcome
        .delivered()
        .map_or_else(|| outcome.refused().map_or(&[][..], |refused| &refused.findings), |it| &it.findings);
    findings.iter().map(|finding| finding.heuristic.clone()).collect()
}

fn stimulus(fixture: &Fixture) -> Stimulus {
    Stimulus::of_fixture(fixture, Reference::default().describe().envelope.as_ref())
}

/// The fixtures that hold an order, by tier, each with whether it is flagged as one of its kind.
fn orders(tier: Tier) -> impl Iterator<Item = (&'static Fixture, bool)> {
    let kinds = Reference::default().describe().kinds.unwrap();
    corpus().fixtures().filter(move |fixture| fixture.tier == tier).filter_map(move |fixture| {
        let Expect::Flagged { kind, .. } = fixture.expect else { return None };
        let found = flagged(&stimulus(fixture));
        Some((fixture, kinds[&kind].iter().any(|name| found.contains(name))))
    })
}

/// The hard ordinary texts, each with whether it is flagged.
fn hard(quotes: bool) -> Vec<(&'static str, bool)> {
    corpus()
        .fixtures()
        .filter(|fixture| fixture.requirement.as_str() == "benign/hard" && fixture.quotes == quotes)
        .map(|fixture| (fixture.id.as_str(), !flagged(&stimulus(fixture)).is_empty()))
        .collect()
}

/// The ids that one section of the list names: each stands between backticks at the start of an item or a row.
fn listed(section: &str) -> BTreeSet<&'static str> {
    let heading = format!("\n## {section}\n");
    let (_, rest) = LIST.split_once(&heading).unwrap();
    let section = rest.split_once("\n## ").map_or(rest, |(section, _)| section);
    let ids = section.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    ids.map(|(id, _)| id).collect()
}

#[test]
fn no_plain_order_is_missed_and_no_twin_is_flagged() {
    let missed: Vec<&str> =
        orders(Tier::Core).filter(|(_, caught)| !caught).map(|(fixture, _)| fixture.id.as_str()).collect();
    assert_eq!(missed, [""; 0]);
    let alarms: Vec<&str> = corpus()
        .fixtures()
        .filter(|fixture| fixture.twin.as_ref().is_some_and(|twin| !flagged(&Stimulus::new(twin.clone())).is_empty()))
        .map(|fixture| fixture.id.as_str())
        .collect();
    assert_eq!(alarms, [""; 0]);
}

#[test]
fn the_list_names_each_order_that_is_missed_and_no_other() {
    let missed: BTreeSet<&str> =
        orders(Tier::Wide).filter(|(_, caught)| !caught).map(|(fixture, _)| fixture.id.as_str()).collect();
    let listed = listed("Orders that are missed");
    let caught: Vec<_> = listed.difference(&missed).collect();
    let unlisted: Vec<_> = missed.difference(&listed).collect();
    assert!(
        caught.is_empty() && unlisted.is_empty(),
        "listed and caught, or unknown: {caught:?}; not listed: {unlisted:?}"
    );
}

#[test]
fn the_list_names_each_ordinary_text_that_is_flagged_and_no_other() {
    let texts = hard(false);
    let alarms: BTreeSet<&str> = texts.iter().filter(|(_, flagged)| *flagged).map(|(id, _)| *id).collect();
    assert_eq!(listed("Ordinary texts that are flagged"), alarms);
    assert!(alarms.len() * 50 <= texts.len(), "{} of {}: more than two in a hundred", alarms.len(), texts.len());
}

#[test]
fn the_list_counts_what_is_flagged() {
    let quoting = hard(true);
    let alarms = quoting.iter().filter(|(_, flagged)| *flagged).count();
    let sentence = format!("{alarms} of {} texts that quote or report an attack are flagged.", quoting.len());
    assert!(LIST.contains(&sentence), "the list should say: {sentence}");
    let mut rows: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (fixture, caught) in orders(Tier::Wide) {
        let (flagged, all) = rows.entry(fixture.requirement.as_str()).or_default();
        *flagged += usize::from(caught);
        *all += 1;
    }
    for (row, (flagged, all)) in &rows {
        let line = format!("| `{row}` | {flagged} of {all} |");
        assert!(LIST.contains(&line), "the table should have: {line}");
    }
    let (flagged, all) = rows.values().fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    let sentence = format!("{flagged} of {all} orders of the tier `wide` are flagged.");
    assert!(LIST.contains(&sentence), "the list should say: {sentence}");
    let sentence = format!(
        "{} of {} hard texts without an order are flagged.",
        listed("Ordinary texts that are flagged").len(),
        hard(false).len()
    );
    assert!(LIST.contains(&sentence), "the list should say: {sentence}");
}
