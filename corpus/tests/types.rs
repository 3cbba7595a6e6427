//! The fixtures of declared types, held against a validator: each violates what it says, where it says, and
//! nothing else.

use boundary_contract::{Payload, RefusalKind};
use boundary_corpus::{Expect, Fixture, Input, corpus};
use serde_json::Value;

fn payload(input: &Input) -> Payload {
    match input {
        Input::Payload(payload) => payload.clone(),
        Input::Recipe(recipe) => recipe.build(),
        Input::Raw(_) => panic!("raw text declares no type"),
    }
}

/// Each violation of the fixture's declared type: its place and the keyword.
fn violations(fixture: &Fixture, input: &Input) -> Vec<(String, String)> {
    let schema: &Value = fixture.tool.returns.as_ref().unwrap();
    assert!(jsonschema::meta::is_valid(schema), "{} declares no schema", fixture.id);
    let validator = jsonschema::draft202012::new(schema).unwrap();
    let value = payload(input).to_value();
    let errors = validator.iter_errors(&value);
    errors.map(|error| (error.instance_path().to_string(), error.kind().keyword().to_owned())).collect()
}

#[test]
fn each_value_violates_what_its_fixture_says_and_its_twin_nothing() {
    let mut refused = 0;
    for fixture in corpus().fixtures().filter(|fixture| fixture.tool.returns.is_some()) {
        match &fixture.expect {
            Expect::Refused { kind: RefusalKind::ReturnType, at, violated } => {
                let found = violations(fixture, &fixture.input);
                assert_eq!(found.len(), 1, "{}: {found:?}", fixture.id);
                assert!(at.as_ref().is_none_or(|at| *at == found[0].0), "{}: {found:?}", fixture.id);
                assert_eq!(violated.as_ref(), Some(&found[0].1), "{}", fixture.id);
                assert_eq!(violations(fixture, fixture.twin.as_ref().unwrap()), [], "the twin of {}", fixture.id);
                refused += 1;
            }
            Expect::Delivered => assert_eq!(violations(fixture, &fixture.input), [], "{}", fixture.id),
            other => panic!("{} declares a type and is {}", fixture.id, other.as_str()),
        }
    }
    assert!(refused >= 30, "only {refused} fixtures are refused for their type");
}
