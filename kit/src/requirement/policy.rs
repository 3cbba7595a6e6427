//! Policies: each does what it says, for the tool that it is for, and none switches the boundary off.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use boundary_contract::{Claim, Delivery, OnSuspicion, Policy, Recipe, Refusal, RefusalKind, Tool, With};
use serde_json::{Value, json};

use super::ceiling::{HIGHEST, is_cut, is_whole, words};
use super::suspicion::{
    NO_ORDER, ORDER, ORDER_TAIL, behaves, is_cut_off, is_refused, is_unflagged, names_an_order, order_claimed,
    policy_claimed, refuses,
};
use super::{Draft, Row, switch};
use crate::case::{Case, Evidence, Exchange};
use crate::oracle::{Judged, Wrong, leak, text};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[
    Row { id: "policy/annotate-is-default", cases: annotate_is_default },
    Row { id: "policy/no-off-switch", cases: switch::no_off_switch },
    Row { id: "policy/truncate", cases: truncate },
    Row { id: "policy/truncate-encoded", cases: truncate_encoded },
    Row { id: "policy/fail", cases: fail },
    Row { id: "policy/per-tool", cases: per_tool },
    Row { id: "policy/no-placeholder", cases: no_placeholder },
    Row { id: "policy/defaults", cases: defaults },
];

pub(super) const BEFORE: &str = "The pilot book of the west pier is kept by hand.";
const AFTER: &str = "The clerk signs quillfeather at dusk.";
pub(super) const TOOL: &str = "read_page";
pub(super) const OTHER_TOOL: &str = "fetch_mail";

/// The order in a page of its own lines.
pub(super) fn page() -> String {
    format!("{BEFORE}\n\n{ORDER}\n\n{AFTER}")
}

pub(super) fn peaceful_page() -> String {
    format!("{BEFORE}\n\n{NO_ORDER}\n\n{AFTER}")
}

pub(super) fn suspecting(on_suspicion: OnSuspicion) -> Policy {
    Policy { on_suspicion: Some(on_suspicion), ..Policy::default() }
}

/// A text under a policy that goes along with the call.
fn under(policy: Policy, text: impl Into<String>) -> impl Fn() -> Stimulus + Send + Sync + 'static {
    let text = text.into();
    move || Stimulus { policy, ..Stimulus::text(text.clone()) }
}

fn annotate_is_default(draft: &Draft) -> Result<Vec<Case>, String> {
    order_claimed(draft)?;
    let judge =
        |subject: &Subject, evidence: Evidence<'_>| behaves(subject, &evidence.first().outcome, OnSuspicion::Annotate);
    Ok(vec![draft.case("text", || Stimulus::text(page()), judge)])
}

/// The text as it was, and unmarked, where no described ceiling is lower.
fn is_left_whole(subject: &Subject, delivery: &Delivery, sent: &str) -> Judged {
    is_whole(subject, delivery, sent).map_err(Wrong::of_loss)
}

/// A page without an order, which no policy touches.
fn ordinary(draft: &Draft, policy: Policy) -> Case {
    draft.case("ordinary", under(policy, peaceful_page()), |subject, evidence| {
        let delivery = evidence.delivery(0)?;
        is_unflagged(delivery)?;
        is_left_whole(subject, delivery, &peaceful_page())
    })
}

fn truncate(draft: &Draft) -> Result<Vec<Case>, String> {
    order_claimed(draft)?;
    policy_claimed(draft, OnSuspicion::Truncate)?;
    let policy = suspecting(OnSuspicion::Truncate);
    let again = ORDER.replace("harbour", "quillwork");
    let mut cases = vec![
        cut_off(draft, "one-order", page().into(), &[BEFORE], &[ORDER_TAIL, AFTER]),
        cut_off(draft, "at-the-start", format!("{ORDER}\n\n{AFTER}").into(), &[], &[ORDER_TAIL, AFTER]),
        cut_off(draft, "at-the-end", format!("{BEFORE}\n\n{ORDER}").into(), &[BEFORE], &[ORDER_TAIL]),
        cut_off(
            draft,
            "several",
            format!("{BEFORE}\n\n{ORDER}\n\n{AFTER}\n\n{again}").into(),
            &[BEFORE],
            &[ORDER_TAIL, AFTER, "quillwork"],
        ),
    ];
    // Letters and lower case names, in their order, for those that sort.
    if draft.subject.takes_structure() && draft.subject.claims(Claim::Paths) {
        let second = json!({"a": BEFORE, "b": ORDER, "c": AFTER});
        let nested = json!([{"a": BEFORE}, {"b": [ORDER, "quillwork"]}, AFTER]);
        let several = json!({"a": BEFORE, "b": [ORDER], "c": AFTER, "d": again});
        let key = json!({"A": BEFORE, ORDER: 1, "Z": AFTER});
        cases.push(cut_off(draft, "second-field", second, &[BEFORE], &[ORDER_TAIL, AFTER]));
        cases.push(cut_off(draft, "nested", nested, &[BEFORE], &[ORDER_TAIL, "quillwork", AFTER]));
        cases.push(cut_off(draft, "several-fields", several, &[BEFORE], &[ORDER_TAIL, AFTER, "quillwork"]));
        cases.push(cut_off(draft, "object-key", key, &[BEFORE], &[ORDER_TAIL, AFTER]));
    }
    cases.push(ordinary(draft, policy));
    Ok(cases)
}

