//! The declared return type, held to before anything else.

use std::collections::BTreeSet;

use boundary_contract::{Kind, Payload, RefusalKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use crate::refusal::RefusedResult;

/// The deepest declared type that is compiled, in containers. Compiling recurses over it.
const DEEPEST_SCHEMA: usize = 64;
/// The longest declared property name that is repeated in a place, in bytes.
const LONGEST_NAME: usize = 64;

/// Holds the root alone to the declared type: what can be said of a value that is too deep to validate.
pub(crate) fn check_root(tool: &str, schema: &Value, payload: &Payload) -> Result<(), RefusedResult> {
    check_schema_depth(tool, schema)?;
    let root = match payload.root().kind() {
        Kind::Array(_) => Root::Array,
        Kind::Object(_) => Root::Object,
        // Any other root has no depth, so it is validated in full.
        _ => return Ok(()),
    };
    refuses(schema, root).map_or(Ok(()), |keyword| Err(mismatch(tool, String::new(), keyword)))
}

/// Holds the whole value to the declared type.
///
/// The value must be within the depth that validation, which recurses, can take.
pub(crate) fn check_all(tool: &str, schema: &Value, payload: &Payload) -> Result<(), RefusedResult> {
    check_schema_depth(tool, schema)?;
    let validator = compile(schema).ok_or_else(|| {
        let why =
            format!("the return type declared by tool `{tool}` is not a JSON Schema (draft 2020-12) that compiles");
        RefusedResult::new(RefusalKind::Usage, why)
    })?;
    let value = payload.to_value();
    // Of duplicate keys only the last one is validated, and all of them would be delivered.
    if Payload::from_value(&value).tokens().count() != payload.tokens().count() {
        let why = format!("tool `{tool}` returned an object with duplicate keys, which no declared type allows");
        return Err(RefusedResult::new(RefusalKind::ReturnType, why));
    }
    // The error holds the value, so only its place and keyword leave this function.
    validator.validate(&value).map_err(|error| {
        let declared = declared_names(schema);
        let at = error.instance_path().segments().fold(String::new(), |mut at, segment| {
            at.push('/');
            match segment {
                LocationSegment::Index(index) => at.push_str(&index.to_string()),
                LocationSegment::Property(name) if declared.contains(&*name) && is_plain(&name) => at.push_str(&name),
                LocationSegment::Property(_) => at.push_str("{key}"),
            }
            at
        });
        mismatch(tool, at, error.kind().keyword())
    })
}

fn mismatch(tool: &str, at: String, keyword: &str) -> RefusedResult {
    let place = if at.is_empty() { "at the root".to_owned() } else { format!("at `{at}`") };
    let mut refused = RefusedResult::new(
        RefusalKind::ReturnType,
        format!("tool `{tool}` returned what it does not declare: `{keyword}` is violated {place}"),
    );
    refused.at = Some(at);
    refused.violated = Some(keyword.to_owned());
    refused
}

/// Compiles a declared type; `None` where it is not one.
///
/// Patterns run on an engine without backtracking, so that no tool can declare one that never ends. References are
/// not fetched: the features for that are not built in.
fn compile(schema: &Value) -> Option<Validator> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(false)
        .build(schema)
        .ok()
}

