//! How far a run is, on standard error while it lasts.

use std::env;
use std::io::{self, IsTerminal, Write};

use boundary_kit::report::Reporter;
use boundary_kit::report::plain::Plain;
use boundary_kit::runner::Event;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What a bar looks like: it takes one line of any terminal, and a long name is cut.
const LOOK: &str = "  [{bar:16}] {pos} of {len} cases, {wide_msg}";

/// Shows how far the run is, and leaves the report to another reporter.
///
/// Nobody's verdict hangs on it: where standard error takes nothing, nothing is shown.
pub(crate) struct Progress<R> {
    inner: R,
    /// How many cases there are in all.
    cases: usize,
    shown: Shown,
}

/// Where it is shown.
enum Shown {
    /// On a terminal: one line that changes, and that is gone before the report is written.
    Bar(ProgressBar),
    /// In a log: a line at each tenth of the cases, of which so many are passed.
    Lines(usize),
}

impl<R: Reporter> Progress<R> {
    /// The reporter, with progress beside it: as a bar on a terminal, as lines in a log and on a terminal that cannot go
    /// back in its line.
    pub(crate) fn beside(inner: R) -> Self {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        let shown = if io::stderr().is_terminal() && !set("CI") && !dumb { Shown::bar() } else { Shown::Lines(0) };
        Self { inner, cases: 0, shown }
    }
}

impl<R: Reporter> Reporter for Progress<R> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started { cases, .. } => {
                self.cases = *cases;
                self.shown.started(*cases);
            }
            Event::Progress { done, failed, running } => self.shown.at(*done, self.cases, *failed, running),
            Event::Finished(_) => self.shown.finished(),
            _ => {}
        }
        self.inner.event(event)
    }
}

impl Shown {
    /// A bar that is drawn once it has something to show.
    fn bar() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        // A look that cannot be read leaves the usual one.
        Self::Bar(match ProgressStyle::with_template(LOOK) {
            Ok(look) => bar.with_style(look.progress_chars("=> ")),
            Err(_) => bar,
        })
    }

    fn started(&mut self, cases: usize) {
        if let Self::Bar(bar) = self {
            bar.set_length(u64::try_from(cases).unwrap_or(u64::MAX));
            bar.set_message("the kit shows its own teeth");
        }
    }

    fn at(&mut self, done: usize, cases: usize, failed: usize, running: &str) {
        match self {
            Self::Bar(bar) => {
                bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
                bar.set_message(now(failed, running));
            }
            Self::Lines(passed) => {
                let tenth = tenths(done, cases);
                if tenth > *passed {
                    *passed = tenth;
                    let _ = writeln!(io::stderr(), "{}", line(done, cases, failed, running));
                }
            }
        }
    }

    fn finished(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// How many tenths of the cases are done, the last left out: the report says that.
fn tenths(done: usize, cases: usize) -> usize {
    if done >= cases { 0 } else { done.saturating_mul(10) / cases }
}

/// How far the run is, in a line of a log.
fn line(done: usize, cases: usize, failed: usize, running: &str) -> String {
    format!("  {done} of {cases} cases, {}", now(failed, running))
}

/// What the run has come to, and what it does now. An author's own fixtures name cases as well.
fn now(failed: usize, running: &str) -> String {
    format!("{failed} failed, now {}", Plain::new(running))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_the_run_is_and_holds_nothing_raw() {
        let shown = line(400, 3_975, 2, "envelope/close-neutralised/\u{1b}[2J");
        assert_eq!(shown, "  400 of 3975 cases, 2 failed, now envelope/close-neutralised/\\u{1b}[2J");
    }

    #[test]
    fn the_look_of_a_bar_can_be_read() {
        assert!(ProgressStyle::with_template(LOOK).is_ok());
    }

    #[test]
    fn there_is_a_line_a_tenth_and_none_at_the_end() {
        for (cases, lines) in [(0, 0), (1, 0), (4, 3), (10, 9), (25, 9), (3_975, 9)] {
            let seen: std::collections::BTreeSet<usize> = (0..=cases).map(|done| tenths(done, cases)).collect();
            assert_eq!(seen.into_iter().filter(|tenth| *tenth > 0).count(), lines, "{cases} cases");
        }
    }
}
