//! Letters and brackets of other alphabets that look like those of ASCII.
//!
//! For detection only: nothing is ever rewritten by it. What Unicode itself declares compatible (full-width,
//! mathematical, circled and superscript forms) is undone by normalisation before this is asked; which letters of two
//! alphabets may be taken for one another is kept by Unicode too, as the confusables of UTS #39, and read from there.
//! The table below holds what those leave out: they ask whether two names look the *same*, and a model also reads what
//! merely looks alike, such as small capitals, boxed letters and the brackets of other scripts.

use std::sync::OnceLock;

use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

/// How many characters share a page.
const PAGE: usize = 256;
/// How many pages there are: those of every plane with letters in it.
const PAGES: usize = 0x2_0000 / PAGE;

/// What each character of a page looks like, if it looks like ASCII.
type Page = Box<[Option<Box<str>>]>;

/// The pages, each worked out when a text first needs the page.
///
/// A skeleton costs as much as normalising a text; of the pages a process meets only a few.
static LETTERS: [OnceLock<Page>; PAGES] = [const { OnceLock::new() }; PAGES];

/// The ASCII that a character looks like, if it is one of another alphabet.
pub(crate) fn lookalike(c: char) -> Option<&'static str> {
    let code = c as usize;
    if c.is_ascii() || code / PAGE >= PAGES {
        return None;
    }
    let page = LETTERS[code / PAGE].get_or_init(|| {
        let first = code / PAGE * PAGE;
        (first..first + PAGE).map(|code| resembles(char::from_u32(u32::try_from(code).ok()?)?)).collect()
    });
    page[code % PAGE].as_deref()
}

fn resembles(c: char) -> Option<Box<str>> {
    if c.is_ascii() {
        return None;
    }
    if let Some(own) = own(c) {
        return Some(own.into());
    }
    let letters: String = skeleton(c.encode_utf8(&mut [0; 4])).filter(|letter| !is_combining_mark(*letter)).collect();
    if letters.is_empty() || !letters.is_ascii() {
        return None;
    }
    // One prototype stands for all upright strokes, and two letters for a broad one.
    Some(match &*letters {
        "l" if c.is_uppercase() => "i".into(),
        "l" if !c.is_alphanumeric() => "|".into(),
        "rn" => "m".into(),
        _ => letters.into(),
    })
}

/// What the confusables of UTS #39 lack, or see as another sign than a model does.
fn own(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2770}' | '\u{3008}' | '\u{27e8}' | '\u{29fc}' => "<",
        '\u{2771}' | '\u{3009}' | '\u{27e9}' | '\u{29fd}' => ">",
        '\u{ab}' | '\u{300a}' | '\u{27ea}' => "<<",
        '\u{bb}' | '\u{300b}' | '\u{27eb}' => ">>",
        '\u{a6}' | '\u{1c0}' | '\u{5d5}' | '\u{23ae}' | '\u{23d0}' | '\u{2758}' | '\u{2759}' => "|",
        '\u{2045}' | '\u{2772}' | '\u{27e6}' | '\u{3010}' | '\u{3014}' => "[",
        '\u{2046}' | '\u{2773}' | '\u{27e7}' | '\u{3011}' | '\u{3015}' => "]",
        '\u{2cd}' | '\u{23af}' | '\u{2581}' => "_",
        '\u{2014}' | '\u{2015}' => "-",
        '\u{2f7}' => "~",
        '\u{201c}'..='\u{201f}' | '\u{2033}' => "\"",
        '\u{201a}' => "'",
        '\u{2550}' => "=",
        '\u{266f}' => "#",
        '\u{1d00}' | '\u{2202}' => "a",
        '\u{299}' | '\u{432}' => "b",
        '\u{3c2}' => "c",
        '\u{1d05}' => "d",
        '\u{3b5}' | '\u{454}' | '\u{1d07}' => "e",
        '\u{493}' | '\u{a730}' => "f",
        '\u{262}' => "g",
        '\u{29c}' => "h",
        '\u{4cf}' => "i",
        '\u{1d0a}' => "j",
        '\u{3ba}' | '\u{43a}' | '\u{1d0b}' => "k",
        '\u{29f}' => "l",
        '\u{43c}' | '\u{1d0d}' => "m",
        '\u{274}' | '\u{418}' | '\u{43f}' => "n",
        '\u{1d18}' => "p",
        '\u{280}' | '\u{42f}' => "r",
        '\u{3c4}' | '\u{442}' | '\u{1d1b}' => "t",
        '\u{446}' => "u",
        '\u{3c9}' => "w",
        '\u{3c7}' => "x",
        _ => return boxed(c),
    })
}

/// The letter in a box, a circle, a flag or parentheses. These follow one another in the order of the alphabet.
///
/// Normalisation would keep the parentheses, so it is asked after this.
pub(crate) fn boxed(c: char) -> Option<&'static str> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let index = match c {
        '\u{249c}'..='\u{24b5}' => c as usize - 0x249c,
        '\u{1f110}'..='\u{1f129}' => c as usize - 0x1f110,
        '\u{1f150}'..='\u{1f169}' => c as usize - 0x1f150,
        '\u{1f170}'..='\u{1f189}' => c as usize - 0x1f170,
        '\u{1f1e6}'..='\u{1f1ff}' => c as usize - 0x1f1e6,
        _ => return None,
    };
    ALPHABET.get(index..=index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::is_passed_over;

    #[test]
    fn other_alphabets_look_like_ascii_and_ascii_like_nothing_else() {
        for (c, letters) in [
            ('\u{430}', "a"),
            ('\u{2039}', "<"),
            ('\u{1f170}', "A"),
            ('\u{1f1ff}', "Z"),
            // Cherokee, Armenian, Lisu and Coptic come from Unicode's data alone.
            ('\u{13a2}', "T"),
            ('\u{585}', "o"),
            ('\u{a4d3}', "D"),
            ('\u{2c9f}', "o"),
            // Upright strokes and broad letters are told apart by what else is known of them.
            ('\u{406}', "i"),
            ('\u{2223}', "|"),
            ('\u{271}', "m"),
        ] {
            let found = lookalike(c).map(str::to_ascii_lowercase);
            assert_eq!(found.as_deref(), Some(&*letters.to_ascii_lowercase()), "{}", c.escape_unicode());
        }
        assert!((0..128_u8).all(|byte| lookalike(char::from(byte)).is_none()));
        assert_eq!(lookalike('\u{6f22}'), None);
        assert_eq!(lookalike(char::MAX), None);
    }

    #[test]
    fn what_the_own_table_says_unicode_does_not() {
        for c in ('\u{80}'..='\u{1ffff}').filter(|c| own(*c).is_some()) {
            let theirs: String = skeleton(c.encode_utf8(&mut [0; 4])).collect();
            assert_ne!(Some(&*theirs), own(c), "{} is in Unicode's data", c.escape_unicode());
        }
    }

    #[test]
    fn what_unicode_calls_ignorable_is_passed_over() {
        // The skeleton of a text leaves out what Unicode calls a default ignorable code point.
        let is_ignorable = |c: &char| skeleton(c.encode_utf8(&mut [0; 4])).next().is_none();
        let seen: Vec<u32> =
            ('\u{80}'..=char::MAX).filter(is_ignorable).filter(|c| !is_passed_over(*c)).map(u32::from).collect();
        assert_eq!(seen, [0; 0], "in decimal");
    }
}
