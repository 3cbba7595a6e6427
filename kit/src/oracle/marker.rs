//! Turn markers of chat templates, searched for in the ways in which a text may be read.

use aho_corasick::AhoCorasick;

use super::view::{self, View};

/// One marker to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern<'a> {
    /// The marker's id in the catalogue.
    pub id: &'a str,
    /// The marker as its template writes it.
    pub text: &'a str,
    /// Whether only its own letter case counts, as for bracketed words such as `[INST]`.
    pub exact_case: bool,
}

/// In which views a text is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// The text as it stands.
    Raw,
    /// Also normalised and folded.
    Folded,
    /// Also folded with JSON escapes undone.
    Plain,
    /// With HTML entities undone and folded, JSON escapes undone before or not.
    Entities,
    /// With HTML entities undone and folded, JSON escapes as they stand: for content that is written in
    /// them.
    EntitiesAlone,
}

/// A marker that stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerHit {
    /// The id of its pattern.
    pub id: String,
    /// The view in which it stands.
    pub reading: &'static str,
    /// The index, in characters of that view, at which it starts.
    pub at: usize,
}

/// A set of markers, made ready once and searched for often.
#[derive(Debug, Clone)]
pub struct Markers {
    ids: Vec<String>,
    /// The patterns as they are.
    raw: Needles,
    /// The patterns under NFKC, invisible characters dropped: a bar of full width is a bar.
    cleaned: Needles,
    /// The patterns cleaned and case-folded, those of exact case left out.
    folded: Needles,
}

impl Markers {
    /// Makes a set of markers ready. A pattern that is empty, or has nothing that is seen, is left out.
    #[must_use]
    pub fn new<'a>(patterns: impl IntoIterator<Item = Pattern<'a>>) -> Self {
        let patterns: Vec<Pattern<'a>> =
            patterns.into_iter().filter(|pattern| !view::cleaned(pattern.text).is_empty()).collect();
        let of = |read: &dyn Fn(&str) -> String, exact_too: bool| {
            let wanted = patterns.iter().enumerate().filter(|(_, pattern)| exact_too || !pattern.exact_case);
            Needles::new(wanted.map(|(index, pattern)| Needle {
                text: read(pattern.text),
                pattern: index,
                exact_case: pattern.exact_case,
            }))
        };
        Self {
            raw: of(&str::to_owned, true),
            cleaned: of(&view::cleaned, true),
            folded: of(&|text| view::read(text, View::Folded), false),
            ids: patterns.iter().map(|pattern| pattern.id.to_owned()).collect(),
        }
    }

    /// The first marker that stands in a text under a reading, view by view.
    ///
    /// Patterns of exact case are compared in their case in every view, the others in any case.
    #[must_use]
    pub fn find(&self, text: &str, reading: Reading) -> Option<MarkerHit> {
        match reading {
            Reading::Raw => self.hit(&self.raw, text, "raw"),
            Reading::Folded => self
                .find(text, Reading::Raw)
                .or_else(|| self.hit(&self.cleaned, &view::read(text, View::Normalised), "normalised"))
                .or_else(|| self.folded(text, "folded")),
            Reading::Plain => self
                .find(text, Reading::Folded)
                .or_else(|| self.folded(&view::read(text, View::JsonUnescaped), "folded json-unescaped")),
            Reading::EntitiesAlone => self.folded(&view::read(text, View::EntitiesUndone), "folded entities-undone"),
            Reading::Entities => self.find(text, Reading::EntitiesAlone).or_else(|| {
                let unescaped = view::read(text, View::JsonUnescaped);
                self.folded(&view::read(&unescaped, View::EntitiesUndone), "folded entities-undone json-unescaped")
            }),
        }
    }

    /// The first marker in a text once that is folded. Folding keeps the count of characters, so a
    /// place in the cleaned text, where exact case is compared, is the same place in the folded one.
    fn folded(&self, text: &str, reading: &'static str) -> Option<MarkerHit> {
        let cleaned = view::cleaned(text);
        self.hit(&self.cleaned, &cleaned, reading)
            .or_else(|| self.hit(&self.folded, &view::fold_case(&cleaned), reading))
    }

    fn hit(&self, needles: &Needles, text: &str, reading: &'static str) -> Option<MarkerHit> {
        let (pattern, start) = needles.find(text)?;
        Some(MarkerHit { id: self.ids[pattern].clone(), reading, at: text[..start].chars().count() })
    }
}

#[derive(Debug, Clone)]
struct Needle {
    text: String,
    /// The index of its pattern.
    pattern: usize,
    exact_case: bool,
}

#[derive(Debug, Clone)]
struct Needles {
    needles: Vec<Needle>,
    automaton: AhoCorasick,
}

impl Needles {
    fn new(needles: impl Iterator<Item = Needle>) -> Self {
        let needles: Vec<Needle> = needles.collect();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(needles.iter().map(|needle| &needle.text))
            // It fails from four billion states on.
            .expect("the catalogue of markers fits an automaton");
        Self { needles, automaton }
    }

