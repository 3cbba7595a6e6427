//! Paths: each finding says where it is, and orders in several fields are several findings.

use boundary_contract::{Builder, Finding, FindingKind, Payload};
use boundary_corpus::{Expect, Fixture};
use serde_json::{Map, Value, json};

use super::flag::{findings_of, forgiven, judge_fixture, orders, own_fixtures};
use super::placement::{at_each_place, claimed_orders, sending};
use super::{Draft, Row};
use crate::case::{Case, Evidence};
use crate::oracle::{Judged, Wrong, path};
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[Row { id: "flag/path", cases: paths }, Row { id: "flag/each-one", cases: each_one }];

fn paths(draft: &Draft) -> Result<Vec<Case>, String> {
    let placed = orders(draft).filter(|fixture| matches!(fixture.expect, Expect::Flagged { at: Some(_), .. }));
    let mut cases: Vec<Case> =
        placed.map(|fixture| forgiven(draft, draft.fixture_case(fixture, judge_fixture_path))).collect();
    cases.extend(at_each_place(draft, |order, placed| {
        let (kind, text, at) = (order.kind, order.text, placed.at.clone());
        move |subject: &Subject, evidence: Evidence<'_>| judge_path(subject, kind, &at, Some(text), evidence)
    }));
    Ok(cases)
}

/// A finding of the fixture's kind, at its place where it names one.
fn judge_fixture_path(subject: &Subject, fixture: &Fixture, evidence: Evidence<'_>) -> Judged {
    match &fixture.expect {
        Expect::Flagged { kind, at: Some(at) } => judge_path(subject, *kind, at, None, evidence),
        _ => judge_fixture(subject, fixture, evidence),
    }
}

/// A finding of this kind leads to this place, and a span of one there meets the order, where that is known.
fn judge_path(subject: &Subject, kind: FindingKind, at: &str, order: Option<&str>, evidence: Evidence<'_>) -> Judged {
    let root = subject.description.path_root.as_deref();
    let mut findings = findings_of(subject, kind, evidence)?;
    findings.retain(|finding| path::leads_to(&finding.path, at, root));
    if findings.is_empty() {
        let expected = if at.is_empty() { "a path to the whole value".to_owned() } else { format!("a path to `{at}`") };
        return Err(Wrong::new(expected, "other paths").at("findings[].path"));
    }
    // Without a path to a string (a key that is withheld, an alternative spelling) there is no span to hold.
    match evidence.first().sent.payload().and_then(|sent| sent.pointer(at)).and_then(|view| view.as_str()) {
        Some(field) => judge_spans(subject, &findings, field, order),
        None => Ok(()),
    }
}

/// Each span lies within its field, and one meets the order.
fn judge_spans(subject: &Subject, findings: &[&Finding], field: &str, order: Option<&str>) -> Judged {
    let mut missed = Ok(());
    for finding in findings {
        let (start, end) = match (finding.start, finding.end) {
            (Some(start), Some(end)) => (start, end),
            // It says no more than the path, which is right.
            (None, None) => return Ok(()),
            _ => return Err(Wrong::new("both ends of a span, or neither", "one").at("findings[].start")),
        };
        let wrong = |expected: &str| Err(Wrong::new(expected, format!("{start} to {end}")).at("findings[].start"));
        if start >= end {
            return wrong("a span that starts before it ends");
        }
        if end > subject.length(field) {
            let units = subject.description.units;
            return wrong(&format!("a span within a field of {} {units}", subject.length(field)));
        }
        let Some((order, at)) = order.and_then(|order| Some((order, field.find(order)?))) else { return Ok(()) };
        let from = subject.length(&field[..at]);
        let to = from + subject.length(order);
        if start < to && end > from {
            return Ok(());
        }
        missed = wrong(&format!("a span that meets {from} to {to}"));
    }
    missed
}

/// A result that holds several orders, each of a kind and at a place of its own.
struct Several {
    name: &'static str,
    payload: Payload,
    orders: Vec<(FindingKind, String)>,
}

