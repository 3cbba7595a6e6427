//! What a reader takes a text for: its characters without what cannot be seen, with look-alikes and
//! letter case undone.

use std::sync::OnceLock;

use unicode_normalization::char::decompose_compatible;

/// Whether a character has no look of its own and leaves no gap: readers that clean a text drop it.
///
/// White space is none: it parts words.
pub(crate) fn is_invisible(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r');
    }
    matches!(c,
        // C1 controls.
        '\u{80}'..='\u{9f}'
        // Default-ignorable code points.
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        // Blank or annotation in effect.
        | '\u{2800}' | '\u{fff9}'..='\u{fffb}')
}

/// A letter in lower case, one for one; the two letters of Turkish that fold to a plain `i` for a
/// careless reader fold to it here.
pub(super) fn lower(c: char) -> char {
    match c {
        'ı' | 'İ' => 'i',
        'ſ' => 's',
        'ς' => 'σ',
        c if c.is_ascii() => c.to_ascii_lowercase(),
        c => c.to_lowercase().next().unwrap_or(c),
    }
}

/// The skeleton of a text: each character that is seen, and the index of the character of the text
/// that it stands for.
pub(crate) fn skeleton(text: &str) -> Vec<(char, usize)> {
    let mut out = Vec::with_capacity(text.len());
    for (at, c) in text.chars().enumerate().filter(|(_, c)| !is_invisible(*c)) {
        let c = lower(c);
        if c.is_ascii() {
            out.push((c, at));
        } else if let Some(plain) = look_alike(c) {
            out.push((plain, at));
        } else {
            decompose_compatible(c, |part| {
                let part = lower(part);
                out.push((look_alike(part).unwrap_or(part), at));
            });
        }
    }
    out
}

/// The skeleton of a text as a string, white space left out: for markers that are words and signs.
pub(super) fn solid(text: &str) -> String {
    skeleton(text).into_iter().map(|(c, _)| c).filter(|c| !c.is_whitespace()).collect()
}

/// The ASCII character that this lower-case character is easily taken for.
fn look_alike(c: char) -> Option<char> {
    static SORTED: OnceLock<Vec<(char, char)>> = OnceLock::new();
    let sorted = SORTED.get_or_init(|| {
        let mut pairs: Vec<(char, char)> =
            LOOK_ALIKES.iter().flat_map(|(plain, others)| others.chars().map(|other| (other, *plain))).collect();
        pairs.sort_unstable();
        pairs
    });
    sorted.binary_search_by_key(&c, |(other, _)| *other).ok().map(|index| sorted[index].1)
}

/// ASCII characters, each with what is taken for it and is not made into it by NFKC.
const LOOK_ALIKES: &[(char, &str)] = &[
    (
        '<',
        "\u{2039}\u{2329}\u{3008}\u{27e8}\u{276e}\u{2770}\u{276c}\u{29fc}\
         \u{fe3f}\u{2c2}\u{1438}\u{16b2}\u{227a}\u{1d236}",
    ),
    (
        '>',
        "\u{203a}\u{232a}\u{3009}\u{27e9}\u{276f}\u{2771}\u{276d}\u{29fd}\
         \u{fe40}\u{2c3}\u{1433}\u{227b}\u{1d237}\u{16f3f}",
    ),
    ('/', "\u{2044}\u{2215}\u{29f8}\u{27cb}\u{2571}\u{1735}\u{2041}\u{3033}\u{30ce}\u{31d3}\u{4e3f}\u{2cc7}\u{1d23a}"),
    (
        '-',
        "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{2043}\u{2d7}\
         \u{6d4}\u{2796}\u{2cbb}\u{fe58}\u{1806}\u{30fc}\u{2500}",
    ),
    ('_', "\u{2017}\u{2df}\u{fe4d}\u{fe4e}\u{fe4f}"),
    ('a', "аαɑ"),
    ('b', "ьƅ"),
    ('c', "сϲᴄⅽ"),
    ('d', "ԁɗⅾ"),
    ('e', "еєεҽ℮"),
    ('f', "ϝƒ"),
    ('g', "ɡց"),
    ('h', "һհ"),
    ('i', "іιɩӏ"),
    ('j', "јϳ"),
    ('k', "кκ"),
    ('l', "ⅼǀⲓ"),
    ('m', "мⅿμ"),
    ('n', "ոηп"),
    ('o', "оοօσ"),
    ('p', "рρ"),
    ('q', "ԛգ"),
    ('r', "гᴦ"),
    ('s', "ѕꜱ"),
    ('t', "тτ"),
    ('u', "υսцʋ"),
    ('v', "ѵνᴠⅴ"),
    ('w', "ԝѡωᴡ"),
    ('x', "хχⅹ"),
    ('y', "уүγ"),
    ('z', "ᴢζ"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        skeleton(text).into_iter().map(|(c, _)| c).collect()
    }

    #[test]
    fn every_look_alike_reads_as_its_plain_character() {
        for (plain, others) in LOOK_ALIKES {
            for other in others.chars() {
                assert_eq!(read(&other.to_string()), plain.to_string(), "U+{:04X}", u32::from(other));
            }
        }
    }

    #[test]
    fn no_character_is_taken_for_two() {
        let mut seen = std::collections::HashSet::new();
        for other in LOOK_ALIKES.iter().flat_map(|(_, others)| others.chars()) {
            assert!(seen.insert(other), "U+{:04X} stands twice", u32::from(other));
        }
    }

    #[test]
    fn full_width_case_and_invisibles_are_undone_and_places_kept() {
        assert_eq!(read("Ｕｎ\u{200b}t\u{ad}R\u{0}\u{9b}u"), "untru");
        // A mathematical alpha is an alpha, and that is taken for an `a`.
        assert_eq!(read("\u{1d6c2}"), "a");
        assert_eq!(read("İıſK"), "iisk");
        assert_eq!(skeleton("\u{feff}a\u{200b}ﬁ"), [('a', 1), ('f', 3), ('i', 3)]);
        assert_eq!(solid("A \t b\nC\u{3000}d"), "abcd");
        assert_eq!(read("日本 a\tb\n"), "日本 a\tb\n");
    }
}
