//! The declared type of a result, held to by the keywords that the protocol allows.
//!
//! A schema is the tool author's, not the payload's, so walking it may recurse.

use boundary_contract::{Kind, Payload, View};
use regex_automata::meta::Regex;
use serde_json::Value;

/// Where and which keyword the value violates first; `None` where it fits.
pub(super) fn violation(schema: &Value, view: View<'_>) -> Option<(String, &'static str)> {
    if let Some(keyword) = own_violation(schema, view) {
        return Some((String::new(), keyword));
    }
    let within = |segment: &str, schema: &Value, view: View<'_>| {
        let (at, keyword) = violation(schema, view)?;
        Some((format!("/{}{at}", segment.replace('~', "~0").replace('/', "~1")), keyword))
    };
    match view.kind() {
        Kind::Object(members) => {
            for (key, value) in members {
                let found = match (schema["properties"].get(key), schema.get("additionalProperties")) {
                    (Some(declared), _) => within(key, declared, value),
                    // The key is not declared, so it is the payload's, and not named.
                    (None, Some(Value::Bool(false))) => Some((String::new(), "additionalProperties")),
                    (None, Some(others @ Value::Object(_))) => within("{key}", others, value),
                    (None, _) => None,
                };
                if found.is_some() {
                    return found;
                }
            }
            None
        }
        Kind::Array(items) => items
            .enumerate()
            .find_map(|(index, item)| schema.get("items").and_then(|schema| within(&index.to_string(), schema, item))),
        _ => None,
    }
}

/// The same for a value that is too deep to look into: the type of its root alone.
pub(super) fn root_violation(schema: &Value, view: View<'_>) -> Option<(String, &'static str)> {
    let fits = schema.get("type").is_none_or(|declared| is_of_type(declared, view));
    (!fits).then(|| (String::new(), "type"))
}

/// The first keyword that the value itself violates, its parts left aside.
fn own_violation(schema: &Value, view: View<'_>) -> Option<&'static str> {
    let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let count =
        |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    let same = |value: &Value| Payload::from_value(value) == view.to_payload();
    let mut violated = None;
    let mut hold = |keyword: &'static str, holds: bool| {
        if !holds && violated.is_none() {
            violated = Some(keyword);
        }
    };
    hold("type", schema.get("type").is_none_or(|declared| is_of_type(declared, view)));
    hold("enum", schema.get("enum").and_then(Value::as_array).is_none_or(|values| values.iter().any(same)));
    hold("const", schema.get("const").is_none_or(same));
    if let Some(schemas) = schema.get("anyOf").and_then(Value::as_array) {
        hold("anyOf", schemas.iter().any(|schema| violation(schema, view).is_none()));
    }
    match view.kind() {
        Kind::Number(value) => {
            hold("minimum", number("minimum").is_none_or(|least| value.as_f64() >= least));
            hold("maximum", number("maximum").is_none_or(|most| value.as_f64() <= most));
        }
        Kind::String(text) => {
            let length = text.chars().count();
            hold("minLength", count("minLength").is_none_or(|least| length >= least));
            hold("maxLength", count("maxLength").is_none_or(|most| length <= most));
            let pattern = schema.get("pattern").and_then(Value::as_str);
            // A pattern that cannot be read fits nothing.
            let matches = |pattern: &str| Regex::new(pattern).is_ok_and(|regex| regex.is_match(text));
            hold("pattern", pattern.is_none_or(matches));
        }
        Kind::Array(items) => {
            let length = items.count();
            hold("minItems", count("minItems").is_none_or(|least| length >= least));
            hold("maxItems", count("maxItems").is_none_or(|most| length <= most));
        }
        Kind::Object(members) => {
            let keys: Vec<&str> = members.map(|(key, _)| key).collect();
            let required = schema.get("required").and_then(Value::as_array);
            let mut names = required.into_iter().flatten().filter_map(Value::as_str);
            hold("required", names.all(|name| keys.contains(&name)));
        }
        Kind::Null | Kind::Bool(_) => {}
    }
    violated
}

fn is_of_type(declared: &Value, view: View<'_>) -> bool {
    let is = |name: &Value| match (name.as_str(), view.kind()) {
        (Some("null"), Kind::Null)
        | (Some("boolean"), Kind::Bool(_))
        | (Some("number"), Kind::Number(_))
        | (Some("string"), Kind::String(_))
        | (Some("array"), Kind::Array(_))
        | (Some("object"), Kind::Object(_)) => true,
        (Some("integer"), Kind::Number(number)) => number.as_integer().is_some(),
        _ => false,
    };
    match declared {
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    }
}
