//! Faults in neutralising.

use boundary_contract::{Call, Claim, Description, Encoding, Finding, Payload};
use boundary_corpus::{Marker, Matching};

use super::tools::{any_text, is_text};
use super::{Answer, NONE, Saboteur, Scene, TEXTS_ALONE};
use crate::generate::forms::{full_width, mixed_case};
use crate::generate::turns::json_escaped;
use crate::oracle::hidden::{self, Hidden};
use crate::subject::claimed_markers;

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "forgery-marker-unknown",
        does: "does not know the last of the turn markers that it claims",
        breaks: &["forgery/turn-markers"],
        implies: &["forgery/survives-reading"],
        bites: false,
        sabotage: |scene, call| match claimed(scene).last() {
            // Its spelling alone, as a list lacks it; where it stands inside another it is not this fault.
            Some(marker) if is_text(call, |text| text.lines().any(|line| line == marker.text)) => {
                scene.smuggle(call, &marker.text, &marker.text)
            }
            _ => scene.inner.check(call),
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-removed-once",
        does: "deletes a marker and leaves what its removal puts together",
        breaks: &["forgery/no-reconstruction"],
        implies: &["forgery/idempotent", "flag/delivered-text-holds-no-surprise"],
        bites: false,
        sabotage: removed_once,
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-escapes-again",
        does: "changes a text that it delivered before",
        breaks: &["forgery/idempotent"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            // The call before this one, and only where that was hostile: ordinary text comes again by chance.
            let again = is_text(call, |text| scene.last().as_deref() == Some(text));
            let hostile = any_text(call, |text| {
                hidden::find(text, Hidden::ALL).is_some() || claimed(scene).any(|marker| text.contains(&marker.text))
            });
            scene.delivered(scene.inner.check(call), |delivery| {
                let remembered = hostile && !again && delivery.findings.is_empty();
                scene.remember(if remembered { delivery.text.clone() } else { String::new() });
                if again {
                    scene.rewrite(delivery, |content| format!("{content}."));
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-escapes-unread",
        does: "does not read a marker spelled in JSON escapes",
        breaks: &["forgery/survives-reading"],
        implies: &["ceiling/cut-builds-nothing"],
        bites: false,
        sabotage: |scene, call| {
            let escaped = claimed(scene).find_map(|marker| {
                let escaped = json_escaped(&marker.text);
                is_text(call, |text| text.contains(&escaped)).then_some(escaped)
            });
            match escaped {
                Some(escaped) => scene.smuggle(call, &escaped, &escaped),
                None => scene.inner.check(call),
            }
        },
        spared: in_json_escapes,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-null-kept",
        does: "delivers null bytes",
        breaks: &["forgery/null-and-controls"],
        implies: &["forgery/everywhere", "forgery/survives-reading"],
        bites: false,
        sabotage: |scene, call| smuggle_character(scene, call, '\0'),
        spared: in_json_escapes,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-bidi-kept",
        does: "delivers right-to-left overrides",
        breaks: &["forgery/bidi"],
        implies: &["forgery/everywhere", "forgery/survives-reading"],
        bites: false,
        sabotage: |scene, call| smuggle_character(scene, call, '\u{202e}'),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-tags-kept",
        does: "delivers tag characters that spell a hidden message",
        breaks: &["forgery/invisible"],
        implies: &["forgery/everywhere", "forgery/survives-reading"],
        bites: false,
        sabotage: tags_kept,
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-tabs-flattened",
        does: "writes a space for a tab",
        breaks: &["forgery/whitespace-survives"],
        implies: &["envelope/content-readable", "flag/still-delivered", "benign/twins", "benign/hard"],
        bites: false,
        sabotage: |scene, call| flattened(scene, call, "\t", " "),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-joiners-dropped",
        does: "drops every zero-width joiner, also in an emoji",
        breaks: &["forgery/legitimate-text-survives"],
        implies: &["ceiling/valid-text", "benign/hard", "benign/twins"],
        bites: false,
        sabotage: |scene, call| flattened(scene, call, "\u{200d}", ""),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-payload-cleaned",
        does: "hands the host the cleaned text in place of the evidence",
        breaks: &["forgery/payload-kept"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let hostile = any_text(call, |text| hidden::find(text, &[Hidden::Null]).is_some());
            scene.delivered(scene.inner.check(call), |delivery| {
                if hostile && delivery.payload.is_some() {
                    delivery.payload = Some(Payload::from(delivery.text.as_str()));
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-no-trace",
        does: "deletes a marker and leaves nothing to be seen in its place",
        breaks: &["forgery/leaves-a-trace"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            // A line of its own, as a turn begins; what stands inside a line is left to the boundary.
            let payload = call.payload()?;
            let deleted = payload.map_strings(|text| {
                let marker = claimed(scene).find(|marker| text.lines().any(|line| line == marker.text))?;
                Some(text.replace(&marker.text, ""))
            });
            if deleted == *payload { scene.inner.check(call) } else { scene.instead(call, &deleted) }
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-keys-untouched",
        does: "delivers object keys as they are",
        breaks: &["forgery/everywhere"],
        implies: &["forgery/idempotent", "envelope/text-is-content", "flag/delivered-text-holds-no-surprise"],
        bites: false,
        sabotage: keys_untouched,
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-template-evaluated",
        does: "evaluates a template expression in a result",
        breaks: &["forgery/never-evaluated"],
        implies: &[],
        bites: true,
        sabotage: |scene, call| flattened(scene, call, "{{7*7}}", "49"),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-normalised-last",
        does: "brings full-width letters into their plain form after it has looked for markers",
        breaks: &["forgery/survives-reading"],
        implies: &["forgery/no-reconstruction", "forgery/idempotent", "flag/delivered-text-holds-no-surprise"],
        bites: false,
        sabotage: |scene, call| smuggle_line(scene, call, full_width, |marker| marker.to_owned()),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-detected-only",
        does: "reports a marker in mixed case, and delivers it: the detector's list is wider than the neutraliser's",
        breaks: &["forgery/survives-reading"],
        implies: &["forgery/turn-markers"],
        bites: false,
        sabotage: |scene, call| {
            let folded = |text: &str| Some(mixed_case(text)).filter(|mixed| mixed != text);
            let hit = claimed(scene).filter(|marker| marker.matching == Matching::Folded).find_map(|marker| {
                let mixed = folded(&marker.text)?;
                is_text(call, |text| text.lines().any(|line| line == mixed)).then_some(mixed)
            });
            let Some(mixed) = hit else { return scene.inner.check(call) };
            scene.delivered(scene.smuggle(call, &mixed, &mixed), |delivery| {
                delivery.findings.push(Finding::new("turn_marker", ""));
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-entities-decoded-last",
        does: "reads HTML entities after everything else is done",
        breaks: &["forgery/never-evaluated"],
        implies: &[
            "benign/twins",
            "forgery/survives-reading",
            "forgery/idempotent",
            "forgery/legitimate-text-survives",
            "flag/still-delivered",
            "flag/delivered-text-holds-no-surprise",
            "guard/text-unchanged",
        ],
        bites: false,
        sabotage: |scene, call| {
            const READ: [(&str, &str); 4] = [("&lt;", "<"), ("&#60;", "<"), ("&#x3c;", "<"), ("&copy;", "\u{a9}")];
            match READ.iter().find(|(entity, _)| any_text(call, |text| text.contains(entity))) {
                Some((entity, character)) => scene.smuggle(call, entity, character),
                None => scene.inner.check(call),
            }
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-selectors-joined",
        does: "removes what parts two variation selectors, and delivers the run that is left",
        breaks: &["forgery/no-reconstruction"],
        implies: &["forgery/idempotent", "forgery/invisible"],
        bites: false,
        sabotage: |scene, call| {
            const PARTED: &str = "\u{fe0e}\u{200b}\u{fe0f}";
            scene.smuggle(call, PARTED, "\u{fe0e}\u{fe0f}")
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-direction-marks-kept",
        does: "delivers a row of direction marks, which spell hidden text",
        breaks: &["forgery/invisible"],
        implies: &["forgery/idempotent"],
        bites: false,
        sabotage: |scene, call| scene.smuggle(call, "\u{200f}\u{200e}\u{200f}", "\u{200f}\u{200e}\u{200f}"),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-last-byte-missed",
        does: "does not see a marker with nothing behind it",
        breaks: &["forgery/everywhere"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let last = claimed(scene).find(|marker| {
                is_text(call, |text| text.strip_suffix(&*marker.text).is_some_and(|before| before.ends_with('\n')))
            });
            match last {
                Some(marker) => scene.smuggle(call, &marker.text, &marker.text),
                None => scene.inner.check(call),
            }
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "forgery-quoted-marker-deleted",
        does: "deletes a marker that a text only quotes, and leaves the empty quotes",
        breaks: &["forgery/leaves-a-trace"],
        implies: &["forgery/turn-markers", "forgery/legitimate-text-survives"],
        bites: false,
        sabotage: |scene, call| {
            let payload = call.payload()?;
            let deleted = payload.map_strings(|text| {
                let quoted = claimed(scene).map(|marker| format!("`{}`", marker.text));
                let quoted = quoted.into_iter().find(|quoted| text.contains(quoted))?;
                Some(text.replace(&quoted, "``"))
            });
            if deleted == *payload { scene.inner.check(call) } else { scene.instead(call, &deleted) }
        },
        spared: NONE,
        redescribe: None,
    },
];

/// Content that is the inside of a JSON string: no control stands in it raw, and what is written in
/// escapes is not read through them.
fn in_json_escapes(description: &Description) -> Option<&'static str> {
    let envelope = description.envelope.as_ref().filter(|_| description.claims(Claim::Envelope));
    let escapes = envelope.is_some_and(|envelope| envelope.encoding() == Encoding::Json);
    escapes.then_some("its content is written in JSON escapes")
}

/// The structural markers that the boundary claims to neutralise.
fn claimed(scene: &Scene<'_>) -> impl DoubleEndedIterator<Item = &'static Marker> {
    claimed_markers(scene.described)
}

/// Lets a marker that is a line of its own in some disguise past the boundary, as `delivered` makes it.
fn smuggle_line(
    scene: &Scene<'_>,
    call: &Call<'_>,
    disguised: fn(&str) -> String,
    delivered: fn(&str) -> String,
) -> Answer {
    let hit = claimed(scene).find(|marker| {
        let disguised = disguised(&marker.text);
        is_text(call, |text| text.lines().any(|line| line == disguised))
    });
    match hit {
        Some(marker) => scene.smuggle(call, &disguised(&marker.text), &delivered(&marker.text)),
        None => scene.inner.check(call),
    }
}

/// What a boundary would say had one piece of the text been another.
fn flattened(scene: &Scene<'_>, call: &Call<'_>, from: &str, to: &str) -> Answer {
    let payload = call.payload()?;
    let changed = payload.map_strings(|text| text.contains(from).then(|| text.replace(from, to)));
    if changed == *payload { scene.inner.check(call) } else { scene.instead(call, &changed) }
}

/// Lets a character past the boundary, unless it could hide more from it than itself: a marker that it
/// splits, or an order.
fn smuggle_character(scene: &Scene<'_>, call: &Call<'_>, character: char) -> Answer {
    let outcome = scene.inner.check(call)?;
    let harmless = is_text(call, |text| !text.contains(['<', '[', '|', '\u{ff5c}']));
    if !harmless || !outcome.findings().is_empty() {
        return Ok(outcome);
    }
    let text = String::from(character);
    scene.smuggle(call, &text, &text)
}

/// Deletes the first marker that stands inside another, so that the outer one closes up.
fn removed_once(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    let payload = call.payload()?;
    let Some(text) = payload.as_str() else { return scene.inner.check(call) };
    for marker in claimed(scene) {
        let deleted = text.replace(&marker.text, "");
        if deleted.len() < text.len() && deleted.contains(&marker.text) {
            let mut changed = call.clone();
            let deleted = Payload::from(deleted);
            changed.input = (&deleted).into();
            return scene.smuggle(&changed, &marker.text, &marker.text);
        }
    }
    scene.inner.check(call)
}

/// Lets one tag character past the boundary, where it is not part of a flag.
fn tags_kept(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    let payload = call.payload()?;
    let tag = crate::placeholder::texts(&payload).find_map(|text| hidden::find(text, &[Hidden::Tag]));
    match tag.and_then(|hit| char::from_u32(hit.code_point)) {
        Some(tag) => smuggle_character(scene, call, tag),
        None => scene.inner.check(call),
    }
}

/// Gives the boundary harmless keys and puts the real ones back into the JSON that it delivers.
fn keys_untouched(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    let payload = call.payload()?;
    let key = payload.tokens().find_map(|token| match token {
        boundary_contract::Token::Key(key) if claimed(scene).any(|marker| key.contains(&marker.text)) => Some(key),
        _ => None,
    });
    match key {
        Some(key) => scene.smuggle(call, key, key),
        None => scene.inner.check(call),
    }
}
