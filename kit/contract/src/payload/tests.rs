//! What a payload owes: no stack, and JSON's own equality.

use serde_json::json;

use super::*;
use crate::{Recipe, With};

/// Runs on a thread whose stack a recursive walk would overflow at once.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_million_levels_are_built_cloned_compared_written_viewed_and_dropped_on_a_small_stack() {
    for with in [With::Array, With::Object, With::Alternate] {
        on_a_small_stack(move || {
            let payload = Recipe::nest(1_000_000, with, 7).build();
            let copy = payload.clone();
            assert!(payload == copy);
            assert!(payload != Recipe::nest(1_000_000, with, 8).build());
            assert_eq!(payload.depth(), 1_000_000);
            assert!(payload.to_json().contains('7'));
            assert_eq!(format!("{payload:?}").matches("depth: 1000000").count(), 1);
            let mapped = payload.map_strings(|_| Some("other".to_owned()));
            assert_eq!(mapped.depth(), 1_000_000);
            let value = payload.to_value();
            assert!(Payload::from_value(&value) == payload);
        });
    }
}

#[test]
fn a_deep_comparison_of_differing_orders_needs_no_stack() {
    on_a_small_stack(|| {
        let build = |flip: bool| {
            let mut builder = Builder::new();
            for _ in 0..300_000 {
                builder.begin_object();
                if flip {
                    builder.key("a").null();
                }
                builder.key("n");
            }
            builder.null();
            for _ in 0..300_000 {
                if !flip {
                    builder.key("a").null();
                }
                builder.end();
            }
            builder.finish()
        };
        assert!(build(true) == build(false));
    });
}

#[test]
fn equality_is_of_values() {
    let same = |a, b| Payload::from(a) == Payload::from(b);
    assert!(same(json!({"a": 1, "b": [2]}), json!({"b": [2.0], "a": 1.0})));
    assert!(!same(json!({"a": 1}), json!({"a": "1"})));
    assert!(!same(json!([1, 2]), json!([2, 1])));
    assert!(!same(json!([[1], 2]), json!([[1, 2]])));
    assert!(!same(json!({"a": {"b": 1}, "c": 2}), json!({"a": {"b": 1, "c": 2}})));
    assert!(!same(json!(0.5), json!(0)));
    assert!(!same(json!(u64::MAX), json!(i64::MAX)));
    assert!(same(json!(-3), json!(-3.0)));
}

#[test]
fn depth_counts_the_containers_around_a_value() {
    for (value, depth) in
        [(json!(3), 0), (json!([]), 0), (json!([3]), 1), (json!([[]]), 1), (json!({"a": {"b": [1]}, "c": 2}), 3)]
    {
        assert_eq!(Payload::from(value).depth(), depth);
    }
}

#[test]
fn a_pointer_leads_to_the_value() {
    let payload = Payload::from(json!({"hits": [{"a/b": "x"}, {"~": 1}], "": true}));
    let text = |pointer| payload.pointer(pointer).map(|view| view.to_payload().to_json());
    assert_eq!(text("/hits/0/a~1b").as_deref(), Some("\"x\""));
    assert_eq!(text("/hits/1/~0").as_deref(), Some("1"));
    assert_eq!(text("/").as_deref(), Some("true"));
    assert_eq!(text("").unwrap(), payload.to_json());
    assert_eq!(text("/hits/2"), None);
    assert_eq!(text("hits"), None);
    assert_eq!(text("/hits/x"), None);
}

#[test]
fn json_text_round_trips() {
    let value = json!({"a": [1, -2, 0.5, 1e300, true, null, "q\"\\\n\u{202e}", {}], "b": {"c": []}});
    let payload = Payload::from(value.clone());
    assert_eq!(serde_json::from_str::<Value>(&payload.to_json()).unwrap(), value);
    assert_eq!(serde_json::from_str::<Payload>(&payload.to_json()).unwrap(), payload);
    assert_eq!(serde_json::to_string(&payload).unwrap(), payload.to_json());
    assert_eq!(*payload.to_value(), value);
}

#[test]
fn duplicate_keys_are_kept() {
    let mut builder = Builder::new();
    builder.begin_object().key("a").string("first");
    builder.key("a").string("last");
    builder.end();
    let payload = builder.finish();
    assert_eq!(payload.to_json(), r#"{"a":"first","a":"last"}"#);
    assert_eq!(payload.pointer("/a").unwrap().as_str(), Some("last"));
    assert_eq!(*payload.to_value(), json!({"a": "last"}));
}

#[test]
fn writing_a_deep_payload_through_serde_is_an_error_and_no_overflow() {
    on_a_small_stack(|| {
        let payload = Recipe::nest(200_000, With::Array, 1).build();
        let error = serde_json::to_string(&payload).unwrap_err().to_string();
        assert_eq!(error, "payload is deeper than 127 levels: write it with `to_json`");
    });
}

#[test]
fn debug_holds_no_text_of_the_value() {
    let payload = Payload::from(json!({"card": "4111-canary"}));
    assert_eq!(format!("{payload:?}"), "Payload { nodes: 3, depth: 1 }");
}
