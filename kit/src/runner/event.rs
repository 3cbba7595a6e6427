//! What a run tells its reporters: one event type, and the finished report.

use std::collections::BTreeMap;
use std::fmt;

use boundary_contract::{Claim, Description};
use boundary_corpus::{Level, Requirement, corpus};

use super::{Options, Rates, Share, general_claims};
use crate::isolate::Fate;
use crate::message;
use crate::report::plain::Plain;
use crate::words::readable;

/// One thing that happened in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The run begins.
    Started {
        /// The boundary under test.
        identity: &'a Identity,
        /// The set by which cases weigh.
        set: &'a str,
        /// How many cases will be asked.
        cases: usize,
        /// How many fixtures of the author's own are among what is sent.
        own: usize,
        /// Which part of what was selected this is, if it is not the whole.
        share: Option<&'a Share>,
    },
    /// How far the run is: as cases begin and end, in no order that can be relied on, and never part of a report.
    Progress {
        /// How many cases ended.
        done: usize,
        /// How many of them did not hold.
        failed: usize,
        /// The id of a case that has just begun or ended.
        running: &'a str,
    },
    /// A case was judged. These come in the order of the plan.
    Case {
        /// Its id.
        id: &'a str,
        /// What was wrong, if anything.
        failed: Option<&'a Failure>,
    },
    /// A requirement was judged.
    Row(&'a RowReport),
    /// The run ended.
    Finished(&'a Report),
}

/// Who the boundary under test says it is, made safe to show.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Its name.
    pub name: Plain,
    /// Its version.
    pub version: Plain,
    /// What it claims, in the order of the protocol.
    pub claims: Vec<Claim>,
    /// How many of the claims that are tied to no provider it makes.
    pub made: usize,
}

impl Identity {
    pub(crate) fn of(description: &Description) -> Self {
        Self {
            name: Plain::new(&description.name),
            version: Plain::new(&description.version),
            claims: description.claims.iter().copied().collect(),
            made: general_claims(&description.claims),
        }
    }

    /// A boundary that was asked before, and is known by what its report says of it.
    pub(crate) fn saved(name: Plain, version: Plain, claims: Vec<Claim>) -> Self {
        let made = general_claims(&claims);
        Self { name, version, claims, made }
    }

    /// A boundary that could not say who it is.
    pub(crate) fn unknown() -> Self {
        Self { name: Plain::new("unknown"), version: Plain::new("unknown"), claims: Vec::new(), made: 0 }
    }

    /// `k of n`, as reports say it.
    #[must_use]
    pub fn claimed(&self) -> String {
        format!("{} of {}", self.made, Claim::GENERAL.len())
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunVerdict {
    /// Everything that was asked of what it claims held.
    Conformant,
    /// Something did not, or a required claim is not made.
    Nonconformant,
    /// Nothing was asked.
    NothingRan,
    /// The kit's own canaries did not behave, or the kit failed: the run says nothing.
    Void,
}

impl RunVerdict {
    /// The word of the report format.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conformant => "conformant",
            Self::Nonconformant => "nonconformant",
            Self::NothingRan => "nothing-ran",
            Self::Void => "void",
        }
    }

    /// The exit code of every command that ends so.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Conformant => 0,
            Self::Nonconformant => 1,
            Self::NothingRan => 3,
            Self::Void => 5,
        }
    }
}

readable!(RunVerdict, "verdict": Conformant, Nonconformant, NothingRan, Void);

impl fmt::Display for RunVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What became of a requirement, the gravest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Status {
    /// The kit cannot judge it yet.
    NotBuilt,
    /// The boundary does not claim it.
    NotClaimed,
    /// Every case held.
    Pass,
    /// Only cases of level should did not hold.
    Warn,
    /// A case of level must did not hold.
    Fail,
}

impl Status {
    /// The word of the report format.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotBuilt => "not-built",
            Self::NotClaimed => "not-claimed",
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

readable!(Status, "status": NotBuilt, NotClaimed, Pass, Warn, Fail);

/// How a case went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureKind {
    /// The boundary answered, and the answer is wrong.
    Wrong,
    /// The boundary panicked.
    Panic,
    /// It ended its process, overflowed its stack, stopped itself or closed the pipes to the kit.
    Crash,
    /// It did not answer in time.
    Timeout,
    /// It took more memory than it may.
    Memory,
    /// It wrote or answered more than can be read.
    Garbage,
    /// The adapter could not carry the call out.
    Adapter,
}

impl FailureKind {
    /// What it is where this became of a worker.
    pub(crate) const fn of(fate: Fate) -> Self {
        match fate {
            Fate::Exited(_) | Fate::Aborted | Fate::Killed(_) | Fate::Overflowed | Fate::Stopped(_) | Fate::Closed => {
                Self::Crash
            }
            Fate::OutOfMemory => Self::Memory,
            Fate::TimedOut => Self::Timeout,
            Fate::Flooded | Fate::Garbled => Self::Garbage,
        }
    }

    /// The word of the report format.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Panic => "panic",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Garbage => "garbage",
            Self::Adapter => "adapter",
        }
    }
}

readable!(FailureKind, "kind of failure": Wrong, Panic, Crash, Timeout, Memory, Garbage, Adapter);

/// One case that did not hold, as a bug report.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The case's id.
    pub case: String,
    /// Where the case stands in the plan of the whole run, from 0 on, in the report of a shard.
    pub place: Option<usize>,
    /// Its weight.
    pub level: Level,
    /// How it went wrong.
    pub kind: FailureKind,
    /// Whether it is that an order was missed, or an ordinary text flagged.
    pub misread: bool,
    /// What should have been there.
    pub expected: Plain,
    /// What was there instead.
    pub got: Plain,
    /// Where.
    pub at: Option<Plain>,
    /// What was sent last, escaped and cut.
    pub sent: Option<Plain>,
    /// A command that runs this case again.
    pub reproduce: Plain,
}

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
