//! Ceilings: what is over the bound is cut, whole and marked, and scanned all the same.
//!
//! A bound counts the content as it stands between the markers, in the described units. Where a policy goes
//! along with the call each text is sent under many bounds; else texts are as long as the described one asks.

use boundary_contract::{Claim, Delivery, Encoding, FindingKind, Grammar, Policy, RefusalKind, Slot};
use serde_json::json;

use super::flag::findings_of;
use super::suspicion::{NO_ORDER, ORDER, is_unflagged, order_claimed};
use super::{Draft, Row, cut, time};
use crate::case::{Case, Evidence, Exchange};
use crate::oracle::{Judged, Wrong, text};
use crate::placeholder::texts;
use crate::stimulus::Stimulus;
use crate::subject::{Subject, length};

pub(super) const ROWS: &[Row] = &[
    Row { id: "ceiling/cut-and-marked", cases: cut_and_marked },
    Row { id: "ceiling/exact", cases: exact },
    Row { id: "ceiling/valid-text", cases: cut::valid_text },
    Row { id: "ceiling/cut-builds-nothing", cases: cut::cut_builds_nothing },
    Row { id: "ceiling/scanned-whole", cases: scanned_whole },
    Row { id: "ceiling/rendered-bounded", cases: rendered_bounded },
    Row { id: "ceiling/time", cases: time::time },
];

/// The highest described ceiling over which plain text is sent, in any unit.
pub(super) const HIGHEST: u64 = 16 << 20;
/// The highest over which a text is sent many times over.
pub(super) const HIGHEST_SWEPT: u64 = 64 << 10;
/// The lowest under which something of a plain text must be left.
const ROOM_FOR_WORDS: u64 = 40;
/// Ceilings of the kit's own: the least, odd ones, one for a page.
const OWN: [u64; 6] = [1, 2, 7, ROOM_FOR_WORDS, 257, 3_000];

/// One ceiling, and how it is put in force.
#[derive(Clone)]
struct Bound {
    name: String,
    chars: u64,
    policy: Policy,
}

/// The described ceiling, where it is no higher than this, and the kit's own, where a policy can be sent.
fn bounds(draft: &Draft, highest: u64) -> Vec<Bound> {
    let chars = draft.subject.description.defaults.max_chars;
    let mut bounds = Vec::new();
    if (1..=highest).contains(&chars) {
        bounds.push(Bound { name: "default".to_owned(), chars, policy: Policy::default() });
    }
    if draft.subject.claims(Claim::Policy) {
        bounds.extend(OWN.map(|chars| {
            let policy = Policy { max_chars: Some(chars), ..Policy::default() };
            Bound { name: chars.to_string(), chars, policy }
        }));
    }
    bounds
}

/// # Errors
///
/// Why a row has no case, where it has none.
pub(super) fn some(cases: Vec<Case>) -> Result<Vec<Case>, String> {
    if cases.is_empty() {
        Err("the described ceiling is higher than any text that is sent".to_owned())
    } else {
        Ok(cases)
    }
}

/// So many plain characters, which every encoding leaves as they are and which end in a letter.
pub(super) fn words(length: u64) -> String {
    const WORDS: &str = "low tide at noon and high tide at dusk ";
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(1 << 30);
    let mut words = WORDS.repeat(length / WORDS.len() + 1);
    words.truncate(length);
    if words.ends_with(' ') {
        words.pop();
        words.push('s');
    }
    words
}

fn under(bound: &Bound, text: String) -> impl Fn() -> Stimulus + Send + Sync + 'static {
    let policy = bound.policy;
    move || Stimulus { policy, ..Stimulus::text(text.clone()) }
}

