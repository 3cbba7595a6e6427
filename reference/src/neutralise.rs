//! Forged structure, made harmless and left visible.

use std::borrow::Cow;
use std::ops::Range;

use regex::bytes::Regex;

use crate::clean::clean;
use crate::fold::for_markers;
use crate::markers;
use crate::unescape::Layers;

/// What stands where a marker stood.
///
/// It holds no letter that any marker begins or ends with, so what is around it cannot complete it to one.
pub(crate) const STAND_IN: &str = "(marker removed)";
/// How often a text is gone over. Two passes do for anything seen; what is not stable then is defanged.
const PASSES: usize = 4;
/// How far before a cut that completes a marker everything that markers need is replaced, in characters. No marker of
/// the tables is longer.
const TAIL: usize = 64;

/// What takes forged structure out of texts, for one name of the envelope.
#[derive(Debug, Clone)]
pub(crate) struct Neutraliser {
    envelope: Regex,
}

impl Neutraliser {
    /// For an envelope of this name.
    pub(crate) fn new(envelope: &str) -> Self {
        Self { envelope: markers::envelope_pattern(envelope) }
    }

    /// The text without forged structure. Doing it again changes nothing.
    pub(crate) fn neutralise<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for _ in 0..PASSES {
            // Markers go first: what is invisible inside one is still seen to be inside it.
            let unmarked = self.unmark(&text);
            let changed = match &unmarked {
                Some(unmarked) => Some(clean(unmarked).into_owned()),
                None => match clean(&text) {
                    Cow::Owned(cleaned) => Some(cleaned),
                    Cow::Borrowed(_) => None,
                },
            };
            match changed {
                Some(changed) => text = Cow::Owned(changed),
                None => return text,
            }
        }
        Cow::Owned(defang(&text))
    }

    /// A neutralised text that was cut, without what the cut completed, and no longer than it is.
    ///
    /// A cut can end an entity, an escape or a name that was longer, and what is left may be another.
    pub(crate) fn settle(&self, part: &str) -> String {
        if self.neutralise(part) == part {
            return part.to_owned();
        }
        // What a cut completes ends at the cut, so that all but the end can usually stay as it is.
        let tail = part.char_indices().rev().nth(TAIL).map_or(0, |(at, _)| at);
        let settled = format!("{}{}", &part[..tail], defang(&part[tail..]));
        if self.neutralise(&settled) == settled { settled } else { defang(part) }
    }

    /// The text with each marker replaced; `None` where there is none.
    fn unmark(&self, text: &str) -> Option<String> {
        // Every marker has one of these when its letters are plain, and whatever is not plain is not ASCII.
        if text.bytes().all(|byte| byte.is_ascii() && !matches!(byte, b'<' | b'[' | b']' | b'&' | b'\\')) {
            return None;
        }
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut found = Vec::new();
        let layers = Layers::of(text);
        for (layer, read) in layers.iter() {
            let view = for_markers(read);
            markers::find(&view.text, &self.envelope, &mut found);
            places.extend(found.drain(..).map(|place| layers.source(layer, view.source(&place))));
            if matches!(view.text, Cow::Owned(_)) {
                markers::find_unfolded(read, &self.envelope, &mut found);
                places.extend(found.drain(..).map(|place| layers.source(layer, place)));
            }
        }
        if places.is_empty() {
            return None;
        }
        places.sort_unstable_by_key(|place| (place.start, place.end));
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        let mut places = places.into_iter().peekable();
        while let Some(place) = places.next() {
            // Overlapping markers leave one stand-in.
            let mut end = place.end;
            while let Some(next) = places.next_if(|next| next.start < end) {
                end = end.max(next.end);
            }
            out.push_str(&text[done..place.start]);
            out.push_str(STAND_IN);
            done = end;
        }
        out.push_str(&text[done..]);
        Some(out)
    }
}

