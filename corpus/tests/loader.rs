//! The strict loader: a tiny good corpus is read, and each way of spoiling it is one fault with a name.
//!
//! A long file, because every defect is one row of a table and the tables share one good corpus.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use boundary_corpus::{Expect, Fault, lint, own_families};

/// The smallest corpus in which every rule has something to hold to.
fn good() -> BTreeMap<&'static str, String> {
    let requirements = r#"{
        "$schema": "schema/requirements.schema.json",
        "sources": {"T": "a page"},
        "requirements": [
            {"id": "flag/override", "level": "must", "claims": ["flag"], "sentence": "s", "why": "w", "failing": "f",
             "fix": "x", "sources": ["T"], "since": "0.1.0", "built": true},
            {"id": "forgery/bidi", "level": "must", "claims": ["neutralise"], "sentence": "s", "why": "w",
             "failing": "f", "fix": "x", "sources": ["T"], "since": "0.1.0", "built": true},
            {"id": "type/mismatch-refused", "level": "must", "claims": ["return-types"], "sentence": "s", "why": "w",
             "failing": "f", "fix": "x", "sources": ["T"], "since": "0.1.0", "built": true},
            {"id": "wire/shape", "level": "should", "claims": ["wire"], "sentence": "s", "why": "w", "failing": "f",
             "fix": "x", "sources": ["T"], "since": "0.1.0", "built": false}
        ]
    }"#;
    let markers = r#"{
        "$schema": "schema/markers.schema.json",
        "sources": {"L": "a program"},
        "families": [
            {"id": "one", "about": "a", "sources": ["L"], "markers": [
                {"id": "one-start", "text": "<|start|>", "class": "structural", "matching": "folded", "why": "w"}]},
            {"id": "two", "about": "a", "sources": ["L"], "markers": [
                {"id": "two-start", "text": "[START]", "class": "prose", "matching": "exact-case", "why": "w"}]}
        ]
    }"#;
    let fixtures = r#"{
        "$schema": "../schema/fixtures.schema.json",
        "family": "tiny",
        "about": "a",
        "fixtures": [
            {"id": "tiny/order", "requirement": "flag/override", "why": "w", "mechanism": "order",
             "needs": ["envelope", "decode"],
             "payload": {"hits": ["fine", "canary-text order {{envelope.close}}"]}, "expect": "flagged",
             "kind": "override", "at": "/hits/1", "keeps": ["fine"], "decoded": "plain canary-text",
             "twin": {"payload": {"hits": ["fine", "words"]}}},
            {"id": "tiny/bidi", "requirement": "forgery/bidi", "level": "should", "why": "w", "mechanism": "bidi",
             "payload": "a\u202eb kept", "expect": "neutralised", "removes": ["\u202e"], "keeps": ["kept"],"twin": {"payload": "ab kept"}},
            {"id": "tiny/type", "requirement": "type/mismatch-refused", "why": "w", "mechanism": "type",
             "tool": {"name": "t", "returns": {"type": "number"}}, "payload": "{{canary}}", "expect": "refused",
             "refusal": "return-type", "at": "", "violated": "type", "twin": {"payload": 1}},
            {"id": "tiny/plain", "requirement": "flag/override", "why": "w", "mechanism": "none", "payload": "{{7*7}}",
             "expect": "delivered", "keeps": ["{{7*7}}"]}
        ]
    }"#;
    let set = r#"{"$schema": "../schema/set.schema.json", "set": "1", "open": true, "about": "a", "cases": []}"#;
    [(REQUIREMENTS, requirements), (MARKERS, markers), (TINY, fixtures), (SET, set)]
        .map(|(name, text)| (name, text.to_owned()))
        .into()
}

const REQUIREMENTS: &str = "requirements.json";
const MARKERS: &str = "markers.json";
const TINY: &str = "fixtures/tiny.json";
const SET: &str = "sets/1.json";

/// Writes files into a folder of this test's own.
fn folder(name: &str, files: &BTreeMap<&str, String>) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for inner in ["fixtures", "sets"] {
        fs::create_dir_all(folder.join(inner)).unwrap();
    }
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn said(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(Fault::to_string).collect()
}

