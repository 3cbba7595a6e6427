//! What must hold of a fixture beyond its form: between its own fields, and with its requirement.

use boundary_contract::{Claim, FindingKind, RefusalKind};
use serde_json::Value;

use crate::fault::quoted;
use crate::fixture::{Expect, Fixture, Tier};
use crate::input::Input;
use crate::placeholder::{Piece, Placeholder, pieces};
use crate::requirement::{Need, Requirement};

/// Everything that is wrong with a fixture on its own.
pub(crate) fn alone(fixture: &Fixture) -> Vec<String> {
    let mut problems = Vec::new();
    twin(fixture, &mut problems);
    words(fixture, &mut problems);
    expectation(fixture, &mut problems);
    schema(fixture, &mut problems);
    placeholders(fixture, &mut problems);
    problems
}

/// Everything that is wrong between a fixture and the requirement that it names.
pub(crate) fn with_requirement(fixture: &Fixture, requirement: &Requirement) -> Vec<String> {
    let mut problems = Vec::new();
    let row = &requirement.id;
    if !requirement.built {
        problems.push(format!("names {row}, which this version does not judge: the case would never run"));
    }
    let by_row = |claim: &Claim| requirement.claims.contains(&Need::Claim(*claim));
    // Levels are ordered from the heavier to the lighter.
    if fixture.level.is_some_and(|level| level <= requirement.level) {
        problems.push(format!("`level` may only lower a case below its row, and {row} is `{}`", requirement.level));
    }
    if fixture.tier != Tier::Core && requirement.area() != "flag" {
        problems.push(format!("`tier` is for the area `flag`, and the requirement is {row}"));
    }
    if fixture.quotes && row.as_str() != "benign/hard" {
        problems.push(format!("`quotes` is for the requirement benign/hard, and the requirement is {row}"));
    }
    for claim in fixture.needs.iter().filter(|claim| by_row(claim)) {
        problems.push(format!("`needs` names `{claim}`, which {row} asks for already"));
    }
    let has = |claim: Claim| by_row(&claim) || fixture.needs.contains(&claim);
    let of_envelope = |input: &Input| {
        Placeholder::ALL.iter().any(|placeholder| placeholder.is_of_the_envelope() && input.holds(*placeholder))
    };
    if [Some(&fixture.input), fixture.twin.as_ref()].into_iter().flatten().any(of_envelope) && !has(Claim::Envelope) {
        problems.push("an envelope placeholder needs the claim `envelope`: add it to `needs`".to_owned());
    }
    if fixture.decoded.is_some() && !has(Claim::Decode) {
        problems.push("`decoded` needs the claim `decode`: add it to `needs`".to_owned());
    }
    if matches!(fixture.input, Input::Raw(_)) && !has(Claim::JsonText) {
        problems.push("`raw` needs the claim `json-text`: add it to `needs`".to_owned());
    }
    if let Expect::Flagged { kind, .. } = &fixture.expect {
        let named: Option<FindingKind> = row.name().parse().ok();
        if let Some(named) = named.filter(|named| row.area() == "flag" && named != kind) {
            problems.push(format!("`kind` is `{kind}`, and {row} is about `{named}`"));
        }
    }
    problems
}

fn twin(fixture: &Fixture, problems: &mut Vec<String>) {
    match (&fixture.expect, &fixture.twin) {
        (Expect::Delivered, Some(_)) => {
            problems.push("`twin` does not belong to `expect: delivered`: there is no attack to remove".to_owned());
        }
        (Expect::Delivered, None) => {}
        (_, None) => problems.push("field `twin` is missing: an attack needs its benign twin".to_owned()),
        (_, Some(twin)) if *twin == fixture.input => {
            problems.push("the twin equals the attack: remove the attack from it".to_owned());
        }
        (_, Some(_)) => {}
    }
}

