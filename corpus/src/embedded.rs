//! The corpus that is part of this crate.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::corpus::Corpus;
use crate::fixture::Fixture;
use crate::load::{File, MARKERS, REQUIREMENTS, load};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

const TABLES: &[(&str, &str)] =
    &[(REQUIREMENTS, include_str!("../requirements.json")), (MARKERS, include_str!("../markers.json"))];

/// The embedded corpus, read once for each process.
#[must_use]
pub fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let rows = TABLES.iter().chain(FILES);
        let files: Vec<File<'_>> = rows
            .map(|(name, text)| File { name: Cow::Borrowed(name), bytes: Ok(Cow::Borrowed(text.as_bytes())) })
            .collect();
        // The data is fixed when this crate is built, and a test of this crate reads all of it.
        load(&files).unwrap_or_else(|faults| panic!("the embedded corpus is broken: {}", faults[0]))
    })
}

/// The payloads that any boundary is expected to survive: the family `published`.
#[must_use]
pub fn published() -> &'static [Fixture] {
    corpus().families().iter().find(|family| family.name == "published").map_or(&[], |family| &family.fixtures)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::json::Json;

    /// The one form in which the data is written: two spaces a level, ASCII, the order as it is.
    fn pretty(json: &Json, indent: usize, out: &mut String) {
        let line = |out: &mut String, indent: usize| write!(out, "\n{:indent$}", "").unwrap();
        match json {
            Json::Array(items) if !items.is_empty() => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    line(out, indent + 2);
                    pretty(item, indent + 2, out);
                }
                line(out, indent);
                out.push(']');
            }
            Json::Object(members) if !members.is_empty() => {
                out.push('{');
                for (at, (key, value)) in members.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    line(out, indent + 2);
                    quote(key, out);
                    out.push_str(": ");
                    pretty(value, indent + 2, out);
                }
                line(out, indent);
                out.push('}');
            }
            Json::String(text) => quote(text, out),
            other => out.push_str(&other.to_payload().to_json()),
        }
    }

    fn quote(text: &str, out: &mut String) {
        out.push('"');
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                ' '..='~' => out.push(c),
                _ => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(out, "\\u{unit:04x}").unwrap();
                    }
                }
            }
        }
        out.push('"');
    }

    #[test]
    fn every_file_is_written_in_the_one_form() {
        for (name, text) in TABLES.iter().chain(FILES) {
            let mut form = String::new();
            pretty(&Json::read(text.as_bytes()).unwrap(), 0, &mut form);
            form.push('\n');
            assert!(form == **text, "{name} is not in two-space JSON with every other character escaped");
        }
    }

    #[test]
    fn the_files_are_sorted_and_none_is_missing() {
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert!(names.is_sorted(), "{names:?}");
        for name in ["fixtures/benign.json", "fixtures/published.json", "sets/1.json"] {
            assert!(names.contains(&name), "{name} is not embedded");
        }
    }
}
