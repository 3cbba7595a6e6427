//! What a run comes to: a row a requirement, and the finished report.

use std::collections::BTreeMap;

use boundary_contract::Claim;
use boundary_corpus::{Level, Requirement, corpus};

use super::{Failure, Identity, Options, Rates, RunVerdict, Share, Status};
use crate::message;
use crate::report::plain::Plain;

/// What became of one requirement.
#[derive(Debug, Clone)]
pub struct RowReport {
    /// The requirement.
    pub requirement: &'static Requirement,
    /// What became of it.
    pub status: Status,
    /// How many cases were asked and judged.
    pub cases: usize,
    /// How many of them count towards a rate alone, and were misread.
    pub missed: usize,
    /// Those that did not hold.
    pub failures: Vec<Failure>,
    /// How many cases turned out not to be claimed, by reason.
    pub unclaimed: BTreeMap<Plain, usize>,
    /// Why it, or some of its cases, is not claimed.
    pub note: Option<Plain>,
}

impl RowReport {
    pub(crate) fn idle(requirement: &'static Requirement, status: Status, note: Option<&str>) -> Self {
        let (failures, unclaimed) = (Vec::new(), BTreeMap::new());
        Self { requirement, status, cases: 0, missed: 0, failures, unclaimed, note: note.map(Plain::whole) }
    }

    /// How many cases were asked, judged or not.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.cases + self.unclaimed.values().sum::<usize>()
    }

    /// Says what was not claimed, once every case is counted.
    pub(super) fn settle(&mut self) {
        self.note = message::cases_not_claimed(&self.unclaimed).as_deref().map(Plain::whole);
        if self.cases == 0 {
            self.status = Status::NotClaimed;
            self.note.get_or_insert_with(|| Plain::whole(&message::nothing_to_send()));
        }
    }
}

/// How many requirements ended in which way, and how many cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Requirements that passed.
    pub pass: usize,
    /// Requirements of which only should-cases failed.
    pub warn: usize,
    /// Requirements that failed.
    pub fail: usize,
    /// Requirements that the boundary does not claim.
    pub not_claimed: usize,
    /// Requirements that the kit cannot judge yet.
    pub not_built: usize,
    /// Cases asked and judged.
    pub cases: usize,
    /// Cases that did not hold.
    pub cases_failed: usize,
    /// Cases that count towards a rate alone, and were misread.
    pub cases_missed: usize,
}

/// Everything that a run found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The version of the kit.
    pub kit: Plain,
    /// The version of the corpus.
    pub corpus: Plain,
    /// The set by which cases weighed.
    pub set: Plain,
    /// The boundary under test.
    pub identity: Identity,
    /// How the run ended.
    pub verdict: RunVerdict,
    /// Why nothing ran, or why the run is void.
    pub problem: Option<Plain>,
    /// Which part of what was selected this is about, if it is not the whole.
    pub share: Option<Share>,
    /// How many fixtures of the author's own stood beside the published ones.
    pub own_fixtures: usize,
    /// Required claims that the boundary does not make.
    pub missing: Vec<Claim>,
    /// The requirements, in the order of the catalogue.
    pub rows: Vec<RowReport>,
    /// How many orders are caught, and how many ordinary texts are flagged.
    pub rates: Rates,
    /// How long the run took, in seconds.
    pub seconds: f64,
}

impl Report {
    pub(super) fn new(identity: Identity, options: &Options, verdict: RunVerdict) -> Self {
        Self {
            share: options.share(std::iter::empty()),
            kit: Plain::whole(env!("CARGO_PKG_VERSION")),
            corpus: Plain::whole(corpus().version()),
            set: Plain::new(&options.set),
            identity,
            verdict,
            problem: None,
            own_fixtures: 0,
            missing: Vec::new(),
            rows: Vec::new(),
            rates: Rates::default(),
            seconds: 0.0,
        }
    }

    pub(super) fn without_a_run(identity: Identity, options: &Options, problem: String) -> Self {
        let problem = Some(Plain::new(&problem));
        Self { problem, ..Self::new(identity, options, RunVerdict::NothingRan) }
    }

    pub(super) fn void(identity: Identity, options: &Options, problem: String) -> Self {
        let problem = Some(Plain::new(&problem));
        Self { problem, ..Self::new(identity, options, RunVerdict::Void) }
    }

    /// A run that came to its end early, through the boundary.
    pub(super) fn given_up(identity: Identity, options: &Options, problem: String) -> Self {
        let problem = Some(Plain::new(&problem));
        Self { problem, ..Self::new(identity, options, RunVerdict::Nonconformant) }
    }

    /// What these rows come to, in a run of the whole or in this share of one.
    pub(super) fn judged(
        identity: Identity,
        options: &Options,
        share: Option<Share>,
        rows: Vec<RowReport>,
        rates: Rates,
    ) -> Self {
        if rows.iter().all(|row| row.cases == 0 && row.failures.is_empty()) {
            return match share {
                None => Self::without_a_run(identity, options, message::nothing_judged()),
                Some(share) => {
                    let empty = share.asked == 0;
                    let problem = if empty { message::shards::empty_shard(&share) } else { message::nothing_judged() };
                    // Another shard may have judged something, and a merge needs all that there is to say.
                    Self { share: Some(share), rows, ..Self::without_a_run(identity, options, problem) }
                }
            };
        }
        let missing: Vec<Claim> =
            options.require.iter().copied().filter(|claim| !identity.claims.contains(claim)).collect();
        let gravest = rows.iter().map(|row| row.status).max();
        let bar = if options.level == Level::Should { Status::Warn } else { Status::Fail };
        let verdict =
            if missing.is_empty() && gravest < Some(bar) { RunVerdict::Conformant } else { RunVerdict::Nonconformant };
        Self { share, rows, rates, missing, ..Self::new(identity, options, verdict) }
    }

    /// Whether the run came to its end before everything was asked, so that nothing but what it found counts.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        matches!(self.verdict, RunVerdict::Void | RunVerdict::Nonconformant) && self.problem.is_some()
    }

    /// How many requirements ended in which way, and how many cases.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for row in &self.rows {
            match row.status {
                Status::Pass => counts.pass += 1,
                Status::Warn => counts.warn += 1,
                Status::Fail => counts.fail += 1,
                Status::NotClaimed => counts.not_claimed += 1,
                Status::NotBuilt => counts.not_built += 1,
            }
            counts.cases += row.cases;
            counts.cases_missed += row.missed;
            // A claim with nothing behind it is a failure without a case.
            counts.cases_failed += row.failures.len().min(row.cases);
        }
        counts
    }
}
