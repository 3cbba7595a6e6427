//! The kill matrix, for a person and for a program.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Tint, json::boundary};
use crate::saboteur::{Matrix, Spared};

/// The matrix as text: a saboteur a line, with what noticed it.
#[must_use]
pub fn matrix_text(matrix: &Matrix, colour: bool) -> String {
    let mut text = String::new();
    let identity = &matrix.identity;
    let width = matrix.rows.iter().map(|row| row.saboteur.name.len()).max().unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{} {}, broken in {} ways\n", identity.name, identity.version, matrix.rows.len());
    for row in &matrix.rows {
        let mark = match (row.killed_by_named(), row.undeclared().is_empty()) {
            (true, true) => Tint::Green.of("killed", colour),
            (true, false) => Tint::Red.of("astray", colour),
            (false, _) => Tint::Red.of("ALIVE ", colour),
        };
        let name = row.saboteur.name;
        let _ = writeln!(text, "  {mark}  {name:<width$}  by {}", row.saboteur.breaks.join(", "));
        let _ = writeln!(text, "          {:<width$}  {}", "", Tint::Dim.of(row.saboteur.does, colour));
        let implied: Vec<&str> =
            row.tripped.iter().map(String::as_str).filter(|id| row.saboteur.implies.contains(id)).collect();
        if !implied.is_empty() {
            let also = format!("and, as it must, by {}", implied.join(", "));
            let _ = writeln!(text, "          {:<width$}  {}", "", Tint::Dim.of(&also, colour));
        }
        if !row.killed_by_named() {
            let by = if row.killed() { row.tripped.join(", ") } else { "nothing".to_owned() };
            let _ = writeln!(text, "          {:<width$}  noticed by {by}", "");
        }
        if !row.undeclared().is_empty() {
            let _ = writeln!(text, "          {:<width$}  undeclared: {}", "", row.undeclared().join(", "));
        }
    }
    if !matrix.spared.is_empty() {
        let _ = writeln!(text, "\nno saboteur for this design:");
    }
    for Spared { requirement, why } in &matrix.spared {
        let _ = writeln!(text, "  {requirement}: {why}");
    }
    if !matrix.without.is_empty() {
        let _ = writeln!(text, "\nno saboteur breaks: {}", matrix.without.join(", "));
    }
    let killed = matrix.rows.iter().filter(|row| row.killed_by_named()).count();
    let collateral: usize = matrix.rows.iter().map(|row| row.undeclared().len()).sum();
    let verdict = if matrix.holds() { Tint::Green.of("holds", colour) } else { Tint::Red.of("void", colour) };
    let _ = writeln!(
        text,
        "\n{verdict}: {killed} of {} saboteurs killed by the requirement that they name, {collateral} undeclared \
         side effects, {} requirements without a saboteur",
        matrix.rows.len(),
        matrix.without.len(),
    );
    text
}

/// The matrix as one JSON object, format 1.
#[must_use]
pub fn matrix_json(matrix: &Matrix) -> Value {
    let count =
        |holds: &dyn Fn(&crate::saboteur::MatrixRow) -> bool| matrix.rows.iter().filter(|row| holds(row)).count();
    let spared = matrix.spared.iter().map(|spared| &spared.requirement);
    let without: Vec<&String> = matrix.without.iter().chain(spared).collect();
    json!({
        "format": 1,
        "boundary": boundary(&matrix.identity),
        "summary": {
            "saboteurs": matrix.rows.len(),
            "killed": count(&|row| row.killed()),
            "killed_by_named": count(&|row| row.killed_by_named()),
            "undeclared_collateral": matrix.rows.iter().map(|row| row.undeclared().len()).sum::<usize>(),
            "requirements_without": without,
        },
        "saboteurs": matrix.rows.iter().map(|row| json!({
            "name": row.saboteur.name,
            "does": row.saboteur.does,
            "breaks": row.saboteur.breaks,
            "killed": row.killed(),
            "tripped": row.tripped,
            "implied": row.saboteur.implies,
        })).collect::<Vec<_>>(),
    })
}
