//! Turn markers: the words with which a chat template frames a turn.

use crate::fields::Fields;
use crate::id::is_kebab;
use crate::json::Json;
use crate::words::words;

/// The markers of one family of tokenizers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkerFamily {
    /// Its permanent name, as a boundary's description lists it under `markers`.
    pub id: String,
    /// Whose markers these are.
    pub about: String,
    /// Where they are published: keys of [`Corpus::marker_sources`](crate::Corpus::marker_sources).
    pub sources: Vec<String>,
    /// The markers.
    pub markers: Vec<Marker>,
}

/// One marker.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marker {
    /// Its permanent name.
    pub id: String,
    /// The family that it stands in.
    pub family: String,
    /// The marker itself.
    pub text: String,
    /// What a boundary owes about it.
    pub class: Class,
    /// How it is compared.
    pub matching: Matching,
    /// Why it is what it is.
    pub why: String,
}

words! {
    /// What a boundary owes about a marker.
    pub Class, "marker class" {
        /// It must not stand in delivered text.
        Structural = "structural",
        /// It looks like ordinary text: it may be flagged and must not be removed.
        Prose = "prose",
    }
}

words! {
    /// How a marker is compared with a text.
    pub Matching, "matching" {
        /// Whatever the case of its letters.
        Folded = "folded",
        /// Letter by letter.
        ExactCase = "exact-case",
    }
}

impl MarkerFamily {
    /// Reads one family of `markers.json`.
    pub(crate) fn read(json: Json) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(json);
        let id = fields.string("id");
        if !is_kebab(&id) {
            fields.problem("field `id` is not in lower-case letters, digits and single hyphens");
        }
        let about = fields.string("about");
        let sources = fields.strings("sources");
        if sources.is_empty() {
            fields.problem("names no source");
        }
        let entries = fields.array("markers");
        if entries.is_empty() {
            fields.problem("holds no marker");
        }
        let mut markers = Vec::new();
        for (at, json) in entries.into_iter().enumerate() {
            match Marker::read(json, &id) {
                Ok(marker) => markers.push(marker),
                Err(problems) => fields.absorb(problems.iter().map(|why| format!("markers[{at}]: {why}")).collect()),
            }
        }
        let problems = fields.finish();
        if problems.is_empty() { Ok(Self { id, about, sources, markers }) } else { Err(problems) }
    }
}

impl Marker {
    fn read(json: Json, family: &str) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(json);
        let id = fields.string("id");
        if !is_kebab(&id) {
            fields.problem("field `id` is not in lower-case letters, digits and single hyphens");
        }
        let text = fields.string("text");
        let class = fields.word("class");
        let matching = fields.word("matching");
        let why = fields.string("why");
        match (class, matching, fields.finish()) {
            (Some(class), Some(matching), problems) if problems.is_empty() => {
                Ok(Self { id, family: family.to_owned(), text, class, matching, why })
            }
            (_, _, problems) => Err(problems),
        }
    }
}
