//! Where a text may be cut.

use unicode_normalization::char::is_combining_mark;

use crate::character::is_selector;

/// How far back a cut goes to keep together what is read as one, in characters.
///
/// Nobody writes longer sequences; one that is longer is an attack and may be cut anywhere.
const LONGEST_SEQUENCE: usize = 32;

/// The longest beginning of a text that has at most so many characters and ends between two that can be read apart.
pub(crate) fn cut(text: &str, max_chars: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(max_chars) else { return text };
    let mut at = end;
    for _ in 0..LONGEST_SEQUENCE {
        let (before, after) = text.split_at(at);
        let (Some(last), Some(next)) = (before.chars().next_back(), after.chars().next()) else { return before };
        if !clings(before, last, next) {
            return before;
        }
        at -= last.len_utf8();
    }
    &text[..end]
}

/// Whether two neighbours are read as one.
fn clings(before: &str, last: char, next: char) -> bool {
    is_combining_mark(next)
        || is_selector(next)
        || next == '\u{200d}'
        || last == '\u{200d}'
        || matches!(next, '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}' | '\u{1160}'..='\u{11ff}')
        || (last == '\r' && next == '\n')
        || (is_regional(next) && before.chars().rev().take(64).take_while(|c| is_regional(*c)).count() % 2 == 1)
}

fn is_regional(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_together_what_is_read_as_one() {
        for (text, max_chars, kept) in [
            ("abc", 3, "abc"),
            ("abc", 2, "ab"),
            ("\u{4e2d}\u{6587}", 1, "\u{4e2d}"),
            ("ae\u{301}b", 2, "a"),
            ("a\u{1f468}\u{200d}\u{1f469}b", 3, "a"),
            ("a\u{1f44d}\u{1f3fd}b", 2, "a"),
            ("\u{1f1eb}\u{1f1f7}\u{1f1e9}\u{1f1ea}", 3, "\u{1f1eb}\u{1f1f7}"),
            ("\u{1f1eb}\u{1f1f7}\u{1f1e9}\u{1f1ea}", 2, "\u{1f1eb}\u{1f1f7}"),
            ("a\r\nb", 2, "a"),
            ("\u{2764}\u{fe0f}", 1, ""),
        ] {
            assert_eq!(cut(text, max_chars), kept, "{}", text.escape_unicode());
        }
    }

    #[test]
    fn an_endless_sequence_is_cut_all_the_same() {
        let text = format!("a{}", "\u{301}".repeat(500));
        assert_eq!(cut(&text, 100).chars().count(), 100);
    }
}
