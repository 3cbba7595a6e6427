//! A JSON value that is built, walked, cloned, compared, written and dropped with loops.
//!
//! `serde_json::Value` recurses in its own `Drop`, so a value a few thousand levels deep ends the
//! process, whatever the code around it does. [`Payload`] is one flat vector in the order of the
//! text: a million levels are a million entries, and nothing about them needs a stack.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

mod build;
mod number;
#[cfg(test)]
mod tests;
mod value;
mod view;

pub use build::Builder;
pub use number::Number;
pub use value::ValueGuard;
pub use view::{Items, Kind, Members, Token, Tokens, View};

/// The deepest payload that is written through serde's recursive interface, in containers.
///
/// serde_json reads no deeper than this by default.
const SERDE_DEPTH: usize = 127;

/// A JSON value of any depth.
///
/// Two payloads are equal when they are the same value: the order of an object's members does not
/// count, and numbers compare by value (`1` is `1.0`). Duplicate keys are kept, in their order.
///
/// ```
/// use boundary_contract::Payload;
/// use serde_json::json;
///
/// let hits = Payload::from(json!({"hits": [{"body": "Mooring fees rose by a tenth."}]}));
/// assert_eq!(hits.to_json(), r#"{"hits":[{"body":"Mooring fees rose by a tenth."}]}"#);
/// assert_eq!(hits.depth(), 3);
/// ```
///
/// Its `Debug` form holds no text of the value, only its size.
#[derive(Clone)]
pub struct Payload {
    /// Never empty: the root comes first.
    nodes: Vec<Node>,
}

#[derive(Clone, PartialEq)]
enum Node {
    Null,
    Bool(bool),
    Number(Number),
    String(Box<str>),
    /// Its items follow, up to this index, exclusive.
    Array(usize),
    /// Its members follow as keys and values by turns, up to this index, exclusive.
    Object(usize),
    Key(Box<str>),
}

impl Payload {
    /// `null`.
    #[must_use]
    pub fn null() -> Self {
        Self { nodes: vec![Node::Null] }
    }

    /// The whole value, for looking at.
    #[must_use]
    pub fn root(&self) -> View<'_> {
        View::new(&self.nodes, 0)
    }

    /// The value as a flat sequence, containers opened and closed: what an iterative walk reads.
    #[must_use]
    pub fn tokens(&self) -> Tokens<'_> {
        Tokens::new(&self.nodes)
    }

    /// The string, if the whole value is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.nodes[0] {
            Node::String(text) => Some(text),
            _ => None,
        }
    }

    /// How many containers stand around the deepest value: `3` and `[]` are 0, `[3]` is 1.
    #[must_use]
    pub fn depth(&self) -> usize {
        let (mut open, mut deepest) = (0_usize, 0);
        for token in self.tokens() {
            match token {
                Token::EndArray | Token::EndObject => open -= 1,
                Token::Key(_) => {}
                _ => {
                    deepest = deepest.max(open);
                    if matches!(token, Token::BeginArray | Token::BeginObject) {
                        open += 1;
                    }
                }
            }
        }
        deepest
    }

    /// The part of the value that a JSON Pointer (RFC 6901) leads to.
    ///
    /// Of duplicate keys the last one is taken, as most readers do.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<View<'_>> {
        let mut view = self.root();
        if pointer.is_empty() {
            return Some(view);
        }
        for segment in pointer.strip_prefix('/')?.split('/') {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            view = match view.kind() {
                Kind::Array(mut items) => items.nth(segment.parse().ok()?)?,
                Kind::Object(members) => members.filter(|(key, _)| *key == segment).last()?.1,
                _ => return None,
            };
        }
        Some(view)
    }

    /// The same value with each string, and each key, replaced by what `change` makes of it.
    ///
    /// `None` leaves it as it is.
    #[must_use]
    pub fn map_strings(&self, mut change: impl FnMut(&str) -> Option<String>) -> Self {
        let nodes = self
            .nodes
            .iter()
            .map(|node| match node {
                Node::String(text) => change(text).map_or_else(|| node.clone(), |text| Node::String(text.into())),
                Node::Key(text) => change(text).map_or_else(|| node.clone(), |text| Node::Key(text.into())),
                _ => node.clone(),
            })
            .collect();
        Self { nodes }
    }

    /// The value as compact JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        // Whether the innermost open container still waits for its first entry.
        let mut first = Vec::new();
        let mut after_key = false;
        for token in self.tokens() {
            let closes = matches!(token, Token::EndArray | Token::EndObject);
            if !closes && !after_key {
                match first.last_mut() {
                    Some(first @ true) => *first = false,
                    Some(false) => out.push(','),
                    None => {}
                }
            }
            after_key = false;
            match token {
                Token::Null => out.push_str("null"),
                Token::Bool(value) => out.push_str(if value { "true" } else { "false" }),
                Token::Number(number) => out.push_str(&number.to_string()),
                Token::String(text) => push_quoted(&mut out, text),
                Token::Key(key) => {
                    push_quoted(&mut out, key);
                    out.push(':');
                    after_key = true;
                }
                Token::BeginArray => {
                    out.push('[');
                    first.push(true);
                }
                Token::BeginObject => {
                    out.push('{');
                    first.push(true);
                }
                Token::EndArray => {
                    out.push(']');
                    first.pop();
                }
                Token::EndObject => {
                    out.push('}');
                    first.pop();
                }
            }
        }
        out
    }

    /// The value as a model would read it: a string as it is, anything else as JSON.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.as_str().map_or_else(|| self.to_json(), str::to_owned)
    }

    /// The indexes of all nodes in an order in which equal values have equal nodes, whatever the order
    /// of their members: those of an object go by key, duplicates by their own order.
    fn canonical(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut pending = vec![0];
        let mut children = Vec::new();
        while let Some(at) = pending.pop() {
            order.push(at);
            match &self.nodes[at] {
                Node::Key(_) => pending.push(at + 1),
                Node::Array(end) | Node::Object(end) => {
                    let mut child = at + 1;
                    while child < *end {
                        children.push(child);
                        child = view::after(&self.nodes, child);
                    }
                    children.sort_by_key(|child| match &self.nodes[*child] {
                        Node::Key(key) => Some(key),
                        _ => None,
                    });
                    pending.append(&mut children);
                }
                _ => {}
            }
        }
        order
    }
}