/// What stands before the first match is delivered, and nothing from there on.
fn cut_off(draft: &Draft, name: &str, value: Value, kept: &'static [&'static str], gone: &[&str]) -> Case {
    let gone: Vec<String> = gone.iter().map(|words| (*words).to_owned()).collect();
    let send = move || Stimulus { policy: suspecting(OnSuspicion::Truncate), ..Stimulus::json(value.clone()) };
    draft.case(name, send, move |subject, evidence| {
        let delivery = evidence.delivery(0)?;
        names_an_order(subject, &delivery.findings)?;
        let content = subject.content(delivery)?.text;
        is_cut_off(delivery, &content, &gone.iter().map(String::as_str).collect::<Vec<_>>())?;
        // A cut leaves no ceiling to explain what is lost.
        text::keeps(&content, &kept.iter().map(|words| (*words).to_owned()).collect::<Vec<_>>())
            .map_err(|wrong| Wrong { lost: false, ..wrong }.at("rendered"))
    })
}

fn truncate_encoded(draft: &Draft) -> Result<Vec<Case>, String> {
    order_claimed(draft)?;
    policy_claimed(draft, OnSuspicion::Truncate)?;
    let run = BASE64_STANDARD.encode(ORDER);
    // A run cut short still decodes in part, so that no piece of it may be left.
    let middle = run.len() / 2;
    let gone = [&run[..16], &run[middle - 8..middle + 8], &run[run.len() - 16..], AFTER];
    let mut cases = vec![
        cut_off(draft, "base64", format!("{BEFORE}\n\n{run}\n\n{AFTER}").into(), &[BEFORE], &gone),
        cut_off(draft, "base64-alone", run.clone().into(), &[], &gone),
        cut_off(
            draft,
            "base64-before-plain",
            format!("{BEFORE}\n\n{run}\n\n{ORDER}").into(),
            &[BEFORE],
            &[&run[..16], &run[run.len() - 16..], ORDER_TAIL],
        ),
    ];
    if draft.subject.takes_structure() && draft.subject.claims(Claim::Paths) {
        let value = json!({"a": BEFORE, "b": {"data": run}, "c": AFTER});
        cases.push(cut_off(draft, "base64-in-a-field", value, &[BEFORE], &gone));
    }
    let harmless = format!("{BEFORE}\n\n{}", BASE64_STANDARD.encode(peaceful_page()));
    let policy = suspecting(OnSuspicion::Truncate);
    cases.push(draft.case("ordinary-base64", under(policy, harmless.clone()), move |subject, evidence| {
        is_left_whole(subject, evidence.delivery(0)?, &harmless)
    }));
    Ok(cases)
}

fn fail(draft: &Draft) -> Result<Vec<Case>, String> {
    /// Letters and digits that stand nowhere by chance.
    const CANARY: &str = "v8k2qp5zt7xw3mj9rn4hb6cd";
    order_claimed(draft)?;
    policy_claimed(draft, OnSuspicion::Fail)?;
    let policy = suspecting(OnSuspicion::Fail);
    let judge = |subject: &Subject, evidence: Evidence<'_>| {
        is_refused(subject, &evidence.first().outcome)?;
        leak::find(CANARY, &evidence.first().outcome)
    };
    let text = format!("{BEFORE} {CANARY}\n\n{ORDER} {CANARY}");
    let mut cases = vec![
        draft.case("text", under(policy, text.clone()), judge),
        draft.case("at-the-end", under(policy, format!("{} {ORDER}", "A line of the pilot book. ".repeat(40))), judge),
    ];
    if draft.subject.claims(Claim::Decode) {
        let encoded = format!("{BEFORE} {CANARY}\n\n{}", BASE64_STANDARD.encode(ORDER));
        cases.push(draft.case("encoded", under(policy, encoded), judge));
    }
    if draft.subject.takes_structure() && draft.subject.claims(Claim::Paths) {
        let values =
            [("field", json!({"a": CANARY, "b": [{"c": text}]})), ("object-key", json!({"a": CANARY, ORDER: 1}))];
        for (name, value) in values {
            let send = move || Stimulus { policy, ..Stimulus::json(value.clone()) };
            cases.push(draft.case(name, send, judge));
        }
    }
    cases.push(ordinary(draft, policy));
    Ok(cases)
}

