//! What a boundary owes, row by row: for each, the stimuli and the oracles that judge them.
//!
//! One file an area. The catalogue (sentence, level, claims, reasons) is data of the corpus; a test
//! holds that its rows marked as built and the rows here are the same.

use std::sync::Arc;

use boundary_corpus::{Corpus, Expect, Fixture, Input, Level, Requirement};

use crate::case::{Case, Evidence};
use crate::oracle::Wrong;
use crate::placeholder;
use crate::stimulus::Stimulus;
use crate::subject::Subject;

mod attribute;
mod benign;
mod ceiling;
mod context;
mod cut;
mod depth;
mod envelope;
mod flag;
mod forgery;
mod growth;
mod guard;
mod imitation;
mod latitude;
mod leak;
mod neutralised;
mod paths;
mod placement;
mod policy;
mod record;
mod return_type;
mod split;
mod suspicion;
mod switch;
mod time;
mod turn;

/// One requirement's cases, for any boundary.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    /// The cases, or why the boundary does not claim the row although it makes its claims.
    pub(crate) cases: fn(&Draft) -> Result<Vec<Case>, String>,
}

/// Every row that is built, area by area.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    [
        return_type::ROWS,
        envelope::ROWS,
        attribute::ROWS,
        imitation::ROWS,
        forgery::ROWS,
        turn::ROWS,
        flag::ROWS,
        placement::ROWS,
        paths::ROWS,
        context::ROWS,
        split::ROWS,
        benign::ROWS,
        leak::ROWS,
        depth::ROWS,
        ceiling::ROWS,
        policy::ROWS,
        record::ROWS,
        guard::ROWS,
    ]
    .into_iter()
    .flatten()
}

/// The row of this id, if it is built.
pub(crate) fn row(id: &str) -> Option<&'static Row> {
    rows().find(|row| row.id == id)
}

/// Which of the claims that a requirement needs the boundary does not make; `None` where it makes all.
pub(crate) fn missing_claims(requirement: &Requirement, subject: &Subject) -> Option<String> {
    let missing: Vec<String> = requirement
        .claims
        .iter()
        .filter(|need| !need.is_met_by(&subject.description))
        .map(ToString::to_string)
        .collect();
    (!missing.is_empty()).then(|| format!("claim not made: {}", missing.join(", ")))
}

/// What a row's cases are made from: the boundary, the requirement and the corpus.
pub(crate) struct Draft {
    pub(crate) subject: Arc<Subject>,
    pub(crate) requirement: &'static Requirement,
    pub(crate) corpus: &'static Corpus,
}

impl Draft {
    /// A case of this requirement that sends one stimulus. The judge gets the boundary along.
    ///
    /// Where a described ceiling stops what is sent, the case is not claimed, unless it is ceilings that
    /// the requirement is about.
    fn case(
        &self,
        name: &str,
        send: impl Fn() -> Stimulus + Send + Sync + 'static,
        judge: impl Fn(&Subject, Evidence<'_>) -> Result<(), Wrong> + Send + Sync + 'static,
    ) -> Case {
        let subject = Arc::clone(&self.subject);
        let case = Case::new(self.requirement, name, send, move |evidence| judge(&subject, evidence));
        if self.requirement.area() == "depth" || self.requirement.id.as_str() == "type/checked-first" {
            return case;
        }
        let subject = Arc::clone(&self.subject);
        case.except(move |evidence, wrong| latitude::by_a_ceiling(&subject, evidence, wrong))
    }

    /// The same for a result that a boundary may flag, whatever the requirement is about: it is sent under
    /// a policy that delivers it, where there is one, and not claimed where the boundary's default does not.
    fn hostile_case(
        &self,
        name: &str,
        send: impl Fn() -> Stimulus + Send + Sync + 'static,
        judge: impl Fn(&Subject, Evidence<'_>) -> Result<(), Wrong> + Send + Sync + 'static,
    ) -> Case {
        let policy = self.subject.annotating().unwrap_or_default();
        let send = move || {
            let mut stimulus = send();
            stimulus.policy.on_suspicion = stimulus.policy.on_suspicion.or(policy.on_suspicion);
            stimulus
        };
        let subject = Arc::clone(&self.subject);
        self.case(name, send, judge).except(move |evidence, wrong| latitude::by_its_default(&subject, evidence, wrong))
    }

    /// A case of this requirement that puts the first step of several others until one is answered wrongly.
    fn in_turn(&self, name: &str, parts: impl IntoIterator<Item = (String, Case)>) -> Case {
        Case::in_turn(self.requirement, name, &self.subject, parts.into_iter().collect())
    }

    /// The fixtures written for this requirement that the boundary may be sent.
    fn fixtures(&self) -> impl Iterator<Item = &'static Fixture> {
        self.every_fixture().filter(|fixture| fixture.requirement == self.requirement.id)
    }

    /// All fixtures that the boundary may be sent, whichever requirement they are for.
    fn every_fixture(&self) -> impl Iterator<Item = &'static Fixture> {
        self.corpus.fixtures().filter(|fixture| {
            let kind_claimed = match fixture.expect {
                Expect::Flagged { kind, .. } => self.subject.claims_kind(kind),
                _ => true,
            };
            kind_claimed && self.subject.may_be_sent(fixture)
        })
    }