fn cut_and_marked(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for bound in bounds(draft, HIGHEST) {
        let chars = bound.chars;
        for (name, over) in [("by-one", 1), ("by-half", chars / 2 + 1), ("many-times", chars * 9 + 50)] {
            if chars > HIGHEST_SWEPT && name == "many-times" {
                continue;
            }
            let text = words(chars + over);
            cases.push(draft.case(&format!("{}-{name}", bound.name), under(&bound, text), move |subject, evidence| {
                let delivery = evidence.delivery(0)?;
                is_cut(subject, delivery, chars)?;
                if chars >= ROOM_FOR_WORDS && !subject.content(delivery)?.text.contains("tide") {
                    return Err(Wrong::new("a part of the text", "no word of it").at("rendered"));
                }
                Ok(())
            }));
        }
    }
    for bound in bounds(draft, HIGHEST_SWEPT) {
        let (chars, times) = (bound.chars, usize::try_from(bound.chars).unwrap_or(usize::MAX) + 1);
        let judge = move |subject: &Subject, evidence: Evidence<'_>| is_cut(subject, evidence.delivery(0)?, chars);
        // Letters between them, at which whoever takes no character apart may cut too.
        let texts =
            [("emoji", "\u{1f30a}\u{1f30a} ab "), ("ideographs", "\u{6f6e}\u{6c50} ab "), ("markup", "<b>&\"'</b>")];
        for (name, unit) in texts {
            let send = under(&bound, unit.repeat(times));
            cases.push(draft.hostile_case(&format!("{}-{name}", bound.name), send, judge));
        }
        if draft.subject.takes_structure() {
            let (policy, value) = (bound.policy, json!({"title": "Tides", "rows": [words(chars), words(chars)]}));
            let send = move || Stimulus { policy, ..Stimulus::json(value.clone()) };
            cases.push(draft.case(&format!("{}-structured", bound.name), send, judge));
        }
    }
    some(cases)
}

/// No longer than the ceiling, and marked.
pub(super) fn is_cut(subject: &Subject, delivery: &Delivery, ceiling: u64) -> Judged {
    is_within(subject, delivery, ceiling)?;
    if !delivery.truncated {
        return Err(Wrong::new("a cut text, marked as truncated", "no mark").at("truncated"));
    }
    Ok(())
}

/// No longer than the ceiling.
fn is_within(subject: &Subject, delivery: &Delivery, ceiling: u64) -> Judged {
    let stands = subject.length(&standing(subject, delivery)?);
    let units = subject.description.units;
    if stands > ceiling {
        return Err(Wrong::new(format!("at most {ceiling} {units} of content"), stands.to_string()).at("rendered"));
    }
    Ok(())
}

/// What a ceiling bounds: the content as it stands, or the text where nothing says how the two differ.
fn standing(subject: &Subject, delivery: &Delivery) -> Result<String, Wrong> {
    match subject.grammar() {
        Some(_) => Ok(subject.content(delivery)?.stands),
        None => Ok(delivery.text.clone()),
    }
}

/// The text as it was, and unmarked. Nothing was over a ceiling, so no ceiling explains what is lost.
pub(super) fn is_whole(subject: &Subject, delivery: &Delivery, sent: &str) -> Judged {
    if delivery.truncated {
        return Err(Wrong::new("a whole text, unmarked", "the mark of a cut").at("truncated"));
    }
    text::same(sent, &subject.content(delivery)?.text).map_err(|wrong| Wrong { lost: false, ..wrong })
}

fn exact(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let encoding = draft.subject.grammar().map_or(Encoding::None, Grammar::encoding);
    for bound in bounds(draft, HIGHEST) {
        let mut texts = vec![("words", words(bound.chars))];
        if encoding == Encoding::None && bound.chars <= HIGHEST_SWEPT {
            texts.push(("ideographs", filled(draft, "\u{6f6e}", bound.chars)));
            texts.push(("emoji", filled(draft, "\u{1f30a}", bound.chars)));
        }
        for (name, text) in texts {
            let case = draft.case(&format!("{}-{name}", bound.name), under(&bound, text), |subject, evidence| {
                let sent = evidence.first().sent.payload().and_then(|sent| sent.as_str()).unwrap_or_default();
                is_whole(subject, evidence.delivery(0)?, sent)
            });
            cases.push(case);
        }
    }
    if draft.subject.claims(Claim::Policy) {
        cases.push(measured(draft, "measured-markup", Stimulus::text("Berths & moorings: <b>4 < 5</b>, \"ask\".")));
        cases.push(measured(draft, "measured-wide", Stimulus::text("caf\u{e9} \u{6f6e}\u{6c50} \u{1f30a} \u{2713}")));
        if draft.subject.takes_structure() {
            let value = json!({"piers": [{"name": "n\u{f6}rd", "berths": 4}, null, true]});
            cases.push(measured(draft, "measured-structure", Stimulus::json(value)));
        }
    }
    some(cases)
}

