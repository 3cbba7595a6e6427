//! A conformance kit for tool-result boundaries.
//!
//! A *tool-result boundary* stands between what an agent's tool returned and the model's context.
//! This kit proves whether one holds: it asks it everything that it claims, judges the answers with
//! oracles of its own, and says what is wrong as a bug report. Describe yours with the
//! [`Boundary`](contract::Boundary) trait and hand it to [`trials`] or [`assert_conforms`].
//!
//! ```
//! use boundary_kit::contract::{AdapterFault, Boundary, Call, Claim, Delivery, Description, Grammar, Outcome};
//!
//! struct Mine;
//!
//! impl Boundary for Mine {
//!     fn describe(&self) -> Description {
//!         Description::new("mine", "0.1.0").claim(Claim::Envelope).envelope(Grammar::tag("tool-output"))
//!     }
//!     fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
//!         let text = call.payload()?.to_text();
//!         Ok(Delivery::new(format!("<tool-output>\n{text}\n</tool-output>"), text).into())
//!     }
//! }
//!
//! let mut out = Vec::new();
//! let report = boundary_kit::check(&Mine, &mut boundary_kit::report::Terminal::new(&mut out, false)).unwrap();
//! // Nothing in it neutralises a closing marker, and the kit says so.
//! assert_eq!(report.verdict, boundary_kit::runner::RunVerdict::Nonconformant);
//! assert!(String::from_utf8(out).unwrap().contains("FAIL envelope/close-neutralised"));
//! ```
//!
//! The modules are the stations of one pipeline: [`stimulus`] (what is asked), [`case`] (one question
//! and how its answer is judged), [`oracle`] (pure judges), [`runner`] (select, probe, judge, emit) and
//! [`report`] (from events to text). The boundary is asked in worker processes ([`isolate`]). [`generate`] composes
//! hostile results, [`saboteur`] breaks boundaries on purpose, [`zoo`] lets them misbehave, and [`canary`] is the
//! smallest good one.

#![cfg_attr(not(unix), allow(dead_code, reason = "there are no workers, and nothing that could become of one"))]

pub use boundary_contract as contract;
pub use boundary_corpus as corpus;

pub mod canary;
pub mod case;
mod clock;
pub mod decoration;
pub mod generate;
mod harness;
pub mod isolate;
pub mod listen;
mod message;
pub mod oracle;
mod placeholder;
pub mod properties;
pub mod report;
mod requirement;
pub mod runner;
pub mod saboteur;
pub mod stimulus;
pub mod subject;
mod trial;
mod words;
pub mod zoo;

pub use harness::{
    Kit, Listed, assert_conforms, check, check_apart, check_with, list, trials, unknown_requirement, with_fixtures,
    with_limits,
};

/// The code blocks of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