/// A flagged page of this tool, where the boundary is configured so.
fn configured(
    tool: &'static str,
    per_tool: &BTreeMap<String, Policy>,
) -> impl Fn() -> Stimulus + Send + Sync + 'static {
    let per_tool = per_tool.clone();
    move || Stimulus { per_tool: per_tool.clone(), ..Stimulus::text(page()).of(Tool::new(tool)) }
}

fn per_tool(draft: &Draft) -> Result<Vec<Case>, String> {
    let default = draft.subject.description.defaults.on_suspicion;
    let mut cases = ceilings_per_tool(draft);
    let other = [OnSuspicion::Fail, OnSuspicion::Truncate, OnSuspicion::Annotate]
        .into_iter()
        .find(|policy| *policy != default && draft.subject.description.policies.contains(policy));
    if let (Some(other), Ok(())) = (other, order_claimed(draft)) {
        let only = |tool: &str| BTreeMap::from([(tool.to_owned(), suspecting(other))]);
        let judge = |policy: OnSuspicion| {
            move |subject: &Subject, evidence: Evidence<'_>| {
                evidence.exchanges.iter().try_for_each(|exchange| behaves(subject, &exchange.outcome, policy))
            }
        };
        cases.push(draft.case("its-own", configured(TOOL, &only(TOOL)), judge(other)));
        cases.push(draft.case("another-tools", configured(TOOL, &only(OTHER_TOOL)), judge(default)));
        // Names that are near, and no pattern of each other.
        for (name, near) in
            [("shorter", "read_pag"), ("longer", "read_page_2"), ("other-case", "Read_Page"), ("star", "*")]
        {
            cases.push(draft.case(&format!("near-name-{name}"), configured(TOOL, &only(near)), judge(default)));
        }
        // What one call was judged by is not what the next is, of another tool or unconfigured.
        let afterwards = configured(OTHER_TOOL, &only(TOOL));
        let unconfigured = configured(TOOL, &BTreeMap::new());
        let in_turn = move |subject: &Subject, evidence: Evidence<'_>| {
            let policies = [other, default, default];
            let each = evidence.exchanges.iter().zip(policies);
            each.into_iter().try_for_each(|(exchange, policy)| behaves(subject, &exchange.outcome, policy))
        };
        cases.push(
            draft
                .case("in-turn", configured(TOOL, &only(TOOL)), in_turn)
                .then(move |_| Some(afterwards()))
                .then(move |_| Some(unconfigured())),
        );
    }
    if cases.is_empty() { Err("it has nothing that could differ between two tools".to_owned()) } else { Ok(cases) }
}

/// The same for the ceilings, which a policy sets too.
fn ceilings_per_tool(draft: &Draft) -> Vec<Case> {
    let mut cases = Vec::new();
    if draft.subject.claims(Claim::Ceiling) && draft.subject.description.defaults.max_chars >= 100 {
        let chars = Policy { max_chars: Some(40), ..Policy::default() };
        let text = words(90);
        let send = move |tool: &str| {
            let per_tool = BTreeMap::from([(tool.to_owned(), chars)]);
            let text = text.clone();
            move || Stimulus { per_tool: per_tool.clone(), ..Stimulus::text(text.clone()) }
        };
        cases
            .push(draft.case("its-own-characters", send(TOOL), |subject, evidence| {
                is_cut(subject, evidence.delivery(0)?, 40)
            }));
        cases.push(draft.case("another-tools-characters", send(OTHER_TOOL), |subject, evidence| {
            is_whole(subject, evidence.delivery(0)?, &words(90))
        }));
    }
    let deep = draft.subject.takes_structure() && draft.subject.claims(Claim::Depth);
    if deep && draft.subject.description.defaults.max_depth >= 2 {
        let depth = Policy { max_depth: Some(1), ..Policy::default() };
        let send = move |tool: &str| {
            let per_tool = BTreeMap::from([(tool.to_owned(), depth)]);
            move || Stimulus { per_tool: per_tool.clone(), ..Stimulus::json(json!([["tide"]])) }
        };
        cases.push(
            draft.case("its-own-depth", send(TOOL), |_, evidence| evidence.refusal(RefusalKind::Depth).map(drop)),
        );
        cases.push(draft.case("another-tools-depth", send(OTHER_TOOL), |_, evidence| evidence.delivery(0).map(drop)));
    }
    cases
}

