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
