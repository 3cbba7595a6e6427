//! Faults in holding a value to its type.

use boundary_contract::{Builder, Call, Outcome, Payload, Refusal, RefusalKind, Token};

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
        implies: &[],
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
        implies: &[],
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
];

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
            Token::Null => builder.null(),
            Token::Bool(value) => builder.bool(value),
            Token::Number(number) => builder.number(number),
            Token::Key(key) => builder.key(key),
            Token::BeginArray => builder.begin_array(),
            Token::BeginObject => builder.begin_object(),
            Token::EndArray | Token::EndObject => builder.end(),
            Token::String(text) => match serde_json::from_str::<Payload>(text) {
                Ok(spelled) if spelled.depth() == 0 => builder.payload(&spelled),
                _ => builder.string(text),
            },
        };
    }
    match scene.instead(call, &builder.finish())? {
        Outcome::Delivered(delivery) => Ok(delivery.into()),
        _ => Ok(outcome),
    }
}