    /// The pattern that matches first, and the byte at which it does.
    fn find(&self, text: &str) -> Option<(usize, usize)> {
        // Overlapping, so that a marker in the wrong case does not hide one inside it.
        self.automaton.find_overlapping_iter(text).find_map(|found| {
            let needle = &self.needles[found.pattern().as_usize()];
            let holds = !needle.exact_case || text[found.range()] == needle.text;
            holds.then_some((needle.pattern, found.start()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATTERNS: &[Pattern<'static>] = &[
        Pattern { id: "im-start", text: "<|im_start|>", exact_case: false },
        Pattern { id: "user-wide", text: "<\u{ff5c}User\u{ff5c}>", exact_case: false },
        Pattern { id: "begin-wide", text: "<\u{ff5c}begin\u{2581}of\u{2581}sentence\u{ff5c}>", exact_case: false },
        Pattern { id: "inst", text: "[INST]", exact_case: true },
        Pattern { id: "sys", text: "<<SYS>>", exact_case: false },
        Pattern { id: "empty", text: "\u{200b}", exact_case: false },
    ];

    fn find(text: &str, reading: Reading) -> Option<(String, &'static str, usize)> {
        Markers::new(PATTERNS.iter().copied()).find(text, reading).map(|hit| (hit.id, hit.reading, hit.at))
    }

    #[test]
    fn each_reading_sees_a_marker_that_the_ones_before_do_not() {
        for (text, id, reading, at) in [
            ("é <|im_start|>", "im-start", "raw", 2),
            ("<|IM_Start|>", "im-start", "raw", 0),
            ("<<sys>>", "sys", "raw", 0),
            ("<\u{ff5c}User\u{ff5c}>", "user-wide", "raw", 0),
            ("<\u{ff5c}im_start\u{ff5c}>", "im-start", "normalised", 0),
            ("\u{ff1c}|im_start|\u{ff1e}", "im-start", "normalised", 0),
            ("[\u{ff29}NST]", "inst", "normalised", 0),
            ("é<|im_\u{200b}start|>", "im-start", "folded", 1),
            ("<|im\u{0}_start|\u{ad}>", "im-start", "folded", 0),
            ("<|\u{131}m_start|>", "im-start", "folded", 0),
            ("[IN\u{200d}ST]", "inst", "folded", 0),
            (r"\u003c|im_start|\u003e", "im-start", "folded json-unescaped", 0),
            (r"\u005bINST]", "inst", "folded json-unescaped", 0),
            (r"<\uff5cbegin\u2581of\u2581sentence\uff5c>", "begin-wide", "folded json-unescaped", 0),
        ] {
            assert_eq!(find(text, Reading::Plain), Some((id.to_owned(), reading, at)), "{text}");
            assert_eq!(find(text, Reading::Raw).is_some(), reading == "raw", "{text}");
            let without_escapes = reading != "folded json-unescaped";
            assert_eq!(find(text, Reading::Folded).is_some(), without_escapes, "{text}");
        }
    }

    #[test]
    fn entities_are_read_in_their_own_reading_only() {
        for (text, reading) in [
            ("&lt;|im_start|&gt;", "folded entities-undone"),
            ("&#60;&#x7c;im_start&vert;&gt", "folded entities-undone"),
            ("&amp;lt;|im_start|>", "folded entities-undone"),
            ("&lbrack;INST&rsqb;", "folded entities-undone"),
            (r"\u0026lt;|im_start|\u003e", "folded entities-undone json-unescaped"),
        ] {
            assert_eq!(find(text, Reading::Plain), None, "{text}");
            assert_eq!(find(text, Reading::Entities).unwrap().1, reading, "{text}");
            assert_eq!(find(text, Reading::EntitiesAlone).is_some(), !reading.contains("json"), "{text}");
        }
    }

    #[test]
    fn what_is_no_marker_is_not_found() {
        for text in [
            "",
            "im_start",
            "<im_start>",
            "< |im_start| >",
            "<|im_\nstart|>",
            "[inst]",
            "[Inst]",
            "&lbrack;inst&rsqb;",
            "[\u{ff49}nst]",
            "a < b | c > d",
            "&lt;im_start&gt;",
            "<|im start|>",
        ] {
            for reading in [Reading::Raw, Reading::Folded, Reading::Plain, Reading::Entities] {
                assert_eq!(find(text, reading), None, "{text}");
            }
        }
    }

    #[test]
    fn a_marker_in_the_wrong_case_hides_none_inside_it() {
        let markers = Markers::new([
            Pattern { id: "outer", text: "[X[INST]", exact_case: true },
            Pattern { id: "inner", text: "[INST]", exact_case: true },
        ]);
        assert_eq!(markers.find("[x[INST]", Reading::Raw).unwrap().id, "inner");
    }

    #[test]
    fn no_patterns_find_nothing() {
        let markers = Markers::new([]);
        assert_eq!(markers.find("<|im_start|>", Reading::Plain), None);
    }
}
