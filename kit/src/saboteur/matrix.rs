//! The kill matrix: which saboteur is noticed by which requirement.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use boundary_contract::Boundary;
use boundary_corpus::Level;

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
    /// Requirements that were judged and that no saboteur breaks: a fault of the kit.
    pub without: Vec<String>,
    /// Requirements that were judged and that no saboteur can break in a boundary of this design.
    pub spared: Vec<Spared>,
}

/// A requirement whose saboteurs cannot be put into a boundary of some design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spared {
    /// The requirement.
    pub requirement: String,
    /// Why the first saboteur of it does not work on this design.
    pub why: &'static str,
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
    /// requirement has one. That a design is spared one is no fault.
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
    break_each(boundary, Asked::Everything)
}

/// The same, asking of each broken boundary only what its saboteur names: it takes a tenth of the time,
/// and cannot tell what else a fault breaks.
///
/// # Errors
///
/// As [`matrix`].
pub fn named_matrix(boundary: &dyn Boundary) -> Result<Matrix, String> {
    break_each(boundary, Asked::Named)
}

/// What a broken boundary is asked.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Everything,
    Named,
}

fn break_each(boundary: &dyn Boundary, asked: Asked) -> Result<Matrix, String> {
    let description = probe::describe(boundary).map_err(|place| crate::message::describe_panicked(&place))?;
    let whole = Subject::new(description);
    whole.askable()?;
    let plan = Plan::everything(&whole);
    let Judged { tripped: broken, mut judged } =
        judge(boundary, &whole, &plan, &|_| asked == Asked::Everything, &|_| true)?;
    if let Some((id, _)) = broken.iter().find(|(_, level)| *level == Level::Must) {
        return Err(crate::message::broken_already(id));
    }
    // What is only a should it may leave undone; with a fault or without, that row says the same.
    let undone = |id: &str| broken.iter().any(|(known, _)| known == id);
    judged.retain(|id| !undone(id));
    let aimed = saboteurs().filter(|saboteur| saboteur.breaks.iter().all(|id| judged.iter().any(|known| known == id)));
    let (breaking, sparing): (Vec<_>, Vec<_>) =
        aimed.partition(|saboteur| saboteur.spared_by(&whole.description).is_none());
    let rows = side_by_side(&breaking, |saboteur| {
        let sabotaged = Sabotaged::described(boundary, saboteur, whole.description.clone());
        let subject = Subject::new(sabotaged.describe());
        // Most faults are in what a boundary does and not in what it says it is, so it is asked the same.
        let own = (subject.description != whole.description).then(|| Plan::everything(&subject));
        let plan = own.as_ref().unwrap_or(&plan);
        let named = |id: &str| saboteur.breaks.contains(&id);
        let wanted = |id: &str| !undone(id) && (asked == Asked::Everything || named(id));
        let row = |heavy: &dyn Fn(&str) -> bool| {
            let tripped = judge(&sabotaged, &subject, plan, heavy, &wanted)?.tripped.into_iter().map(|(id, _)| id);
            Ok::<_, String>(MatrixRow { saboteur, tripped: tripped.collect() })
        };
        // What is heavy asks mostly what a smaller sibling asks too, so at most faults in that very requirement need
        // it, and where only what is named is asked, those that nothing smaller shows.
        let row_of_light = if asked == Asked::Named { Some(row(&|_| false)?) } else { None };
        row_of_light.filter(MatrixRow::killed_by_named).map_or_else(|| row(&named), Ok)
    })?;
    let broken: BTreeSet<&str> = rows.iter().flat_map(|row| row.saboteur.breaks).copied().collect();
    let (mut without, mut spared) = (Vec::new(), Vec::new());
    for requirement in judged.into_iter().filter(|id| !broken.contains(id.as_str())) {
        let why = sparing
            .iter()
            .filter(|saboteur| saboteur.breaks.contains(&requirement.as_str()))
            .find_map(|saboteur| saboteur.spared_by(&whole.description));
        match why {
            Some(why) => spared.push(Spared { requirement, why }),
            None => without.push(requirement),
        }
    }
    Ok(Matrix { identity: Identity::of(&whole.description), rows, without, spared })
}

/// The requirements that a boundary was asked about, in the order of the catalogue.
struct Judged {
    /// Those of which a case does not hold, with the level of the gravest.
    tripped: Vec<(String, Level)>,
    /// Those of which any case was judged.
    judged: Vec<String>,
}

/// Asks a boundary what is wanted, the heavy cases of those requirements for which `heavy` holds among it.
fn judge(
    boundary: &dyn Boundary,
    subject: &Subject,
    plan: &Plan,
    heavy: &dyn Fn(&str) -> bool,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Judged, String> {
    let (mut tripped, mut judged) = (Vec::new(), Vec::new());
    for (requirement, planned) in &plan.rows {
        let id = requirement.id.as_str();
        let Planned::Cases(cases) = planned else { continue };
        if !wanted(id) {
            continue;
        }
        let (mut asked, mut gravest) = (false, None);
        for case in cases.iter().filter(|case| !case.heavy || heavy(id)) {
            let result = run_case(boundary, &subject.description, case, &Options::default())?;
            asked |= !matches!(result, CaseResult::Unclaimed(_));
            if let CaseResult::Fail(_) = result {
                gravest = Some(case.level);
                // No case is graver than its row.
                if case.level == requirement.level {
                    break;
                }
            }
        }
        tripped.extend(gravest.map(|level| (requirement.id.to_string(), level)));
        if asked {
            judged.push(requirement.id.to_string());
        }
    }
    Ok(Judged { tripped, judged })
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
