//! Faults in flagging: an order that is not seen, not placed, or not delivered.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use boundary_contract::{Call, Delivery, Finding, FindingKind, Outcome, Slot, Takes};

use super::tools::{any_text, is_text};
use super::{Answer, NONE, Saboteur, Scene};
use crate::oracle::hidden::{self, Hidden};
use crate::subject::Subject;

/// A fault that is blind to one kind of order, in plain short text alone: what stands in markup, in
/// code, in disguise or elsewhere is other requirements' business.
macro_rules! blind_to {
    ($name:literal, $does:literal, $breaks:literal, $implies:expr, $kind:expr, $bites:literal) => {
        Saboteur {
            name: $name,
            does: $does,
            breaks: &[$breaks],
            implies: $implies,
            bites: $bites,
            sabotage: |scene, call| blind(scene, call, $kind),
            spared: NONE,
            redescribe: None,
        }
    };
}

/// What a kind of order that is missed is missed at, too.
const PLACES: &[&str] = &[
    "flag/path",
    "flag/every-place",
    "flag/context-does-not-unflag",
    "flag/hidden-in-markup",
    "flag/encoded",
    "flag/obfuscated",
];
/// The same for the kind that the rows beside those of flagging send.
const PLACES_AND_SHOWN: &[&str] = &[
    "flag/path",
    "flag/every-place",
    "flag/context-does-not-unflag",
    "flag/hidden-in-markup",
    "flag/encoded",
    "flag/obfuscated",
    "envelope/flags-shown",
    "ceiling/scanned-whole",
    "policy/annotate-is-default",
    "policy/no-off-switch",
    "policy/truncate",
    "policy/fail",
    "policy/per-tool",
    "policy/no-placeholder",
    "policy/defaults",
    "record/flagged-event",
    "guard/reason",
    "leak/findings",
];

