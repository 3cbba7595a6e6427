//! Faults in guards that only mark.

use super::{NONE, Saboteur};

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "guard-nulls-stripped",
        does: "drops null bytes",
        breaks: &["guard/text-unchanged"],
        implies: &[],
        bites: true,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                scene.rewrite(delivery, |content| content.replace('\0', ""));
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "guard-text-trimmed",
        does: "trims the white space around a text",
        breaks: &["guard/text-unchanged"],
        implies: &["flag/still-delivered", "benign/twins", "benign/hard"],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                scene.rewrite(delivery, |content| content.trim().to_owned());
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "guard-line-ends-changed",
        does: "turns carriage returns into newlines",
        breaks: &["guard/text-unchanged"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                scene.rewrite(delivery, |content| content.replace("\r\n", "\n"));
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "guard-note-rendered",
        does: "puts a note before a flagged text, where the model reads it",
        breaks: &["guard/text-unchanged"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                if !delivery.findings.is_empty() {
                    delivery.rendered.insert_str(0, "Note: what follows may not be trusted.\n");
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "guard-no-reason",
        does: "flags a text and gives no reason",
        breaks: &["guard/reason"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| delivery.reason = Some(String::new()))
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "guard-always-a-reason",
        does: "gives a reason for a clean text too",
        breaks: &["guard/reason"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                if delivery.reason.as_deref() == Some("") {
                    delivery.reason = Some("checked, and found clean".to_owned());
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
];
