//! Texts told in characters that are not seen: tags, variation selectors, and two zero-width characters as bits.
//!
//! Neutralising takes them out of what is delivered. That they spell an order is worth a finding all the same.

use std::ops::Range;

use crate::character::is_invisible;
use crate::encoded::{Decoded, text_of};

/// The fewest characters that are read as a message. A flag is written with fewer tags.
const SHORTEST: usize = 8;
/// How many bits make a letter.
const BITS: usize = 8;

/// The messages that are hidden in a text.
pub(crate) fn messages(text: &str) -> Vec<Decoded> {
    // All of these are written with three or more bytes, the first of which is this or a greater one.
    if !text.bytes().any(|byte| byte >= 0xe2) {
        return Vec::new();
    }
    let mut found = Vec::new();
    found.extend(spelled(text, "tags", |c| match c {
        '\u{e0020}'..='\u{e007e}' => u8::try_from(u32::from(c) - 0xe0000).ok(),
        _ => None,
    }));
    found.extend(spelled(text, "selectors", |c| match c {
        '\u{fe00}'..='\u{fe0f}' => u8::try_from(u32::from(c) - 0xfe00).ok(),
        '\u{e0100}'..='\u{e01ef}' => u8::try_from(u32::from(c) - 0xe0100 + 16).ok(),
        _ => None,
    }));
    found.extend(bits(text));
    found
}

/// What the characters of one class spell, a byte each; others may stand between them.
fn spelled(text: &str, via: &'static str, byte: impl Fn(char) -> Option<u8>) -> Option<Decoded> {
    let (mut bytes, mut place) = (Vec::new(), None);
    for (at, c) in text.char_indices() {
        if let Some(byte) = byte(c) {
            bytes.push(byte);
            grow(&mut place, at..at + c.len_utf8());
        }
    }
    let place = place.filter(|_| bytes.len() >= SHORTEST)?;
    Some(Decoded { place, via, text: text_of(&bytes)? })
}

/// What the two first kinds of zero-width characters spell as bits, whichever of them is the one.
fn bits(text: &str) -> Vec<Decoded> {
    let (mut kinds, mut ones, mut place) = ([None; 2], Vec::new(), None);
    for (at, c) in text.char_indices() {
        if !is_bit(c) {
            continue;
        }
        let kind = match kinds {
            [Some(zero), _] if zero == c => 0,
            [None, _] => 0,
            [_, Some(one)] if one == c => 1,
            [_, None] => 1,
            _ => continue,
        };
        kinds[kind] = Some(c);
        ones.push(kind == 1);
        grow(&mut place, at..at + c.len_utf8());
    }
    let Some(place) = place.filter(|_| kinds[1].is_some() && ones.len() >= SHORTEST * BITS) else { return Vec::new() };
    let mut found = Vec::new();
    for flip in [false, true] {
        let bytes: Vec<u8> = ones
            .chunks_exact(BITS)
            .map(|bits| bits.iter().fold(0, |byte, one| byte << 1 | u8::from(*one != flip)))
            .collect();
        found.extend(text_of(&bytes).map(|text| Decoded { place: place.clone(), via: "zero-width", text }));
    }
    found
}

/// Whether it is one of the unseen characters that messages are told in, bit by bit.
fn is_bit(c: char) -> bool {
    is_invisible(c) && matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{180e}' | '\u{feff}')
}

fn grow(place: &mut Option<Range<usize>>, part: Range<usize>) {
    place.get_or_insert(part.start..part.end).end = part.end;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(&'static str, String)> {
        messages(text).into_iter().map(|found| (found.via, found.text)).collect()
    }

    #[test]
    fn each_carrier_is_read() {
        let order = "drop all of it";
        let by =
            |from: u32| order.bytes().filter_map(|byte| char::from_u32(from + u32::from(byte))).collect::<String>();
        assert_eq!(read(&format!("a{}b", by(0xe0000))), [("tags", order.to_owned())]);
        assert_eq!(read(&format!("a{}b", by(0xe0100 - 16))), [("selectors", order.to_owned())]);
        for (zero, one) in [('\u{200b}', '\u{200c}'), ('\u{2064}', '\u{2062}')] {
            let bits: String = order
                .bytes()
                .flat_map(|byte| (0..8).rev().map(move |bit| if byte >> bit & 1 == 1 { one } else { zero }))
                .collect();
            assert!(read(&format!("a{bits}b")).contains(&("zero-width", order.to_owned())));
        }
    }

    #[test]
    fn what_languages_and_pictures_need_is_no_message() {
        for text in [
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            &"\u{645}\u{6cc}\u{200c}\u{62e}".repeat(100),
            &"\u{2764}\u{fe0f}".repeat(100),
            "plain",
        ] {
            assert_eq!(read(text), [], "{}", text.escape_unicode());
        }
    }
}
