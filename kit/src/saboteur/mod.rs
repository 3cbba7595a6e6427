//! Boundaries broken on purpose, each in exactly one way: how the kit shows that it would notice.
//!
//! A saboteur decorates any boundary. It names the requirement that it breaks and those that the same
//! fault cannot but break too; the kill matrix of `self-test` holds it to both.

use std::sync::Mutex;

use boundary_contract::{AdapterFault, Boundary, Call, Claim, Description, Input, Outcome, Takes};
use boundary_corpus::{Need, corpus};

mod benign;
mod ceiling;
mod depth;
mod envelope;
mod flag;
mod forgery;
mod guard;
mod imitation;
mod leak;
mod matrix;
mod placement;
mod policy;
mod record;
mod return_type;
mod tools;
pub mod useless;

pub use matrix::{Matrix, MatrixRow, Spared, matrix, named_matrix};

/// A way to break a boundary.
#[derive(Debug)]
pub struct Saboteur {
    /// Its permanent name.
    pub name: &'static str,
    /// What the boundary does once it is broken so.
    pub does: &'static str,
    /// The requirements that it breaks, the one that must notice it first.
    pub breaks: &'static [&'static str],
    /// The requirements that the same fault cannot but break too.
    pub implies: &'static [&'static str],
    /// Whether each run tries it, on the kit's own boundary and on the one under test: only where it
    /// works on a boundary of any design.
    pub(crate) bites: bool,
    sabotage: fn(&Scene<'_>, &Call<'_>) -> Answer,
    /// Why it cannot break a boundary of this design; nothing where it can.
    spared: fn(&Description) -> Option<&'static str>,
    redescribe: Option<fn(&mut Description)>,
}

/// A fault that no design is spared.
const NONE: fn(&Description) -> Option<&'static str> = |_| None;

/// A fault in what is no text.
const TEXTS_ALONE: fn(&Description) -> Option<&'static str> =
    |description| (description.takes == Takes::Text).then_some("it takes texts alone");

/// What a boundary says to a call.
type Answer = Result<Outcome, AdapterFault>;

/// What a saboteur works on.
struct Scene<'a> {
    inner: &'a dyn Boundary,
    /// What the boundary says it is, before it was redescribed.
    described: &'a Description,
    /// What the saboteur remembers from call to call.
    memory: &'a Mutex<Vec<String>>,
}

impl Saboteur {
    /// Why it cannot break a boundary of this design; nothing where it can.
    #[must_use]
    pub fn spared_by(&self, description: &Description) -> Option<&'static str> {
        (self.spared)(description)
    }

    /// Whether what it breaks first is about JSON text.
    fn is_about_json_text(&self) -> bool {
        let broken = corpus().requirement(self.breaks[0]);
        broken.is_some_and(|requirement| requirement.claims.contains(&Need::Claim(Claim::JsonText)))
    }
}

/// A boundary with a fault put in.
#[derive(Debug)]
pub struct Sabotaged<B> {
    inner: B,
    saboteur: &'static Saboteur,
    described: Description,
    memory: Mutex<Vec<String>>,
}

impl<B: Boundary> Sabotaged<B> {
    /// The boundary, broken by this saboteur.
    pub fn new(inner: B, saboteur: &'static Saboteur) -> Self {
        let described = inner.describe();
        Self::described(inner, saboteur, described)
    }

    /// The same for a boundary that has described itself: asked again, it might not answer.
    pub(crate) fn described(inner: B, saboteur: &'static Saboteur, described: Description) -> Self {
        Self { inner, saboteur, described, memory: Mutex::new(Vec::new()) }
    }
}

impl<B: Boundary> Boundary for Sabotaged<B> {
    fn describe(&self) -> Description {
        let mut description = self.described.clone();
        if let Some(redescribe) = self.saboteur.redescribe {
            redescribe(&mut description);
        }
        description
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        // Most faults are about values. A text that is not read yet is left to those that are about texts.
        if matches!(call.input, Input::Raw(_)) && !self.saboteur.is_about_json_text() {
            return self.inner.check(call);
        }
        let scene = Scene { inner: &self.inner, described: &self.described, memory: &self.memory };
        (self.saboteur.sabotage)(&scene, call)
    }
}

/// Every saboteur, in the order of the catalogue.
pub fn saboteurs() -> impl Iterator<Item = &'static Saboteur> {
    [
        return_type::ALL,
        envelope::ALL,
        imitation::ALL,
        forgery::ALL,
        flag::ALL,
        placement::ALL,
        benign::ALL,
        leak::ALL,
        depth::ALL,
        ceiling::ALL,
        policy::ALL,
        record::ALL,
        guard::ALL,
    ]
    .into_iter()
    .flatten()
}
