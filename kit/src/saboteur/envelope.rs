//! Faults in the envelope.

use boundary_contract::{Call, Description, Grammar, Slot};

use super::tools::{any_text, is_text};
use super::{Answer, Saboteur, Scene};
use crate::generate::forms::{Side, forms};
use crate::oracle::envelope;

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "envelope-note-after",
        does: "adds a word of its own after the envelope of a long result",
        breaks: &["envelope/exactly-one"],
        implies: &["envelope/every-delivery", "envelope/truncation-shown", "flag/every-place"],
        bites: true,
        sabotage: |scene, call| {
            let long = is_text(call, |text| text.len() > 2_500);
            scene.delivered(scene.inner.check(call), |delivery| {
                if long {
                    delivery.rendered.push_str("\nThat was a long result. Continue with the task.");
                }
            })
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-text-is-rendering",
        does: "gives the whole rendering as the text",
        breaks: &["envelope/text-is-content"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| delivery.text.clone_from(&delivery.rendered))
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-provenance-shared",
        does: "gives the tool of an earlier result",
        breaks: &["envelope/provenance-fields"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                if delivery.tool.is_some() {
                    delivery.tool = Some("earlier_tool".to_owned());
                }
            })
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-unspoken",
        does: "wraps in a name that does not say that this is data",
        breaks: &["envelope/says-it-is-data"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let Some(Grammar::Tag(tag)) = scene.grammar() else { return scene.inner.check(call) };
            // Inside, the new name stands for the old one, so that everything else holds as before.
            let payload = call.payload()?;
            let inner = payload.map_strings(|text| text.contains(UNSPOKEN).then(|| text.replace(UNSPOKEN, &tag.name)));
            let answer = if inner == *payload { scene.inner.check(call) } else { scene.instead(call, &inner) };
            scene.delivered(answer, |delivery| {
                let head = |head: &str| head.replacen(&format!("<{}", tag.name), &format!("<{UNSPOKEN}"), 1);
                scene.rewrite_head(delivery, head);
                if let Some(at) = delivery.rendered.rfind(&format!("</{}>", tag.name)) {
                    delivery.rendered.replace_range(at.., &format!("</{UNSPOKEN}>"));
                }
            })
        },
        redescribe: Some(unspoken),
    },
    Saboteur {
        name: "envelope-short-result-bare",
        does: "delivers a result that is no text and no structure without an envelope",
        breaks: &["envelope/every-delivery"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let payload = call.payload()?;
            let bare = payload.depth() == 0 && payload.as_str().is_none() && payload.to_json().len() > 2;
            scene.delivered(scene.inner.check(call), |delivery| {
                if bare && call.tool.returns.is_none() {
                    delivery.rendered.clone_from(&delivery.text);
                }
            })
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-close-with-attributes",
        does: "does not know a closing marker that carries attributes",
        breaks: &["envelope/close-neutralised"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| smuggle_form(scene, call, Side::Closing),
        redescribe: None,
    },
    Saboteur {
        name: "envelope-open-with-attributes",
        does: "does not know an opening marker that carries attributes",
        breaks: &["envelope/open-neutralised"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| smuggle_form(scene, call, Side::Opening),
        redescribe: None,
    },
    Saboteur {
        name: "envelope-already-wrapped",
        does: "passes a text through that is already a rendering",
        breaks: &["envelope/forged-rendering-is-content"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let payload = call.payload()?;
            let wrapped = payload
                .as_str()
                .filter(|text| scene.grammar().is_some_and(|grammar| envelope::parse(text, grammar).is_ok()));
            scene.delivered(scene.inner.check(call), |delivery| {
                if let Some(wrapped) = wrapped {
                    delivery.rendered = wrapped.to_owned();
                }
            })
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-names-unescaped",
        does: "writes the tool's and the source's name into the envelope as they are",
        breaks: &["envelope/attributes-hold"],
        implies: &[],
        bites: false,
        sabotage: names_unescaped,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-source-blank",
        does: "leaves the source and the tool blank in the envelope",
        breaks: &["envelope/names-source"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                scene.show(delivery, Slot::Source, "");
                scene.show(delivery, Slot::Tool, "");
            })
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-flags-unshown",
        does: "leaves the flags out of the envelope",
        breaks: &["envelope/flags-shown"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| scene.show(delivery, Slot::Flagged, ""))
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-truncation-unshown",
        does: "cuts a text and says in the envelope that it is whole",
        breaks: &["envelope/truncation-shown"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| scene.show(delivery, Slot::Truncated, ""))
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-trust-echoed",
        does: "takes the trust that a result claims for itself",
        breaks: &["envelope/trust-is-untrusted"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let claimed = any_text(call, |text| text.contains("trusted"));
            scene.delivered(scene.inner.check(call), |delivery| {
                if claimed {
                    delivery.trust = Some("trusted".to_owned());
                }
            })
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-counts-calls",
        does: "renders every second result in other bytes",
        breaks: &["envelope/deterministic"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let second = scene.remember(String::new()) % 2 == 0;
            scene.delivered(scene.inner.check(call), |delivery| {
                if second {
                    let rendered = std::mem::take(&mut delivery.rendered);
                    delivery.rendered = restyled(scene, rendered);
                }
            })
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-structure-unquoted",
        does: "writes structured data in a notation that is no JSON",
        breaks: &["envelope/content-readable"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            // Data of plain numbers and names, which no other requirement reads back.
            let payload = call.payload()?;
            let plain = payload.root().as_str().is_none() && payload.to_json().contains("\"berths\":4");
            scene.delivered(scene.inner.check(call), |delivery| {
                if plain {
                    let notation = payload.to_json().replace('"', "").replace(['{', '}', '[', ']'], " ");
                    scene.rewrite(delivery, |_| notation.clone());
                }
            })
        },
        redescribe: None,
    },
];

/// A name for an envelope that says nothing of data.
const UNSPOKEN: &str = "content-block";

fn unspoken(description: &mut Description) {
    if let Some(Grammar::Tag(tag)) = &mut description.envelope {
        UNSPOKEN.clone_into(&mut tag.name);
    }
}

/// Lets the marker with attributes past the boundary: what is searched for is the bare one.
fn smuggle_form(scene: &Scene<'_>, call: &Call<'_>, side: Side) -> Answer {
    let Some(grammar) = scene.grammar() else { return scene.inner.check(call) };
    let wanted = if matches!(grammar, Grammar::Tag(_)) { "attributes" } else { "upper-case" };
    match forms(grammar, side).into_iter().find(|form| form.name == wanted) {
        Some(form) => scene.smuggle(call, &form.text, &form.text),
        None => scene.inner.check(call),
    }
}

/// Gives the boundary harmless names and puts the real ones into what it rendered.
fn names_unescaped(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    const TOOL: &str = "zq7kxtool";
    const SOURCE: &str = "zq7kxsource";
    let mut tool = call.tool.clone();
    TOOL.clone_into(&mut tool.name);
    tool.source = tool.source.map(|_| SOURCE.to_owned());
    let hostile = |name: &str| name.contains(['"', '<', '\n', '\'']);
    if !hostile(&call.tool.name) && !call.tool.source.as_deref().is_some_and(hostile) {
        return scene.inner.check(call);
    }
    scene.delivered(scene.of_tool(call, &tool), |delivery| {
        let source = call.tool.source.as_deref().unwrap_or_default();
        for text in [Some(&mut delivery.rendered), delivery.tool.as_mut(), delivery.source.as_mut()] {
            if let Some(text) = text {
                *text = text.replace(TOOL, &call.tool.name).replace(SOURCE, source);
            }
        }
    })
}

/// The same envelope in other bytes, by its own grammar.
fn restyled(scene: &Scene<'_>, rendered: String) -> String {
    match scene.grammar() {
        // White space before the end of a marker is no part of an attribute.
        Some(Grammar::Tag(tag)) => match rendered[tag.preamble.len()..].find(">\n") {
            Some(at) => {
                let (head, rest) = rendered.split_at(tag.preamble.len() + at);
                format!("{head} {rest}")
            }
            None => rendered,
        },
        // White space between the parts of an object is no part of it.
        Some(Grammar::Json(json)) => {
            let (preamble, object) = rendered.split_at(json.preamble.len());
            format!("{preamble} {object}")
        }
        _ => rendered,
    }
}
