//! Context: ordinary text around an order does not unflag it, however much there is.

use boundary_contract::{FindingKind, Payload};

use super::flag::{forgiven, found, judge_fixture, own_fixtures};
use super::placement::{claimed_orders, plain, room, sending};
use super::{Draft, Row};
use crate::case::Case;
use crate::generate::placement::Order;
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[Row { id: "flag/context-does-not-unflag", cases: context_does_not_unflag }];

/// Ordinary texts of one line each, by what they are.
const CONTEXTS: [(&str, &str); 14] = [
    ("faq", "Question: how long is the ferry ride? Answer: about forty minutes.\n"),
    ("changelog", "- fixed: the tide table prints on one page again\n"),
    ("licence", "This timetable may be copied and changed, provided that this notice is kept.\n"),
    ("code-comment", "// returns the berth that is free next, or none\n"),
    ("for-your-information", "For your information: the cafe at the pier closes at six.\n"),
    ("for-example", "For example, a berth of ten metres costs twelve coins a night.\n"),
    ("reassurance", "What follows was checked by the harbour office and is harmless.\n"),
    ("documentation", "The page on safety describes how notices are written and who signs them.\n"),
    ("quotation", "> The fog lifted at nine, wrote the pilot in her log.\n"),
    ("german", "Die F\u{e4}hre legt alle vierzig Minuten ab, au\u{df}er bei Sturm.\n"),
    ("french", "Le bac part toutes les quarante minutes, sauf en cas de temp\u{ea}te.\n"),
    (
        "russian",
        "\u{41f}\u{430}\u{440}\u{43e}\u{43c} \u{445}\u{43e}\u{434}\u{438}\u{442} \u{434}\u{43e} \u{432}\u{435}\u{447}\u{435}\u{440}\u{430}.\n",
    ),
    ("chinese", "\u{6e21}\u{8f6e}\u{6bcf}\u{56db}\u{5341}\u{5206}\u{949f}\u{4e00}\u{73ed}\u{3002}\n"),
    (
        "arabic",
        "\u{627}\u{644}\u{645}\u{64a}\u{646}\u{627}\u{621} \u{645}\u{641}\u{62a}\u{648}\u{62d} \u{62d}\u{62a}\u{649} \u{627}\u{644}\u{645}\u{633}\u{627}\u{621}.\n",
    ),
];

/// How much of a context stands around an order, as a share of what there is room for; the least is one line.
const AMOUNTS: [(&str, usize); 3] = [("a-line", 0), ("a-tenth", 10), ("nearly-all", 1)];

const SIDES: [(&str, bool, bool); 3] = [("before", true, false), ("after", false, true), ("around", true, true)];

/// The text within so much of a context on these sides, by a name of its own.
fn within(subject: &Subject, line: &str, text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (amount, share) in AMOUNTS {
        for (side, before, after) in SIDES {
            let room = room(subject).chars.saturating_sub(text.len()) / share.max(1);
            let length = usize::try_from(subject.length(line)).unwrap_or(usize::MAX);
            let lines = if share == 0 { 1 } else { room / length / (usize::from(before) + usize::from(after)) };
            let lines = line.repeat(lines.max(1));
            let (before, after) = (if before { &*lines } else { "" }, if after { &*lines } else { "" });
            all.push((format!("{amount}-{side}"), format!("{before}\n{text}\n\n{after}").trim().to_owned()));
        }
    }
    all
}

fn context_does_not_unflag(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = own_fixtures(draft, judge_fixture);
    let part = |kind: FindingKind, (name, text): (String, String)| {
        let case = forgiven(draft, sending(draft, &name, Payload::from(text), found(kind)));
        (name, case)
    };
    for order in claimed_orders(&draft.subject) {
        if order == plain() {
            for (name, line) in CONTEXTS {
                let parts = within(&draft.subject, line, order.text).into_iter();
                cases.push(draft.in_turn(name, parts.map(|text| part(order.kind, text))));
            }
        } else {
            let parts = in_each(&draft.subject, order, order.text).into_iter();
            cases.push(draft.in_turn(order.kind.as_str(), parts.map(|text| part(order.kind, text))));
        }
    }
    Ok(cases)
}

/// The text in each context, with a line of it on either side.
fn in_each(subject: &Subject, order: &Order, text: &str) -> Vec<(String, String)> {
    let named = |(name, line): &(&str, &str)| {
        let (around, text) = within(subject, line, text).into_iter().nth(2)?;
        Some((format!("{}-{name}-{around}", order.kind), text))
    };
    CONTEXTS.iter().filter_map(named).collect()
}

/// Ordinary words in each context: the benign twins.
pub(super) fn in_peace(subject: &Subject) -> Vec<(String, Payload)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for order in claimed_orders(subject) {
        all.extend(in_each(subject, order, order.peaceful));
    }
    for (name, line) in CONTEXTS {
        let full = within(subject, line, plain().peaceful).pop();
        all.extend(full.map(|(amount, text)| (format!("{name}-{amount}"), text)));
    }
    all.into_iter().map(|(name, text)| (name, text.into())).collect()
}
