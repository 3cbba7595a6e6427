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
