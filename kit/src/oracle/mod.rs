//! Oracles: pure functions that judge what a boundary rendered.
//!
//! Each reads by the described grammar alone, with scanners of its own; nothing of any boundary takes
//! part. What they read is hostile, so each is a loop, linear in its input, and panics on none. What
//! they say holds no text of the payload: places, counts, code points and declared names only.
//!
//! | module | judges |
//! |---|---|
//! | [`envelope`] | that a rendering is exactly one envelope, and what it holds |
//! | [`forgery`] | that no marker of the envelope stands in its content, however disguised |
//! | [`marker`] | that no turn marker stands in a text, however it is read |
//! | [`hidden`] | that no character hides or reorders text |
//! | [`leak`] | that no text of a result stands where none may be |
//! | [`path`] | that a finding leads to the field it is about |
//! | [`text`] | that what is delivered is what was returned |
//!
//! [`view`] holds the ways in which a tokenizer or a renderer may read a text.

use std::fmt;

pub mod envelope;
pub mod forgery;
pub mod hidden;
pub mod leak;
pub mod marker;
pub mod path;
pub mod text;
pub mod view;

mod entities;
pub(crate) mod json;
pub(crate) mod skeleton;

#[cfg(test)]
mod hostile;

pub use envelope::{Envelope, flags, parse, truncated, undo};
pub use forgery::{close_form, markers_in, name_form, open_form};

/// What is wrong with an outcome, in words that hold no text of the payload.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Wrong {
    /// What should have been there.
    pub expected: String,
    /// What was there instead.
    pub got: String,
    /// Where, for example `char 120 of rendered`.
    pub at: Option<String>,
    /// Whether it is that text is not there, which a described ceiling may explain.
    pub lost: bool,
    /// Whether it is that an order was not found, which a described end of the scan may explain.
    pub unfound: bool,
    /// Whether it is that an ordinary text was flagged, or refused.
    pub alarmed: bool,
}

/// What an oracle says: nothing, or what is wrong.
pub type Judged = Result<(), Wrong>;

impl Wrong {
    /// Whether it is that an order was missed, or an ordinary text flagged.
    #[must_use]
    pub fn is_misread(&self) -> bool {
        self.unfound || self.alarmed
    }

    /// A verdict without a place.
    #[must_use]
    pub fn new(expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self { expected: expected.into(), got: got.into(), at: None, lost: false, unfound: false, alarmed: false }
    }

    /// The same verdict, about text that is not there.
    #[must_use]
    pub(crate) fn of_loss(mut self) -> Self {
        self.lost = true;
        self
    }

    /// The same verdict, about an order that was not found.
    #[must_use]
    pub(crate) fn of_a_miss(mut self) -> Self {
        self.unfound = true;
        self
    }

    /// The same verdict, about an ordinary text that was flagged or refused.
    #[must_use]
    pub(crate) fn of_an_alarm(mut self) -> Self {
        self.alarmed = true;
        self
    }

    /// The same verdict, with its place.
    #[must_use]
    pub fn at(mut self, at: impl Into<String>) -> Self {
        self.at = Some(at.into());
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got {}", self.expected, self.got)?;
        match &self.at {
            Some(at) => write!(f, ", at {at}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Wrong {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_reads_as_a_sentence() {
        let wrong = Wrong::new("exactly one closing marker", "2 closing markers");
        assert_eq!(wrong.to_string(), "expected exactly one closing marker, got 2 closing markers");
        assert_eq!(
            wrong.at("char 120 of rendered").to_string(),
            "expected exactly one closing marker, got 2 closing markers, at char 120 of rendered"
        );
    }
}
