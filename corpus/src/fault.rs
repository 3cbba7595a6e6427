//! What is wrong with a corpus, said by file and entry.

use std::fmt;

/// One defect of a corpus: where it is and what it is.
///
/// It holds no text of a payload: a corpus is full of texts that must not be copied into a log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The file, relative to the corpus, for example `fixtures/forgery.json`.
    pub file: String,
    /// The entry: its id, or its place in the file where it has none; empty for the file as a whole.
    pub entry: String,
    /// What is wrong, with the legal values where there are any.
    pub problem: String,
}

impl Fault {
    pub(crate) fn new(file: &str, entry: &str, problem: impl Into<String>) -> Self {
        Self { file: file.to_owned(), entry: entry.to_owned(), problem: problem.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if !self.entry.is_empty() {
            write!(f, "{}: ", self.entry)?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Fault {}

/// A name from a file in the form in which a message may hold it: escaped and cut to 40 characters.
pub(crate) fn quoted(name: &str) -> String {
    let cut: String = name.chars().take(40).collect();
    format!("`{}`", cut.escape_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_reads_as_file_entry_problem() {
        let fault = Fault::new("fixtures/forgery.json", "forgery/nested", "a twin is missing");
        assert_eq!(fault.to_string(), "fixtures/forgery.json: forgery/nested: a twin is missing");
        assert_eq!(Fault::new("markers.json", "", "is absent").to_string(), "markers.json: is absent");
    }

    #[test]
    fn a_quoted_name_is_escaped_and_cut() {
        assert_eq!(quoted("a\u{202e}\n"), "`a\\u{202e}\\n`");
        assert_eq!(quoted(&"k".repeat(90)).len(), 42);
    }
}
