//! From events to something that a person or a program reads. One event type feeds every format.

use std::io;

use crate::runner::{Event, Report, RowReport};

mod json;
mod matrix;
pub mod plain;
mod rates;
mod saved;
mod terminal;

pub use json::Json;
pub use matrix::{matrix_json, matrix_text};
pub use saved::Saved;
pub use terminal::Terminal;

/// A renderer of a run's events.
pub trait Reporter {
    /// Takes the next event.
    ///
    /// # Errors
    ///
    /// Whatever writing gives.
    fn event(&mut self, event: &Event<'_>) -> io::Result<()>;
}

/// Hands a finished report to a reporter, as the run would have that it is of.
///
/// # Errors
///
/// Whatever writing gives.
pub fn tell(report: &Report, reporter: &mut dyn Reporter) -> io::Result<()> {
    if !report.rows.is_empty() {
        let cases = report.rows.iter().map(RowReport::asked).sum();
        let (set, own, share) = (report.set.as_str(), report.own_fixtures, report.share.as_ref());
        reporter.event(&Event::Started { identity: &report.identity, set, cases, own, share })?;
    }
    report.rows.iter().try_for_each(|row| reporter.event(&Event::Row(row)))?;
    reporter.event(&Event::Finished(report))
}

/// How wide lists are, in characters.
const WIDTH: usize = 100;

/// A text in lines of at most 100 characters, broken between words.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().map_or(0, |line| line.len());
        if line > 0 && line + 1 + word.len() > WIDTH {
            lines.push(String::from("  "));
        }
        if let Some(line) = lines.last_mut() {
            if !line.trim().is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// The colours of a report on a terminal.
#[derive(Debug, Clone, Copy)]
enum Tint {
    Green,
    Yellow,
    Red,
    Dim,
    Bold,
}

impl Tint {
    /// The text in this colour, or as it is where there are none.
    fn of(self, text: &str, colour: bool) -> String {
        let code = match self {
            Self::Green => 32,
            Self::Yellow => 33,
            Self::Red => 31,
            Self::Dim => 2,
            Self::Bold => 1,
        };
        if colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
