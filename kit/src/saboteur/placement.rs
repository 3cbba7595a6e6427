//! Faults in where an order is looked for, and in how many are reported.

use std::collections::BTreeSet;

use boundary_contract::{Call, Claim, Outcome, Payload, Takes, Token};

use super::flag::{forget, forget_where, unshow};
use super::tools::{any_text, is_text};
use super::{Answer, NONE, Saboteur, Scene, TEXTS_ALONE};
use crate::placeholder::texts;

/// How much of a text a scanner with a short sight reads, in characters.
const SIGHT: usize = 1_000;
/// How many levels a scanner with a short reach goes down.
const REACH: usize = 4;
/// How many entries of a value a scanner without patience looks at.
const PATIENCE: usize = 250;

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "flag-keys-unread",
        does: "does not look into object keys",
        breaks: &["flag/every-place"],
        implies: &[
            "flag/path",
            "flag/each-one",
            "policy/truncate",
            "policy/fail",
            "flag/delivered-text-holds-no-surprise",
            "flag/split-across-fields",
        ],
        bites: false,
        sabotage: keys_unread,
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-bare-text-unread",
        does: "looks into the fields of a value, and not into a value that is a line of text itself",
        breaks: &["flag/every-place"],
        implies: &[
            "flag/path",
            "flag/credential-exfiltration",
            "flag/must-now",
            "flag/tool-call-shaped",
            "flag/hidden-in-markup",
            "flag/encoded",
            "flag/context-does-not-unflag",
            "envelope/flags-shown",
            "policy/truncate-encoded",
            "guard/reason",
            "leak/findings",
        ],
        bites: false,
        sabotage: |scene, call| match is_text(call, |text| !text.contains('\n') && text.len() < SIGHT / 10) {
            true => forget_where(scene, call, |_| true),
            false => scene.inner.check(call),
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-long-text-half-read",
        does: "scans the first thousand characters of a text, and says nothing of the rest",
        breaks: &["flag/every-place"],
        implies: &["flag/path", "flag/context-does-not-unflag", "ceiling/scanned-whole", "policy/fail"],
        bites: false,
        sabotage: half_read,
        spared: |description| {
            let longer = description.defaults.max_chars.min(description.scan_chars.unwrap_or(u64::MAX));
            let short = usize::try_from(longer).is_ok_and(|longer| longer < 2 * SIGHT);
            short.then_some("it takes no text that is longer than what such a scanner reads")
        },
        redescribe: None,
    },
    Saboteur {
        name: "flag-deep-places-unread",
        does: "looks four levels down and no further",
        breaks: &["flag/every-place"],
        implies: &[
            "flag/path",
            "policy/no-off-switch",
            "flag/tool-call-shaped",
            "flag/delivered-text-holds-no-surprise",
        ],
        bites: false,
        sabotage: |scene, call| {
            let deep = call.payload()?.depth() > REACH;
            if deep { forget_where(scene, call, |_| true) } else { scene.inner.check(call) }
        },
        spared: |description| {
            let flat = description.takes == Takes::Text || description.defaults.max_depth <= 4;
            flat.then_some("it takes nothing that is deeper than such a scanner looks")
        },
        redescribe: None,
    },
    Saboteur {
        name: "flag-many-entries-unread",
        does: "gives up on a value with hundreds of entries",
        breaks: &["flag/every-place"],
        implies: &["flag/path", "flag/each-one", "policy/no-off-switch"],
        bites: false,
        sabotage: |scene, call| {
            let many = call.payload()?.tokens().count() > PATIENCE;
            if many { forget_where(scene, call, |_| true) } else { scene.inner.check(call) }
        },
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-fails-open",
        does: "delivers a result bare and unscanned when its scanner fails, as it does over a long row of emoji",
        breaks: &["flag/every-place"],
        implies: &["flag/path", "ceiling/cut-and-marked", "ceiling/rendered-bounded", "benign/twins", "ceiling/exact"],
        bites: false,
        sabotage: |scene, call| {
            let fails = any_text(call, |text| text.matches('\u{1f30a}').count() > 50);
            if !fails {
                return scene.inner.check(call);
            }
            scene.delivered(scene.unseen(call), |delivery| {
                forget(scene, delivery);
                delivery.rendered.clone_from(&delivery.text);
            })
        },
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-path-lost",
        does: "says of each finding that it is about the whole value",
        breaks: &["flag/path"],
        implies: &["flag/each-one"],
        bites: false,
        sabotage: |scene, call| {
            scene.findings(scene.inner.check(call), |findings| {
                findings.iter_mut().for_each(|finding| finding.path.clear());
            })
        },
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-first-finding-alone",
        does: "stops at the first order that it finds",
        breaks: &["flag/each-one"],
        implies: &["flag/path", "flag/hidden-in-markup", "record/flagged-event"],
        bites: false,
        sabotage: |scene, call| {
            let mut answer = scene.findings(scene.inner.check(call), |findings| findings.truncate(1));
            if let Ok(Outcome::Delivered(delivery)) = &mut answer {
                unshow(scene, delivery);
            }
            answer
        },
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-one-finding-a-kind",
        does: "reports each heuristic once, however many fields it matched",
        breaks: &["flag/each-one"],
        implies: &["flag/path", "record/flagged-event"],
        bites: false,
        sabotage: |scene, call| {
            scene.findings(scene.inner.check(call), |findings| {
                let mut seen = BTreeSet::new();
                findings.retain(|finding| seen.insert(finding.heuristic.clone()));
            })
        },
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-context-trusted",
        does: "takes whatever says that it informs, or gives an example, for documentation",
        breaks: &["flag/context-does-not-unflag"],
        implies: &["flag/path"],
        bites: false,
        sabotage: |scene, call| {
            forget_where(scene, call, |text| text.contains("For your information") || text.contains("For example"))
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-diluted",
        does: "flags by the share of the text that reads like an order",
        breaks: &["flag/context-does-not-unflag"],
        implies: &["flag/every-place", "flag/path", "ceiling/scanned-whole", "policy/fail"],
        bites: false,
        sabotage: |scene, call| forget_where(scene, call, |text| text.len() > SIGHT),
        spared: |description| {
            (description.defaults.max_chars < 2_000).then_some("it takes no text in which an order would be thin")
        },
        redescribe: None,
    },
    Saboteur {
        name: "flag-neighbours-apart",
        does: "reads each field on its own",
        breaks: &["flag/split-across-fields"],
        implies: &["flag/delivered-text-holds-no-surprise"],
        bites: false,
        sabotage: neighbours_apart,
        spared: TEXTS_ALONE,
        redescribe: None,
    },
];

