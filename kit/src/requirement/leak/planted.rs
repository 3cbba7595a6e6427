//! Results with a canary in them, one for each place where text has been seen to leak from.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use boundary_contract::{Builder, Claim, FindingKind, OnForgery, OnSuspicion, Policy, RefusalKind, Tool};
use boundary_corpus::Input;
use serde_json::{Value, json};

use crate::generate::placement::{self, ORDER};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

/// What a result must come to before anything is said of it that could leak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComesTo {
    /// It is refused for this reason.
    Refusal(RefusalKind),
    /// It is flagged as this.
    Finding(FindingKind),
    /// It is delivered.
    Delivery,
    /// It is cut, or refused for its size.
    Cut,
}

type Plant = Arc<dyn Fn(&Subject, &str) -> Stimulus + Send + Sync>;

/// A result with a place for a canary.
pub(super) struct Scene {
    pub(super) name: Cow<'static, str>,
    pub(super) comes_to: ComesTo,
    /// Makes the result, with this canary in it.
    pub(super) plant: Plant,
    /// Whether it is wrong where it does not come to that. Otherwise another requirement asks for it, and here it
    /// leaves nothing to judge.
    pub(super) asked_for: bool,
    /// Whether the canary stands in an encoding, so that only what was decoded holds it.
    pub(super) decoded: bool,
    /// Whether the canary stands in a key that no order is in, and that is not short or not printable.
    pub(super) odd_key: bool,
    /// Whether it is refused for forging structure, which is no finding.
    pub(super) forged: bool,
    /// Whether it stands for its group where each takes more than one result.
    pub(super) is_first_of_its_group: bool,
}

impl Scene {
    fn new(
        name: impl Into<Cow<'static, str>>,
        comes_to: ComesTo,
        plant: impl Fn(&Subject, &str) -> Stimulus + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            comes_to,
            plant: Arc::new(plant),
            asked_for: true,
            decoded: false,
            odd_key: false,
            forged: false,
            is_first_of_its_group: false,
        }
    }

    fn not_asked_for(self) -> Self {
        Self { asked_for: false, ..self }
    }
}

/// Every scene that the boundary's claims bring about.
pub(super) fn scenes(subject: &Subject) -> Vec<Scene> {
    [delivered, mistyped, malformed, deep, forged, flagged, suspected, over_the_ceiling]
        .into_iter()
        .flat_map(|group| {
            let mut scenes = group(subject);
            if let Some(first) = scenes.first_mut() {
                first.is_first_of_its_group = true;
            }
            scenes
        })
        .collect()
}

fn delivered(subject: &Subject) -> Vec<Scene> {
    let mut scenes = vec![Scene::new("delivered-text", ComesTo::Delivery, |_, canary| {
        Stimulus::text(format!("Berth {canary} is free until noon."))
    })];
    if subject.takes_structure() {
        let structure = |_: &Subject, canary: &str| Stimulus::json(json!({"berth": canary, "free": true}));
        scenes.push(Scene::new("delivered-structure", ComesTo::Delivery, structure));
    }
    scenes
}

/// A declared type, and a value with a canary in it that is not of it.
type Mistyped = (&'static str, fn() -> Value, fn(&str) -> Value);

const MISTYPED_TEXTS: &[Mistyped] = &[
    ("type-value", || json!({"type": "integer"}), |canary| json!(canary)),
    ("type-enum", || json!({"enum": ["open", "closed"]}), |canary| json!(canary)),
    ("type-const", || json!({"const": "open"}), |canary| json!(canary)),
    ("type-pattern", || json!({"type": "string", "pattern": "^[0-9]{4}$"}), |canary| json!(canary)),
    ("type-max-length", || json!({"type": "string", "maxLength": 8}), |canary| json!(canary)),
    ("type-min-length", || json!({"type": "string", "minLength": 80}), |canary| json!(canary)),
    ("type-any-of", || json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}), |canary| json!(canary)),
];

const MISTYPED_STRUCTURES: &[Mistyped] = &[
    ("type-field", priced, |canary| json!({"price": canary})),
    ("type-beside-the-violation", priced, |canary| json!({"price": true, "note": canary})),
    ("type-required", priced, |canary| json!({"note": canary})),
    ("type-unexpected-property", closed, |canary| json!({"price": 4, canary: true})),
    ("type-value-of-unexpected-property", closed, |canary| json!({"price": 4, "note": canary})),
    ("type-key-on-the-path", || json!({"additionalProperties": {"type": "integer"}}), |canary| json!({canary: "four"})),
    ("type-key-in-a-nested-path", nested, |canary| json!({"berths": {canary: {"price": "four"}}})),
    ("type-item", || json!({"items": {"type": "integer"}}), |canary| json!([1, 2, canary])),
    ("type-max-items", || json!({"maxItems": 1}), |canary| json!([canary, canary])),
    ("type-object-for-text", || json!({"type": "string"}), |canary| json!({canary: canary})),
];

