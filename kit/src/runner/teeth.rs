//! A run shows its own teeth: what it would pass must be what it could fail.

use std::sync::Arc;

use boundary_contract::Boundary;
use boundary_corpus::corpus;

use super::{CaseResult, Options, Plan, Planned, RowReport, Site, Status, run_case};
use crate::canary::{Smallest, SmallestGuard};
use crate::case::{Case, CaseId};
use crate::isolate::{Answer, Came, Progress, Request, Stopped};
use crate::message;
use crate::requirement::missing_claims;
use crate::saboteur::{Sabotaged, Saboteur, saboteurs};
use crate::subject::Subject;

/// Holds the kit to what it is about to ask: its own smallest good boundary passes, and with a fault
/// put in it fails. A run that is interrupted says nothing, so that this ends too.
///
/// # Errors
///
/// Which canary misbehaved.
pub(crate) fn of_the_kit(plan: &Plan, options: &Options) -> Result<(), String> {
    let canaries = Canary::both();
    for (requirement, planned) in &plan.rows {
        if options.is_interrupted() {
            return Ok(());
        }
        if matches!(planned, Planned::Cases(_)) {
            Canary::that_claims(requirement.id.as_str(), &canaries).passes(requirement.id.as_str())?;
        }
    }
    for (saboteur, requirement) in biting(plan) {
        if options.is_interrupted() {
            return Ok(());
        }
        Canary::that_claims(requirement, &canaries).bites(saboteur, requirement)?;
    }
    Ok(())
}

/// Holds the kit to one requirement, or to one case of it where there is such a case: its own good boundary passes, and
/// with each fault put in that breaks the requirement it fails.
///
/// # Errors
///
/// Which canary misbehaved.
pub(crate) fn of_a_requirement(requirement: &str, case: Option<&CaseId>) -> Result<(), String> {
    let canaries = Canary::both();
    let canary = Canary::that_claims(requirement, &canaries);
    let same = case.and_then(|id| Plan::one(&canary.subject, requirement).into_iter().find(|case| case.id == *id));
    match same {
        // As in a run of everything, what is heavy is left to the kit's own tests.
        Some(case) if case.heavy => {}
        Some(case) => canary.passes_all([case].into_iter())?,
        None => canary.passes(requirement)?,
    }
    saboteurs()
        .filter(|saboteur| saboteur.breaks.contains(&requirement))
        .filter(|saboteur| saboteur.spared_by(&canary.subject.description).is_none())
        .try_for_each(|saboteur| canary.bites(saboteur, requirement))
}

/// Holds the kit to what it just passed: with a fault put in, this boundary fails too.
///
/// # Errors
///
/// Which fault went unnoticed, or why not all could be tried.
pub(crate) fn on_the_boundary(
    site: &Site<'_>,
    plan: &Plan,
    rows: &[RowReport],
    options: &Options,
) -> Result<(), Stopped> {
    let passed = |id: &str| rows.iter().any(|row| row.requirement.id.as_str() == id && row.status == Status::Pass);
    let biting: Vec<_> = biting(plan).filter(|(_, requirement)| passed(requirement)).collect();
    let request = |(saboteur, requirement): &(&Saboteur, &str)| Request::Bite {
        saboteur: saboteur.name.to_owned(),
        requirement: (*requirement).to_owned(),
    };
    let requests: Vec<Request> = biting.iter().map(request).collect();
    let mut found = Ok(());
    let asked = site.all(&requests, options, &mut |progress| {
        let Progress::Came(index, came) = progress else { return };
        let (saboteur, requirement) = biting[index];
        let problem = match came {
            Came::Answered(Answer::Noticed(Ok(true))) => return,
            Came::Answered(Answer::Noticed(Ok(false))) => {
                message::saboteur_unnoticed(saboteur.name, requirement, "the boundary under test")
            }
            Came::Answered(Answer::Noticed(Err(problem))) => problem,
            // Without the fault it passed: that it does not survive the fault is noticed too.
            Came::Fated(..) => return,
            Came::Answered(_) => message::out_of_turn(),
        };
        found = Err(problem);
    });
    asked.and(found.map_err(Stopped::Kit))
}

/// The faults that every run tries, with the requirement that must notice each, where it is selected.
fn biting(plan: &Plan) -> impl Iterator<Item = (&'static Saboteur, &'static str)> {
    saboteurs().filter(|saboteur| saboteur.bites).filter_map(|saboteur| {
        let requirement = saboteur.breaks[0];
        let asked = |(row, planned): &(&'static boundary_corpus::Requirement, Planned)| {
            row.id.as_str() == requirement && matches!(planned, Planned::Cases(cases) if !cases.is_empty())
        };
        plan.rows.iter().any(asked).then_some((saboteur, requirement))
    })
}

