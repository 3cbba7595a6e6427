//! The markers that models read as structure: one table, and how it is found.
//!
//! A marker is written here as it looks when its letters are plain (see [`crate::fold`]): a full-width bar is `|` and a
//! low block is `_`, so DeepSeek's `begin▁of▁sentence` stands here with underscores.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use regex::bytes::Regex;

/// Markers that no ordinary text holds, in any case.
const MARKERS: &[&str] = &[
    // ChatML and Phi-4; the rest of these families has the general shape below.
    "<|im_start|>",
    "<|im_end|>",
    "<|im_sep|>",
    "<|endoftext|>",
    // Llama 2.
    "<<SYS>>",
    "<</SYS>>",
    // Gemma, early and late. The late ones are lopsided.
    "<start_of_turn>",
    "<end_of_turn>",
    "<|turn>",
    "<turn|>",
    "<|tool>",
    "<tool|>",
    "<|tool_call>",
    "<tool_call|>",
    "<|tool_response>",
    "<tool_response|>",
    "<|channel>",
    "<channel|>",
    "<|\"|>",
    // GLM.
    "<sop>",
    "<eop>",
    // DeepSeek: an opening whose name follows.
    "<|dsml|",
    "</|dsml|",
    // MiniMax.
    "]~!b[",
    "]~b]",
    "[e~[",
    // EXAONE.
    "[|system|]",
    "[|user|]",
    "[|assistant|]",
    "[|tool|]",
    "[|endofturn|]",
    // Tool calls, single tokens of several vocabularies.
    "<tool_call>",
    "</tool_call>",
    "<tool_calls>",
    "</tool_calls>",
    "<tool_response>",
    "</tool_response>",
    "<function_calls>",
    "</function_calls>",
    "<function_results>",
    "</function_results>",
];

/// Words in brackets, which are markers in exactly this case and ordinary text in any other.
///
/// `[ARGS]` and `[PREFIX]`, which some vocabularies have too, are not among them: usage lines of commands are full of them.
const BRACKETED: &[&str] = &[
    // Llama 2 and Mistral.
    "INST",
    "SYSTEM_PROMPT",
    "AVAILABLE_TOOLS",
    "TOOL_CALLS",
    "TOOL_RESULTS",
    "TOOL_CONTENT",
    "CALL_ID",
    "THINK",
    "MODEL_SETTINGS",
    // GLM.
    "gMASK",
];

/// A short name between bars, which is how most families write a marker, tomorrow's included.
///
/// Bars with a space inside, as pipelines of functional languages have them (`f <| x |> g`), are not of this shape.
const BETWEEN_BARS: &str = r"<\|/?[A-Za-z0-9_][A-Za-z0-9_./:-]{0,39}\|>";

static ANY_CASE: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(MARKERS)
        .expect("a few dozen short literals make an automaton")
});

static EXACT_CASE: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let both = BRACKETED.iter().flat_map(|word| [format!("[{word}]"), format!("[/{word}]")]);
    AhoCorasick::new(both).expect("a few dozen short literals make an automaton")
});

static SHAPED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("(?-u){BETWEEN_BARS}")).expect("the pattern is valid, as a test shows"));

/// The pattern of an envelope's own markers, opening and closing, in any spelling that a lenient reader might accept.
///
/// An attribute list that follows is part of the marker. Of what follows the name it is asked only that the name ends
/// there: unterminated ones are markers too.
pub(crate) fn envelope_pattern(name: &str) -> Regex {
    let name: Vec<String> = name.split('-').map(regex::escape).collect();
    let name = name.join(r"\s{0,4}[-_]?\s{0,4}");
    let list = r"(?:\s{0,4}/?\s{0,4}>|\s{1,4}[a-z_:-]{1,40}\s{0,4}=[^<>]{0,256}>)?";
    Regex::new(&format!(r"(?i-u)<\s{{0,8}}[/\\]{{0,2}}\s{{0,8}}{name}\b{list}"))
        .expect("an escaped name makes a pattern")
}

/// Adds the place of each of the envelope's markers whose name ends where a letter follows that is not of ASCII.
///
/// In a view such a letter may look like one of the name's, and to some readers it is none.
pub(crate) fn find_unfolded(text: &str, envelope: &Regex, places: &mut Vec<Range<usize>>) {
    places.extend(envelope.find_iter(text.as_bytes()).map(|found| found.range()));
}

/// Adds the place of each marker in a view for markers.
pub(crate) fn find(view: &str, envelope: &Regex, places: &mut Vec<Range<usize>>) {
    places.extend(ANY_CASE.find_iter(view).map(|found| found.range()));
    places.extend(EXACT_CASE.find_iter(view).map(|found| found.range()));
    places.extend(SHAPED.find_iter(view.as_bytes()).map(|found| found.range()));
    places.extend(envelope.find_iter(view.as_bytes()).map(|found| found.range()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> bool {
        let mut places = Vec::new();
        find(text, &envelope_pattern("untrusted-data"), &mut places);
        !places.is_empty()
    }

    #[test]
    fn each_marker_of_the_table_is_found() {
        for marker in MARKERS {
            // Neutralising passes over texts without these at once; the other patterns begin with the first of them.
            assert!(marker.contains(['<', '[', ']']), "{marker}");
            assert!(holds(marker) && holds(&marker.to_uppercase()), "{marker}");
        }
        for word in BRACKETED {
            assert!(holds(&format!("[{word}]")) && holds(&format!("a[/{word}]b")), "{word}");
            let other = if *word == "gMASK" { "GMASK".to_owned() } else { word.to_lowercase() };
            assert!(!holds(&format!("[{other}]")), "{word}");
        }
    }

    #[test]
    fn names_between_bars_are_found_and_operators_are_not() {
        for marker in ["<|eot_id|>", "<|START_OF_TURN_TOKEN|>", "<|begin_of_sentence|>", "<|/system|>", "<|v2.1:x|>"] {
            assert!(holds(marker), "{marker}");
        }
        for code in ["a <|> b", "f <| x |> g", "<||>", "xs |> map f <| y", "x < y || y > z", "<|", "|>", "a[0]<|b"] {
            assert!(!holds(code), "{code}");
        }
    }

    #[test]
    fn the_envelopes_markers_are_found_in_each_spelling() {
        for marker in [
            "</untrusted-data>",
            "</UNTRUSTED-Data >",
            "< / untrusted-data>",
            "<untrusted-data source=\"x\" flagged=''>",
            "<untrusted-data/>",
            "</untrusted-data",
            "<untrusted_data>",
            "<\n/untrusted - data>",
            "<\\/untrusted-data>",
        ] {
            assert!(holds(marker), "{marker}");
        }
        for text in
            ["untrusted-data", "/untrusted-data>", "<trusted-data>", "< a/untrusted data", "<untrusted-database>"]
        {
            assert!(!holds(text), "{text}");
        }
    }
}
