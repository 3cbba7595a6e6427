//! Looking at a payload: by structure, or as a flat sequence of tokens.

use super::{Builder, Node, Number, Payload};

/// One value inside a payload.
#[derive(Clone, Copy)]
pub struct View<'a> {
    nodes: &'a [Node],
    at: usize,
}

/// What a value is.
pub enum Kind<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(&'a str),
    /// An array, with its items.
    Array(Items<'a>),
    /// An object, with its members in their order, duplicates included.
    Object(Members<'a>),
}

impl<'a> View<'a> {
    pub(super) fn new(nodes: &'a [Node], at: usize) -> Self {
        Self { nodes, at }
    }

    /// What this value is.
    #[must_use]
    pub fn kind(self) -> Kind<'a> {
        let children = |end: usize| Children { nodes: self.nodes, at: self.at + 1, end };
        match &self.nodes[self.at] {
            Node::Null => Kind::Null,
            Node::Bool(value) => Kind::Bool(*value),
            Node::Number(number) => Kind::Number(*number),
            Node::String(text) | Node::Key(text) => Kind::String(text),
            Node::Array(end) => Kind::Array(Items(children(*end))),
            Node::Object(end) => Kind::Object(Members(children(*end))),
        }
    }

    /// The string, if it is one.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        match self.kind() {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// A payload of this value alone.
    #[must_use]
    pub fn to_payload(self) -> Payload {
        let end = after(self.nodes, self.at);
        let mut builder = Builder::new();
        builder.subtree(&self.nodes[self.at..end], self.at);
        builder.finish()
    }
}

/// The items of an array.
pub struct Items<'a>(Children<'a>);

impl<'a> Iterator for Items<'a> {
    type Item = View<'a>;

    fn next(&mut self) -> Option<View<'a>> {
        self.0.next().map(|at| View::new(self.0.nodes, at))
    }
}

/// The members of an object.
pub struct Members<'a>(Children<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, View<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.0.next()?;
        match &self.0.nodes[at] {
            Node::Key(key) => Some((key, View::new(self.0.nodes, at + 1))),
            _ => unreachable!("the children of an object are keys"),
        }
    }
}

struct Children<'a> {
    nodes: &'a [Node],
    at: usize,
    end: usize,
}

impl Children<'_> {
    fn next(&mut self) -> Option<usize> {
        let at = self.at;
        (at < self.end).then(|| {
            self.at = after(self.nodes, at);
            at
        })
    }
}

/// The index after the value, or the member, that starts at `at`.
pub(super) fn after(nodes: &[Node], at: usize) -> usize {
    let value = if matches!(nodes[at], Node::Key(_)) { at + 1 } else { at };
    match nodes[value] {
        Node::Array(end) | Node::Object(end) => end,
        _ => value + 1,
    }
}

/// One step of a flat walk over a payload.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Token<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(&'a str),
    /// The key of the next value.
    Key(&'a str),
    /// An array opens.
    BeginArray,
    /// The innermost array closes.
    EndArray,
    /// An object opens.
    BeginObject,
    /// The innermost object closes.
    EndObject,
}

/// The flat walk over a payload.
pub struct Tokens<'a> {
    nodes: &'a [Node],
    at: usize,
    /// Where each open container ends, and whether it is an array.
    open: Vec<(usize, bool)>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(nodes: &'a [Node]) -> Self {
        Self { nodes, at: 0, open: Vec::new() }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some((_, array)) = self.open.pop_if(|(end, _)| *end == self.at) {
            return Some(if array { Token::EndArray } else { Token::EndObject });
        }
        let token = match self.nodes.get(self.at)? {
            Node::Null => Token::Null,
            Node::Bool(value) => Token::Bool(*value),
            Node::Number(number) => Token::Number(*number),
            Node::String(text) => Token::String(text),
            Node::Key(key) => Token::Key(key),
            Node::Array(end) => {
                self.open.push((*end, true));
                Token::BeginArray
            }
            Node::Object(end) => {
                self.open.push((*end, false));
                Token::BeginObject
            }
        };
        self.at += 1;
        Some(token)
    }
}
