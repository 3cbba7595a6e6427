//! The nonce style: two templates that bear the same token.

use boundary_contract::{NonceGrammar, Slot};

use super::{Envelope, between, counted, offset, place, undo};
use crate::oracle::Wrong;

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part<'a> {
    Literal(&'a str),
    Nonce,
    Slot(Slot),
}

pub(super) fn parse(rendered: &str, grammar: &NonceGrammar) -> Result<Envelope, Wrong> {
    let (open, close) = (template(&grammar.open)?, template(&grammar.close)?);
    let (middle, start) = between(rendered, &grammar.preamble, &grammar.postamble)?;
    let here = |at: usize| place(rendered, start + at, "rendered");

    let mut filled = Filled::default();
    let Some(opened) = filled.matches(&open, middle) else {
        return Err(Wrong::new("the opening marker, with a nonce, at the start", "no opening marker").at(here(0)));
    };
    let nonce = filled.nonce.unwrap_or_default();
    let body = &middle[opened..];

    let Some(closed) = body.rfind(&beginning(&close, nonce)) else {
        let other = first_literal(&close)
            .and_then(|literal| body.rfind(literal))
            .is_some_and(|at| Filled::default().matches(&close, &body[at..]) == Some(body.len() - at));
        let got = if other { "another nonce at the end" } else { "no closing marker" };
        return Err(Wrong::new("one closing marker with the opening marker's nonce", got).at(here(middle.len())));
    };
    match filled.matches(&close, &body[closed..]) {
        Some(length) if closed + length == body.len() => {}
        Some(length) => {
            let wrong = Wrong::new("nothing after the closing marker", "more text");
            return Err(wrong.at(here(opened + closed + length)));
        }
        None => {
            return Err(Wrong::new("a whole closing marker", "the beginning of one").at(here(opened + closed)));
        }
    }
    let content = &body[..closed];
    for (template, noun) in [(&grammar.close, "closing marker"), (&grammar.open, "opening marker")] {
        let marker = core(template, nonce);
        if let Some(at) = content.find(&marker) {
            let count = 1 + content.matches(&marker).count();
            return Err(Wrong::new(format!("exactly one {noun}"), counted(count, noun)).at(here(opened + at)));
        }
    }

    let content = without_newlines(content, grammar);
    let slots = filled.slots.iter().map(|(slot, value)| (*slot, (*value).to_owned())).collect();
    let attributes = filled.slots.iter().map(|(slot, value)| (slot.to_string(), (*value).to_owned())).collect();
    let literals = open.iter().chain(&close).filter_map(|part| match part {
        Part::Literal(text) => Some(*text),
        Part::Nonce | Part::Slot(_) => None,
    });
    let fixed: Vec<_> =
        [grammar.preamble.as_str()].into_iter().chain(literals).chain([grammar.postamble.as_str()]).collect();
    Ok(Envelope {
        content: content.to_owned(),
        content_at: offset(rendered, content),
        text: undo(grammar.encoding, content)?,
        slots,
        attributes,
        nonce: Some(nonce.to_owned()),
        fixed: fixed.join(" "),
    })
}

/// What a marker of this template holds around its nonce: enough to tell it from any other text that
/// holds the nonce.
pub(in crate::oracle) fn core(template: &str, nonce: &str) -> String {
    let (before, after) = around(template);
    [before.unwrap_or_default(), nonce, after.unwrap_or_default()].concat()
}

/// What a marker of this template holds up to the end of its nonce. The whole core, where nothing
/// stands before the nonce: alone it is no marker.
pub(in crate::oracle) fn head(template: &str, nonce: &str) -> String {
    around(template).0.map_or_else(|| core(template, nonce), |before| [before, nonce].concat())
}

/// The literals next to the nonce of a template, without the white space that parts the marker from
/// other text.
fn around(template: &str) -> (Option<&str>, Option<&str>) {
    let parts = parts(template);
    let at = parts.iter().position(|part| *part == Part::Nonce).unwrap_or(parts.len());
    let literal = |index: Option<usize>| match index.and_then(|index| parts.get(index)) {
        Some(Part::Literal(text)) => Some(*text),
        _ => None,
    };
    let before = literal(at.checked_sub(1)).map(str::trim_start).filter(|text| !text.is_empty());
    (before, literal(at.checked_add(1)).map(str::trim_end))
}