/// Whether any case of a requirement fails on the boundary once it is sabotaged.
pub(crate) fn noticed(
    boundary: &dyn Boundary,
    saboteur: &'static Saboteur,
    subject: &Subject,
    requirement: &str,
) -> Result<bool, String> {
    let sabotaged = Sabotaged::described(boundary, saboteur, subject.description.clone());
    // What the fault makes it say of itself is part of the fault.
    let subject = Subject::new(sabotaged.describe());
    for case in Plan::one(&subject, requirement) {
        if let CaseResult::Fail(_) = run_case(&sabotaged, &subject.description, &case, &Options::default())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// One of the kit's smallest good boundaries, ready to be asked.
pub(crate) struct Canary {
    boundary: &'static dyn Boundary,
    subject: Arc<Subject>,
}

impl Canary {
    /// The one that does all that a boundary with an envelope can do.
    pub(crate) fn new() -> Self {
        Self::of(&Smallest)
    }

    /// The one that only marks.
    pub(crate) fn guard() -> Self {
        Self::of(&SmallestGuard)
    }

    fn of(boundary: &'static dyn Boundary) -> Self {
        Self { boundary, subject: Subject::new(boundary.describe()) }
    }

    fn both() -> [Self; 2] {
        [Self::new(), Self::guard()]
    }

    /// The first that makes the claims of this requirement: no boundary can make them all, since an
    /// envelope and an unchanged text exclude each other.
    fn that_claims<'a>(requirement: &str, canaries: &'a [Self; 2]) -> &'a Self {
        let claims = |canary: &&Self| {
            corpus().requirement(requirement).is_some_and(|row| missing_claims(row, &canary.subject).is_none())
        };
        canaries.iter().find(claims).unwrap_or(&canaries[0])
    }

    /// Heavy cases are left to the kit's own tests, so that a run does not take twice its time.
    ///
    /// # Errors
    ///
    /// The case that it fails.
    pub(crate) fn passes(&self, requirement: &str) -> Result<(), String> {
        self.passes_all(Plan::one(&self.subject, requirement).into_iter().filter(|case| !case.heavy))
    }

    /// # Errors
    ///
    /// The case that it fails.
    pub(crate) fn passes_all(&self, cases: impl Iterator<Item = Case>) -> Result<(), String> {
        for case in cases {
            match run_case(self.boundary, &self.subject.description, &case, &Options::default())? {
                CaseResult::Fail(failure) => {
                    return Err(message::canary_fails(&failure.case, &failure.expected, &failure.got));
                }
                CaseResult::Pass | CaseResult::Missed(_) | CaseResult::Unclaimed(_) => {}
            }
        }
        Ok(())
    }

    /// # Errors
    ///
    /// That the fault goes unnoticed.
    pub(crate) fn bites(&self, saboteur: &'static Saboteur, requirement: &str) -> Result<(), String> {
        if noticed(self.boundary, saboteur, &self.subject, requirement)? {
            Ok(())
        } else {
            Err(message::saboteur_unnoticed(saboteur.name, requirement, "the kit's own good boundary"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Wrong;
    use crate::stimulus::Stimulus;

    fn saboteur(name: &str) -> &'static Saboteur {
        saboteurs().find(|saboteur| saboteur.name == name).unwrap()
    }

    fn case(judge: impl Fn() -> Result<(), Wrong> + Send + Sync + 'static) -> Case {
        let requirement = boundary_corpus::corpus().requirement("envelope/exactly-one").unwrap();
        Case::new(requirement, "made-up", || Stimulus::text("hello"), move |_| judge())
    }

    #[test]
    fn a_canary_that_fails_makes_the_run_void() {
        let problem = Canary::new().passes_all([case(|| Err(Wrong::new("this", "that")))].into_iter()).unwrap_err();
        assert!(problem.starts_with("the kit's own good boundary fails envelope/exactly-one/made-up"), "{problem}");
    }

    #[test]
    fn a_saboteur_that_goes_unnoticed_makes_the_run_void() {
        let canary = Canary::new();
        let bidi = saboteur("forgery-bidi-kept");
        assert_eq!(canary.bites(bidi, "forgery/bidi"), Ok(()));
        let problem = canary.bites(bidi, "forgery/whitespace-survives").unwrap_err();
        let words = "the fault `forgery-bidi-kept`, put into the kit's own good boundary on purpose, went unnoticed by \
                     forgery/whitespace-survives";
        assert!(problem.starts_with(words), "{problem}");
    }

    #[test]
    fn a_judge_that_panics_is_a_fault_of_the_kit_and_of_nobody_else() {
        let canary = Canary::new();
        let problem = canary.passes_all([case(|| panic!("on purpose"))].into_iter()).unwrap_err();
        assert!(problem.starts_with("the kit itself failed at ") && problem.contains("teeth.rs"), "{problem}");
        assert!(!problem.contains("on purpose"), "{problem}");
    }

    #[test]
    fn every_run_bites_in_each_area_that_it_asks_about() {
        let plans = Canary::both().map(|canary| Plan::everything(&canary.subject));
        let bitten: std::collections::BTreeSet<&str> =
            plans.iter().flat_map(biting).filter_map(|(_, requirement)| requirement.split('/').next()).collect();
        let areas =
            ["benign", "ceiling", "depth", "envelope", "flag", "forgery", "guard", "leak", "policy", "record", "type"];
        assert_eq!(bitten.into_iter().collect::<Vec<_>>(), areas);
    }
}
