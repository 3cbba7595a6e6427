//! The kill matrix: which saboteur is noticed by which requirement.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use boundary_contract::Boundary;

use super::{Sabotaged, Saboteur, saboteurs};
use crate::runner::{CaseResult, Identity, Options, Plan, Planned, probe, run_case};
use crate::subject::Subject;

/// What became of every saboteur of one boundary.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// The boundary that was broken.
    pub identity: Identity,
    /// A row a saboteur.
    pub rows: Vec<MatrixRow>,
    /// Requirements that are built and claimed and that no saboteur breaks.
    pub without: Vec<String>,
}

/// What became of one saboteur.
#[derive(Debug, Clone)]
pub struct MatrixRow {
    /// The saboteur.
    pub saboteur: &'static Saboteur,
    /// The requirements that failed or warned, in the order of the catalogue.
    pub tripped: Vec<String>,
}

impl MatrixRow {
    /// Whether any requirement noticed it.
    #[must_use]
    pub fn killed(&self) -> bool {
        !self.tripped.is_empty()
    }

    /// Whether each requirement that it names noticed it.
    #[must_use]
    pub fn killed_by_named(&self) -> bool {
        self.saboteur.breaks.iter().all(|id| self.tripped.iter().any(|tripped| tripped == id))
    }

    /// What else noticed it, beyond what it says it implies.
    #[must_use]
    pub fn undeclared(&self) -> Vec<&str> {
        let declared: BTreeSet<&str> = self.saboteur.breaks.iter().chain(self.saboteur.implies).copied().collect();
        self.tripped.iter().map(String::as_str).filter(|id| !declared.contains(id)).collect()
    }
}

impl Matrix {
    /// Whether every saboteur was killed by what it names and by nothing undeclared, and every
    /// requirement has one.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.without.is_empty() && self.rows.iter().all(|row| row.killed_by_named() && row.undeclared().is_empty())
    }
}

/// Breaks a boundary with each saboteur in turn and asks it everything that it claims.
///
/// # Errors
///
/// Why the matrix says nothing: the boundary could not be described, claims nothing or is broken to
/// begin with, or the kit failed.
pub fn matrix(boundary: &dyn Boundary) -> Result<Matrix, String> {
    let description = probe::describe(boundary).map_err(|place| crate::message::describe_panicked(&place))?;
    let whole = Subject::new(description);
    if whole.description.claims.is_empty() {
        return Err(crate::message::no_claims());
    }
    if let Some(id) = tripped(boundary, &whole, true)?.first() {
        return Err(crate::message::broken_already(id));
    }
    let claimed: Vec<&str> = Plan::everything(&whole)
        .rows
        .iter()
        .filter(|(_, planned)| matches!(planned, Planned::Cases(cases) if !cases.is_empty()))
        .map(|(requirement, _)| requirement.id.as_str())
        .collect();
    let breaking: Vec<&'static Saboteur> =
        saboteurs().filter(|saboteur| saboteur.breaks.iter().all(|id| claimed.contains(id))).collect();
    let rows = side_by_side(&breaking, |saboteur| {
        let sabotaged = Sabotaged::new(boundary, saboteur);
        let subject = Subject::new(sabotaged.describe());
        // What is heavy asks what a smaller sibling asks too, so only faults in that very area need it.
        let heavy = saboteur.breaks.iter().any(|id| id.starts_with("depth/"));
        Ok(MatrixRow { saboteur, tripped: tripped(&sabotaged, &subject, heavy)? })
    })?;
    let broken: BTreeSet<&str> = rows.iter().flat_map(|row| row.saboteur.breaks).copied().collect();
    let without = claimed.iter().filter(|id| !broken.contains(*id)).map(|id| (*id).to_owned()).collect();
    Ok(Matrix { identity: Identity::of(&whole.description), rows, without })
}

/// The requirements of which a case does not hold, in the order of the catalogue.
fn tripped(boundary: &dyn Boundary, subject: &Arc<Subject>, heavy: bool) -> Result<Vec<String>, String> {
    let mut tripped = Vec::new();
    for (requirement, planned) in Plan::everything(subject).rows {
        let Planned::Cases(cases) = planned else { continue };
        for case in cases.iter().filter(|case| heavy || !case.heavy) {
            if let CaseResult::Fail(_) = run_case(boundary, &subject.description, case, &Options::default())? {
                tripped.push(requirement.id.to_string());
                break;
            }
        }
    }
    Ok(tripped)
}

/// What `work` makes of each item, in their order, on as many threads as the machine has cores.
fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, String> + Sync,
) -> Result<Vec<R>, String> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    let result = work(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use boundary_corpus::corpus;

    use super::*;
    use crate::requirement;

    #[test]
    fn names_are_unique_and_ids_exist() {
        let names: Vec<&str> = saboteurs().map(|saboteur| saboteur.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for saboteur in saboteurs() {
            for id in saboteur.breaks.iter().chain(saboteur.implies) {
                assert!(corpus().requirement(id).is_some(), "{} names {id}", saboteur.name);
            }
        }
    }

    #[test]
    fn every_requirement_that_is_built_has_a_saboteur() {
        let broken: BTreeSet<&str> = saboteurs().flat_map(|saboteur| saboteur.breaks).copied().collect();
        let without: Vec<&str> = requirement::rows().map(|row| row.id).filter(|id| !broken.contains(id)).collect();
        assert!(without.is_empty(), "{without:?}");
    }
}
