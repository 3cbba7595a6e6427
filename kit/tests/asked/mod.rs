//! Asking a boundary one area or requirement, as several tests do.

use boundary_kit::contract::Boundary;
use boundary_kit::report::Terminal;
use boundary_kit::runner::{Options, Report, RunVerdict, Status};

/// The report on what this pattern selects, and what a terminal shows of it.
pub fn check(boundary: &dyn Boundary, only: &str) -> (Report, String) {
    let mut options = Options::default();
    options.only = vec![only.parse().unwrap()];
    let mut out = Vec::new();
    let report = boundary_kit::check_with(boundary, &options, &mut Terminal::new(&mut out, false)).unwrap();
    (report, String::from_utf8(out).unwrap())
}

/// Holds the kit to failing a boundary in this requirement, and to saying these words of it.
#[track_caller]
pub fn assert_red(boundary: &dyn Boundary, requirement: &str, words: &str) {
    let (report, shown) = check(boundary, requirement);
    assert_eq!(report.verdict, RunVerdict::Nonconformant, "{shown}");
    assert!(report.rows.iter().any(|row| row.status == Status::Fail), "{shown}");
    assert!(shown.contains(words), "{words:?} is not in:\n{shown}");
}
