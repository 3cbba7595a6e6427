//! What a run is asked to select, and what it is held to.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use boundary_contract::Claim;
use boundary_corpus::{Corpus, Level, corpus};
use globset::{GlobBuilder, GlobMatcher};

use super::{Shard, Share};
use crate::case::{Case, CaseId};
use crate::isolate::Limits;
use crate::message;
use crate::report::plain::Plain;
use crate::requirement::case_name;

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
    /// Folders of an author's own fixtures, each `.json` file a family in the format of the corpus, which are sent beside
    /// the published ones. Where one cannot be read, is empty or has a fault, nothing runs.
    pub fixtures: Vec<PathBuf>,
    /// What each worker may take before it is stopped.
    pub limits: Limits,
    /// How many workers ask at once; as many as the machine has cores where nothing is said.
    pub jobs: Option<NonZeroUsize>,
    /// Ends the run early once it is true: the workers are ended, what was judged is reported, and the run is void.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// The part of all this that is asked; none for the whole.
    pub shard: Option<Shard>,
}

impl Options {
    /// The published fixtures, and the author's own.
    ///
    /// # Errors
    ///
    /// The faults of the author's own, in words for a person.
    pub(crate) fn corpus(&self) -> Result<&'static Corpus, String> {
        let mut families = Vec::new();
        for folder in &self.fixtures {
            families.extend(
                boundary_corpus::own_families(folder).map_err(|faults| message::no_own_fixtures(folder, &faults))?,
            );
        }
        if families.is_empty() {
            return Ok(corpus());
        }
        let mut names: BTreeSet<String> = corpus().fixtures().map(case_name).collect();
        // Two cases of one name could not be told apart: `quay/notice-late` and `quay-notice/late` would be.
        let mut own = families.iter().flat_map(|family| &family.fixtures);
        if let Some(taken) = own.find(|fixture| !names.insert(case_name(fixture))) {
            return Err(message::name_taken(&taken.id));
        }
        // Cases hold what they send for as long as the process runs, as the published fixtures are held.
        Ok(Box::leak(Box::new(corpus().with(families))))
    }

    /// Whether the run was told to end.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed))
    }

    /// How many workers ask at once.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// What is asked of a plan with these cases, where only a part of it is.
    pub(super) fn share<'a>(&self, cases: impl Iterator<Item = &'a str>) -> Option<Share> {
        let only = || self.only.iter().map(|pattern| Plain::new(&pattern.text)).collect();
        self.shard.map(|shard| Share::new(shard, only(), cases))
    }

    /// The command that runs one case again.
    pub(crate) fn rerun(&self, case: &Case) -> String {
        let command = self.rerun.command(&case.id);
        if !matches!(self.rerun, Rerun::CommandLine(_)) || !is_own(case) {
            return command;
        }
        self.fixtures.iter().fold(command, |command, folder| {
            let quoted = folder.to_string_lossy().replace('\'', r"'\''");
            format!("{command} --fixtures '{}'", Plain::new(&quoted))
        })
    }
}

/// Whether a case comes from a fixture of the author's own.
pub(super) fn is_own(case: &Case) -> bool {
    case.fixture.as_ref().is_some_and(|id| corpus().fixture(id.as_str()).is_none())
}

impl Default for Options {
    /// Everything, by set 1, at level must.
    fn default() -> Self {
        Self {
            only: Vec::new(),
            set: "1".to_owned(),
            level: Level::Must,
            require: Vec::new(),
            rerun: Rerun::CommandLine(None),
            fixtures: Vec::new(),
            limits: Limits::default(),
            jobs: None,
            interrupt: None,
            shard: None,
        }
    }
}

/// How a person runs one case again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rerun {
    /// With the `boundary-kit` command, on the boundary of this name; on the reference where there is none.
    CommandLine(Option<String>),
    /// As a trial of the test target of this name.
    Trial(String),
    /// With the `#[test]` of this name, which asks all cases.
    Test(String),
}

impl Rerun {
    /// The command for one case.
    pub(crate) fn command(&self, case: &CaseId) -> String {
        match self {
            Self::CommandLine(_) => format!("{} --only '{case}'", self.whole()),
            Self::Trial(target) => format!("cargo test --test {target} -- --exact '{case}'"),
            Self::Test(_) => self.whole(),
        }
    }

    /// The command for everything.
    pub(crate) fn whole(&self) -> String {
        match self {
            Self::CommandLine(None) => "boundary-kit check".to_owned(),
            Self::CommandLine(Some(boundary)) => format!("boundary-kit check --boundary {boundary}"),
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
