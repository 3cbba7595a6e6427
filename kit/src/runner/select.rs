//! What a run is asked to select, and what it is held to.

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
    pub only: Vec<String>,
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

/// Patterns, and which of them have matched something yet.
pub(super) struct Selection {
    patterns: Vec<(String, GlobMatcher, bool)>,
}

impl Selection {
    /// # Errors
    ///
    /// A pattern that is no glob.
    pub(super) fn new(only: &[String]) -> Result<Self, String> {
        let patterns = only.iter().map(|pattern| {
            let glob = GlobBuilder::new(pattern).build().map_err(|_| message::no_glob(pattern))?;
            Ok((pattern.clone(), glob.compile_matcher(), false))
        });
        Ok(Self { patterns: patterns.collect::<Result<_, String>>()? })
    }

    /// Whether an id is selected; remembers which patterns took it.
    pub(super) fn takes(&mut self, id: &str) -> bool {
        let mut taken = self.patterns.is_empty();
        for (_, glob, used) in &mut self.patterns {
            if glob.is_match(id) {
                *used = true;
                taken = true;
            }
        }
        taken
    }

    /// The first pattern that took nothing.
    pub(super) fn unused(&self) -> Option<&str> {
        self.patterns.iter().find(|(_, _, used)| !used).map(|(pattern, _, _)| pattern.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_select_and_remember_what_they_took() {
        let mut selection = Selection::new(&["envelope/*".to_owned(), "nothing/*".to_owned()]).unwrap();
        assert!(selection.takes("envelope/exactly-one"));
        assert!(selection.takes("envelope/close-neutralised/inner-space"));
        assert!(!selection.takes("depth/exhaustion"));
        assert_eq!(selection.unused(), Some("nothing/*"));
    }

    #[test]
    fn no_pattern_selects_everything() {
        let mut selection = Selection::new(&[]).unwrap();
        assert!(selection.takes("anything"));
        assert_eq!(selection.unused(), None);
    }

    #[test]
    fn a_broken_pattern_is_an_error() {
        assert!(Selection::new(&["[".to_owned()]).is_err());
    }
}
