//! What a run tells its reporters as it goes: one event type, and the words of what it found.

use std::fmt;

use boundary_contract::{Claim, Description};
use boundary_corpus::Level;

use super::{Report, RowReport, Share, general_claims};
use crate::isolate::Fate;
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
