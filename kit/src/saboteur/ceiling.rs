//! Faults in bounding the size of what is rendered.

use boundary_contract::{Claim, Description, Encoding, Grammar, Payload, Slot};

use super::envelope::nothing_named;
use super::flag::unread;
use super::tools::{any_text, is_text};
use super::{NONE, Saboteur};
use crate::generate::forms::halves;
use crate::oracle::envelope;
use crate::subject::{claimed_markers, length};

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "ceiling-absent",
        does: "delivers a text of any length whole",
        breaks: &["ceiling/cut-and-marked"],
        implies: &[
            "ceiling/exact",
            "ceiling/rendered-bounded",
            "envelope/truncation-shown",
            "policy/defaults",
            "policy/per-tool",
            "leak/refusal",
        ],
        bites: false,
        sabotage: |scene, call| scene.policed(call, |policy| policy.max_chars = Some(u64::MAX)),
        spared: no_policy,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-unmarked",
        does: "cuts a text and says that it is whole",
        breaks: &["ceiling/cut-and-marked"],
        implies: &[
            "ceiling/exact",
            "envelope/truncation-shown",
            "policy/defaults",
            "policy/per-tool",
            "policy/truncate",
            "policy/truncate-encoded",
            "benign/twins",
            "leak/refusal",
        ],
        bites: true,
        sabotage: |scene, call| scene.delivered(scene.inner.check(call), |delivery| delivery.truncated = false),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-always-marked",
        does: "says of every text that it was cut",
        breaks: &["ceiling/exact"],
        implies: &[
            "envelope/truncation-shown",
            "policy/annotate-is-default",
            "policy/defaults",
            "policy/fail",
            "policy/per-tool",
            "policy/truncate",
            "policy/truncate-encoded",
        ],
        bites: false,
        sabotage: |scene, call| scene.delivered(scene.inner.check(call), |delivery| delivery.truncated = true),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-off-by-one",
        does: "cuts a text that just fits",
        breaks: &["ceiling/exact"],
        implies: &["ceiling/cut-and-marked", "ceiling/valid-text", "ceiling/cut-builds-nothing", "policy/defaults"],
        bites: false,
        sabotage: |scene, call| {
            let below = scene.max_chars(call).saturating_sub(1);
            scene.policed(call, |policy| policy.max_chars = Some(below))
        },
        spared: no_policy,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-half-a-character",
        does: "cuts within a character and writes a stand-in for what is left of it",
        breaks: &["ceiling/valid-text"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let wide = any_text(call, |text| text.contains("\u{2713} \u{2713}"));
            scene.delivered(scene.inner.check(call), |delivery| {
                if wide && delivery.truncated {
                    scene.rewrite(delivery, |content| shortened(content, 3) + "\u{fffd}");
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-panics-within-a-character",
        does: "cuts at a byte, and panics where that is within a character",
        breaks: &["ceiling/valid-text"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let wide = any_text(call, |text| text.contains("\u{6f6e} \u{6f6e}"));
            let within = wide && scene.max_chars(call) % 4 == 2;
            assert!(!within, "byte index is not a boundary of characters");
            scene.inner.check(call)
        },
        spared: no_policy,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-accent-lost",
        does: "cuts between a letter and its accent",
        breaks: &["ceiling/valid-text"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            const ACCENT: &str = "\u{301}";
            // A letter in its place, which may be parted from the one before it.
            const PARTED: &str = "Q";
            let outcome = scene.inner.check(call)?;
            let cut = outcome.delivered().is_some_and(|delivery| delivery.truncated);
            if !cut || !any_text(call, |text| text.contains("e\u{301} e\u{301}")) {
                return Ok(outcome);
            }
            let parted = call.payload()?.map_strings(|text| Some(text.replace(ACCENT, PARTED)));
            scene.delivered(scene.instead(call, &parted), |delivery| {
                scene.rewrite(delivery, |content| content.replace(PARTED, ACCENT));
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-halves-joined",
        does: "drops what stands between two halves of a marker",
        breaks: &["ceiling/cut-builds-nothing"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let Some(marker) = claimed_markers(scene.described).next() else { return scene.inner.check(call) };
            let halved = halves(&marker.text).0.repeat(5);
            let halved = any_text(call, |text| text.contains(&halved));
            scene.delivered(scene.inner.check(call), |delivery| {
                if halved && delivery.truncated {
                    scene.rewrite(delivery, |content| shortened(content, marker.text.len()) + &marker.text);
                }
            })
        },
        spared: |description| {
            let markers = description.claims(Claim::Neutralise) && claimed_markers(description).next().is_some();
            (!markers).then_some("it claims no family of structural turn markers")
        },
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-cut-before-scanned",
        does: "scans what is left of a text once it is cut",
        breaks: &["ceiling/scanned-whole"],
        implies: &["policy/no-off-switch"],
        bites: false,
        sabotage: |scene, call| {
            let payload = call.payload()?;
            let (text, ceiling) = (payload.to_text(), scene.max_chars(call));
            if length(&text, scene.described.units) <= ceiling {
                return scene.inner.check(call);
            }
            let left: String = text.chars().take(usize::try_from(ceiling).unwrap_or(usize::MAX)).collect();
            if scene.instead(call, &Payload::from(left))?.findings().is_empty() {
                unread(scene, call)
            } else {
                scene.inner.check(call)
            }
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-scan-gives-up",
        does: "scans a hundred thousand bytes of a text and says nothing of the rest",
        breaks: &["ceiling/scanned-whole"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            if is_text(call, |text| text.len() > 100_000) { unread(scene, call) } else { scene.inner.check(call) }
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-through-the-envelope",
        does: "cuts the rendering, and with it the end of the envelope",
        breaks: &["ceiling/cut-and-marked"],
        implies: &[
            "ceiling/cut-builds-nothing",
            "ceiling/exact",
            "ceiling/rendered-bounded",
            "ceiling/valid-text",
            "envelope/every-delivery",
            "envelope/text-is-content",
            "envelope/truncation-shown",
            "policy/defaults",
            "policy/no-off-switch",
            "policy/per-tool",
            "policy/truncate",
            "policy/truncate-encoded",
            "benign/twins",
        ],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                let parsed = scene.grammar().and_then(|grammar| envelope::parse(&delivery.rendered, grammar).ok());
                if let Some(parsed) = parsed.filter(|_| delivery.truncated) {
                    delivery.rendered.truncate(parsed.content_at + parsed.content.len());
                }
            })
        },
        spared: |description| (!description.claims(Claim::Envelope)).then_some("it claims no envelope"),
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-names-unbounded",
        does: "shows the name of a tool or a source however long it is",
        breaks: &["ceiling/rendered-bounded"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let long = |name: &&str| name.len() > 1_000 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            scene.delivered(scene.inner.check(call), |delivery| {
                for (slot, name) in
                    [(Slot::Tool, Some(call.tool.name.as_str())), (Slot::Source, call.tool.source.as_deref())]
                {
                    if let Some(name) = name.filter(long) {
                        scene.show(delivery, slot, name);
                    }
                }
            })
        },
        spared: nothing_named,
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-encoding-uncounted",
        does: "counts a text before it is encoded",
        breaks: &["ceiling/rendered-bounded"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let swells = any_text(call, |text| !text.is_empty() && text.bytes().all(|byte| byte == b'<'));
            let swollen = scene.max_chars(call).saturating_mul(5);
            scene.policed(call, |policy| {
                if swells {
                    policy.max_chars = Some(swollen)
                }
            })
        },
        spared: |description| {
            let encoding = description.envelope.as_ref().map_or(Encoding::None, Grammar::encoding);
            no_policy(description).or((encoding == Encoding::None).then_some("its content is not encoded"))
        },
        redescribe: None,
    },
    Saboteur {
        name: "ceiling-time-quadratic",
        does: "looks at a text again for each 64 KiB of it",
        breaks: &["ceiling/time"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let length = call.payload()?.as_str().map_or(0, str::len);
            scene.again(call, length >> 16)
        },
        spared: NONE,
        redescribe: None,
    },
];

/// A fault in what a policy sets.
pub(super) fn no_policy(description: &Description) -> Option<&'static str> {
    (!description.claims(Claim::Policy)).then_some("it takes no policy with the call")
}

/// The text without so many of its last characters.
fn shortened(text: &str, by: usize) -> String {
    let length = text.chars().count();
    text.chars().take(length.saturating_sub(by)).collect()
}
