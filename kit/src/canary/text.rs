//! JSON text, read strictly and with a loop. Duplicate keys are kept, so that each of their values is scanned.

use boundary_contract::{Builder, Payload};
use serde::de::DeserializeOwned;
use serde_json::{Deserializer, Value};

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// The value that a text is; nothing where it is not JSON, or more than one value.
pub(super) fn read(text: &str) -> Option<Payload> {
    let mut builder = Builder::new();
    // The bracket that closes each open container.
    let mut open: Vec<char> = Vec::new();
    let mut rest = text.trim_start_matches(SPACE);
    loop {
        if open.last() == Some(&'}') {
            let (key, after) = scalar::<String>(rest)?;
            builder.key(&key);
            rest = after.trim_start_matches(SPACE).strip_prefix(':')?.trim_start_matches(SPACE);
        }
        let opened = match rest.chars().next()? {
            '[' => {
                builder.begin_array();
                Some(']')
            }
            '{' => {
                builder.begin_object();
                Some('}')
            }
            _ => None,
        };
        if let Some(close) = opened {
            open.push(close);
            rest = rest[1..].trim_start_matches(SPACE);
            if !rest.starts_with(close) {
                continue;
            }
        } else {
            let (value, after) = scalar::<Value>(rest)?;
            builder.payload(&Payload::from(value));
            rest = after;
        }
        // What follows a value: the ends of its containers, then a comma or the end of the text.
        loop {
            rest = rest.trim_start_matches(SPACE);
            let Some(close) = open.last() else { return rest.is_empty().then(|| builder.finish()) };
            let Some(after) = rest.strip_prefix(*close) else { break };
            rest = after;
            open.pop();
            builder.end();
        }
        rest = rest.strip_prefix(',')?.trim_start_matches(SPACE);
    }
}

/// The scalar at the start of a text, and what follows it.
fn scalar<T: DeserializeOwned>(text: &str) -> Option<(T, &str)> {
    let mut values = Deserializer::from_str(text).into_iter::<T>();
    let value = values.next()?.ok()?;
    Some((value, &text[values.byte_offset()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(read(text).map(|payload| payload.to_json()).as_deref(), Some(json), "{text}");
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
            assert!(read(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn depth_costs_no_stack_and_width_no_second_reading() {
        let deep = format!("{}7{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(read(&deep).map(|payload| payload.depth()), Some(100_000));
        assert!(read(&deep[..deep.len() - 1]).is_none());
        let wide = format!("[{}0]", "\"ab\",".repeat(200_000));
        assert!(read(&wide).is_some());
    }
}
