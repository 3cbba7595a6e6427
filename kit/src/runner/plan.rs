//! Selecting: which cases of which requirements a run asks.

use std::sync::Arc;

use boundary_corpus::{Corpus, Level, Requirement, corpus};

use super::select::{Selection, is_own};
use super::{Options, RowReport, Share};
use crate::case::Case;
use crate::message;
use crate::requirement::{self, Draft};
use crate::subject::Subject;

/// What a run asks: for each selected requirement, its cases or why it has none.
#[derive(Debug)]
pub(crate) struct Plan {
    /// How many fixtures of the author's own the corpus holds.
    pub(crate) own: usize,
    pub(crate) rows: Vec<(&'static Requirement, Planned)>,
    /// Which part of what is selected this is, if it is not the whole.
    pub(crate) share: Option<Share>,
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
        let corpus = options.corpus()?;
        let set = corpus
            .sets()
            .iter()
            .find(|set| set.name == options.set)
            .ok_or_else(|| message::unknown_set(&options.set, corpus.sets()))?;
        let all = Self::over(subject, corpus);
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
                        // What is in no frozen set yet runs as provisional, and only warns. An author's own
                        // fixtures are in none, and weigh what they say.
                        if !set.open && !is_own(case) && !set.cases.iter().any(|id| id == case.id.as_str()) {
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
            return Err(message::pattern_matches_nothing(pattern, &names(subject, corpus)));
        }
        let plan = Self { own: all.own, rows, share: None };
        if plan.cases() == 0 { Err(message::nothing_claimed(&plan)) } else { Ok(plan.dealt(options)) }
    }

    /// The part of this that the options ask for: its cases, and every requirement that has none to deal.
    fn dealt(mut self, options: &Options) -> Self {
        let cases = self.rows.iter().filter_map(|(_, planned)| planned.cases()).flatten();
        self.share = options.share(cases.map(|case| case.id.as_str()));
        let Some(shard) = options.shard else { return self };
        let mut place = 0..;
        self.rows.retain_mut(|(_, planned)| {
            let Planned::Cases(cases) = planned else { return true };
            cases.retain(|_| place.next().is_some_and(|place| shard.takes(place)));
            !cases.is_empty()
        });
        self
    }

    /// Notes in the rows of a shard where in the whole plan each failed case stands, so that a merge can put the
    /// failures of all shards in the order of the whole run.
    pub(super) fn place(&self, rows: &mut [RowReport]) {
        let Some(share) = &self.share else { return };
        let mut places = (0..).map(|nth| share.shard.place(nth));
        for ((_, planned), row) in self.rows.iter().zip(rows) {
            let mut failures = row.failures.iter_mut().peekable();
            for (case, place) in planned.cases().into_iter().flatten().zip(&mut places) {
                if let Some(failure) = failures.next_if(|failure| failure.case == case.id.as_str()) {
                    failure.place = Some(place);
                }
            }
        }
    }

    /// Every requirement of the catalogue, with the published fixtures.
    pub(crate) fn everything(subject: &Arc<Subject>) -> Self {
        Self::over(subject, corpus())
    }

    /// Every requirement of the catalogue, with the fixtures of this corpus.
    pub(crate) fn over(subject: &Arc<Subject>, corpus: &'static Corpus) -> Self {
        let planned = |requirement| (requirement, Planned::of(requirement, subject, corpus));
        let own = corpus.fixtures().count() - boundary_corpus::corpus().fixtures().count();
        Self { own, rows: corpus.requirements().iter().map(planned).collect(), share: None }
    }

    /// The requirement that a trial of this name asks about: the case's own, or none for a trial of another kind.
    pub(crate) fn about(subject: &Arc<Subject>, corpus: &'static Corpus, trial: &str) -> Self {
        let own = |id: &str| trial.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let about = corpus.requirements().iter().filter(|requirement| own(requirement.id.as_str()));
        let rows = about.map(|requirement| (requirement, Planned::of(requirement, subject, corpus))).collect();
        Self { own: 0, rows, share: None }
    }

    /// The cases of one requirement, with the published fixtures; none where it is unknown, not built or not claimed.
    pub(crate) fn one(subject: &Arc<Subject>, id: &str) -> Vec<Case> {
        match corpus().requirement(id).map(|requirement| Planned::of(requirement, subject, corpus())) {
            Some(Planned::Cases(cases)) => cases,
            Some(Planned::NotBuilt | Planned::NotClaimed(_)) | None => Vec::new(),
        }
    }

    /// How many cases are asked.
    pub(crate) fn cases(&self) -> usize {
        self.rows.iter().filter_map(|(_, planned)| planned.cases()).map(<[Case]>::len).sum()
    }

    /// The cases that are asked, in their order.
    pub(crate) fn each_case(&self) -> impl Iterator<Item = &Case> {
        self.rows.iter().flat_map(|(_, planned)| match planned {
            Planned::Cases(cases) => cases.as_slice(),
            Planned::NotBuilt | Planned::NotClaimed(_) => &[],
        })
    }

    /// The same, taken.
    pub(crate) fn into_cases(self) -> impl Iterator<Item = Case> {
        self.rows.into_iter().flat_map(|(_, planned)| match planned {
            Planned::Cases(cases) => cases,
            Planned::NotBuilt | Planned::NotClaimed(_) => Vec::new(),
        })
    }
}

impl Planned {
    fn of(requirement: &'static Requirement, subject: &Arc<Subject>, corpus: &'static Corpus) -> Self {
        let Some(row) = requirement::row(requirement.id.as_str()) else { return Self::NotBuilt };
        if let Some(missing) = requirement::missing_claims(requirement, subject) {
            return Self::NotClaimed(missing);
        }
        match (row.cases)(&Draft { subject: Arc::clone(subject), requirement, corpus }) {
            Ok(mut cases) => {
                // A case over several parts of which none is for this boundary asks nothing.
                cases.retain(|case| case.steps() > 0);
                if cases.is_empty() { Self::NotClaimed(message::nothing_to_send()) } else { Self::Cases(cases) }
            }
            Err(why) => Self::NotClaimed(why),
        }
    }

    /// The cases that are asked, unless there is a reason why there are none.
    fn cases(&self) -> Option<&[Case]> {
        match self {
            Self::Cases(cases) => Some(cases),
            Self::NotBuilt | Self::NotClaimed(_) => None,
        }
    }
}

/// Every id that a pattern may name.
fn names(subject: &Arc<Subject>, corpus: &'static Corpus) -> Vec<String> {
    let requirements = corpus.requirements().iter().map(|requirement| requirement.id.to_string());
    let fixtures = corpus.fixtures().map(|fixture| fixture.id.to_string());
    let cases = Plan::over(subject, corpus).into_cases().map(|case| case.id.to_string());
    requirements.chain(fixtures).chain(cases).collect()
}

#[cfg(test)]
mod tests {
    use boundary_contract::Boundary;

    use super::*;
    use crate::canary::{Smallest, SmallestGuard};

    #[test]
    fn every_case_asks_something_and_a_row_without_one_is_not_claimed() {
        for description in [Smallest.describe(), SmallestGuard.describe()] {
            for (requirement, planned) in Plan::everything(&Subject::new(description)).rows {
                if let Planned::Cases(cases) = planned {
                    assert!(!cases.is_empty(), "{}", requirement.id);
                    assert!(cases.iter().all(|case| case.steps() > 0), "{}", requirement.id);
                }
            }
        }
    }
}
