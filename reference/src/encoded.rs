//! Runs of text that are other text, encoded: base64 in its variants, base32, and hexadecimal digits.
//!
//! Decoding is for scanning alone. Nothing decoded is ever delivered.

use std::ops::Range;

/// The shortest run that is decoded, in letters of the encoding.
const SHORTEST: usize = 16;
/// How many bytes are decoded before it is asked whether they are text.
const TASTE: usize = 96;

/// A run that decodes to text.
pub(crate) struct Decoded {
    /// Where the run stands, in bytes.
    pub(crate) place: Range<usize>,
    /// What it was encoded in.
    pub(crate) via: &'static str,
    /// What it says.
    pub(crate) text: String,
}

/// The encoded runs of a text, in its order. At most `budget` bytes are decoded, and what was is taken from it.
pub(crate) fn runs(text: &str, budget: &mut usize) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut letters = Vec::new();
    // The lines of a wrapped run: where each stands, and where its letters begin among all.
    let mut lines: Vec<(Range<usize>, usize)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !is_letter(bytes[at]) {
            at += 1;
            continue;
        }
        letters.clear();
        lines.clear();
        loop {
            let from = at;
            lines.push((from..from, letters.len()));
            at += bytes[at..].iter().take_while(|byte| is_letter(**byte)).count();
            letters.extend_from_slice(&bytes[from..at]);
            if let Some((line, _)) = lines.last_mut() {
                line.end = at;
            }
            // A wrapped run goes on in the next line.
            match line_break(&bytes[at..]) {
                0 => break,
                length => at += length,
            }
        }
        let place = lines[0].0.start..at;
        if letters.len() < SHORTEST {
            continue;
        }
        // What goes on in the next line may be the words after the run, which show in encodings of few letters.
        if !by_few_letters(&letters, &place, budget, &mut found) && lines.len() > 1 {
            for (line, first) in &lines {
                by_few_letters(&letters[*first..first + line.len()], line, budget, &mut found);
            }
        }
        // A run may begin with letters that are no part of it, so each of the four phases is tried.
        for phase in 0..4 {
            if let Some(text) = unbase64(&letters[phase..], budget) {
                found.push(Decoded { place: place.clone(), via: "base64", text });
            }
        }
    }
    found
}

/// Reads letters as hexadecimal digits and as base32; false where they are neither by their looks.
fn by_few_letters(letters: &[u8], place: &Range<usize>, budget: &mut usize, found: &mut Vec<Decoded>) -> bool {
    if letters.len() < SHORTEST {
        return false;
    }
    let (is_hex, is_base32) = (letters.iter().all(u8::is_ascii_hexdigit), is_base32(letters));
    let hex = is_hex.then(|| unhex(letters, budget)).flatten().map(|text| ("hex", text));
    let base32 = is_base32.then(|| unbase32(letters, budget)).flatten().map(|text| ("base32", text));
    found.extend(hex.into_iter().chain(base32).map(|(via, text)| Decoded { place: place.clone(), via, text }));
    is_hex || is_base32
}

/// Whether it is a letter of base64, standard or for URLs.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The length of a line break with its indentation, if a letter follows; 0 otherwise.
fn line_break(bytes: &[u8]) -> usize {
    let newline = usize::from(bytes.first() == Some(&b'\r'));
    if bytes.get(newline) != Some(&b'\n') {
        return 0;
    }
    let length = newline + 1 + bytes[newline + 1..].iter().take(8).take_while(|byte| **byte == b' ').count();
    if bytes.get(length).copied().is_some_and(is_letter) { length } else { 0 }
}

fn unhex(letters: &[u8], budget: &mut usize) -> Option<String> {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
    decode(letters, 2, budget, |pair, out| {
        // A last digit without its partner is no byte.
        if let [high, low] = pair {
            out.push(digit(*high) << 4 | digit(*low));
        }
    })
}

/// Whether it is base32 by its letters, which are those of one case.
fn is_base32(letters: &[u8]) -> bool {
    let digit = |byte: &u8| matches!(byte, b'2'..=b'7');
    letters.iter().all(|byte| byte.is_ascii_uppercase() || digit(byte))
        || letters.iter().all(|byte| byte.is_ascii_lowercase() || digit(byte))
}

fn unbase32(letters: &[u8], budget: &mut usize) -> Option<String> {
    let quintet =
        |byte: u8| u64::from(if byte.is_ascii_digit() { byte - b'2' + 26 } else { byte.to_ascii_lowercase() - b'a' });
    decode(letters, 8, budget, |group, out| {
        let bits = group.iter().fold(0, |bits, byte| bits << 5 | quintet(*byte)) << (5 * (8 - group.len()));
        // Eight quintets are five bytes; of a last group, the bytes that it fills.
        out.extend_from_slice(&bits.to_be_bytes()[3..3 + group.len() * 5 / 8]);
    })
}

