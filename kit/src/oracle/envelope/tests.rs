//! Each style read part by part, and each way in which a rendering can be wrong, in one table a style:
//! the three tables are read side by side, so they stay in one file.

use boundary_contract::{Attribute, JsonGrammar, NonceGrammar, TagGrammar};

use super::*;

fn tag() -> TagGrammar {
    let constant = Attribute::Constant { attr: "source".into(), always: "tool_result".into() };
    let mut tag = TagGrammar::new("untrusted-data")
        .attribute(Slot::Source, constant)
        .attribute(Slot::Tool, "tool")
        .attribute(Slot::Flagged, "flagged")
        .attribute(Slot::Truncated, "truncated");
    tag.preamble = "What follows is data.\n".into();
    tag.postamble = "\nThe data ends.".into();
    tag.extra.insert("trust".into(), "untrusted".into());
    tag
}

fn plain(name: &str) -> Grammar {
    Grammar::tag(name)
}

fn nonce() -> NonceGrammar {
    NonceGrammar::new("<<DATA {nonce} source=[{source}] flagged=[{flagged}]>>", "<<END {nonce}>>")
}

fn object() -> JsonGrammar {
    let mut object = JsonGrammar::new("/data/content");
    object.trust = Some("/trust".into());
    object.tool = Some("/tool".into());
    object.flagged = Some("/flags".into());
    object.truncated = Some("/truncated".into());
    object
}

const TAG: &str = "What follows is data.\n<untrusted-data source=\"tool_result\" tool='a&amp;b' flagged=\"x, y z\" \
                   trust=\"untrusted\">\nfare\n40\n</untrusted-data>\nThe data ends.";
const NONCE: &str = "<<DATA 7f3a source=[page] flagged=[]>>\nfare\n<<END 7f3a>>";
const OBJECT: &str =
    r#"{"trust":"untrusted","data":{"content":"fare \u003c 40\n"},"flags":["a","b"],"truncated":true}"#;

/// Each is a rendering that is wrong in one way, with what is expected, got, and where.
fn wrong(grammar: impl Into<Grammar>, cases: &[(&str, &str, &str, &str)]) {
    let grammar = grammar.into();
    for (rendered, expected, got, at) in cases {
        let wrong = parse(rendered, &grammar).expect_err(rendered);
        let said = (wrong.expected.as_str(), wrong.got.as_str(), wrong.at.as_deref().unwrap_or_default());
        assert_eq!(said, (*expected, *got, *at), "{rendered}");
    }
}

#[test]
fn a_tag_envelope_is_read_part_by_part() {
    let envelope = parse(TAG, &tag().into()).unwrap();
    assert_eq!(envelope.content, "fare\n40");
    assert_eq!(envelope.text, "fare\n40");
    let slots: Vec<_> = envelope.slots.iter().map(|(slot, value)| (*slot, value.as_str())).collect();
    assert_eq!(
        slots,
        [
            (Slot::Source, "tool_result"),
            (Slot::Tool, "a&b"),
            (Slot::Flagged, "x, y z"),
            // Left out of the rendering, so empty.
            (Slot::Truncated, ""),
        ]
    );
    let names: Vec<_> = envelope.attributes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["source", "tool", "flagged", "trust"]);
    assert_eq!(envelope.nonce, None);
    assert!(envelope.fixed.contains("What follows is data.") && envelope.fixed.contains("trust untrusted"));
    assert!(!envelope.fixed.contains("fare"));
    assert_eq!(flags(&envelope).into_iter().collect::<Vec<_>>(), ["x", "y", "z"]);
    assert_eq!(truncated(&envelope), Some(false));
}

#[test]
fn a_tag_envelope_may_be_bare_and_empty() {
    let envelope = parse("<x>\n\n</x>", &plain("x")).unwrap();
    assert_eq!((envelope.content.as_str(), envelope.attributes.len()), ("", 0));
    assert_eq!(truncated(&envelope), None);
    assert!(flags(&envelope).is_empty());
    // A longer name and a bracket are content.
    assert_eq!(parse("<x>\n</xy> <x2> < x\n</x>", &plain("x")).unwrap().content, "</xy> <x2> < x");
    assert!(parse("<x  >\n\n</x>", &plain("x")).is_ok());
}

