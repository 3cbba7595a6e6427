//! How to read what a boundary renders: the envelope grammars.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::UnknownWord;
use crate::words::words;
use std::fmt;

words! {
    /// A piece of what an envelope says, by the kit's name.
    Slot, "envelope slot" {
        /// Where the content came from, as a name.
        Source = "source",
        /// The tool that returned it.
        Tool = "tool",
        /// Whose run it is.
        Tenant = "tenant",
        /// Where the content came from, as a URL.
        Url = "url",
        /// When it was fetched.
        FetchedAt = "fetched_at",
        /// The heuristics that matched, separated by a space or a comma.
        Flagged = "flagged",
        /// Whether anything was cut.
        Truncated = "truncated",
    }
}

words! {
    /// How content is written between the markers.
    Encoding, "encoding" {
        /// As it is.
        None = "none",
        /// With HTML entities.
        Entities = "entities",
        /// As the inside of a JSON string.
        Json = "json",
    }
}

words! {
    /// Where a nonce comes from.
    Nonce, "nonce" {
        /// Different in each rendering.
        Fresh = "fresh",
        /// Derived from the content.
        Digest = "digest",
    }
}

/// How a boundary's renderings are to be read. The kit parses by this alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "style", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Grammar {
    /// `<name attr="…">`, newline, content, newline, `</name>`.
    Tag(TagGrammar),
    /// Two templates that bear the same token.
    Nonce(NonceGrammar),
    /// One JSON object.
    Json(JsonGrammar),
}

impl Grammar {
    /// A tag envelope without attributes.
    #[must_use]
    pub fn tag(name: impl Into<String>) -> Self {
        Self::Tag(TagGrammar::new(name))
    }

    /// How content is written between the markers.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        match self {
            Self::Tag(tag) => tag.encoding,
            Self::Nonce(nonce) => nonce.encoding,
            // The content of a JSON envelope is a JSON string, whatever else is said.
            Self::Json(_) => Encoding::Json,
        }
    }
}

/// An envelope like an element of markup.
///
/// Attribute values are read with entities undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TagGrammar {
    /// The element's name.
    pub name: String,
    /// Fixed text before the opening marker.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preamble: String,
    /// Fixed text after the closing marker.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub postamble: String,
    /// Which attribute says what. A slot left out is not rendered.
    #[serde(default)]
    pub attributes: BTreeMap<Slot, Attribute>,
    /// Attributes with a constant value.
    #[serde(default)]
    pub extra: BTreeMap<String, String>,
    /// How content is written between the markers.
    #[serde(default = "no_encoding")]
    pub encoding: Encoding,
}

impl TagGrammar {
    /// An element without attributes.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            preamble: String::new(),
            postamble: String::new(),
            attributes: BTreeMap::new(),
            extra: BTreeMap::new(),
            encoding: Encoding::None,
        }
    }

    /// The same, with an attribute that says what is in a slot.
    #[must_use]
    pub fn attribute(mut self, slot: Slot, attribute: impl Into<Attribute>) -> Self {
        self.attributes.insert(slot, attribute.into());
        self
    }
}

impl From<TagGrammar> for Grammar {
    fn from(tag: TagGrammar) -> Self {
        Self::Tag(tag)
    }
}

/// The attribute that stands for a slot: its name, and its value where that is a constant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Attribute {
    /// The attribute of this name.
    Named(String),
    /// The attribute of this name, which always has this value.
    Constant {
        /// The attribute's name.
        attr: String,
        /// Its value, whatever the call says.
        always: String,
    },
}

impl Attribute {
    /// The attribute's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Constant { attr, .. } => attr,
        }
    }

    /// Its declared constant value, if it has one.
    #[must_use]
    pub fn always(&self) -> Option<&str> {
        match self {
            Self::Named(_) => None,
            Self::Constant { always, .. } => Some(always),
        }
    }
}