fn unbase64(letters: &[u8], budget: &mut usize) -> Option<String> {
    let sextet = |byte: u8| -> u32 {
        match byte {
            b'A'..=b'Z' => u32::from(byte - b'A'),
            b'a'..=b'z' => u32::from(byte - b'a') + 26,
            b'0'..=b'9' => u32::from(byte - b'0') + 52,
            b'+' | b'-' => 62,
            _ => 63,
        }
    };
    decode(letters, 4, budget, |group, out| {
        let bits = group.iter().fold(0, |bits, byte| bits << 6 | sextet(*byte)) << (6 * (4 - group.len()));
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    })
}

/// Decodes group by group, and gives up early on what is no text.
fn decode(letters: &[u8], size: usize, budget: &mut usize, group: impl Fn(&[u8], &mut Vec<u8>)) -> Option<String> {
    let mut out = Vec::with_capacity(TASTE + 4);
    let mut groups = letters.chunks(size);
    for letters in groups.by_ref() {
        group(letters, &mut out);
        if out.len() >= TASTE {
            break;
        }
    }
    if !is_text(&out) || *budget < letters.len() {
        return None;
    }
    *budget -= letters.len();
    out.reserve(letters.len());
    for letters in groups {
        group(letters, &mut out);
    }
    text_of(&out)
}

/// The text that bytes are, if they are text or almost.
pub(crate) fn text_of(bytes: &[u8]) -> Option<String> {
    // UTF-16, as some shells have it, is text with every other byte nothing; the views pass over those.
    is_text(bytes).then(|| String::from_utf8_lossy(bytes).into_owned())
}

/// Whether bytes are text, or almost: seven of ten are printable, or they are UTF-16 or UTF-8 of another script.
fn is_text(bytes: &[u8]) -> bool {
    let printable = bytes.iter().filter(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t')).count();
    let nothing = bytes.iter().filter(|byte| **byte == 0).count();
    printable * 10 >= bytes.len() * 7
        || (printable * 5 >= bytes.len() * 2 && (printable + nothing) * 10 >= bytes.len() * 9)
        || (printable * 3 >= bytes.len() && is_utf8_but_for_the_end(bytes))
}

/// Whether it is UTF-8, perhaps cut inside its last letter.
fn is_utf8_but_for_the_end(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to() + 4 > bytes.len(), |_| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(&'static str, String)> {
        let mut budget = 10_000;
        runs(text, &mut budget).into_iter().map(|run| (run.via, run.text)).collect()
    }

    #[test]
    fn each_variant_is_read() {
        let order = "drop all of it now!?";
        for text in [
            "see ZHJvcCBhbGwgb2YgaXQgbm93IT8= there",
            "ZHJvcCBhbGwgb2YgaXQgbm93IT8",
            "data:text/plain;base64,ZHJvcCBhbGwg\r\n b2YgaXQgbm93IT8=",
            "x/ZHJvcCBhbGwgb2YgaXQgbm93IT8=",
        ] {
            assert!(read(text).iter().any(|(via, read)| *via == "base64" && read.ends_with(order)), "{text}");
        }
        assert!(read("64726f7020616c6c206f66206974206e6f7721").contains(&("hex", "drop all of it now!".to_owned())));
        assert!(read("64726f7020616c6c206f66206974206e6f77217").contains(&("hex", "drop all of it now!".to_owned())));
        for text in ["MRZG64BAMFWGYIDPMYQGS5BANZXXOIJ7", "mrzg64bamfwgyidpmyqgs5banzxxoij7"] {
            assert!(read(text).contains(&("base32", order.to_owned())), "{text}");
        }
        assert!(
            read("64726f7020616c6c206f66206974206e6f7721\nThe end")
                .contains(&("hex", "drop all of it now!".to_owned()))
        );
        let wide = "ZAByAG8AcAAgAGEAbABsACAAbwBmACAAaQB0AA==";
        assert!(read(wide)[0].1.replace('\0', "").starts_with("drop all of it"));
    }

    #[test]
    fn what_is_no_text_is_not_read() {
        assert!(read("iVBORw0KGgoAAAANSUhEUgD/2f+9/8z/3v/t/+//7v9n/2D/+f+N/6v/").is_empty());
        assert!(read("short").is_empty());
    }

    #[test]
    fn the_budget_holds() {
        let text = "ZHJvcCBhbGwgb2YgaXQgbm93IT8= ".repeat(100);
        let mut budget = 100;
        assert_eq!(runs(&text, &mut budget).len(), 3);
        assert!(budget < 28);
    }
}
