//! What hostile results are made of.
//!
//! [`forms`] spells an envelope's markers in every disguise; [`grammar`] composes whole results from
//! such pieces out of a sequence of choices. Neither knows an engine: whoever can supply bytes can
//! drive them.

pub mod forms;
pub mod grammar;