fn words(fixture: &Fixture, problems: &mut Vec<String>) {
    if matches!(fixture.expect, Expect::Refused { .. }) && !fixture.keeps.is_empty() {
        problems.push("`keeps` does not belong to `expect: refused`: nothing of it is delivered".to_owned());
    }
    if matches!(fixture.expect, Expect::Neutralised { .. }) && fixture.keeps.is_empty() {
        problems.push("`keeps` is missing: without it a boundary that returns nothing would pass".to_owned());
    }
    for (at, word) in fixture.keeps.iter().enumerate() {
        if word.trim().is_empty() {
            problems.push(format!("`keeps[{at}]` is nothing but white space"));
        }
        if !fixture.input.any_text(|text| text.contains(word)) {
            problems.push(format!("`keeps[{at}]` does not stand in the input"));
        }
    }
    if let Expect::Neutralised { removes } = &fixture.expect {
        for (at, word) in fixture.keeps.iter().enumerate() {
            if removes.iter().any(|removed| word.contains(removed)) {
                problems.push(format!("`keeps[{at}]` holds what `removes` forbids"));
            }
        }
        let in_twin = |removed: &&String| fixture.twin.iter().any(|twin| twin.any_text(|text| text.contains(*removed)));
        if removes.iter().any(|removed| in_twin(&removed)) {
            problems.push("the twin holds what `removes` forbids: it is not benign".to_owned());
        }
    }
    if let Some(decoded) = &fixture.decoded {
        if matches!(fixture.expect, Expect::Refused { .. }) {
            problems.push("`decoded` does not belong to `expect: refused`: nothing of it is delivered".to_owned());
        }
        if decoded.trim().is_empty() || fixture.input.any_text(|text| text.contains(decoded)) {
            problems.push("`decoded` is empty, or stands in the input undisguised".to_owned());
        }
    }
}

fn expectation(fixture: &Fixture, problems: &mut Vec<String>) {
    let at = match &fixture.expect {
        Expect::Flagged { at, .. } => at,
        Expect::Refused { kind, at, violated } => {
            let by_type = *kind == RefusalKind::ReturnType;
            if by_type && fixture.tool.returns.is_none() {
                problems.push(
                    "`refusal: return-type` needs `tool.returns`: what declares nothing is not held to it".into(),
                );
            }
            if violated.is_some() && !by_type {
                problems.push(format!("`violated` does not belong to `refusal: {kind}`"));
            }
            if violated.as_ref().is_some_and(|keyword| !KEYWORDS.contains(&&**keyword)) {
                problems
                    .push(format!("`violated` is no keyword of a schema, expected one of: {}", KEYWORDS.join(", ")));
            }
            at
        }
        _ => &None,
    };
    if let Some(at) = at {
        let leads = match &fixture.input {
            Input::Payload(payload) => payload.pointer(at).is_some(),
            // Neither is built here, so only the form can be held to.
            Input::Recipe(_) | Input::Raw(_) => at.is_empty() || at.starts_with('/'),
        };
        if !leads {
            problems.push("`at` is no JSON Pointer to a value of the input".to_owned());
        }
    }
}

/// The keywords of JSON Schema 2020-12 that a boundary can be expected to know.
const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
    "anyOf",
];

/// Holds what a tool declares to the keywords of the protocol.
fn schema(fixture: &Fixture, problems: &mut Vec<String>) {
    let mut pending: Vec<&Value> = fixture.tool.returns.iter().collect();
    while let Some(schema) = pending.pop() {
        let Value::Object(members) = schema else {
            if !schema.is_boolean() {
                problems.push("`tool.returns` holds a schema that is neither an object nor a truth value".to_owned());
            }
            continue;
        };
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => pending.extend(properties.values()),
                ("anyOf", Value::Array(branches)) => pending.extend(branches),
                ("items" | "additionalProperties", inner) => pending.push(inner),
                (keyword, _) if KEYWORDS.contains(&keyword) => {}
                (keyword, _) => {
                    let (keyword, legal) = (quoted(keyword), KEYWORDS.join(", "));
                    problems.push(format!("`tool.returns` uses the keyword {keyword}, expected only: {legal}"));
                }
            }
        }
    }
}

fn placeholders(fixture: &Fixture, problems: &mut Vec<String>) {
    let misspelled = |text: &str| pieces(text).any(|piece| piece == Piece::Misspelled);
    let legal = || Placeholder::ALL.iter().map(|placeholder| placeholder.as_str()).collect::<Vec<_>>().join(", ");
    for (name, input) in [("the input", Some(&fixture.input)), ("the twin", fixture.twin.as_ref())] {
        if input.is_some_and(|input| input.any_text(misspelled)) {
            problems.push(format!("a placeholder in {name} is misspelled, expected one of: {}", legal()));
        }
    }
    let removes = match &fixture.expect {
        Expect::Neutralised { removes } => &removes[..],
        _ => &[],
    };
    let held = |text: &String| pieces(text).any(|piece| !matches!(piece, Piece::Literal(_)));
    if fixture.keeps.iter().chain(removes).chain(&fixture.decoded).any(held) {
        problems.push("a placeholder stands outside the input and the twin, where nothing fills it".to_owned());
    }
}
