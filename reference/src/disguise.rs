//! Words that a reader still makes out: cut by tags or at the end of a line, in digits, shifted or written backwards.
//!
//! Each of these is looked for only where something in the text speaks for it; ordinary text pays for a glance.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::view::View;

/// The most blanks before a word that goes on in the next line.
const INDENT: usize = 8;
/// The longest tag that is looked through, in bytes.
const LONGEST_TAG: usize = 256;

/// Words that orders are made of and that say what a text is when they stand in it backwards or shifted.
const TELLING: &[&str] = &[
    "ignore",
    "disregard",
    "forget",
    "previous",
    "instruct",
    "password",
    "credential",
    "system",
    "assistant",
    "you are",
    "you must",
    "api key",
    "secret",
    "token",
];

/// The words with digits and signs beside letters read as the letters they stand for; `None` where there are none.
pub(crate) fn without_digits(words: &[u8]) -> Option<Vec<u8>> {
    let letter = |byte: u8| match byte {
        b'0' => Some(b'o'),
        b'1' | b'!' => Some(b'i'),
        b'3' => Some(b'e'),
        b'4' | b'@' => Some(b'a'),
        b'5' | b'$' => Some(b's'),
        b'7' => Some(b't'),
        b'8' => Some(b'b'),
        b'9' => Some(b'g'),
        _ => None,
    };
    let is_letter = |at: usize| words.get(at).is_some_and(u8::is_ascii_lowercase);
    let mut spelled: Option<Vec<u8>> = None;
    for (at, byte) in words.iter().enumerate() {
        // An exclamation mark ends sentences, so it needs a letter after it.
        let beside = is_letter(at + 1) || (*byte != b'!' && at > 0 && is_letter(at - 1));
        if let Some(letter) = letter(*byte).filter(|_| beside) {
            spelled.get_or_insert_with(|| words.to_vec())[at] = letter;
        }
    }
    spelled
}

/// The text without its tags and comments, if one of them cuts a word; `None` otherwise.
pub(crate) fn without_tags(text: &str) -> Option<View<'static>> {
    let bytes = text.as_bytes();
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let (mut view, mut copied, mut at, mut cuts) = (None, 0, 0, false);
    while let Some(offset) = bytes[at..].iter().position(|byte| *byte == b'<') {
        let start = at + offset;
        let Some(length) = tag(&bytes[start..]) else {
            at = start + 1;
            continue;
        };
        let view = view.get_or_insert_with(|| View::with_capacity(text.len()));
        view.copy(copied, &text[copied..start]);
        at = start + length;
        copied = at;
        if start > 0 && is_letter(start - 1) && is_letter(at) {
            cuts = true;
        } else {
            view.put(start..at, ' ');
        }
    }
    let mut view: View<'static> = view.filter(|_| cuts)?;
    view.copy(copied, &text[copied..]);
    Some(view)
}

/// The length of the tag or comment at the start.
fn tag(bytes: &[u8]) -> Option<usize> {
    let near = &bytes[..bytes.len().min(LONGEST_TAG)];
    if near.starts_with(b"<!--") {
        return near.windows(3).skip(2).position(|end| end == b"-->").map(|at| at + 5);
    }
    let name = if near.get(1) == Some(&b'/') { 2 } else { 1 };
    near.get(name).filter(|byte| byte.is_ascii_alphabetic())?;
    let end = near[name..].iter().position(|byte| matches!(byte, b'<' | b'>'))? + name;
    (near[end] == b'>').then_some(end + 1)
}

/// The text with words put together that a hyphen parts at the end of a line; `None` where there are none.
pub(crate) fn without_breaks(text: &str) -> Option<View<'static>> {
    let bytes = text.as_bytes();
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let (mut view, mut copied) = (None, 0);
    for (at, _) in text.match_indices('-') {
        let end = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'\r'));
        if at == 0 || at < copied || !is_letter(at - 1) || bytes.get(end) != Some(&b'\n') {
            continue;
        }
        let next = end + 1 + bytes[end + 1..].iter().take(INDENT).take_while(|byte| **byte == b' ').count();
        if is_letter(next) {
            view.get_or_insert_with(|| View::with_capacity(text.len())).copy(copied, &text[copied..at]);
            copied = next;
        }
    }
    let mut view = view?;
    view.copy(copied, &text[copied..]);
    Some(view)
}