fn no_placeholder(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut refused: Vec<(&str, RefusalKind, Stimulus)> = Vec::new();
    let subject = &draft.subject;
    if order_claimed(draft).is_ok() {
        let default = subject.description.defaults.on_suspicion;
        if subject.description.policies.contains(&OnSuspicion::Fail) {
            let stimulus =
                Stimulus { policy: suspecting(OnSuspicion::Fail), ..Stimulus::text(format!("{ORDER}\n\n{BEFORE}")) };
            refused.push(("suspicion", RefusalKind::Suspicion, stimulus));
        } else if refuses(default) {
            refused.push(("suspicion", RefusalKind::Suspicion, Stimulus::text(format!("{ORDER}\n\n{BEFORE}"))));
        }
    }
    if refused.is_empty() {
        return Err("it refuses nothing for suspicion".to_owned());
    }
    if subject.takes_structure() && subject.claims(Claim::Depth) {
        let max_depth = subject.description.defaults.max_depth;
        if max_depth < 1_000 {
            let recipe = Recipe::nest(max_depth + 1, With::Array, "tide");
            refused.push(("depth", RefusalKind::Depth, Stimulus::recipe(recipe)));
        }
    }
    if subject.claims(Claim::ReturnTypes) {
        let tool = Tool::new("berth_count").returning(json!({"type": "integer"}));
        refused.push(("return-type", RefusalKind::ReturnType, Stimulus::text("four").of(tool)));
    }
    let mut cases = Vec::new();
    for (name, kind, stimulus) in refused {
        let send = move || stimulus.clone();
        let again = |so_far: &[Exchange]| Some(so_far[0].sent.clone());
        let retry = draft.case(&format!("{name}-no-retry"), send.clone(), move |_, evidence| {
            match evidence.refusal(kind)?.retry {
                Some(true) => Err(Wrong::new("`false`", "`true`").at("retry")),
                Some(false) | None => Ok(()),
            }
        });
        cases.push(retry.unless(|evidence| {
            let refusal = evidence.first().outcome.refused();
            refusal.is_some_and(|refusal| refusal.retry.is_none()).then_some("`retry` is not given")
        }));
        let judge = move |_: &Subject, evidence: Evidence<'_>| {
            let first = evidence.refusal(kind)?;
            let same = |exchange: &Exchange| exchange.outcome.refused().is_some_and(|refusal| is_same(first, refusal));
            match evidence.exchanges.iter().position(|exchange| !same(exchange)) {
                None => Ok(()),
                Some(index) => {
                    Err(Wrong::new("the same refusal each time", format!("another answer to ask {}", index + 1)))
                }
            }
        };
        cases.push(draft.case(&format!("{name}-again"), send, judge).then(again).then(again));
    }
    Ok(cases)
}

/// Whether two refusals say the same. What they record may count them.
fn is_same(one: &Refusal, other: &Refusal) -> bool {
    one.kind == other.kind
        && one.message == other.message
        && one.retry == other.retry
        && one.at == other.at
        && one.violated == other.violated
        && one.findings == other.findings
}

fn defaults(draft: &Draft) -> Result<Vec<Case>, String> {
    let subject = &draft.subject;
    let described = subject.description.defaults;
    let mut cases = Vec::new();
    if subject.claims(Claim::Flag) && order_claimed(draft).is_ok() {
        let judge = move |subject: &Subject, evidence: Evidence<'_>| {
            behaves(subject, &evidence.first().outcome, described.on_suspicion)
        };
        cases.push(draft.case("on-suspicion", || Stimulus::text(page()), judge));
    }
    if subject.claims(Claim::Ceiling) && (1..=HIGHEST).contains(&described.max_chars) {
        let chars = described.max_chars;
        let at = words(chars);
        let whole = at.clone();
        cases.push(draft.case(
            "max-chars-at",
            move || Stimulus::text(at.clone()),
            move |subject, evidence| is_whole(subject, evidence.delivery(0)?, &whole),
        ));
        let over = words(chars + 1);
        cases.push(draft.case(
            "max-chars-over",
            move || Stimulus::text(over.clone()),
            move |subject, evidence| is_cut(subject, evidence.delivery(0)?, chars),
        ));
    }
    if subject.takes_structure() && subject.claims(Claim::Depth) && described.max_depth < 1_000 {
        let nest = |depth| move || Stimulus::recipe(Recipe::nest(depth, With::Array, "tide"));
        let at = |_: &Subject, evidence: Evidence<'_>| evidence.delivery(0).map(drop);
        cases.push(draft.case("max-depth-at", nest(described.max_depth), at));
        cases.push(draft.case("max-depth-over", nest(described.max_depth + 1), |_, evidence| {
            evidence.refusal(RefusalKind::Depth).map(drop)
        }));
    }
    if cases.is_empty() {
        return Err(
            "it claims nothing that a default governs, or ceilings higher than any result that is sent".to_owned()
        );
    }
    Ok(cases)
}