fn check_schema_depth(tool: &str, schema: &Value) -> Result<(), RefusedResult> {
    let mut pending = vec![(schema, 0)];
    while let Some((value, depth)) = pending.pop() {
        if depth > DEEPEST_SCHEMA {
            let why = format!("the return type declared by tool `{tool}` is deeper than {DEEPEST_SCHEMA} levels");
            return Err(RefusedResult::new(RefusalKind::Usage, why));
        }
        match value {
            Value::Array(items) => pending.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => pending.extend(members.values().map(|member| (member, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

/// Every property name that a schema declares, wherever in it.
fn declared_names(schema: &Value) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut pending = vec![schema];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => {
                if let Some(Value::Object(properties)) = members.get("properties") {
                    names.extend(properties.keys().map(String::as_str));
                }
                pending.extend(members.values());
            }
            _ => {}
        }
    }
    names
}

fn is_plain(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Root {
    Array,
    Object,
}

/// The keyword by which a schema refuses every value with such a root, if it does.
///
/// It recurses over `anyOf` alone, whose depth [`check_schema_depth`] has bounded.
fn refuses(schema: &Value, root: Root) -> Option<&'static str> {
    let Value::Object(schema) = schema else {
        return (*schema == Value::Bool(false)).then_some("false");
    };
    let name = if root == Root::Array { "array" } else { "object" };
    let has_root = |value: &Value| if root == Root::Array { value.is_array() } else { value.is_object() };
    if let Some(types) = schema.get("type") {
        let admits = match types {
            Value::Array(types) => types.iter().any(|one| one == name),
            one => one == name,
        };
        if !admits {
            return Some("type");
        }
    }
    if schema.get("const").is_some_and(|value| !has_root(value)) {
        return Some("const");
    }
    if let Some(Value::Array(values)) = schema.get("enum")
        && !values.iter().any(has_root)
    {
        return Some("enum");
    }
    if let Some(Value::Array(branches)) = schema.get("anyOf")
        && branches.iter().all(|branch| refuses(branch, root).is_some())
    {
        return Some("anyOf");
    }
    None
}

#[cfg(test)]
mod tests {
    use boundary_contract::{Builder, Recipe, With};
    use serde_json::json;

    use super::*;

    const CANARY: &str = "q7Zr2mK9xW4tB6vN";

    fn refused(schema: Value, value: Value) -> RefusedResult {
        check_all("read_page", &schema, &Payload::from(value)).unwrap_err()
    }

    #[test]
    fn a_mismatch_names_the_place_and_the_keyword() {
        let schema = json!({"type": "object", "properties": {"hits": {"items": {"type": "integer"}}}});
        let refusal = refused(schema, json!({"hits": [1, 2.0, "3"]}));
        assert_eq!(refusal.kind, RefusalKind::ReturnType);
        assert_eq!((refusal.at.as_deref(), refusal.violated.as_deref()), (Some("/hits/2"), Some("type")));
        assert_eq!(
            refusal.message,
            "tool `read_page` returned what it does not declare: `type` is violated at `/hits/2`"
        );
    }

    #[test]
    fn nothing_of_the_value_is_quoted() {
        for (schema, value) in [
            (json!({"type": "integer"}), json!(CANARY)),
            (json!({"enum": ["a"]}), json!(CANARY)),
            (json!({"pattern": "^a$"}), json!(CANARY)),
            (json!({"type": "object", "additionalProperties": false}), json!({CANARY: 1})),
            (json!({"additionalProperties": {"type": "string"}}), json!({CANARY: 1})),
            (json!({"additionalProperties": {"additionalProperties": {"maximum": 1}}}), json!({CANARY: {CANARY: 2}})),
        ] {
            let refusal = refused(schema, value);
            let shown = format!("{refusal} {refusal:?}");
            assert!(!shown.contains(CANARY), "{shown}");
        }
        let refusal = refused(json!({"additionalProperties": {"type": "string"}}), json!({CANARY: 1}));
        assert_eq!(refusal.at.as_deref(), Some("/{key}"));
    }

    #[test]
    fn what_fits_fits_by_value_and_format_is_no_promise() {
        for (schema, value) in [
            (json!({"type": "integer"}), json!(2.0)),
            (json!({"const": 1}), json!(1.0)),
            (json!({"format": "email"}), json!("no address")),
            (json!({}), json!(null)),
            (json!(true), json!([])),
        ] {
            assert_eq!(check_all("t", &schema, &Payload::from(value)), Ok(()), "{schema}");
        }
    }

    #[test]
    fn a_declaration_that_is_no_schema_fails_closed() {
        let mut deep = json!(true);
        for _ in 0..70 {
            deep = json!({"not": deep});
        }
        for schema in [
            json!({"type": "strnig"}),
            json!({"pattern": "(?=a)b"}),
            json!({"pattern": "("}),
            json!({"$ref": "https://schemas.example/page.json"}),
            json!({"$ref": "#/nowhere"}),
            json!(7),
            deep,
        ] {
            let refusal = refused(schema.clone(), json!("x"));
            assert_eq!(refusal.kind, RefusalKind::Usage, "{schema}");
        }
    }

    #[test]
    fn duplicate_keys_are_refused_where_a_type_is_declared() {
        let mut builder = Builder::new();
        builder.begin_object().key("a").string(CANARY).key("a").number(1_u64).end();
        let schema = json!({"properties": {"a": {"type": "integer"}}});
        let refusal = check_all("t", &schema, &builder.finish()).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::ReturnType);
        assert!(refusal.message.contains("duplicate keys"), "{refusal}");
    }

    #[test]
    fn a_pattern_takes_linear_time() {
        let schema = json!({"pattern": "^(a+)+$"});
        let refusal = refused(schema, json!(format!("{}b", "a".repeat(100_000))));
        assert_eq!(refusal.violated.as_deref(), Some("pattern"));
    }

    #[test]
    fn the_root_of_a_deep_value_is_held_to_the_type() {
        let deep = Recipe::nest(1_000_000, With::Array, 1).build();
        for (schema, violated) in [
            (json!({"type": "object"}), Some("type")),
            (json!({"type": ["string", "null"]}), Some("type")),
            (json!({"anyOf": [{"type": "string"}, {"type": "object"}]}), Some("anyOf")),
            (json!({"const": 1}), Some("const")),
            (json!({"enum": [1, {}]}), Some("enum")),
            (json!(false), Some("false")),
            (json!({"type": "array", "items": {"type": "string"}}), None),
            (json!({"anyOf": [{"type": "string"}, {"type": "array"}]}), None),
            (json!({}), None),
        ] {
            let refusal = check_root("t", &schema, &deep).err();
            assert_eq!(refusal.and_then(|refusal| refusal.violated).as_deref(), violated, "{schema}");
        }
    }

    #[test]
    fn a_recursive_type_is_validated_at_the_deepest_ceiling_on_a_small_stack() {
        let work = || {
            let schema = json!({"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [
                {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}}, {"type": "integer"}]}}});
            let deep = Recipe::nest(128, With::Object, "x").build();
            check_all("t", &schema, &deep)
        };
        let outcome = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
        assert_eq!(outcome.unwrap_err().violated.as_deref(), Some("anyOf"));
    }
}
