//! What a boundary says it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::words::words;
use crate::{FindingKind, Grammar, OnForgery, OnSuspicion, Units, UnknownWord};

/// What a boundary says it is. Everything it is held to follows from this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Description {
    /// The protocol's version: 1.
    pub protocol: u32,
    /// The boundary's name.
    pub name: String,
    /// Its version, by semver where it has one.
    pub version: String,
    /// What it says it does.
    pub claims: BTreeSet<Claim>,
    /// How to read what it renders; needed with the claim `envelope`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Grammar>,
    /// What it does when a request names no policy.
    #[serde(default)]
    pub defaults: Defaults,
    /// The policies that it has; rows of the others are not claimed.
    #[serde(default)]
    pub policies: BTreeSet<OnSuspicion>,
    /// The kinds of order that it claims, with its own names for them. Absent: every kind is claimed
    /// and any finding counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<BTreeMap<FindingKind, Vec<String>>>,
    /// The marker families that it claims, by the catalogue's ids. Absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markers: Option<BTreeSet<String>>,
    /// What it does with forged markers and forged envelopes.
    #[serde(default = "neutralise")]
    pub on_forgery: OnForgery,
    /// What its spans and `max_chars` count.
    #[serde(default = "chars")]
    pub units: Units,
    /// It scans no further than this, in its units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan_chars: Option<u64>,
    /// A prefix of each path that it gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_root: Option<String>,
    /// Whether it takes any JSON value or texts alone.
    #[serde(default = "json")]
    pub takes: Takes,
}

impl Description {
    /// A boundary that claims nothing yet, with the default ceilings and policies.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            protocol: 1,
            name: name.into(),
            version: version.into(),
            claims: BTreeSet::new(),
            envelope: None,
            defaults: Defaults::default(),
            policies: BTreeSet::new(),
            kinds: None,
            markers: None,
            on_forgery: OnForgery::Neutralise,
            units: Units::Chars,
            scan_chars: None,
            path_root: None,
            takes: Takes::Json,
        }
    }

    /// The same, with one more claim.
    #[must_use]
    pub fn claim(mut self, claim: Claim) -> Self {
        self.claims.insert(claim);
        self
    }

    /// The same, with more claims.
    #[must_use]
    pub fn claiming(mut self, claims: impl IntoIterator<Item = Claim>) -> Self {
        self.claims.extend(claims);
        self
    }

    /// The same, with the grammar of its envelope.
    #[must_use]
    pub fn envelope(mut self, grammar: impl Into<Grammar>) -> Self {
        self.envelope = Some(grammar.into());
        self
    }

    /// Whether it claims this.
    #[must_use]
    pub fn claims(&self, claim: Claim) -> bool {
        self.claims.contains(&claim)
    }
}

/// What a boundary does when a request names no policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Defaults {
    /// What happens to a result that reads like an order.
    #[serde(default = "annotate")]
    pub on_suspicion: OnSuspicion,
    /// The most content that is rendered, in the described units.
    #[serde(default = "max_chars")]
    pub max_chars: u64,
    /// The deepest value that is walked: the number of containers around it.
    #[serde(default = "max_depth")]
    pub max_depth: u64,
}

impl Default for Defaults {
    /// Annotate, 8,000 units, depth 8.
    fn default() -> Self {
        Self { on_suspicion: annotate(), max_chars: max_chars(), max_depth: max_depth() }
    }
}

/// Something that a boundary says it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Claim {
    /// It holds a value to its tool's declared type.
    ReturnTypes,
    /// It takes raw JSON text.
    JsonText,
    /// It wraps what it delivers.
    Envelope,
    /// It makes forged structure harmless.
    Neutralise,
    /// It flags what reads like an order.
    Flag,
    /// Its findings say where in a structure.
    Paths,
    /// It scans decoded views.
    Decode,
    /// It refuses what is too deep.
    Depth,
    /// It bounds the size of what it renders.
    Ceiling,
    /// It takes a policy with the call.
    Policy,
    /// It records what it flagged.
    Record,
    /// It keeps a flagged run away from privileged calls.
    Taint,
    /// It can halt a run.
    Halt,
    /// It checks a stream value by value.
    Stream,
    /// It checks a stream of chunks of one text.
    StreamText,
    /// It marks and never changes the text.
    UnchangedText,
    /// It pins and scans tool descriptions.
    Descriptions,
    /// It makes a result safe to show to a person.
    Display,
    /// It writes this provider's messages.
    Wire(Provider),
}