/// Findings as they are when each key is a harmless word.
fn keys_unread(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    let payload = call.payload()?;
    let suspicious = |token: Token<'_>| matches!(token, Token::Key(key) if key.contains(' '));
    if !payload.tokens().any(suspicious) {
        return scene.inner.check(call);
    }
    let paths = scene.described.claims(Claim::Paths);
    scene.delivered(scene.unseen(call), |delivery| {
        delivery.findings.retain(|finding| paths && !finding.path.contains("{key}") && !finding.path.contains(' '));
        unshow(scene, delivery);
    })
}

/// Findings as they are when a long text ends after what is read of it.
fn half_read(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    let payload = call.payload()?;
    let cut = |text: &str| text.char_indices().nth(SIGHT).map(|(at, _)| text[..at].to_owned());
    let Some(read) = payload.as_str().and_then(cut) else { return scene.inner.check(call) };
    if scene.instead_of_text(call, &Payload::from(read))?.findings().is_empty() {
        forget_where(scene, call, |_| true)
    } else {
        scene.inner.check(call)
    }
}

/// Findings as they are when no field is read together with the next.
fn neighbours_apart(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    let payload = call.payload()?;
    let fields: Vec<Payload> = texts(&payload).map(Payload::from).collect();
    // What is a call by its shape is found in no text either.
    let call_shaped = any_text(call, |text| ["arguments", "parameters", "input"].contains(&text));
    if payload.as_str().is_some() || fields.len() > 16 || call_shaped {
        return scene.inner.check(call);
    }
    for field in &fields {
        let mut alone = call.clone();
        alone.input = field.into();
        let mut tool = call.tool.clone();
        tool.returns = None;
        alone.tool = &tool;
        if !scene.inner.check(&alone)?.findings().is_empty() {
            return scene.inner.check(call);
        }
    }
    forget_where(scene, call, |_| true)
}
