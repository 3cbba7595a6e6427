//! Where a text may be cut.

use unicode_segmentation::GraphemeCursor;

/// The longest run of characters that is kept together, or left out together, because it is read as one.
///
/// Nobody writes longer ones. One that is longer would take the whole text before the cut along, so it may be cut
/// anywhere.
const LONGEST_CLUSTER: usize = 64;

/// The longest beginning of a text that has at most so many characters and ends between two that can be read apart.
pub(crate) fn cut(text: &str, max_chars: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(max_chars) else { return text };
    let mut cursor = GraphemeCursor::new(end, text.len(), true);
    // The whole text is at hand, so the cursor asks for no more of it.
    if let Ok(false) = cursor.is_boundary(text, 0)
        && let Ok(start) = cursor.prev_boundary(text, 0)
    {
        let start = start.unwrap_or(0);
        if text[start..end].chars().nth(LONGEST_CLUSTER).is_none() {
            return &text[..start];
        }
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_together_what_is_read_as_one() {
        for (text, max_chars, kept) in [
            ("abc", 3, "abc"),
            ("abc", 2, "ab"),
            ("abc", 0, ""),
            ("\u{4e2d}\u{6587}", 1, "\u{4e2d}"),
            ("ae\u{301}b", 2, "a"),
            ("ae\u{301}b", 3, "ae\u{301}"),
            ("a\u{1f468}\u{200d}\u{1f469}b", 2, "a"),
            ("a\u{1f468}\u{200d}\u{1f469}b", 3, "a"),
            ("a\u{1f44d}\u{1f3fd}b", 2, "a"),
            ("\u{1f1eb}\u{1f1f7}\u{1f1e9}\u{1f1ea}", 3, "\u{1f1eb}\u{1f1f7}"),
            ("\u{1f1eb}\u{1f1f7}\u{1f1e9}\u{1f1ea}", 2, "\u{1f1eb}\u{1f1f7}"),
            ("a\r\nb", 2, "a"),
            ("\u{2764}\u{fe0f}", 1, ""),
            ("\u{915}\u{94d}\u{937}\u{93f}x", 3, ""),
            ("\u{1112}\u{1161}\u{11ab}x", 2, ""),
        ] {
            assert_eq!(cut(text, max_chars), kept, "{}", text.escape_unicode());
        }
    }

    #[test]
    fn flags_without_number_are_cut_between_two() {
        let flags = "\u{1f1eb}\u{1f1f7}".repeat(500);
        assert_eq!(cut(&flags, 901).chars().count(), 900);
    }

    #[test]
    fn an_endless_cluster_is_cut_all_the_same() {
        let text = format!("a{}", "\u{301}".repeat(1 << 20));
        assert_eq!(cut(&text, 100).chars().count(), 100);
        assert_eq!(cut(&text, 1 << 19).chars().count(), 1 << 19);
    }
}