fn each_one(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = own_fixtures(draft, judge_fixture_path);
    if draft.subject.takes_structure() {
        cases.extend(several(&draft.subject).into_iter().map(|Several { name, payload, orders }| {
            let case = sending(draft, name, payload, move |subject, evidence| judge_each(subject, &orders, evidence));
            forgiven(draft, case)
        }));
    }
    if cases.is_empty() {
        return Err("it takes texts alone, which have no fields".to_owned());
    }
    Ok(cases)
}

fn several(subject: &Subject) -> Vec<Several> {
    let orders: Vec<(FindingKind, &str)> =
        claimed_orders(subject).filter(|order| order.in_keys).map(|order| (order.kind, order.text)).collect();
    if orders.is_empty() {
        return Vec::new();
    }
    let (kind, text) = (|at: usize| orders[at % orders.len()].0, |at: usize| orders[at % orders.len()].1);
    let several = |name, value: Value, places: &[(usize, &str)]| Several {
        name,
        payload: value.into(),
        orders: places.iter().map(|(at, place)| (kind(*at), (*place).to_owned())).collect(),
    };
    let mut all = vec![
        several("two-fields", json!({"title": text(0), "body": text(1)}), &[(0, "/title"), (1, "/body")]),
        several(
            "three-fields",
            json!({"title": text(0), "hours": "daily", "body": text(1), "note": text(2)}),
            &[(0, "/title"), (1, "/body"), (2, "/note")],
        ),
        several("same-order-twice", json!({"first": text(0), "again": text(0)}), &[(0, "/first"), (0, "/again")]),
        several("items", json!([text(0), "Hours", text(1), text(0)]), &[(0, "/0"), (1, "/2"), (0, "/3")]),
        several(
            "same-key-names-in-items",
            json!([{"body": text(0)}, {"body": "Hours"}, {"body": text(0)}]),
            &[(0, "/0/body"), (0, "/2/body")],
        ),
        several(
            "same-key-names-in-objects",
            json!({"north": {"body": text(0)}, "south": {"body": text(0)}}),
            &[(0, "/north/body"), (0, "/south/body")],
        ),
        several("key-and-field", json!({"note": text(0), text(1): 1}), &[(0, "/note"), (1, "/{key}")]),
        several(
            "two-keys",
            json!({"north": {text(0): 1}, "south": {text(1): 1}}),
            &[(0, "/north/{key}"), (1, "/south/{key}")],
        ),
        several(
            "unequal-depths",
            json!({"body": text(0), "meta": {"notes": [{"text": text(1)}]}}),
            &[(0, "/body"), (1, "/meta/notes/0/text")],
        ),
    ];
    for (name, count) in [("ten-fields", 10), ("different-kinds", orders.len())] {
        let field = |at: usize| (format!("f{at}"), Value::from(text(at)));
        all.push(Several {
            name,
            payload: Value::Object((0..count).map(field).collect::<Map<_, _>>()).into(),
            orders: (0..count).map(|at| (kind(at), format!("/f{at}"))).collect(),
        });
    }
    all.push(far_apart(orders[0]));
    all
}

/// An order at each end of a long list.
fn far_apart((kind, text): (FindingKind, &str)) -> Several {
    const BETWEEN: usize = 300;
    let mut builder = Builder::new();
    builder.begin_array().string(text);
    for _ in 0..BETWEEN {
        builder.string("Hours");
    }
    builder.string(text).end();
    let places = ["/0".to_owned(), format!("/{}", BETWEEN + 1)];
    Several { name: "far-apart", payload: builder.finish(), orders: places.map(|at| (kind, at)).into() }
}

/// Each order has a finding to itself.
fn judge_each(subject: &Subject, orders: &[(FindingKind, String)], evidence: Evidence<'_>) -> Judged {
    let root = subject.description.path_root.as_deref();
    let mut taken: Vec<&Finding> = Vec::new();
    for (kind, at) in orders {
        let findings = findings_of(subject, *kind, evidence)?;
        let mut leading = findings.into_iter().filter(|finding| path::leads_to(&finding.path, at, root));
        let free = leading.find(|finding| !taken.iter().any(|other| std::ptr::eq(*other, *finding)));
        match free {
            Some(finding) => taken.push(finding),
            None => {
                let expected = format!("{} findings, one of kind `{kind}` at `{at}`", orders.len());
                return Err(Wrong::new(expected, "none there, or one for several orders").at("findings[].path"));
            }
        }
    }
    Ok(())
}
