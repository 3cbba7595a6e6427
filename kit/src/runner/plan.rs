//! Selecting: which cases of which requirements a run asks.

use std::sync::Arc;

use boundary_corpus::{Level, Requirement, corpus};

use super::Options;
use super::select::Selection;
use crate::case::Case;
use crate::message;
use crate::requirement::{self, Draft};
use crate::subject::Subject;

/// What a run asks: for each selected requirement, its cases or why it has none.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) rows: Vec<(&'static Requirement, Planned)>,
}

/// What becomes of one requirement.
#[derive(Debug)]
pub(crate) enum Planned {
    /// The kit cannot judge it yet.
    NotBuilt,
    /// The boundary does not claim it.
    NotClaimed(String),
    /// These are asked.
    Cases(Vec<Case>),
}

impl Plan {
    /// What `options` select of what the subject claims.
    ///
    /// # Errors
    ///
    /// Why nothing would run, in words for a person: no claims, unknown markers, an unknown set, a pattern that
    /// matches nothing, or nothing left that is claimed.
    pub(crate) fn new(subject: &Arc<Subject>, options: &Options) -> Result<Self, String> {
        subject.askable()?;
        let corpus = corpus();
        let set = corpus
            .sets()
            .iter()
            .find(|set| set.name == options.set)
            .ok_or_else(|| message::unknown_set(&options.set, corpus.sets()))?;
        let all = Self::everything(subject);
        let mut selection = Selection::new(&options.only);
        let mut rows = Vec::new();
        for (requirement, planned) in all.rows {
            let whole = selection.takes(requirement.id.as_str());
            let planned = match planned {
                Planned::Cases(mut cases) => {
                    cases.retain(|case| {
                        let fixture = case.fixture.as_ref().map(|fixture| fixture.as_str());
                        let by_fixture = fixture.is_some_and(|fixture| selection.takes(fixture));
                        selection.takes(case.id.as_str()) | by_fixture | whole
                    });
                    if cases.is_empty() && !whole {
                        continue;
                    }
                    for case in &mut cases {
                        // What is in no frozen set yet runs as provisional, and only warns.
                        if !set.open && !set.cases.iter().any(|id| id == case.id.as_str()) {
                            case.level = Level::Should;
                        }
                    }
                    Planned::Cases(cases)
                }
                idle if whole => idle,
                _ => continue,
            };
            rows.push((requirement, planned));
        }
        if let Some(pattern) = selection.unused() {
            return Err(message::pattern_matches_nothing(pattern, &names(subject)));
        }
        let plan = Self { rows };
        if plan.cases() == 0 { Err(message::nothing_claimed(&plan)) } else { Ok(plan) }
    }

    /// Every requirement of the catalogue.
    pub(crate) fn everything(subject: &Arc<Subject>) -> Self {
        let requirements = corpus().requirements().iter();
        Self { rows: requirements.map(|requirement| (requirement, Planned::of(requirement, subject))).collect() }
    }

    /// The cases of one requirement; none where it is unknown, not built or not claimed.
    pub(crate) fn one(subject: &Arc<Subject>, id: &str) -> Vec<Case> {
        match corpus().requirement(id).map(|requirement| Planned::of(requirement, subject)) {
            Some(Planned::Cases(cases)) => cases,
            Some(Planned::NotBuilt | Planned::NotClaimed(_)) | None => Vec::new(),
        }
    }

    /// How many cases are asked.
    pub(crate) fn cases(&self) -> usize {
        self.rows.iter().map(|(_, planned)| if let Planned::Cases(cases) = planned { cases.len() } else { 0 }).sum()
    }

    /// The cases that are asked.
    pub(crate) fn into_cases(self) -> impl Iterator<Item = Case> {
        self.rows.into_iter().flat_map(|(_, planned)| match planned {
            Planned::Cases(cases) => cases,
            Planned::NotBuilt | Planned::NotClaimed(_) => Vec::new(),
        })
    }
}

impl Planned {
    fn of(requirement: &'static Requirement, subject: &Arc<Subject>) -> Self {
        let Some(row) = requirement::row(requirement.id.as_str()) else { return Self::NotBuilt };
        if let Some(missing) = requirement::missing_claims(requirement, subject) {
            return Self::NotClaimed(missing);
        }
        match (row.cases)(&Draft { subject: Arc::clone(subject), requirement, corpus: corpus() }) {
            Ok(cases) => Self::Cases(cases),
            Err(why) => Self::NotClaimed(why),
        }
    }
}

/// Every id that a pattern may name.
fn names(subject: &Arc<Subject>) -> Vec<String> {
    let corpus = corpus();
    let requirements = corpus.requirements().iter().map(|requirement| requirement.id.to_string());
    let fixtures = corpus.fixtures().map(|fixture| fixture.id.to_string());
    let cases = Plan::everything(subject).into_cases().map(|case| case.id.to_string());
    requirements.chain(fixtures).chain(cases).collect()
}
