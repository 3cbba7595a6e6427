use boundary_contract::{Recipe, With};
use serde_json::Value;

use super::*;

#[test]
fn it_reads_what_serde_json_reads() {
    for text in [
        "null",
        " [ ] ",
        "{}",
        r#"{"a":[1,-2,0.5,1e3,1E-3,true,false,null,"q\"\\\/\b\f\n\r\tAé 😀"],"":{"b":{}}}"#,
        "[[[]],{}]",
        "-0",
        "18446744073709551615",
        "\t\"\u{202e}\"\r\n",
    ] {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(read(text), Ok(Payload::from(value)), "{text}");
    }
}

#[test]
fn it_refuses_what_is_not_json_and_says_where() {
    for (text, at) in [
        ("", 0),
        (" ", 1),
        ("[1,]", 3),
        ("[1 2]", 3),
        ("[}", 1),
        ("{]", 1),
        ("{,}", 1),
        (r#"{"a"}"#, 4),
        (r#"{"a":}"#, 5),
        (r#"{"a":1,}"#, 7),
        ("{1:2}", 1),
        ("nul", 0),
        ("01", 0),
        ("1.", 2),
        ("1e", 2),
        ("-", 1),
        ("+1", 0),
        ("1e400", 0),
        ("\"", 1),
        ("\"\\", 2),
        ("\"\\\"", 3),
        ("\"\n\"", 1),
        (r#""\x""#, 1),
        (r#""\ud800""#, 1),
        (r#""\ud800\u0041""#, 1),
        (r#""\ud800\ue000""#, 1),
        (r#""\u00g0""#, 1),
        ("[1] x", 4),
        ("[", 1),
        ("\"\\é\"", 1),
    ] {
        assert_eq!(read(text), Err(Malformed(at)), "{text}");
    }
}

#[test]
fn depth_costs_no_stack() {
    let work = || {
        let deep = Recipe::nest(500_000, With::Alternate, 1).build();
        assert!(read(&deep.to_json()) == Ok(deep));
        assert_eq!(value_end(&"[".repeat(500_000)), Err(Malformed(500_000)));
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_pointer_leads_to_the_text_as_written() {
    let text = r#"{"a": [1, {"b/c": "\u0041"} , [] ], "d": {"e": null}}"#;
    for (pointer, written) in [
        ("/a/0", "1"),
        ("/a/1", r#"{"b/c": "\u0041"}"#),
        ("/a/1/b~1c", r#""\u0041""#),
        ("/a/2", "[]"),
        ("/d", r#"{"e": null}"#),
        ("/d/e", "null"),
        ("", text),
    ] {
        assert_eq!(at_pointer(text, pointer), Ok(written), "{pointer}");
    }
    for pointer in ["/a/3", "/x", "/d/e/f", "d", "/a/x", "/"] {
        assert_eq!(at_pointer(text, pointer), Err(Lost::Absent), "{pointer}");
    }
    assert_eq!(at_pointer("{", "/a"), Err(Lost::Malformed));
}

#[test]
fn a_duplicate_key_on_the_way_is_seen_however_it_is_spelled() {
    assert_eq!(at_pointer(r#"{"a": 1, "\u0061": 2}"#, "/a"), Err(Lost::DuplicateKey));
    assert_eq!(at_pointer(r#"{"a": 1, "b": 2, "b": 3}"#, "/a"), Err(Lost::DuplicateKey));
    // Inside another value it does not bear on the way.
    assert_eq!(at_pointer(r#"{"a": 1, "b": {"a": 1, "a": 2}}"#, "/a"), Ok("1"));
}

#[test]
fn what_is_json_is_read_and_duplicate_keys_are_kept() {
    for (text, json) in [
        (" null\n", "null"),
        ("\"a\\u0041\\n\"", "\"aA\\n\""),
        ("[ ]", "[]"),
        ("{\t}", "{}"),
        ("[1 , -2.5,\"x\", [{}] ]", "[1,-2.5,\"x\",[{}]]"),
        (
            "{\"a\": 1, \"\\u0061\" :[true,false], \"b\":{\"c\":null}}",
            "{\"a\":1,\"a\":[true,false],\"b\":{\"c\":null}}",
        ),
    ] {
        assert_eq!(read(text).map(|payload| payload.to_json()).as_deref(), Ok(json), "{text}");
    }
}

#[test]
fn what_is_not_json_is_not_read() {
    for text in [
        "",
        " ",
        "[",
        "]",
        "{",
        "[1",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:2}",
        "{null:1}",
        "'a'",
        "\"a",
        "\"\u{1}\"",
        "\"\\q\"",
        "\"\\ud800\"",
        "01",
        "1.",
        "+1",
        "1e400",
        "NaN",
        "nul",
        "nullx",
        "1 2",
        "[] []",
        "\u{feff}1",
        "[1]//",
        "/**/1",
        "\u{a0}1",
    ] {
        assert!(read(text).is_err(), "{text:?}");
    }
}

#[test]
fn depth_costs_no_stack_and_width_no_second_reading() {
    let deep = format!("{}7{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(read(&deep).map(|payload| payload.depth()), Ok(100_000));
    assert!(read(&deep[..deep.len() - 1]).is_err());
    let wide = format!("[{}0]", "\"ab\",".repeat(200_000));
    assert!(read(&wide).is_ok());
}
