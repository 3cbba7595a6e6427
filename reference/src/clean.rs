//! Characters that steer, hide or end a text, made visible.
//!
//! Nothing is dropped without a trace: what had no business in a text becomes U+FFFD, the character that Unicode has for
//! it. What other people's languages and pictures need stays, so every rule below asks what stands around.

use std::borrow::Cow;

use crate::character::{
    is_bidi, is_control, is_han, is_invisible, is_odd_newline, is_pictograph, is_selector, needs_joiners,
    parts_words_unseen,
};

/// What stands where a character was made harmless.
const TRACE: char = '\u{fffd}';
/// The longest name of a region in a flag that is written with tags: `gbeng` has five letters.
const FLAG_TAGS: usize = 8;
/// How many direction marks stand in a row where directions change. More of them spell bits.
const MARKS_IN_A_ROW: usize = 2;

/// The text without characters that steer, hide or end it.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    // One cheap look at the bytes decides for almost all text.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n')) {
        return Cow::Borrowed(text);
    }
    let mut out: Option<String> = None;
    let mut at = 0;
    let has_braille = text.contains(is_braille);
    // The last character written, which is what the next one will stand after.
    let mut before: Option<char> = None;
    while let Some(c) = text[at..].chars().next() {
        let mut end = at + c.len_utf8();
        let becomes = if is_invisible(c) {
            while let Some(next) = text[end..].chars().next().filter(|next| is_invisible(*next)) {
                end += next.len_utf8();
            }
            let after = text[end..].chars().next();
            (!belongs(before, &text[at..end], after, has_braille)).then_some(TRACE)
        } else if is_direction_mark(c) {
            let run = text[at..].chars().take_while(|c| is_direction_mark(*c));
            let (marks, bytes) = run.fold((0, 0), |(marks, bytes), c| (marks + 1, bytes + c.len_utf8()));
            end = at + bytes;
            (marks > MARKS_IN_A_ROW).then_some(TRACE)
        } else if is_odd_newline(c) || (c == '\r' && !text[end..].starts_with('\n')) {
            Some('\n')
        } else if is_control(c) || is_bidi(c) {
            Some(TRACE)
        } else {
            None
        };
        match becomes {
            Some(c) => {
                out.get_or_insert_with(|| text[..at].to_owned()).push(c);
                before = Some(c);
            }
            None => {
                before = text[at..end].chars().next_back();
                if let Some(out) = &mut out {
                    out.push_str(&text[at..end]);
                }
            }
        }
        at = end;
    }
    out.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether a run of invisible characters is how some language or picture is written.
fn belongs(before: Option<char>, run: &str, after: Option<char>, has_braille: bool) -> bool {
    let mut chars = run.chars();
    let (first, second, third) = (chars.next(), chars.next(), chars.next());
    let is = |of: Option<char>, class: fn(char) -> bool| of.is_some_and(class);
    match (first, second, third) {
        (Some(selector), None, None) if is_selector(selector) => may_be_selected(before, selector, after),
        // A picture joined to the next one, perhaps with its presentation chosen first.
        (Some('\u{200d}'), None, None) if is(before, is_pictograph) && is(after, is_pictograph) => true,
        (Some('\u{fe0f}'), Some('\u{200d}'), None) => is(before, is_pictograph) && is(after, is_pictograph),
        (Some('\u{200c}' | '\u{200d}'), None, None) => is(before, needs_joiners),
        (Some('\u{200b}'), None, None) => is(before, parts_words_unseen) && is(after, parts_words_unseen),
        (Some('\u{180e}'), None, None) => is(before, needs_joiners) && is(after, needs_joiners),
        // A soft hyphen where a word may be broken.
        (Some('\u{ad}'), None, None) => is(before, char::is_alphabetic) && is(after, char::is_alphabetic),
        // Blank cells of Braille, where there is Braille.
        (Some('\u{2800}'), ..) => has_braille && run.chars().all(|c| c == '\u{2800}'),
        (Some('\u{e0000}'..='\u{e007f}'), ..) => before == Some('\u{1f3f4}') && is_region(run),
        _ => false,
    }
}

/// Whether this character may have its shape selected in this way.
fn may_be_selected(before: Option<char>, selector: char, after: Option<char>) -> bool {
    let Some(base) = before else { return false };
    match selector {
        '\u{fe0e}' | '\u{fe0f}' => {
            is_pictograph(base) || (matches!(base, '0'..='9' | '#' | '*') && after == Some('\u{20e3}'))
        }
        '\u{fe00}'..='\u{fe02}' => is_han(base) || matches!(base, '\u{2200}'..='\u{22ff}' | '\u{2a00}'..='\u{2aff}'),
        '\u{e0100}'..='\u{e01ef}' => is_han(base),
        '\u{180b}'..='\u{180d}' | '\u{180f}' => matches!(base, '\u{1820}'..='\u{18aa}'),
        _ => false,
    }
}

