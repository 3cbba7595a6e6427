//! The published data of boundary-kit: what a tool-result boundary owes, and the payloads that show whether it pays.
//!
//! Requirements, turn markers, fixtures and sets are plain JSON files, usable without Rust. This
//! crate embeds them and reads them strictly; it judges nothing.
//!
//! ```
//! use boundary_corpus::{Expect, Input, published};
//!
//! for fixture in published() {
//!     let Input::Payload(payload) = &fixture.input else { continue };
//!     match &fixture.expect {
//!         Expect::Neutralised { removes } => println!("{}: without {}", fixture.id, removes.len()),
//!         Expect::Flagged { kind, .. } => println!("{}: {kind}, depth {}", fixture.id, payload.depth()),
//!         Expect::Refused { kind, .. } => println!("{}: refused for {kind}", fixture.id),
//!         Expect::Delivered => println!("{}: as it is", fixture.id),
//!     }
//! }
//! ```

mod corpus;
mod disk;
mod embedded;
mod fault;
mod fields;
mod fixture;
mod id;
mod input;
mod json;
mod load;
mod marker;
mod placeholder;
mod requirement;
mod rules;
mod set;
mod words;

pub use corpus::Corpus;
pub use disk::{lint, own_families};
pub use embedded::{corpus, published};
pub use fault::Fault;
pub use fixture::{Expect, Family, Fixture, Tier};
pub use id::{FixtureId, IdError, RequirementId};
pub use input::Input;
pub use marker::{Class, Marker, MarkerFamily, Matching};
pub use placeholder::Placeholder;
pub use requirement::{Level, Need, Requirement};
pub use set::Set;
pub use words::WordError;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