fn push_quoted(out: &mut String, text: &str) {
    // A string always has a JSON form, so this cannot fail.
    out.push_str(&Value::from(text).to_string());
}

impl PartialEq for Payload {
    fn eq(&self, other: &Self) -> bool {
        if self.nodes.len() != other.nodes.len() {
            return false;
        }
        if self.nodes == other.nodes {
            return true;
        }
        let size = |nodes: &[Node], at: usize| view::after(nodes, at) - at;
        self.canonical().into_iter().zip(other.canonical()).all(|(mine, theirs)| {
            match (&self.nodes[mine], &other.nodes[theirs]) {
                (Node::Array(_), Node::Array(_)) | (Node::Object(_), Node::Object(_)) => {
                    size(&self.nodes, mine) == size(&other.nodes, theirs)
                }
                (mine, theirs) => mine == theirs,
            }
        })
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Payload").field("nodes", &self.nodes.len()).field("depth", &self.depth()).finish()
    }
}

impl Default for Payload {
    fn default() -> Self {
        Self::null()
    }
}

impl From<&str> for Payload {
    fn from(text: &str) -> Self {
        Self { nodes: vec![Node::String(text.into())] }
    }
}

impl From<String> for Payload {
    fn from(text: String) -> Self {
        Self { nodes: vec![Node::String(text.into())] }
    }
}

impl From<bool> for Payload {
    fn from(value: bool) -> Self {
        Self { nodes: vec![Node::Bool(value)] }
    }
}

impl From<i64> for Payload {
    fn from(value: i64) -> Self {
        Self { nodes: vec![Node::Number(Number::from(value))] }
    }
}

impl From<i32> for Payload {
    fn from(value: i32) -> Self {
        Self::from(i64::from(value))
    }
}

impl From<&Payload> for Payload {
    fn from(payload: &Payload) -> Self {
        payload.clone()
    }
}

impl Serialize for Payload {
    /// Fails for a payload deeper than 127 containers, as serde's interface recurses;
    /// [`Payload::to_json`] has no such limit.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.depth() > SERDE_DEPTH {
            return Err(serde::ser::Error::custom("payload is deeper than 127 levels: write it with `to_json`"));
        }
        self.to_value().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Value::deserialize(from).map(Self::from)
    }
}