/// The faults of the good corpus with one piece of one file replaced.
fn spoiled(test: &str, file: &'static str, from: &str, to: &str) -> Vec<String> {
    let mut files = good();
    let text = files.get_mut(file).unwrap();
    assert!(text.contains(from), "the good corpus has no {from}");
    *text = text.replacen(from, to, 1);
    let faults = lint(&folder(test, &files)).map_or_else(|faults| said(&faults), |_| Vec::new());
    assert!(faults.iter().all(|fault| !fault.contains("canary-text")), "a fault quotes a payload: {faults:?}");
    faults
}

#[test]
fn the_good_corpus_is_read_as_it_is_written() {
    let corpus = lint(&folder("good", &good())).unwrap();
    assert_eq!(corpus.requirements().len(), 4);
    assert_eq!(corpus.requirement("wire/shape").unwrap().claims[0].to_string(), "wire");
    assert_eq!(corpus.marker_families()[1].markers[0].family, "two");
    assert_eq!(corpus.sets()[0].name, "1");
    let order = corpus.fixture("tiny/order").unwrap();
    assert_eq!(order.tool.name, "read_page");
    assert!(matches!(&order.expect, Expect::Flagged { at: Some(at), .. } if at == "/hits/1"));
}

#[test]
fn each_defect_of_a_table_is_named() {
    let cases = [
        (REQUIREMENTS, r#""built": true"#, r#""built": true, "bulit": 1"#, "flag/override: unknown field `bulit`"),
        (REQUIREMENTS, r#""why": "w","#, "", "flag/override: field `why` is missing"),
        (
            REQUIREMENTS,
            r#""claims": ["flag"], "#,
            "",
            "flag/override: field `claims` is missing: write [] for any claim",
        ),
        (REQUIREMENTS, r#""why": "w","#, r#""why": "w", "why": "v","#, "flag/override: field `why` stands twice"),
        (REQUIREMENTS, r#""why": "w","#, r#""why": " ","#, "flag/override: field `why` is empty"),
        (
            REQUIREMENTS,
            r#""level": "must""#,
            r#""level": "may""#,
            "flag/override: field `level`: unknown level `may`, expected one of: must, should",
        ),
        (REQUIREMENTS, r#""sources": ["T"]"#, r#""sources": []"#, "flag/override: names no source"),
        (
            REQUIREMENTS,
            r#""sources": ["T"]"#,
            r#""sources": ["U"]"#,
            "flag/override: `sources[0]` is unknown, expected one of: T",
        ),
        (REQUIREMENTS, r#""id": "forgery/bidi""#, r#""id": "wire/shape""#, "wire/shape: the id stands before already"),
        (
            REQUIREMENTS,
            r#""id": "wire/shape""#,
            r#""id": "Wire shape""#,
            "requirements[3]: field `id`: `Wire shape` is no id, expected `area/name` in lower-case letters, digits \
             and single hyphens",
        ),
        (MARKERS, r#""id": "two","#, r#""id": "one","#, "one: the id stands before already"),
        (MARKERS, r#""id": "two-start""#, r#""id": "one-start""#, "one-start: the id stands before already"),
        (MARKERS, "[START]", "<|start|>", "two-start: the same marker text stands before already"),
        (
            MARKERS,
            r#""class": "prose""#,
            r#""class": "text""#,
            "two: markers[0]: field `class`: unknown marker class `text`, expected one of: structural, prose",
        ),
        (
            MARKERS,
            r#"{"id": "two-start", "text": "[START]", "class": "prose", "matching": "exact-case", "why": "w"}"#,
            "",
            "two: holds no marker",
        ),
        (MARKERS, r#""why": "w"}"#, r#""why": "w", "note": ""}"#, "one: markers[0]: unknown field `note`"),
        (MARKERS, r#""sources": ["L"]"#, r#""sources": ["M"]"#, "one: `sources[0]` is unknown, expected one of: L"),
        (
            MARKERS,
            r#"{"L": "a program"}"#,
            r#"{"L": "a", "L": "b"}"#,
            "field `sources` has the letter of its member 1 before already",
        ),
        (SET, r#""set": "1""#, r#""set": "2""#, "field `set` is not the name of the file"),
        (SET, r#""cases": []"#, r#""cases": ["tiny/order"]"#, "an open set holds every case and lists none"),
        (SET, r#""open": true"#, r#""open": false"#, "a frozen set lists its cases, this one lists none"),
        (
            SET,
            r#""open": true, "about": "a", "cases": []"#,
            r#""open": false, "about": "a", "cases": ["tiny/order", "tiny/gone", "forgery/bidi/rlo", "tiny/bidi/twin"]"#,
            "cases[1]: is no case of this corpus",
        ),
    ];
    for (at, (file, from, to, fault)) in cases.into_iter().enumerate() {
        let mut faults = spoiled(&format!("table-{at}"), file, from, to);
        // A row that lost its name leaves the fixtures that name it dangling; that is tested below.
        faults.retain(|fault| !fault.contains("unknown requirement"));
        assert_eq!(faults, [format!("{file}: {fault}")]);
    }
}

#[test]
fn each_defect_of_a_fixture_is_named() {
    let legal = "{{envelope.open}}, {{envelope.close}}, {{envelope.name}}, {{canary}}";
    let misspelled = format!("order: a placeholder in the input is misspelled, expected one of: {legal}");
    let in_twin = format!("order: a placeholder in the twin is misspelled, expected one of: {legal}");
    let keywords = "type, properties, required, additionalProperties, items, enum, const, minimum, maximum, minLength, \
                    maxLength, minItems, maxItems, pattern, anyOf";
    let keyword = format!("type: `tool.returns` uses the keyword `format`, expected only: {keywords}");
    let violated = format!("type: `violated` is no keyword of a schema, expected one of: {keywords}");
    let cases = [
        (r#""expect": "flagged","#, r#""expect": "flagged", "expcet": 1,"#, "order: unknown field `expcet`"),
        (
            r#""mechanism": "order","#,
            r#""mechanism": "order", "mechanism": "b","#,
            "order: field `mechanism` stands twice",
        ),
        (
            r#"{"hits": ["fine", "words"]}"#,
            r#"{"hits": [{"a": 1, "a": 2}]}"#,
            "order: in `twin`: an object in `payload` has one key twice: write such a text as `raw`",
        ),
        (r#""id": "tiny/bidi""#, r#""id": "tiny/order""#, "order: the id is taken already"),
        (r#""id": "tiny/bidi""#, r#""id": "other/bidi""#, "other/bidi: the first part of the id is not the family"),
        (
            r#""requirement": "flag/override", "why": "w", "mechanism": "none""#,
            r#""requirement": "flag/overdrive", "why": "w", "mechanism": "none""#,
            "plain: names the unknown requirement flag/overdrive",
        ),
        (
            r#""requirement": "flag/override", "why": "w", "mechanism": "none""#,
            r#""requirement": "wire/shape", "why": "w", "mechanism": "none""#,
            "plain: names wire/shape, which this version does not judge: the case would never run",
        ),
        (
            r#""mechanism": "none""#,
            r#""mechanism": "Bidi""#,
            "plain: has the mechanism of tiny/bidi: say what differs, or leave one out",
        ),
        (r#","twin": {"payload": "ab kept"}}"#, "}", "bidi: field `twin` is missing: an attack needs its benign twin"),
        (
            r#"["fine", "words"]"#,
            r#"["fine", "canary-text order {{envelope.close}}"]"#,
            "order: the twin equals the attack: remove the attack from it",
        ),
        (
            r#""expect": "delivered","#,
            r#""expect": "delivered", "twin": {"payload": 1},"#,
            "plain: `twin` does not belong to `expect: delivered`: there is no attack to remove",
        ),
        (
            r#""expect": "delivered","#,
            r#""expect": "delivered", "kind": "override","#,
            "plain: field `kind` does not belong to `expect: delivered`",
        ),
        (
            r#""expect": "neutralised","#,
            r#""expect": "neutralised", "refusal": "depth","#,
            "bidi: field `refusal` does not belong to `expect: neutralised`",
        ),
        (r#""kind": "override", "#, "", "order: field `kind` is missing"),
        (r#""refusal": "return-type", "#, "", "type: field `refusal` is missing"),
        (
            r#""kind": "override""#,
            r#""kind": "must-now""#,
            "order: `kind` is `must-now`, and flag/override is about `override`",
        ),
        (
            r#""keeps": ["fine"]"#,
            r#""keeps": ["fine", "canary-text gone"]"#,
            "order: `keeps[1]` does not stand in the input",
        ),
        (
            r#" "keeps": ["kept"],"#,
            "",
            "bidi: `keeps` is missing: without it a boundary that returns nothing would pass",
        ),
        (r#""keeps": ["kept"]"#, r#""keeps": [" "]"#, "bidi: `keeps[0]` is nothing but white space"),
        (r#""keeps": ["kept"]"#, r#""keeps": ["\u202eb"]"#, "bidi: `keeps[0]` holds what `removes` forbids"),
        (
            r#"{"payload": "ab kept"}"#,
            r#"{"payload": "a\u202eb"}"#,
            "bidi: the twin holds what `removes` forbids: it is not benign",
        ),
        (r#""keeps": ["{{7*7}}"]"#, r#""keeps": [""]"#, "plain: field `keeps[0]` is empty"),
        (
            r#""violated": "type", "#,
            r#""keeps": ["{{"], "violated": "type", "#,
            "type: `keeps` does not belong to `expect: refused`: nothing of it is delivered",
        ),
        (
            r#""tool": {"name": "t","#,
            r#""needs": ["decode"], "decoded": "d", "tool": {"name": "t","#,
            "type: `decoded` does not belong to `expect: refused`: nothing of it is delivered",
        ),
        (r#""violated": "type""#, r#""violated": "format""#, &violated),
        (
            r#""refusal": "return-type""#,
            r#""refusal": "depth""#,
            "type: `violated` does not belong to `refusal: depth`",
        ),
        (
            r#", "returns": {"type": "number"}"#,
            "",
            "type: `refusal: return-type` needs `tool.returns`: what declares nothing is not held to it",
        ),
        (r#"{"type": "number"}"#, r#"{"anyOf": [{"format": "date"}]}"#, &keyword),
        (
            r#"{"type": "number"}"#,
            r#"{"items": 3}"#,
            "type: `tool.returns` holds a schema that is neither an object nor a truth value",
        ),
        (r#""at": "/hits/1""#, r#""at": "/hits/2""#, "order: `at` is no JSON Pointer to a value of the input"),
        (
            r#""decoded": "plain canary-text""#,
            r#""decoded": "order""#,
            "order: `decoded` is empty, or stands in the input undisguised",
        ),
        (
            r#"["envelope", "decode"]"#,
            r#"["envelope"]"#,
            "order: `decoded` needs the claim `decode`: add it to `needs`",
        ),
        (
            r#"["envelope", "decode"]"#,
            r#"["decode"]"#,
            "order: an envelope placeholder needs the claim `envelope`: add it to `needs`",
        ),
        (
            r#"["envelope", "decode"]"#,
            r#"["envelope", "decode", "flag"]"#,
            "order: `needs` names `flag`, which flag/override asks for already",
        ),
        (
            r#""twin": {"payload": 1}"#,
            r#""twin": {"payload": "{{envelope.open}}"}"#,
            "type: an envelope placeholder needs the claim `envelope`: add it to `needs`",
        ),
        ("{{envelope.close}}", "{{envelope.closing}}", &misspelled),
        (r#"["fine", "words"]"#, r#"["fine", {"{{ Canary }}": 1}]"#, &in_twin),
        (
            r#""removes": ["\u202e"]"#,
            r#""removes": ["{{canary}}"]"#,
            "bidi: a placeholder stands outside the input and the twin, where nothing fills it",
        ),
        (
            r#""level": "should""#,
            r#""level": "must""#,
            "bidi: `level` may only lower a case below its row, and forgery/bidi is `must`",
        ),
        (
            r#""level": "should""#,
            r#""tier": "wide""#,
            "bidi: `tier` is for the area `flag`, and the requirement is forgery/bidi",
        ),
        (
            r#""level": "should""#,
            r#""quotes": true"#,
            "bidi: `quotes` is for the requirement benign/hard, and the requirement is forgery/bidi",
        ),
        (
            r#""payload": "{{7*7}}""#,
            r#""raw": "{{7*7}}""#,
            "plain: `raw` needs the claim `json-text`: add it to `needs`",
        ),
        (
            r#""payload": "{{7*7}}""#,
            r#""payload": "{{7*7}}", "raw": "1""#,
            "plain: expected exactly one of the fields `payload`, `recipe` and `raw`",
        ),
        (r#"{"name": "t", "#, r#"{"nmae": "t", "name": "t", "#, "type: unknown field `tool.nmae`"),
    ];
    for (at, (from, to, fault)) in cases.into_iter().enumerate() {
        let place = if fault.starts_with("other/") { "" } else { "tiny/" };
        assert_eq!(spoiled(&format!("fixture-{at}"), TINY, from, to), [format!("{TINY}: {place}{fault}")]);
    }
}

#[test]
fn each_defect_of_a_file_is_named() {
    let cases = [
        (
            TINY,
            r#""about": "a""#,
            "\"about\": \"\u{e9}\"",
            "byte 0xc3 at offset 99, line 4, is not printable ASCII: write the character as a \\u escape",
        ),
        (TINY, r#""about": "a","#, r#""about": "a" "b","#, "not JSON at line 4, column 22"),
        (TINY, r#""about": "a","#, r#""about": "a", "abuot": "b","#, "unknown field `abuot`"),
        (TINY, r#""family": "tiny""#, r#""family": "small""#, "field `family` is not the name of the file"),
    ];
    for (at, (file, from, to, fault)) in cases.into_iter().enumerate() {
        assert_eq!(spoiled(&format!("file-{at}"), file, from, to)[0], format!("{file}: {fault}"));
    }
}

#[test]
fn an_absent_or_empty_corpus_is_a_fault() {
    let mut files = good();
    files.remove(REQUIREMENTS);
    assert_eq!(said(&lint(&folder("no-table", &files)).unwrap_err()), ["requirements.json: is absent"]);
    let mut files = good();
    files.remove(TINY);
    assert_eq!(said(&lint(&folder("no-fixtures", &files)).unwrap_err()), ["fixtures/: holds no file of fixtures"]);
    let mut files = good();
    files.remove(SET);
    assert_eq!(said(&lint(&folder("no-sets", &files)).unwrap_err()), ["sets/: holds no set"]);
    for (file, list, fault) in [
        (TINY, "fixtures", "holds no fixture"),
        (MARKERS, "families", "holds no family"),
        (REQUIREMENTS, "requirements", "holds no requirement"),
    ] {
        let mut files = good();
        let text = files.get_mut(file).unwrap();
        let start = text.find(&format!("\"{list}\": [")).unwrap() + list.len() + 4;
        text.replace_range(start.., "[]}");
        if file == REQUIREMENTS {
            files.insert(TINY, r#"{"family": "tiny", "about": "a", "fixtures": []}"#.to_owned());
        }
        let faults = said(&lint(&folder("empty-list", &files)).unwrap_err());
        assert_eq!(faults[0], format!("{file}: {fault}"));
    }
    let missing = lint(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder")).unwrap_err();
    let expected =
        ["fixtures/: is absent", "sets/: is absent", "requirements.json: is absent", "markers.json: is absent"];
    assert_eq!(said(&missing), expected);
}

#[test]
fn a_stray_file_and_an_unreadable_one_are_faults() {
    let stray = folder("stray", &good());
    fs::write(stray.join("fixtures/extra.jsn"), "{}").unwrap();
    assert_eq!(said(&lint(&stray).unwrap_err()), ["fixtures/: `extra.jsn` is no `.json` file"]);
    let unreadable = folder("unreadable", &good());
    fs::create_dir(unreadable.join("fixtures/inner.json")).unwrap();
    assert_eq!(said(&lint(&unreadable).unwrap_err()), ["fixtures/inner.json: cannot be read: is a directory"]);
}

#[test]
fn two_files_with_nameless_fixtures_are_not_taken_for_each_other() {
    let mut files = good();
    let nameless = |family: &str| {
        format!(
            r#"{{"family": "{family}", "about": "a", "fixtures": [{{"requirement": "flag/override", "why": "w",
            "mechanism": "m", "payload": 1, "expect": "delivered"}}]}}"#
        )
    };
    files.insert("fixtures/a.json", nameless("a"));
    files.insert("fixtures/b.json", nameless("b"));
    assert_eq!(
        said(&lint(&folder("nameless", &files)).unwrap_err()),
        ["fixtures/a.json: fixtures[0]: field `id` is missing", "fixtures/b.json: fixtures[0]: field `id` is missing"]
    );
    files.remove("fixtures/b.json");
    files.insert("fixtures/a.json", good()[TINY].replace("\"tiny\"", "\"a\""));
    let faults = said(&lint(&folder("across-files", &files)).unwrap_err());
    assert!(faults.contains(&"fixtures/tiny.json: tiny/order: the id is taken already".to_owned()), "{faults:?}");
}

#[test]
fn a_fixture_is_no_namesake_of_a_requirement() {
    let mut files = good();
    let text = r#"{"family": "flag", "about": "a", "fixtures": [{"id": "flag/override", "requirement": "flag/override",
        "why": "w", "mechanism": "m", "payload": 1, "expect": "delivered"}]}"#;
    files.insert("fixtures/flag.json", text.to_owned());
    assert_eq!(
        said(&lint(&folder("namesake", &files)).unwrap_err()),
        ["fixtures/flag.json: flag/override: the id is that of a requirement: a case needs a name of its own"]
    );
}

#[test]
fn all_faults_are_reported_in_the_order_of_files_and_entries() {
    let mut files = good();
    for (file, from, to) in [
        (SET, r#""set": "1""#, r#""set": "2""#),
        (TINY, r#""keeps": ["fine"]"#, r#""keeps": ["x"], "zz": 1"#),
        (TINY, r#""keeps": ["kept"]"#, r#""keeps": ["x"]"#),
        (MARKERS, r#""class": "prose""#, r#""class": "text""#),
        (REQUIREMENTS, r#""level": "must""#, r#""level": "may""#),
    ] {
        let text = files.get_mut(file).unwrap();
        *text = text.replacen(from, to, 1);
    }
    let faults = lint(&folder("many", &files)).unwrap_err();
    let places: Vec<_> = faults.iter().map(|fault| (fault.file.as_str(), fault.entry.as_str())).collect();
    assert_eq!(
        places,
        [(REQUIREMENTS, "flag/override"), (MARKERS, "two"), (TINY, "tiny/order"), (TINY, "tiny/bidi"), (SET, "")]
    );
}

#[test]
fn an_authors_own_fixtures_are_held_to_the_embedded_requirements() {
    let text = |name: &str, requirement: &str| {
        format!(
            r#"{{"family": "own", "about": "a", "fixtures": [{{"id": "{name}", "requirement": "{requirement}",
            "why": "w", "mechanism": "m", "payload": "plain", "expect": "delivered"}}]}}"#
        )
    };
    let read = |test: &str, text: String| {
        let files = BTreeMap::from([("fixtures/own.json", text)]);
        own_families(&folder(test, &files).join("fixtures")).map_err(|faults| said(&faults))
    };
    let families = read("own-good", text("own/plain", "benign/core")).unwrap();
    assert_eq!(families[0].fixtures[0].id, "own/plain");
    assert_eq!(
        read("own-dangling", text("own/plain", "benign/cor")).unwrap_err(),
        ["fixtures/own.json: own/plain: names the unknown requirement benign/cor"]
    );
    let taken = text("published/direct-override", "benign/core").replace("\"own\"", "\"published\"");
    let files = BTreeMap::from([("fixtures/published.json", taken)]);
    assert_eq!(
        said(&own_families(&folder("own-taken", &files).join("fixtures")).unwrap_err()),
        ["fixtures/published.json: published/direct-override: the id is taken already"]
    );
    assert_eq!(
        said(&own_families(&folder("own-empty", &BTreeMap::new()).join("fixtures")).unwrap_err()),
        ["fixtures/: holds no file of fixtures"]
    );
}
