//! A text as a reader of HTML, of JSON or of a URL would see it.

use std::ops::Range;

use crate::view::View;

/// How many encodings around one another are undone.
const LAYERS: usize = 4;
/// The longest entity that is read, in bytes: a numeric one with leading zeros.
const LONGEST_ENTITY: usize = 24;

/// The names of entities that can hide a letter of a marker or part the words of an order.
const ENTITIES: &[(&str, char)] = &[
    ("lt", '<'),
    ("gt", '>'),
    ("amp", '&'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("lbrack", '['),
    ("lsqb", '['),
    ("rbrack", ']'),
    ("rsqb", ']'),
    ("vert", '|'),
    ("verbar", '|'),
    ("verticalline", '|'),
    ("sol", '/'),
    ("bsol", '\\'),
    ("colon", ':'),
    ("semi", ';'),
    ("comma", ','),
    ("period", '.'),
    ("excl", '!'),
    ("num", '#'),
    ("equals", '='),
    ("lowbar", '_'),
    ("hyphen", '-'),
    ("dash", '-'),
    ("lpar", '('),
    ("rpar", ')'),
    ("tab", '\t'),
    ("newline", '\n'),
    ("shy", '\u{ad}'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
    ("zerowidthspace", '\u{200b}'),
];

/// The names that HTML reads without a semicolon too.
const BARE_ENTITIES: &[&str] = &["quot", "amp", "lt", "gt"];

/// A text and what remains of it when its encodings are undone one after the other.
pub(crate) struct Layers<'a> {
    /// Each view is a reading of the one before it; the first is the text itself.
    views: Vec<View<'a>>,
    /// What was undone to get to each view.
    via: Vec<&'static [&'static str]>,
}

impl<'a> Layers<'a> {
    /// The text with its entities and escapes undone, layer by layer.
    pub(crate) fn of(text: &'a str) -> Self {
        let mut layers = Self { views: vec![View::same(text)], via: vec![&[]] };
        for _ in 0..LAYERS {
            let Some((view, via)) = layers.views.last().and_then(|last| unescape(&last.text)) else { break };
            layers.views.push(view);
            layers.via.push(via);
        }
        layers
    }

    /// Each layer's text, with its number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        self.views.iter().map(|view| &*view.text).enumerate()
    }

    /// The encodings that were undone to get to this layer, outermost first.
    pub(crate) fn via(&self, layer: usize) -> impl Iterator<Item = &'static str> {
        self.via[..=layer].iter().flat_map(|via| via.iter().copied())
    }

    /// The part of the text that a part of this layer was read from.
    pub(crate) fn source(&self, layer: usize, part: Range<usize>) -> Range<usize> {
        self.views[..=layer].iter().rev().fold(part, |part, view| view.source(&part))
    }
}

