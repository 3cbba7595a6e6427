//! The published data itself: what it must hold, and what its texts must not look like.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use boundary_contract::{Claim, FindingKind, Payload, Recipe, Token};
use boundary_corpus::{Class, Expect, Fixture, Input, Level, Matching, Need, Placeholder, Tier, corpus, published};
use regex::{Regex, RegexSet};

#[test]
fn the_folder_on_disk_is_the_embedded_corpus() {
    match boundary_corpus::lint(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        Ok(on_disk) => assert!(&on_disk == corpus()),
        Err(faults) => panic!("{}", faults.iter().map(|fault| format!("{fault}\n")).collect::<String>()),
    }
}

#[test]
fn the_published_fixtures_are_those_that_any_boundary_must_survive() {
    let expected = [
        ("direct-override", "flagged"),
        ("envelope-escape", "neutralised"),
        ("chatml-turn", "neutralised"),
        ("llama-turn", "neutralised"),
        ("system-heading", "flagged"),
        ("role-reassignment", "flagged"),
        ("fourth-search-hit", "flagged"),
        ("image-alt-text", "flagged"),
        ("base64-field", "flagged"),
        ("html-comment", "flagged"),
        ("bidi-reordering", "neutralised"),
        ("null-bytes-removed", "neutralised"),
        ("null-bytes-flagged", "flagged"),
    ];
    let found: Vec<_> = published().iter().map(|fixture| (fixture.id.name(), fixture.expect.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_keyword_that_can_be_violated_is_violated_by_a_mismatch() {
    let violated: BTreeSet<&str> = corpus()
        .fixtures()
        .filter(|fixture| fixture.requirement == "type/mismatch-refused")
        .filter_map(|fixture| match &fixture.expect {
            Expect::Refused { violated, .. } => violated.as_deref(),
            _ => None,
        })
        .collect();
    // `properties` and `items` only apply other keywords: nothing violates them by itself.
    let expected = [
        "additionalProperties",
        "anyOf",
        "const",
        "enum",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "pattern",
        "required",
        "type",
    ];
    assert_eq!(violated, BTreeSet::from(expected));
}

/// Whether a payload of this shape has room for a token: a string or a key.
fn has_text(input: &Input) -> bool {
    match input {
        Input::Payload(payload) => payload.tokens().any(|token| matches!(token, Token::String(_) | Token::Key(_))),
        Input::Recipe(_) | Input::Raw(_) => true,
    }
}

#[test]
fn what_is_refused_holds_the_token_that_must_not_leak() {
    let refused = |fixture: &&Fixture| matches!(fixture.expect, Expect::Refused { .. });
    let mut seen = 0;
    for fixture in corpus().fixtures().filter(refused).filter(|fixture| has_text(&fixture.input)) {
        assert!(fixture.input.holds(Placeholder::Canary), "{}", fixture.id);
        seen += 1;
    }
    assert!(seen >= 30, "only {seen} refused fixtures have room for a token");
}

/// The plainest shapes of an order, which the catalogue's source describes.
fn shapes() -> RegexSet {
    RegexSet::new([
        r"(?i)\bignore\s+(?:\w+\s+){0,3}instructions\b",
        r"(?i)\bdisregard\s+(?:the\s+)?(?:earlier|prior|previous|above)\b",
        r"(?im)^[ \t]*(?:developer|assistant|system)[ \t]*:",
        r"(?i)\b(?:email|forward|leak|post|reveal|send)\b[^\n.]{0,40}(?:\.env|password|secret|token|api.?key)",
        r"(?i)\byou\s+must\s+now\b",
    ])
    .unwrap()
}

/// Every text of an input, and the text as which it would be rendered.
fn texts(input: &Input) -> Vec<String> {
    let of = |payload: &Payload| {
        let own = payload.tokens().filter_map(|token| match token {
            Token::String(text) | Token::Key(text) => Some(text.to_owned()),
            _ => None,
        });
        own.chain([payload.to_text()]).collect()
    };
    match input {
        Input::Payload(payload) => of(payload),
        Input::Recipe(Recipe::Nest(nest)) => of(&nest.leaf),
        Input::Recipe(recipe) => of(&recipe.build()),
        Input::Raw(text) => vec![text.clone()],
    }
}

#[test]
fn no_benign_text_has_the_shape_of_an_order_and_every_shape_has_one_that_does() {
    let shapes = shapes();
    let hidden = |c: char| c == '\0' || c == '\u{200b}' || c == '\u{ad}';
    let mut hit = BTreeSet::new();
    for fixture in corpus().fixtures() {
        let benign = match fixture.expect {
            // What quotes an attack may look like one: enough of these must, as a test of its own says.
            Expect::Delivered if fixture.quotes => None,
            Expect::Delivered => Some(&fixture.input),
            _ => fixture.twin.as_ref(),
        };
        for text in benign.iter().flat_map(|input| texts(input)) {
            let bare = text.replace(hidden, "");
            assert!(
                !shapes.is_match(&text) && !shapes.is_match(&bare),
                "{} or its twin reads like an order",
                fixture.id
            );
        }
        if matches!(fixture.expect, Expect::Flagged { .. }) {
            hit.extend(
                texts(&fixture.input).iter().flat_map(|text| shapes.matches(text).into_iter().collect::<Vec<_>>()),
            );
        }
    }
    assert_eq!(hit.len(), shapes.len(), "a shape that no flagged fixture has");
}

#[test]
fn every_kind_of_order_that_is_judged_has_a_fixture() {
    for kind in FindingKind::ALL {
        let row = corpus().requirement(&format!("flag/{kind}")).unwrap();
        let has_one = corpus()
            .fixtures()
            .any(|fixture| matches!(&fixture.expect, Expect::Flagged { kind: found, .. } if found == kind));
        assert_eq!(row.built, has_one, "{kind}");
    }
}

/// A reason that fits two cases is the reason of neither.
#[test]
fn each_fixture_has_a_reason_of_its_own_in_its_family() {
    for family in corpus().families() {
        let mut reasons = BTreeMap::new();
        for fixture in &family.fixtures {
            if let Some(earlier) = reasons.insert(fixture.why.as_str(), &fixture.id) {
                panic!("{} has the reason of {earlier}", fixture.id);
            }
        }
    }
}

#[test]
fn attacks_are_there_in_number_and_every_kind_of_order_plain_and_clever() {
    let hostile = corpus().fixtures().filter(|fixture| fixture.expect != Expect::Delivered).count();
    assert!(hostile >= 300, "only {hostile} hostile fixtures");
    for kind in FindingKind::ALL {
        for (tier, floor) in [(Tier::Core, 7), (Tier::Wide, 12)] {
            let found = corpus()
                .fixtures()
                .filter(|fixture| matches!(&fixture.expect, Expect::Flagged { kind: found, .. } if found == kind))
                .filter(|fixture| fixture.tier == tier)
                .count();
            assert!(found >= floor, "only {found} {tier} fixtures of the kind {kind}");
        }
    }
}

/// Counted where the data says it, so that a row is not called covered for a fixture of another row.
#[test]
fn every_row_that_lives_on_fixtures_has_enough_of_them() {
    for (row, floor) in [
        ("flag/hidden-in-markup", 35),
        ("flag/encoded", 35),
        ("flag/obfuscated", 65),
        ("flag/every-place", 12),
        ("flag/each-one", 3),
        ("flag/context-does-not-unflag", 10),
        ("flag/split-across-fields", 12),
        ("type/malformed-refused", 20),
        ("type/duplicate-keys", 6),
        ("forgery/no-reconstruction", 20),
        ("forgery/survives-reading", 25),
        ("forgery/null-and-controls", 20),
        ("forgery/invisible", 20),
        ("forgery/bidi", 10),
        ("envelope/close-neutralised", 10),
    ] {
        let found = corpus().fixtures().filter(|fixture| fixture.requirement == row).count();
        assert!(found >= floor, "only {found} fixtures for {row}");
    }
}

/// Without it nothing would show that a boundary renders what it decoded.
#[test]
fn whatever_is_encoded_says_what_it_hides() {
    for fixture in corpus().fixtures().filter(|fixture| fixture.requirement == "flag/encoded") {
        assert!(fixture.decoded.is_some(), "{}", fixture.id);
    }
}

#[test]
fn ordinary_text_is_there_in_number_and_asks_for_no_more_than_a_flag() {
    let benign = corpus().families().iter().find(|family| family.name == "benign").unwrap();
    assert!(benign.fixtures.len() >= 24);
    for fixture in &benign.fixtures {
        assert_eq!(fixture.expect, Expect::Delivered, "{}", fixture.id);
    }
}

#[test]
fn hard_ordinary_text_is_there_in_number_with_and_without_a_quoted_attack() {
    let hard = corpus().fixtures().filter(|fixture| fixture.requirement == "benign/hard");
    let (quoting, plain): (Vec<_>, Vec<_>) = hard.partition(|fixture| fixture.quotes);
    assert!(plain.len() >= 100, "only {} hard texts hold no order", plain.len());
    assert!(quoting.len() >= 25, "only {} hard texts quote an attack", quoting.len());
    for fixture in plain.iter().chain(&quoting) {
        assert_eq!(fixture.expect, Expect::Delivered, "{}", fixture.id);
    }
    let shapes = shapes();
    let shaped = quoting.iter().filter(|fixture| texts(&fixture.input).iter().any(|text| shapes.is_match(text)));
    let shaped = shaped.count();
    assert!(shaped >= 20, "only {shaped} of the quoted attacks have the shape of one");
}

#[test]
fn hard_ordinary_text_is_written_in_many_scripts() {
    let plain = || corpus().fixtures().filter(|fixture| fixture.requirement == "benign/hard" && !fixture.quotes);
    for script in [
        "Arabic",
        "Armenian",
        "Bengali",
        "Cyrillic",
        "Devanagari",
        "Ethiopic",
        "Georgian",
        "Greek",
        "Han",
        "Hangul",
        "Hebrew",
        "Hiragana",
        "Khmer",
        "Latin",
        "Tamil",
        "Thai",
    ] {
        // A text and not a name or a sample within one: forty characters of the script.
        let characters = Regex::new(&format!(r"\p{{{script}}}")).unwrap();
        let is_written_in_it = |text: &String| characters.find_iter(text).count() >= 40;
        assert!(plain().any(|fixture| texts(&fixture.input).iter().any(is_written_in_it)), "{script}");
    }
}

#[test]
fn markers_that_look_like_ordinary_text_are_prose() {
    let markers: Vec<_> = corpus().marker_families().iter().flat_map(|family| &family.markers).collect();
    let of = |text: &str| *markers.iter().find(|marker| marker.text == text).unwrap();
    for text in ["<s>", "</s>", "[ARGS]", "[PREFIX]", "Human:", "### Instruction:"] {
        assert_eq!(of(text).class, Class::Prose, "{text}");
    }
    for text in
        ["<|im_start|>", "[INST]", "[THINK]", "<<SYS>>", "<tool_call>", "<\u{ff5c}User\u{ff5c}>", "]~b]", "<|turn>"]
    {
        assert_eq!(of(text).class, Class::Structural, "{text}");
    }
    for marker in &markers {
        let inside = marker.text.trim_start_matches('[').trim_start_matches('/').trim_end_matches(']');
        let bracketed_word = marker.text.starts_with('[')
            && marker.text.ends_with(']')
            && inside.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
        assert_eq!(marker.matching == Matching::ExactCase, bracketed_word, "{}", marker.id);
    }
}

#[test]
fn requirements_ask_for_the_claims_of_their_area() {
    for requirement in corpus().requirements() {
        let claims: BTreeSet<Need> = requirement.claims.iter().copied().collect();
        assert_eq!(claims.len(), requirement.claims.len(), "{} names a claim twice", requirement.id);
        let area = match requirement.area() {
            "envelope" => Need::Claim(Claim::Envelope),
            "flag" | "benign" => Need::Claim(Claim::Flag),
            "depth" => Need::Claim(Claim::Depth),
            "ceiling" => Need::Claim(Claim::Ceiling),
            "policy" => Need::Claim(Claim::Policy),
            "wire" => Need::AnyWire,
            _ => continue,
        };
        assert!(claims.contains(&area), "{}", requirement.id);
    }
    assert!(corpus().requirement("leak/refusal").unwrap().claims.is_empty());
    assert_eq!(corpus().requirement("wire/provenance").unwrap().level, Level::Should);
}

#[test]
fn every_area_is_in_the_order_of_the_catalogue() {
    let mut areas: Vec<&str> = corpus().requirements().iter().map(|requirement| requirement.area()).collect();
    areas.dedup();
    let expected = [
        "type",
        "envelope",
        "forgery",
        "flag",
        "benign",
        "leak",
        "depth",
        "ceiling",
        "policy",
        "record",
        "run",
        "stream",
        "wire",
        "descriptions",
        "display",
        "guard",
        "stability",
    ];
    assert_eq!(areas, expected);
}

/// A text with what ordinary matching overlooks taken out: the case of its letters.
fn holds_a_structural_marker(text: &str) -> Option<&'static str> {
    let folded = text.to_lowercase();
    let markers = corpus().marker_families().iter().flat_map(|family| &family.markers);
    let found = markers.filter(|marker| marker.class == Class::Structural).find(|marker| match marker.matching {
        Matching::ExactCase => text.contains(&marker.text),
        Matching::Folded => folded.contains(&marker.text.to_lowercase()),
    });
    found.map(|marker| marker.id.as_str())
}

#[test]
fn no_benign_text_holds_a_structural_marker_and_attacks_do() {
    let mut attacks = 0;
    for fixture in corpus().fixtures() {
        let attack = texts(&fixture.input).iter().find_map(|text| holds_a_structural_marker(text));
        let delivered = fixture.expect == Expect::Delivered;
        let benign = if delivered { Some(&fixture.input) } else { fixture.twin.as_ref() };
        let found = benign.iter().flat_map(|input| texts(input)).find_map(|text| holds_a_structural_marker(&text));
        assert_eq!(found, None, "{} or its twin", fixture.id);
        attacks += usize::from(attack.is_some());
    }
    assert!(attacks >= 10, "only {attacks} attacks hold a marker as it is written");
}
