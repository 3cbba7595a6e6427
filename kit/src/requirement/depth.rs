//! Depth: what is too deep is refused, without a crash and for that reason alone.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use boundary_contract::{Claim, Outcome, Policy, Recipe, RefusalKind, With};

use super::growth::Growth;
use super::{Draft, Row};
use crate::case::{Case, Evidence};
use crate::oracle::{Judged, Wrong};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[
    Row { id: "depth/at-the-ceiling", cases: at_the_ceiling },
    Row { id: "depth/exhaustion", cases: exhaustion },
    Row { id: "depth/width-is-not-depth", cases: width_is_not_depth },
    Row { id: "depth/decoding-is-bounded", cases: decoding_is_bounded },
];

const STRUCTURES: [(&str, With); 3] = [("arrays", With::Array), ("objects", With::Object), ("mixed", With::Alternate)];

/// The stack on which exhaustion is tried, in bytes: room for honest work, none for a level a frame.
const SMALL_STACK: usize = 256 * 1024;

/// A ceiling of its own, away from any default, for boundaries that take one with the call.
const OWN_CEILING: u64 = 3;

/// The deepest structure that is sent.
const DEEPEST: u64 = 1_000_000;

/// How the time may grow with the depth. What so many levels do to an allocator is no fault: memory that comes afresh
/// from the system at each try makes half a million of them four times as dear as a few thousand, which alone is an
/// exponent of 1.3. A square is about 2.
const GROWTH: Growth = Growth {
    sizes: &[15_625, 31_250, 62_500, 125_000, 250_000, 500_000, 1_000_000],
    bound: 1.6,
    words: |depth| format!("{depth} levels"),
};

/// What stands in the innermost container, and in the rendering where that is delivered.
const LEAF: &str = "innermost";

fn structures(draft: &Draft) -> Result<[(&'static str, With); 3], String> {
    if draft.subject.takes_structure() {
        Ok(STRUCTURES)
    } else {
        Err("it takes texts alone, which have no depth".to_owned())
    }
}

fn at_the_ceiling(draft: &Draft) -> Result<Vec<Case>, String> {
    // Whoever describes a higher one owes a refusal below it, as `depth/exhaustion` has it.
    let described = draft.subject.description.defaults.max_depth;
    let mut ceilings = Vec::new();
    if described < DEEPEST {
        ceilings.push(("default", described, Policy::default()));
    }
    if draft.subject.claims(Claim::Policy) {
        ceilings.push(("policy", OWN_CEILING, Policy { max_depth: Some(OWN_CEILING), ..Policy::default() }));
    }
    let mut cases = Vec::new();
    for (ceiling, depth, policy) in ceilings {
        for (structure, with) in structures(draft)? {
            let nest = move |depth| move || Stimulus { policy, ..Stimulus::recipe(Recipe::nest(depth, with, LEAF)) };
            cases.push(draft.case(&format!("{ceiling}-{structure}-at"), nest(depth), |_, evidence| {
                match evidence.delivery(0)? {
                    // A ceiling of characters may end the text before its innermost value.
                    delivery if delivery.rendered.contains(LEAF) || delivery.truncated => Ok(()),
                    _ => Err(Wrong::new("the innermost value, rendered", "a rendering without it").at("rendered")),
                }
            }));
            let over = format!("{ceiling}-{structure}-over");
            cases.push(draft.case(&over, nest(depth + 1), refused_as_deep));
        }
    }
    Ok(cases)
}

fn exhaustion(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (structure, with) in structures(draft)? {
        let send = move |depth| Stimulus::recipe(Recipe::nest(u64::from(depth), with, 7));
        cases.push(GROWTH.case(draft, &format!("{structure}-growth"), send).on_stack(SMALL_STACK));
        for depth in [10_000, 100_000, DEEPEST] {
            let send = move || Stimulus::recipe(Recipe::nest(depth, with, 7));
            let case = draft.case(&format!("{structure}-{depth}"), send, refused_as_deep).on_stack(SMALL_STACK);
            cases.push(if depth > 10_000 { case.heavy() } else { case });
        }
    }
    Ok(cases)
}

fn width_is_not_depth(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (structure, with) in structures(draft)?.into_iter().filter(|(_, with)| *with != With::Alternate) {
        for items in [20_000, 1_000_000] {
            let send = move || Stimulus::recipe(Recipe::wide(items, with, 0));
            let case = draft.case(&format!("{structure}-{items}"), send, not_deep);
            cases.push(if items > 20_000 { case.heavy() } else { case });
        }
    }
    Ok(cases)
}

fn not_deep(_: &Subject, evidence: Evidence<'_>) -> Judged {
    match &evidence.first().outcome {
        Outcome::Refused(refusal) if refusal.kind != RefusalKind::Size => {
            let got = format!("a refusal of kind `{}`", refusal.kind);
            Err(Wrong::new("a delivery, or a refusal of kind `size`", got))
        }
        _ => Ok(()),
    }
}

fn decoding_is_bounded(draft: &Draft) -> Result<Vec<Case>, String> {
    const SENTENCE: &str = "The harbour office opens at eight and closes at noon.";
    fn layers(count: usize, wrap: fn(&str) -> String) -> Stimulus {
        Stimulus::text((0..count).fold(SENTENCE.to_owned(), |inner, _| wrap(&inner)))
    }
    let mut cases = vec![
        draft.case("base64-in-base64", || layers(16, |inner| BASE64_STANDARD.encode(inner)), answered),
        draft.case("percent-in-percent", || Stimulus::text(format!("%{}41", "25".repeat(50_000))), answered).heavy(),
        draft.case("entities-in-entities", || Stimulus::text(format!("&{}lt;", "amp;".repeat(50_000))), answered),
        draft.case("escapes-in-escapes", || Stimulus::text(format!("{}u0041", "\\".repeat(100_000))), answered).heavy(),
    ];
    // Each layer doubles the backslashes of the one inside, so that few layers are many characters.
    let json = || layers(14, |inner| serde_json::Value::from(inner).to_string());
    cases.push(draft.case("json-in-json-strings", json, answered));
    let brackets = || Stimulus::text(format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    cases.push(draft.case("deep-json-in-a-string", brackets, answered).on_stack(SMALL_STACK));
    Ok(cases)
}

fn refused_as_deep(_: &Subject, evidence: Evidence<'_>) -> Judged {
    evidence.refusal(RefusalKind::Depth).map(drop)
}

/// Any answer will do that is not about something else: the point is that there is one.
fn answered(_: &Subject, evidence: Evidence<'_>) -> Judged {
    match &evidence.first().outcome {
        Outcome::Delivered(_) => Ok(()),
        Outcome::Refused(refusal)
            if matches!(refusal.kind, RefusalKind::Depth | RefusalKind::Size | RefusalKind::Suspicion) =>
        {
            Ok(())
        }
        Outcome::Refused(refusal) => {
            let expected = "a delivery, or a refusal of kind `depth`, `size` or `suspicion`";
            Err(Wrong::new(expected, format!("a refusal of kind `{}`", refusal.kind)))
        }
    }
}
