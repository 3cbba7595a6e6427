//! How a text looks to a reader who is not fooled by its letters.
//!
//! Two views are made of each text: one for markers, which keeps case and spacing, and one for words, which keeps
//! neither. What can be read as ASCII is ASCII in both; patterns run over their bytes, so that they are as fast in any
//! language.

use std::borrow::Cow;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use crate::character::{is_control, is_invisible, is_odd_newline, is_passed_over, is_selector};
use crate::lookalike::{boxed, lookalike};
use crate::view::View;

/// The inline tags of HTML that part no words, bare of attributes; those with attributes may hold an order themselves.
const INLINE: &[&str] = &[
    "a", "b", "bdi", "bdo", "big", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "nobr", "q", "s",
    "small", "span", "strong", "sub", "sup", "tt", "u", "wbr",
];

/// What a control character, or another that is not seen, is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Controls {
    /// Nothing: what stands around it is one word.
    Nothing,
    /// A space: what stands around it are two words.
    Space,
    /// What a terminal does at it: a backspace takes back the character before it.
    Obeyed,
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

/// The text as orders are looked for in it: lower-case words, in ASCII where they can be, parted by one space or newline.
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
        // Emphasis and code marks of Markdown and HTML stand inside sentences and are no part of them.
        if matches!(c, '*' | '`') {
            continue;
        }
        if c == '<' {
            match inline_tag(&bytes[piece.start..]) {
                0 => view.copy(piece.start, "<"),
                length => at += length - 1,
            }
            continue;
        }
        if c == '\u{1b}' || c == '\u{9b}' {
            let length = escape_sequence(&bytes[at..], c == '\u{9b}');
            if length > 0 {
                at += length;
                continue;
            }
        }
        if c == '\u{8}' && controls == Controls::Obeyed {
            view.pop();
            continue;
        }
        let is_break = c == '\n' || c == '\r' || is_odd_newline(c);
        if is_break || c.is_whitespace() || (controls == Controls::Space && is_unseen(c)) {
            space(&mut view, piece.start, &text[piece], is_break);
        } else if !is_passed_over(c) {
            in_lower_case(c, |letter| view.put(piece.clone(), letter));
        }
    }
    let mut words = std::mem::replace(&mut view.text, Cow::Borrowed("")).into_owned();
    words.make_ascii_lowercase();
    view.text = Cow::Owned(words);
    view
}

fn is_word_byte(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && !matches!(byte, b'*' | b'`' | b'<')
}

/// Whether a character that is not seen may stand between two words.
pub(crate) fn is_unseen(c: char) -> bool {
    is_control(c) || (is_invisible(c) && !is_selector(c) && !matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}'))
}

/// The length of what a terminal takes for the rest of a control sequence that was begun, such as a colour.
fn escape_sequence(bytes: &[u8], is_begun: bool) -> usize {
    let bracket = usize::from(!is_begun);
    if !is_begun && bytes.first() != Some(&b'[') {
        return 0;
    }
    // A parameter has a few digits; more than this is no sequence that a terminal knows.
    let digits = bytes[bracket..].iter().take(24).take_while(|byte| matches!(byte, b'0'..=b'?')).count();
    match bytes.get(bracket + digits) {
        Some(b'@'..=b'~') => bracket + digits + 1,
        _ => 0,
    }
}

/// The length of the bare inline tag at the start; 0 where there is none.
fn inline_tag(bytes: &[u8]) -> usize {
    let name = if bytes.get(1) == Some(&b'/') { 2 } else { 1 };
    // The longest name has six letters.
    let letters = bytes[name..].iter().take(7).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let found = &bytes[name..name + letters];
    if bytes.get(name + letters) == Some(&b'>') && INLINE.iter().any(|tag| tag.as_bytes().eq_ignore_ascii_case(found)) {
        name + letters + 1
    } else {
        0
    }
}

/// The letters of a pattern as [`for_words`] shows those of a text. Whatever is ASCII means something to the pattern.
pub(crate) fn pattern(written: &str) -> String {
    let mut folded = String::with_capacity(written.len());
    for c in written.chars() {
        if c.is_ascii() { folded.push(c) } else { in_lower_case(c, |letter| folded.push(letter)) }
    }
    folded
}

/// The plain form of a character that is not ASCII, in lower case.
fn in_lower_case(c: char, mut emit: impl FnMut(char)) {
    plain(c, |letter| {
        if letter.is_ascii() { emit(letter.to_ascii_lowercase()) } else { letter.to_lowercase().for_each(&mut emit) }
    });
}

/// Parts two words, unless they are parted already. A newline goes before a space.
fn space(view: &mut View<'_>, from: usize, piece: &str, is_break: bool) {
    match view.text.as_bytes().last() {
        Some(b'\n') => {}
        Some(b' ') if is_break => {
            view.pop();
            view.put(from..from + piece.len(), '\n');
        }
        Some(b' ') => {}
        _ if piece == " " => view.copy(from, " "),
        _ => view.put(from..from + piece.len(), if is_break { '\n' } else { ' ' }),
    }
}

/// The plain form of a character: compatibility forms undone, marks above and below left out, look-alikes replaced.
fn plain(c: char, mut emit: impl FnMut(char)) {
    if let Some(letter) = boxed(c) {
        return letter.chars().for_each(emit);
    }
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
        assert_eq!(words("ig\0nore \u{6f22} \u{416}"), "ignore \u{6f22} \u{436}");
        assert_eq!(words("<b>ig</b>no<wbr>re <BR> <b class=x>it</Span>"), "ignore <br> <b class=x>it");
        assert_eq!(for_words("ig\0nore\u{200b}it", Controls::Space).text, "ig nore it");
        assert_eq!(for_words("igx\u{8}no\u{8}ore \u{8}\u{8}", Controls::Obeyed).text, "ignor");
        assert_eq!(words("\u{1b}[1;36mall\u{1b}[0m \u{9b}1mof\u{1b}[ it"), "all of[ it");
        assert_eq!(for_words("all\u{1b}of it", Controls::Space).text, "all of it");
        assert_eq!(words("\u{24a4}\u{24a2}nore"), "ignore");
    }

    #[test]
    fn a_word_leads_back_to_its_letters() {
        let text = "\u{6f22}  \u{ff29}\u{200b}gnore it";
        let view = for_words(text, Controls::Nothing);
        let at = view.text.find("ignore").unwrap();
        assert_eq!(&text[view.source(&(at..at + 6))], "\u{ff29}\u{200b}gnore");
    }
}
