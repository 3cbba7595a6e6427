//! Every saboteur of the kit's own boundary is noticed by what it names, and by nothing undeclared.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use boundary_kit::canary::{Smallest, SmallestGuard};
use boundary_kit::saboteur::useless::Useless;
use boundary_kit::saboteur::{Matrix, matrix, saboteurs};

/// It takes a minute, so the tests share one.
fn smallest() -> Matrix {
    static MATRIX: OnceLock<Matrix> = OnceLock::new();
    MATRIX.get_or_init(|| matrix(&Smallest).unwrap()).clone()
}

#[test]
fn each_saboteur_is_killed_by_what_it_names_and_by_nothing_undeclared() {
    // No boundary can be asked everything: an envelope and an unchanged text exclude each other.
    let matrices = [smallest(), matrix(&SmallestGuard).unwrap()];
    let mut problems = Vec::new();
    for row in matrices.iter().flat_map(|matrix| &matrix.rows) {
        if !row.killed_by_named() {
            problems
                .push(format!("{} is not noticed by {:?}: {:?}", row.saboteur.name, row.saboteur.breaks, row.tripped));
        }
        if !row.undeclared().is_empty() {
            problems.push(format!("{} also trips {:?}", row.saboteur.name, row.undeclared()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for matrix in &matrices {
        assert!(matrix.without.is_empty(), "no saboteur breaks {:?}", matrix.without);
        assert!(matrix.holds());
    }
    let tried: BTreeSet<&str> = matrices.iter().flat_map(|matrix| &matrix.rows).map(|row| row.saboteur.name).collect();
    let untried: Vec<&str> = saboteurs().map(|saboteur| saboteur.name).filter(|name| !tried.contains(name)).collect();
    assert!(untried.is_empty(), "no boundary of the kit's own can be broken by {untried:?}");
}

#[test]
fn a_matrix_without_a_row_or_with_a_survivor_does_not_hold() {
    let mut matrix = smallest();
    let tripped = std::mem::take(&mut matrix.rows[0].tripped);
    assert!(!matrix.holds(), "a saboteur that nothing noticed");
    matrix.rows[0].tripped = tripped;
    matrix.rows[0].tripped.push("benign/core".to_owned());
    assert!(!matrix.holds(), "an undeclared side effect");
    matrix.rows[0].tripped.pop();
    matrix.without.push("benign/core".to_owned());
    assert!(!matrix.holds(), "a requirement without a saboteur");
}

#[test]
fn a_boundary_that_is_broken_already_shows_nothing() {
    let problem = matrix(&Useless::PassThrough.instead_of(Smallest)).unwrap_err();
    assert!(problem.starts_with("the boundary does not conform to begin with (type/mismatch-refused)"), "{problem}");
}
