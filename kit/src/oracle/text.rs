//! Fidelity: whether what is delivered is what was returned.

use boundary_contract::Payload;

use super::{Judged, Wrong, json};

/// Judges that each of these words stands in a text. No words ask for nothing.
///
/// # Errors
///
/// [`Wrong`], with the index of the first word that is missing, and not the word.
pub fn keeps(text: &str, words: &[String]) -> Judged {
    match words.iter().position(|word| !text.contains(word.as_str())) {
        None => Ok(()),
        Some(index) => Err(Wrong::new(
            format!("all {} words of the text that must be kept", words.len()),
            format!("no word of index {index}"),
        )
        .of_loss()),
    }
}

/// Judges that a text is the expected one. Carriage returns may have become newlines, and a bare one
/// may be gone.
///
/// # Errors
///
/// [`Wrong`], with the first place that differs and the code points there. Places and lengths count
/// characters, a line break as one.
pub fn same(expected: &str, got: &str) -> Judged {
    let got = || lines(got, Some('\n'));
    if expected.contains('\r') && lines(expected, None).eq(got()) {
        return Ok(());
    }
    let wanted = || lines(expected, Some('\n'));
    let (mut left, mut right) = (wanted(), got());
    let mut at = 0_usize;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ok(()),
            (mine, theirs) if mine == theirs => at += 1,
            (mine, theirs) => {
                let (long, short) = (wanted().count(), got().count());
                return Err(Wrong::new(
                    format!("{} in a text of {long} characters", code_point(mine)),
                    format!("{} in a text of {short} characters", code_point(theirs)),
                )
                .at(format!("char {at}"))
                .of_loss());
            }
        }
    }
}

/// Judges that a text is the expected one, byte for byte.
///
/// # Errors
///
/// As [`same`], a carriage return being a character like any other.
pub fn identical(expected: &str, got: &str) -> Judged {
    if expected == got {
        return Ok(());
    }
    let at = expected.chars().zip(got.chars()).take_while(|(mine, theirs)| mine == theirs).count();
    let said = |text: &str| {
        let length = text.chars().count();
        format!("{} in a text of {length} characters", code_point(text.chars().nth(at)))
    };
    Err(Wrong::new(said(expected), said(got)).at(format!("char {at}")).of_loss())
}

/// Judges that content is JSON equal to a payload by value, and nothing more.
///
/// # Errors
///
/// [`Wrong`], for content that is not JSON with the place, in characters, where it stops being so.
pub fn json_equals(content: &str, payload: &Payload) -> Judged {
    let expected = "JSON equal to the payload";
    match json::read(content) {
        Ok(read) if read == *payload => Ok(()),
        Ok(_) => Err(Wrong::new(expected, "another JSON value").at("the content").of_loss()),
        Err(json::Malformed(byte)) => {
            let at = content.char_indices().take_while(|(start, _)| *start < byte).count();
            Err(Wrong::new(expected, "text that is not JSON").at(format!("char {at} of the content")).of_loss())
        }
    }
}

/// The characters of a text, each `\r\n` one newline and each bare `\r` what is said of it.
fn lines(text: &str, bare: Option<char>) -> impl Iterator<Item = char> {
    let mut characters = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            let c = characters.next()?;
            if c != '\r' {
                return Some(c);
            }
            if characters.next_if_eq(&'\n').is_some() {
                return Some('\n');
            }
            if bare.is_some() {
                return bare;
            }
        }
    })
}

fn code_point(c: Option<char>) -> String {
    c.map_or_else(|| "the end".to_owned(), |c| format!("U+{:04X}", u32::from(c)))
}

