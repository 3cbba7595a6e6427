//! Building a payload step by step.

use super::{Node, Number, Payload, Token};

/// Builds a [`Payload`] in the order of its text.
///
/// ```
/// use boundary_contract::Builder;
///
/// let mut builder = Builder::new();
/// builder.begin_object().key("hits").begin_array().string("one").end().end();
/// assert_eq!(builder.finish().to_json(), r#"{"hits":["one"]}"#);
/// ```
///
/// # Panics
///
/// Each step panics where the text would not be JSON: a value in an object without a key, a key
/// outside an object, a second root, an `end` with nothing open, a `finish` with something open.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    /// The indexes of the open containers.
    open: Vec<usize>,
}

impl std::fmt::Debug for Node {
    /// Names the kind of node and holds no text of the value.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
            Self::Key(_) => "key",
        })
    }
}

impl Builder {
    /// Nothing built yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens an array.
    pub fn begin_array(&mut self) -> &mut Self {
        self.value(Node::Array(0));
        self.open.push(self.nodes.len() - 1);
        self
    }

    /// Opens an object.
    pub fn begin_object(&mut self) -> &mut Self {
        self.value(Node::Object(0));
        self.open.push(self.nodes.len() - 1);
        self
    }

    /// Closes the innermost container.
    pub fn end(&mut self) -> &mut Self {
        assert!(!matches!(self.nodes.last(), Some(Node::Key(_))), "a key without a value");
        let start = self.open.pop().expect("`end` with nothing open");
        let end = self.nodes.len();
        match &mut self.nodes[start] {
            Node::Array(to) | Node::Object(to) => *to = end,
            _ => unreachable!("only containers are open"),
        }
        self
    }

    /// Names the next value of the innermost object.
    pub fn key(&mut self, key: &str) -> &mut Self {
        let in_object = self.open.last().is_some_and(|open| matches!(self.nodes[*open], Node::Object(_)));
        assert!(in_object, "a key outside an object");
        assert!(!matches!(self.nodes.last(), Some(Node::Key(_))), "two keys in a row");
        self.nodes.push(Node::Key(key.into()));
        self
    }

    /// Adds `null`.
    pub fn null(&mut self) -> &mut Self {
        self.value(Node::Null)
    }

    /// Adds a truth value.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.value(Node::Bool(value))
    }

    /// Adds a number.
    pub fn number(&mut self, number: impl Into<Number>) -> &mut Self {
        self.value(Node::Number(number.into()))
    }

    /// Adds a string.
    pub fn string(&mut self, text: impl Into<Box<str>>) -> &mut Self {
        self.value(Node::String(text.into()))
    }

    /// Adds a token as another payload has it: a copy with changes is a walk over tokens.
    ///
    /// # Panics
    ///
    /// As the method for that token does.
    pub fn token(&mut self, token: Token<'_>) -> &mut Self {
        match token {
            Token::Null => self.null(),
            Token::Bool(value) => self.bool(value),
            Token::Number(number) => self.number(number),
            Token::String(text) => self.string(text),
            Token::Key(key) => self.key(key),
            Token::BeginArray => self.begin_array(),
            Token::BeginObject => self.begin_object(),
            Token::EndArray | Token::EndObject => self.end(),
        }
    }

    /// Adds a copy of a whole payload.
    pub fn payload(&mut self, payload: &Payload) -> &mut Self {
        self.subtree(&payload.nodes, 0)
    }

    /// Adds a copy of nodes that stood from index `from` on in another payload.
    pub(super) fn subtree(&mut self, nodes: &[Node], from: usize) -> &mut Self {
        self.expect_value();
        let to = self.nodes.len();
        self.nodes.extend(nodes.iter().map(|node| match node {
            Node::Array(end) => Node::Array(end - from + to),
            Node::Object(end) => Node::Object(end - from + to),
            node => node.clone(),
        }));
        self
    }

    /// The payload.
    #[must_use]
    pub fn finish(self) -> Payload {
        assert!(self.open.is_empty(), "`finish` with a container open");
        assert!(!self.nodes.is_empty(), "`finish` with nothing built");
        Payload { nodes: self.nodes }
    }

    fn value(&mut self, node: Node) -> &mut Self {
        self.expect_value();
        self.nodes.push(node);
        self
    }

    fn expect_value(&self) {
        match self.open.last() {
            None => assert!(self.nodes.is_empty(), "a second root"),
            Some(open) if matches!(self.nodes[*open], Node::Object(_)) => {
                assert!(matches!(self.nodes.last(), Some(Node::Key(_))), "a member without a key");
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "a member without a key")]
    fn a_member_needs_a_key() {
        Builder::new().begin_object().null();
    }

    #[test]
    #[should_panic(expected = "a key outside an object")]
    fn a_key_needs_an_object() {
        Builder::new().begin_array().key("a");
    }

    #[test]
    #[should_panic(expected = "a second root")]
    fn there_is_one_root() {
        Builder::new().null().null();
    }

    #[test]
    #[should_panic(expected = "`finish` with a container open")]
    fn what_is_open_must_be_closed() {
        let mut builder = Builder::new();
        builder.begin_array();
        let _ = builder.finish();
    }

    #[test]
    fn a_copied_subtree_keeps_its_shape() {
        let inner = Payload::from(serde_json::json!([[1], {"a": []}]));
        let mut builder = Builder::new();
        builder.begin_array().payload(&inner).payload(&inner).end();
        assert_eq!(builder.finish().to_json(), r#"[[[1],{"a":[]}],[[1],{"a":[]}]]"#);
    }
}
