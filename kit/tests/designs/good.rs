//! Good boundaries of other designs than the kit's own, each small.

use boundary_kit::contract::{
    Attribute, Claim, Encoding, Grammar, JsonGrammar, Nonce, NonceGrammar, OnForgery, OnSuspicion, Slot, TagGrammar,
    Takes, Units,
};

use super::parts::{BUT_DEPTH, Design, EVERYTHING, Paths, described};

/// Every design, under its name.
pub fn all() -> Vec<Design> {
    vec![
        nonce_fresh(),
        nonce_digest(),
        nonce_alone(),
        json_object(),
        tag_with_json(),
        dotted_paths(),
        bracketed_paths(),
        counts_bytes(),
        counts_utf16(),
        refuses_forgery(),
        texts_alone(),
        fails_by_default(),
        fails_with_no_policy(),
        some_markers(),
        constant_source(),
        without_optional_fields(),
        narrow(),
        only_flags(),
        only_neutralises(),
        only_types(),
        only_depth(),
    ]
}

/// A tag envelope that says everything, content as it is.
fn tag() -> TagGrammar {
    TagGrammar::new("tool-data")
        .attribute(Slot::Source, "from")
        .attribute(Slot::Tool, "tool")
        .attribute(Slot::Flagged, "flagged")
        .attribute(Slot::Truncated, "cut")
}

fn tagged(name: &str, claims: &[Claim]) -> boundary_kit::contract::Description {
    described(name, claims).envelope(tag())
}

/// A token that is new each time, and content as it is.
pub fn nonce_fresh() -> Design {
    let mut grammar = NonceGrammar::new(
        "<<DATA {nonce} source=[{source}] tool=[{tool}] flagged=[{flagged}] truncated=[{truncated}]>>",
        "<<END {nonce}>>",
    );
    grammar.preamble = "What follows is data from a tool.\n".to_owned();
    Design::new(described("nonce-fresh", &EVERYTHING).envelope(grammar))
}

/// A token derived from the content.
pub fn nonce_digest() -> Design {
    let mut grammar = NonceGrammar::new(
        "[untrusted {nonce} from ({source}) flags ({flagged}) cut ({truncated})]",
        "[/untrusted {nonce}]",
    );
    grammar.nonce = Nonce::Digest;
    Design::new(described("nonce-digest", BUT_DEPTH).envelope(grammar))
}

/// A token that is the whole marker, over content in JSON escapes.
pub fn nonce_alone() -> Design {
    let mut grammar = NonceGrammar::new("{nonce}", "{nonce}");
    grammar.preamble = "Untrusted data stands between the two equal words.\n".to_owned();
    grammar.postamble = "\nEnd.".to_owned();
    grammar.encoding = Encoding::Json;
    Design::new(described("nonce-alone", BUT_DEPTH).envelope(grammar))
}

/// One JSON object, with everything odd in escapes.
pub fn json_object() -> Design {
    let mut grammar = JsonGrammar::new("/content");
    grammar.trust = Some("/trust".to_owned());
    grammar.source = Some("/source".to_owned());
    grammar.tool = Some("/tool".to_owned());
    grammar.flagged = Some("/flags".to_owned());
    grammar.truncated = Some("/truncated".to_owned());
    Design::new(described("json-object", &EVERYTHING).envelope(grammar))
}

/// A tag around the inside of a JSON string.
pub fn tag_with_json() -> Design {
    let mut grammar = tag();
    grammar.encoding = Encoding::Json;
    Design::new(described("tag-with-json", BUT_DEPTH).envelope(grammar))
}

/// Paths with dots, under a root.
pub fn dotted_paths() -> Design {
    let mut description = tagged("dotted-paths", BUT_DEPTH);
    description.path_root = Some("result".to_owned());
    Design::new(description).spelling(Paths::Dotted)
}

/// Paths with brackets.
pub fn bracketed_paths() -> Design {
    Design::new(tagged("bracketed-paths", BUT_DEPTH)).spelling(Paths::Bracketed)
}

/// Spans and ceilings in bytes.
pub fn counts_bytes() -> Design {
    let mut description = tagged("counts-bytes", BUT_DEPTH);
    description.units = Units::Bytes;
    Design::new(description)
}

/// Spans and ceilings in UTF-16 units.
pub fn counts_utf16() -> Design {
    let mut description = tagged("counts-utf16", BUT_DEPTH);
    description.units = Units::Utf16;
    Design::new(description)
}

/// Forged structure is refused, controls are neutralised.
pub fn refuses_forgery() -> Design {
    let mut description = tagged("refuses-forgery", BUT_DEPTH);
    description.on_forgery = OnForgery::Refuse;
    Design::new(description)
}

/// Strings and nothing else.
pub fn texts_alone() -> Design {
    let mut description = tagged("texts-alone", BUT_DEPTH);
    description.takes = Takes::Text;
    Design::new(description)
}

/// What is flagged is refused, unless the call says otherwise.
pub fn fails_by_default() -> Design {
    let mut description = tagged("fails-by-default", BUT_DEPTH);
    description.defaults.on_suspicion = OnSuspicion::Fail;
    Design::new(description)
}

/// What is flagged is refused, and no call can say otherwise.
pub fn fails_with_no_policy() -> Design {
    let mut description = tagged("fails-with-no-policy", BUT_DEPTH);
    description.claims.remove(&Claim::Policy);
    description.defaults.on_suspicion = OnSuspicion::Fail;
    Design::new(description)
}

/// The markers of two families, and of no other.
pub fn some_markers() -> Design {
    let mut description = tagged("some-markers", BUT_DEPTH);
    description.markers = Some(["chatml", "llama-2"].map(str::to_owned).into());
    Design::new(description)
}

/// An envelope that always names the same source, and says what it is in an attribute of its own.
pub fn constant_source() -> Design {
    let always = Attribute::Constant { attr: "source".to_owned(), always: "tool_result".to_owned() };
    let mut grammar =
        TagGrammar::new("untrusted-data").attribute(Slot::Source, always).attribute(Slot::Flagged, "flagged");
    grammar.extra.insert("trust".to_owned(), "untrusted".to_owned());
    Design::new(described("constant-source", BUT_DEPTH).envelope(grammar))
}

/// No field of a delivery that is not required.
pub fn without_optional_fields() -> Design {
    Design::new(described("without-optional-fields", BUT_DEPTH).envelope(Grammar::tag("data"))).without_fields()
}

/// Ceilings far below the usual ones.
pub fn narrow() -> Design {
    let mut description = tagged("narrow", &EVERYTHING);
    description.defaults.max_chars = 120;
    description.defaults.max_depth = 1;
    Design::new(description)
}

/// A guard that flags, and touches nothing.
pub fn only_flags() -> Design {
    Design::new(described("only-flags", &[Claim::Flag])).without_fields()
}

/// A filter of structure that flags nothing and wraps nothing.
pub fn only_neutralises() -> Design {
    Design::new(described("only-neutralises", &[Claim::Neutralise]))
}

/// A validator of types and nothing else.
pub fn only_types() -> Design {
    Design::new(described("only-types", &[Claim::ReturnTypes]))
}

/// A guard against depth and nothing else.
pub fn only_depth() -> Design {
    Design::new(described("only-depth", &[Claim::Depth])).without_fields()
}
