//! How the designs write: characters in an encoding, the envelopes around content, and what is left out of it.

use std::fmt::Write as _;

use boundary_kit::contract::{Attribute, Encoding, JsonGrammar, Payload, Slot, TagGrammar, Token, Units};

/// A character that no marker needs for its shape.
pub fn is_plain(c: char) -> bool {
    c.is_alphanumeric()
        || c.is_ascii_whitespace()
        || matches!(c, '.' | ',' | ':' | ';' | '?' | '%' | '\'' | '"' | '-' | '(' | ')')
}

/// A character that hides, or shows nothing.
pub fn is_unseen(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t' | '\r')
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
        || matches!(c, '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}')
        || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

pub fn length(text: &str, units: Units) -> u64 {
    let length = match units {
        Units::Bytes => text.len(),
        Units::Utf16 => text.encode_utf16().count(),
        _ => text.chars().count(),
    };
    u64::try_from(length).unwrap_or(u64::MAX)
}

pub fn encode(c: char, encoding: Encoding, out: &mut String) {
    let plain = c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | ',' | '-');
    let _ = match encoding {
        Encoding::Entities if !plain && !matches!(c, '\n' | '\t') => write!(out, "&#{};", u32::from(c)),
        Encoding::Json if !plain => {
            c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
        }
        _ => write!(out, "{c}"),
    };
}

pub fn tagged(grammar: &TagGrammar, content: &str, slots: &dyn Fn(Slot) -> String) -> String {
    let mut open = format!("<{}", grammar.name);
    for (slot, attribute) in &grammar.attributes {
        let value = attribute.always().map_or_else(|| slots(*slot), str::to_owned);
        let mut escaped = String::new();
        value.chars().for_each(|c| match c {
            '\n' | '\t' => {
                let _ = write!(escaped, "&#{};", u32::from(c));
            }
            c => encode(c, Encoding::Entities, &mut escaped),
        });
        let _ = write!(open, " {}=\"{escaped}\"", Attribute::name(attribute));
    }
    for (name, value) in &grammar.extra {
        let _ = write!(open, " {name}=\"{value}\"");
    }
    format!("{}{open}>\n{content}\n</{}>{}", grammar.preamble, grammar.name, grammar.postamble)
}

pub fn object(grammar: &JsonGrammar, content: &str, slots: &dyn Fn(Slot) -> String) -> String {
    let text = |value: &str| {
        let mut quoted = String::new();
        value.chars().for_each(|c| encode(c, Encoding::Json, &mut quoted));
        format!("\"{quoted}\"")
    };
    let mut members = vec![(&grammar.content, format!("\"{content}\""))];
    let optional = [
        (&grammar.trust, text("untrusted")),
        (&grammar.source, text(&slots(Slot::Source))),
        (&grammar.tool, text(&slots(Slot::Tool))),
        (&grammar.tenant, text(&slots(Slot::Tenant))),
        (
            &grammar.flagged,
            format!("[{}]", slots(Slot::Flagged).split_whitespace().map(text).collect::<Vec<_>>().join(",")),
        ),
        (&grammar.truncated, slots(Slot::Truncated)),
    ];
    members.extend(optional.iter().filter_map(|(pointer, value)| Some((pointer.as_ref()?, value.clone()))));
    let members: Vec<String> = members.iter().map(|(at, value)| format!("{}:{value}", text(&at[1..]))).collect();
    format!("{}{{{}}}{}", grammar.preamble, members.join(","), grammar.postamble)
}

/// The strings and keys of a value.
pub fn texts(payload: &Payload) -> impl Iterator<Item = &str> {
    payload.tokens().filter_map(|token| match token {
        Token::String(text) | Token::Key(text) => Some(text),
        _ => None,
    })
}