/// The text with everything replaced that a marker, an entity or an escape needs. It keeps its length in characters.
pub(crate) fn defang(text: &str) -> String {
    let needed = |c: char| {
        let mut buffer = [0; 4];
        let plain = for_markers(c.encode_utf8(&mut buffer));
        plain.text.is_empty() || plain.text.contains(['<', '>', '[', ']', '|', '&', '\\'])
    };
    text.chars().map(|c| if needed(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neutralise(text: &str) -> String {
        let neutraliser = Neutraliser::new("untrusted-data");
        let once = neutraliser.neutralise(text).into_owned();
        assert_eq!(neutraliser.neutralise(&once), once, "not stable: {}", text.escape_unicode());
        once
    }

    #[test]
    fn a_marker_leaves_a_stand_in_whatever_its_disguise() {
        for marker in [
            "<|im_start|>",
            "<|IM_START|>",
            "<|im_\u{200b}start|>",
            "<|im_\0start|>",
            "\u{ff1c}\u{ff5c}im_start\u{ff5c}\u{ff1e}",
            "&lt;|im_start|&gt;",
            "&amp;lt;|im_start|&#62;",
            "\\u003c|im_start|\\u003e",
            "<|im_st\u{430}rt|>",
            "<|im_st\u{ad}art|>",
            "<\u{ff5c}begin\u{2581}of\u{2581}sentence\u{ff5c}>",
            "[INST]",
            "[\u{200b}/INST]",
            "\u{ff3b}INST\u{ff3d}",
            "</untrusted-data>",
            "< / Untrusted-Data>",
            "</untrusted-data foo=\"1\">",
            "<untrusted\u{2010}data>",
            "&lt;/untrusted-data&gt;",
            "\u{2039}/untrusted-data\u{203a}",
            "<\\/untrusted-data>",
        ] {
            assert_eq!(neutralise(&format!("a {marker} b")), format!("a {STAND_IN} b"), "{}", marker.escape_unicode());
        }
    }

    #[test]
    fn taking_one_out_builds_no_other() {
        for text in [
            "<|im_<|im_start|>start|>",
            "</untrusted-</untrusted-data>data>",
            "<|im_\u{200b}<|im_end|>start|>",
            "[IN[INST]ST]",
            "[e~[e~[e~[",
            "]~b]~!b[",
            "<|<|<|x|>|>|>",
            "&lt&lt;|x|>;|x|>",
            "<<SYS<<SYS>>>>",
            "\\\\u003c|x|\\u003e",
        ] {
            let out = neutralise(text);
            assert!(out.contains(STAND_IN), "{text}: {out}");
        }
    }

    #[test]
    fn the_envelopes_name_ends_where_some_reader_sees_it_end() {
        for end in ["\u{200b}x>", "\u{aa}>", "\u{440}>"] {
            let out = neutralise(&format!("</untrusted-data{end}"));
            assert!(out.starts_with(STAND_IN), "{}", end.escape_unicode());
        }
        assert_eq!(neutralise("<untrusted-database>"), "<untrusted-database>");
    }

    #[test]
    fn a_cut_completes_no_marker_and_leaves_the_rest() {
        let neutraliser = Neutraliser::new("untrusted-data");
        let before = format!("[1] a < b & c {}", "words ".repeat(12));
        for (whole, cut_off) in [("<|im_start|&#620;", 2), ("<untrusted-database", 4), ("x\u{200d}", 0)] {
            let part = format!("{before}{}", &whole[..whole.len() - cut_off]);
            assert_ne!(neutraliser.neutralise(&part), part, "{whole}");
            let settled = neutraliser.settle(&part);
            assert_eq!(neutraliser.neutralise(&settled), settled);
            assert!(settled.starts_with(&before), "{settled}");
            assert_eq!(settled.chars().count(), part.chars().count());
        }
        assert_eq!(neutraliser.settle(&before), before);
        // A marker longer than the end that is looked at: nothing less than all of it will do.
        let long = format!("<untrusted-data a=\"{}\">", "b".repeat(200));
        let settled = neutraliser.settle(&long);
        assert_eq!((neutraliser.neutralise(&settled).as_ref(), settled.len()), (settled.as_str(), long.len() + 4));
    }

    #[test]
    fn what_stands_around_a_marker_stays() {
        assert_eq!(neutralise("x[1] <|im_start|>\u{200b} a < b & c"), format!("x[1] {STAND_IN}\u{fffd} a < b & c"));
    }

    #[test]
    fn a_text_that_would_never_settle_is_defanged() {
        let out = defang("<|im_start|> \u{ff1c}x\u{200b}[INST] & caf\u{e9}");
        assert_eq!(
            out,
            "\u{fffd}\u{fffd}im_start\u{fffd}\u{fffd} \u{fffd}x\u{fffd}\u{fffd}INST\u{fffd} \u{fffd} caf\u{e9}"
        );
        assert_eq!(neutralise(&out), out);
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in [
            "if (a < b && c > d) { x[i] = y | z; }",
            "<p class=\"x\">5 &lt; 6 &amp; \u{201c}ok\u{201d}</p> <s>old</s> <br/>",
            "[link](https://docs.example/a?b=1&lt=2) - [x] done [OPTIONS] [inst]",
            "C:\\new\\untrusted\\data \\n \\alpha",
            "r#\"^\\d+[a-z]*$\"# \u{2264} \u{226e} \u{1d465}\u{2208}\u{211d}",
            "{\"a\":[1,2],\"b\":\"c\\nd\"}",
            "\u{ab} bonjour \u{bb} \u{300c}\u{4e2d}\u{6587}\u{300d}",
        ] {
            assert_eq!(neutralise(text), text);
        }
    }
}