#[test]
fn what_is_not_one_tag_envelope_is_wrong_for_its_reason() {
    let blank = "an attribute after white space, or `>`, in the opening marker";
    wrong(
        plain("x"),
        &[
            ("", "the opening marker at the start", "no opening marker", "char 0 of rendered"),
            ("text", "the opening marker at the start", "no opening marker", "char 0 of rendered"),
            ("<X>\na\n</X>", "the opening marker at the start", "no opening marker", "char 0 of rendered"),
            ("<xy>\na\n</xy>", "the opening marker at the start", "no opening marker", "char 0 of rendered"),
            (" <x>\na\n</x>", "the opening marker at the start", "no opening marker", "char 0 of rendered"),
            ("<x>\na\n", "exactly one closing marker", "no closing marker", ""),
            ("<x>\na\n</X>", "exactly one closing marker", "no closing marker", ""),
            ("<x>\né\n</x> b", "nothing after the closing marker", "more text", "char 10 of rendered"),
            ("<x>\na\n</x>\n", "nothing after the closing marker", "more text", "char 10 of rendered"),
            ("<x>a\n</x>", "a newline after the opening marker", "none", "char 3 of rendered"),
            ("<x>\na</x>", "a newline before the closing marker", "none", "char 5 of rendered"),
            ("<x>\n</x>", "a newline before the closing marker", "none", "char 4 of rendered"),
            ("<x>\né</x>\n</x>", "exactly one closing marker", "2 closing markers", "char 5 of rendered"),
            ("<x>\n<x>\n</x>", "exactly one opening marker", "2 opening markers", "char 4 of rendered"),
            ("<x>\n<x a=\"\">\n<x/>\n</x>", "exactly one opening marker", "3 opening markers", "char 4 of rendered"),
            ("<x>\na\n</x>\n<x>\nb\n</x>", "exactly one closing marker", "2 closing markers", "char 6 of rendered"),
            ("<x/>\na\n</x>", blank, "another character", "char 2 of rendered"),
            ("<x ", blank, "the end of the text", "char 3 of rendered"),
            ("<x \"a\">\na\n</x>", blank, "another character", "char 3 of rendered"),
        ],
    );
}

#[test]
fn an_attribute_that_the_grammar_does_not_know_is_wrong() {
    let mut grammar = TagGrammar::new("x").attribute(Slot::Source, "src").attribute(Slot::Tool, "tool");
    grammar.extra.insert("trust".into(), "untrusted".into());
    let quoted = "`=` and a quoted value after an attribute's name";
    let escaped = "an attribute's value with `<`, `>` and line breaks escaped";
    let rendered = |attributes: &str| format!("<x trust=\"untrusted\"{attributes}>\na\n</x>");
    for (attributes, expected, got, at) in [
        (" evil=\"1\"", "only the attributes src, tool, trust", "an undeclared attribute", "the opening marker"),
        (" SRC=\"1\"", "only the attributes src, tool, trust", "an undeclared attribute", "the opening marker"),
        (" src=\"a\" src=\"b\"", "each attribute once", "an attribute that stands twice", "the opening marker"),
        (" src=\"a\" SRC=\"b\"", "each attribute once", "an attribute that stands twice", "the opening marker"),
        (" trust=\"x\"", "each attribute once", "an attribute that stands twice", "the opening marker"),
        (" src", quoted, "another character", "char 24 of rendered"),
        (" src=a", quoted, "another character", "char 24 of rendered"),
        (" src = \"a\"", quoted, "another character", "char 24 of rendered"),
        (
            " src=\"a\"tool=\"b\"",
            "an attribute after white space, or `>`, in the opening marker",
            "another character",
            "char 28 of rendered",
        ),
        (" src=\"a", "a closing quote of the attribute's value", "the end of the text", "char 26 of rendered"),
        (" src=\"a>\"", escaped, "a bare one", "char 27 of rendered"),
        (" src=\"<\"", escaped, "a bare one", "char 26 of rendered"),
        (" src=\"a\nb\"", escaped, "a bare one", "char 27 of rendered"),
    ] {
        wrong(grammar.clone(), &[(&rendered(attributes), expected, got, at)]);
    }
    assert_eq!(parse(&rendered(" src='a\"b' tool=\"\""), &grammar.into()).unwrap().slots[&Slot::Source], "a\"b");
}

#[test]
fn a_constant_has_its_value() {
    let constant = Attribute::Constant { attr: "source".into(), always: "tool_result".into() };
    let mut grammar = TagGrammar::new("x").attribute(Slot::Source, constant);
    grammar.extra.insert("trust".into(), "untrusted".into());
    let (source, trust) =
        ("the attribute source with its constant value", "the attribute trust with its constant value");
    wrong(
        grammar,
        &[
            ("<x source=\"operator\" trust=\"untrusted\">\na\n</x>", source, "another value", "the opening marker"),
            ("<x trust=\"untrusted\">\na\n</x>", source, "no such attribute", "the opening marker"),
            ("<x source=\"tool_result\" trust=\"high\">\na\n</x>", trust, "another value", "the opening marker"),
            ("<x source=\"tool_result\">\na\n</x>", trust, "no such attribute", "the opening marker"),
        ],
    );
    wrong(plain("x"), &[("<x a=\"\">\na\n</x>", "no attribute", "an undeclared attribute", "the opening marker")]);
}

