//! What the kit says to a person about a saved report that cannot be read back.

use std::io;
use std::path::Path;

use serde_json::error::Category;

use crate::report::plain::Plain;

/// How much of a file's name is shown, in characters.
const FILE: usize = 80;
/// How much of what a file holds is shown, in characters.
const QUOTED: usize = 60;

/// A file's name, as every message about it shows it.
pub(crate) fn file(path: &Path) -> Plain {
    Plain::cut(&path.to_string_lossy(), FILE)
}

/// A fault of a saved report, with the file that has it.
pub(crate) fn in_file(file: &Plain, fault: &str) -> String {
    format!("`{file}` is no report that can be read: {fault}")
}

pub(crate) fn no_file(kind: io::ErrorKind) -> String {
    format!("{kind}; write one with `boundary-kit check --format json`")
}

/// Where a text stops being a report, and what might stand there. It quotes of the text only a name or a little more.
pub(crate) fn unreadable(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    match error.classify() {
        Category::Eof => format!("the JSON text ends too early, at line {line}; was the file cut?"),
        Category::Data => {
            let said = error.to_string();
            let said = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said);
            let said = match said.rsplit_once(", expected ") {
                // What is legal is the reader's own words, and not to be cut off.
                Some((got, legal)) => format!("{}, expected {}", Plain::cut(got, QUOTED), Plain::whole(legal)),
                None => Plain::cut(said, QUOTED).to_string(),
            };
            format!("near line {line}: {said}")
        }
        Category::Syntax | Category::Io => format!("not JSON at line {line}, column {column}"),
    }
}

pub(crate) fn unknown_word(what: &str, got: &str, legal: &[&str]) -> String {
    format!("unknown {what} `{}`, expected one of: {}", Plain::cut(got, QUOTED), legal.join(", "))
}

pub(crate) fn other_format(format: u64, known: u64) -> String {
    format!("it is of format {format}, expected {known}, which is what this kit reads and writes")
}

pub(crate) fn empty() -> &'static str {
    "an empty text, expected some words"
}

pub(crate) fn no_count(got: u64, least: u32, most: u32) -> String {
    format!("{got}, expected a count from {least} to {most}")
}

pub(crate) fn no_seconds() -> &'static str {
    "no time that a run takes, expected seconds from 0 to 1000000000"
}

pub(crate) fn twice(place: &str, what: &str) -> String {
    format!("{place} has {} twice, expected each once", Plain::cut(what, QUOTED))
}

pub(crate) fn out_of_order(place: &str, what: &str) -> String {
    format!("{place} has {} twice or in another order than the kit's", Plain::cut(what, QUOTED))
}

/// What stands at one place, and what it would be by the rest of the report.
pub(crate) fn unlike(place: &str, is: &str, expected: &str) -> String {
    format!("{place} is {}, expected {expected} by the rest of the report", Plain::cut(is, QUOTED))
}

/// What stands at one place, where the rest of the report leaves more than one possibility.
pub(crate) fn contradicted(place: &str, is: &str) -> String {
    format!("{place} is {}, which the rest of the report contradicts", Plain::cut(is, QUOTED))
}