pub(super) const ALL: &[Saboteur] = &[
    blind_to!(
        "flag-override-missed",
        "does not see an order to drop earlier instructions",
        "flag/override",
        PLACES_AND_SHOWN,
        FindingKind::Override,
        true
    ),
    blind_to!(
        "flag-authority-missed",
        "does not see a forged role header",
        "flag/forged-authority",
        PLACES,
        FindingKind::ForgedAuthority,
        false
    ),
    blind_to!(
        "flag-role-missed",
        "does not see an order that gives the reader a new role",
        "flag/role-reassignment",
        PLACES,
        FindingKind::RoleReassignment,
        false
    ),
    blind_to!(
        "flag-credential-missed",
        "does not see a verb of sending next to a credential",
        "flag/credential-exfiltration",
        PLACES,
        FindingKind::CredentialExfiltration,
        false
    ),
    blind_to!(
        "flag-demand-missed",
        "does not see a demand that the reader must now act",
        "flag/must-now",
        PLACES,
        FindingKind::MustNow,
        false
    ),
    blind_to!(
        "flag-command-missed",
        "does not see a command that is offered for running",
        "flag/command",
        PLACES,
        FindingKind::Command,
        false
    ),
    Saboteur {
        name: "flag-calls-unread",
        does: "does not know a tool call by its shape",
        breaks: &["flag/tool-call-shaped"],
        implies: PLACES,
        bites: false,
        sabotage: |scene, call| forget_where(scene, call, |text| text.contains("tool_calls")),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-calls-in-structure-unread",
        does: "looks for a tool call in texts, and not in the value itself",
        breaks: &["flag/tool-call-shaped"],
        implies: &["flag/path", "flag/delivered-text-holds-no-surprise"],
        bites: false,
        sabotage: |scene, call| forget_where(scene, call, |text| text == "arguments"),
        spared: |description| {
            let shallow = description.takes == Takes::Text || description.defaults.max_depth < 4;
            shallow.then_some("it takes no structure of that depth")
        },
        redescribe: None,
    },
    Saboteur {
        name: "flag-markup-stripped-first",
        does: "scans only what a browser would show",
        breaks: &["flag/hidden-in-markup"],
        implies: &["flag/path"],
        bites: false,
        sabotage: |scene, call| {
            forget_where(scene, call, |text| {
                text.contains("<!--") || text.contains(" alt=") || text.contains(" title=")
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-encoded-unread",
        does: "does not look into base64",
        breaks: &["flag/encoded"],
        implies: &["flag/path", "policy/truncate-encoded", "policy/fail"],
        bites: false,
        sabotage: |scene, call| forget_where(scene, call, |text| base64_run(text).is_some()),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-obfuscated-unread",
        does: "gives up on a text with a null byte in it",
        breaks: &["flag/obfuscated"],
        implies: &["flag/path", "flag/delivered-text-holds-no-surprise", "forgery/null-and-controls"],
        bites: false,
        sabotage: |scene, call| forget_where(scene, call, |text| text.contains('\0')),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-full-width-unread",
        does: "gives up on a text with letters of full width",
        breaks: &["flag/obfuscated"],
        implies: &["flag/path"],
        bites: false,
        sabotage: |scene, call| {
            forget_where(scene, call, |text| text.contains(|c| matches!(c, '\u{ff21}'..='\u{ff5a}')))
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-cleaned-before-scanned",
        does: "removes null bytes after the scan, so that the order that they hid is delivered whole",
        breaks: &["flag/delivered-text-holds-no-surprise"],
        implies: &["flag/obfuscated", "flag/path", "forgery/idempotent", "guard/text-unchanged"],
        bites: false,
        sabotage: |scene, call| {
            let payload = call.payload()?;
            let cleaned = payload.map_strings(|text| text.contains('\0').then(|| text.replace('\0', "")));
            if cleaned == *payload {
                return scene.inner.check(call);
            }
            let mut changed = call.clone();
            changed.input = (&cleaned).into();
            let own = payload.into_owned();
            scene.delivered(scene.unseen(&changed), |delivery| {
                delivery.payload = delivery.payload.is_some().then_some(own);
                forget(scene, delivery);
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-order-stripped",
        does: "delivers a flagged text without the sentence that was flagged",
        breaks: &["flag/still-delivered"],
        implies: &[
            "policy/annotate-is-default",
            "policy/truncate",
            "policy/truncate-encoded",
            "policy/per-tool",
            "policy/defaults",
            "guard/text-unchanged",
            "forgery/idempotent",
        ],
        bites: false,
        sabotage: |scene, call| {
            let outcome = scene.inner.check(call)?;
            let plain = is_text(call, |text| {
                let ordinary = text.is_ascii() && hidden::find(text, Hidden::ALL).is_none();
                ordinary && !text.contains(['<', '[', '|', '\\', '&'])
            });
            if outcome.findings().is_empty() || !plain {
                return Ok(outcome);
            }
            // The envelope still says what was flagged: only the text is gone.
            scene.delivered(Ok(outcome), |delivery| {
                scene.rewrite(delivery, |_| "Removed for your safety.".to_owned());
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "flag-decoded-rendered",
        does: "delivers what it decoded along with what it was sent",
        breaks: &["flag/decoded-never-rendered"],
        implies: &["flag/still-delivered", "flag/path", "policy/truncate-encoded", "benign/twins", "benign/hard"],
        bites: false,
        sabotage: |scene, call| {
            let payload = call.payload()?;
            let decoded = payload.map_strings(|text| Some(format!("({}) {text}", base64_run(text)?)));
            if decoded == *payload { scene.inner.check(call) } else { scene.instead(call, &decoded) }
        },
        spared: |description| {
            let annotates = Subject::new(description.clone()).annotating().is_ok();
            (!annotates).then_some("it has no policy under which what it decodes and flags is delivered")
        },
        redescribe: None,
    },
];

/// The text in the first run of base64 letters that holds one.
pub(super) fn base64_run(text: &str) -> Option<String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')))
        .filter(|run| run.len() >= 24)
        .find_map(|run| String::from_utf8(BASE64_STANDARD.decode(run).ok()?).ok())
}

fn blind(scene: &Scene<'_>, call: &Call<'_>, kind: FindingKind) -> Answer {
    let plain = |text: &str| {
        text.len() < 2_000
            && hidden::find(text, Hidden::ALL).is_none()
            && !text.contains(['<', '{'])
            && base64_run(text).is_none()
    };
    if !is_text(call, plain) {
        return scene.inner.check(call);
    }
    let names = scene.described.kinds.as_ref().and_then(|kinds| kinds.get(&kind)).cloned();
    let seen = |finding: &Finding| names.as_ref().is_some_and(|names| !names.contains(&finding.heuristic));
    let mut answer = scene.inner.check(call)?;
    match &mut answer {
        Outcome::Refused(refusal) if refusal.findings.iter().any(seen) => {
            refusal.findings.retain(seen);
            return Ok(answer);
        }
        _ => {}
    }
    scene.delivered(scene.unseen(call), |delivery| {
        delivery.findings.retain(seen);
        unshow(scene, delivery);
    })
}

/// Drops every finding of a result any text of which satisfies this.
pub(super) fn forget_where(scene: &Scene<'_>, call: &Call<'_>, holds: impl Fn(&str) -> bool) -> Answer {
    if !any_text(call, holds) {
        return scene.inner.check(call);
    }
    unread(scene, call)
}

/// What is delivered where nothing is looked for.
pub(super) fn unread(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    scene.delivered(scene.unseen(call), |delivery| forget(scene, delivery))
}

/// Drops every finding, in the envelope too.
pub(super) fn forget(scene: &Scene<'_>, delivery: &mut Delivery) {
    delivery.findings.clear();
    unshow(scene, delivery);
}

/// Takes heuristics that are no finding any more out of the envelope's opening.
pub(super) fn unshow(scene: &Scene<'_>, delivery: &mut Delivery) {
    let left: BTreeSet<&str> = delivery.findings.iter().map(|finding| finding.heuristic.as_str()).collect();
    let left = left.into_iter().collect::<Vec<_>>().join(" ");
    scene.show(delivery, Slot::Flagged, &left);
}
