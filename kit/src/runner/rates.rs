//! Rates: how many orders are caught, and how many ordinary texts are flagged, with the counts.
//!
//! Words are a tripwire and structure is not, so a rate is a figure beside the verdict and never one itself. What must
//! hold of a rate is a case of its own, such as `benign/hard/at-most-two-percent`.

use std::collections::{BTreeMap, BTreeSet};

use boundary_contract::FindingKind;
use boundary_corpus::{FixtureId, Tier};

use super::{CaseResult, Failure};
use crate::case::{Case, Ordinary, Rate};

/// The rates of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rates {
    tallies: BTreeMap<Rate, Tally>,
}

/// One rate: so many of so many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many texts were judged.
    pub of: usize,
    /// How many of them were flagged.
    pub flagged: usize,
    /// The fixtures worth a look: the orders that were missed, or the ordinary texts that were flagged.
    pub amiss: BTreeSet<FixtureId>,
}

impl Rates {
    /// How many orders are caught, by kind and tier.
    pub fn recall(&self) -> impl Iterator<Item = (FindingKind, Tier, &Tally)> {
        self.tallies.iter().filter_map(|(rate, tally)| match rate {
            Rate::Recall(kind, tier) => Some((*kind, *tier, tally)),
            Rate::FalseAlarms(..) => None,
        })
    }

    /// How many ordinary texts are flagged, by the reason why they are ordinary and by family.
    pub fn false_alarms(&self) -> impl Iterator<Item = (Ordinary, &str, &Tally)> {
        self.tallies.iter().filter_map(|(rate, tally)| match rate {
            Rate::FalseAlarms(ordinary, family) => Some((*ordinary, family.as_str(), tally)),
            Rate::Recall(..) => None,
        })
    }

    /// Whether no case of the run counts towards any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// Adds what was tallied elsewhere of one rate, and says whether it is the first of it.
    pub(crate) fn add(&mut self, rate: Rate, more: Tally) -> bool {
        let first = !self.tallies.contains_key(&rate);
        let tally = self.tallies.entry(rate).or_default();
        tally.of += more.of;
        tally.flagged += more.flagged;
        tally.amiss.extend(more.amiss);
        first
    }

    /// Adds everything that was tallied elsewhere.
    pub(super) fn join(&mut self, more: &Self) {
        for (rate, tally) in &more.tallies {
            self.add(rate.clone(), tally.clone());
        }
    }

    /// Counts what a case came to, where it counts towards a rate and could be judged.
    pub(super) fn count(&mut self, case: &Case, result: &CaseResult) {
        let Some(rate) = &case.rate else { return };
        let failure: Option<&Failure> = match result {
            CaseResult::Pass => None,
            CaseResult::Fail(failure) | CaseResult::Missed(failure) => Some(failure),
            CaseResult::Unclaimed(_) => return,
        };
        let tally = self.tallies.entry(rate.clone()).or_default();
        tally.of += 1;
        let (flagged, amiss) = match rate {
            // Whatever went wrong, the order was not caught.
            Rate::Recall(..) => (failure.is_none(), failure.is_some()),
            // A text may be lost without having been flagged, which is another fault.
            Rate::FalseAlarms(..) => {
                let alarmed = failure.is_some_and(|failure| failure.misread);
                (alarmed, alarmed)
            }
        };
        tally.flagged += usize::from(flagged);
        if amiss {
            tally.amiss.extend(case.fixture.clone());
        }
    }
}
