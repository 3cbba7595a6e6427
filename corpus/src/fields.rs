//! Reading one object strictly: every field once, none unknown, every problem said.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use crate::fault::quoted;
use crate::json::Json;

/// The fields of one object, taken out one by one. What is left at the end is unknown.
///
/// A getter that fails notes the problem and gives something empty, so that one look at an entry
/// finds all that is wrong with it.
pub(crate) struct Fields {
    /// Stands before each field's name in a message, for example `tool.`.
    prefix: String,
    members: Vec<(String, Json)>,
    problems: Vec<String>,
}

impl Fields {
    /// The fields of an entry.
    pub(crate) fn of(json: Json) -> Self {
        Self::named(json, "")
    }

    /// The fields of an object that is itself the field `name` of an entry.
    pub(crate) fn inside(json: Json, name: &str) -> Self {
        Self::named(json, name)
    }

    fn named(json: Json, name: &str) -> Self {
        let prefix = if name.is_empty() { String::new() } else { format!("{name}.") };
        let mut fields = Self { prefix, members: Vec::new(), problems: Vec::new() };
        match json {
            Json::Object(members) => fields.members = members,
            other if name.is_empty() => fields.problem(format!("is {}, expected an object", other.what())),
            other => fields.problem(format!("`{name}` is {}, expected an object", other.what())),
        }
        fields
    }

    /// Notes a problem that is not of one field alone.
    pub(crate) fn problem(&mut self, problem: impl Into<String>) {
        self.problems.push(problem.into());
    }

    /// Takes the problems of an object inside this one.
    pub(crate) fn absorb(&mut self, inner: Vec<String>) {
        self.problems.extend(inner);
    }

