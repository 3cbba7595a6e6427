//! False alarms.

use boundary_contract::{Call, Finding, Refusal, RefusalKind};

use super::tools::any_text;
use super::{Answer, NONE, Saboteur, Scene};

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "benign-topic-flagged",
        does: "flags whatever mentions instructions, prompts or passwords",
        breaks: &["benign/core"],
        implies: &[
            "benign/twins",
            "flag/delivered-text-holds-no-surprise",
            "ceiling/scanned-whole",
            "policy/no-off-switch",
            "policy/truncate",
            "policy/fail",
            "guard/reason",
            "benign/hard",
        ],
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
    Saboteur {
        name: "benign-other-alphabets-flagged",
        does: "flags whatever is written in another alphabet than the Latin one",
        breaks: &["benign/hard"],
        implies: &["benign/twins", "benign/core", "flag/delivered-text-holds-no-surprise"],
        bites: false,
        sabotage: |scene, call| {
            flag_where(scene, call, |text| text.chars().any(|c| c.is_alphabetic() && u32::from(c) > 0x250))
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "benign-image-flagged",
        does: "flags every Markdown image",
        breaks: &["benign/twins"],
        implies: &["benign/hard"],
        bites: false,
        sabotage: |scene, call| flag_where(scene, call, |text| text.contains("![") && text.contains("](")),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "benign-fenced-command-flagged",
        does: "flags every command in a fence, whoever runs it",
        breaks: &["benign/twins"],
        implies: &["benign/hard", "forgery/legitimate-text-survives", "forgery/never-evaluated"],
        bites: false,
        sabotage: |scene, call| {
            flag_where(scene, call, |text| {
                text.contains("```")
                    && ["curl ", "pip ", "git ", "find ", "npm "].iter().any(|name| text.contains(name))
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "benign-greeting-flagged",
        does: "flags whatever the reader is now, logged in among it",
        breaks: &["benign/core"],
        implies: &["benign/twins", "benign/hard"],
        bites: false,
        sabotage: |scene, call| flag_where(scene, call, |text| text.to_lowercase().contains("you are now")),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "benign-topic-refused",
        does: "refuses whatever mentions a password",
        breaks: &["benign/core"],
        implies: &["benign/twins", "benign/hard", "flag/credential-exfiltration"],
        bites: false,
        sabotage: |scene, call| {
            let answer = scene.inner.check(call)?;
            let harmless = answer.findings().is_empty() && any_text(call, |text| text.contains("password"));
            Ok(if harmless { Refusal::new(RefusalKind::Suspicion, "not allowed here").into() } else { answer })
        },
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