/// What was read out of the markers so far.
#[derive(Default)]
struct Filled<'a> {
    nonce: Option<&'a str>,
    slots: Vec<(Slot, &'a str)>,
}

impl<'a> Filled<'a> {
    /// Reads a template at the start of a text, and gives the length of what it took. A nonce or a
    /// slot that was read before must be the same again.
    fn matches(&mut self, template: &[Part<'_>], text: &'a str) -> Option<usize> {
        let mut rest = text;
        for (index, part) in template.iter().enumerate() {
            if let Part::Literal(literal) = part {
                rest = rest.strip_prefix(literal)?;
                continue;
            }
            let length = match template.get(index + 1) {
                Some(Part::Literal(delimiter)) => rest.find(delimiter)?,
                // A nonce may end its template: then it is a word.
                _ => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            };
            let (value, after) = rest.split_at(length);
            match part {
                Part::Slot(slot) => match self.slots.iter().find(|(known, _)| known == slot) {
                    Some((_, before)) if *before != value => return None,
                    Some(_) => {}
                    None => self.slots.push((*slot, value)),
                },
                _ => {
                    let same = self.nonce.is_none_or(|nonce| nonce == value);
                    if !same || !is_token(value) {
                        return None;
                    }
                    self.nonce = Some(value);
                }
            }
            rest = after;
        }
        Some(text.len() - rest.len())
    }
}

fn is_token(nonce: &str) -> bool {
    !nonce.is_empty() && !nonce.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// The parts of a template that a rendering can be read by.
fn template(template: &str) -> Result<Vec<Part<'_>>, Wrong> {
    let parts = parts(template);
    if !parts.contains(&Part::Nonce) {
        return Err(Wrong::new("a described template with `{nonce}`", "a template without it"));
    }
    if matches!(parts.first(), Some(Part::Slot(_))) {
        return Err(Wrong::new(
            "a described template that begins with fixed text or `{nonce}`",
            "one that begins with a slot",
        ));
    }
    let bare =
        |pair: &[Part<'_>]| matches!(pair, [Part::Slot(_), Part::Slot(_) | Part::Nonce] | [Part::Nonce, Part::Slot(_)]);
    if parts.windows(2).any(bare) || matches!(parts.last(), Some(Part::Slot(_))) {
        return Err(Wrong::new("a described template with a delimiter after each slot", "a slot without one"));
    }
    Ok(parts)
}

/// The longest name of a slot, in bytes.
const LONGEST_NAME: usize = "fetched_at".len();

/// Any template in parts. Braces around anything but the nonce and a slot are text.
fn parts(template: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut literal, mut at) = (0, 0);
    while let Some(open) = template[at..].find('{').map(|open| at + open) {
        let inside = template.as_bytes()[open..].iter().take(LONGEST_NAME + 2);
        let Some(close) = inside.copied().position(|byte| byte == b'}').map(|close| open + close) else {
            at = open + 1;
            continue;
        };
        let part = match &template[open + 1..close] {
            "nonce" => Some(Part::Nonce),
            name => Slot::ALL.iter().find(|slot| slot.as_str() == name).copied().map(Part::Slot),
        };
        at = open + 1;
        if let Some(part) = part {
            if literal < open {
                parts.push(Part::Literal(&template[literal..open]));
            }
            parts.push(part);
            at = close + 1;
            literal = at;
        }
    }
    if literal < template.len() {
        parts.push(Part::Literal(&template[literal..]));
    }
    parts
}

/// The text with which a marker begins, up to its first slot.
fn beginning(template: &[Part<'_>], nonce: &str) -> String {
    template
        .iter()
        .map_while(|part| match part {
            Part::Literal(text) => Some(*text),
            Part::Nonce => Some(nonce),
            Part::Slot(_) => None,
        })
        .collect()
}

/// The literal with which a template begins.
fn first_literal<'a>(template: &[Part<'a>]) -> Option<&'a str> {
    match template.first() {
        Some(Part::Literal(text)) => Some(text),
        _ => None,
    }
}

/// The content without the newlines that part it from the markers, where the templates have none of
/// their own.
fn without_newlines<'a>(content: &'a str, grammar: &NonceGrammar) -> &'a str {
    if grammar.open.ends_with('\n') || grammar.close.starts_with('\n') {
        return content;
    }
    content.strip_prefix('\n').and_then(|content| content.strip_suffix('\n')).unwrap_or(content)
}
