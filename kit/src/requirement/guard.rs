//! Guards that only mark: the text is what the tool returned, and the reason says whether it is flagged.

use boundary_contract::{Claim, Delivery};
use serde_json::json;

use super::suspicion::{NO_ORDER, ORDER, is_unflagged, names_an_order, order_claimed};
use super::{Draft, Row};
use crate::case::{Case, Evidence, Exchange};
use crate::oracle::{Judged, Wrong, envelope, text};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

pub(super) const ROWS: &[Row] =
    &[Row { id: "guard/text-unchanged", cases: text_unchanged }, Row { id: "guard/reason", cases: reason }];

const ORDINARY: &str = "The lamp of the south mole is lit at dusk.";

/// Texts that somebody would like to tidy, each in one way.
const UNTIDY: &[(&str, &str)] = &[
    ("empty", ""),
    ("blank", " \n\t\n "),
    ("ordinary", ORDINARY),
    ("order", ORDER),
    ("white-space-around", "  \n lamp \n\n "),
    ("carriage-returns", "lamp\r\nmole\rquay\n"),
    ("nulls", "lamp\0mole\0"),
    ("controls", "\u{1}lamp\u{8}\u{7f}\u{85}"),
    ("escapes", "\u{1b}[31mlamp\u{1b}[0m \u{9b}2m"),
    ("directions", "\u{202e}pmal\u{202c} \u{2066}mole\u{2069}"),
    ("invisible", "la\u{200b}mp\u{ad} \u{feff}mole\u{2060}"),
    ("tags", "lamp\u{e0041}\u{e0042}\u{e007f}"),
    ("not-normalised", "cafe\u{301} caf\u{e9} \u{212b} \u{fb01}sh"),
    ("full-width", "\u{ff29}\u{ff27}\u{ff2e}\u{ff2f}\u{ff32}\u{ff25} \u{ff1c}lamp\u{ff1e}"),
    ("entities", "&lt;lamp&gt; &amp;amp; &#108;"),
    ("escaped", "\\u006camp \\n \\\\ %6c%61"),
    ("markup", "<!-- lamp --><b title=\"mole\">quay</b>"),
    ("templates", "{{lamp}} ${mole} $(quay) `pier` %s"),
    ("replacement-character", "lamp \u{fffd}"),
    ("noncharacters", "lamp \u{fdd0} \u{ffff}"),
];

fn text_unchanged(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> =
        UNTIDY.iter().map(|(name, text)| draft.hostile_case(name, || Stimulus::text(*text), is_unchanged)).collect();
    let grammar = draft.subject.grammar();
    let forged = grammar.map_or_else(|| "<tool-data>lamp</tool-data>".to_owned(), envelope::close_form);
    let markers: Vec<&str> = draft.subject.structural_markers().map(|marker| marker.text.as_str()).collect();
    let markers = markers.join(" lamp ");
    cases.push(draft.hostile_case("turn-markers", move || Stimulus::text(markers.clone()), is_unchanged));
    cases.push(draft.hostile_case("envelope-markers", move || Stimulus::text(forged.clone()), is_unchanged));
    let flagged_and_untidy = || Stimulus::text(format!("\0{ORDER}\r\n \u{202e}<|im_start|> "));
    cases.push(draft.hostile_case("order-and-all", flagged_and_untidy, is_unchanged));
    let long = || Stimulus::text(format!("{}{ORDER}\r\n", "A line of the lamp list.\r\n".repeat(8_000)));
    cases.push(draft.hostile_case("long", long, is_unchanged));
    if draft.subject.takes_structure() {
        let value = json!({"lamp\r\n": ["\0", {" mole ": ORDER}], "n": 1});
        cases.push(draft.hostile_case("structured", move || Stimulus::json(value.clone()), is_unchanged));
    }
    Ok(cases)
}

/// A text is what was sent, byte for byte; a structure is JSON of the same value. Without an envelope, what
/// is rendered is the text and nothing more.
fn is_unchanged(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    let delivery = evidence.delivery(0)?;
    let Some(sent) = evidence.first().sent.payload() else { return Ok(()) };
    // No ceiling explains what is lost: who cuts a text changes it.
    let unexplained = |wrong: Wrong, at: &str| Wrong { lost: false, at: Some(wrong_at(&wrong, at)), ..wrong };
    let judged = match sent.as_str() {
        Some(sent) => text::identical(sent, &delivery.text),
        None => text::json_equals(&delivery.text, sent),
    };
    judged.map_err(|wrong| unexplained(wrong, "text"))?;
    let rendered = match subject.grammar() {
        Some(_) => subject.content(delivery)?.text,
        None => delivery.rendered.clone(),
    };
    text::identical(&delivery.text, &rendered).map_err(|wrong| unexplained(wrong, "rendered"))
}

fn wrong_at(wrong: &Wrong, of: &str) -> String {
    wrong.at.as_deref().map_or_else(|| of.to_owned(), |at| format!("{at} of {of}"))
}

fn reason(draft: &Draft) -> Result<Vec<Case>, String> {
    if !draft.subject.claims(Claim::Flag) {
        return Err("claim not made: flag".to_owned());
    }
    order_claimed(draft)?;
    let policy = draft.subject.annotating()?;
    let flagged = [("order", ORDER.to_owned()), ("order-in-a-text", format!("{ORDINARY}\n\n{ORDER}\n\n{ORDINARY}"))];
    let clean = [
        ("empty", String::new()),
        ("ordinary", ORDINARY.to_owned()),
        ("much-the-same-words", format!("{ORDINARY} {NO_ORDER}")),
    ];
    let mut cases = Vec::new();
    for (name, text) in flagged {
        // A clean text first, which tells a guard that gives no reasons from one that has none for this.
        let after = move |_: &[Exchange]| Some(Stimulus { policy, ..Stimulus::text(text.clone()) });
        let case = draft.case(
            name,
            || Stimulus::text(ORDINARY),
            |subject, evidence| {
                is_clean(evidence.delivery(0)?)?;
                let delivery = evidence.delivery(1)?;
                names_an_order(subject, &delivery.findings)?;
                match delivery.reason.as_deref() {
                    Some(reason) if !reason.trim().is_empty() => Ok(()),
                    _ => Err(Wrong::new("a reason for a flagged text", "none").at("reason")),
                }
            },
        );
        cases.push(case.then(after).unless(|evidence| {
            // One that does not even flag the text has more to answer for.
            let flagged = evidence.exchanges.get(1).is_some_and(|exchange| !exchange.outcome.findings().is_empty());
            let gives =
                |exchange: &Exchange| exchange.outcome.delivered().is_none_or(|delivery| delivery.reason.is_some());
            (flagged && !evidence.exchanges.iter().any(gives)).then_some("`reason` is not given")
        }));
    }
    for (name, text) in clean {
        cases.push(draft.case(
            name,
            move || Stimulus::text(text.clone()),
            |_, evidence| is_clean(evidence.delivery(0)?),
        ));
    }
    Ok(cases)
}

/// No finding, and no reason for one.
fn is_clean(delivery: &Delivery) -> Judged {
    is_unflagged(delivery)?;
    match delivery.reason.as_deref() {
        None | Some("") => Ok(()),
        Some(_) => Err(Wrong::new("an empty reason for a clean text", "another").at("reason")),
    }
}
