//! The published schemas: each file of the corpus validates, and each schema refuses what is broken.

use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn schema(name: &str) -> Validator {
    let schema = read(&root().join("schema").join(format!("{name}.schema.json")));
    assert!(jsonschema::meta::is_valid(&schema), "{name} is no JSON Schema");
    jsonschema::validator_for(&schema).unwrap()
}

/// The files of a folder, and at least one.
fn files(folder: &str) -> Vec<PathBuf> {
    let files: Vec<PathBuf> = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty(), "{folder} is empty");
    files
}

#[test]
fn every_file_validates_against_the_schema_that_it_names() {
    let mut all = vec![root().join("requirements.json"), root().join("markers.json")];
    all.extend(files("fixtures"));
    all.extend(files("sets"));
    for path in all {
        let data = read(&path);
        let named = path.parent().unwrap().join(data["$schema"].as_str().unwrap());
        let validator = jsonschema::validator_for(&read(&named)).unwrap();
        let errors: Vec<_> = validator.iter_errors(&data).map(|error| error.instance_path().to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    }
}

/// A change to one place of a good instance.
struct Change {
    at: &'static str,
    to: Option<Value>,
}

/// The good instance passes, and every change to it, alone, is refused.
fn holds_to(name: &str, good: &Value, changes: Vec<Change>) {
    let validator = schema(name);
    assert!(validator.is_valid(good), "the good instance of {name} is refused");
    for change in changes {
        let mut broken = good.clone();
        let (parent, last) = change.at.rsplit_once('/').unwrap();
        match (broken.pointer_mut(parent), change.to) {
            (Some(Value::Object(members)), Some(value)) => drop(members.insert(last.to_owned(), value)),
            (Some(Value::Object(members)), None) => assert!(members.remove(last).is_some(), "{}", change.at),
            (Some(Value::Array(items)), Some(value)) => items[last.parse::<usize>().unwrap()] = value,
            _ => panic!("{} leads nowhere", change.at),
        }
        assert!(!validator.is_valid(&broken), "{name} accepts a broken {}", change.at);
    }
}

fn set(at: &'static str, to: Value) -> Change {
    Change { at, to: Some(to) }
}

fn without(at: &'static str) -> Change {
    Change { at, to: None }
}

#[test]
fn the_schema_of_requirements_refuses_what_is_broken() {
    let good = json!({"sources": {"T": "a page"}, "requirements": [{
        "id": "flag/override", "level": "must", "claims": ["flag"], "sentence": "s", "why": "w", "failing": "f",
        "fix": "x", "sources": ["T"], "since": "0.1.0", "built": true}]});
    let changes = vec![
        set("/more", json!(1)),
        set("/requirements", json!([])),
        set("/requirements/0/id", json!("Flag/override")),
        set("/requirements/0/level", json!("may")),
        set("/requirements/0/claims", json!(["flagg"])),
        set("/requirements/0/sentence", json!("")),
        set("/requirements/0/since", json!("one")),
        set("/requirements/0/built", json!("yes")),
        set("/requirements/0/more", json!(1)),
        without("/requirements/0/fix"),
        without("/sources"),
    ];
    holds_to("requirements", &good, changes);
}

#[test]
fn the_schema_of_markers_refuses_what_is_broken() {
    let good = json!({"sources": {"L": "a program"}, "families": [{"id": "one", "about": "a", "sources": ["L"],
        "markers": [{"id": "one-start", "text": "<|start|>", "class": "prose", "matching": "folded", "why": "w"}]}]});
    let changes = vec![
        set("/families/0/markers/0/class", json!("text")),
        set("/families/0/markers/0/matching", json!("exact")),
        set("/families/0/markers/0/text", json!("")),
        set("/families/0/markers/0/more", json!(1)),
        set("/families/0/markers", json!([])),
        set("/families/0/id", json!("One")),
        without("/families/0/sources"),
        without("/families/0/markers/0/why"),
    ];
    holds_to("markers", &good, changes);
}

#[test]
fn the_schema_of_fixtures_refuses_what_is_broken() {
    let of = |fixture: Value| json!({"family": "tiny", "about": "a", "fixtures": [fixture]});
    let flagged = of(json!({"id": "tiny/order", "requirement": "flag/override", "why": "w", "mechanism": "m",
        "needs": ["paths"], "tool": {"name": "t"}, "recipe": {"wide": {"items": 2, "with": "array", "item": "x"}},
        "expect": "flagged", "kind": "override", "at": "/1", "twin": {"payload": 1}}));
    let changes = vec![
        set("/fixtures", json!([])),
        set("/more", json!(1)),
        set("/fixtures/0/more", json!(1)),
        set("/fixtures/0/id", json!("order")),
        set("/fixtures/0/level", json!("must")),
        set("/fixtures/0/tier", json!("deep")),
        set("/fixtures/0/needs", json!(["path"])),
        set("/fixtures/0/tool", json!({"name": "t", "return": {}})),
        set("/fixtures/0/payload", json!(1)),
        set("/fixtures/0/recipe", json!({"wide": {"items": 2, "with": "list", "item": "x"}})),
        set("/fixtures/0/recipe", json!({})),
        set("/fixtures/0/kind", json!("overrides")),
        set("/fixtures/0/at", json!("1")),
        set("/fixtures/0/removes", json!(["x"])),
        set("/fixtures/0/refusal", json!("depth")),
        set("/fixtures/0/twin", json!({})),
        without("/fixtures/0/kind"),
        without("/fixtures/0/twin"),
        without("/fixtures/0/recipe"),
    ];
    holds_to("fixtures", &flagged, changes);
    let neutralised = of(json!({"id": "tiny/bidi", "requirement": "forgery/bidi", "why": "w", "mechanism": "m",
        "payload": "ab", "expect": "neutralised", "removes": ["a"], "keeps": ["b"], "twin": {"payload": "b"}}));
    let changes = vec![without("/fixtures/0/keeps"), set("/fixtures/0/kind", json!("override"))];
    holds_to("fixtures", &neutralised, changes);
    let refused = of(json!({"id": "tiny/type", "requirement": "type/mismatch-refused", "why": "w", "mechanism": "m",
        "payload": "a", "expect": "refused", "refusal": "return-type", "violated": "type", "twin": {"raw": "1"}}));
    let changes = vec![without("/fixtures/0/refusal"), set("/fixtures/0/violated", json!("format"))];
    holds_to("fixtures", &refused, changes);
    let delivered = of(json!({"id": "tiny/plain", "requirement": "benign/core", "why": "w", "mechanism": "m",
        "raw": "1", "expect": "delivered", "keeps": ["1"]}));
    let changes = vec![set("/fixtures/0/twin", json!({"payload": 1})), set("/fixtures/0/at", json!(""))];
    holds_to("fixtures", &delivered, changes);
}

#[test]
fn the_schema_of_sets_refuses_what_is_broken() {
    let open = json!({"set": "1", "open": true, "about": "a", "cases": []});
    holds_to("set", &open, vec![set("/cases", json!(["a/b"])), set("/more", json!(1)), without("/about")]);
    let frozen = json!({"set": "1", "open": false, "about": "a", "cases": ["a/b", "a/b/c"]});
    let changes =
        vec![set("/cases", json!([])), set("/cases/0", json!("a")), set("/cases/1", json!("a/b")), without("/open")];
    holds_to("set", &frozen, changes);
}

#[test]
fn the_schema_of_reports_refuses_what_is_broken() {
    let good = json!({"format": 1, "kit": "0.1.0", "corpus": "0.1.0", "set": "1",
        "boundary": {"name": "b", "version": "1", "claims": ["flag", "wire:mcp"], "claimed": "2 of 18"},
        "verdict": "nonconformant",
        "summary": {"requirements": {"pass": 0, "warn": 0, "fail": 1, "not_claimed": 1, "not_built": 0,
                                     "expected_fail": 0, "unexpected_pass": 0},
                    "cases": {"ran": 3, "pass": 1, "fail": 1, "missed": 1}, "seconds": 0.5},
        "own_fixtures": 1,
        "rates": {
            "recall": [{"kind": "override", "tier": "wide", "caught": 1, "of": 2, "missed": ["overrides/late"]}],
            "false_alarms": [{"texts": "hard", "family": "code", "flagged": 0, "of": 24, "which": []}]},
        "requirements": [
            {"id": "flag/override", "level": "must", "status": "fail", "cases": 1, "failures": [
                {"case": "published/direct-override", "kind": "wrong", "expected": "a finding", "got": "none",
                 "at": "rendered", "reproduce": "boundary-kit check", "level": "must", "place": 7, "misread": true,
                 "sent": "{}"}], "missed": 1},
            {"id": "forgery/bidi", "level": "must", "status": "not-claimed", "cases": 0, "note": "no claim",
             "failures": [], "unclaimed": [{"why": "no claim", "cases": 1}]}],
        "shard": {"index": 2, "of": 3, "asked": 4, "planned": 12, "plan": "cbf29ce484222325", "only": ["flag/*"]}});
    let changes = vec![
        set("/own_fixtures", json!(0)),
        set("/rates/recall/0/kind", json!("overrule")),
        set("/rates/recall/0/of", json!(0)),
        set("/rates/recall/0/missed/0", json!("late")),
        set("/rates/false_alarms/0/texts", json!("easy")),
        without("/rates/false_alarms/0/which"),
        without("/summary/cases/missed"),
        set("/format", json!(2)),
        set("/verdict", json!("green")),
        set("/more", json!(1)),
        set("/boundary/claims", json!(["flags"])),
        set("/boundary/claimed", json!("all")),
        set("/summary/requirements/skipped", json!(0)),
        set("/summary/cases/ran", json!(-1)),
        set("/summary/seconds", json!("0.5")),
        set("/requirements/0/status", json!("skipped")),
        set("/requirements/0/failures/0/kind", json!("error")),
        set("/requirements/0/failures/0/payload", json!("x")),
        set("/requirements/1/note", json!(1)),
        without("/summary/requirements/not_built"),
        without("/requirements/0/failures/0/reproduce"),
        without("/boundary"),
        set("/shard/index", json!(0)),
        set("/shard/of", json!(10_001)),
        set("/shard/asked", json!(-1)),
        set("/shard/plan", json!("cbf29ce48422232")),
        set("/shard/only", json!("flag/*")),
        set("/shard/more", json!(1)),
        without("/shard/planned"),
        set("/requirements/0/missed", json!(0)),
        set("/requirements/0/failures/0/level", json!("may")),
        set("/requirements/0/failures/0/place", json!(-1)),
        set("/requirements/0/failures/0/misread", json!(false)),
        set("/requirements/0/failures/0/sent", json!({})),
        set("/requirements/1/unclaimed", json!([])),
        set("/requirements/1/unclaimed/0/cases", json!(0)),
        without("/requirements/1/unclaimed/0/why"),
    ];
    holds_to("report", &good, changes);
    // Where a failure stands is not always known.
    let mut unplaced = good.clone();
    unplaced.pointer_mut("/requirements/0/failures/0").unwrap().as_object_mut().unwrap().remove("at").unwrap();
    assert!(schema("report").is_valid(&unplaced));
}

#[test]
fn the_schema_of_self_tests_refuses_what_is_broken() {
    let good = json!({"format": 1,
        "boundary": {"name": "b", "version": "1", "claims": ["flag"], "claimed": "1 of 18"},
        "summary": {"saboteurs": 1, "killed": 1, "killed_by_named": 1, "undeclared_collateral": 0,
                    "requirements_without": ["forgery/bidi"]},
        "saboteurs": [{"name": "blind", "does": "finds nothing", "breaks": ["flag/override"], "killed": true,
                       "tripped": ["flag/override"], "implied": []}]});
    let changes = vec![
        set("/format", json!("1")),
        set("/summary/killed", json!(0.5)),
        set("/summary/requirements_without", json!(["bidi"])),
        set("/saboteurs/0/breaks", json!([])),
        set("/saboteurs/0/killed", json!("yes")),
        set("/saboteurs/0/more", json!(1)),
        set("/more", json!(1)),
        without("/saboteurs/0/implied"),
        without("/summary/killed_by_named"),
    ];
    holds_to("self-test", &good, changes);
}