#[cfg(test)]
mod tests {
    use boundary_contract::{Builder, Recipe, With};
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_kept_or_named_by_index() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(keeps("the fare is 40 euro", &words(&["fare", "40 euro"])), Ok(()));
        assert_eq!(keeps("", &[]), Ok(()));
        let wrong = keeps("the fare is 40 euro", &words(&["fare", "canary"])).unwrap_err();
        assert_eq!(wrong.to_string(), "expected all 2 words of the text that must be kept, got no word of index 1");
    }

    #[test]
    fn line_breaks_may_become_newlines() {
        for (expected, got) in [
            ("", ""),
            ("a\nb", "a\nb"),
            ("a\r\nb", "a\nb"),
            ("a\r\nb", "a\r\nb"),
            ("a\rb", "a\nb"),
            ("a\rb", "ab"),
            ("a\rb\r\nc", "ab\nc"),
            ("\r\r\n", "\n\n"),
        ] {
            assert_eq!(same(expected, got), Ok(()), "{expected:?} {got:?}");
        }
    }

    #[test]
    fn the_first_difference_is_named_by_place_and_code_point() {
        for (expected, got, at, mine, theirs) in [
            ("abc", "abd", 2, "U+0063 in a text of 3 characters", "U+0064 in a text of 3 characters"),
            ("a\u{202e}b", "ab", 1, "U+202E in a text of 3 characters", "U+0062 in a text of 2 characters"),
            ("ab", "a", 1, "U+0062 in a text of 2 characters", "the end in a text of 1 characters"),
            ("", "x", 0, "the end in a text of 0 characters", "U+0078 in a text of 1 characters"),
            ("a\r\nbé", "a\nbe", 3, "U+00E9 in a text of 4 characters", "U+0065 in a text of 4 characters"),
            ("a\nb", "ab", 1, "U+000A in a text of 3 characters", "U+0062 in a text of 2 characters"),
            ("a\r\nb", "ab", 1, "U+000A in a text of 3 characters", "U+0062 in a text of 2 characters"),
            ("ab", "a\rb", 1, "U+0062 in a text of 2 characters", "U+000A in a text of 3 characters"),
        ] {
            let wrong = same(expected, got).unwrap_err();
            assert_eq!((wrong.expected.as_str(), wrong.got.as_str()), (mine, theirs));
            assert_eq!(wrong.at.as_deref(), Some(format!("char {at}").as_str()));
        }
    }

    #[test]
    fn an_identical_text_has_the_same_line_breaks() {
        assert_eq!(identical("a\r\nb", "a\r\nb"), Ok(()));
        let wrong = identical("a\r\nb", "a\nb").unwrap_err();
        assert_eq!(wrong.expected, "U+000D in a text of 4 characters");
        assert_eq!((wrong.got.as_str(), wrong.at.as_deref()), ("U+000A in a text of 3 characters", Some("char 1")));
        assert_eq!(identical("ab", "a").unwrap_err().got, "the end in a text of 1 characters");
    }

    #[test]
    fn json_is_compared_by_value() {
        let payload = Payload::from(json!({"a": [1, "é\n"], "b": null}));
        for text in [r#"{"a":[1,"é\n"],"b":null}"#, "{ \"b\" : null, \"a\" : [1.0, \"\\u00e9\\u000a\"] }\n"] {
            assert_eq!(json_equals(text, &payload), Ok(()));
        }
        for (text, got, at) in [
            (r#"{"a":[1,"é\n"]}"#, "another JSON value", "the content"),
            (r#"{"a":[1,"é\n"],"b":null,"b":null}"#, "another JSON value", "the content"),
            (r#""é" x"#, "text that is not JSON", "char 4 of the content"),
            ("", "text that is not JSON", "char 0 of the content"),
        ] {
            let wrong = json_equals(text, &payload).unwrap_err();
            assert_eq!((wrong.got.as_str(), wrong.at.as_deref()), (got, Some(at)), "{text}");
        }
    }

    #[test]
    fn duplicate_keys_and_depth_are_read_as_they_are() {
        let mut builder = Builder::new();
        builder.begin_object().key("a").number(1_u64);
        builder.key("a").number(2_u64).end();
        assert_eq!(json_equals(r#"{"a":1,"a":2}"#, &builder.finish()), Ok(()));
        let deep = Recipe::nest(10_000, With::Alternate, 1).build();
        assert_eq!(json_equals(&deep.to_json(), &deep), Ok(()));
    }
}
