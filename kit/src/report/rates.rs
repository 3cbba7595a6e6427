//! Rates as lines of text: how many orders are caught, and how many ordinary texts are flagged.

use std::collections::BTreeMap;

use boundary_corpus::Tier;

use super::wrapped;
use crate::case::Ordinary;
use crate::runner::{Rates, Tally};

/// How wide a count is, in characters: `1000 of 1000`.
const COUNT: usize = 13;

/// The lines that say them; none where nothing was counted.
pub(super) fn lines(rates: &Rates) -> Vec<String> {
    let mut lines = Vec::new();
    let mut kinds: BTreeMap<&str, [Option<&Tally>; 2]> = BTreeMap::new();
    for (kind, tier, tally) in rates.recall() {
        kinds.entry(kind.as_str()).or_default()[usize::from(tier == Tier::Wide)] = Some(tally);
    }
    if !kinds.is_empty() {
        lines.push(format!("{:<26}{:>COUNT$}{:>COUNT$}", "orders caught", "core", "wide"));
    }
    for (kind, tallies) in kinds {
        let [core, wide] = tallies.map(|tally| tally.map_or_else(String::new, count));
        lines.push(format!("  {kind:<24}{core:>COUNT$}{wide:>COUNT$}").trim_end().to_owned());
    }
    let mut texts: BTreeMap<Ordinary, Vec<(&str, &Tally)>> = BTreeMap::new();
    for (ordinary, family, tally) in rates.false_alarms() {
        texts.entry(ordinary).or_default().push((family, tally));
    }
    if !texts.is_empty() {
        lines.push("ordinary texts flagged".to_owned());
    }
    for (ordinary, families) in texts {
        let sum = |of: fn(&Tally) -> usize| families.iter().map(|(_, tally)| of(tally)).sum::<usize>();
        let (flagged, of) = (sum(|tally| tally.flagged), sum(|tally| tally.of));
        let each: Vec<String> = families.iter().map(|(family, tally)| format!("{family} {}", count(tally))).collect();
        let bound = if ordinary == Ordinary::Quoting { "a rate without a bound: " } else { "" };
        let line = format!("{:<10}{flagged} of {of}: {bound}{}", ordinary.as_str(), each.join(", "));
        lines.extend(wrapped(&line).iter().map(|line| format!("  {line}")));
    }
    lines
}

fn count(tally: &Tally) -> String {
    format!("{} of {}", tally.flagged, tally.of)
}
