//! Text that is safe to print: it exists only once neutralised.

use std::fmt;

/// The longest text that is shown whole, in characters.
const SHOWN: usize = 400;

/// A text that is safe in a terminal, in a log and in markup: printable ASCII without `<`, `>`, `&`,
/// `|` and `~`, and without a bracket that begins a word as turn markers do; everything else is written as an escape.
/// The neutralised form of a neutralised text is that text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Plain(String);

impl Plain {
    /// The neutralised form of any text, of which no more than 400 characters are shown.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::cut(text, SHOWN)
    }

    /// The neutralised form of any text, however long: what the kit itself says, or has said and cut before.
    #[must_use]
    pub fn whole(text: &str) -> Self {
        Self::cut(text, usize::MAX)
    }

    /// The neutralised form of the first `chars` characters of any text, with `...` where there are more.
    #[must_use]
    pub fn cut(text: &str, chars: usize) -> Self {
        let mut plain = String::new();
        let mut rest = text.chars().peekable();
        for _ in 0..chars {
            let Some(c) = rest.next() else { break };
            let begins_a_word = rest.peek().is_some_and(|next| next.is_ascii_alphabetic() || *next == '/');
            match c {
                '<' | '>' | '&' | '|' | '~' => plain.extend(c.escape_unicode()),
                '[' if begins_a_word => plain.extend(c.escape_unicode()),
                ' '..='~' => plain.push(c),
                '\n' => plain.push_str("\\n"),
                '\t' => plain.push_str("\\t"),
                _ => plain.extend(c.escape_unicode()),
            }
        }
        if rest.next().is_some() {
            plain.push_str("...");
        }
        Self(plain)
    }

    /// The neutralised text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl serde::Serialize for Plain {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_could_act_is_escaped() {
        let hostile = "a\u{1b}[31mred\u{202e}\0 <b>&amp; \u{e0041}\u{2028}\r\nend";
        let plain = Plain::new(hostile);
        assert!(plain.as_str().chars().all(|c| matches!(c, ' '..='~') && !matches!(c, '<' | '>' | '&')), "{plain}");
        assert!(plain.as_str().starts_with("a\\u{1b}[31mred\\u{202e}\\u{0} \\u{3c}b\\u{3e}"), "{plain}");
    }

    #[test]
    fn no_turn_marker_is_shown_as_it_is() {
        for marker in boundary_corpus::corpus().marker_families().iter().flat_map(|family| &family.markers) {
            let structural = marker.class == boundary_corpus::Class::Structural;
            assert!(!structural || Plain::new(&marker.text).as_str() != marker.text, "{}", marker.id);
        }
    }

    #[test]
    fn what_is_neutralised_stays_as_it_is() {
        let tags = "[/INST] [a [[b [<c> [\n[\u{202e}d \\u{5b} ~|~ & \t";
        let long = "[INST]".repeat(SHOWN);
        for text in [tags, &long, &long[..SHOWN], "\u{e9}\u{1b}[31m"] {
            let plain = Plain::new(text);
            assert_eq!(Plain::whole(plain.as_str()), plain);
        }
        assert!(Plain::new(&long).as_str().len() > SHOWN);
    }

    #[test]
    fn ordinary_words_stay_as_they_are() {
        assert_eq!(Plain::new("boundary-reference 0.1.0").as_str(), "boundary-reference 0.1.0");
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(Plain::cut("abcdef", 3).as_str(), "abc...");
        assert_eq!(Plain::cut("abc", 3).as_str(), "abc");
        assert_eq!(Plain::new(&"\u{202e}".repeat(1_000_000)).as_str().len(), SHOWN * "\\u{202e}".len() + 3);
    }
}
