//! Text of a result in another form: a leak that is encoded, turned round or shouted is a leak.

use super::{ESCAPES, Judged, WINDOW, Windows, Wrong, unescaped, view};

/// The shortest run of base64 letters that can hold a window: four letters are three characters, and the
/// first and the last letter may be shared with a neighbour.
const SHORTEST_RUN: usize = WINDOW * 4 / 3 - 1;

/// A form in which text may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Each character, or some of them, as `%` and two hexadecimal digits.
    Percent,
    /// Base64 in either alphabet, padded or not, cut anywhere, wrapped or not.
    Base64,
    /// Two hexadecimal digits a character, in either case, in one run or set apart.
    Hex,
    /// The numbers of its bytes, as a debug form of bytes lists them.
    Bytes,
    /// From the last character to the first.
    Reversed,
    /// In another case than it has.
    OtherCase,
}

impl Form {
    const ALL: [Self; 6] = [Self::Percent, Self::Base64, Self::Hex, Self::Bytes, Self::Reversed, Self::OtherCase];

    const fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Hex => "hex",
            Self::Percent => "percent-encoding",
            Self::Bytes => "a list of bytes",
            Self::Reversed => "reverse",
            Self::OtherCase => "another case",
        }
    }

    /// Whether a text holds a window in this form, and not as it is.
    fn holds(self, windows: &Windows, text: &str) -> bool {
        match self {
            Self::OtherCase => windows.other_case_in(text).is_some(),
            // What has no `%` in it reads as it stands.
            Self::Percent => windows.first_in(text).is_none() && windows.first_in(&self.read(text)).is_some(),
            _ => windows.first_in(&self.read(text)).is_some(),
        }
    }

    /// What a text says to whoever reads it in this form. Each is at most three times as long.
    fn read(self, text: &str) -> String {
        match self {
            Self::Base64 => base64(text),
            Self::Hex => hex(text),
            Self::Percent => view::undone(text, '%', |from| Some((hex_byte(from.as_bytes().get(1..3)?)?, 3))),
            Self::Bytes => listed(text),
            Self::Reversed => text.chars().rev().collect(),
            Self::OtherCase => text.to_owned(),
        }
    }
}

/// Judges that no text of a canary stands in any of these named texts in another form: base64, hexadecimal,
/// percent-encoded, as a list of bytes, reversed or in another case.
///
/// Twelve of its characters in a row are text, whatever stands around them and wherever the form was cut. A digest of
/// a text is none of its forms.
///
/// # Errors
///
/// [`Wrong`], with the name of the first text that holds some, and the form. A canary of fewer than twelve characters
/// could not be found, so it is wrong too.
pub fn find_encoded_in(canary: &str, surfaces: &[(&'static str, &str)]) -> Judged {
    let windows = Windows::of(canary)?;
    for (name, text) in surfaces {
        let mut text = (*text).to_owned();
        for _ in 0..=ESCAPES {
            if let Some(form) = Form::ALL.into_iter().find(|form| form.holds(&windows, &text)) {
                let got = format!("at least {WINDOW} of its characters in a row, as {}", form.name());
                return Err(Wrong::new("no text of the result in any form", got).at(*name));
            }
            if !text.contains('\\') {
                break;
            }
            text = unescaped(&text);
        }
    }
    Ok(())
}

/// What stands between two runs that are read apart, and in no canary.
const APART: char = '\u{fffd}';

/// Each run of base64 letters, white space left out, read from its first, second, third and fourth letter on: where
/// a run was cut, nobody knows which letter begins a group of four.
fn base64(text: &str) -> String {
    let mut out = String::new();
    let mut run: Vec<u8> = Vec::new();
    for c in text.chars().chain([APART]) {
        match c {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '+' | '/' | '-' | '_' => run.push(sextet(c)),
            _ if c.is_ascii_whitespace() => {}
            _ => {
                if run.len() >= SHORTEST_RUN {
                    (0..4).for_each(|from| decode(&run[from..], &mut out));
                }
                run.clear();
            }
        }
    }
    out
}

/// The six bits of a letter of either alphabet.
fn sextet(letter: char) -> u8 {
    // Only letters that the caller matched get here, all of them ASCII.
    let letter = u8::try_from(letter).unwrap_or_default();
    match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        _ => 63,
    }
}

fn decode(sextets: &[u8], out: &mut String) {
    for group in sextets.chunks(4) {
        for (pair, shift) in group.windows(2).zip([2, 4, 6]) {
            // The upper bits of the first letter were used up by the byte before.
            let byte = ((u16::from(pair[0]) << shift) | (u16::from(pair[1]) >> (6 - shift))) & 0xff;
            out.push(u8::try_from(byte).map_or(APART, char::from));
        }
    }
    out.push(APART);
}

/// Each run of hexadecimal digits, white space left out, read from its first and from its second digit on; then
/// the words of two digits each, as in `71:37` and `0x71, 0x37`.
fn hex(text: &str) -> String {
    let mut out = String::new();
    let mut run: Vec<u8> = Vec::new();
    for c in text.chars().chain([APART]) {
        match u8::try_from(c) {
            Ok(digit) if digit.is_ascii_hexdigit() => run.push(digit),
            Ok(space) if space.is_ascii_whitespace() => {}
            _ => {
                if run.len() >= 2 * WINDOW {
                    for from in 0..2 {
                        out.extend(run[from..].chunks_exact(2).filter_map(hex_byte));
                        out.push(APART);
                    }
                }
                run.clear();
            }
        }
    }
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    out.extend(words.map(|word| {
        let digits = word.strip_prefix("0x").unwrap_or(word).as_bytes();
        hex_byte(digits).unwrap_or(APART)
    }));
    out
}

/// The character of two hexadecimal digits.
fn hex_byte(digits: &[u8]) -> Option<char> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    if digits.len() != 2 { None } else { char::from_u32(digit(0)? * 16 + digit(1)?) }
}