/// Whether a run of tags is the rest of a region's flag: a few letters or digits, and the end.
fn is_region(run: &str) -> bool {
    let Some(name) = run.strip_suffix('\u{e007f}') else { return false };
    let mut letters = 0;
    name.chars().all(|c| {
        letters += 1;
        letters <= FLAG_TAGS && matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}')
    }) && letters >= 2
}

/// Whether it says in which direction the signs beside it are read. One at a time it is ordinary text.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}')
}

fn is_braille(c: char) -> bool {
    matches!(c, '\u{2801}'..='\u{28ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_or_hides_leaves_a_trace() {
        for (text, cleaned) in [
            ("a\0b\u{1b}[31mc\u{7f}\u{8}\u{9b}", "a\u{fffd}b\u{fffd}[31mc\u{fffd}\u{fffd}\u{fffd}"),
            ("a\u{202e}b\u{2066}c\u{2069}", "a\u{fffd}b\u{fffd}c\u{fffd}"),
            ("a\u{200b}\u{200c}\u{200d}\u{2060}b", "a\u{fffd}b"),
            ("a\u{e0041}\u{e0042}b", "a\u{fffd}b"),
            ("\u{1f3f4}\u{e0069}\u{e0067}", "\u{1f3f4}\u{fffd}"),
            ("\u{1f600}\u{fe0f}\u{fe01}x", "\u{1f600}\u{fffd}x"),
            ("a\u{fe0f}b", "a\u{fffd}b"),
            ("\u{6f22}\u{e0101}\u{e0102}", "\u{6f22}\u{fffd}"),
            ("a\u{ad}\u{ad}b", "a\u{fffd}b"),
            ("\u{1f600}\u{200d}a \u{1f600}\u{fe0f}\u{200d}", "\u{1f600}\u{fffd}a \u{1f600}\u{fffd}"),
            ("1\u{fe0f}a \u{1780}\u{200b}a", "1\u{fffd}a \u{1780}\u{fffd}a"),
            ("\u{feff}a\u{200d}b", "\u{fffd}a\u{fffd}b"),
            ("a\u{2800}b", "a\u{fffd}b"),
            ("a\rb\u{2028}c\u{85}d", "a\nb\nc\nd"),
            ("a\u{200e}\u{200f}\u{200e}\u{61c}b\u{200f}", "a\u{fffd}b\u{200f}"),
        ] {
            assert_eq!(clean(text), cleaned, "{}", text.escape_unicode());
            assert_eq!(clean(cleaned), cleaned, "{}", text.escape_unicode());
        }
    }

    #[test]
    fn what_the_quick_look_passes_has_nothing_to_clean() {
        for c in ('\0'..='\u{7f}').filter(|c| matches!(c, ' '..='~' | '\t' | '\n')) {
            assert!(!is_control(c) && !is_bidi(c) && !is_invisible(c) && !is_odd_newline(c), "{}", c.escape_unicode());
        }
    }

    #[test]
    fn what_languages_and_pictures_need_stays() {
        for text in [
            "tab\tline\nreturn\r\n",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{2764}\u{fe0f}\u{200d}\u{1f525} 1\u{fe0f}\u{20e3} \u{1f44d}\u{1f3fd}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} \u{1f3f3}\u{fe0f}\u{200d}\u{1f308} \u{1f1eb}\u{1f1f7}",
            "\u{0645}\u{06cc}\u{200c}\u{062e}\u{0648}\u{0627}\u{0647}\u{0645}",
            "\u{0915}\u{094d}\u{200d}\u{0937} \u{0995}\u{09cd}\u{200c}\u{09b7}",
            "\u{05e9}\u{05dc}\u{05d5}\u{05dd}\u{200f} \u{200e}(a) \u{05d0}\u{200f}\u{200e}a",
            "\u{845b}\u{e0100}\u{57ce} \u{2229}\u{fe00}",
            "Donau\u{ad}dampf\u{ad}schiff e\u{301} \u{2211}\u{1d465}",
            "\u{2800}\u{2801}\u{2800}\u{2800}\n\u{2800}\u{28ff}",
            "\u{1780}\u{200b}\u{1781}",
        ] {
            assert!(matches!(clean(text), Cow::Borrowed(_)), "{}", text.escape_unicode());
        }
    }
}