#[test]
fn preamble_and_postamble_are_fixed() {
    let mut grammar = TagGrammar::new("x");
    (grammar.preamble, grammar.postamble) = ("Dátum:\n".into(), "\nEnd.".into());
    assert_eq!(parse("Dátum:\n<x>\na\n</x>\nEnd.", &grammar.clone().into()).unwrap().content, "a");
    let (before, after) = ("the described preamble at the start", "the described postamble at the end");
    wrong(
        grammar,
        &[
            ("<x>\na\n</x>\nEnd.", before, "other text", "char 0 of rendered"),
            // Differs in the second byte of its second character.
            ("Dàtum:\n<x>\na\n</x>\nEnd.", before, "other text", "char 1 of rendered"),
            ("Dátums:\n<x>\na\n</x>\nEnd.", before, "other text", "char 5 of rendered"),
            ("Dátum:\n<x>\na\n</x>", after, "other text", "char 17 of rendered"),
        ],
    );
}

#[test]
fn a_nonce_envelope_is_read_part_by_part() {
    let envelope = parse(NONCE, &nonce().into()).unwrap();
    assert_eq!((envelope.content.as_str(), envelope.nonce.as_deref()), ("fare", Some("7f3a")));
    assert_eq!(envelope.slots, BTreeMap::from([(Slot::Source, "page".to_owned()), (Slot::Flagged, String::new())]));
    assert!(envelope.fixed.contains("<<DATA") && !envelope.fixed.contains("7f3a"));
    // Markers of another nonce are content.
    let other = NONCE.replace("fare", "<<END 0000>> <<DATA 0000 source=[] flagged=[]>>");
    assert!(parse(&other, &nonce().into()).unwrap().content.starts_with("<<END 0000>>"));
    // A closing template may have slots, and braces around other words are text.
    let grammar = NonceGrammar::new("[{x} {nonce}] ", "[{nonce} cut=({truncated})]");
    let envelope = parse("[{x} ab] text[ab cut=(true)]", &grammar.into()).unwrap();
    assert_eq!((envelope.content.as_str(), truncated(&envelope)), ("text", Some(true)));
    // A nonce may end its template.
    assert_eq!(parse("# ab\nx\n/ab", &NonceGrammar::new("# {nonce}", "/{nonce}").into()).unwrap().content, "x");
}

#[test]
fn newlines_are_the_envelopes_where_the_templates_have_none() {
    let content = |open: &str, close: &str, rendered: &str| {
        parse(rendered, &NonceGrammar::new(open, close).into()).unwrap().content
    };
    assert_eq!(content("<{nonce}>", "</{nonce}>", "<k>a</k>"), "a");
    assert_eq!(content("<{nonce}>", "</{nonce}>", "<k>\na\n\n</k>"), "a\n");
    assert_eq!(content("<{nonce}>", "</{nonce}>", "<k>\na</k>"), "\na");
    assert_eq!(content("<{nonce}>", "</{nonce}>", "<k>\n</k>"), "\n");
    assert_eq!(content("<{nonce}>\n", "\n</{nonce}>", "<k>\n\na\n\n</k>"), "\na\n");
}