    /// Whether a field is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(key, _)| key == name)
    }

    /// Takes a field out, if it is there.
    pub(crate) fn take(&mut self, name: &str) -> Option<Json> {
        let at = self.members.iter().position(|(key, _)| key == name)?;
        let (_, json) = self.members.remove(at);
        if self.has(name) {
            self.members.retain(|(key, _)| key != name);
            let full = format!("{}{name}", self.prefix);
            self.problem(format!("field `{full}` stands twice"));
        }
        Some(json)
    }

    /// Takes a field out that must be there.
    pub(crate) fn require(&mut self, name: &str) -> Option<Json> {
        let json = self.take(name);
        if json.is_none() {
            let full = format!("{}{name}", self.prefix);
            self.problem(format!("field `{full}` is missing"));
        }
        json
    }

    fn expected(&mut self, name: &str, json: &Json, expected: &str) {
        let full = format!("{}{name}", self.prefix);
        self.problem(format!("field `{full}` is {}, expected {expected}", json.what()));
    }

    fn as_string(&mut self, name: &str, json: Json) -> Option<String> {
        match json {
            Json::String(text) => Some(text),
            other => {
                self.expected(name, &other, "a string");
                None
            }
        }
    }

    /// A string that may be left out.
    pub(crate) fn optional_string(&mut self, name: &str) -> Option<String> {
        let json = self.take(name)?;
        self.as_string(name, json)
    }

    /// A string that must be there and say something.
    pub(crate) fn string(&mut self, name: &str) -> String {
        let text = self.require(name).and_then(|json| self.as_string(name, json));
        if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            let full = format!("{}{name}", self.prefix);
            self.problem(format!("field `{full}` is empty"));
        }
        text.unwrap_or_default()
    }

    fn parsed<T: FromStr<Err: Display>>(&mut self, name: &str, text: &str) -> Option<T> {
        match text.parse() {
            Ok(word) => Some(word),
            Err(error) => {
                let full = format!("{}{name}", self.prefix);
                self.problem(format!("field `{full}`: {error}"));
                None
            }
        }
    }

    /// A word of a vocabulary that may be left out.
    pub(crate) fn optional_word<T: FromStr<Err: Display>>(&mut self, name: &str) -> Option<T> {
        let text = self.optional_string(name)?;
        self.parsed(name, &text)
    }

    /// A word of a vocabulary that must be there.
    pub(crate) fn word<T: FromStr<Err: Display>>(&mut self, name: &str) -> Option<T> {
        let json = self.require(name)?;
        let text = self.as_string(name, json)?;
        self.parsed(name, &text)
    }

    /// A truth value that must be there.
    pub(crate) fn bool(&mut self, name: &str) -> bool {
        match self.require(name) {
            Some(Json::Bool(value)) => value,
            Some(other) => {
                self.expected(name, &other, "true or false");
                false
            }
            None => false,
        }
    }

    /// A natural number that must be there.
    pub(crate) fn natural(&mut self, name: &str) -> u64 {
        let Some(json) = self.require(name) else { return 0 };
        let natural = match &json {
            Json::Number(number) => number.as_integer().and_then(|integer| u64::try_from(integer).ok()),
            _ => None,
        };
        natural.unwrap_or_else(|| {
            self.expected(name, &json, "a whole number from 0 on");
            0
        })
    }

    /// An array that must be there.
    pub(crate) fn array(&mut self, name: &str) -> Vec<Json> {
        self.require(name).map(|json| self.as_array(name, json)).unwrap_or_default()
    }

    fn as_array(&mut self, name: &str, json: Json) -> Vec<Json> {
        match json {
            Json::Array(items) => items,
            other => {
                self.expected(name, &other, "an array");
                Vec::new()
            }
        }
    }

    /// Strings that may be left out, each of them not empty and none of them twice.
    pub(crate) fn optional_strings(&mut self, name: &str) -> Vec<String> {
        let Some(json) = self.take(name) else { return Vec::new() };
        let mut strings = Vec::new();
        let mut seen = BTreeSet::new();
        for (at, item) in self.as_array(name, json).into_iter().enumerate() {
            let place = format!("{name}[{at}]");
            let Some(text) = self.as_string(&place, item) else { continue };
            if text.is_empty() {
                let full = format!("{}{place}", self.prefix);
                self.problem(format!("field `{full}` is empty"));
            }
            if !seen.insert(text.clone()) {
                let full = format!("{}{place}", self.prefix);
                self.problem(format!("field `{full}` stands before already"));
            }
            strings.push(text);
        }
        strings
    }

    /// Strings that must be there, be it as an empty list.
    pub(crate) fn strings(&mut self, name: &str) -> Vec<String> {
        if !self.has(name) {
            self.require(name);
        }
        self.optional_strings(name)
    }

    /// Words of a vocabulary that may be left out.
    pub(crate) fn optional_words<T: FromStr<Err: Display>>(&mut self, name: &str) -> Vec<T> {
        let texts = self.optional_strings(name);
        texts.iter().filter_map(|text| self.parsed(name, text)).collect()
    }

    /// Ends the reading: what nobody took is unknown. Gives all that is wrong with the object.
    pub(crate) fn finish(mut self) -> Vec<String> {
        for (name, _) in std::mem::take(&mut self.members) {
            let full = quoted(&format!("{}{name}", self.prefix));
            self.problem(format!("unknown field {full}"));
        }
        self.problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Fields {
        Fields::of(Json::read(text.as_bytes()).unwrap())
    }

    #[test]
    fn every_problem_of_an_object_is_said() {
        let mut fields = fields(r#"{"a": 1, "b": "x", "b": "y", "c": "", "l": ["x", "x", "", 3], "n": -1, "zz": 0}"#);
        fields.string("a");
        assert_eq!(fields.string("b"), "x");
        fields.string("c");
        fields.bool("d");
        fields.natural("n");
        fields.strings("l");
        fields.strings("m");
        assert_eq!(
            fields.finish(),
            [
                "field `a` is a number, expected a string",
                "field `b` stands twice",
                "field `c` is empty",
                "field `d` is missing",
                "field `n` is a number, expected a whole number from 0 on",
                "field `l[1]` stands before already",
                "field `l[2]` is empty",
                "field `l[3]` is a number, expected a string",
                "field `m` is missing",
                "unknown field `zz`",
            ]
        );
    }

    #[test]
    fn what_is_no_object_is_said_by_name() {
        assert_eq!(Fields::of(Json::Null).finish(), ["is null, expected an object"]);
        assert_eq!(Fields::inside(Json::Bool(true), "tool").finish(), ["`tool` is a truth value, expected an object"]);
    }

    #[test]
    fn a_field_inside_a_field_is_named_whole() {
        let inner = Json::read(br#"{"returns": 1}"#).unwrap();
        let mut fields = Fields::inside(inner, "tool");
        fields.string("name");
        assert_eq!(fields.finish(), ["field `tool.name` is missing", "unknown field `tool.returns`"]);
    }
}
