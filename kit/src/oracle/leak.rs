//! Text of a result where none may be: refusals, findings, events, reasons.

use std::borrow::Cow;
use std::collections::HashSet;

use boundary_contract::{Event, Finding, Outcome};

use super::{Judged, Wrong, json, view};

mod encoded;
#[cfg(test)]
mod tests;

pub use encoded::find_encoded_in;

/// How many consecutive characters of a canary are text of the result, and no accident.
pub const WINDOW: usize = 12;

/// How many times over a text may have been escaped: an error's debug form inside another's is twice.
const ESCAPES: usize = 2;

/// Every text of an outcome that may be logged, shown or kept, with its name.
///
/// Of a refusal that is all of it; of a delivery its findings, events and reason, and never what is
/// delivered.
#[must_use]
pub fn surfaces(outcome: &Outcome) -> Vec<(&'static str, &str)> {
    let mut out: Vec<(&'static str, &str)> = Vec::new();
    match outcome {
        Outcome::Refused(refusal) => {
            out.push(("message", &refusal.message));
            out.extend(refusal.at.as_deref().map(|at| ("at", at)));
            out.extend(refusal.violated.as_deref().map(|violated| ("violated", violated)));
            if let Some(forms) = &refusal.forms {
                out.extend([("forms.display", forms.display.as_str()), ("forms.debug", &forms.debug)]);
                out.extend(forms.chain.iter().map(|cause| ("forms.chain[]", cause.as_str())));
            }
        }
        Outcome::Delivered(delivery) => {
            out.extend(delivery.reason.as_deref().map(|reason| ("reason", reason)));
        }
    }
    for Finding { heuristic, path, via, .. } in outcome.findings() {
        out.extend([("findings[].heuristic", heuristic.as_str()), ("findings[].path", path)]);
        out.extend(via.iter().map(|via| ("findings[].via[]", via.as_str())));
    }
    for Event { kind, heuristics, paths, detail, .. } in outcome.events() {
        out.push(("events[].kind", kind));
        out.extend(heuristics.iter().map(|heuristic| ("events[].heuristics[]", heuristic.as_str())));
        out.extend(paths.iter().map(|path| ("events[].paths[]", path.as_str())));
        out.extend(detail.as_deref().map(|detail| ("events[].detail", detail)));
    }
    out
}

/// Judges that no text of a canary stands on any surface of an outcome.
///
/// # Errors
///
/// As [`find_in`].
pub fn find(canary: &str, outcome: &Outcome) -> Judged {
    find_in(canary, &surfaces(outcome))
}

/// Judges that no text of a canary stands in any of these named texts: no twelve of its characters in
/// a row, in whatever case, as they are or escaped as a debug form or JSON escapes them.
///
/// # Errors
///
/// [`Wrong`], with the name of the first text that holds some. A canary of fewer than twelve
/// characters could not be found, so it is wrong too.
pub fn find_in(canary: &str, surfaces: &[(&'static str, &str)]) -> Judged {
    let windows = Windows::of(canary)?;
    for (name, text) in surfaces {
        let mut text = Cow::Borrowed(*text);
        for layer in 0..=ESCAPES {
            if let Some(at) = windows.first_in(&text) {
                let undone = if layer == 0 { "" } else { ", escapes undone" };
                let got = format!("at least {WINDOW} of its characters in a row");
                return Err(Wrong::new("no text of the result", got).at(format!("char {at} of {name}{undone}")));
            }
            if !text.contains('\\') {
                break;
            }
            text = Cow::Owned(unescaped(&text));
        }
    }
    Ok(())
}

type Window = [char; WINDOW];

/// The windows of a canary: as they are, and in lower case.
struct Windows {
    exact: HashSet<Window>,
    lower: HashSet<Window>,
}

impl Windows {
    /// # Errors
    ///
    /// [`Wrong`] for a canary too short to have any.
    fn of(canary: &str) -> Result<Self, Wrong> {
        let characters: Vec<char> = canary.chars().collect();
        let exact: HashSet<Window> = characters.windows(WINDOW).filter_map(|window| window.try_into().ok()).collect();
        if exact.is_empty() {
            return Err(Wrong::new(format!("a canary of at least {WINDOW} characters"), "a shorter one"));
        }
        Ok(Self { lower: exact.iter().map(lower).collect(), exact })
    }

    /// The first place, in characters, where a window stands, in whatever case.
    fn first_in(&self, text: &str) -> Option<usize> {
        first(text, |window| self.lower.contains(&lower(window)))
    }

    /// The first place where a window stands in another case than its own.
    fn other_case_in(&self, text: &str) -> Option<usize> {
        first(text, |window| self.lower.contains(&lower(window)) && !self.exact.contains(window))
    }
}

fn lower(window: &Window) -> Window {
    window.map(|c| c.to_ascii_lowercase())
}

/// The first place of a text, in characters, whose window satisfies this.
fn first(text: &str, satisfies: impl Fn(&Window) -> bool) -> Option<usize> {
    let mut window = ['\0'; WINDOW];
    for (at, c) in text.chars().enumerate() {
        window.rotate_left(1);
        window[WINDOW - 1] = c;
        if at + 1 >= WINDOW && satisfies(&window) {
            return Some(at + 1 - WINDOW);
        }
    }
    None
}

/// The text with one layer of the escapes of debug forms and of JSON undone. What is no escape stays.
fn unescaped(text: &str) -> String {
    view::undone(text, '\\', |from| json::escape(from).or_else(|| debug_escape(from)))
}

/// An escape that debug forms have and JSON has not: `\0`, `\'`, `\x1b`, `\u{1b}`.
fn debug_escape(text: &str) -> Option<(char, usize)> {
    let (digits, prefix) = match text.as_bytes().get(1)? {
        b'0' => return Some(('\0', 2)),
        b'\'' => return Some(('\'', 2)),
        b'x' => (text.get(2..4)?, 2),
        b'u' => {
            let inside = text.get(2..)?.strip_prefix('{')?;
            let length = inside.bytes().take(7).position(|byte| byte == b'}')?;
            (&inside[..length], 3)
        }
        _ => return None,
    };
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((character, prefix + digits.len() + usize::from(prefix == 3)))
}
