//! Good boundaries of other designs than the kit's own, each small.

use boundary_kit::contract::{
    Attribute, Claim, Encoding, Grammar, Nonce, NonceGrammar, OnSuspicion, Slot, TagGrammar, Takes, Units,
};

use super::parts::{BUT_DEPTH, Design, EVERYTHING, Paths, described};

#[path = "byte_units.rs"]
mod byte_units;
#[path = "dotted_paths.rs"]
mod dotted_paths;
#[path = "entity_encoding.rs"]
mod entity_encoding;
#[path = "json_envelope.rs"]
mod json_envelope;
#[path = "nonce_envelope.rs"]
mod nonce_envelope;
#[path = "refuse_on_forgery.rs"]
mod refuse_on_forgery;

pub use byte_units::boundary as counts_bytes;
pub use dotted_paths::boundary as dotted_paths;
pub use entity_encoding::boundary as entity_encoding;
pub use json_envelope::boundary as json_object;
pub use nonce_envelope::boundary as nonce_fresh;
pub use refuse_on_forgery::boundary as refuses_forgery;

/// Every design, under its name.
pub fn all() -> Vec<Design> {
    vec![
        nonce_fresh(),
        nonce_digest(),
        nonce_alone(),
        json_object(),
        tag_with_json(),
        entity_encoding(),
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
        marks_and_keeps(),
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

/// A tag around the inside of a JSON string.
pub fn tag_with_json() -> Design {
    let mut grammar = tag();
    grammar.encoding = Encoding::Json;
    Design::new(described("tag-with-json", BUT_DEPTH).envelope(grammar))
}

/// Paths with brackets.
pub fn bracketed_paths() -> Design {
    Design::new(tagged("bracketed-paths", BUT_DEPTH)).spelling(Paths::Bracketed)
}

/// Spans and ceilings in UTF-16 units.
pub fn counts_utf16() -> Design {
    let mut description = tagged("counts-utf16", BUT_DEPTH);
    description.units = Units::Utf16;
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
    let mut description = tagged("narrow", BUT_DEPTH).claim(Claim::Depth);
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

/// A guard that flags, says why, and hands every text on as it came.
pub fn marks_and_keeps() -> Design {
    Design::new(described("marks-and-keeps", &[Claim::Flag, Claim::Paths, Claim::UnchangedText])).without_fields()
}

/// A guard against depth and nothing else.
pub fn only_depth() -> Design {
    Design::new(described("only-depth", &[Claim::Depth])).without_fields()
}
