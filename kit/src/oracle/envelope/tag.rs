//! The tag style: `<name attr="…">`, newline, content, newline, `</name>`.

use std::collections::{BTreeMap, HashSet};

use boundary_contract::TagGrammar;

use super::{Envelope, between, counted, offset, place, undo};
use crate::oracle::{Wrong, entities};

pub(super) fn parse(rendered: &str, grammar: &TagGrammar) -> Result<Envelope, Wrong> {
    let (middle, start) = between(rendered, &grammar.preamble, &grammar.postamble)?;
    let here = |at: usize| place(rendered, start + at, "rendered");

    let opening = format!("<{}", grammar.name);
    let closing = format!("</{}>", grammar.name);
    let Some(after_name) = middle.strip_prefix(&opening).filter(|rest| rest.starts_with(ends_a_name)) else {
        return Err(Wrong::new("the opening marker at the start", "no opening marker").at(here(0)));
    };
    let (attributes, length) = attributes(after_name).map_err(|(wrong, at)| wrong.at(here(opening.len() + at)))?;
    hold(&attributes, grammar).map_err(|wrong| wrong.at("the opening marker"))?;

    let opened = opening.len() + length;
    let Some(body) = middle[opened..].strip_prefix('\n') else {
        return Err(Wrong::new("a newline after the opening marker", "none").at(here(opened)));
    };
    let body_at = opened + 1;
    let Some(content) = body.strip_suffix(&closing) else {
        return Err(match body.rfind(&closing) {
            None => Wrong::new("exactly one closing marker", "no closing marker"),
            Some(at) => {
                Wrong::new("nothing after the closing marker", "more text").at(here(body_at + at + closing.len()))
            }
        });
    };
    if let Some(at) = content.find(&closing) {
        let count = 1 + content.matches(&closing).count();
        return Err(Wrong::new("exactly one closing marker", counted(count, "closing marker")).at(here(body_at + at)));
    }
    let openings =
        || content.match_indices(&opening).filter(|(at, _)| content[at + opening.len()..].starts_with(ends_a_name));
    if let Some((at, _)) = openings().next() {
        let count = 1 + openings().count();
        return Err(Wrong::new("exactly one opening marker", counted(count, "opening marker")).at(here(body_at + at)));
    }
    let Some(content) = content.strip_suffix('\n') else {
        return Err(Wrong::new("a newline before the closing marker", "none").at(here(body_at + content.len())));
    };

    let value_of = |name: &str| attributes.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone());
    let slots: BTreeMap<_, _> = grammar
        .attributes
        .iter()
        .map(|(slot, attribute)| (*slot, value_of(attribute.name()).unwrap_or_default()))
        .collect();
    Ok(Envelope {
        content: content.to_owned(),
        content_at: offset(rendered, content),
        text: undo(grammar.encoding, content)?,
        slots,
        attributes,
        nonce: None,
        fixed: fixed(grammar),
    })
}

fn ends_a_name(c: char) -> bool {
    c == '>' || c == '/' || c.is_whitespace()
}

type Attributes = Vec<(String, String)>;

/// The attributes of an opening marker from the end of its name on, and the length of all of it,
/// the closing bracket included.
fn attributes(text: &str) -> Result<(Attributes, usize), (Wrong, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start_matches(is_blank);
        let spaced = trimmed.len() < rest.len();
        at = text.len() - trimmed.len();
        if trimmed.starts_with('>') {
            return Ok((found, at + 1));
        }
        let length = trimmed.find(|c: char| !is_name_character(c)).unwrap_or(trimmed.len());
        let (name, rest) = trimmed.split_at(length);
        if name.is_empty() || !spaced {
            let got = if trimmed.is_empty() { "the end of the text" } else { "another character" };
            return Err((Wrong::new("an attribute after white space, or `>`, in the opening marker", got), at));
        }
        let quote = rest.strip_prefix('=').and_then(|value| value.chars().next()).filter(|c| matches!(c, '"' | '\''));
        let Some(quote) = quote else {
            return Err((
                Wrong::new("`=` and a quoted value after an attribute's name", "another character"),
                at + length,
            ));
        };
        // Name, equals sign, quote: all of one byte but the name.
        let value_at = at + length + 2;
        let value = &text[value_at..];
        let Some(end) = value.find(quote) else {
            return Err((Wrong::new("a closing quote of the attribute's value", "the end of the text"), value_at));
        };
        let value = &value[..end];
        // A value with a bare bracket or line break is one that readers without a parser end early.
        if let Some(bare) = value.find(['<', '>', '\n', '\r']) {
            let expected = "an attribute's value with `<`, `>` and line breaks escaped";
            return Err((Wrong::new(expected, "a bare one"), value_at + bare));
        }
        found.push((name.to_owned(), entities::undo(value, entities::Ending::Required)));
        at = value_at + end + 1;
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')
}

/// Whether the attributes are those of the grammar, each at most once, constants with their values.
fn hold(attributes: &[(String, String)], grammar: &TagGrammar) -> Result<(), Wrong> {
    let mapped = || grammar.attributes.values();
    let declared = |name: &str| mapped().any(|attribute| attribute.name() == name) || grammar.extra.contains_key(name);
    let mut seen = HashSet::new();
    for (name, _) in attributes {
        // Markup does not tell letter case apart, so neither may who adds an attribute.
        if !seen.insert(name.to_ascii_lowercase()) {
            return Err(Wrong::new("each attribute once", "an attribute that stands twice"));
        }
        if !declared(name) {
            let legal: Vec<_> = mapped()
                .map(boundary_contract::Attribute::name)
                .chain(grammar.extra.keys().map(String::as_str))
                .collect();
            let expected = if legal.is_empty() {
                "no attribute".to_owned()
            } else {
                format!("only the attributes {}", legal.join(", "))
            };
            return Err(Wrong::new(expected, "an undeclared attribute"));
        }
    }
    let constants = mapped().filter_map(|attribute| Some((attribute.name(), attribute.always()?)));
    let extras = grammar.extra.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in constants.chain(extras) {
        match attributes.iter().find(|(given, _)| given == name) {
            Some((_, given)) if given == value => {}
            Some(_) => {
                return Err(Wrong::new(format!("the attribute {name} with its constant value"), "another value"));
            }
            None => {
                return Err(Wrong::new(format!("the attribute {name} with its constant value"), "no such attribute"));
            }
        }
    }
    Ok(())
}

fn fixed(grammar: &TagGrammar) -> String {
    let mut words = vec![grammar.preamble.as_str(), &grammar.name];
    words.extend(grammar.attributes.values().filter_map(boundary_contract::Attribute::always));
    words.extend(grammar.extra.iter().flat_map(|(name, value)| [name.as_str(), value]));
    words.push(&grammar.postamble);
    words.join(" ")
}