/// The text with each letter moved by thirteen, if that makes telling words of it.
pub(crate) fn shifted(text: &str) -> Option<String> {
    static SHIFTED: LazyLock<AhoCorasick> = LazyLock::new(|| telling(|word| word.bytes().map(shift).collect()));
    SHIFTED
        .is_match(text)
        .then(|| text.chars().map(|c| u8::try_from(c).map_or(c, |byte| char::from(shift(byte)))).collect())
}

/// The text backwards, if that makes telling words of it.
pub(crate) fn backwards(text: &str) -> Option<String> {
    static BACKWARDS: LazyLock<AhoCorasick> = LazyLock::new(|| telling(|word| word.bytes().rev().collect()));
    BACKWARDS.is_match(text).then(|| text.chars().rev().collect())
}

/// The text upside down: backwards, each letter as the one that it is when turned; `None` where none is turned.
pub(crate) fn upside_down(text: &str) -> Option<String> {
    // The rarest of these, and of the commonest letter: without it no order was turned.
    if !text.contains('\u{1dd}') {
        return None;
    }
    let turned = |c: char| match c {
        '\u{250}' => 'a',
        'q' => 'b',
        '\u{254}' => 'c',
        'p' => 'd',
        '\u{1dd}' => 'e',
        '\u{25f}' => 'f',
        '\u{183}' | '\u{253}' => 'g',
        '\u{265}' => 'h',
        '\u{131}' | '\u{1d09}' => 'i',
        '\u{27e}' | '\u{638}' => 'j',
        '\u{29e}' => 'k',
        '\u{5df}' | '\u{a781}' => 'l',
        '\u{26f}' => 'm',
        'u' => 'n',
        'd' => 'p',
        'b' => 'q',
        '\u{279}' => 'r',
        '\u{287}' => 't',
        'n' => 'u',
        '\u{28c}' => 'v',
        '\u{28d}' => 'w',
        '\u{28e}' => 'y',
        other => other,
    };
    Some(text.chars().rev().map(turned).collect())
}

fn telling(disguise: impl Fn(&str) -> Vec<u8>) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(TELLING.iter().map(|word| disguise(word)))
        .expect("a few short words make an automaton")
}

/// The letter of ASCII half an alphabet away; all else as it is.
fn shift(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => (byte - b'a' + 13) % 26 + b'a',
        b'A'..=b'Z' => (byte - b'A' + 13) % 26 + b'A',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_tags_cut_are_whole_without_them() {
        let read = |text| without_tags(text).map(|view| view.text.into_owned());
        assert_eq!(read("<p>dr<i id=x>op</i>&<br>it <!-- -->a<!-- x -->b").as_deref(), Some(" drop & it  ab"));
        for ordinary in ["<p>drop</p> <b>it</b>", "a < b > c", "a<b", "<!-- drop"] {
            assert_eq!(read(ordinary), None, "{ordinary}");
        }
    }

    #[test]
    fn words_that_are_broken_at_the_end_of_a_line_are_whole() {
        let read = |text| without_breaks(text).map(|view| view.text.into_owned());
        assert_eq!(read("dr-\nop a-\r\n  ll - \nof -\nit-\n").as_deref(), Some("drop all - \nof -\nit-\n"));
        assert_eq!(read("- drop\n- it"), None);
    }

    #[test]
    fn text_upside_down_is_turned() {
        let text = "\u{287}\u{131} \u{279}\u{1dd}\u{28c}o do\u{279}p";
        assert_eq!(upside_down(text).as_deref(), Some("drop over it"));
        assert_eq!(upside_down("drop over it"), None);
    }

    #[test]
    fn shifted_and_backward_text_is_turned_where_it_tells() {
        assert_eq!(shifted("VTABER gur yvfg, \u{e9}!").as_deref(), Some("IGNORE the list, \u{e9}!"));
        assert_eq!(shifted("ignore the list"), None);
        assert_eq!(backwards("\u{e9} tsil eht ERONGI").as_deref(), Some("IGNORE the list \u{e9}"));
        assert_eq!(backwards("ignore the list"), None);
    }
}
