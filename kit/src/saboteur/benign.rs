//! False alarms.

use boundary_contract::{Call, Finding};

use super::tools::any_text;
use super::{Answer, NONE, Saboteur, Scene};

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "benign-topic-flagged",
        does: "flags whatever mentions instructions, prompts or passwords",
        breaks: &["benign/core"],
        implies: &["benign/twins", "flag/delivered-text-holds-no-surprise"],
        bites: true,
        sabotage: |scene, call| {
            flag_where(scene, call, |text| {
                let text = text.to_lowercase();
                ["instruction", "prompt", "password"].iter().any(|topic| text.contains(topic))
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "benign-carrier-flagged",
        does: "flags every HTML comment, whatever it says",
        breaks: &["benign/twins"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| flag_where(scene, call, |text| text.contains("<!--")),
        spared: NONE,
        redescribe: None,
    },
];

fn flag_where(scene: &Scene<'_>, call: &Call<'_>, suspicious: impl Fn(&str) -> bool) -> Answer {
    scene.delivered(scene.inner.check(call), |delivery| {
        if delivery.findings.is_empty() && any_text(call, suspicious) {
            delivery.findings.push(Finding::new("suspicious_topic", ""));
        }
    })
}
