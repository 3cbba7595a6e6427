//! Faults that say text of a result where none may be said.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use boundary_contract::{
    Call, Claim, Description, Event, Finding, OnForgery, OnSuspicion, Payload, Refusal, Takes, Token,
};

use super::{Answer, NONE, Saboteur, Scene};
use crate::placeholder::texts;

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "leak-refusal-quotes",
        does: "quotes the result in the words of each refusal",
        breaks: &["leak/refusal"],
        implies: OF_A_REFUSAL,
        bites: true,
        sabotage: |scene, call| {
            refusing(scene, call, |refusal, result| {
                refusal.message = format!("{}, got: {result}", refusal.message);
            })
        },
        spared: REFUSES_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-refusal-debug-form",
        does: "keeps the result in the error of a refusal, where only its debug form shows it",
        breaks: &["leak/refusal"],
        implies: OF_A_REFUSAL,
        bites: false,
        sabotage: |scene, call| {
            refusing(scene, call, |refusal, result| {
                refusal.forms.get_or_insert_default().debug = format!("Refused {{ input: Some({result:?}) }}");
            })
        },
        spared: REFUSES_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-refusal-cause",
        does: "keeps the error underneath a refusal as its cause, and that error quotes",
        breaks: &["leak/refusal"],
        implies: OF_A_REFUSAL,
        bites: false,
        sabotage: |scene, call| {
            refusing(scene, call, |refusal, result| {
                refusal.forms.get_or_insert_default().chain.push(format!("{result:?} does not fit"));
            })
        },
        spared: REFUSES_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-refusal-names-keys",
        does: "names the keys of a refused result in the place of the refusal",
        breaks: &["leak/refusal"],
        implies: &["type/keys-are-values-too"],
        bites: false,
        sabotage: |scene, call| {
            let payload = call.payload()?;
            let key = payload.tokens().find_map(|token| match token {
                // What is declared is short.
                Token::Key(key) if key.len() >= 12 => Some(key.to_owned()),
                _ => None,
            });
            scene.refused(scene.inner.check(call), |refusal| {
                if let Some(key) = key {
                    refusal.at = Some(format!("/{key}"));
                }
            })
        },
        spared: |description| match description.takes {
            Takes::Text => Some("it takes texts alone"),
            _ => REFUSES_NOTHING(description),
        },
        redescribe: None,
    },
    Saboteur {
        name: "leak-finding-carries-match",
        does: "carries the text that matched along in each finding",
        breaks: &["leak/findings"],
        implies: &["policy/fail"],
        bites: true,
        sabotage: |scene, call| finding(scene, call, |finding, result| finding.via.push(format!("matched {result}"))),
        spared: FLAGS_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-finding-names-matching-key",
        does: "names the key that matched in the path of its finding",
        breaks: &["leak/findings"],
        implies: &["flag/path", "flag/each-one"],
        bites: false,
        sabotage: |scene, call| {
            let payload = call.payload()?;
            let matched = payload.tokens().find_map(|token| match token {
                Token::Key(key) if key.contains("previous instructions") => Some(key.to_owned()),
                _ => None,
            });
            scene.findings(scene.inner.check(call), |findings| {
                if let Some(key) = matched {
                    findings.iter_mut().for_each(|finding| finding.path = finding.path.replace("{key}", &key));
                }
            })
        },
        spared: |description| match description.takes {
            Takes::Text => Some("it takes texts alone"),
            _ if !description.claims(Claim::Paths) => Some("its findings name no place"),
            _ => FLAGS_NOTHING(description),
        },
        redescribe: None,
    },
    Saboteur {
        name: "leak-reason-decoded",
        does: "gives the hidden text, decoded, as its reason",
        breaks: &["leak/findings"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let decoded = decoded(&*call.payload()?);
            scene.delivered(scene.inner.check(call), |delivery| {
                if let Some(decoded) = decoded.filter(|_| !delivery.findings.is_empty()) {
                    delivery.reason = Some(format!("hidden text: {decoded}"));
                }
            })
        },
        spared: |description| match description.defaults.on_suspicion {
            _ if !description.claims(Claim::Decode) => Some("it decodes nothing"),
            OnSuspicion::Annotate | OnSuspicion::Truncate => FLAGS_NOTHING(description),
            _ if description.claims(Claim::Policy) => FLAGS_NOTHING(description),
            _ => Some("it refuses what it flags, and so gives no reason"),
        },
        redescribe: None,
    },
    Saboteur {
        name: "leak-event-detail",
        does: "records the first hundred characters of the result with each event",
        breaks: &["leak/events"],
        implies: &["policy/fail"],
        bites: false,
        sabotage: |scene, call| {
            let start: String = result(call).chars().take(100).collect();
            scene.events(scene.inner.check(call), |events| {
                events.iter_mut().for_each(|event| event.detail = Some(start.clone()));
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "leak-log-debug",
        does: "logs each result at debug level",
        breaks: &["leak/log"],
        implies: &[],
        bites: true,
        sabotage: |scene, call| {
            say(log::Level::Debug, format_args!("checking {}", result(call)));
            scene.inner.check(call)
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "leak-log-of-a-refusal",
        does: "logs what it refused, so that somebody can look into it",
        breaks: &["leak/log"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.refused(scene.inner.check(call), |refusal| {
                say(log::Level::Warn, format_args!("{}: {:?}", refusal.kind, result(call)));
            })
        },
        spared: REFUSES_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-encoded-base64",
        does: "quotes a refused result in base64, so that nobody reads it by accident",
        breaks: &["leak/encoded"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            refusing(scene, call, |refusal, result| {
                refusal.message = format!("{}: {}", refusal.message, BASE64_STANDARD.encode(result));
            })
        },
        spared: REFUSES_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-encoded-hex",
        does: "records each result in hexadecimal",
        breaks: &["leak/encoded"],
        implies: &[],
        bites: true,
        sabotage: |scene, call| {
            let digits: String = result(call).bytes().map(|byte| format!("{byte:02X}")).collect();
            recording(scene, scene.inner.check(call), format!("0x{digits}"))
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "leak-encoded-reversed",
        does: "carries the text that matched along in each finding, turned round",
        breaks: &["leak/encoded"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            finding(scene, call, |finding, result| finding.via.push(result.chars().rev().collect()))
        },
        spared: FLAGS_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-encoded-upper-case",
        does: "quotes a refused result in capitals",
        breaks: &["leak/encoded"],
        implies: &["leak/refusal", "type/never-quotes-value", "type/keys-are-values-too", "policy/fail"],
        bites: false,
        sabotage: |scene, call| {
            refusing(scene, call, |refusal, result| {
                refusal.message = format!("{}: {}", refusal.message, result.to_ascii_uppercase());
            })
        },
        spared: REFUSES_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-encoded-percent",
        does: "quotes a refused result as part of a link to its page of help",
        breaks: &["leak/encoded"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            refusing(scene, call, |refusal, result| {
                let query: String = result.bytes().map(|byte| format!("%{byte:02x}")).collect();
                refusal.message = format!("{}: https://help.example/?q={query}", refusal.message);
            })
        },
        spared: REFUSES_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-encoded-bytes",
        does: "keeps the bytes of a refused result in its error, whose debug form lists them",
        breaks: &["leak/encoded"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            refusing(scene, call, |refusal, result| {
                refusal.forms.get_or_insert_default().debug = format!("Refused({:?})", result.as_bytes());
            })
        },
        spared: REFUSES_NOTHING,
        redescribe: None,
    },
    Saboteur {
        name: "leak-across-last-result",
        does: "names in a refusal what the result before it was",
        breaks: &["leak/across-results"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let before = another_tenants(scene, call);
            scene.refused(scene.inner.check(call), |refusal| {
                if let Some(before) = before {
                    refusal.message = format!("{}; the last one was: {before}", refusal.message);
                }
            })
        },
        spared: |description| {
            (!description.claims(Claim::ReturnTypes)).then_some("it does not refuse what comes after another result")
        },
        redescribe: None,
    },
    Saboteur {
        name: "leak-across-buffer",
        does: "scans in a buffer that is not emptied, and records it",
        breaks: &["leak/across-results"],
        implies: &[],
        bites: true,
        sabotage: |scene, call| {
            let before = another_tenants(scene, call);
            let answer = scene.inner.check(call);
            match before {
                Some(before) => recording(scene, answer, before),
                None => answer,
            }
        },
        spared: NONE,
        redescribe: None,
    },
];

/// What a refusal that quotes cannot but break too.
const OF_A_REFUSAL: &[&str] = &["type/never-quotes-value", "type/keys-are-values-too", "policy/fail"];

const FLAGS_NOTHING: fn(&Description) -> Option<&'static str> =
    |description| (!description.claims(Claim::Flag)).then_some("it flags nothing");

/// A fault in refusals.
const REFUSES_NOTHING: fn(&Description) -> Option<&'static str> = |description| {
    let of_suspicion = description.claims(Claim::Flag)
        && (description.claims(Claim::Policy) && description.policies.contains(&OnSuspicion::Fail));
    let of_forgery = description.claims(Claim::Neutralise) && description.on_forgery == OnForgery::Refuse;
    let refuses =
        description.claims(Claim::ReturnTypes) || description.claims(Claim::Depth) || of_suspicion || of_forgery;
    (!refuses).then_some("it refuses nothing")
};

/// The start of everything that is text in a result, in order.
fn result(call: &Call<'_>) -> String {
    /// How much of it is said, in characters.
    const SAID: usize = 2_000;
    let Ok(payload) = call.payload() else { return String::new() };
    let whole: Vec<&str> = texts(&payload).take(SAID).collect();
    whole.join(" ").chars().take(SAID).collect()
}

/// Remembers the text of a tenant's result, and says what the last one of another tenant was.
fn another_tenants(scene: &Scene<'_>, call: &Call<'_>) -> Option<String> {
    let tenant = format!("{}\0", call.tenant?);
    let before = scene.latest(|text| !text.starts_with(&tenant));
    scene.remember(tenant + &result(call));
    before
}

fn refusing(scene: &Scene<'_>, call: &Call<'_>, change: impl FnOnce(&mut Refusal, &str)) -> Answer {
    scene.refused(scene.inner.check(call), |refusal| change(refusal, &result(call)))
}

fn finding(scene: &Scene<'_>, call: &Call<'_>, change: impl Fn(&mut Finding, &str)) -> Answer {
    scene.findings(scene.inner.check(call), |findings| {
        if let Some(first) = findings.first_mut() {
            change(first, &result(call));
        }
    })
}

/// The answer with one more event, about something else than a flag.
fn recording(scene: &Scene<'_>, answer: Answer, detail: String) -> Answer {
    scene.events(answer, |events| {
        let mut event = Event::new("tool_result_checked");
        event.detail = Some(detail);
        events.push(event);
    })
}

/// Says something through `log`, whatever levels were compiled in.
fn say(level: log::Level, words: std::fmt::Arguments<'_>) {
    log::logger().log(&log::Record::builder().level(level).target("boundary").args(words).build());
}

/// The text of the first run of base64 letters that holds one.
fn decoded(payload: &Payload) -> Option<String> {
    let runs =
        |text: &str| text.split_whitespace().find_map(|run| String::from_utf8(BASE64_STANDARD.decode(run).ok()?).ok());
    texts(payload).filter(|text| text.len() >= 24).find_map(runs)
}
