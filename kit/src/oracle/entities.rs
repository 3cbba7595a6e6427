//! HTML entities, undone by a loop and a table of the names that stand for signs.

use super::view;

/// Whether an entity needs its semicolon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// It does, as in well-formed text: `AT&ampere` is no entity.
    Required,
    /// Numeric and legacy entities do without it, as a browser has it.
    Optional,
}

/// The longest digits of a numeric entity that are read. Leading zeros are harmless and few; what is
/// longer is left as it stands.
const LONGEST_NUMBER: usize = 32;

/// One pass of undoing. What is no entity of the table stands as it was.
pub(super) fn undo(text: &str, ending: Ending) -> String {
    view::undone(text, '&', |from| entity(from, ending))
}

/// The character that the entity at the start of a text stands for, and the entity's length.
fn entity(text: &str, ending: Ending) -> Option<(char, usize)> {
    let body = &text[1..];
    if let Some(numeric) = body.strip_prefix('#') {
        let (radix, digits, prefix) = match numeric.strip_prefix(['x', 'X']) {
            Some(digits) => (16, digits, 3),
            None => (10, numeric, 2),
        };
        let length =
            digits.bytes().take(LONGEST_NUMBER + 1).take_while(|byte| char::from(*byte).is_digit(radix)).count();
        if length > LONGEST_NUMBER {
            return None;
        }
        let value = digits[..length].trim_start_matches('0');
        // All digits were zeros: a browser shows a replacement character for it, so it hides nothing.
        let character = char::from_u32(u32::from_str_radix(value, radix).ok()?)?;
        let closed = digits[length..].starts_with(';');
        return (closed || ending == Ending::Optional).then_some((character, prefix + length + usize::from(closed)));
    }
    let length = body.bytes().take(LONGEST_NAME + 1).take_while(u8::is_ascii_alphanumeric).count();
    let name = &body[..length];
    if body[length..].starts_with(';') {
        let character = SIGNS.iter().find(|(_, names)| names.contains(&name))?.0;
        return Some((character, length + 2));
    }
    if ending == Ending::Required {
        return None;
    }
    let legacy = LEGACY.iter().find(|(legacy, _)| name.starts_with(legacy))?;
    Some((legacy.1, legacy.0.len() + 1))
}

const LONGEST_NAME: usize = "NonBreakingSpace".len();

/// Names that a browser reads without their semicolon.
const LEGACY: &[(&str, char)] = &[
    ("lt", '<'),
    ("LT", '<'),
    ("gt", '>'),
    ("GT", '>'),
    ("amp", '&'),
    ("AMP", '&'),
    ("quot", '"'),
    ("QUOT", '"'),
    ("nbsp", '\u{a0}'),
    ("shy", '\u{ad}'),
];

/// Signs with the names that stand for them.
const SIGNS: &[(char, &[&str])] = &[
    ('<', &["lt", "LT"]),
    ('>', &["gt", "GT"]),
    ('&', &["amp", "AMP"]),
    ('"', &["quot", "QUOT"]),
    ('\'', &["apos"]),
    ('[', &["lbrack", "lsqb"]),
    (']', &["rbrack", "rsqb"]),
    ('{', &["lbrace", "lcub"]),
    ('}', &["rbrace", "rcub"]),
    ('(', &["lpar"]),
    (')', &["rpar"]),
    ('|', &["vert", "verbar", "VerticalLine"]),
    ('/', &["sol"]),
    ('\\', &["bsol"]),
    ('.', &["period"]),
    (',', &["comma"]),
    (':', &["colon"]),
    (';', &["semi"]),
    ('!', &["excl"]),
    ('?', &["quest"]),
    ('#', &["num"]),
    ('$', &["dollar"]),
    ('%', &["percnt"]),
    ('*', &["ast", "midast"]),
    ('+', &["plus"]),
    ('=', &["equals"]),
    ('@', &["commat"]),
    ('^', &["Hat"]),
    ('_', &["lowbar", "UnderBar"]),
    ('`', &["grave", "DiacriticalGrave"]),
    ('\t', &["Tab"]),
    ('\n', &["NewLine"]),
    ('\u{a0}', &["nbsp", "NonBreakingSpace"]),
    ('\u{ad}', &["shy"]),
    ('\u{2010}', &["hyphen", "dash"]),
    ('\u{200b}', &["ZeroWidthSpace"]),
    ('\u{200c}', &["zwnj"]),
    ('\u{200d}', &["zwj"]),
    ('\u{200e}', &["lrm"]),
    ('\u{200f}', &["rlm"]),
    ('\u{2060}', &["NoBreak"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_undone_once() {
        for (text, expected) in [
            ("&lt;a&gt; &amp;lt; &quot;&apos;", "<a> &lt; \"'"),
            ("&#60;&#060;&#x3c;&#X3C;&#x00003C;", "<<<<<"),
            ("&sol;&vert;&verbar;&VerticalLine;&lsqb;", "/|||["),
            ("&bogus; AT&T & &; &# &#; &#x; &#xzz;", "&bogus; AT&T & &; &# &#; &#x; &#xzz;"),
            ("&#xd800; &#x110000; &#99999999999; &#0;", "&#xd800; &#x110000; &#99999999999; &#0;"),
            ("a=1&lt=2 &#60 &é;", "a=1&lt=2 &#60 &é;"),
        ] {
            assert_eq!(undo(text, Ending::Required), expected);
        }
    }

    #[test]
    fn a_browser_does_without_the_semicolon_where_html_says_so() {
        for (text, expected) in [
            ("&lt|im&gt", "<|im>"),
            ("&ltim_start", "<im_start"),
            ("&#60|&#x3c|", "<|<|"),
            // No legacy name.
            ("&apos &lbrack", "&apos &lbrack"),
        ] {
            assert_eq!(undo(text, Ending::Optional), expected);
        }
    }

    #[test]
    fn every_name_is_read() {
        for (character, names) in SIGNS {
            for name in *names {
                assert_eq!(undo(&format!("&{name};"), Ending::Required), character.to_string(), "{name}");
            }
        }
    }
}