/// This character as often as it fits into a ceiling of so many units, and letters for the rest.
fn filled(draft: &Draft, unit: &str, ceiling: u64) -> String {
    let (times, rest) = (ceiling / draft.subject.length(unit), ceiling % draft.subject.length(unit));
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    format!("{}{}", words(rest), unit.repeat(times))
}

/// A result first delivered whole, then under a ceiling of exactly what stood there, then under one less.
fn measured(draft: &Draft, name: &str, stimulus: Stimulus) -> Case {
    const AMPLE: u64 = 4_000;
    let under = move |max_chars: u64| {
        let policy = Policy { max_chars: Some(max_chars), ..Policy::default() };
        Stimulus { policy, ..stimulus.clone() }
    };
    let (ample, at, below) = (under.clone(), under.clone(), under);
    let subject = std::sync::Arc::clone(&draft.subject);
    let measure = move |so_far: &[Exchange]| {
        let delivery = so_far[0].outcome.delivered()?;
        Some(subject.length(&standing(&subject, delivery).ok()?)).filter(|stands| *stands > 1)
    };
    let measure_again = measure.clone();
    draft
        .case(
            name,
            move || ample(AMPLE),
            |subject, evidence| {
                let whole = subject.content(evidence.delivery(0)?)?.text;
                is_whole(subject, evidence.delivery(0)?, &whole)?;
                is_whole(subject, evidence.delivery(1)?, &whole)?;
                let below = evidence.exchanges.get(2).and_then(|exchange| exchange.sent.policy.max_chars);
                is_cut(subject, evidence.delivery(2)?, below.unwrap_or_default())
            },
        )
        .then(move |so_far| Some(at(measure(so_far)?)))
        .then(move |so_far| Some(below(measure_again(so_far)? - 1)))
}

fn scanned_whole(draft: &Draft) -> Result<Vec<Case>, String> {
    const FAR: u64 = 100_000;
    const FARTHEST: u64 = 1 << 20;
    order_claimed(draft)?;
    let described = &draft.subject.description;
    let half = length(ORDER, described.units) / 2;
    let mut cases = Vec::new();
    for bound in bounds(draft, HIGHEST_SWEPT).into_iter().filter(|bound| bound.chars > half) {
        let chars = bound.chars;
        for (name, before) in [
            ("across-the-cut", chars - half),
            ("after-the-cut", chars),
            ("well-after", 3 * chars + 1_000),
            ("far-after", chars + FAR),
            ("farthest-after", chars + FARTHEST),
        ] {
            // What is far from one cut is far from another.
            if before > FAR && !bound.policy.eq(&Policy::default()) {
                continue;
            }
            for (name, order) in [(name.to_owned(), ORDER), (format!("twin-of-{name}"), NO_ORDER)] {
                let text = format!("{}.\n\n{order}\n\n{}.", words(before), words(40));
                if described.scan_chars.is_some_and(|bound| draft.subject.length(&text) > bound) {
                    continue;
                }
                let send = under(&bound, text);
                let case = draft.case(&format!("{}-{name}", bound.name), send, judge_scanned);
                cases.push(if before >= FARTHEST { case.heavy() } else { case });
            }
        }
        if draft.subject.takes_structure() && draft.subject.claims(Claim::Paths) && described.scan_chars.is_none() {
            for (name, order) in [("later-field", ORDER), ("twin-of-later-field", NO_ORDER)] {
                let (policy, value) = (bound.policy, json!({"a": words(chars + 10), "b": [order]}));
                let send = move || Stimulus { policy, ..Stimulus::json(value.clone()) };
                cases.push(draft.case(&format!("{}-{name}", bound.name), send, judge_scanned));
            }
        }
    }
    if cases.is_empty() {
        return Err("it scans no further than it cuts, or cuts further on than any text that is sent".to_owned());
    }
    Ok(cases)
}

