//! How a text looks to a reader who is not fooled by its letters.
//!
//! Two views are made of each text: one for markers, which keeps case and spacing, and one for words, which keeps
//! neither and is plain ASCII, so that patterns run over it at their full speed whatever the language.

use std::borrow::Cow;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use crate::character::{is_control, is_odd_newline, is_passed_over};
use crate::lookalike::lookalike;
use crate::view::View;

/// What stands in the view for words where a letter is not one of ASCII.
///
/// It is a control character, so no text can bring it along: those are read as nothing or as a space.
pub(crate) const OTHER: char = '\u{1}';

/// What a control character is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Controls {
    /// Nothing: what stands around it is one word.
    Nothing,
    /// A space: what stands around it are two words.
    Space,
}

/// The text as markers are looked for in it: nothing unseen, and each letter in its plain form.
pub(crate) fn for_markers(text: &str) -> View<'_> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')) {
        return View::same(text);
    }
    let mut view = View::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let piece = at..at + c.len_utf8();
        if is_passed_over(c) {
            continue;
        }
        if c.is_ascii() {
            view.copy(at, &text[piece]);
        } else if is_odd_newline(c) {
            view.put(piece, '\n');
        } else if c.is_whitespace() {
            view.put(piece, ' ');
        } else {
            plain(c, |letter| view.put(piece.clone(), letter));
        }
    }
    view
}

/// The text as orders are looked for in it: lower-case ASCII words, parted by one space or one newline.
pub(crate) fn for_words(text: &str, controls: Controls) -> View<'_> {
    let mut view = View::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        while at < bytes.len() && is_word_byte(bytes[at]) {
            at += 1;
        }
        if at > from {
            view.copy(from, &text[from..at]);
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        let piece = at..at + c.len_utf8();
        at = piece.end;
        // Emphasis and code marks of Markdown stand inside sentences and are no part of them.
        if matches!(c, '*' | '`') {
            continue;
        }
        let is_break = c == '\n' || c == '\r' || is_odd_newline(c);
        if is_break || c.is_whitespace() || (is_control(c) && controls == Controls::Space) {
            space(&mut view, piece.start, &text[piece], is_break);
        } else if !is_passed_over(c) {
            plain(c, |letter| view.put(piece.clone(), if letter.is_ascii() { letter } else { OTHER }));
        }
    }
    let mut words = std::mem::replace(&mut view.text, Cow::Borrowed("")).into_owned();
    words.make_ascii_lowercase();
    view.text = Cow::Owned(words);
    view
}

fn is_word_byte(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && !matches!(byte, b'*' | b'`')
}

/// Parts two words, unless they are parted already. A newline goes before a space.
fn space(view: &mut View<'_>, from: usize, piece: &str, is_break: bool) {
    match view.text.as_bytes().last() {
        Some(b'\n') => {}
        Some(b' ') if is_break => {
            let text = view.text.to_mut();
            text.pop();
            text.push('\n');
        }
        Some(b' ') => {}
        _ if piece == " " => view.copy(from, " "),
        _ => view.put(from..from + piece.len(), if is_break { '\n' } else { ' ' }),
    }
}

/// The plain form of a character: compatibility forms undone, marks above and below left out, look-alikes replaced.
fn plain(c: char, mut emit: impl FnMut(char)) {
    decompose_compatible(c, |part| {
        // A letter may decompose into parts that are themselves passed over.
        if is_combining_mark(part) || is_passed_over(part) {
            return;
        }
        match lookalike(part) {
            Some(letters) => letters.chars().for_each(&mut emit),
            None => emit(part),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read_through_every_disguise() {
        for disguised in [
            "<|im_start|>",
            "\u{ff1c}\u{ff5c}im_start\u{ff5c}\u{ff1e}",
            "<|im_\u{200b}st\0art|>",
            "<|\u{ad}im_st\u{430}rt|>",
            "\u{2039}|im_start|\u{203a}",
            "<|i\u{301}m_start|>",
        ] {
            assert_eq!(for_markers(disguised).text, "<|im_start|>", "{}", disguised.escape_unicode());
        }
    }

    #[test]
    fn words_are_read_through_case_spacing_and_alphabets() {
        let words = |text| for_words(text, Controls::Nothing).text.into_owned();
        assert_eq!(words("IGNORE \t **previous**\r\n\u{a0}rules"), "ignore previous\nrules");
        assert_eq!(words("\u{456}gn\u{43e}re"), "ignore");
        assert_eq!(words("\u{ff29}\u{ff47}nore"), "ignore");
        assert_eq!(words("\u{1d422}gnore \u{17f}ystem"), "ignore system");
        assert_eq!(words("ig\0nore \u{6f22}"), "ignore \u{1}");
        assert_eq!(for_words("ig\0nore", Controls::Space).text, "ig nore");
    }

    #[test]
    fn a_word_leads_back_to_its_letters() {
        let text = "\u{6f22}  \u{ff29}\u{200b}gnore it";
        let view = for_words(text, Controls::Nothing);
        let at = view.text.find("ignore").unwrap();
        assert_eq!(&text[view.source(&(at..at + 6))], "\u{ff29}\u{200b}gnore");
    }
}
