//! What a boundary answers: a delivery or a refusal, with what it found and would record.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Payload, RefusalKind};

/// What became of a tool result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::large_enum_variant, reason = "one outcome lives at a time; a box would only cost authors a line")]
pub enum Outcome {
    /// It was let through, wrapped as data.
    Delivered(Delivery),
    /// It was refused, and nothing of it is delivered.
    Refused(Refusal),
}

impl Outcome {
    /// The delivery, if it was one.
    #[must_use]
    pub fn delivered(&self) -> Option<&Delivery> {
        match self {
            Self::Delivered(delivery) => Some(delivery),
            Self::Refused(_) => None,
        }
    }

    /// The refusal, if it was one.
    #[must_use]
    pub fn refused(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::Delivered(_) => None,
        }
    }

    /// What was found, whichever way the result went.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Delivered(delivery) => &delivery.findings,
            Self::Refused(refusal) => &refusal.findings,
        }
    }

    /// What would be recorded, whichever way the result went; nothing where the boundary leaves it out.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        let events = match self {
            Self::Delivered(delivery) => &delivery.events,
            Self::Refused(refusal) => &refusal.events,
        };
        events.as_deref().unwrap_or_default()
    }
}

impl From<Delivery> for Outcome {
    fn from(delivery: Delivery) -> Self {
        Self::Delivered(delivery)
    }
}

impl From<Refusal> for Outcome {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A result that was let through.
///
/// *Delivered* means [`rendered`](Self::rendered) and [`text`](Self::text); `payload` is for the host
/// and never reaches the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Delivery {
    /// What goes into the model's context, envelope included.
    pub rendered: String,
    /// The content: what stands between the markers, encoding undone.
    pub text: String,
    /// The validated value, unchanged.
    #[serde(default, deserialize_with = "null_is_a_payload", skip_serializing_if = "Option::is_none")]
    pub payload: Option<Payload>,
    /// The tool that returned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whose run it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// How far it may be trusted: `untrusted`, there being no other value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<String>,
    /// Whether anything was cut.
    pub truncated: bool,
    /// What reads like an order, and where; never the text that matched.
    pub findings: Vec<Finding>,
    /// What the boundary would record about this result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<Event>>,
    /// Words for a person, of a guard that only marks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Delivery {
    /// A whole, unflagged delivery. Set the public fields for anything more.
    #[must_use]
    pub fn new(rendered: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            rendered: rendered.into(),
            text: text.into(),
            payload: None,
            tool: None,
            source: None,
            tenant: None,
            trust: None,
            truncated: false,
            findings: Vec::new(),
            events: None,
            reason: None,
        }
    }
}

/// A result that was not let through, and why. It quotes nothing of the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Refusal {
    /// Why.
    pub kind: RefusalKind,
    /// Why, in words.
    pub message: String,
    /// Whether asking again could help: `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<bool>,
    /// Where in the value, as a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Which keyword of the declared schema was violated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violated: Option<String>,
    /// What reads like an order, where the refusal is for suspicion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What the boundary would record about this result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<Event>>,
    /// The refusal as its own language would print it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forms: Option<Forms>,
}

impl Refusal {
    /// A refusal of this kind. Set the public fields for anything more.
    #[must_use]
    pub fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            retry: None,
            at: None,
            violated: None,
            findings: Vec::new(),
            events: None,
            forms: None,
        }
    }
}

/// One thing that reads like an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Finding {
    /// The boundary's own name of the heuristic that matched.
    pub heuristic: String,
    /// The field that matched: a JSON Pointer, or dotted, or bracketed; `""` is the whole value.
    pub path: String,
    /// Where in the field the match starts, in the described units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u64>,
    /// Where in the field the match ends, exclusive, in the described units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u64>,
    /// Through which decodings the match was seen, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
}

impl Finding {
    /// A finding without a span. Set the public fields for anything more.
    #[must_use]
    pub fn new(heuristic: impl Into<String>, path: impl Into<String>) -> Self {
        Self { heuristic: heuristic.into(), path: path.into(), start: None, end: None, via: Vec::new() }
    }
}

/// What a boundary would record about a result: names and places, never text of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Event {
    /// What happened, for example `tool_result_flagged`.
    pub kind: String,
    /// The heuristics that matched.
    #[serde(default)]
    pub heuristics: Vec<String>,
    /// Where they matched.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Anything else the boundary records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Event {
    /// An event that names nothing yet. Set the public fields for anything more.
    #[must_use]
    pub fn new(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), heuristics: Vec::new(), paths: Vec::new(), detail: None }
    }
}

/// A refusal as its own language prints it, for the leak checks to read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Forms {
    /// As shown to a user.
    pub display: String,
    /// As shown to a developer.
    pub debug: String,
    /// Each cause in turn, as shown to a user.
    pub chain: Vec<String>,
}

impl Forms {
    /// All three forms of an error of Rust's.
    #[must_use]
    pub fn of(error: &dyn std::error::Error) -> Self {
        let mut chain = Vec::new();
        let mut cause = error.source();
        while let Some(error) = cause {
            chain.push(error.to_string());
            cause = error.source();
        }
        Self { display: error.to_string(), debug: format!("{error:?}"), chain }
    }
}

/// A call that the *adapter* could not carry out. Never a refusal by the boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterFault {
    why: String,
}

impl AdapterFault {
    /// A fault, in words that hold no text of the payload: they are printed.
    #[must_use]
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }

    /// What went wrong.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for AdapterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "adapter fault: {}", self.why)
    }
}

impl std::error::Error for AdapterFault {}

/// `null` is a value that a tool may return, so it is a payload and not an absent one.
fn null_is_a_payload<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Payload>, D::Error> {
    Payload::deserialize(from).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_payload_is_present_and_an_absent_one_is_not() {
        let read = |text: &str| match serde_json::from_str::<Outcome>(text).unwrap() {
            Outcome::Delivered(delivery) => delivery.payload,
            Outcome::Refused(_) => unreachable!("both texts are deliveries"),
        };
        let with =
            r#"{"delivered": {"rendered": "", "text": "", "truncated": false, "findings": [], "payload": null}}"#;
        let without = r#"{"delivered": {"rendered": "", "text": "", "truncated": false, "findings": []}}"#;
        assert_eq!(read(with), Some(Payload::null()));
        assert_eq!(read(without), None);
    }

    #[test]
    fn an_unknown_field_and_an_unknown_kind_are_refused() {
        let unknown_field = r#"{"refused": {"kind": "depth", "message": "", "retyr": false}}"#;
        let error = serde_json::from_str::<Outcome>(unknown_field).unwrap_err().to_string();
        assert!(error.contains("unknown field `retyr`"), "{error}");
        let unknown_kind = r#"{"refused": {"kind": "deep", "message": ""}}"#;
        let error = serde_json::from_str::<Outcome>(unknown_kind).unwrap_err().to_string();
        assert!(error.contains("unknown refusal kind `deep`, expected one of: return-type, depth"), "{error}");
    }
}
