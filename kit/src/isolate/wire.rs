//! What passes between the kit and its workers: one JSON object a line.
//!
//! Both ends are the same program, so nothing here has a version.

use boundary_contract::Description;
use serde::{Deserialize, Serialize};

use super::Fate;
use crate::runner::probe::Probe;
use crate::trial::Tried;

/// What a worker is told to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Ask the boundary what it says it is.
    Describe,
    /// Take this for what it says it is: all workers judge by the same description.
    Judge(Box<Description>),
    /// Run the case of this id.
    Case(String),
    /// Put this fault into the boundary, and tell whether the requirement notices it.
    Bite {
        /// The name of the saboteur.
        saboteur: String,
        /// The id of the requirement.
        requirement: String,
    },
    /// Tell whether there is a trial of this name.
    Knows(String),
    /// Run the trial of this name.
    Trial {
        /// Its name.
        name: String,
        /// Whether it is the only one that is run.
        alone: bool,
    },
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// It is a worker, and what its streams held before was not its own.
    Ready,
    /// The boundary is made, or panicked meanwhile at this place.
    Made(Result<(), String>),
    /// The boundary is about to be asked; the beginning of what it is sent, where nobody else could tell.
    Begun(Option<String>),
    /// The boundary answered.
    Ended,
    /// The kit itself failed at this place.
    Kit(String),
    /// What the boundary says it is, or the place of its panic.
    Described(Result<Box<Description>, String>),
    /// What a case came to.
    Probed(Box<Probe>),
    /// Whether a fault was noticed, or the fault of the kit.
    Noticed(Result<bool, String>),
    /// Whether there is such a trial, and whether it is to be ignored; or why there are none.
    Known(Result<Option<bool>, String>),
    /// What a trial came to.
    Tried(Tried),
    /// What the request before came to, whatever else it would have been.
    Fated(Fate),
}
