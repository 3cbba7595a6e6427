//! Faults in policies: what they switch off, whom they are for, and what they let through.

use boundary_contract::{
    Call, Claim, Delivery, Description, OnSuspicion, Outcome, Payload, Policy, Refusal, RefusalKind,
};

use super::ceiling::no_policy;
use super::flag::{base64_run, unread};
use super::tools::any_text;
use super::{Answer, NONE, Saboteur, Scene};

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "policy-off-switch",
        does: "hands a result on as it came where a policy says off",
        breaks: &["policy/no-off-switch"],
        implies: &[],
        bites: true,
        sabotage: |scene, call| {
            if !policies(call).any(|policy| policy.on_suspicion == Some(OnSuspicion::Off)) {
                return scene.inner.check(call);
            }
            let text = call.payload()?.to_text();
            Ok(Delivery::new(text.clone(), text).into())
        },
        spared: no_policy,
        redescribe: None,
    },
    Saboteur {
        name: "policy-zero-unscanned",
        does: "does not scan a result of which no character is to be rendered",
        breaks: &["policy/no-off-switch"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            if policies(call).any(|policy| policy.max_chars == Some(0)) {
                unscanned(scene, call, |policy| policy.max_chars = None)
            } else {
                scene.inner.check(call)
            }
        },
        spared: |description| (!description.claims(Claim::Flag)).then_some("it flags nothing"),
        redescribe: None,
    },
    Saboteur {
        name: "policy-depth-unbounded-unscanned",
        does: "does not scan a result whose depth a policy leaves open",
        breaks: &["policy/no-off-switch"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            if call.policy.max_depth == Some(u64::MAX) {
                unscanned(scene, call, |policy| policy.max_depth = None)
            } else {
                scene.inner.check(call)
            }
        },
        spared: |description| (!description.claims(Claim::Flag)).then_some("it flags nothing"),
        redescribe: None,
    },
    Saboteur {
        name: "policy-refuses-unasked",
        does: "refuses a flagged result where no policy is named, and says that it annotates it",
        breaks: &["policy/annotate-is-default", "policy/defaults"],
        implies: &["policy/no-off-switch", "policy/per-tool"],
        bites: false,
        sabotage: |scene, call| {
            let outcome = scene.inner.check(call)?;
            let page = any_text(call, |text| text.contains(OF_POLICIES));
            if call.policy_in_force().on_suspicion.is_some() || outcome.findings().is_empty() || !page {
                return Ok(outcome);
            }
            let mut refusal = Refusal::new(RefusalKind::Suspicion, "the result reads like an order");
            refusal.findings = outcome.findings().to_vec();
            Ok(refusal.into())
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "policy-truncate-keeps-the-rest",
        does: "marks a flagged result as truncated and delivers it whole",
        breaks: &["policy/truncate"],
        implies: &["policy/truncate-encoded"],
        bites: false,
        sabotage: |scene, call| where_truncated(scene, call, |scene, call, _| whole_but_marked(scene, call)),
        spared: no_annotation,
        redescribe: None,
    },
    Saboteur {
        name: "policy-truncate-unmarked",
        does: "cuts a flagged result and says that it is whole",
        breaks: &["policy/truncate"],
        implies: &["policy/truncate-encoded"],
        bites: false,
        sabotage: |scene, call| {
            where_truncated(scene, call, |scene, _, answer| {
                scene.delivered(answer, |delivery| delivery.truncated = false)
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "policy-truncate-keeps-nothing",
        does: "delivers nothing of a flagged result, not even what stands before the match",
        breaks: &["policy/truncate"],
        implies: &["policy/truncate-encoded"],
        bites: false,
        sabotage: |scene, call| {
            where_truncated(scene, call, |scene, _, answer| {
                scene.delivered(answer, |delivery| scene.rewrite(delivery, |_| String::new()))
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "policy-truncate-plain-alone",
        does: "does not cut an order that it found by decoding",
        breaks: &["policy/truncate-encoded"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            where_truncated(scene, call, |scene, call, answer| {
                if any_text(call, |text| base64_run(text).is_some()) { whole_but_marked(scene, call) } else { answer }
            })
        },
        spared: no_annotation,
        redescribe: None,
    },
    Saboteur {
        name: "policy-fail-delivers",
        does: "delivers a flagged result that is to be refused",
        breaks: &["policy/fail"],
        implies: &["policy/no-placeholder", "policy/per-tool", "record/flagged-event", "leak/refusal", "leak/findings"],
        bites: false,
        sabotage: |scene, call| {
            where_refused(scene, call, |scene, call, _| {
                scene.policed(call, |policy| policy.on_suspicion = Some(OnSuspicion::Annotate))
            })
        },
        spared: no_annotation,
        redescribe: None,
    },
    Saboteur {
        name: "policy-fail-placeholder",
        does: "delivers a sentence of its own in place of a result that is to be refused",
        breaks: &["policy/no-placeholder", "policy/fail"],
        implies: &["policy/per-tool", "record/flagged-event", "leak/refusal", "leak/findings", "policy/no-off-switch"],
        bites: false,
        sabotage: |scene, call| {
            where_refused(scene, call, |scene, call, _| {
                scene.instead(call, &Payload::from("The content is not available at the moment."))
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "policy-fail-unexplained",
        does: "refuses a flagged result without a word of what was found",
        breaks: &["policy/fail"],
        implies: &["policy/per-tool"],
        bites: false,
        sabotage: |scene, call| {
            where_refused(scene, call, |scene, _, answer| {
                scene.refused(answer, |refusal| {
                    refusal.findings.clear();
                    "the result is refused".clone_into(&mut refusal.message);
                })
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "policy-tool-shared",
        does: "applies the policy of any one tool to all of them",
        breaks: &["policy/per-tool"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let shared = call.per_tool.values().next().copied().unwrap_or_default();
            scene.policed(call, |policy| {
                policy.on_suspicion = policy.on_suspicion.or(shared.on_suspicion);
                policy.max_chars = policy.max_chars.or(shared.max_chars);
                policy.max_depth = policy.max_depth.or(shared.max_depth);
            })
        },
        spared: no_policy,
        redescribe: None,
    },
    Saboteur {
        name: "policy-tool-ignored",
        does: "has one policy for all tools, whatever is configured",
        breaks: &["policy/per-tool"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let mut changed = call.clone();
            changed.per_tool.clear();
            scene.inner.check(&changed)
        },
        spared: no_policy,
        redescribe: None,
    },
    Saboteur {
        name: "policy-retry-invited",
        does: "says of each refusal that asking again may help",
        breaks: &["policy/no-placeholder"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| scene.refused(scene.inner.check(call), |refusal| refusal.retry = Some(true)),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "policy-second-ask-delivers",
        does: "delivers what it has just refused when it is asked again",
        breaks: &["policy/no-placeholder"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let outcome = scene.inner.check(call)?;
            let suspicious = outcome.refused().is_some_and(|refusal| refusal.kind == RefusalKind::Suspicion);
            let asked = if suspicious { call.payload()?.to_json() } else { String::new() };
            let again = suspicious && scene.last().as_ref() == Some(&asked);
            scene.remember(asked);
            if again { scene.unseen(call) } else { Ok(outcome) }
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "policy-default-misdescribed",
        does: "says that it renders twice as much as it does",
        breaks: &["policy/defaults"],
        implies: &["ceiling/exact"],
        bites: false,
        sabotage: |scene, call| scene.inner.check(call),
        spared: |description| {
            let ceiling = description.claims(Claim::Ceiling) && description.defaults.max_chars < 1 << 20;
            (!ceiling).then_some("it claims no ceiling, or one higher than any text that is sent")
        },
        redescribe: Some(|description| description.defaults.max_chars *= 2),
    },
];

/// Words that no other requirement sends.
const OF_POLICIES: &str = "The pilot book of the west pier";

/// The policies that a call names for its own tool.
fn policies<'a>(call: &'a Call<'_>) -> impl Iterator<Item = &'a Policy> {
    [Some(&call.policy), call.per_tool.get(&call.tool.name)].into_iter().flatten()
}

/// What is delivered where nothing is looked for; a policy that might be refused as nonsense is made sense of first.
fn unscanned(scene: &Scene<'_>, call: &Call<'_>, sense: impl Fn(&mut Policy)) -> Answer {
    let mut sensible = call.clone();
    sense(&mut sensible.policy);
    sensible.per_tool.values_mut().for_each(sense);
    unread(scene, &sensible)
}

/// It has no policy under which a flagged result would be delivered whole.
fn no_annotation(description: &Description) -> Option<&'static str> {
    let annotates = description.policies.contains(&OnSuspicion::Annotate);
    no_policy(description).or((!annotates).then_some("it has no policy that annotates"))
}

/// Another answer where a flagged result is cut.
fn where_truncated(
    scene: &Scene<'_>,
    call: &Call<'_>,
    then: impl FnOnce(&Scene<'_>, &Call<'_>, Answer) -> Answer,
) -> Answer {
    let outcome = scene.inner.check(call)?;
    let cut = scene.on_suspicion(call) == OnSuspicion::Truncate && !outcome.findings().is_empty();
    if cut { then(scene, call, Ok(outcome)) } else { Ok(outcome) }
}

/// Another answer where a call asks that a flagged result be refused, and it is.
fn where_refused(
    scene: &Scene<'_>,
    call: &Call<'_>,
    then: impl FnOnce(&Scene<'_>, &Call<'_>, Answer) -> Answer,
) -> Answer {
    let outcome = scene.inner.check(call)?;
    let asked = call.policy_in_force().on_suspicion == Some(OnSuspicion::Fail);
    let refused = matches!(&outcome, Outcome::Refused(refusal) if refusal.kind == RefusalKind::Suspicion && !refusal.findings.is_empty());
    if asked && refused { then(scene, call, Ok(outcome)) } else { Ok(outcome) }
}

fn whole_but_marked(scene: &Scene<'_>, call: &Call<'_>) -> Answer {
    let answer = scene.policed(call, |policy| policy.on_suspicion = Some(OnSuspicion::Annotate));
    scene.delivered(answer, |delivery| delivery.truncated = true)
}
