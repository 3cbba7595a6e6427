//! What hostile results are made of.
//!
//! [`forms`] spells an envelope's markers in every disguise and [`turns`] those of chat templates; [`position`]
//! puts a marker, and [`placement`] an order, at every place of a result; [`grammar`] composes whole results from
//! such pieces out of a sequence of choices, and [`ordinary`] results with nothing hostile in them. None knows an engine: whoever can supply bytes can drive them.

pub mod forms;
pub mod grammar;
pub mod ordinary;
pub mod placement;
pub mod position;
pub mod turns;
