//! Letters and brackets of other alphabets that look like those of ASCII.
//!
//! A small table for detection only: nothing is ever rewritten by it. What Unicode itself declares compatible
//! (full-width, mathematical, circled and superscript forms) is undone by normalisation before this is asked.

/// The ASCII that a character looks like, if it is one of another alphabet.
pub(crate) fn lookalike(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2039}' | '\u{2c2}' | '\u{3008}' | '\u{27e8}' | '\u{1438}' | '\u{276e}' | '\u{2770}' | '\u{29fc}' => "<",
        '\u{203a}' | '\u{2c3}' | '\u{3009}' | '\u{27e9}' | '\u{1433}' | '\u{276f}' | '\u{2771}' | '\u{29fd}' => ">",
        '\u{ab}' | '\u{300a}' | '\u{27ea}' | '\u{226a}' => "<<",
        '\u{bb}' | '\u{300b}' | '\u{27eb}' | '\u{226b}' => ">>",
        '\u{2502}' | '\u{2503}' | '\u{2223}' | '\u{2758}' | '\u{1c0}' | '\u{2759}' | '\u{23ae}' | '\u{23d0}'
        | '\u{a6}' | '\u{5d5}' => "|",
        '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{2571}' => "/",
        '\u{2216}' | '\u{29f5}' | '\u{2572}' => "\\",
        '\u{27e6}' | '\u{3010}' | '\u{3014}' | '\u{2045}' | '\u{2772}' => "[",
        '\u{27e7}' | '\u{3011}' | '\u{3015}' | '\u{2046}' | '\u{2773}' => "]",
        '\u{2581}' | '\u{2cd}' | '\u{23af}' => "_",
        '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2014}' | '\u{2015}' | '\u{2212}' | '\u{2043}'
        | '\u{2d7}' => "-",
        '\u{223c}' | '\u{ff5e}' | '\u{2f7}' => "~",
        '\u{1c3}' => "!",
        '\u{2d0}' | '\u{2236}' | '\u{a789}' | '\u{2f8}' => ":",
        '\u{2024}' => ".",
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' => "\"",
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '\u{2bc}' => "\'",
        '\u{2550}' | '\u{1400}' => "=",
        '\u{266f}' => "#",
        '\u{430}' | '\u{3b1}' | '\u{251}' | '\u{2202}' | '\u{1d00}' => "a",
        '\u{42c}' | '\u{184}' | '\u{15af}' | '\u{299}' | '\u{432}' => "b",
        '\u{441}' | '\u{3f2}' | '\u{1d04}' | '\u{3c2}' => "c",
        '\u{501}' | '\u{257}' | '\u{1d05}' => "d",
        '\u{435}' | '\u{454}' | '\u{4bd}' | '\u{3b5}' | '\u{1d07}' | '\u{212f}' => "e",
        '\u{192}' | '\u{493}' | '\u{a730}' => "f",
        '\u{261}' | '\u{581}' | '\u{262}' => "g",
        '\u{4bb}' | '\u{570}' | '\u{29c}' => "h",
        '\u{456}' | '\u{131}' | '\u{3b9}' | '\u{269}' | '\u{26a}' | '\u{4cf}' => "i",
        '\u{458}' | '\u{3f3}' | '\u{1d0a}' => "j",
        '\u{43a}' | '\u{3ba}' | '\u{1d0b}' => "k",
        '\u{29f}' => "l",
        '\u{43c}' | '\u{1d0d}' => "m",
        '\u{43f}' | '\u{578}' | '\u{3b7}' | '\u{274}' => "n",
        '\u{43e}' | '\u{3bf}' | '\u{585}' | '\u{3c3}' | '\u{1d0f}' => "o",
        '\u{440}' | '\u{3c1}' | '\u{1d18}' => "p",
        '\u{51b}' | '\u{563}' => "q",
        '\u{433}' | '\u{280}' | '\u{1d26}' => "r",
        '\u{455}' | '\u{a731}' | '\u{282}' => "s",
        '\u{442}' | '\u{3c4}' | '\u{1d1b}' => "t",
        '\u{3c5}' | '\u{57d}' | '\u{1d1c}' | '\u{446}' => "u",
        '\u{3bd}' | '\u{475}' | '\u{1d20}' => "v",
        '\u{51d}' | '\u{3c9}' | '\u{1d21}' => "w",
        '\u{445}' | '\u{3c7}' => "x",
        '\u{443}' | '\u{4af}' | '\u{3b3}' | '\u{28f}' => "y",
        '\u{1d22}' | '\u{290}' => "z",
        '\u{410}' | '\u{391}' | '\u{13aa}' => "A",
        '\u{412}' | '\u{392}' | '\u{13f4}' => "B",
        '\u{421}' | '\u{3f9}' | '\u{13df}' => "C",
        '\u{13a0}' => "D",
        '\u{415}' | '\u{395}' | '\u{13ac}' => "E",
        '\u{3dc}' => "F",
        '\u{50c}' | '\u{13c0}' => "G",
        '\u{41d}' | '\u{397}' | '\u{13bb}' => "H",
        '\u{406}' | '\u{399}' | '\u{4c0}' => "I",
        '\u{408}' | '\u{13ab}' => "J",
        '\u{41a}' | '\u{39a}' | '\u{13e6}' => "K",
        '\u{13de}' => "L",
        '\u{41c}' | '\u{39c}' | '\u{13b7}' => "M",
        '\u{39d}' | '\u{418}' => "N",
        '\u{41e}' | '\u{39f}' | '\u{555}' => "O",
        '\u{420}' | '\u{3a1}' | '\u{13e2}' => "P",
        '\u{51a}' => "Q",
        '\u{13a1}' | '\u{42f}' => "R",
        '\u{405}' | '\u{13da}' | '\u{54f}' => "S",
        '\u{422}' | '\u{3a4}' | '\u{13a2}' => "T",
        '\u{54d}' => "U",
        '\u{13d9}' | '\u{474}' => "V",
        '\u{13d4}' | '\u{51c}' => "W",
        '\u{425}' | '\u{3a7}' => "X",
        '\u{423}' | '\u{3a5}' | '\u{4ae}' => "Y",
        '\u{396}' | '\u{13c3}' => "Z",
        _ => return ranged(c),
    })
}

/// Letters in boxes, which follow one another in the order of the alphabet.
fn ranged(c: char) -> Option<&'static str> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let index = match c {
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

    #[test]
    fn other_alphabets_look_like_ascii_and_ascii_like_nothing_else() {
        assert_eq!(lookalike('\u{430}'), Some("a"));
        assert_eq!(lookalike('\u{2039}'), Some("<"));
        assert_eq!(lookalike('\u{1f170}'), Some("A"));
        assert_eq!(lookalike('\u{1f1ff}'), Some("Z"));
        assert!((0..128_u8).all(|byte| lookalike(char::from(byte)).is_none()));
    }
}
