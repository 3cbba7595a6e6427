//! What comes of asking, wherever a boundary is asked.

use super::Fate;
use super::wire::Answer;

/// What came of a request.
#[derive(Debug)]
pub(crate) enum Came {
    Answered(Answer),
    /// The worker did not survive it, or what it wrote was too much, when the journal said this.
    Fated(Fate, Journal),
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

/// How far a run is.
#[derive(Debug)]
pub(crate) enum Progress {
    /// The request of this number is being worked on.
    Begun(usize),
    /// The request of this number came to this; the last that is said of one counts.
    Came(usize, Came),
}

/// Why nothing more can be asked.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The boundary lets nothing more be asked, or could not even be made, for this reason.
    Boundary(String),
    /// The kit, and not the boundary, is to blame.
    Kit(String),
    Interrupted,
}