/// Flagged where the order was sent, and not where only its words were.
fn judge_scanned(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    let order = evidence.first().sent.payload().is_some_and(|sent| texts(sent).any(|text| text.contains(ORDER)));
    if !order {
        return is_unflagged(evidence.delivery(0)?);
    }
    findings_of(subject, FindingKind::Override, evidence).map(drop)
}

/// What escapes to more than it was, or to nothing, each by a character.
const SWELLING: &[(&str, &str)] = &[
    ("brackets", "<"),
    ("quotes", "\""),
    ("ampersands", "&"),
    ("backslashes", "\\"),
    ("controls", "\u{1}"),
    ("escapes", "\u{1b}"),
    ("overrides", "\u{202e}"),
    ("newlines", "\n"),
    ("emoji", "\u{1f30a}"),
];

/// How much longer what stands around the content may be than around a short one, in any unit: names of
/// what was found, and the mark of a cut.
const SLACK: u64 = 256;
/// The same where the names of the call are long: what is shown of each, escaped.
const SLACK_FOR_NAMES: u64 = 16_384;
/// A name so long that no envelope shows it whole.
const LONG_NAME: usize = 200_000;

fn rendered_bounded(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let short = |policy: Policy| move |_: &[Exchange]| Some(Stimulus { policy, ..Stimulus::text("tide") });
    for bound in bounds(draft, HIGHEST_SWEPT).into_iter().filter(|bound| bound.chars >= ROOM_FOR_WORDS) {
        let (chars, policy) = (bound.chars, bound.policy);
        let times = usize::try_from(chars).unwrap_or(usize::MAX).saturating_mul(4);
        let judge = move |subject: &Subject, evidence: Evidence<'_>| {
            is_within(subject, evidence.delivery(0)?, chars)?;
            is_framed(subject, evidence, SLACK)
        };
        for &(name, unit) in SWELLING {
            let send = under(&bound, unit.repeat(times));
            cases.push(draft.hostile_case(&format!("{}-{name}", bound.name), send, judge).then(short(policy)));
        }
        if draft.subject.takes_structure() {
            let value = json!({"<".repeat(times): ["\"".repeat(times), {"&".repeat(times): null}]});
            let send = move || Stimulus { policy, ..Stimulus::json(value.clone()) };
            cases.push(draft.hostile_case(&format!("{}-structured", bound.name), send, judge).then(short(policy)));
        }
    }
    for slot in [Slot::Tool, Slot::Source, Slot::Tenant] {
        for (name, unit) in [("letters", 'a'), ("quotes", '"'), ("overrides", '\u{202e}')] {
            let send = move || named(slot, &unit.to_string().repeat(LONG_NAME));
            let judge = |subject: &Subject, evidence: Evidence<'_>| {
                if evidence.refusal(RefusalKind::Usage).is_ok() {
                    return Ok(());
                }
                is_framed(subject, evidence, SLACK_FOR_NAMES)
            };
            let case = draft.case(&format!("{slot}-of-{name}"), send, judge);
            cases.push(case.then(short(Policy::default())));
        }
    }
    some(cases)
}

/// A short text of which one name is this.
fn named(slot: Slot, name: &str) -> Stimulus {
    let mut stimulus = Stimulus::text("tide");
    match slot {
        Slot::Tool => name.clone_into(&mut stimulus.tool.name),
        Slot::Source => stimulus.tool.source = Some(name.to_owned()),
        _ => stimulus.tenant = Some(name.to_owned()),
    }
    stimulus
}

/// What stands around the content of the first delivery is no longer than around that of the second, a
/// short one, by more than a constant.
fn is_framed(subject: &Subject, evidence: Evidence<'_>, slack: u64) -> Judged {
    let frame = |step: usize| {
        let delivery = evidence.delivery(step)?;
        let content = subject.length(&standing(subject, delivery)?);
        Ok::<_, Wrong>(subject.length(&delivery.rendered).saturating_sub(content))
    };
    let (got, most) = (frame(0)?, 2 * frame(1)? + slack);
    if got > most {
        let units = subject.description.units;
        return Err(Wrong::new(format!("at most {most} {units} around the content"), got.to_string()).at("rendered"));
    }
    Ok(())
}