/// Undoes one layer of HTML entities and of JSON-like escapes; `None` where there are none.
fn unescape(text: &str) -> Option<(View<'static>, &'static [&'static str])> {
    let bytes = text.as_bytes();
    let is_start = |byte: &u8| matches!(byte, b'&' | b'\\');
    let mut next = bytes.iter().position(is_start)?;
    let mut view = View::with_capacity(text.len());
    let (mut copied, mut entities, mut escapes) = (0, false, false);
    loop {
        let rest = &text[next..];
        let read = read_one(rest).filter(|read| !waits(rest, read.1));
        let mut resume = next + 1;
        if let Some((letter, length)) = read {
            if bytes[next] == b'&' {
                entities = true;
            } else {
                escapes = true;
            }
            if copied < next {
                view.copy(copied, &text[copied..next]);
            }
            resume = next + length;
            view.put(next..resume, letter);
            copied = resume;
        }
        match bytes[resume..].iter().position(is_start) {
            Some(offset) => next = resume + offset,
            None => break,
        }
    }
    view.copy(copied, &text[copied..]);
    match (entities, escapes) {
        (false, false) => None,
        (true, false) => Some((view, &["entity"])),
        (false, true) => Some((view, &["escape"])),
        (true, true) => Some((view, &["entity", "escape"])),
    }
}

/// The character that the entity or escape at the start of `text` stands for, and its length.
fn read_one(text: &str) -> Option<(char, usize)> {
    if text.starts_with('&') { entity(text) } else { escape(text) }
}

/// Whether what follows must be undone before this can be read.
///
/// `&lt\u003b` is `&lt;` to who reads the escape first, and a backslash before an entity may begin an escape that the
/// entity completes. The next layer reads what waited.
fn waits(text: &str, length: usize) -> bool {
    let bytes = text.as_bytes();
    match bytes[0] {
        b'&' => bytes[length - 1] != b';' && bytes.get(length) == Some(&b'\\') && escape(&text[length..]).is_some(),
        _ => bytes[1] == b'&' && entity(&text[1..]).is_some(),
    }
}

/// The character that the entity at the start of `text` stands for, and the entity's length.
fn entity(text: &str) -> Option<(char, usize)> {
    let body = &text.as_bytes()[1..];
    let length = |of: fn(&u8) -> bool| body.iter().take(LONGEST_ENTITY).take_while(|byte| of(byte)).count();
    if body.first() == Some(&b'#') {
        let hex = matches!(body.get(1), Some(b'x' | b'X'));
        let (from, radix) = if hex { (2, 16) } else { (1, 10) };
        let digits: usize = body[from..]
            .iter()
            .take(LONGEST_ENTITY)
            .take_while(|byte| if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() })
            .count();
        let code = u32::from_str_radix(&text[1 + from..1 + from + digits], radix).ok()?;
        let end = 1 + from + digits;
        let semicolon = usize::from(text.as_bytes().get(end) == Some(&b';'));
        return Some((char::from_u32(code)?, end + semicolon));
    }
    let letters = length(u8::is_ascii_alphabetic);
    let name = &text[1..=letters];
    if body.get(letters) == Some(&b';') {
        let known = ENTITIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some((_, letter)) = known {
            return Some((*letter, letters + 2));
        }
    }
    let bare = |known: &&&str| name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known));
    let known = BARE_ENTITIES.iter().find(bare)?;
    let letter = ENTITIES.iter().find(|(name, _)| name == known)?.1;
    Some((letter, 1 + known.len()))
}

/// The character that the escape at the start of `text` stands for, and the escape's length.
///
/// These are the escapes of JSON, of C and of Markdown together: a backslash before punctuation is dropped.
fn escape(text: &str) -> Option<(char, usize)> {
    let bytes = text.as_bytes();
    let hex = |from: usize, digits: usize| {
        let digits = bytes.get(from..from + digits)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let letter = match bytes.get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'v' => '\u{b}',
        b'a' => '\u{7}',
        b'e' => '\u{1b}',
        b'u' if bytes.get(2) == Some(&b'{') => {
            let digits = bytes[3..].iter().take(8).take_while(|byte| byte.is_ascii_hexdigit()).count();
            let code = hex(3, digits).filter(|_| digits > 0 && bytes.get(3 + digits) == Some(&b'}'))?;
            return Some((char::from_u32(code)?, digits + 4));
        }
        b'u' => {
            let first = hex(2, 4)?;
            if let 0xd800..=0xdbff = first {
                let second = hex(8, 4).filter(|_| bytes.get(6..8) == Some(b"\\u"))?;
                let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
                return Some((char::from_u32(0x10000 + ((first - 0xd800) << 10) + low)?, 12));
            }
            return Some((char::from_u32(first)?, 6));
        }
        b'U' => return Some((char::from_u32(hex(2, 8)?)?, 10)),
        b'x' => return Some((char::from_u32(hex(2, 2)?)?, 4)),
        b'0'..=b'3' if bytes.get(2..4).is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b'0'..=b'7'))) => {
            let digit = |at: usize| u32::from(bytes[at] - b'0');
            return Some((char::from_u32(digit(1) * 64 + digit(2) * 8 + digit(3))?, 4));
        }
        b'0' => '\0',
        other if other.is_ascii_punctuation() => char::from(*other),
        _ => return None,
    };
    Some((letter, 2))
}

/// A way of writing bytes as a sign and two hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    /// `%20` of URLs, where `+` is a space too, and `%u0020` of old scripts.
    Percent,
    /// `=20` of mail, where a `=` at the end of a line joins the next one to it.
    QuotedPrintable,
}

impl Coding {
    /// The name by which findings show it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Percent => "percent",
            Self::QuotedPrintable => "quoted-printable",
        }
    }

    fn sign(self) -> u8 {
        match self {
            Self::Percent => b'%',
            Self::QuotedPrintable => b'=',
        }
    }
}

