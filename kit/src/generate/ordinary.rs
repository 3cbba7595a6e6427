//! Ordinary results with one place in them for a text, composed from a sequence of choices.

use boundary_contract::{Builder, Payload};

use super::grammar::Choices;

/// A result in which one text is left open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordinary {
    steps: Vec<Step>,
    /// Where the open text stands, as a JSON Pointer; the segment `{key}` is the open text itself.
    pub at: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    BeginArray,
    BeginObject,
    Key(String),
    End,
    Text(&'static str),
    Number(u8),
    /// A text with the open one between these.
    Open {
        before: &'static str,
        after: &'static str,
    },
    /// The open text as a key.
    OpenKey,
}

const KEYS: &[&str] = &["title", "body", "note", "hits", "page", "a/b", "~", "0", "caf\u{e9}", "two words", ""];
const TEXTS: &[&str] = &[
    "",
    "Berth five is free.",
    "The ferry to the north pier leaves at nine.",
    "Fees rose by a tenth in May.",
    "Caf\u{e9} am Hafen, t\u{e4}glich ge\u{f6}ffnet.",
    "\u{6e2f}\u{53e3}\u{306e}\u{8336}\u{5e97}",
    "Tide tables are posted at the gate. Bring a lamp.",
];
/// What may stand before and after the open text in the same string.
const AROUND: &[&str] = &["", "", "Berth five is free. ", "\u{1f30a} The tide turns at ten. ", "Fees rose.\n"];
/// The most containers around the open text.
const DEPTH: u8 = 6;
/// The most siblings on either side of it, in each container.
const SIBLINGS: u8 = 4;

impl Ordinary {
    /// The result that these bytes stand for, no deeper than this; a text alone where that is nothing.
    ///
    /// `keys` says whether the open text may be a key.
    #[must_use]
    pub fn new(bytes: &[u8], deepest: Option<u64>, keys: bool) -> Self {
        let mut choices = Choices::new(bytes);
        let deepest = u8::try_from(deepest.unwrap_or(0)).unwrap_or(u8::MAX).min(DEPTH);
        let levels = choices.below(deepest + 1);
        let mut made = Self { steps: Vec::new(), at: String::new() };
        // Whether each open container is an object.
        let mut open = Vec::new();
        for level in 0..levels {
            let object = choices.below(2) == 1;
            let before = choices.below(SIBLINGS);
            made.steps.push(if object { Step::BeginObject } else { Step::BeginArray });
            open.push(object);
            for index in 0..before {
                made.sibling(&mut choices, object, index, "");
            }
            if !object {
                made.at.push_str(&format!("/{before}"));
            } else if keys && level + 1 == levels && choices.below(3) == 2 {
                made.at.push_str("/{key}");
                made.steps.extend([Step::OpenKey, Step::Number(1)]);
                made.close(&mut choices, open);
                return made;
            } else {
                let key = choices.of(KEYS).copied().unwrap_or_default();
                made.at.push_str(&format!("/{}", key.replace('~', "~0").replace('/', "~1")));
                made.steps.push(Step::Key(key.to_owned()));
            }
        }
        let [before, after] = [(); 2].map(|()| choices.of(AROUND).copied().unwrap_or_default());
        made.steps.push(Step::Open { before, after });
        made.close(&mut choices, open);
        made
    }

    /// The result with this as the open text.
    #[must_use]
    pub fn with(&self, text: &str) -> Payload {
        let mut builder = Builder::new();
        for step in &self.steps {
            match step {
                Step::BeginArray => builder.begin_array(),
                Step::BeginObject => builder.begin_object(),
                Step::Key(key) => builder.key(key),
                Step::End => builder.end(),
                Step::Text(text) => builder.string(*text),
                Step::Number(number) => builder.number(i64::from(*number)),
                // A space parts it from what stands around it, whatever that ends in.
                Step::Open { before, after } => builder.string(match after.is_empty() {
                    true => format!("{before}{text}"),
                    false => format!("{before}{text} {after}"),
                }),
                Step::OpenKey => builder.key(text),
            };
        }
        builder.finish()
    }

    fn close(&mut self, choices: &mut Choices<'_>, open: Vec<bool>) {
        for object in open.into_iter().rev() {
            for index in 0..choices.below(SIBLINGS) {
                self.sibling(choices, object, index, "after ");
            }
            self.steps.push(Step::End);
        }
    }

    /// A member, under a key of its own, or an item.
    fn sibling(&mut self, choices: &mut Choices<'_>, object: bool, index: u8, side: &str) {
        if object {
            self.steps.push(Step::Key(format!("{side}k{index}")));
        }
        self.steps.push(match choices.below(3) {
            0 => Step::Number(choices.byte()),
            _ => Step::Text(choices.of(TEXTS).copied().unwrap_or_default()),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn made(seed: u32) -> Ordinary {
        let mut state = seed.wrapping_mul(0x9e37_79b9).wrapping_add(1);
        let bytes: Vec<u8> = (0..48)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                state.to_le_bytes()[1]
            })
            .collect();
        Ordinary::new(&bytes, Some(8), true)
    }

    #[test]
    fn the_open_text_stands_where_it_says() {
        for seed in 0..500 {
            let ordinary = made(seed);
            let payload = ordinary.with("zq7");
            match ordinary.at.strip_suffix("/{key}") {
                Some(parent) => assert!(payload.pointer(&format!("{parent}/zq7")).is_some(), "{}", payload.to_json()),
                None => {
                    let text = payload.pointer(&ordinary.at).and_then(|view| view.as_str()).unwrap_or_default();
                    assert!(text.contains("zq7"), "{} in {}", ordinary.at, payload.to_json());
                }
            }
        }
    }

    #[test]
    fn every_kind_of_place_is_reached() {
        let places: BTreeSet<String> = (0..300).map(|seed| made(seed).at).collect();
        assert!(places.contains("") && places.iter().any(|at| at.ends_with("/{key}")));
        assert!(places.iter().any(|at| at.contains("/a~1b")) && places.iter().any(|at| at.contains("/~0")));
        assert_eq!(places.iter().map(|at| at.matches('/').count()).max(), Some(usize::from(DEPTH)));
        assert!(places.len() > 100, "{}", places.len());
    }

    #[test]
    fn no_bytes_are_the_plainest_result_and_texts_alone_stay_alone() {
        assert_eq!(Ordinary::new(&[], Some(8), true).with("zq7"), Payload::from("zq7"));
        let alone = Ordinary::new(&[3, 1, 2, 200, 5], None, true);
        assert!(alone.with("zq7").as_str().is_some() && alone.at.is_empty());
    }
}
