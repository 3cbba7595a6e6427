//! Characters that hide text or change the order in which it is read.

/// A kind of hidden character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hidden {
    /// U+0000.
    Null,
    /// U+001B, which begins a terminal's orders.
    Escape,
    /// U+007F.
    Delete,
    /// U+0008.
    Backspace,
    /// U+0080 to U+009F.
    C1,
    /// Any other control below U+0020, but newline, tab and carriage return.
    OtherC0,
    /// Bidirectional embeddings and overrides and their end, U+202A to U+202E.
    BidiOverride,
    /// Bidirectional isolates and their end, U+2066 to U+2069.
    BidiIsolate,
    /// A tag character, U+E0000 to U+E007F, outside a well-formed emoji flag.
    Tag,
    /// A variation selector in a row of two or more, or after a character that takes none.
    VariationRun,
    /// A character without width or look that carries nothing here: fillers, blanks, joiners outside
    /// the scripts and emoji that use them, soft hyphens in a row, direction marks in a row of three or more.
    ZeroWidth,
}

impl Hidden {
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::Null,
        Self::Escape,
        Self::Delete,
        Self::Backspace,
        Self::C1,
        Self::OtherC0,
        Self::BidiOverride,
        Self::BidiIsolate,
        Self::Tag,
        Self::VariationRun,
        Self::ZeroWidth,
    ];

    /// What a report calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "a null",
            Self::Escape => "an escape",
            Self::Delete => "a delete",
            Self::Backspace => "a backspace",
            Self::C1 => "a C1 control",
            Self::OtherC0 => "a C0 control",
            Self::BidiOverride => "a bidirectional override",
            Self::BidiIsolate => "a bidirectional isolate",
            Self::Tag => "a tag character",
            Self::VariationRun => "a variation selector that selects nothing",
            Self::ZeroWidth => "a character without width",
        }
    }
}

/// A hidden character that stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenHit {
    /// What it is.
    pub kind: Hidden,
    /// Its code point.
    pub code_point: u32,
    /// Its index in the text, in characters.
    pub at: usize,
}

/// The first hidden character of these kinds.
#[must_use]
pub fn find(text: &str, kinds: &[Hidden]) -> Option<HiddenHit> {
    hits(text).find(|hit| kinds.contains(&hit.kind))
}

/// How many characters of a text are hidden in one of these ways.
#[must_use]
pub fn count(text: &str, kinds: &[Hidden]) -> usize {
    hits(text).filter(|hit| kinds.contains(&hit.kind)).count()
}

fn hits(text: &str) -> impl Iterator<Item = HiddenHit> {
    let mut before = None;
    // The byte up to which a well-formed emoji flag reaches.
    let mut flag_end = 0;
    text.char_indices().enumerate().filter_map(move |(at, (start, c))| {
        let rest = &text[start + c.len_utf8()..];
        if c == BLACK_FLAG {
            flag_end = text.len() - rest.len() + flag_length(rest);
        }
        let kind = if start < flag_end { None } else { kind(before, c, rest.chars().next()) };
        before = Some(c);
        kind.map(|kind| HiddenHit { kind, code_point: u32::from(c), at })
    })
}

/// What hides in a character between its neighbours.
fn kind(before: Option<char>, c: char, after: Option<char>) -> Option<Hidden> {
    let hidden = match c {
        '\0' => Hidden::Null,
        '\t' | '\n' | '\r' => return None,
        '\u{8}' => Hidden::Backspace,
        '\u{1b}' => Hidden::Escape,
        '\0'..='\u{1f}' => Hidden::OtherC0,
        '\u{7f}' => Hidden::Delete,
        '\u{80}'..='\u{9f}' => Hidden::C1,
        '\u{202a}'..='\u{202e}' => Hidden::BidiOverride,
        '\u{2066}'..='\u{2069}' => Hidden::BidiIsolate,
        '\u{e0000}'..='\u{e007f}' => Hidden::Tag,
        _ if is_selector(c) => {
            let alone = !after.is_some_and(is_selector) && before.is_some_and(|before| takes_selector(before, c));
            return (!alone).then_some(Hidden::VariationRun);
        }
        '\u{200b}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}'
        | '\u{180e}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{2800}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{34f}' => Hidden::ZeroWidth,
        '\u{200c}' => return (!before.is_some_and(is_joining)).then_some(Hidden::ZeroWidth),
        '\u{200d}' => {
            let emoji = before.is_some_and(ends_emoji) && after.is_some_and(is_pictograph);
            return (!emoji && !before.is_some_and(is_joining)).then_some(Hidden::ZeroWidth);
        }
        // They are ordinary one at a time, and two may meet where directions change.
        mark if is_direction_mark(mark) => {
            let in_a_row = before.is_some_and(is_direction_mark) && after.is_some_and(is_direction_mark);
            return in_a_row.then_some(Hidden::ZeroWidth);
        }
        '\u{ad}' => {
            let in_a_row = before == Some(c) || after == Some(c);
            return in_a_row.then_some(Hidden::ZeroWidth);
        }
        _ => return None,
    };
    Some(hidden)
}

fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}')
}

const BLACK_FLAG: char = '\u{1f3f4}';

/// The length in bytes of the tag sequence that makes a flag of what stands before it: three to seven
/// letters or digits, the longest code of a region's part, and the end of tags. Zero for any other.
fn flag_length(text: &str) -> usize {
    let code = text.chars().take(8).take_while(|c| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}'));
    let count = code.count();
    let ended = text.chars().nth(count) == Some('\u{e007f}');
    // Tag characters are four bytes long.
    if (3..=7).contains(&count) && ended { (count + 1) * 4 } else { 0 }
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}')
}

/// Whether Unicode has variants of a character that this selector could choose among, roughly: what
/// is refused takes none, what is let through mostly does.
fn takes_selector(c: char, selector: char) -> bool {
    match selector {
        '\u{e0100}'..='\u{e01ef}' => is_ideograph(c),
        '\u{180b}'..='\u{180f}' => matches!(c, '\u{1800}'..='\u{18af}' | '\u{11660}'..='\u{1166c}') && !is_selector(c),
        _ => match c {
            // Keycaps, and the slashed zero.
            '0'..='9' | '#' | '*' | '\u{a9}' | '\u{ae}' => true,
            '\0'..='\u{fff}' | '\u{1e00}'..='\u{1fff}' => false,
            c => !c.is_whitespace() && !is_selector(c) && !super::skeleton::is_invisible(c),
        },
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// A letter or mark of a script in whose words joiners and non-joiners are written.
fn is_joining(c: char) -> bool {
    matches!(c,
        // Arabic, Syriac, Thaana, N'Ko, Samaritan, Mandaic.
        '\u{610}'..='\u{8ff}'
        // Devanagari to Sinhala.
        | '\u{900}'..='\u{dff}'
        // Tibetan, Myanmar.
        | '\u{f00}'..='\u{109f}'
        // Khmer without its invisible vowels, Mongolian without its separators and selectors.
        | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17ff}' | '\u{1807}' | '\u{180a}' | '\u{1820}'..='\u{18af}'
        // Further scripts of South and South-East Asia.
        | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}'
        // Presentation forms of Arabic.
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        // Brahmi and its kin, Adlam.
        | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{24ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// What a joiner within an emoji may stand after: a pictograph (skin tones are some), or the emoji
/// selector after one.
fn ends_emoji(c: char) -> bool {
    is_pictograph(c) || c == '\u{fe0f}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_found_with_its_place() {
        use Hidden::*;
        for (text, kind, at) in [
            ("é\0", Null, 1),
            ("a\u{1b}[31m", Escape, 1),
            ("a\u{7f}", Delete, 1),
            ("ab\u{8}", Backspace, 2),
            ("\u{9b}31m", C1, 0),
            ("\u{85}", C1, 0),
            ("a\u{c}b", OtherC0, 1),
            ("a\u{202e}b", BidiOverride, 1),
            ("\u{202a}", BidiOverride, 0),
            ("\u{2066}a\u{2069}", BidiIsolate, 0),
            ("hi\u{e0068}\u{e0069}", Tag, 2),
            ("\u{e0001}", Tag, 0),
            // A flag without its end, with too long a code, and letters after the end.
            ("\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}", Tag, 1),
            ("\u{1f3f4}\u{e0061}\u{e0062}\u{e0063}\u{e0064}\u{e0065}\u{e0066}\u{e0067}\u{e0068}\u{e007f}", Tag, 1),
            ("\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0061}", Tag, 7),
            ("a\u{fe0f}", VariationRun, 1),
            (" \u{fe00}", VariationRun, 1),
            ("\u{fe0f}", VariationRun, 0),
            ("é\u{fe01}", VariationRun, 1),
            ("\u{2764}\u{fe0f}\u{fe0f}", VariationRun, 1),
            ("\u{2764}\u{e0100}", VariationRun, 1),
            ("\u{2764}\u{fe0f}\u{200b}\u{fe0f}", VariationRun, 3),
            ("a\u{200b}b", ZeroWidth, 1),
            ("\u{feff}a", ZeroWidth, 0),
            ("\u{2063}", ZeroWidth, 0),
            ("\u{180e}", ZeroWidth, 0),
            ("\u{3164}", ZeroWidth, 0),
            ("\u{2800}", ZeroWidth, 0),
            ("\u{fffa}", ZeroWidth, 0),
            ("a\u{34f}", ZeroWidth, 1),
            ("a\u{200d}b", ZeroWidth, 1),
            ("a\u{200c}b", ZeroWidth, 1),
            ("\u{1f468}\u{200d}a", ZeroWidth, 1),
            ("\u{645}\u{200c}\u{200c}", ZeroWidth, 2),
            ("a\u{ad}\u{ad}b", ZeroWidth, 1),
            ("a\u{200e}\u{200f}\u{200e}b", ZeroWidth, 2),
            ("\u{61c}\u{61c}\u{200e}\u{200f}", ZeroWidth, 1),
        ] {
            let hit = find(text, Hidden::ALL);
            let found = hit.filter(|hit| hit.kind == kind).or_else(|| find(text, &[kind]));
            assert_eq!(found.map(|hit| (hit.kind, hit.at)), Some((kind, at)), "{}", text.escape_unicode());
        }
    }

    #[test]
    fn what_is_ordinary_text_hides_nothing() {
        for text in [
            "",
            "line\n\ttab\r\n",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}",
            "\u{1f44b}\u{1f3fd} \u{1f469}\u{1f3fd}\u{200d}\u{1f4bb}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} won",
            "\u{1f3f4}\u{200d}\u{2620}\u{fe0f} \u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "\u{2764}\u{fe0f}\u{200d}\u{1f525} \u{1f3c3}\u{200d}\u{27a1}\u{fe0f}",
            "1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3} \u{a9}\u{fe0f} \u{2764}\u{fe0f} \u{2714}\u{fe0e}",
            // Persian, Hindi, Sinhala, Malayalam.
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{915}\u{94d}\u{200d}\u{937} \u{915}\u{94d}\u{200c}\u{937}",
            "\u{dc1}\u{dca}\u{200d}\u{dbb}\u{dd3}",
            "\u{d28}\u{d4d}\u{200d}",
            // Decomposed accents, marks of direction, a soft hyphen, ideographic variants, mathematics.
            "e\u{301}a\u{308}",
            "\u{5d0}\u{200f}! \u{200e}a \u{61c}",
            "\u{5d0}\u{200f}\u{200e}a",
            "Donau\u{ad}dampf\u{ad}schiff",
            "\u{845b}\u{e0100}\u{57ce} \u{2268}\u{fe00} 0\u{fe00}",
            "\u{1820}\u{180b}\u{1821}",
            "a\u{a0}b\u{3000}c",
        ] {
            assert_eq!(find(text, Hidden::ALL), None, "{}", text.escape_unicode());
        }
    }

    #[test]
    fn only_the_kinds_asked_for_count() {
        let text = "\0a\u{200b}\u{202e}b\0\u{ad}\u{ad}";
        assert_eq!(count(text, Hidden::ALL), 6);
        assert_eq!(count(text, &[Hidden::Null]), 2);
        assert_eq!(count(text, &[Hidden::ZeroWidth, Hidden::BidiOverride]), 4);
        assert_eq!(count(text, &[]), 0);
        assert_eq!(
            find(text, &[Hidden::BidiOverride]),
            Some(HiddenHit { kind: Hidden::BidiOverride, code_point: 0x202e, at: 3 })
        );
    }

    #[test]
    fn every_kind_stands_in_the_list_of_all() {
        let sample = "\0\u{1b}\u{7f}\u{8}\u{80}\u{1}\u{202e}\u{2066}\u{e0041}\u{fe00}\u{200b}";
        assert_eq!(count(sample, Hidden::ALL), sample.chars().count());
        assert_eq!(Hidden::ALL.len(), sample.chars().count());
        let names: std::collections::HashSet<_> = Hidden::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), Hidden::ALL.len());
    }

    #[test]
    fn format_controls_outside_the_common_lists_hide_too() {
        for c in [
            '\u{2065}',
            '\u{206a}',
            '\u{206f}',
            '\u{fff0}',
            '\u{fff8}',
            '\u{1bca0}',
            '\u{1bca3}',
            '\u{1d173}',
            '\u{1d17a}',
        ] {
            let hit = find(&format!("a{c}b"), &[Hidden::ZeroWidth]);
            assert_eq!(hit.map(|hit| (hit.code_point, hit.at)), Some((u32::from(c), 1)));
        }
    }
}