fn priced() -> Value {
    json!({"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]})
}

fn closed() -> Value {
    json!({"type": "object", "properties": {"price": {"type": "number"}}, "additionalProperties": false})
}

fn nested() -> Value {
    json!({"properties": {"berths": {"additionalProperties": {"properties": {"price": {"type": "number"}}}}}})
}

fn mistyped(subject: &Subject) -> Vec<Scene> {
    if !subject.claims(Claim::ReturnTypes) {
        return Vec::new();
    }
    let structures = if subject.takes_structure() { MISTYPED_STRUCTURES } else { &[] };
    let scene = |(name, schema, value): &Mistyped| {
        let (schema, value) = (*schema, *value);
        Scene::new(*name, ComesTo::Refusal(RefusalKind::ReturnType), move |_, canary| {
            Stimulus::json(value(canary)).of(Tool::new("stock_level").returning(schema()))
        })
    };
    MISTYPED_TEXTS.iter().chain(structures).map(scene).collect()
}

/// The name of what is wrong with a text, and the text with a canary in it.
type Malformed = (&'static str, fn(&str) -> String);

const MALFORMED: &[Malformed] = &[
    ("malformed-word", |canary| format!("{{\"berth\": {canary}}}")),
    ("malformed-key", |canary| format!("{{{canary}: 5}}")),
    ("malformed-truncated", |canary| format!("{{\"berth\": \"{canary}")),
    ("malformed-escape", |canary| format!("[\"{canary}\\q\"]")),
    ("malformed-control", |canary| format!("[\"{canary}\u{1}\"]")),
    ("malformed-trailing", |canary| format!("[1] {canary}")),
    ("malformed-number", |canary| format!("[\"{canary}\", 01]")),
];

fn malformed(subject: &Subject) -> Vec<Scene> {
    if !subject.claims(Claim::JsonText) {
        return Vec::new();
    }
    let scene = |(name, write): &Malformed| {
        let write = *write;
        Scene::new(*name, ComesTo::Refusal(RefusalKind::Malformed), move |_, canary| {
            Stimulus::new(Input::Raw(write(canary)))
        })
    };
    MALFORMED.iter().map(scene).collect()
}

/// The highest ceiling of levels that is exceeded here; `depth/exhaustion` goes further.
const DEEPEST: u64 = 1_000;

fn deep(subject: &Subject) -> Vec<Scene> {
    let ceiling = subject.description.defaults.max_depth;
    if !subject.claims(Claim::Depth) || !subject.takes_structure() || ceiling > DEEPEST {
        return Vec::new();
    }
    let scene = |name, array: bool| {
        Scene::new(name, ComesTo::Refusal(RefusalKind::Depth), move |_, canary| {
            let mut builder = Builder::new();
            for _ in 0..=ceiling {
                if array {
                    builder.begin_array().string(canary);
                } else {
                    builder.begin_object().key(canary);
                }
            }
            builder.string(canary);
            for _ in 0..=ceiling {
                builder.end();
            }
            Stimulus::new(Input::Payload(builder.finish()))
        })
    };
    vec![scene("deep-values", true), scene("deep-keys", false)]
}

fn forged(subject: &Subject) -> Vec<Scene> {
    let marker = subject.structural_markers().next().map(|marker| marker.text.as_str());
    match marker {
        Some(marker) if subject.claims(Claim::Neutralise) && subject.description.on_forgery == OnForgery::Refuse => {
            let plant = move |_: &Subject, canary: &str| Stimulus::text(format!("Berth {canary} {marker} {canary}."));
            vec![Scene { forged: true, ..Scene::new("forged", ComesTo::Refusal(RefusalKind::Suspicion), plant) }]
        }
        _ => Vec::new(),
    }
}

/// The plain order with a canary in it, inside what matches, as far as any heuristic looks.
fn order(canary: &str) -> String {
    ORDER.replace("harbour", canary)
}

/// An order of this kind with a canary in place of one of its words.
fn order_of(kind: FindingKind, canary: &str) -> String {
    let word = match kind {
        FindingKind::RoleReassignment => "berth",
        FindingKind::CredentialExfiltration => "yes",
        FindingKind::MustNow => "amount",
        FindingKind::Command => "fix.sh",
        FindingKind::ToolCallShaped => "desk",
        _ => "harbour",
    };
    placement::order(kind).text.replace(word, canary)
}

/// The text in a field, or alone where nothing else is taken.
fn placed(subject: &Subject, text: impl Into<String>) -> Stimulus {
    let text: String = text.into();
    if subject.takes_structure() {
        Stimulus::json(json!({"title": "Hours", "body": text}))
    } else {
        Stimulus::text(text)
    }
}

/// The same, under this policy.
fn under(policy: Policy, plant: impl Fn(&Subject, &str) -> Stimulus + Send + Sync + 'static) -> Plant {
    Arc::new(move |subject, canary| Stimulus { policy, ..plant(subject, canary) })
}

/// Orders in every place that a finding could quote, under a policy that delivers them where there is one.
fn flagged(subject: &Subject) -> Vec<Scene> {
    if !subject.claims(Claim::Flag) {
        return Vec::new();
    }
    let mut scenes = Vec::new();
    if subject.claims_kind(FindingKind::Override) {
        scenes = orders("order", subject, ComesTo::Finding(FindingKind::Override));
    }
    let others = FindingKind::ALL.iter().filter(|kind| **kind != FindingKind::Override && subject.claims_kind(**kind));
    scenes.extend(others.map(|kind| {
        let kind = *kind;
        Scene::new(format!("order-of-kind-{kind}"), ComesTo::Finding(kind), move |subject, canary| {
            placed(subject, order_of(kind, canary))
        })
        .not_asked_for()
    }));
    let policy = subject.annotating().unwrap_or_default();
    scenes.into_iter().map(|scene| under_policy(scene, policy)).collect()
}

/// The same orders, refused.
fn suspected(subject: &Subject) -> Vec<Scene> {
    let fails = subject.claims(Claim::Policy) && subject.description.policies.contains(&OnSuspicion::Fail);
    if !subject.claims(Claim::Flag) || !subject.claims_kind(FindingKind::Override) || !fails {
        return Vec::new();
    }
    let policy = Policy { on_suspicion: Some(OnSuspicion::Fail), ..Policy::default() };
    let scenes = orders("refused-order", subject, ComesTo::Refusal(RefusalKind::Suspicion));
    scenes.into_iter().map(|scene| under_policy(scene.not_asked_for(), policy)).collect()
}

fn under_policy(scene: Scene, policy: Policy) -> Scene {
    let plant = Arc::clone(&scene.plant);
    Scene { plant: under(policy, move |subject, canary| plant(subject, canary)), ..scene }
}

/// The plain order with a canary before, inside and after it, in keys and in an encoding.
fn orders(name: &'static str, subject: &Subject, comes_to: ComesTo) -> Vec<Scene> {
    let named = |part: &str| if part.is_empty() { name.to_owned() } else { format!("{name}-{part}") };
    let mut scenes = vec![
        Scene::new(named(""), comes_to, |subject, canary| placed(subject, order(canary))),
        Scene::new(named("right-after-it"), comes_to, |subject, canary| placed(subject, format!("{canary}. {ORDER}"))),
        Scene::new(named("right-before-it"), comes_to, |subject, canary| placed(subject, format!("{ORDER} {canary}"))),
    ];
    if subject.takes_structure() {
        let keyed = |key: fn(&str) -> String| {
            move |_: &Subject, canary: &str| Stimulus::json(json!({"title": "Hours", key(canary): ORDER}))
        };
        let in_key = |_: &Subject, canary: &str| Stimulus::json(json!({"title": "Hours", order(canary): 1}));
        scenes.push(Scene::new(named("in-a-key"), comes_to, in_key).not_asked_for());
        // The key's value matches, and not the key.
        let long = |canary: &str| format!("{canary} ").repeat(12);
        let odd = |canary: &str| format!("\u{202e}{canary}\u{1b}\n");
        for (part, key) in [("under-a-long-key", long as fn(&str) -> String), ("under-an-unprintable-key", odd)] {
            let scene = Scene::new(named(part), comes_to, keyed(key)).not_asked_for();
            scenes.push(Scene { odd_key: true, ..scene });
        }
    }
    if subject.claims(Claim::Decode) {
        let encoded = |subject: &Subject, canary: &str| placed(subject, BASE64_STANDARD.encode(order(canary)));
        let scene = Scene::new(named("in-base64"), comes_to, encoded).not_asked_for();
        scenes.push(Scene { decoded: true, ..scene });
    }
    scenes
}

/// The highest described ceiling that is exceeded here, in its own units.
const LONGEST: u64 = 1 << 16;

fn over_the_ceiling(subject: &Subject) -> Vec<Scene> {
    let (ceiling, policy) = if subject.claims(Claim::Policy) {
        (64, Policy { max_chars: Some(64), ..Policy::default() })
    } else {
        (subject.description.defaults.max_chars, Policy::default())
    };
    if !subject.claims(Claim::Ceiling) || ceiling > LONGEST {
        return Vec::new();
    }
    // Sixteen characters go to a sentence beside the canary, so this is twice the ceiling and more.
    let times = usize::try_from(ceiling).unwrap_or(usize::MAX) / 20 + 2;
    let plant = move |_: &Subject, canary: &str| Stimulus::text(format!("Berth {canary} is free. ").repeat(times));
    vec![under_policy(Scene::new("over-the-ceiling", ComesTo::Cut, plant).not_asked_for(), policy)]
}