impl From<&str> for Attribute {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

/// An envelope whose markers bear a token that its content cannot know.
///
/// The templates hold `{nonce}` and slots such as `{source}`, each between delimiters of the
/// template. Only markers that bear the rendering's own nonce count as markers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NonceGrammar {
    /// The opening marker.
    pub open: String,
    /// The closing marker.
    pub close: String,
    /// Where the nonce comes from.
    #[serde(default = "fresh")]
    pub nonce: Nonce,
    /// Fixed text before the opening marker.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preamble: String,
    /// Fixed text after the closing marker.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub postamble: String,
    /// How content is written between the markers.
    #[serde(default = "no_encoding")]
    pub encoding: Encoding,
}

impl NonceGrammar {
    /// An envelope with a fresh nonce.
    #[must_use]
    pub fn new(open: impl Into<String>, close: impl Into<String>) -> Self {
        Self {
            open: open.into(),
            close: close.into(),
            nonce: Nonce::Fresh,
            preamble: String::new(),
            postamble: String::new(),
            encoding: Encoding::None,
        }
    }
}

impl From<NonceGrammar> for Grammar {
    fn from(nonce: NonceGrammar) -> Self {
        Self::Nonce(nonce)
    }
}

/// An envelope that is one JSON object, with JSON Pointers to its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct JsonGrammar {
    /// Where the content stands.
    pub content: String,
    /// Where `untrusted` stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<String>,
    /// Where the source stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Where the tool's name stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Where the tenant stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Where the names of the heuristics stand, as an array or as one string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flagged: Option<String>,
    /// Where it stands whether anything was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<String>,
    /// Fixed text before the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preamble: String,
    /// Fixed text after the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub postamble: String,
}

impl JsonGrammar {
    /// An object with its content at this pointer, and nothing else named.
    #[must_use]
    pub fn new(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            trust: None,
            source: None,
            tool: None,
            tenant: None,
            flagged: None,
            truncated: None,
            preamble: String::new(),
            postamble: String::new(),
        }
    }
}

impl From<JsonGrammar> for Grammar {
    fn from(json: JsonGrammar) -> Self {
        Self::Json(json)
    }
}

fn no_encoding() -> Encoding {
    Encoding::None
}

fn fresh() -> Nonce {
    Nonce::Fresh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_style_reads_as_the_protocol_writes_it() {
        let tag = r#"{"style": "tag", "name": "untrusted-data", "attributes":
            {"source": {"attr": "source", "always": "tool_result"}, "flagged": "flagged"}, "extra": {"trust": "untrusted"}}"#;
        let Grammar::Tag(tag) = serde_json::from_str(tag).unwrap() else { panic!("not a tag") };
        assert_eq!(tag.attributes[&Slot::Source].always(), Some("tool_result"));
        assert_eq!(tag.attributes[&Slot::Flagged].name(), "flagged");

        let nonce = r#"{"style": "nonce", "open": "<<DATA {nonce} source=[{source}]>>", "close": "<<END {nonce}>>", "nonce": "digest"}"#;
        let Grammar::Nonce(nonce) = serde_json::from_str(nonce).unwrap() else { panic!("not a nonce") };
        assert_eq!(nonce.nonce, Nonce::Digest);

        let json = r#"{"style": "json", "content": "/content", "trust": "/trust"}"#;
        let grammar: Grammar = serde_json::from_str(json).unwrap();
        assert_eq!(grammar.encoding(), Encoding::Json);
    }

    #[test]
    fn an_unknown_field_is_refused_in_each_style() {
        for text in [
            r#"{"style": "tag", "name": "x", "colour": 1}"#,
            r#"{"style": "nonce", "open": "{nonce}", "close": "{nonce}", "colour": 1}"#,
            r#"{"style": "json", "content": "", "colour": 1}"#,
        ] {
            let error = serde_json::from_str::<Grammar>(text).unwrap_err().to_string();
            assert!(error.contains("unknown field `colour`"), "{error}");
        }
    }
}