impl Claim {
    /// Every claim that is not tied to a provider, in the order of the protocol.
    pub const GENERAL: &'static [Self] = &[
        Self::ReturnTypes,
        Self::JsonText,
        Self::Envelope,
        Self::Neutralise,
        Self::Flag,
        Self::Paths,
        Self::Decode,
        Self::Depth,
        Self::Ceiling,
        Self::Policy,
        Self::Record,
        Self::Taint,
        Self::Halt,
        Self::Stream,
        Self::StreamText,
        Self::UnchangedText,
        Self::Descriptions,
        Self::Display,
    ];

    /// The word that stands for this claim in the protocol.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReturnTypes => "return-types",
            Self::JsonText => "json-text",
            Self::Envelope => "envelope",
            Self::Neutralise => "neutralise",
            Self::Flag => "flag",
            Self::Paths => "paths",
            Self::Decode => "decode",
            Self::Depth => "depth",
            Self::Ceiling => "ceiling",
            Self::Policy => "policy",
            Self::Record => "record",
            Self::Taint => "taint",
            Self::Halt => "halt",
            Self::Stream => "stream",
            Self::StreamText => "stream-text",
            Self::UnchangedText => "unchanged-text",
            Self::Descriptions => "descriptions",
            Self::Display => "display",
            Self::Wire(provider) => provider.claim(),
        }
    }

    fn all() -> impl Iterator<Item = Self> {
        Self::GENERAL.iter().copied().chain(Provider::ALL.iter().copied().map(Self::Wire))
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Claim {
    type Err = UnknownClaim;

    fn from_str(text: &str) -> Result<Self, UnknownClaim> {
        Self::all()
            .find(|claim| claim.as_str() == text)
            .ok_or_else(|| UnknownClaim { got: text.chars().take(40).collect::<String>().escape_debug().to_string() })
    }
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A claim that the protocol does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownClaim {
    got: String,
}

impl fmt::Display for UnknownClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let legal: Vec<&str> = Claim::all().map(Claim::as_str).collect();
        write!(f, "unknown claim `{}`, expected one of: {}", self.got, legal.join(", "))
    }
}

impl std::error::Error for UnknownClaim {}

words! {
    /// A provider whose wire shape a boundary may write.
    Provider, "provider" {
        /// OpenAI's Responses API.
        OpenaiResponses = "openai-responses",
        /// OpenAI's Chat Completions API.
        OpenaiChat = "openai-chat",
        /// Anthropic's Messages API.
        AnthropicMessages = "anthropic-messages",
        /// Google's Gemini API.
        Gemini = "gemini",
        /// xAI's Responses API.
        XaiResponses = "xai-responses",
        /// xAI's Chat API.
        XaiChat = "xai-chat",
        /// A bare Model Context Protocol result.
        Mcp = "mcp",
    }
}

impl Provider {
    const fn claim(self) -> &'static str {
        match self {
            Self::OpenaiResponses => "wire:openai-responses",
            Self::OpenaiChat => "wire:openai-chat",
            Self::AnthropicMessages => "wire:anthropic-messages",
            Self::Gemini => "wire:gemini",
            Self::XaiResponses => "wire:xai-responses",
            Self::XaiChat => "wire:xai-chat",
            Self::Mcp => "wire:mcp",
        }
    }
}

words! {
    /// What a boundary can be sent.
    Takes, "input" {
        /// Any JSON value.
        Json = "json",
        /// Strings only; rows about structure are not claimed.
        Text = "text",
    }
}

fn neutralise() -> OnForgery {
    OnForgery::Neutralise
}

fn chars() -> Units {
    Units::Chars
}

fn json() -> Takes {
    Takes::Json
}

fn annotate() -> OnSuspicion {
    OnSuspicion::Annotate
}

fn max_chars() -> u64 {
    8_000
}

fn max_depth() -> u64 {
    8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_survives_its_text_form() {
        for claim in Claim::all() {
            assert_eq!(claim.as_str().parse::<Claim>().unwrap(), claim);
        }
        assert_eq!(Claim::Wire(Provider::Mcp).as_str(), "wire:mcp");
        assert_eq!(Claim::all().count(), Claim::GENERAL.len() + Provider::ALL.len());
    }

    #[test]
    fn a_short_description_gets_the_documented_defaults() {
        let text = r#"{"protocol": 1, "name": "x", "version": "1", "claims": ["flag", "wire:mcp"]}"#;
        let description: Description = serde_json::from_str(text).unwrap();
        let expected = Description::new("x", "1").claiming([Claim::Flag, Claim::Wire(Provider::Mcp)]);
        assert_eq!(description, expected);
        let again: Description = serde_json::from_str(&serde_json::to_string(&description).unwrap()).unwrap();
        assert_eq!(again, expected);
    }

    #[test]
    fn an_unknown_claim_or_field_is_refused() {
        let error = "flags".parse::<Claim>().unwrap_err().to_string();
        assert!(error.starts_with("unknown claim `flags`, expected one of: return-types, json-text"), "{error}");
        let text = r#"{"protocol": 1, "name": "x", "version": "1", "claims": [], "calims": []}"#;
        let error = serde_json::from_str::<Description>(text).unwrap_err().to_string();
        assert!(error.contains("unknown field `calims`"), "{error}");
    }
}
