//! What must hold of any text, however hostile: pieces of markers, invisible letters, encodings and orders, put together
//! at random.

use std::collections::BTreeSet;

use boundary_contract::{Boundary, Call, Delivery, Input, OnSuspicion, Outcome, Payload, Policy, RefusalKind, Tool};
use boundary_reference::{Guard, Reference};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::hostile::{hostile, hostile_value};

mod hostile;

fn policies() -> impl Strategy<Value = Policy> {
    let on_suspicion = prop::sample::select(&[None, Some(OnSuspicion::Truncate)][..]);
    (on_suspicion, prop_oneof![Just(None), (1_u64..120).prop_map(Some)]).prop_map(|(on_suspicion, max_chars)| Policy {
        on_suspicion,
        max_chars,
        max_depth: None,
    })
}

/// Any policy that can be written, sensible or not.
fn any_policy() -> impl Strategy<Value = Policy> {
    let words: Vec<Option<OnSuspicion>> = OnSuspicion::ALL.iter().copied().map(Some).chain([None]).collect();
    let ceiling = || prop_oneof![Just(None), (0_u64..200).prop_map(Some), Just(Some(u64::MAX))];
    (prop::sample::select(words), ceiling(), ceiling()).prop_map(|(on_suspicion, max_chars, max_depth)| Policy {
        on_suspicion,
        max_chars,
        max_depth,
    })
}

fn makes_sense(policy: Policy) -> bool {
    !matches!(policy.on_suspicion, Some(OnSuspicion::Abort | OnSuspicion::Off))
        && policy.max_chars != Some(0)
        && policy.max_depth.is_none_or(|ceiling| ceiling <= 128)
}

/// JSON text, or what is almost some.
fn almost_json() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\n",
        "\"",
        "\"a\"",
        "\"a\":",
        "\"b\":",
        "\"\\u0061\":",
        "null",
        "true",
        "false",
        "0",
        "-",
        "1",
        ".5",
        "e1",
        "E+400",
        "12345678901234567890",
        "\\",
        "\\n",
        "\\u00e9",
        "\\ud83d",
        "\\ude00",
        "\u{1f600}",
        "\u{feff}",
        "\t",
        "[1,",
        "{\"k\":[",
        "]}",
    ];
    let noise = prop::collection::vec(prop::sample::select(PARTS), 0..12).prop_map(|parts| parts.concat());
    // A value that is written out is JSON, and with a part in it somewhere is perhaps none.
    let damaged = (hostile_value(), any::<prop::sample::Index>(), prop::sample::select(PARTS)).prop_map(
        |(value, place, part)| {
            let mut text = value.to_json();
            let place = place.index(text.len() + 1);
            let place = (0..=place).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            text.insert_str(place, part);
            text
        },
    );
    prop_oneof![2 => noise, 2 => damaged, 1 => hostile_value().prop_map(|value| value.to_json())]
}

fn deliver(payload: &Payload, policy: Policy) -> Delivery {
    let tool = Tool::new("read_page");
    let mut call = Call::new(&tool, payload);
    call.policy = policy;
    match Reference::default().check(&call).unwrap() {
        Outcome::Delivered(delivery) => delivery,
        Outcome::Refused(refusal) => panic!("refused: {}", refusal.message),
    }
}

fn heuristics(delivery: &Delivery) -> BTreeSet<&str> {
    delivery.findings.iter().map(|finding| finding.heuristic.as_str()).collect()
}

/// The same values in each run, so that the same code gets the same verdict; `PROPTEST_RNG_SEED` sets others.
fn config() -> ProptestConfig {
    let given = ProptestConfig::default();
    let rng_seed = match given.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0x7265_6665_7265_6e63),
        seed => seed,
    };
    ProptestConfig { cases: given.cases * 8, rng_seed, failure_persistence: None, ..given }
}

