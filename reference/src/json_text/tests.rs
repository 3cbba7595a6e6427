use super::*;

#[test]
fn what_json_has_is_read() {
    for (text, json) in [
        ("null", "null"),
        (" [ true , false ] ", "[true,false]"),
        ("[0, -7, 2.50, 1e2, -1.5E-1]", "[0,-7,2.5,100.0,-0.15]"),
        ("[18446744073709551615,-9223372036854775808]", "[18446744073709551615,-9223372036854775808]"),
        (r#"{"a": {"a": []}, "": {}, "b": [{"a": 1}, {"a": 2}]}"#, r#"{"a":{"a":[]},"":{},"b":[{"a":1},{"a":2}]}"#),
        (r#""\"\\\/\n\t\r\b\f\u00e9\ud83d\ude00x""#, "\"\\\"\\\\/\\n\\t\\r\\b\\f\u{e9}\u{1f600}x\""),
        ("\r\n\t\"\u{feff}\u{7f}\u{2028}\"", "\"\u{feff}\u{7f}\u{2028}\""),
    ] {
        assert_eq!(read(text).unwrap().to_json(), json, "{text}");
    }
}

#[test]
fn what_json_has_not_is_named_with_its_place() {
    for (text, fault, at) in [
        ("", Fault::Value, 0),
        ("\u{feff}1", Fault::Mark, 0),
        ("nul", Fault::Value, 0),
        ("NaN", Fault::Value, 0),
        ("'a'", Fault::Value, 0),
        ("[1,]", Fault::Value, 3),
        ("[1 2]", Fault::Items, 3),
        ("[1", Fault::Items, 2),
        ("[1}", Fault::Items, 2),
        ("]", Fault::Value, 0),
        ("{a:1}", Fault::Key, 1),
        (r#"{"a":1,}"#, Fault::Key, 7),
        (r#"{"a" 1}"#, Fault::Colon, 5),
        (r#"{"a":}"#, Fault::Value, 5),
        (r#"{"a":1 "b":2}"#, Fault::Members, 7),
        (r#"{"a":1]"#, Fault::Members, 6),
        ("1 2", Fault::Trailing, 2),
        ("{} // end", Fault::Trailing, 3),
        ("01", Fault::Trailing, 1),
        ("\u{a0}1", Fault::Value, 0),
        ("\"a", Fault::Unterminated, 0),
        ("\"a\\", Fault::Escape, 2),
        ("\"a\nb\"", Fault::Control, 2),
        (r#""\x41""#, Fault::Escape, 1),
        (r#""\u00g0""#, Fault::Escape, 1),
        (r#""\u+041""#, Fault::Escape, 1),
        ("\"\\u00\u{e9}\"", Fault::Escape, 1),
        (r#""\ud83d""#, Fault::Surrogate, 1),
        (r#""\ude00\ud83d""#, Fault::Surrogate, 1),
        (r#""\ud83d\u0041""#, Fault::Surrogate, 1),
        (r#""\ud83dx""#, Fault::Surrogate, 1),
        ("-", Fault::Number, 1),
        ("1.", Fault::Number, 2),
        ("1e+", Fault::Number, 3),
        ("+1", Fault::Value, 0),
        (".5", Fault::Value, 0),
        ("[1e400]", Fault::Range, 1),
        ("18446744073709551616", Fault::Range, 0),
        ("-9223372036854775809", Fault::Range, 0),
        (r#"{"a":1,"\u0061":2}"#, Fault::DuplicateKey, 7),
        (r#"[{"b":{"a":1},"a":2,"b":3}]"#, Fault::DuplicateKey, 20),
    ] {
        assert_eq!(read(text).err(), Some(Malformed { fault, at }), "{text}");
    }
}

#[test]
fn a_message_says_what_was_expected_and_where() {
    let says = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(says("[1,"), "text that is not JSON: expected a value at byte 3");
    assert_eq!(
        says("{\"k\":0,\"k\":1}"),
        "JSON with a duplicate key, where each may stand once in its object, at byte 7"
    );
}

#[test]
fn depth_costs_no_stack_and_keys_of_many_objects_are_told_apart() {
    let work = || {
        let levels = 1_000_000;
        let arrays = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let objects = format!("{}1{}", "{\"next\":".repeat(levels), "}".repeat(levels));
        let unclosed = "[".repeat(levels);
        (read(&arrays).map(|value| value.depth()), read(&objects).map(|value| value.depth()), read(&unclosed).err())
    };
    let read = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
    let unclosed = Malformed { fault: Fault::Value, at: 1_000_000 };
    assert_eq!(read, (Ok(999_999), Ok(1_000_000), Some(unclosed)));
}