    /// A case of this requirement that sends a fixture, judged with the fixture at hand.
    fn fixture_case(
        &self,
        fixture: &'static Fixture,
        judge: impl Fn(&Subject, &'static Fixture, Evidence<'_>) -> Result<(), Wrong> + Send + Sync + 'static,
    ) -> Case {
        let case = self.case(&case_name(fixture), self.attack(fixture), move |subject, evidence| {
            judge(subject, fixture, evidence)
        });
        self.levelled(case, fixture)
    }

    /// The same for a fixture that the boundary may flag, whatever the requirement is about.
    fn hostile_fixture_case(
        &self,
        fixture: &'static Fixture,
        judge: impl Fn(&Subject, &'static Fixture, Evidence<'_>) -> Result<(), Wrong> + Send + Sync + 'static,
    ) -> Case {
        let case = self.hostile_case(&case_name(fixture), self.attack(fixture), move |subject, evidence| {
            judge(subject, fixture, evidence)
        });
        self.levelled(case, fixture)
    }

    /// A case of this requirement that sends a fixture's benign twin; `None` where it has none.
    fn twin_case(
        &self,
        fixture: &'static Fixture,
        judge: impl Fn(&Subject, &'static Fixture, Evidence<'_>) -> Result<(), Wrong> + Send + Sync + 'static,
    ) -> Option<Case> {
        let twin = fixture.twin.as_ref()?;
        let name = format!("twin-of-{}", case_name(fixture));
        let case =
            self.case(&name, self.sending(fixture, twin), move |subject, evidence| judge(subject, fixture, evidence));
        let mut case = case.from_fixture(fixture);
        // Whatever its attack weighs, ordinary text is ordinary.
        case.level = self.requirement.level;
        Some(case)
    }

    /// An attack that is only a should where it was written for is no more in any other row; and none is
    /// more than its row.
    fn levelled(&self, case: Case, fixture: &Fixture) -> Case {
        let mut case = case.from_fixture(fixture);
        if fixture.level != Some(Level::Should) {
            case.level = self.requirement.level;
        }
        case
    }

    fn attack(&self, fixture: &'static Fixture) -> impl Fn() -> Stimulus + Send + Sync + 'static {
        self.sending(fixture, &fixture.input)
    }

    fn sending(
        &self,
        fixture: &'static Fixture,
        input: &'static Input,
    ) -> impl Fn() -> Stimulus + Send + Sync + 'static {
        let subject = Arc::clone(&self.subject);
        move || Stimulus::new(placeholder::fill(input, &fixture.id, subject.grammar())).of(fixture.tool.clone())
    }
}

/// A fixture's part of a case id: family and name, as one word.
pub(crate) fn case_name(fixture: &Fixture) -> String {
    fixture.id.as_str().replace('/', "-")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use boundary_corpus::corpus;

    use super::*;

    #[test]
    fn the_rows_built_here_are_those_that_the_catalogue_marks_as_built() {
        let here: Vec<&str> = rows().map(|row| row.id).collect();
        let unique: BTreeSet<&str> = here.iter().copied().collect();
        assert_eq!(unique.len(), here.len(), "a requirement has two rows");
        let marked: BTreeSet<&str> = corpus()
            .requirements()
            .iter()
            .filter(|requirement| requirement.built)
            .map(|requirement| requirement.id.as_str())
            .collect();
        assert_eq!(unique, marked);
    }
}
