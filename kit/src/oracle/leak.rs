//! Text of a result where none may be: refusals, findings, events, reasons.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

use boundary_contract::{Event, Finding, Outcome};

use super::{Judged, Wrong, json, view};

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
    let (findings, events) = match outcome {
        Outcome::Refused(refusal) => {
            out.push(("message", &refusal.message));
            out.extend(refusal.at.as_deref().map(|at| ("at", at)));
            out.extend(refusal.violated.as_deref().map(|violated| ("violated", violated)));
            if let Some(forms) = &refusal.forms {
                out.extend([("forms.display", forms.display.as_str()), ("forms.debug", &forms.debug)]);
                out.extend(forms.chain.iter().map(|cause| ("forms.chain[]", cause.as_str())));
            }
            (&refusal.findings, &refusal.events)
        }
        Outcome::Delivered(delivery) => {
            out.extend(delivery.reason.as_deref().map(|reason| ("reason", reason)));
            (&delivery.findings, &delivery.events)
        }
    };
    for Finding { heuristic, path, via, .. } in findings {
        out.extend([("findings[].heuristic", heuristic.as_str()), ("findings[].path", path)]);
        out.extend(via.iter().map(|via| ("findings[].via[]", via.as_str())));
    }
    for Event { kind, heuristics, paths, detail, .. } in events.iter().flatten() {
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
    let windows = windows(canary);
    if windows.is_empty() {
        return Err(Wrong::new(format!("a canary of at least {WINDOW} characters"), "a shorter one"));
    }
    for (name, text) in surfaces {
        let mut text = Cow::Borrowed(*text);
        for layer in 0..=ESCAPES {
            if let Some(at) = first_window(&windows, &text) {
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

fn windows(canary: &str) -> HashSet<Window> {
    let characters: Vec<char> = canary.chars().map(|c| c.to_ascii_lowercase()).collect();
    characters.windows(WINDOW).filter_map(|window| window.try_into().ok()).collect()
}

fn first_window(windows: &HashSet<Window>, text: &str) -> Option<usize> {
    let mut last = VecDeque::with_capacity(WINDOW);
    for (at, c) in text.chars().enumerate() {
        if last.len() == WINDOW {
            last.pop_front();
        }
        last.push_back(c.to_ascii_lowercase());
        if last.len() == WINDOW {
            let mut window = ['\0'; WINDOW];
            window.iter_mut().zip(&last).for_each(|(to, from)| *to = *from);
            if windows.contains(&window) {
                return Some(at + 1 - WINDOW);
            }
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

#[cfg(test)]
mod tests {
    use boundary_contract::{Delivery, Forms, Refusal, RefusalKind};

    use super::*;

    const CANARY: &str = "q7Rk2mZx9LbT4wNc8Hd5";

    fn refusal() -> Refusal {
        let mut refusal = Refusal::new(RefusalKind::ReturnType, "read_page: not of its declared type");
        refusal.at = Some("/price".into());
        refusal.violated = Some("type".into());
        let mut finding = Finding::new("override", "/hits/3");
        finding.via.push("base64".into());
        refusal.findings.push(finding);
        let mut event = Event::new("tool_result_flagged");
        event.heuristics.push("override".into());
        event.paths.push("/hits/3".into());
        event.detail = Some("one finding".into());
        refusal.events = Some(vec![event]);
        let mut forms = Forms::default();
        forms.display = "not of its declared type".into();
        forms.debug = "Mismatch { tool: \"read_page\" }".into();
        forms.chain = vec!["a number was declared".into()];
        refusal.forms = Some(forms);
        refusal
    }

    fn delivery() -> Delivery {
        let refusal = refusal();
        let mut delivery = Delivery::new(CANARY, CANARY);
        delivery.payload = Some(CANARY.into());
        delivery.findings = refusal.findings;
        delivery.events = refusal.events;
        delivery.reason = Some("reads like an order".into());
        delivery
    }

    fn where_found(outcome: impl Into<Outcome>) -> Option<String> {
        find(CANARY, &outcome.into()).err().map(|wrong| {
            assert!(!wrong.to_string().contains("q7Rk"), "{wrong}");
            wrong.at.unwrap()
        })
    }

    #[test]
    fn an_outcome_that_quotes_nothing_leaks_nothing() {
        assert_eq!(where_found(refusal()), None);
        assert_eq!(where_found(delivery()), None);
    }

    #[test]
    fn every_surface_of_a_refusal_is_read() {
        type Leak = fn(&mut Refusal) -> &mut String;
        let leaks: &[(&str, Leak)] = &[
            ("message", |r| &mut r.message),
            ("at", |r| r.at.as_mut().unwrap()),
            ("violated", |r| r.violated.as_mut().unwrap()),
            ("forms.display", |r| &mut r.forms.as_mut().unwrap().display),
            ("forms.debug", |r| &mut r.forms.as_mut().unwrap().debug),
            ("forms.chain[]", |r| &mut r.forms.as_mut().unwrap().chain[0]),
            ("findings[].heuristic", |r| &mut r.findings[0].heuristic),
            ("findings[].path", |r| &mut r.findings[0].path),
            ("findings[].via[]", |r| &mut r.findings[0].via[0]),
            ("events[].kind", |r| &mut r.events.as_mut().unwrap()[0].kind),
            ("events[].heuristics[]", |r| &mut r.events.as_mut().unwrap()[0].heuristics[0]),
            ("events[].paths[]", |r| &mut r.events.as_mut().unwrap()[0].paths[0]),
            ("events[].detail", |r| r.events.as_mut().unwrap()[0].detail.as_mut().unwrap()),
        ];
        for (name, leak) in leaks {
            let mut refusal = refusal();
            *leak(&mut refusal) = format!("é {CANARY}");
            assert_eq!(where_found(refusal), Some(format!("char 2 of {name}")));
        }
        let whole = refusal().into();
        let names: HashSet<_> = surfaces(&whole).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), leaks.len());
    }

    #[test]
    fn findings_events_and_reason_of_a_delivery_are_read() {
        let mut leaky = delivery();
        leaky.reason = Some(CANARY.into());
        assert_eq!(where_found(leaky).as_deref(), Some("char 0 of reason"));
        let mut leaky = delivery();
        leaky.findings[0].path = CANARY.into();
        assert_eq!(where_found(leaky).as_deref(), Some("char 0 of findings[].path"));
        let mut leaky = delivery();
        leaky.events.as_mut().unwrap()[0].detail = Some(CANARY.into());
        assert_eq!(where_found(leaky).as_deref(), Some("char 0 of events[].detail"));
    }

    #[test]
    fn twelve_characters_are_text_and_eleven_are_not() {
        let at = |text: &str| find_in(CANARY, &[("message", text)]).err().and_then(|wrong| wrong.at);
        assert_eq!(at(&CANARY[3..15]).as_deref(), Some("char 0 of message"));
        assert_eq!(at(&CANARY[3..14]), None);
        assert_eq!(at(&CANARY[3..15].to_ascii_uppercase()).as_deref(), Some("char 0 of message"));
        // Twelve characters, but not in a row.
        assert_eq!(at(&format!("{} {}", &CANARY[..6], &CANARY[6..12])), None);
    }

    #[test]
    fn escaped_text_is_text() {
        let canary = "a\"b\\c\nd\u{202e}e\u{1b}f\0g'h\té";
        let at = |text: &str| find_in(canary, &[("debug", text)]).err().and_then(|wrong| wrong.at);
        let once = format!("{canary:?}");
        let twice = format!("{once:?}");
        assert_eq!(at(&once).as_deref(), Some("char 1 of debug, escapes undone"));
        assert_eq!(at(&twice).as_deref(), Some("char 2 of debug, escapes undone"));
        let json = serde_json::to_string(canary).unwrap();
        assert_eq!(at(&json).as_deref(), Some("char 1 of debug, escapes undone"));
        assert_eq!(at(r#"a\"b\\c\nd\u202ee\x1bf\x00g\'h\t"#).as_deref(), Some("char 0 of debug, escapes undone"));
        // Each escape in the middle, so that no window goes without it.
        for (c, escape) in [('\'', "\\'"), ('\0', "\\0"), ('\u{1b}', "\\x1b"), ('\u{1b}', "\\u{1b}"), ('/', "\\/")] {
            let (canary, text) = (format!("abcdefg{c}hijklm"), format!("abcdefg{escape}hijklm"));
            assert!(find_in(&canary, &[("debug", &text)]).is_err(), "{escape}");
        }
        assert_eq!(at(r"\ \x \xzz \u{ \u{} \u{110000} \u{1234567} \"), None);
    }

    #[test]
    fn a_canary_too_short_to_be_found_is_no_pass() {
        for canary in ["", "q7Rk2mZx9Lb"] {
            let wrong = find_in(canary, &[]).unwrap_err();
            assert_eq!(wrong.expected, "a canary of at least 12 characters");
        }
    }
}