/// The characters of numbers in a row, with nothing but commas, brackets and white space between them.
fn listed(text: &str) -> String {
    let mut out = String::new();
    let mut number: Option<u32> = None;
    for c in text.chars().chain([APART]) {
        if let Some(digit) = c.to_digit(10) {
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            continue;
        }
        if let Some(number) = number.take() {
            out.push(u8::try_from(number).map_or(APART, char::from));
        }
        if !matches!(c, ',' | '[' | ']' | ' ' | '\n') {
            out.push(APART);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};

    use super::*;

    const CANARY: &str = "q7rk2mzx9lbt4wnc8hd5vj3p";

    fn form_of(text: &str) -> Option<String> {
        find_encoded_in(CANARY, &[("message", text)]).err().map(|wrong| {
            assert!(!wrong.to_string().contains("q7rk"), "{wrong}");
            assert_eq!(wrong.at.as_deref(), Some("message"));
            wrong.got.rsplit_once(", as ").unwrap().1.to_owned()
        })
    }

    fn hex_of(text: &str) -> String {
        text.bytes().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn base64_is_found_at_each_alignment_in_each_alphabet_and_wherever_it_is_cut() {
        for before in ["", "x", "xy", "\u{fffe}", "\u{3ff}\u{3ff}x"] {
            for text in [
                BASE64_STANDARD.encode(format!("{before}{CANARY}?>")),
                BASE64_URL_SAFE_NO_PAD.encode(format!("{before}{CANARY}?>")),
            ] {
                assert_eq!(form_of(&text).as_deref(), Some("base64"), "{text}");
                assert_eq!(form_of(&format!("input ({text}) refused")).as_deref(), Some("base64"), "{text}");
                assert_eq!(form_of(&format!("read{}...", &text[3..])).as_deref(), Some("base64"), "{text}");
                let wrapped: Vec<&str> = text.as_bytes().chunks(7).map(|line| str::from_utf8(line).unwrap()).collect();
                assert_eq!(form_of(&wrapped.join("\r\n")).as_deref(), Some("base64"), "{text}");
                assert_eq!(form_of(&format!("{:?}", wrapped.join("\n"))).as_deref(), Some("base64"), "{text}");
            }
        }
    }

    /// A text in some form.
    type Written = fn(&str) -> String;

    #[test]
    fn each_window_of_twelve_is_found_in_each_form_and_no_window_of_eleven() {
        for from in 0..=CANARY.len() - WINDOW {
            let (twelve, eleven) = (&CANARY[from..from + WINDOW], &CANARY[from..from + WINDOW - 1]);
            for before in ["", "_", "__"] {
                let forms: [(&str, Written); 7] = [
                    ("base64", |text| BASE64_STANDARD.encode(text)),
                    ("hex", |text| hex_of(text)),
                    ("hex", |text| hex_of(text).to_uppercase()),
                    ("percent-encoding", |text| text.bytes().map(|byte| format!("%{byte:02X}")).collect()),
                    ("a list of bytes", |text| format!("{:?}", text.as_bytes())),
                    ("reverse", |text| text.chars().rev().collect()),
                    ("another case", str::to_uppercase),
                ];
                for (name, form) in forms {
                    let text = form(&format!("{before}{twelve}_"));
                    assert_eq!(form_of(&text).as_deref(), Some(name), "{text}");
                    assert_eq!(form_of(&form(&format!("{before}{eleven}_"))), None, "{name}");
                }
            }
        }
    }

    #[test]
    fn digits_that_are_set_apart_and_runs_that_begin_half_way_are_read() {
        let hex = hex_of(CANARY);
        let pairs: Vec<&str> = hex.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).unwrap()).collect();
        for text in [
            pairs.join(" "),
            pairs.join(":"),
            format!("0x{}", pairs.join(", 0x")),
            format!("a{hex}"),
            format!("{}\n{}", &hex[..15], &hex[15..]),
        ] {
            assert_eq!(form_of(&text).as_deref(), Some("hex"), "{text}");
        }
        let mixed = CANARY.replace('m', "%6d").replace('c', "%63");
        assert_eq!(form_of(&mixed).as_deref(), Some("percent-encoding"));
    }

    #[test]
    fn plain_text_and_digests_are_none_of_the_forms() {
        assert_eq!(form_of(CANARY), None, "its plain form is another judge's");
        for text in [
            "read_page: the value at /price is not of type number",
            "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg=",
            "[1, 2, 3] %zz % 100%",
            "",
        ] {
            assert_eq!(form_of(text), None, "{text}");
        }
    }

    #[test]
    fn a_canary_too_short_to_be_found_is_no_pass() {
        assert!(find_encoded_in("q7rk2mzx9lb", &[]).unwrap_err().expected.starts_with("a canary of at least"));
    }

    #[test]
    fn a_long_text_is_read_in_linear_time() {
        let text = "0aA+ %41 [1,".repeat(200_000);
        assert_eq!(form_of(&text), None);
    }
}
