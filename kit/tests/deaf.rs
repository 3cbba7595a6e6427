//! Where another logger was first, what goes through `log` cannot be heard, and no requirement about it passes.

use boundary_kit::canary::Smallest;
use boundary_kit::report::Terminal;
use boundary_kit::runner::{Options, RunVerdict, Status};

struct Another;

impl log::Log for Another {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        false
    }
    fn log(&self, _: &log::Record<'_>) {}
    fn flush(&self) {}
}

#[test]
fn the_log_is_not_claimed_where_another_logger_takes_it() {
    log::set_logger(&Another).expect("no logger before this one");
    let run = |only: &str| {
        let mut options = Options::default();
        options.only = vec![only.parse().unwrap()];
        let mut out = Vec::new();
        let report = boundary_kit::check_with(&Smallest, &options, &mut Terminal::new(&mut out, false)).unwrap();
        (report, String::from_utf8(out).unwrap())
    };
    let (report, shown) = run("leak/*");
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    let row = report.rows.iter().find(|row| row.requirement.id.as_str() == "leak/log").unwrap();
    assert_eq!((row.status, row.cases), (Status::NotClaimed, 0));
    assert!(row.note.as_ref().unwrap().to_string().contains("another logger is installed"), "{shown}");
    // Alone, it leaves nothing that was asked.
    assert_eq!(run("leak/log").0.verdict, RunVerdict::NothingRan);
}
