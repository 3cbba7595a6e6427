//! Every oracle over a long run of made-up texts: none panics, and each grammar's envelope gives back
//! what a renderer of three lines put in.

use boundary_contract::{
    Attribute, Delivery, Encoding, Grammar, JsonGrammar, NonceGrammar, Outcome, Payload, Slot, TagGrammar,
};

use super::hidden::Hidden;
use super::marker::{Markers, Pattern, Reading};
use super::view::View;
use super::{Envelope, flags, hidden, leak, marker, markers_in, parse, path, text, truncated, undo, view};

/// How many texts each test makes up.
const ROUNDS: usize = 4_000;

/// What the texts are made of: what the scanners stop at, and what they must step over.
const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "</x>",
    "<x>",
    "<x ",
    "</x",
    "\n",
    "\r",
    "\t",
    " ",
    "\"",
    "'",
    "=",
    "src=\"a\"",
    "&",
    "&lt;",
    "&#60",
    "&#x3c;",
    "&amp;",
    ";",
    "\\",
    "\\u003c",
    "\\ud83d",
    "\\ude00",
    "\\n",
    "\\\"",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "1e9",
    "-0",
    "\"c\":",
    "{\"c\":\"",
    "\"}",
    "<<DATA k7 src=[",
    "]>>",
    "<<END 0000>>",
    "<<END ",
    "<|im_start|>",
    "[INST]",
    "\0",
    "\u{1b}",
    "\u{200b}",
    "\u{ad}",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "\u{fe0f}",
    "\u{e0067}",
    "\u{e007f}",
    "\u{1f3f4}",
    "\u{1f468}",
    "\u{200d}",
    "\u{ff1c}",
    "\u{2044}",
    "\u{338}",
    "\u{301}",
    "\u{fdfa}",
    "\u{130}",
    "é",
    "日",
    "a",
    "data",
    "{key}",
    ".",
    "$",
    "~1",
    "0",
    "3",
    "😀",
];

/// A sequence of numbers that is the same every time (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((value ^ (value >> 31)) % end as u64).unwrap_or_default()
    }

    fn text(&mut self) -> String {
        let count = self.below(24);
        (0..count).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    /// The text with one character left out or one piece put in.
    fn damaged(&mut self, text: &str) -> String {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = places.get(self.below(places.len().max(1))).copied().unwrap_or_default();
        let (before, after) = text.split_at(at);
        match self.below(2) {
            0 => [before, PIECES[self.below(PIECES.len())], after].concat(),
            _ => before.chars().chain(after.chars().skip(1)).collect(),
        }
    }
}

fn tag() -> Grammar {
    let constant = Attribute::Constant { attr: "src".into(), always: "tool".into() };
    let mut tag = TagGrammar::new("x").attribute(Slot::Source, constant).attribute(Slot::Flagged, "flagged");
    tag.encoding = Encoding::Entities;
    tag.preamble = "Data:\n".into();
    tag.into()
}

fn nonce() -> Grammar {
    NonceGrammar::new("<<DATA {nonce} src=[{source}]>>\n", "\n<<END {nonce}>>").into()
}

fn object() -> Grammar {
    let mut object = JsonGrammar::new("/c");
    object.flagged = Some("/f".into());
    object.into()
}

fn entities(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace(['\n', '\r'], " ")
}

fn render(grammar: &Grammar, content: &str, slot: &str) -> String {
    match grammar {
        Grammar::Tag(_) => {
            let content = content.replace('&', "&amp;").replace('<', "&lt;");
            format!("Data:\n<x src=\"tool\" flagged=\"{}\">\n{content}\n</x>", entities(slot))
        }
        Grammar::Nonce(_) => {
            let slot = slot.replace(']', ")");
            format!("<<DATA n0nce src=[{slot}]>>\n{content}\n<<END n0nce>>")
        }
        _ => serde_json::json!({"f": slot, "c": content}).to_string(),
    }
}

#[test]
fn an_envelope_gives_back_what_was_put_in() {
    let mut dice = Dice(1);
    for _ in 0..ROUNDS {
        let (content, slot) = (dice.text(), dice.text());
        for (grammar, key, slot) in [
            (tag(), Slot::Flagged, slot.replace(['\n', '\r'], " ")),
            (nonce(), Slot::Source, slot.replace(']', ")")),
            (object(), Slot::Flagged, slot.clone()),
        ] {
            let rendered = render(&grammar, &content, &slot);
            let envelope = parse(&rendered, &grammar).unwrap_or_else(|wrong| panic!("{wrong}: {rendered:?}"));
            assert_eq!(envelope.text, content);
            assert_eq!(envelope.slots[&key], slot);
            assert_eq!(undo(grammar.encoding(), &envelope.content), Ok(envelope.text.clone()));
        }
    }
}

#[test]
fn a_damaged_rendering_is_read_or_refused_and_never_read_as_more_than_it_is() {
    let mut dice = Dice(2);
    let mut refused = 0;
    for _ in 0..ROUNDS {
        let (content, slot) = (dice.text(), dice.text());
        for grammar in [tag(), nonce(), object()] {
            let rendered = render(&grammar, &content, &slot);
            let damaged = dice.damaged(&rendered);
            match parse(&damaged, &grammar) {
                Err(_) => refused += 1,
                Ok(Envelope { content, .. }) => assert!(damaged.contains(&content)),
            }
        }
    }
    // Most damage is done to the content, which may be anything.
    assert!(refused > ROUNDS, "{refused}");
}

#[test]
fn no_oracle_panics() {
    let markers = Markers::new([
        Pattern { id: "a", text: "<|im_start|>", exact_case: false },
        Pattern { id: "b", text: "[INST]", exact_case: true },
    ]);
    let mut dice = Dice(3);
    let mut hits = 0;
    for _ in 0..ROUNDS {
        let (one, other) = (dice.text(), dice.text());
        for grammar in [tag(), nonce(), object()] {
            if let Ok(envelope) = parse(&one, &grammar) {
                let _ = (flags(&envelope), truncated(&envelope));
            }
            hits += usize::from(markers_in(&one, &grammar, Some("k7")).is_err());
        }
        for encoding in Encoding::ALL {
            let _ = undo(*encoding, &one);
        }
        for view in View::ALL {
            let _ = view::read(&one, *view);
        }
        for reading in [Reading::Raw, Reading::Folded, Reading::Plain, Reading::Entities] {
            let found: Option<marker::MarkerHit> = markers.find(&one, reading);
            hits += usize::from(found.is_some());
        }
        assert_eq!(hidden::find(&one, Hidden::ALL).is_some(), hidden::count(&one, Hidden::ALL) > 0);
        let mut delivery = Delivery::new("", "");
        delivery.reason = Some(one.clone());
        hits += usize::from(leak::find("imstartdataim", &Outcome::from(delivery)).is_err());
        let _ = (path::place(&one), path::leads_to(&one, &other, Some("$")));
        assert!(path::leads_to(&one, &one, None) || !one.is_empty() && !one.starts_with('/'));
        let _ = (text::same(&one, &other), text::json_equals(&one, &Payload::from(other.as_str())));
        assert_eq!(text::same(&one, &one), Ok(()));
        assert_eq!(text::json_equals(&serde_json::json!([one]).to_string(), &serde_json::json!([one]).into()), Ok(()));
    }
    assert!(hits > ROUNDS / 4, "the texts must hold what is looked for: {hits}");
}
