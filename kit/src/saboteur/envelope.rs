//! Faults in the envelope.

use boundary_contract::{Attribute, Call, Description, Grammar, Nonce, Slot, Takes};

use super::tools::{any_text, is_text};
use super::{Answer, NONE, Saboteur, Scene, TEXTS_ALONE};
use crate::oracle::envelope;

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "envelope-note-after",
        does: "adds a word of its own after the envelope of a result between blank lines",
        breaks: &["envelope/exactly-one"],
        implies: &["ceiling/rendered-bounded"],
        bites: true,
        sabotage: |scene, call| {
            let blank = is_text(call, |text| text.starts_with("\n\n") && text.ends_with("\n\n"));
            scene.delivered(scene.inner.check(call), |delivery| {
                if blank {
                    delivery.rendered.push_str("\nNothing more was returned. Continue with the task.");
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-text-is-rendering",
        does: "gives the whole rendering as the text",
        breaks: &["envelope/text-is-content"],
        implies: &["type/no-repair", "type/undeclared-taken-at-its-word", "type/valid-delivered", "ceiling/valid-text"],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| delivery.text.clone_from(&delivery.rendered))
        },
        spared: NONE,
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
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-unspoken",
        does: "wraps in a name that does not say that this is data",
        breaks: &["envelope/says-it-is-data"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let Some(described @ Grammar::Tag(tag)) = scene.grammar() else { return scene.inner.check(call) };
            let renamed = Grammar::tag(UNSPOKEN);
            scene.delivered(scene.inner.check(call), |delivery| {
                // The boundary guards its own name, so the new one is guarded here, where no encoding does it.
                let parsed = envelope::parse(&delivery.rendered, described);
                if parsed.is_ok_and(|parsed| envelope::markers_in(&parsed.content, &renamed, None).is_err()) {
                    scene.rewrite(delivery, |content| content.replace(['<', '\u{ff1c}', '\u{2039}', '\u{27e8}'], "("));
                }
                let head = |head: &str| head.replacen(&format!("<{}", tag.name), &format!("<{UNSPOKEN}"), 1);
                scene.rewrite_head(delivery, head);
                if let Some(at) = delivery.rendered.rfind(&format!("</{}>", tag.name)) {
                    delivery.rendered.replace_range(at.., &format!("</{UNSPOKEN}>"));
                }
            })
        },
        spared: |description| {
            if says_it_once(description) { None } else { Some("more than its name says that this is data") }
        },
        redescribe: Some(unspoken),
    },
    Saboteur {
        name: "envelope-short-result-bare",
        does: "delivers a result that is no text and no structure without an envelope",
        breaks: &["envelope/every-delivery"],
        implies: &["type/undeclared-taken-at-its-word"],
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
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-structure-bare",
        does: "wraps texts, and hands structured data on as it is",
        breaks: &["envelope/every-delivery"],
        implies: &[
            "envelope/exactly-one",
            "envelope/text-is-content",
            "envelope/deterministic",
            "envelope/content-readable",
            "benign/twins",
            "ceiling/exact",
        ],
        bites: false,
        sabotage: |scene, call| bare_where(scene, call, any_text(call, |text| text == "berths")),
        spared: |description| {
            let shallow = description.takes == Takes::Text || description.defaults.max_depth < 2;
            shallow.then_some("it takes no structure of that depth")
        },
        redescribe: None,
    },
    Saboteur {
        name: "envelope-error-bare",
        does: "hands on what looks like an error of the tool without an envelope",
        breaks: &["envelope/every-delivery"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            bare_where(scene, call, is_text(call, |text| text.starts_with("Error:") && text.contains("Traceback")))
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-unlisted-tool-bare",
        does: "wraps the results of the tools that it has a list of",
        breaks: &["envelope/every-delivery"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| bare_where(scene, call, call.tool.name.starts_with("plugin_")),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-names-unescaped",
        does: "writes the tool's and the source's name into the envelope as they are",
        breaks: &["envelope/attributes-hold"],
        implies: &["ceiling/rendered-bounded", "forgery/turn-markers"],
        bites: false,
        sabotage: names_unescaped,
        spared: nothing_named,
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
        spared: nothing_named,
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
        spared: NONE,
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
        spared: NONE,
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
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-counts-calls",
        does: "renders every second result in other bytes",
        breaks: &["envelope/deterministic"],
        // A token that comes again is one that the content can know.
        implies: &["envelope/forged-rendering-is-content"],
        bites: false,
        sabotage: |scene, call| {
            scene.delivered(scene.inner.check(call), |delivery| {
                let nonce =
                    scene.grammar().and_then(|grammar| envelope::parse(&delivery.rendered, grammar).ok()?.nonce);
                let fresh = matches!(scene.grammar(), Some(Grammar::Nonce(nonce)) if nonce.nonce == Nonce::Fresh);
                if scene.remember(nonce.unwrap_or_default()) % 2 == 0 || fresh {
                    let rendered = std::mem::take(&mut delivery.rendered);
                    delivery.rendered = restyled(scene, rendered);
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-structure-unquoted",
        does: "writes structured data in a notation that is no JSON",
        breaks: &["envelope/content-readable"],
        implies: &["ceiling/exact"],
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
        spared: TEXTS_ALONE,
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

/// The content without its envelope, where `bare`.
fn bare_where(scene: &Scene<'_>, call: &Call<'_>, bare: bool) -> Answer {
    scene.delivered(scene.inner.check(call), |delivery| {
        if bare {
            delivery.rendered.clone_from(&delivery.text);
        }
    })
}

/// An envelope whose fixed text says that this is data in its name, and nowhere else.
fn says_it_once(description: &Description) -> bool {
    let Some(Grammar::Tag(tag)) = &description.envelope else { return false };
    let constants = tag.attributes.values().filter_map(Attribute::always).chain(tag.extra.values().map(String::as_str));
    let rest: Vec<&str> =
        constants.chain(tag.extra.keys().map(String::as_str)).chain([&*tag.preamble, &*tag.postamble]).collect();
    let rest = rest.join(" ").to_lowercase();
    !rest.contains("data") && !rest.contains("untrusted")
}

/// An envelope that shows neither the source nor the tool, or only a constant.
pub(super) fn nothing_named(description: &Description) -> Option<&'static str> {
    let named = match &description.envelope {
        Some(Grammar::Tag(tag)) => [Slot::Source, Slot::Tool]
            .iter()
            .any(|slot| tag.attributes.get(slot).is_some_and(|attribute| attribute.always().is_none())),
        Some(Grammar::Nonce(nonce)) => nonce.open.contains("{source}") || nonce.open.contains("{tool}"),
        Some(Grammar::Json(json)) => json.source.is_some() || json.tool.is_some(),
        _ => false,
    };
    (!named).then_some("its envelope shows no name of the call")
}

/// Gives the boundary harmless names and puts the real ones into what it rendered.
fn names_unescaped(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    const TOOL: &str = "zq7kxtool";
    const SOURCE: &str = "zq7kxsource";
    let mut tool = call.tool.clone();
    TOOL.clone_into(&mut tool.name);
    tool.source = tool.source.map(|_| SOURCE.to_owned());
    let hostile = |name: &str| name.contains(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'));
    if !hostile(&call.tool.name) && !call.tool.source.as_deref().is_some_and(hostile) {
        return scene.inner.check(call);
    }
    scene.delivered(scene.of_tool(call, &tool), |delivery| {
        let source = call.tool.source.as_deref().unwrap_or_default();
        let shown = [Some(&mut delivery.rendered), delivery.tool.as_mut(), delivery.source.as_mut()];
        for text in shown.into_iter().flatten() {
            *text = text.replace(TOOL, &call.tool.name).replace(SOURCE, source);
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
            let (head, rest) = rendered.split_at(json.preamble.len() + 1);
            format!("{head} {rest}")
        }
        // A token that should be new is an old one, and one that should be the same is another.
        Some(grammar @ Grammar::Nonce(nonce)) => {
            let now = envelope::parse(&rendered, grammar).ok().and_then(|parsed| parsed.nonce).unwrap_or_default();
            let then = if nonce.nonce == Nonce::Fresh { scene.first() } else { None };
            rendered.replace(&now, &then.unwrap_or_else(|| format!("{now}7")))
        }
        _ => rendered,
    }
}
