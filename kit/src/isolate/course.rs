//! What comes of asking, wherever a boundary is asked.

use super::Fate;
use super::wire::Answer;

/// What came of a request.
#[derive(Debug)]
pub(crate) enum Came {
    Answered(Answer),
    /// The worker did not survive it, or what it wrote was too much, when the journal said this.
    Fated(Fate, Journal),
    /// There is no worker, since the boundary could not be made, for this reason.
    Unmade(String),
    /// The kit, and not the boundary, is to blame.
    Kit(String),
    Interrupted,
}

/// What a worker had journalled of a request.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// How often the boundary had been asked.
    pub(crate) asked: usize,
    /// Whether it had answered what it was asked last, so that the kit was at work.
    pub(crate) answered: bool,
    /// The beginning of what it was sent last, where nobody else could tell.
    pub(crate) sent: Option<String>,
}

impl Journal {
    /// That of a request that was answered.
    pub(super) fn answered_once() -> Self {
        Self { asked: 1, answered: true, sent: None }
    }
}

/// Why there is no worker.
#[derive(Debug)]
pub(crate) enum Unmade {
    /// The boundary could not be made, for this reason.
    Boundary(String),
    /// The kit, and not the boundary, is to blame.
    Kit(String),
    Interrupted,
}

/// How far a run is.
#[derive(Debug)]
pub(crate) enum Progress {
    /// The request of this number is being worked on.
    Begun(usize),
    /// The request of this number came to this; the last that is said of one counts.
    Came(usize, Came),
}

/// Why a run came to its end before everything was asked.
#[derive(Debug)]
pub(crate) enum Stopped {
    Kit(String),
    Interrupted,
    /// The boundary let nothing more be asked, for this reason.
    GivenUp(String),
}

impl From<Unmade> for Stopped {
    fn from(unmade: Unmade) -> Self {
        match unmade {
            Unmade::Boundary(problem) => Self::GivenUp(problem),
            Unmade::Kit(problem) => Self::Kit(problem),
            Unmade::Interrupted => Self::Interrupted,
        }
    }
}
