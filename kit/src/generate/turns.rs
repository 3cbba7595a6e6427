//! The disguises in which a result writes a turn marker of a chat template.

use boundary_corpus::{Marker, Matching};

use super::forms::{Form, doubled, full_width, mixed_case, split};

/// Characters that a reader does not see, by what they are called in failures.
const UNSEEN: [(&str, char); 10] = [
    ("zero-width-space", '\u{200b}'),
    ("soft-hyphen", '\u{ad}'),
    ("null", '\0'),
    ("escape", '\u{1b}'),
    ("right-to-left-override", '\u{202e}'),
    ("left-to-right-mark", '\u{200e}'),
    ("word-joiner", '\u{2060}'),
    ("variation-selector", '\u{fe0f}'),
    ("tag-character", '\u{e0041}'),
    ("grapheme-joiner", '\u{34f}'),
];

/// Every disguise that a tokenizer may see through; those in JSON escapes only where content is not written in
/// them.
#[must_use]
pub fn disguises(marker: &Marker, escapes: bool) -> Vec<Form> {
    let text = &*marker.text;
    let mut all = vec![Form { name: "exact", text: text.to_owned() }];
    all.extend(UNSEEN.map(|(name, unseen)| Form { name, text: split(text, unseen) }));
    all.push(Form { name: "full-width", text: full_width(text) });
    if marker.matching == Matching::Folded {
        all.push(Form { name: "other-case", text: other_case(text) });
        all.push(Form { name: "mixed-case", text: mixed_case(text) });
    }
    if escapes {
        all.push(Form { name: "json-escape", text: json_escaped(text) });
        let signs = text.chars().map(|c| if c.is_alphanumeric() { c.into() } else { json_escape(c) });
        all.push(Form { name: "json-escaped-signs", text: signs.collect() });
    }
    all
}

/// Every spelling in HTML entities.
#[must_use]
pub fn in_entities(marker: &Marker) -> Vec<Form> {
    let each = |spell: fn(u32) -> String| marker.text.chars().map(|c| spell(u32::from(c))).collect::<String>();
    let signs = |ampersand: &str| {
        let text = marker.text.replace('<', &format!("{ampersand}lt;")).replace('>', &format!("{ampersand}gt;"));
        text.replace('[', &format!("{ampersand}lbrack;")).replace(']', &format!("{ampersand}rbrack;"))
    };
    let mut all = vec![
        Form { name: "decimal-entities", text: each(|code| format!("&#{code};")) },
        Form { name: "hexadecimal-entities", text: each(|code| format!("&#x{code:X};")) },
    ];
    if signs("&") != marker.text {
        all.push(Form { name: "named-entities", text: signs("&") });
        all.push(Form { name: "entities-escaped-twice", text: signs("&amp;") });
    }
    all
}

/// Markers within markers, so that removing one builds another.
#[must_use]
pub fn nested(marker: &Marker, other: &Marker) -> Vec<Form> {
    let text = &*marker.text;
    let around = |inner: &str| {
        let doubled = doubled(text);
        // The marker stands in the middle of its double.
        let (before, after) = doubled.split_once(text).unwrap_or((text, ""));
        format!("{before}{inner}{after}")
    };
    vec![
        Form { name: "doubled", text: doubled(text) },
        Form { name: "tripled", text: around(&doubled(text)) },
        Form { name: "around-another", text: around(&other.text) },
        Form { name: "around-a-split-one", text: around(&split(text, '\u{200b}')) },
        Form { name: "around-a-full-width-one", text: around(&full_width(text)) },
    ]
}

/// The text with each character as an escape of JSON.
pub(crate) fn json_escaped(text: &str) -> String {
    text.chars().map(json_escape).collect()
}

fn json_escape(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// The text with small letters for capitals and capitals for small letters.
pub(crate) fn other_case(text: &str) -> String {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    text.chars().map(swap).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use boundary_contract::Description;

    use super::*;
    use crate::oracle::marker::Reading;
    use crate::subject::Subject;

    /// A disguise that the oracle does not see through would be a case that cannot fail.
    #[test]
    fn each_disguise_of_each_marker_is_seen_by_the_oracle() {
        let subject = Subject::new(Description::new("any", "1"));
        let markers: Vec<&Marker> = subject.structural_markers().collect();
        assert!(markers.len() > 50);
        for (at, marker) in markers.iter().enumerate() {
            let other = markers[(at + 1) % markers.len()];
            let plain = disguises(marker, true).into_iter().chain(nested(marker, other));
            let readings = plain.map(|form| (form, Reading::Plain));
            for (form, reading) in readings.chain(in_entities(marker).into_iter().map(|form| (form, Reading::Entities)))
            {
                let found = subject.markers().find(&format!("a {} b", form.text), reading);
                assert!(found.is_some(), "{} {}: {}", marker.id, form.name, form.text.escape_debug());
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let subject = Subject::new(Description::new("any", "1"));
        let marker = subject.structural_markers().next().unwrap();
        let all = [disguises(marker, true), in_entities(marker), nested(marker, marker)].concat();
        assert_eq!(all.iter().map(|form| form.name).collect::<BTreeSet<_>>().len(), all.len());
    }
}
