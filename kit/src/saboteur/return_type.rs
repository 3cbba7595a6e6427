//! Faults in holding a value to its type.

use boundary_contract::{Builder, Call, Claim, Delivery, Input, Outcome, Payload, Refusal, RefusalKind, Token};

use super::{Answer, NONE, Saboteur, Scene, TEXTS_ALONE};

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "type-unchecked",
        does: "delivers a value that is not what its tool declared",
        breaks: &["type/mismatch-refused"],
        implies: &[
            "type/names-tool-and-violation",
            "type/never-quotes-value",
            "type/no-repair",
            "type/checked-first",
            "type/keys-are-values-too",
            "leak/refusal",
            "policy/no-placeholder",
            "record/nothing-otherwise",
        ],
        bites: true,
        sabotage: |scene, call| scene.untyped(call),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "type-refusal-mute",
        does: "refuses for the type and says neither where nor what",
        breaks: &["type/names-tool-and-violation"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.refused(scene.inner.check(call), |refusal| {
                if refusal.kind == RefusalKind::ReturnType {
                    refusal.message = "validation failed".to_owned();
                    refusal.at = None;
                    refusal.violated = None;
                    refusal.forms = None;
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "type-refusal-quotes-value",
        does: "quotes the rejected value in the debug form of the refusal",
        breaks: &["type/never-quotes-value"],
        implies: &["leak/refusal"],
        bites: false,
        sabotage: |scene, call| {
            let quoted = strings(&*call.payload()?);
            scene.refused(scene.inner.check(call), |refusal| {
                if refusal.kind == RefusalKind::ReturnType {
                    refusal.forms.get_or_insert_default().debug = format!("ValidationError(input={quoted:?})");
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "type-coerced",
        does: "reads a number or a truth value out of a string when the type asks for one",
        breaks: &["type/no-repair"],
        implies: &[],
        bites: false,
        sabotage: coerced,
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "type-undeclared-null-refused",
        does: "takes a null of a tool that declares nothing for a mistake",
        breaks: &["type/undeclared-taken-at-its-word"],
        implies: &["envelope/every-delivery"],
        bites: false,
        sabotage: |scene, call| {
            if call.tool.returns.is_none() && *call.payload()? == Payload::null() {
                return Ok(Refusal::new(RefusalKind::ReturnType, "empty result").into());
            }
            scene.inner.check(call)
        },
        spared: TEXTS_ALONE,
        redescribe: None,
    },
    Saboteur {
        name: "type-valid-reshaped",
        does: "hands the host a valid value wrapped in an object of its own",
        breaks: &["type/valid-delivered"],
        implies: &["type/no-repair"],
        bites: false,
        sabotage: |scene, call| {
            let mut builder = Builder::new();
            builder.begin_object().key("result").payload(&*call.payload()?).end();
            let wrapped = builder.finish();
            scene.delivered(scene.inner.check(call), |delivery| {
                if call.tool.returns.is_some() {
                    delivery.text = wrapped.to_json();
                    delivery.payload = delivery.payload.is_some().then_some(wrapped);
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "type-checked-last",
        does: "looks at the depth before it looks at the type",
        breaks: &["type/checked-first"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let depth = u64::try_from(call.payload()?.depth()).unwrap_or(u64::MAX);
            if call.tool.returns.is_some() && depth > scene.described.defaults.max_depth {
                return Ok(Refusal::new(RefusalKind::Depth, "too deep").into());
            }
            scene.inner.check(call)
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "type-refusal-quotes-keys",
        does: "names the keys that the type does not allow",
        breaks: &["type/keys-are-values-too"],
        implies: &["leak/refusal"],
        bites: false,
        sabotage: |scene, call| {
            let keys: Vec<String> = keys(&*call.payload()?);
            scene.refused(scene.inner.check(call), |refusal| {
                if refusal.kind == RefusalKind::ReturnType {
                    refusal.message = format!("{}; the value has: {}", refusal.message, keys.join(", "));
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "json-malformed-quoted",
        does: "quotes the place where a text stops being JSON",
        breaks: &["type/malformed-refused"],
        implies: &["leak/refusal"],
        bites: false,
        sabotage: |scene, call| {
            let text = raw(call);
            scene.refused(scene.inner.check(call), |refusal| {
                if refusal.kind == RefusalKind::Malformed {
                    let near: String = text.chars().skip(2).take(40).collect();
                    refusal.message = format!("{}: unexpected token near `{near}`", refusal.message);
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "json-malformed-taken-for-text",
        does: "takes what is not JSON for one long text",
        breaks: &["type/malformed-refused"],
        implies: &["leak/refusal"],
        bites: false,
        sabotage: |scene, call| {
            let outcome = scene.inner.check(call)?;
            if outcome.refused().is_none_or(|refusal| refusal.kind != RefusalKind::Malformed) {
                return Ok(outcome);
            }
            scene.instead_of_text(call, &Payload::from(raw(call)))
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "json-malformed-repaired",
        does: "takes the value at the start of a text and leaves out what follows it",
        breaks: &["type/malformed-refused"],
        implies: &["leak/refusal"],
        bites: false,
        sabotage: |scene, call| {
            let first = serde_json::Deserializer::from_str(raw(call)).into_iter::<Payload>().next();
            match (scene.inner.check(call)?, first) {
                (Outcome::Refused(refusal), Some(Ok(first))) if refusal.kind == RefusalKind::Malformed => {
                    scene.instead_of_text(call, &first)
                }
                (outcome, _) => Ok(outcome),
            }
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "json-last-key-scanned-alone",
        does: "scans the last of equal keys and delivers all of them",
        breaks: &["type/duplicate-keys"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let mut outcome = scene.inner.check(call)?;
            // This is how most readers see the text: of equal keys the last one stays.
            let Ok(read) = serde_json::from_str::<Payload>(raw(call)) else { return Ok(outcome) };
            let scanned = scene.instead_of_text(call, &read)?;
            match (&mut outcome, scanned) {
                (Outcome::Delivered(delivery), Outcome::Delivered(scanned)) => {
                    delivery.findings = scanned.findings;
                    delivery.events = scanned.events;
                }
                (Outcome::Refused(refusal), Outcome::Delivered(scanned)) if refusal.kind == RefusalKind::Malformed => {
                    return Ok(whole(scene, call, scanned));
                }
                _ => {}
            }
            Ok(outcome)
        },
        spared: |description| (!description.claims(Claim::Flag)).then_some("it flags nothing"),
        redescribe: None,
    },
    Saboteur {
        name: "json-first-keys-dropped-from-the-scan",
        does: "scans the first of equal keys and delivers all of them",
        breaks: &["type/duplicate-keys"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let mut outcome = scene.inner.check(call)?;
            let Ok(read) = serde_json::from_str::<Payload>(raw(call)) else { return Ok(outcome) };
            if outcome.refused().is_some_and(|refusal| refusal.kind == RefusalKind::Malformed) {
                return Ok(match scene.instead_of_text(call, &read)? {
                    Outcome::Delivered(mut scanned) if !scanned.findings.is_empty() => {
                        scanned.findings.clear();
                        whole(scene, call, scanned)
                    }
                    _ => outcome,
                });
            }
            let Some(order) = outcome.findings().first().map(|finding| finding.path.clone()) else {
                return Ok(outcome);
            };
            // What the last of the equal keys holds stands where the finding says; the first was seen to be clean.
            let last_holds_it = scene.instead_of_text(call, &read)?.findings().iter().any(|other| other.path == order);
            if let (Outcome::Delivered(delivery), true) = (&mut outcome, last_holds_it) {
                delivery.findings.clear();
            }
            Ok(outcome)
        },
        spared: |description| (!description.claims(Claim::Flag)).then_some("it flags nothing"),
        redescribe: None,
    },
];

/// A delivery of one of the equal keys, with the text as it came in its place.
fn whole(scene: &Scene<'_>, call: &Call<'_>, mut delivery: Delivery) -> Outcome {
    scene.rewrite(&mut delivery, |_| raw(call).to_owned());
    delivery.into()
}

/// The text that a call is about; empty where it is about a value.
fn raw<'a>(call: &Call<'a>) -> &'a str {
    match call.input {
        Input::Raw(text) => text,
        _ => "",
    }
}

fn strings(payload: &Payload) -> Vec<String> {
    payload
        .tokens()
        .filter_map(|token| if let Token::String(text) = token { Some(text.to_owned()) } else { None })
        .collect()
}

fn keys(payload: &Payload) -> Vec<String> {
    payload.tokens().filter_map(|token| if let Token::Key(key) = token { Some(key.to_owned()) } else { None }).collect()
}

/// Tries the value again with its strings read as what they spell, and delivers what then fits.
fn coerced(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    let outcome = scene.inner.check(call)?;
    if outcome.refused().is_none_or(|refusal| refusal.kind != RefusalKind::ReturnType) {
        return Ok(outcome);
    }
    let payload = call.payload()?;
    let mut builder = Builder::new();
    for token in payload.tokens() {
        match token {
            Token::String(text) => match serde_json::from_str::<Payload>(text) {
                Ok(spelled) if spelled.depth() == 0 => builder.payload(&spelled),
                _ => builder.string(text),
            },
            other => builder.token(other),
        };
    }
    match scene.instead(call, &builder.finish())? {
        Outcome::Delivered(delivery) => Ok(delivery.into()),
        _ => Ok(outcome),
    }
}