#[test]
fn what_is_not_one_nonce_envelope_is_wrong_for_its_reason() {
    let (first, last) =
        ("the opening marker, with a nonce, at the start", "one closing marker with the opening marker's nonce");
    let open = "<<DATA 7f source=[] flagged=[]>>";
    wrong(
        nonce(),
        &[
            ("", first, "no opening marker", "char 0 of rendered"),
            ("<<DATA  source=[] flagged=[]>>\na\n<<END >>", first, "no opening marker", "char 0 of rendered"),
            ("<<DATA a b source=[] flagged=[]>>\na\n<<END a b>>", first, "no opening marker", "char 0 of rendered"),
            ("<<DATA 7f source=[]>>\na\n<<END 7f>>", first, "no opening marker", "char 0 of rendered"),
            (&format!("{open}\na\n<<END 8e>>"), last, "another nonce at the end", "char 45 of rendered"),
            (&format!("{open}\na"), last, "no closing marker", "char 34 of rendered"),
            (
                &format!("{open}\na\n<<END 7f>> b"),
                "nothing after the closing marker",
                "more text",
                "char 45 of rendered",
            ),
            (
                &format!("{open}\n<<END 7f>>\n<<END 7f>>"),
                "exactly one closing marker",
                "2 closing markers",
                "char 33 of rendered",
            ),
            (
                &format!("{open}\n{open}\n<<END 7f>>"),
                "exactly one opening marker",
                "2 opening markers",
                "char 33 of rendered",
            ),
            (
                &format!("{open}\na\n<<END 7f>>{open}\na\n<<END 7f>>"),
                "exactly one closing marker",
                "2 closing markers",
                "char 35 of rendered",
            ),
        ],
    );
    let slots = NonceGrammar::new("[{nonce}|{source}]", "[/{nonce}|{source}]");
    assert!(parse("[k|a]x[/k|a]", &slots.clone().into()).is_ok());
    wrong(
        slots,
        &[
            ("[k|a]x[/k|b]", "a whole closing marker", "the beginning of one", "char 6 of rendered"),
            ("[k|a]x[/k|", "a whole closing marker", "the beginning of one", "char 6 of rendered"),
        ],
    );
    let late = NonceGrammar::new("[{nonce}|{source}]", "[/{source}|{nonce}]");
    assert!(parse("[k|a]x[/a|k]", &late.clone().into()).is_ok());
    wrong(late, &[("[k|a]x[/a|j]", "a whole closing marker", "the beginning of one", "char 6 of rendered")]);
}

#[test]
fn a_template_that_nothing_can_be_read_by_is_wrong() {
    let expected = |open: &str, close: &str| parse("", &NonceGrammar::new(open, close).into()).unwrap_err().expected;
    assert_eq!(expected("<<DATA>>", "<<END {nonce}>>"), "a described template with `{nonce}`");
    assert_eq!(expected("<<DATA {nonce}>>", "<<END>>"), "a described template with `{nonce}`");
    for open in ["{nonce}{source}]", "<{source}{nonce}>", "<{source}{tool}>{nonce}", "{nonce} {source}"] {
        assert_eq!(expected(open, "{nonce}"), "a described template with a delimiter after each slot");
    }
    assert!(expected("{source} {nonce}", "{nonce}").starts_with("a described template that begins with fixed text"));
}

