//! What a text says once the disguises that plain fixtures use are taken off: encodings, hidden characters,
//! letters of other alphabets, digits for letters, letters set apart.
//!
//! The readings of the oracles serve here too: none that judges what is flagged reads a word.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::oracle::skeleton::{is_invisible, skeleton};
use crate::oracle::view::{self, View};

/// The shortest run of base64 letters or hexadecimal digits that is looked into, in characters.
const SHORTEST_RUN: usize = 24;

/// What a text is in one encoding or another, each tried once over the whole of it. None is longer than the text.
pub(super) fn decoded(text: &str) -> Vec<String> {
    let mut all = runs(text);
    if text.contains('\n') {
        // A long run may be wrapped over lines.
        all.extend(runs(&text.replace(['\r', '\n'], "")));
    }
    if text.contains('%') {
        all.push(percent_undone(text));
    }
    if text.contains('&') {
        all.push(view::read(text, View::EntitiesUndone));
    }
    if text.contains('\\') {
        all.push(view::read(text, View::JsonUnescaped));
    }
    all.retain(|decoded| decoded != text);
    all
}

/// Each run of base64 letters or hexadecimal digits, decoded where it holds text. What is decoded is shorter
/// than its run, so the layers together are linear in the text.
fn runs(text: &str) -> Vec<String> {
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&alphabet::STANDARD, lenient);
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_')))
        .filter(|run| run.len() >= SHORTEST_RUN)
        .filter_map(|run| {
            let bytes = hex_undone(run).or_else(|| engine.decode(run.replace('-', "+").replace('_', "/")).ok())?;
            // A word right behind the run is no part of it.
            let text = String::from_utf8(bytes).unwrap_or_else(|error| {
                let valid = error.utf8_error().valid_up_to();
                String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned()
            });
            (text.len() >= SHORTEST_RUN / 2).then_some(text)
        })
        .collect()
}

fn hex_undone(run: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = run.as_bytes().chunks(2);
    pairs.map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?)).collect()
}

fn percent_undone(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let undone = rest.get(at + 1..at + 3).and_then(hex_undone).filter(|byte| byte.len() == 1);
        let length = if undone.is_some() { 3 } else { 1 };
        bytes.extend(undone.unwrap_or_else(|| vec![b'%']));
        rest = &rest[at + length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text as it may be read, in lower case. Hidden characters may stand inside a word or between two, so both
/// readings are given.
pub(super) fn readings(text: &str) -> Vec<String> {
    let hidden = |c: char| is_invisible(c) && !matches!(c, '\n' | '\t' | '\r');
    let plain = |text: &str| {
        if text.is_ascii() { text.to_ascii_lowercase() } else { skeleton(text).into_iter().map(|(c, _)| c).collect() }
    };
    let mut all: Vec<String> = Vec::new();
    if text.chars().any(hidden) {
        all.push(plain(&text.chars().map(|c| if hidden(c) { ' ' } else { c }).collect::<String>()));
        all.push(plain(&text.chars().filter(|c| !hidden(*c)).collect::<String>()));
    } else {
        all.push(plain(text));
    }
    for at in 0..all.len() {
        let read = &all[at];
        let others = [digits_as_letters(read), letters_joined(read)];
        all.extend(others.into_iter().flatten());
    }
    all
}

/// The text with the digits and signs that stand in words read as the letters they look like; nothing where
/// none does.
fn digits_as_letters(text: &str) -> Option<String> {
    let letter = |c| match c {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        c => c,
    };
    let mixed = |word: &str| word.contains(|c| letter(c) != c) && word.contains(char::is_alphabetic);
    let read = |word: &str| if mixed(word) { word.chars().map(letter).collect() } else { word.to_owned() };
    text.split(char::is_whitespace).any(mixed).then(|| text.split_inclusive(char::is_whitespace).map(read).collect())
}

/// The text with letters that stand alone, one space or sign between them, put together into words; nothing
/// where no four do.
fn letters_joined(text: &str) -> Option<String> {
    const FEWEST: usize = 4;
    let letters: Vec<char> = text.chars().collect();
    let mut joined = String::with_capacity(text.len());
    let mut any = false;
    let mut at = 0;
    while at < letters.len() {
        let alone = |at: usize| {
            let neighbour = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(|c| c.is_alphanumeric());
            letters.get(at).is_some_and(|c| c.is_alphabetic())
                && !neighbour(at.checked_sub(1))
                && !neighbour(at.checked_add(1))
        };
        let length = (0..).take_while(|index| alone(at + 2 * index)).count();
        if length >= FEWEST {
            joined.extend((0..length).map(|index| letters[at + 2 * index]));
            any = true;
            at += 2 * length - 1;
        } else {
            joined.push(letters[at]);
            at += 1;
        }
    }
    any.then_some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_is_undone() {
        const PLAIN: &str = "the tide table of the pier";
        for text in [
            "dGhlIHRpZGUgdGFibGUgb2YgdGhlIHBpZXI=",
            "dGhlIHRpZGUgdGFibGUgb2YgdGhlIHBpZXI",
            "7468652074696465207461626c65206f662074686520706965 72".replace(' ', "").as_str(),
            "%74he%20tide%20table%20of%20the%20pier",
            "the&#32;tide&nbsp;table of the pier".replace("&nbsp;", "&#x20;").as_str(),
            "the\\u0020tide table of the pier",
        ] {
            assert!(decoded(text).iter().any(|decoded| decoded == PLAIN), "{text}: {:?}", decoded(text));
        }
        assert!(decoded(PLAIN).is_empty());
        assert_eq!(decoded("100 % of 5%"), Vec::<String>::new());
    }

    #[test]
    fn each_disguise_is_taken_off() {
        for (text, read) in [
            ("low\u{0}tide", "low tide"),
            ("lo\u{200b}w tide", "low tide"),
            ("\u{ff2c}\u{ff4f}\u{ff57} t\u{456}de", "low tide"),
            ("LOW Tide", "low tide"),
            ("l0w t1d3", "low tide"),
            ("l o w t i d e at six", "lowtide at six"),
            ("t-i-d-e  t-a-b-l-e", "tide  table"),
        ] {
            assert!(readings(text).iter().any(|one| one == read), "{text:?}: {:?}", readings(text));
        }
        assert_eq!(readings("a b c at 7"), ["a b c at 7"]);
    }
}
