//! How a tokenizer or a renderer may read a text.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::{entities, json, skeleton};

/// How many layers of `&amp;` around an entity are undone: a page that was escaped twice is common, one
/// escaped four times is not.
const LAYERS: usize = 2;

/// One way of reading a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// As it stands.
    Raw,
    /// Invisible and control characters dropped, NFKC, case folded.
    Folded,
    /// NFKC only.
    Normalised,
    /// JSON escapes undone.
    JsonUnescaped,
    /// HTML entities undone.
    EntitiesUndone,
}

impl View {
    /// Every view.
    pub const ALL: &'static [Self] =
        &[Self::Raw, Self::Folded, Self::Normalised, Self::JsonUnescaped, Self::EntitiesUndone];

    /// The view's name, as verdicts say it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Folded => "folded",
            Self::Normalised => "normalised",
            Self::JsonUnescaped => "json-unescaped",
            Self::EntitiesUndone => "entities-undone",
        }
    }
}

/// The text as this view has it.
///
/// What is malformed is left as it stands. White space, newlines and tabs included, stays in every view.
/// Folding maps each character to one character, so places in a folded text are those of the same
/// text with its case kept.
#[must_use]
pub fn read(text: &str, view: View) -> String {
    match view {
        View::Raw => text.to_owned(),
        View::Folded => fold_case(&cleaned(text)),
        View::Normalised => normalised(text),
        View::JsonUnescaped => undone(text, '\\', json::escape),
        View::EntitiesUndone => {
            let mut text = entities::undo(text, entities::Ending::Optional);
            for _ in 0..LAYERS {
                text = entities::undo(&text, entities::Ending::Optional);
            }
            text
        }
    }
}

/// Invisible and control characters dropped, then NFKC: folding without its last step.
pub(super) fn cleaned(text: &str) -> String {
    // What NFKC makes can be invisible too (the half-width Hangul filler), and what is dropped first
    // must not stand between two characters that NFKC would compose.
    let seen: String = text.chars().filter(|c| !skeleton::is_invisible(*c)).collect();
    normalised(&seen)
}

/// Each letter in lower case.
pub(super) fn fold_case(text: &str) -> String {
    text.chars().map(skeleton::lower).collect()
}

fn normalised(text: &str) -> String {
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => text.to_owned(),
        _ => text.nfkc().collect(),
    }
}

/// A text with each escape replaced by the character that it stands for, from front to back and once.
///
/// `read` is given the text from a `sign` on, and gives the character and the escape's length in
/// bytes; where it gives nothing, the sign stands as it is.
pub(super) fn undone(text: &str, sign: char, read: impl Fn(&str) -> Option<(char, usize)>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(sign) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (character, length) = read(from).unwrap_or((sign, sign.len_utf8()));
        out.push(character);
        rest = &from[length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_distinct() {
        let names: HashSet<_> = View::ALL.iter().map(|view| view.name()).collect();
        assert_eq!(names.len(), View::ALL.len());
    }

    #[test]
    fn each_view_reads_what_the_others_leave() {
        let cases = [
            (View::Raw, "a\u{200b}Ａ", "a\u{200b}Ａ"),
            (View::Normalised, "<｜User｜>\u{200b}", "<|User|>\u{200b}"),
            (View::Folded, "<\u{0}|IM\u{200b}_ſTart｜>\u{1b}", "<|im_start|>"),
            (View::Folded, "K İ ı ς", "k i i σ"),
            (View::Normalised, "e\u{301}", "é"),
            (View::Folded, "a\tb\r\nc", "a\tb\r\nc"),
            (View::JsonUnescaped, r#"\u003c\"\\n\/\n\ud83d\ude00"#, "<\"\\n/\n😀"),
            (View::JsonUnescaped, r"\ud800 \x \u12 \", r"\ud800 \x \u12 \"),
            (View::EntitiesUndone, "&lt;&#124;&#x7c;&lbrack;&amp;lt;&amp;amp;lt;", "<||[<<"),
            (View::EntitiesUndone, "&lt &#60 &bogus; & &#xd800; &", "< < &bogus; & &#xd800; &"),
        ];
        for (view, text, expected) in cases {
            assert_eq!(read(text, view), expected, "{} of {text}", view.name());
        }
    }

    #[test]
    fn folding_keeps_the_count_of_characters() {
        let text = cleaned("İstanbul ẞ Straße ΣΑΣ ǅ");
        assert_eq!(fold_case(&text).chars().count(), text.chars().count());
    }

    #[test]
    fn reading_is_linear_in_hostile_text() {
        for unit in ["\\", "&", "&#", "\\u", "&amp;", "\u{1100}", "a\u{301}"] {
            let text = unit.repeat(300_000);
            for view in View::ALL {
                // Quadratic reading would take minutes here.
                assert!(read(&text, *view).len() <= text.len(), "{unit} {}", view.name());
            }
        }
    }
}
