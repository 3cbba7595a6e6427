//! A rendering, read by its described grammar alone.

use std::collections::{BTreeMap, BTreeSet};

use boundary_contract::{Encoding, Grammar, Slot};

use super::{Wrong, entities, json};

mod nonce;
mod object;
mod tag;

pub(crate) use super::forgery::GUESS;
pub use super::forgery::{close_form, markers_in, name_form, open_form};
pub(super) use nonce::{core as nonce_core, head as nonce_head};
pub(crate) use object::written;

/// What one envelope holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The content as it stands between the markers.
    pub content: String,
    /// The byte of the rendering at which the content begins.
    pub content_at: usize,
    /// The content with its encoding undone.
    pub text: String,
    /// What stands in each slot of the grammar. A slot that the grammar maps is always here, empty
    /// where the rendering leaves it out; one that it does not map never is.
    pub slots: BTreeMap<Slot, String>,
    /// Every attribute in its order, entities undone. In a nonce envelope these are the slots by the
    /// kit's names; in a JSON one `trust`, where declared, and the slots.
    pub attributes: Vec<(String, String)>,
    /// The token that both markers bear, in a nonce envelope.
    pub nonce: Option<String>,
    /// The envelope's fixed text: preamble, the markers' own words, constants, postamble.
    pub fixed: String,
}

/// Reads a rendering as exactly one envelope.
///
/// It begins with the preamble and the opening marker and ends with the closing marker and the
/// postamble. In a tag envelope a newline stands after the one and before the other. In a nonce
/// envelope whose templates say nothing of newlines, one on each side is taken for part of the
/// envelope. Markers spelled exactly inside the content are a second envelope; those in a disguise
/// are for [`markers_in`].
///
/// # Errors
///
/// [`Wrong`], with what was expected of the rendering and where it differs, in characters. A grammar
/// that cannot be read by (a template without `{nonce}`, a slot without a delimiter) is wrong too.
pub fn parse(rendered: &str, grammar: &Grammar) -> Result<Envelope, Wrong> {
    match grammar {
        Grammar::Tag(tag) => tag::parse(rendered, tag),
        Grammar::Nonce(nonce) => nonce::parse(rendered, nonce),
        Grammar::Json(json) => object::parse(rendered, json),
        _ => Err(Wrong::new("an envelope grammar of style tag, nonce or json", "a style that is not known here")),
    }
}

/// The content with its encoding undone, once.
///
/// # Errors
///
/// [`Wrong`] for content that is not the inside of a JSON string, where that is the encoding.
pub fn undo(encoding: Encoding, content: &str) -> Result<String, Wrong> {
    match encoding {
        Encoding::None => Ok(content.to_owned()),
        Encoding::Entities => Ok(entities::undo(content, entities::Ending::Required)),
        Encoding::Json => json::unescape(content).map(std::borrow::Cow::into_owned).map_err(|json::Malformed(at)| {
            Wrong::new("the inside of a JSON string", "a character or an escape that cannot stand there").at(place(
                content,
                at,
                "the content",
            ))
        }),
        _ => Err(Wrong::new("an encoding of none, entities or json", "an encoding that is not known here")),
    }
}

/// The heuristics named in the envelope's `flagged` slot, which separates them by spaces or commas.
#[must_use]
pub fn flags(envelope: &Envelope) -> BTreeSet<String> {
    let flagged = envelope.slots.get(&Slot::Flagged).map_or("", String::as_str);
    flagged.split(|c: char| c == ',' || c.is_whitespace()).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Whether the envelope says that its content was cut; nothing where its grammar has no such slot.
///
/// An empty slot, `false`, `0` and `no` say that it is whole.
#[must_use]
pub fn truncated(envelope: &Envelope) -> Option<bool> {
    let said = envelope.slots.get(&Slot::Truncated)?.trim().to_ascii_lowercase();
    Some(!matches!(said.as_str(), "" | "false" | "0" | "no"))
}

/// What stands between the preamble and the postamble, with the byte at which it starts.
fn between<'a>(rendered: &'a str, preamble: &str, postamble: &str) -> Result<(&'a str, usize), Wrong> {
    let rest = rendered.strip_prefix(preamble).ok_or_else(|| {
        let same = rendered.bytes().zip(preamble.bytes()).take_while(|(got, expected)| got == expected).count();
        Wrong::new("the described preamble at the start", "other text").at(place(rendered, same, "rendered"))
    })?;
    let middle = rest.strip_suffix(postamble).ok_or_else(|| {
        Wrong::new("the described postamble at the end", "other text").at(place(rendered, rendered.len(), "rendered"))
    })?;
    Ok((middle, preamble.len()))
}

/// The byte of a text at which a part of it begins.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// A place in a text, as verdicts say it. `byte` may stand inside a character.
fn place(text: &str, byte: usize, of: &str) -> String {
    let before = text.char_indices().take_while(|(start, c)| start + c.len_utf8() <= byte).count();
    format!("char {before} of {of}")
}

/// A count with its noun.
fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests;
