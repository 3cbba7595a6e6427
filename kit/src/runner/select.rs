//! What a run is asked to select, and what it is held to.

use std::str::FromStr;

use boundary_contract::Claim;
use boundary_corpus::Level;
use globset::{GlobBuilder, GlobMatcher};

use crate::case::CaseId;
use crate::message;

/// What a run selects, and what it is held to.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Patterns over requirement, case and fixture ids, of which one must match; none selects all.
    /// `*` also crosses `/`.
    pub only: Vec<Pattern>,
    /// The set by which cases weigh.
    pub set: String,
    /// The lowest level whose failures make a boundary nonconformant.
    pub level: Level,
    /// Claims without which no boundary is conformant.
    pub require: Vec<Claim>,
    /// How a person runs one case again.
    pub rerun: Rerun,
}

impl Default for Options {
    /// Everything, by set 1, at level must.
    fn default() -> Self {
        Self {
            only: Vec::new(),
            set: "1".to_owned(),
            level: Level::Must,
            require: Vec::new(),
            rerun: Rerun::CommandLine,
        }
    }
}

/// How a person runs one case again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rerun {
    /// With the `boundary-kit` command.
    CommandLine,
    /// As a trial of the test target of this name.
    Trial(String),
    /// With the `#[test]` of this name, which asks all cases.
    Test(String),
}

impl Rerun {
    /// The command for one case.
    pub(crate) fn command(&self, case: &CaseId) -> String {
        match self {
            Self::CommandLine => format!("boundary-kit check --only '{case}'"),
            Self::Trial(target) => format!("cargo test --test {target} -- --exact '{case}'"),
            Self::Test(_) => self.whole(),
        }
    }

    /// The command for everything.
    pub(crate) fn whole(&self) -> String {
        match self {
            Self::CommandLine => "boundary-kit check".to_owned(),
            Self::Trial(target) => format!("cargo test --test {target}"),
            Self::Test(name) => format!("cargo test -- --exact '{name}'"),
        }
    }
}

/// A pattern over ids, as globs are written: `*`, `?`, `[abc]`, `{a,b}`. `*` also crosses `/`.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    glob: GlobMatcher,
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let glob = GlobBuilder::new(text).build().map_err(|_| message::no_glob(text))?;
        Ok(Self { text: text.to_owned(), glob: glob.compile_matcher() })
    }
}

/// Patterns, and which of them have matched something yet.
pub(super) struct Selection<'a> {
    patterns: Vec<(&'a Pattern, bool)>,
}

impl<'a> Selection<'a> {
    pub(super) fn new(only: &'a [Pattern]) -> Self {
        Self { patterns: only.iter().map(|pattern| (pattern, false)).collect() }
    }

    /// Whether an id is selected; remembers which patterns took it.
    pub(super) fn takes(&mut self, id: &str) -> bool {
        let mut taken = self.patterns.is_empty();
        for (pattern, used) in &mut self.patterns {
            if pattern.glob.is_match(id) {
                *used = true;
                taken = true;
            }
        }
        taken
    }

    /// The first pattern that took nothing.
    pub(super) fn unused(&self) -> Option<&'a str> {
        self.patterns.iter().find(|(_, used)| !used).map(|(pattern, _)| pattern.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_select_and_remember_what_they_took() {
        let patterns = ["envelope/*".parse().unwrap(), "nothing/*".parse().unwrap()];
        let mut selection = Selection::new(&patterns);
        assert!(selection.takes("envelope/exactly-one"));
        assert!(selection.takes("envelope/close-neutralised/inner-space"));
        assert!(!selection.takes("depth/exhaustion"));
        assert_eq!(selection.unused(), Some("nothing/*"));
    }

    #[test]
    fn no_pattern_selects_everything() {
        let mut selection = Selection::new(&[]);
        assert!(selection.takes("anything"));
        assert_eq!(selection.unused(), None);
    }

    #[test]
    fn a_broken_pattern_is_an_error() {
        let error = "[".parse::<Pattern>().unwrap_err();
        assert_eq!(error, "`[` is not a pattern: it may hold `*`, `?`, `[abc]` and `{a,b}`");
    }
}
