//! The contract of a tool-result boundary: one trait, and the types it speaks in.
//!
//! A *tool-result boundary* stands between what an agent's tool returned and the model's context.
//! It holds the value to its declared type, removes what forges structure, flags what reads like an
//! order and wraps the rest as data. This crate says how any such boundary is described and asked;
//! it judges nothing and depends on nothing but serde.
//!
//! Field names are those of the stdio protocol, version 1, so that a boundary in Rust and one in
//! another language say the same things with the same words.
//!
//! ```
//! use boundary_contract::{
//!     AdapterFault, Boundary, Call, Claim, Delivery, Description, Grammar, Outcome, Payload, Tool,
//! };
//!
//! struct Wrapper;
//!
//! impl Boundary for Wrapper {
//!     fn describe(&self) -> Description {
//!         Description::new("wrapper", "0.1.0")
//!             .claim(Claim::Envelope)
//!             .envelope(Grammar::tag("tool-output"))
//!     }
//!
//!     fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
//!         let text = call.payload()?.to_text();
//!         Ok(Delivery::new(format!("<tool-output>\n{text}\n</tool-output>"), text).into())
//!     }
//! }
//!
//! let tool = Tool::new("read_page");
//! let page = Payload::from("Mooring fees rose by a tenth.");
//! let outcome = Wrapper.check(&Call::new(&tool, &page)).unwrap();
//! assert_eq!(outcome.delivered().unwrap().text, "Mooring fees rose by a tenth.");
//! ```

mod call;
mod describe;
mod from_fn;
mod grammar;
mod outcome;
mod payload;
mod recipe;
mod words;

pub use call::{Call, Input, Policy, Tool};
pub use describe::{Claim, Defaults, Description, Provider, Takes, UnknownClaim};
pub use from_fn::{BoundaryFn, boundary_fn};
pub use grammar::{Attribute, Encoding, Grammar, JsonGrammar, Nonce, NonceGrammar, Slot, TagGrammar};
pub use outcome::{AdapterFault, Delivery, Event, Finding, Forms, Outcome, Refusal};
pub use payload::{Builder, Items, Kind, Members, Number, Payload, Token, Tokens, ValueGuard, View};
pub use recipe::{Nest, Recipe, Repeat, Wide, With};
pub use words::{FindingKind, OnForgery, OnSuspicion, RefusalKind, Units, UnknownWord};

/// A tool-result boundary, as the kit sees any of them.
///
/// Implement it for a thin adapter around the boundary that you ship. Nothing on this trait can
/// override, skip or answer a check: a boundary only says what it is and what it does with a call.
pub trait Boundary: Send + Sync {
    /// What this boundary says it is: name, version, claims, envelope grammar and defaults.
    ///
    /// Asked first. The answer must not change between calls.
    fn describe(&self) -> Description;

    /// Takes one tool result through the boundary.
    ///
    /// A refusal is an [`Outcome`], never an error.
    ///
    /// # Errors
    ///
    /// [`AdapterFault`] when the *adapter* could not carry the call out, for example because it was
    /// sent an input that its description does not take. It is never read as a refusal.
    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault>;
}

impl<B: Boundary + ?Sized> Boundary for &B {
    fn describe(&self) -> Description {
        (**self).describe()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        (**self).check(call)
    }
}

impl<B: Boundary + ?Sized> Boundary for Box<B> {
    fn describe(&self) -> Description {
        (**self).describe()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        (**self).check(call)
    }
}

impl<B: Boundary + ?Sized> Boundary for std::sync::Arc<B> {
    fn describe(&self) -> Description {
        (**self).describe()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        (**self).check(call)
    }
}
