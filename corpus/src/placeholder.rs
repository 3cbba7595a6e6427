//! Placeholders: what a fixture cannot know and the kit fills in.

use crate::words::words;

words! {
    /// Something that stands in a fixture's strings until the boundary at hand is known.
    pub Placeholder, "placeholder" {
        /// The opening marker of the boundary's own envelope, as a forger would write it.
        EnvelopeOpen = "{{envelope.open}}",
        /// The closing marker of the boundary's own envelope.
        EnvelopeClose = "{{envelope.close}}",
        /// The name of the boundary's own envelope.
        EnvelopeName = "{{envelope.name}}",
        /// A random token that must turn up in no refusal, finding or log.
        Canary = "{{canary}}",
    }
}

impl Placeholder {
    /// Every placeholder.
    pub const ALL: &'static [Self] = &[Self::EnvelopeOpen, Self::EnvelopeClose, Self::EnvelopeName, Self::Canary];

    /// Whether the boundary's envelope grammar says what stands in its place.
    #[must_use]
    pub const fn is_of_the_envelope(self) -> bool {
        !matches!(self, Self::Canary)
    }
}

/// What a `{{…}}` in a text turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text that stands as it is, other `{{…}}` included.
    Literal(&'a str),
    /// One of ours.
    Placeholder(Placeholder),
    /// Meant to be one of ours, by its first word, and spelled as none of them.
    Misspelled,
}

/// Splits a text at its placeholders. Time is linear in the text.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // From the second byte on: a `{{` at the start is read below, or is literal.
        if let Some(inside) = rest.strip_prefix("{{") {
            if let Some(found) = Placeholder::ALL.iter().find(|found| rest.starts_with(found.as_str())) {
                rest = &rest[found.as_str().len()..];
                return Some(Piece::Placeholder(*found));
            }
            let word = inside.trim_start().get(..5).unwrap_or_default();
            if ["envel", "canar"].iter().any(|ours| word.eq_ignore_ascii_case(ours)) {
                rest = inside;
                return Some(Piece::Misspelled);
            }
        }
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find("{{").map_or(rest.len(), |at| first + at);
        let (literal, after) = rest.split_at(end);
        rest = after;
        Some(Piece::Literal(literal))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_placeholders_are_found_and_other_braces_are_literal() {
        let found: Vec<_> = pieces("a{{envelope.close}}b{{7*7}}{{{canary}}").collect();
        let expected = [
            Piece::Literal("a"),
            Piece::Placeholder(Placeholder::EnvelopeClose),
            Piece::Literal("b"),
            Piece::Literal("{{7*7}}"),
            Piece::Literal("{"),
            Piece::Placeholder(Placeholder::Canary),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_means_to_be_a_placeholder_and_is_none_is_seen() {
        for text in
            ["{{envelope.closing}}", "{{ canary }}", "{{Canary}}", "{{canary", "x{{ENVELOPE.open}}", "{{canary2}}"]
        {
            assert!(pieces(text).any(|piece| piece == Piece::Misspelled), "{text}");
        }
        for text in ["{{env.HOME}}", "{{can}}", "canary", "{{", "", "{{\u{e9}\u{e9}\u{e9}"] {
            assert!(pieces(text).all(|piece| matches!(piece, Piece::Literal(_))), "{text}");
        }
    }
}