/// The text with its coded bytes undone, read as UTF-8; `None` where there are none.
pub(crate) fn uncode(text: &str, coding: Coding) -> Option<View<'static>> {
    let (bytes, sign) = (text.as_bytes(), coding.sign());
    let hex = |from: usize, digits: usize| {
        let digits = bytes.get(from..from + digits).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let coded = |at: usize| {
        bytes.get(at).filter(|byte| **byte == sign)?;
        u8::try_from(hex(at + 1, 2)?).ok()
    };
    bytes.iter().position(|byte| *byte == sign)?;
    let mut view = View::with_capacity(text.len());
    let (mut at, mut found) = (0, false);
    let mut run = Vec::new();
    while at < bytes.len() {
        run.clear();
        let from = at;
        while let Some(byte) = coded(at) {
            run.push(byte);
            at += 3;
        }
        if !run.is_empty() {
            found = true;
            // Each letter of the run is charged to the whole run, unless it is plain ASCII.
            if run.is_ascii() {
                for (index, byte) in run.iter().enumerate() {
                    let start = from + index * 3;
                    view.put(start..start + 3, char::from(*byte));
                }
            } else {
                for letter in String::from_utf8_lossy(&run).chars() {
                    view.put(from..at, letter);
                }
            }
            continue;
        }
        match coding {
            Coding::Percent if bytes[at] == b'+' => {
                view.put(at..at + 1, ' ');
                at += 1;
                continue;
            }
            Coding::Percent if bytes[at] == sign && matches!(bytes.get(at + 1), Some(b'u' | b'U')) => {
                if let Some(letter) = hex(at + 2, 4).and_then(char::from_u32) {
                    found = true;
                    view.put(at..at + 6, letter);
                    at += 6;
                    continue;
                }
            }
            Coding::QuotedPrintable if bytes[at] == sign => {
                let end = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'\r'));
                if bytes.get(end) == Some(&b'\n') {
                    found = true;
                    at = end + 1;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
        while at < bytes.len() && bytes[at] != sign && (bytes[at] != b'+' || coding != Coding::Percent) {
            at += 1;
        }
        view.copy(from, &text[from..at]);
    }
    found.then_some(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(text: &str) -> String {
        Layers::of(text).iter().last().unwrap().1.to_owned()
    }

    #[test]
    fn entities_and_escapes_are_undone_in_layers() {
        for encoded in [
            "<|x|>",
            "&lt;|x|&gt;",
            "&lt|x|&gt",
            "&#60;&#x7c;x&VERT;&#0000062;",
            "&amp;lt;|x|&amp;amp;gt;",
            r"\u003c|x|\u003E",
            r"\\u003c|x|\\\\u003e",
            r"\x3c\|x\|\u{3e}",
            r"\074|x|\U0000003e",
            r"&lt\u003b|x|>",
            r"&#6\u0030;|x|>",
            r"\&#117;003c|x|>",
            r"\u003&#99;|x|>",
            r"&l\u0074;|x|>",
        ] {
            assert_eq!(last(encoded), "<|x|>", "{encoded}");
        }
        assert_eq!(last(r"\ud83d\ude00"), "\u{1f600}");
        assert_eq!(
            last("a & b &unknown; \\q \\ud83d &#x110000; &#; \\"),
            "a & b &unknown; \\q \\ud83d &#x110000; &#; \\"
        );
        assert_eq!(Layers::of("a & b \\q").iter().count(), 1);
    }

    #[test]
    fn a_layer_leads_back_to_the_text() {
        let text = "see &amp;lt;b&gt; here";
        let layers = Layers::of(text);
        let (layer, read) = layers.iter().last().unwrap();
        let at = read.find("<b>").unwrap();
        assert_eq!(&text[layers.source(layer, at..at + 3)], "&amp;lt;b&gt;");
        assert_eq!(layers.via(layer).collect::<Vec<_>>(), ["entity", "entity"]);
    }

    #[test]
    fn percent_encoding_is_undone() {
        let percent = |text| uncode(text, Coding::Percent);
        assert_eq!(percent("ignore%20all+%C3%A9%zz").unwrap().text, "ignore all \u{e9}%zz");
        assert_eq!(percent("%u0069gnore%u00e9%u12").unwrap().text, "ignore\u{e9}%u12");
        assert!(percent("100% sure + safe").is_none());
    }

    #[test]
    fn the_coding_of_mail_is_undone() {
        let mail = |text| uncode(text, Coding::QuotedPrintable);
        assert_eq!(mail("=69gnore=20a=\r\nll =C3=A9 a=b+c=").unwrap().text, "ignore all \u{e9} a=b+c=");
        assert!(mail("a = b; c==d").is_none());
    }
}
