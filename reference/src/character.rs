//! The classes of characters that matter here: what is not seen, what steers, and what may use them.

/// Whether a control character that no text needs: C0 but tab, newline and carriage return, delete, and C1.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')
}

/// Whether it makes a reviewer and a model read different orders of letters.
///
/// The left-to-right, right-to-left and Arabic letter marks are ordinary text and not among them.
pub(crate) fn is_bidi(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether it breaks a line for some readers only.
pub(crate) fn is_odd_newline(c: char) -> bool {
    matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether it can stand in a text and not be seen.
pub(crate) fn is_invisible(c: char) -> bool {
    // Almost all of most texts comes before the first of them.
    c >= '\u{ad}' && is_one_of_the_unseen(c)
}

fn is_one_of_the_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || is_selector(c)
}

/// Whether a reader that looks for words or markers should pass over it.
pub(crate) fn is_passed_over(c: char) -> bool {
    // The replacement character stands where this boundary, or another before it, took something out.
    c == '\u{fffd}'
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}')
        || is_invisible(c)
        || is_bidi(c)
        || is_control(c)
}

/// Whether it selects the shape of the character before it.
pub(crate) fn is_selector(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether it is a picture, or a sign that may be shown as one.
pub(crate) fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{24ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether it is written in a script whose words need joiners: Arabic and its kin, and the scripts of India.
pub(crate) fn needs_joiners(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17b3}'
        | '\u{17b6}'..='\u{17ff}' | '\u{1800}'..='\u{180a}' | '\u{1820}'..='\u{18aa}' | '\u{1b00}'..='\u{1b7f}'
        | '\u{a8e0}'..='\u{a8ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{11000}'..='\u{11fff}')
}

/// Whether it is written in a script that parts its words with zero-width spaces.
pub(crate) fn parts_words_unseen(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17ff}')
}

/// Whether it is a Han character, which may have variants.
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