proptest! {
    #![proptest_config(config())]

    /// Delivered text is stable: taken through again it is the same, and holds no order that was not reported.
    #[test]
    fn delivered_text_is_unchanged_and_no_surprise_when_checked_again(value in hostile_value(), policy in policies()) {
        let once = deliver(&value, policy);
        let again = deliver(&Payload::from(once.text.as_str()), Policy { max_chars: policy.max_chars, ..Policy::default() });
        prop_assert_eq!(&again.text, &once.text);
        prop_assert!(!again.truncated);
        prop_assert!(heuristics(&again).is_subset(&heuristics(&once)), "{:?} of {:?}", again.findings, once.text);
        if policy.on_suspicion == Some(OnSuspicion::Truncate) {
            prop_assert_eq!(heuristics(&again), BTreeSet::new(), "{}", once.text);
        }
    }

    /// The envelope is one whatever is in it, its content is the text, and the ceiling holds.
    #[test]
    fn there_is_one_envelope_and_its_content_is_bounded(value in hostile_value(), policy in policies()) {
        let delivery = deliver(&value, policy);
        let rendered = &delivery.rendered;
        prop_assert!(rendered.starts_with("<untrusted-data source=\"tool_result\" tool=\"read_page\""));
        // `<untrusted-database>` is another name.
        let opens = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        prop_assert_eq!(rendered.split("<untrusted-data").skip(1).filter(|rest| opens(rest)).count(), 1);
        prop_assert_eq!(rendered.matches("</untrusted-data>").count(), 1);
        let content = rendered.split_once(">\n").unwrap().1.strip_suffix("\n</untrusted-data>").unwrap();
        prop_assert_eq!(content, &delivery.text);
        prop_assert!(delivery.text.chars().count() as u64 <= policy.max_chars.unwrap_or(8_000));
        prop_assert_eq!(rendered.contains("truncated=\"true\">\n"), delivery.truncated);
        for finding in &delivery.findings {
            if let (Some(start), Some(end)) = (finding.start, finding.end) {
                let field = value.pointer(&finding.path).and_then(|field| field.as_str());
                let length = field.map(|field| field.chars().count() as u64);
                prop_assert!(start < end && length.is_none_or(|length| end <= length), "{:?}", finding);
            }
        }
        prop_assert_eq!(delivery.payload, Some(value));
        let control = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r');
        prop_assert_eq!(delivery.text.find(control), None);
        let unseen = ['\u{202e}', '\u{2066}', '\u{feff}', '\u{e0041}', '\u{2060}'];
        prop_assert_eq!(delivery.text.find(unseen), None);
    }

    /// Whatever the policies and the value are, there is an answer, and a delivery is enveloped, scanned and bounded.
    #[test]
    fn no_policy_switches_anything_off(
        value in hostile_value(),
        of_call in any_policy(),
        of_tool in any_policy(),
        configured in any_policy(),
        of_another in any_policy(),
    ) {
        let tool = Tool::new("read_page");
        let boundary = Reference::default().for_tool("read_page", configured).for_tool("search", of_another);
        let mut call = Call::new(&tool, &value);
        call.policy = of_call;
        call.per_tool = [("read_page".to_owned(), of_tool), ("search".to_owned(), of_another)].into();
        let sense = [of_call, of_tool, configured].into_iter().all(makes_sense);
        match boundary.checked(&call) {
            Ok(delivery) => {
                prop_assert!(sense);
                let first = |field: fn(Policy) -> Option<u64>| field(of_call).or(field(of_tool)).or(field(configured));
                let max_chars = first(|policy| policy.max_chars).unwrap_or(8_000);
                let max_depth = first(|policy| policy.max_depth).unwrap_or(8);
                prop_assert!(delivery.text.chars().count() as u64 <= max_chars);
                prop_assert!(value.depth() as u64 <= max_depth);
                prop_assert!(delivery.rendered.starts_with("<untrusted-data ") && delivery.rendered.ends_with("\n</untrusted-data>"));
                let whole = Reference::default().checked(&Call::new(&tool, &value)).unwrap();
                prop_assert!(heuristics(&whole).is_subset(&heuristics(&delivery)));
            }
            Err(refused) => prop_assert_eq!(refused.kind == RefusalKind::Usage, !sense, "{}", refused),
        }
    }

    /// Any text is marked and stays as it is; what a clean one lacks a flagged one has.
    #[test]
    fn the_guard_changes_nothing(text in hostile()) {
        let (tool, payload) = (Tool::new("read_page"), Payload::from(text.as_str()));
        let outcome = Guard::new().check(&Call::new(&tool, &payload)).unwrap();
        let delivery = outcome.delivered().unwrap();
        prop_assert_eq!((&delivery.text, &delivery.rendered, delivery.truncated), (&text, &text, false));
        let flagged = !delivery.findings.is_empty();
        prop_assert_eq!(!delivery.reason.as_ref().unwrap().is_empty(), flagged);
        prop_assert_eq!(delivery.events.as_ref().unwrap().len(), usize::from(flagged));
        let length = text.chars().count() as u64;
        for finding in &delivery.findings {
            prop_assert!(finding.start.unwrap() < finding.end.unwrap() && finding.end.unwrap() <= length, "{:?}", finding);
        }
    }

    /// What is read as JSON is the value that serde_json reads, and what is not it does not read either, but for what is
    /// left to each reader: duplicate keys and integers that no machine word holds.
    #[test]
    fn json_text_is_read_as_others_read_it(text in almost_json()) {
        let tool = Tool::new("read_page");
        let mut call = Call::new(&tool, Input::Raw(&text));
        call.policy.max_depth = Some(128);
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match Reference::default().checked(&call) {
            Ok(delivery) => {
                let theirs = theirs.map(Payload::from).map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert_eq!(delivery.payload, Some(theirs));
            }
            Err(refused) => {
                prop_assert_eq!(refused.kind, RefusalKind::Malformed);
                let ours_alone = refused.message.contains("duplicate key") || refused.message.contains("64 bits");
                prop_assert_eq!(theirs.is_ok() && !ours_alone, false, "{}", refused);
            }
        }
    }

    /// Any names make one opening with the attributes that there are, each value closed where it should be.
    #[test]
    fn names_stay_inside_their_attributes(tool in hostile(), source in hostile(), tenant in hostile()) {
        let (tool, payload) = (Tool::new(tool).from_source(source), Payload::from("text"));
        let mut call = Call::new(&tool, &payload);
        call.tenant = Some(&tenant);
        let delivery = Reference::default().checked(&call).unwrap();
        let opening = delivery.rendered.strip_suffix(">\ntext\n</untrusted-data>").unwrap();
        prop_assert_eq!(opening.matches('"').count(), 6);
        prop_assert_eq!(opening.matches(['<', '\n', '\'']).count(), 1);
        prop_assert!(!opening.contains('>') && !opening.contains(char::is_control));
    }

    /// A refusal repeats nothing, for any type and value that do not fit.
    #[test]
    fn a_refusal_repeats_nothing(key in "[a-z]{16}", text in "[a-z]{16}") {
        let schema = serde_json::json!({"additionalProperties": {"type": "integer"}, "type": "object"});
        let tool = Tool::new("read_page").returning(schema);
        let payload = Payload::from(serde_json::json!({ key.as_str(): text }));
        let Outcome::Refused(refusal) = Reference::default().check(&Call::new(&tool, &payload)).unwrap() else {
            panic!("delivered");
        };
        let shown = format!("{refusal:?}");
        prop_assert!(!shown.contains(&key) && !shown.contains(&text), "{}", shown);
    }
}
