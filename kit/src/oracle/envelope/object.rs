//! The JSON style: one JSON object, with pointers to its parts.

use std::collections::BTreeMap;
use std::ops::Range;

use boundary_contract::{JsonGrammar, Kind, Slot};

use super::{Envelope, between, offset, place};
use crate::oracle::Wrong;
use crate::oracle::json::{self, Lost, Malformed};

pub(super) fn parse(rendered: &str, grammar: &JsonGrammar) -> Result<Envelope, Wrong> {
    let (middle, start) = between(rendered, &grammar.preamble, &grammar.postamble)?;
    let here = |at: usize| place(rendered, start + at, "rendered");

    if !middle.starts_with('{') {
        return Err(Wrong::new("one JSON object", "another beginning").at(here(0)));
    }
    let end = json::value_end(middle)
        .map_err(|Malformed(at)| Wrong::new("one JSON object", "text that is not JSON").at(here(at)))?;
    if end < middle.len() {
        return Err(Wrong::new("nothing after the JSON object", "more text").at(here(end)));
    }

    let written = lookup(middle, &grammar.content, "content")?
        .ok_or_else(|| Wrong::new("the content at its described pointer", "nothing there"))?;
    let (content, text) = match quoted(written) {
        Some(inside) => (inside, unquoted(inside)?),
        None => (written, written.to_owned()),
    };

    let mut attributes = Vec::new();
    let mut fixed = vec![grammar.preamble.clone(), last_key(&grammar.content)];
    if let Some(pointer) = &grammar.trust {
        let trust = lookup(middle, pointer, "trust")?.and_then(quoted).map(unquoted).transpose()?;
        if trust.as_deref() != Some("untrusted") {
            let got = if trust.is_some() { "another string" } else { "no string there" };
            return Err(Wrong::new("`untrusted` at the described pointer of trust", got));
        }
        attributes.push(("trust".to_owned(), "untrusted".to_owned()));
        fixed.extend([last_key(pointer), "untrusted".to_owned()]);
    }
    let mut slots = BTreeMap::new();
    for (slot, pointer) in [
        (Slot::Source, &grammar.source),
        (Slot::Tool, &grammar.tool),
        (Slot::Tenant, &grammar.tenant),
        (Slot::Flagged, &grammar.flagged),
        (Slot::Truncated, &grammar.truncated),
    ] {
        let Some(pointer) = pointer else { continue };
        let value = match lookup(middle, pointer, slot.as_str())? {
            Some(written) => slot_value(slot, written)?,
            None => String::new(),
        };
        attributes.push((slot.to_string(), value.clone()));
        slots.insert(slot, value);
        fixed.push(last_key(pointer));
    }
    fixed.push(grammar.postamble.clone());
    Ok(Envelope {
        content: content.to_owned(),
        content_at: offset(rendered, content),
        text,
        slots,
        attributes,
        nonce: None,
        fixed: fixed.join(" "),
    })
}

/// Where the value at a pointer is written in a rendering, in bytes.
pub(crate) fn written(rendered: &str, grammar: &JsonGrammar, pointer: &str) -> Option<Range<usize>> {
    let (middle, _) = between(rendered, &grammar.preamble, &grammar.postamble).ok()?;
    let written = json::at_pointer(middle, pointer).ok()?;
    let start = offset(rendered, written);
    Some(start..start + written.len())
}

/// What stands at a pointer, as written.
fn lookup<'a>(object: &'a str, pointer: &str, what: &str) -> Result<Option<&'a str>, Wrong> {
    match json::at_pointer(object, pointer) {
        Ok(written) => Ok(Some(written)),
        Err(Lost::Absent) => Ok(None),
        Err(Lost::DuplicateKey) => {
            Err(Wrong::new("each key once in the objects that hold the envelope's parts", "a key that stands twice")
                .at(format!("the way to {what}")))
        }
        // The whole was read before, so no part of it is malformed; said all the same.
        Err(Lost::Malformed) => Err(Wrong::new("one JSON object", "text that is not JSON")),
    }
}

fn quoted(written: &str) -> Option<&str> {
    written.strip_prefix('"')?.strip_suffix('"')
}

fn unquoted(inside: &str) -> Result<String, Wrong> {
    super::undo(boundary_contract::Encoding::Json, inside)
}

/// A slot's value as one string. Names of heuristics in an array are joined by spaces.
fn slot_value(slot: Slot, written: &str) -> Result<String, Wrong> {
    let expected = match slot {
        Slot::Flagged => "a string or an array of strings",
        Slot::Truncated => "true, false or a string",
        _ => "a string",
    };
    let wrong = || Wrong::new(expected, "another JSON value").at(format!("the slot {slot}"));
    let value = json::read(written).map_err(|_| wrong())?;
    match (slot, value.root().kind()) {
        (_, Kind::String(text)) => Ok(text.to_owned()),
        (_, Kind::Null) => Ok(String::new()),
        (Slot::Truncated, Kind::Bool(value)) => Ok(value.to_string()),
        (Slot::Flagged, Kind::Array(items)) => {
            let names: Option<Vec<&str>> = items.map(boundary_contract::View::as_str).collect();
            names.map(|names| names.join(" ")).ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

/// The key that a pointer ends in.
fn last_key(pointer: &str) -> String {
    pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~")
}
