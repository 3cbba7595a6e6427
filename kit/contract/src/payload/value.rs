//! The bridge to `serde_json::Value`, crossed with loops in both directions.

use std::fmt;
use std::ops::Deref;

use serde_json::{Map, Value};

use super::{Builder, Node, Number, Payload};

/// A `serde_json::Value` that is dropped by a loop, also when a panic unwinds through its owner.
///
/// Reading it is as safe as the reader: `Clone`, `Debug`, `==` and `to_string` of the value inside
/// recurse, and overflow the stack from a few thousand levels on.
pub struct ValueGuard(Value);

impl Deref for ValueGuard {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl Drop for ValueGuard {
    fn drop(&mut self) {
        dismantle(std::mem::take(&mut self.0));
    }
}

impl fmt::Debug for ValueGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ValueGuard")
    }
}

/// Drops a value of any depth without recursion.
fn dismantle(value: Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

impl Payload {
    /// Reads a value of any depth, with a loop.
    #[must_use]
    pub fn from_value(value: &Value) -> Self {
        enum Work<'a> {
            Value(&'a Value),
            Member(&'a str, &'a Value),
            End,
        }
        let mut builder = Builder::new();
        let mut pending = vec![Work::Value(value)];
        while let Some(work) = pending.pop() {
            let value = match work {
                Work::End => {
                    builder.end();
                    continue;
                }
                Work::Member(key, value) => {
                    builder.key(key);
                    value
                }
                Work::Value(value) => value,
            };
            match value {
                Value::Null => builder.null(),
                Value::Bool(value) => builder.bool(*value),
                Value::Number(number) => builder.number(Number::from_serde(number)),
                Value::String(text) => builder.string(text.as_str()),
                Value::Array(items) => {
                    pending.push(Work::End);
                    pending.extend(items.iter().rev().map(Work::Value));
                    builder.begin_array()
                }
                Value::Object(members) => {
                    pending.push(Work::End);
                    let from = pending.len();
                    pending.extend(members.iter().map(|(key, value)| Work::Member(key, value)));
                    pending[from..].reverse();
                    builder.begin_object()
                }
            };
        }
        builder.finish()
    }

    /// The value as `serde_json` has it. Of duplicate keys the last one stays.
    #[must_use]
    pub fn to_value(&self) -> ValueGuard {
        enum Open {
            Array(Vec<Value>),
            Object(Map<String, Value>, Option<String>),
        }
        // Nothing here can unwind (memory that runs out aborts), so only the result needs the guard.
        let mut open: Vec<(usize, Open)> = Vec::new();
        let mut root = Value::Null;
        for (at, node) in self.nodes.iter().enumerate() {
            let mut done = match node {
                Node::Key(key) => {
                    if let Some((_, Open::Object(_, slot))) = open.last_mut() {
                        *slot = Some(key.to_string());
                    }
                    continue;
                }
                Node::Array(end) if *end > at + 1 => {
                    open.push((*end, Open::Array(Vec::new())));
                    continue;
                }
                Node::Object(end) if *end > at + 1 => {
                    open.push((*end, Open::Object(Map::new(), None)));
                    continue;
                }
                Node::Array(_) => Value::Array(Vec::new()),
                Node::Object(_) => Value::Object(Map::new()),
                Node::Null => Value::Null,
                Node::Bool(value) => Value::Bool(*value),
                Node::Number(number) => Value::Number(number.to_serde()),
                Node::String(text) => Value::String(text.to_string()),
            };
            // Hand the value to its container, and each container that it completes to the next.
            while let Some((end, container)) = open.last_mut() {
                match container {
                    Open::Array(items) => items.push(std::mem::take(&mut done)),
                    Open::Object(members, key) => {
                        let key = key.take().unwrap_or_default();
                        if let Some(earlier) = members.insert(key, std::mem::take(&mut done)) {
                            dismantle(earlier);
                        }
                    }
                }
                if *end != at + 1 {
                    break;
                }
                done = match open.pop() {
                    Some((_, Open::Array(items))) => Value::Array(items),
                    Some((_, Open::Object(members, _))) => Value::Object(members),
                    None => Value::Null,
                };
            }
            if open.is_empty() {
                root = done;
            }
        }
        ValueGuard(root)
    }
}

impl From<Value> for Payload {
    fn from(value: Value) -> Self {
        let value = ValueGuard(value);
        Self::from_value(&value)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Recipe, With};

    #[test]
    fn a_panic_with_a_deep_value_in_hand_unwinds() {
        let outcome = std::thread::Builder::new()
            .stack_size(256 * 1024)
            .spawn(|| {
                let _value = Recipe::nest(500_000, With::Alternate, 1).build().to_value();
                panic!("on purpose");
            })
            .unwrap()
            .join();
        assert_eq!(outcome.unwrap_err().downcast_ref::<&str>(), Some(&"on purpose"));
    }
}
