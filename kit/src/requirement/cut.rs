//! Where a ceiling cuts: a small text is cut at each of its places, which leaves characters whole and
//! builds no marker.

use boundary_contract::{Claim, Delivery, Encoding, Grammar, Policy};

use super::Draft;
use super::ceiling::{HIGHEST_SWEPT, some, words};
use super::imitation::is_refusal_of_forgery;
use super::neutralised::{no_marker, reading};
use super::turn::one_a_family;
use crate::case::{Case, Exchange};
use crate::generate::forms::halves;
use crate::generate::turns::json_escaped;
use crate::oracle::{Judged, Wrong, envelope};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

/// How many ceilings, or offsets, a small text is sent under.
const STEPS: u64 = 60;

/// A text sent once for each place at which a ceiling may cut it, every answer judged.
///
/// `None` where no policy can be sent and the described ceiling is too high to do it over.
fn swept(
    draft: &Draft,
    name: &str,
    text: &str,
    steps: u64,
    judge: impl Fn(&Subject, &Exchange) -> Judged + Send + Sync + 'static,
) -> Option<Case> {
    let described = draft.subject.description.defaults.max_chars;
    let by_policy = draft.subject.claims(Claim::Policy);
    if !by_policy && !(1..=HIGHEST_SWEPT).contains(&described) {
        return None;
    }
    let (text, annotating) = (text.to_owned(), draft.subject.annotating().unwrap_or_default());
    let at = move |step: u64| {
        if by_policy {
            let policy = Policy { max_chars: Some(step + 1), ..annotating };
            Stimulus { policy, ..Stimulus::text(text.clone()) }
        } else {
            // What stands before it moves it over the cut, a character further with each step.
            let before = words(described.saturating_sub(step + 2));
            Stimulus::text(format!("{before} {text} {}", words(described)))
        }
    };
    let first = at.clone();
    let mut case = draft.hostile_case(
        name,
        move || first(0),
        move |subject, evidence| evidence.exchanges.iter().try_for_each(|exchange| judge(subject, exchange)),
    );
    for step in 1..steps {
        let at = at.clone();
        case = case.then(move |_| Some(at(step)));
    }
    Some(case)
}

/// Characters of more than one unit, and whether they are more than one character too.
const WIDE: &[(&str, &str)] = &[
    ("check-mark", "\u{2713}"),
    ("ideograph", "\u{6f6e}"),
    ("emoji", "\u{1f600}"),
    ("accent", "e\u{301}"),
    ("family", "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}"),
    ("skin-tone", "\u{1f44d}\u{1f3fd}"),
    ("keycap", "1\u{fe0f}\u{20e3}"),
    ("flag", "\u{1f1f3}\u{1f1f4}"),
    ("flag-of-a-region", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"),
];

pub(super) fn valid_text(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for &(name, unit) in WIDE {
        // A space parts neighbours that would make one character, as two flags might.
        let unit = format!("{unit} ");
        let text = unit.repeat(usize::try_from(STEPS).unwrap_or(usize::MAX));
        cases.extend(swept(draft, name, &text, STEPS, is_valid));
        if unit.chars().count() > 2 {
            let judge = move |_: &Subject, exchange: &Exchange| is_unsplit(&unit, exchange);
            cases.extend(swept(draft, &format!("{name}-unsplit"), &text, STEPS, judge).map(Case::should));
        }
    }
    some(cases)
}

fn delivered(exchange: &Exchange) -> Result<&Delivery, Wrong> {
    exchange.outcome.delivered().ok_or_else(|| Wrong::new("a delivery", "a refusal"))
}

/// Nothing of a character that was cut in half is left: no stand-in for half a character, no half of an
/// entity or an escape. None of the texts holds one of these characters.
fn is_valid(subject: &Subject, exchange: &Exchange) -> Judged {
    let delivery = delivered(exchange)?;
    let half = match subject.grammar().map_or(Encoding::None, Grammar::encoding) {
        Encoding::Entities => Some('&'),
        Encoding::Json => Some('\\'),
        _ => None,
    };
    let content = subject.content(delivery)?.text;
    for (at, text) in [("rendered", &content), ("text", &delivery.text)] {
        if text.contains('\u{fffd}') {
            return Err(Wrong::new("whole characters", "U+FFFD, which stands for half of one").at(at));
        }
        if half.is_some_and(|half| text.contains(half)) {
            return Err(Wrong::new("whole characters", "half of an entity or an escape").at(at));
        }
    }
    Ok(())
}

/// The cut stands between two of these units, or next to the space that is part of each.
fn is_unsplit(unit: &str, exchange: &Exchange) -> Judged {
    let delivery = delivered(exchange)?;
    let sent = exchange.sent.payload().and_then(|sent| sent.as_str()).unwrap_or_default();
    let before = sent.find(unit).unwrap_or(sent.len());
    let same = sent.chars().zip(delivery.text.chars()).take_while(|(mine, theirs)| mine == theirs);
    let cut: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let within = cut.saturating_sub(before) % unit.len();
    let after = before + unit.len() * (sent[before..].len() / unit.len());
    if cut <= before || cut >= after || within == 0 || within == unit.len() - 1 {
        return Ok(());
    }
    Err(Wrong::new("a cut between two characters", "one within a character").at(format!("byte {cut} of text")))
}

pub(super) fn cut_builds_nothing(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut texts = Vec::new();
    if let Some(grammar) = draft.subject.grammar() {
        let (open, close) = (envelope::open_form(grammar), envelope::close_form(grammar));
        texts.push(("own-closing".to_owned(), format!("Berths {close} and {close}{close} end.")));
        texts.push(("own-opening".to_owned(), format!("Berths {open} end.")));
        if let Grammar::Tag(tag) = grammar {
            // Harmless as they are: another name, of which a cut leaves the envelope's own.
            texts.push(("longer-closing".to_owned(), format!("Rows of </{}base> join here.", tag.name)));
            texts.push(("longer-opening".to_owned(), format!("Rows of <{}base id=\"4\"> join here.", tag.name)));
        }
    }
    if draft.subject.claims(Claim::Neutralise) {
        for marker in one_a_family(draft) {
            let text = &marker.text;
            texts.push((marker.id.clone(), format!("a {text}{text}b")));
        }
        if let Some(marker) = draft.subject.structural_markers().next() {
            // Each half is harmless; who drops what stands between them makes a whole.
            let (before, after) = halves(&marker.text);
            texts.push(("halves".to_owned(), format!("{} - {}", before.repeat(12), after.repeat(12))));
            let escaped = json_escaped(&marker.text);
            if draft.subject.grammar().map(Grammar::encoding) != Some(Encoding::Json) {
                texts.push(("escaped".to_owned(), format!("Berths {escaped} end.")));
            }
        }
    }
    if texts.is_empty() {
        return Err("it claims nothing that a marker could break".to_owned());
    }
    let cases = texts.into_iter().filter_map(|(name, text)| {
        let steps = u64::try_from(text.chars().count()).unwrap_or(u64::MAX).min(2 * STEPS);
        swept(draft, &name, &text, steps, builds_nothing)
    });
    some(cases.collect())
}

fn builds_nothing(subject: &Subject, exchange: &Exchange) -> Judged {
    if is_refusal_of_forgery(subject, &exchange.outcome) {
        return Ok(());
    }
    let content = subject.content(delivered(exchange)?)?;
    subject.no_envelope_inside(&content)?;
    if subject.claims(Claim::Neutralise) { no_marker(subject, &content, reading(subject, false)) } else { Ok(()) }
}
