//! The corpus as a whole.

use std::collections::BTreeMap;

use crate::fixture::{Family, Fixture};
use crate::marker::MarkerFamily;
use crate::requirement::Requirement;
use crate::set::Set;

/// Everything that is published: requirements, turn markers, fixtures and sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Corpus {
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) sources: BTreeMap<String, String>,
    pub(crate) marker_families: Vec<MarkerFamily>,
    pub(crate) marker_sources: BTreeMap<String, String>,
    pub(crate) families: Vec<Family>,
    pub(crate) sets: Vec<Set>,
}

impl Corpus {
    /// What the loader fills. Not public: nobody is to judge by a corpus without content.
    pub(crate) fn empty() -> Self {
        Self {
            requirements: Vec::new(),
            sources: BTreeMap::new(),
            marker_families: Vec::new(),
            marker_sources: BTreeMap::new(),
            families: Vec::new(),
            sets: Vec::new(),
        }
    }

    /// The version of the corpus that this crate embeds.
    #[must_use]
    pub fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The same corpus with an author's own families beside the published ones, which [`own_families`](crate::own_families)
    /// reads.
    #[must_use]
    pub fn with(&self, own: impl IntoIterator<Item = Family>) -> Self {
        let mut corpus = self.clone();
        corpus.families.extend(own);
        corpus
    }

    /// Every requirement, in the order of the catalogue.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// The requirement with this id.
    #[must_use]
    pub fn requirement(&self, id: &str) -> Option<&Requirement> {
        self.requirements.iter().find(|requirement| requirement.id == id)
    }

    /// What the letters in [`Requirement::sources`] stand for.
    #[must_use]
    pub fn sources(&self) -> &BTreeMap<String, String> {
        &self.sources
    }

    /// Every family of fixtures, by name.
    #[must_use]
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Every fixture, family by family.
    pub fn fixtures(&self) -> impl Iterator<Item = &Fixture> {
        self.families.iter().flat_map(|family| &family.fixtures)
    }

    /// The fixture with this id.
    #[must_use]
    pub fn fixture(&self, id: &str) -> Option<&Fixture> {
        self.fixtures().find(|fixture| fixture.id == id)
    }

    /// Every family of turn markers.
    #[must_use]
    pub fn marker_families(&self) -> &[MarkerFamily] {
        &self.marker_families
    }

    /// What the letters in [`MarkerFamily::sources`] stand for.
    #[must_use]
    pub fn marker_sources(&self) -> &BTreeMap<String, String> {
        &self.marker_sources
    }

    /// Every set, by name.
    #[must_use]
    pub fn sets(&self) -> &[Set] {
        &self.sets
    }
}
