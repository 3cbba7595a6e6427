//! A run shows its own teeth: what it would pass must be what it could fail.

use std::sync::Arc;

use boundary_contract::Boundary;

use super::{CaseResult, Options, Plan, Planned, RowReport, Status, run_case};
use crate::canary::Smallest;
use crate::case::Case;
use crate::message;
use crate::saboteur::{Sabotaged, Saboteur, saboteurs};
use crate::subject::Subject;

/// Holds the kit to what it is about to ask: its own smallest good boundary passes, and with a fault
/// put in it fails.
///
/// # Errors
///
/// Which canary misbehaved.
pub(crate) fn of_the_kit(plan: &Plan) -> Result<(), String> {
    let canary = Canary::new();
    for (requirement, planned) in &plan.rows {
        if matches!(planned, Planned::Cases(_)) {
            canary.passes(requirement.id.as_str())?;
        }
    }
    for (saboteur, requirement) in biting(plan) {
        canary.bites(saboteur, requirement)?;
    }
    Ok(())
}

/// Holds the kit to what it just passed: with a fault put in, this boundary fails too.
///
/// # Errors
///
/// Which fault went unnoticed.
pub(crate) fn on_the_boundary(
    boundary: &dyn Boundary,
    subject: &Arc<Subject>,
    plan: &Plan,
    rows: &[RowReport],
) -> Result<(), String> {
    for (saboteur, requirement) in biting(plan) {
        let passed = rows.iter().any(|row| row.requirement.id.as_str() == requirement && row.status == Status::Pass);
        if !passed {
            continue;
        }
        let cases = Plan::one(subject, requirement);
        if !noticed(boundary, saboteur, subject, &cases)? {
            return Err(message::saboteur_unnoticed(saboteur.name, requirement, "the boundary under test"));
        }
    }
    Ok(())
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

/// Whether any of these cases fails on the boundary once it is sabotaged.
pub(crate) fn noticed(
    boundary: &dyn Boundary,
    saboteur: &'static Saboteur,
    subject: &Subject,
    cases: &[Case],
) -> Result<bool, String> {
    let sabotaged = Sabotaged::described(boundary, saboteur, subject.description.clone());
    for case in cases {
        if let CaseResult::Fail(_) = run_case(&sabotaged, &subject.description, case, &Options::default())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The kit's smallest good boundary, ready to be asked.
pub(crate) struct Canary {
    subject: Arc<Subject>,
}

impl Canary {
    pub(crate) fn new() -> Self {
        Self { subject: Subject::new(Smallest.describe()) }
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
            match run_case(&Smallest, &self.subject.description, &case, &Options::default())? {
                CaseResult::Fail(failure) => {
                    return Err(message::canary_fails(&failure.case, &failure.expected, &failure.got));
                }
                CaseResult::Pass | CaseResult::Unclaimed(_) => {}
            }
        }
        Ok(())
    }

    /// # Errors
    ///
    /// That the fault goes unnoticed.
    pub(crate) fn bites(&self, saboteur: &'static Saboteur, requirement: &str) -> Result<(), String> {
        if noticed(&Smallest, saboteur, &self.subject, &Plan::one(&self.subject, requirement))? {
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
        let plan = Plan::everything(&Subject::new(Smallest.describe()));
        let bitten: std::collections::BTreeSet<&str> =
            biting(&plan).filter_map(|(_, requirement)| requirement.split('/').next()).collect();
        let areas = ["benign", "depth", "envelope", "flag", "forgery", "type"];
        assert_eq!(bitten.into_iter().collect::<Vec<_>>(), areas);
    }
}
