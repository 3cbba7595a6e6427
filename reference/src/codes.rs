//! Lists of numbers that are the codes of letters.

use std::ops::Range;

use crate::encoded::{Decoded, text_of};

/// The fewest numbers that are read as a text.
const SHORTEST: usize = 12;
/// The most characters that may stand between two numbers.
const BETWEEN: usize = 6;
/// The most digits of a number: a letter in bits has eight.
const LONGEST: usize = 8;

/// The lists of codes in a text, read in each base that their digits allow.
pub(crate) fn lists(text: &str) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut numbers: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_hexdigit() {
            at += 1;
            continue;
        }
        if bytes[at] == b'0' && matches!(bytes.get(at + 1), Some(b'x' | b'X')) {
            at += 2;
        }
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_hexdigit() {
            at += 1;
        }
        let goes_on = match numbers[..] {
            [] => false,
            [ref only] => is_between(&bytes[only.end..start]),
            [ref first, ref second, ..] => {
                let gap = &bytes[numbers[numbers.len() - 1].end..start];
                is_between(gap) && signs(gap).eq(signs(&bytes[first.end..second.start]))
            }
        };
        let is_code = at - start <= LONGEST && !bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
        if !goes_on || !is_code {
            decode(text, &numbers, &mut found);
            // Of two numbers that are parted otherwise than the third, the second begins the list.
            let keep = match numbers[..] {
                [_, ref second] if is_code && is_between(&bytes[second.end..start]) => Some(second.clone()),
                _ => None,
            };
            numbers.clear();
            numbers.extend(keep);
        }
        if is_code {
            numbers.push(start..at);
        }
    }
    decode(text, &numbers, &mut found);
    found
}

/// Whether this parts the numbers of one list: blanks and commas, perhaps with what says that a number is a code.
fn is_between(bytes: &[u8]) -> bool {
    let blank = |byte: &u8| matches!(byte, b' ' | b',' | b';' | b':' | b'|' | b'-' | b'/' | b'\n' | b'\r' | b'\t');
    let rest = bytes.iter().position(|byte| !blank(byte)).map_or(&[][..], |at| &bytes[at..]);
    (1..=BETWEEN).contains(&bytes.len()) && matches!(rest, b"" | b"0x" | b"0X" | b"\\x" | b"u+" | b"U+" | b"$" | b"#")
}

/// What parts two numbers beside white space, which may be wrapped.
fn signs(between: &[u8]) -> impl Iterator<Item = &u8> {
    between.iter().filter(|byte| !byte.is_ascii_whitespace())
}

fn decode(text: &str, numbers: &[Range<usize>], found: &mut Vec<Decoded>) {
    let ([first, .., last], true) = (numbers, numbers.len() >= SHORTEST) else { return };
    let digits = || numbers.iter().map(|number| &text[number.clone()]);
    let mut note = |via, text: Option<String>| {
        found.extend(text.map(|text| Decoded { place: first.start..last.end, via, text }));
    };
    let readings = [
        ("binary", 2, digits().all(|digits| digits.len() == 8)),
        ("octal", 8, digits().all(|digits| digits.len() <= 3)),
        ("decimal", 10, digits().all(|digits| digits.len() <= 6)),
    ];
    for (via, radix, _) in readings.into_iter().filter(|(.., fits)| *fits) {
        note(via, text_of_codes(digits().map(|digits| u32::from_str_radix(digits, radix).ok())));
    }
    // A dump has two or four bytes a number, and a code point leading zeros: both are read byte by byte.
    if digits().all(|digits| digits.len() % 2 == 0) {
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Vec<u8> = digits()
            .flat_map(|digits| digits.as_bytes().chunks(2).filter_map(byte))
            .filter(|byte| *byte != 0)
            .collect();
        note("hex", text_of(&bytes));
    }
}

/// The text that codes spell, if each is that of a letter and most are those of ASCII.
pub(crate) fn text_of_codes(codes: impl Iterator<Item = Option<u32>>) -> Option<String> {
    let text: String = codes.map(|code| code.and_then(char::from_u32)).collect::<Option<_>>()?;
    let (mut all, mut printable) = (0_usize, 0_usize);
    for c in text.chars() {
        all += 1;
        printable += usize::from(matches!(c, ' '..='~' | '\n' | '\r' | '\t'));
    }
    (all >= SHORTEST && printable * 10 >= all * 7).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(&'static str, String)> {
        lists(text).into_iter().map(|found| (found.via, found.text)).collect()
    }

    #[test]
    fn each_base_is_read() {
        let order = "drop all of it";
        assert_eq!(read("block 9:\n64 72 6F 70 20 61 6C 6C 20 6F 66 20 69 74\nEnd 9"), [("hex", order.to_owned())]);
        let list = |code: &dyn Fn(u8) -> String, between: &str| {
            format!("see [{}] there", order.bytes().map(code).collect::<Vec<_>>().join(between))
        };
        for (via, text) in [
            ("decimal", list(&|byte| byte.to_string(), ", ")),
            ("decimal", list(&|byte| byte.to_string(), "\n")),
            ("hex", list(&|byte| format!("{byte:02x}"), " ")),
            ("hex", list(&|byte| format!("0x{byte:02X}"), ", ")),
            ("hex", list(&|byte| format!("U+{byte:04X}"), " ")),
            ("octal", list(&|byte| format!("{byte:03o}"), " ")),
            ("binary", list(&|byte| format!("{byte:08b}"), " ")),
        ] {
            assert!(read(&text).contains(&(via, order.to_owned())), "{text}: {:?}", read(&text));
        }
    }

    #[test]
    fn measurements_dates_and_addresses_are_no_texts() {
        for text in [
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14",
            "3.5 12.7 99.1 100.0",
            "de:ad:be:ef:00:11:22:33:44:55:66:77:88",
            "1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152",
            "",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }
}