#[test]
fn a_json_envelope_is_read_part_by_part() {
    let envelope = parse(OBJECT, &object().into()).unwrap();
    assert_eq!((envelope.content.as_str(), envelope.text.as_str()), ("fare \\u003c 40\\n", "fare < 40\n"));
    assert_eq!(flags(&envelope).into_iter().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(truncated(&envelope), Some(true));
    assert_eq!(envelope.slots[&Slot::Tool], "");
    assert_eq!(envelope.attributes[0], ("trust".to_owned(), "untrusted".to_owned()));
    assert!(envelope.fixed.contains("untrusted") && !envelope.fixed.contains("fare"));
    // Content may be any value, which is then its own text.
    let envelope = parse(r#"{ "c": [1, {"a": "\u0041"}] }"#, &JsonGrammar::new("/c").into()).unwrap();
    assert_eq!(
        (envelope.content.as_str(), envelope.text.as_str()),
        (r#"[1, {"a": "\u0041"}]"#, r#"[1, {"a": "\u0041"}]"#)
    );
    let mut grammar = object();
    (grammar.truncated, grammar.flagged) = (Some("/t".into()), Some("/f".into()));
    for (said, cut) in [("\"no\"", false), ("\"True\"", true), ("null", false), ("false", false)] {
        let rendered = format!(r#"{{"trust":"untrusted","data":{{"content":""}},"f":"a,b","t":{said}}}"#);
        let envelope = parse(&rendered, &grammar.clone().into()).unwrap();
        assert_eq!((truncated(&envelope), flags(&envelope).len()), (Some(cut), 2), "{said}");
    }
}

#[test]
fn what_is_not_one_json_envelope_is_wrong_for_its_reason() {
    let one = "one JSON object";
    let keys = "each key once in the objects that hold the envelope's parts";
    let twice = "a key that stands twice";
    let trust = "`untrusted` at the described pointer of trust";
    wrong(
        object(),
        &[
            ("", one, "another beginning", "char 0 of rendered"),
            ("[]", one, "another beginning", "char 0 of rendered"),
            ("Here: {}", one, "another beginning", "char 0 of rendered"),
            ("{\"é\":}", one, "text that is not JSON", "char 5 of rendered"),
            (&OBJECT[..OBJECT.len() - 1], one, "text that is not JSON", "char 93 of rendered"),
            (&format!("{OBJECT}\n"), "nothing after the JSON object", "more text", "char 94 of rendered"),
            (&format!("{OBJECT}{OBJECT}"), "nothing after the JSON object", "more text", "char 94 of rendered"),
            ("{}", "the content at its described pointer", "nothing there", ""),
            (r#"{"data":"text"}"#, "the content at its described pointer", "nothing there", ""),
            (r#"{"data":{"content":""},"data":{"content":""}}"#, keys, twice, "the way to content"),
            (r#"{"data":{"content":"","content":""}}"#, keys, twice, "the way to content"),
            (r#"{"data":{"content":""},"x":1,"x":2}"#, keys, twice, "the way to content"),
            (r#"{"data":{"content":""}}"#, trust, "no string there", ""),
            (r#"{"data":{"content":""},"trust":true}"#, trust, "no string there", ""),
            (r#"{"data":{"content":""},"trust":"trusted"}"#, trust, "another string", ""),
            (
                r#"{"data":{"content":""},"trust":"untrusted","flags":[1]}"#,
                "a string or an array of strings",
                "another JSON value",
                "the slot flagged",
            ),
            (
                r#"{"data":{"content":""},"trust":"untrusted","truncated":1}"#,
                "true, false or a string",
                "another JSON value",
                "the slot truncated",
            ),
            (
                r#"{"data":{"content":""},"trust":"untrusted","tool":[]}"#,
                "a string",
                "another JSON value",
                "the slot tool",
            ),
        ],
    );
    let mut grammar = JsonGrammar::new("/c");
    (grammar.preamble, grammar.postamble) = ("Data: ".into(), ".".into());
    assert!(parse(r#"Data: {"c":""}."#, &grammar.clone().into()).is_ok());
    wrong(grammar, &[(r#"{"c":""}."#, "the described preamble at the start", "other text", "char 0 of rendered")]);
}

#[test]
fn encodings_are_undone_once() {
    assert_eq!(undo(Encoding::None, "&lt;\\n"), Ok("&lt;\\n".into()));
    assert_eq!(undo(Encoding::Entities, "a &lt; b &amp;lt; &#39;"), Ok("a < b &lt; '".into()));
    assert_eq!(undo(Encoding::Json, r#"a\n\u003c\\n\""#), Ok("a\n<\\n\"".into()));
    for (content, at) in [("é\"", 1), ("a\nb", 1), ("\\x", 0), ("é\\ud800", 1)] {
        let wrong = undo(Encoding::Json, content).unwrap_err();
        assert_eq!(wrong.at, Some(format!("char {at} of the content")), "{content}");
    }
    // Within an envelope too.
    let mut grammar = TagGrammar::new("x");
    grammar.encoding = Encoding::Entities;
    let envelope = parse("<x>\n&lt;/x&gt;\n</x>", &grammar.clone().into()).unwrap();
    assert_eq!((envelope.content.as_str(), envelope.text.as_str()), ("&lt;/x&gt;", "</x>"));
    grammar.encoding = Encoding::Json;
    wrong(
        grammar,
        &[(
            "<x>\na\"b\n</x>",
            "the inside of a JSON string",
            "a character or an escape that cannot stand there",
            "char 1 of the content",
        )],
    );
}

#[test]
fn truncation_is_said_in_any_of_its_words() {
    for (said, cut) in [
        ("", false),
        ("false", false),
        ("FALSE", false),
        ("0", false),
        ("no", false),
        ("true", true),
        ("1", true),
        ("yes", true),
    ] {
        let rendered = format!("<x t=\"{said}\">\na\n</x>");
        let grammar = TagGrammar::new("x").attribute(Slot::Truncated, "t");
        assert_eq!(truncated(&parse(&rendered, &grammar.into()).unwrap()), Some(cut), "{said}");
    }
}

#[test]
fn no_verdict_holds_text_of_the_rendering() {
    for rendered in [
        "Qzcanary",
        "<x Qzcanary=\"Qzcanary\">\nQzcanary\n</x>",
        "<x>\nQzcanary\n</x>Qzcanary",
        "<x src=\"Qzcanary>\">\n</x>",
        "<<DATA Qzcanary source=[Qzcanary] flagged=[]>>Qzcanary",
        "{\"Qzcanary\":1,\"Qzcanary\":2}",
    ] {
        for grammar in [plain("x"), tag().into(), nonce().into(), object().into()] {
            let wrong = parse(rendered, &grammar).unwrap_err();
            assert!(!format!("{wrong} {wrong:?}").contains("Qz"), "{wrong}");
        }
    }
}
