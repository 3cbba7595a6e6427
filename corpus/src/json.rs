//! JSON as it is written: members in their order, duplicate keys kept.
//!
//! `serde_json::Value` keeps the last of two equal keys in silence, and its order of members depends
//! on a feature that any crate in the build may turn on. A corpus must read the same everywhere.

use std::collections::BTreeSet;
use std::fmt;

use boundary_contract::{Builder, Number, Payload};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A JSON value. Its depth is at most the 127 levels that `serde_json` reads, so dropping it may recurse.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// The one key of the map as which `serde_json` hands over a number when its feature
/// `arbitrary_precision` is on, which another crate in the build may have asked for.
const NUMBER_IN_DISGUISE: &str = "$serde_json::private::Number";

impl Json {
    /// Reads the bytes of a file, which must be ASCII without hidden characters.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
        if let Some(at) = bytes.iter().position(|byte| !plain(*byte)) {
            let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            let byte = bytes[at];
            return Err(format!(
                "byte 0x{byte:02x} at offset {at}, line {line}, is not printable ASCII: write the character as a \\u escape"
            ));
        }
        serde_json::from_slice(bytes).map_err(|error| {
            // The error's own words may quote the text.
            let (line, column) = (error.line(), error.column());
            if error.is_eof() {
                format!("the JSON text ends too early, at line {line}")
            } else {
                format!("not JSON at line {line}, column {column}")
            }
        })
    }

    /// What this value is, for a message.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a truth value",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// Whether any object in this value has one key twice.
    pub(crate) fn has_duplicate_keys(&self) -> bool {
        let mut pending = vec![self];
        while let Some(json) = pending.pop() {
            match json {
                Self::Array(items) => pending.extend(items),
                Self::Object(members) => {
                    let mut seen = BTreeSet::new();
                    for (key, value) in members {
                        if !seen.insert(key) {
                            return true;
                        }
                        pending.push(value);
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// The same value as a payload, in the order in which it is written.
    pub(crate) fn to_payload(&self) -> Payload {
        enum Work<'a> {
            Value(&'a Json),
            Member(&'a (String, Json)),
            End,
        }
        let mut builder = Builder::new();
        let mut pending = vec![Work::Value(self)];
        while let Some(work) = pending.pop() {
            let value = match work {
                Work::End => {
                    builder.end();
                    continue;
                }
                Work::Member((key, value)) => {
                    builder.key(key);
                    value
                }
                Work::Value(value) => value,
            };
            match value {
                Self::Null => builder.null(),
                Self::Bool(value) => builder.bool(*value),
                Self::Number(number) => builder.number(*number),
                Self::String(text) => builder.string(text.as_str()),
                Self::Array(items) => {
                    pending.push(Work::End);
                    pending.extend(items.iter().rev().map(Work::Value));
                    builder.begin_array()
                }
                Self::Object(members) => {
                    pending.push(Work::End);
                    pending.extend(members.iter().rev().map(Work::Member));
                    builder.begin_object()
                }
            };
        }
        builder.finish()
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AsWritten)
    }
}

struct AsWritten;

impl<'de> Visitor<'de> for AsWritten {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object: Vec<(String, Json)> = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        if let [(key, Json::String(digits))] = &object[..]
            && key == NUMBER_IN_DISGUISE
        {
            return number(digits).ok_or_else(|| A::Error::custom("number out of range"));
        }
        Ok(Json::Object(object))
    }
}

fn number(digits: &str) -> Option<Json> {
    let number = if let Ok(natural) = digits.parse::<u64>() {
        natural.into()
    } else if let Ok(negative) = digits.parse::<i64>() {
        negative.into()
    } else {
        Number::from_f64(digits.parse().ok()?)?
    };
    Some(Json::Number(number))
}

#[cfg(test)]
mod tests {
    use serde::de::value::{Error as PlainError, MapDeserializer};

    use super::*;

    fn read(text: &str) -> Result<Json, String> {
        Json::read(text.as_bytes())
    }

    #[test]
    fn the_written_order_stays_and_so_do_duplicate_keys() {
        let json = read(r#"{"b": [1, -2, 0.5], "a": null, "b": {"c": true}}"#).unwrap();
        assert_eq!(json.to_payload().to_json(), r#"{"b":[1,-2,0.5],"a":null,"b":{"c":true}}"#);
    }

    #[test]
    fn duplicate_keys_are_seen_at_any_depth() {
        assert!(read(r#"[[{"a": 1, "b": 2, "a": 3}]]"#).unwrap().has_duplicate_keys());
        assert!(!read(r#"[{"a": {"a": 1}}, {"a": 1}]"#).unwrap().has_duplicate_keys());
    }

    #[test]
    fn a_number_in_disguise_is_a_number() {
        let numbers: [(&str, Number); 3] =
            [("7", 7_u64.into()), ("-7", (-7_i64).into()), ("0.5", Number::from_f64(0.5).unwrap())];
        for (digits, number) in numbers {
            let map = MapDeserializer::<_, PlainError>::new([(NUMBER_IN_DISGUISE, digits)].into_iter());
            assert_eq!(Json::deserialize(map).unwrap(), Json::Number(number));
        }
        let map = MapDeserializer::<_, PlainError>::new([(NUMBER_IN_DISGUISE, "1e999")].into_iter());
        assert!(Json::deserialize(map).is_err());
    }

    #[test]
    fn a_hidden_or_foreign_byte_is_named_by_offset_and_line() {
        for (text, byte, at, line) in
            [("{\n\"a\": \"\u{e9}\"}", 0xc3, 8, 2), ("[\"\u{7f}\"]", 0x7f, 2, 1), ("\u{feff}[]", 0xef, 0, 1)]
        {
            let problem = read(text).unwrap_err();
            let expected = format!("byte 0x{byte:02x} at offset {at}, line {line}, is not printable ASCII");
            assert!(problem.starts_with(&expected), "{problem}");
        }
    }

    #[test]
    fn what_is_not_json_is_named_by_line_and_quotes_nothing() {
        assert_eq!(read("[1,\n canary]").unwrap_err(), "not JSON at line 2, column 2");
        assert_eq!(read("[1,").unwrap_err(), "the JSON text ends too early, at line 1");
        assert_eq!(read("{} {}").unwrap_err(), "not JSON at line 1, column 4");
        assert!(read(&"[".repeat(100_000)).unwrap_err().starts_with("not JSON at line 1"));
    }
}
