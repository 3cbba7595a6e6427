//! Faults in what is recorded.

use boundary_contract::{Claim, Description, Event, OnSuspicion};

use super::{NONE, Saboteur};

const FLAGGED: &str = "tool_result_flagged";

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "record-silent",
        does: "records nothing of a flagged result",
        breaks: &["record/flagged-event"],
        implies: &[],
        bites: true,
        sabotage: |scene, call| scene.events(scene.inner.check(call), Vec::clear),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "record-nameless",
        does: "records that a result was flagged, and not for what",
        breaks: &["record/flagged-event"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.events(scene.inner.check(call), |events| events.iter_mut().for_each(|event| event.heuristics.clear()))
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "record-first-place-alone",
        does: "records the first place of a flagged result, and no other",
        breaks: &["record/flagged-event"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            scene.events(scene.inner.check(call), |events| {
                events.truncate(1);
                events.iter_mut().for_each(|event| event.paths.truncate(1));
            })
        },
        spared: |description| {
            let places = description.claims(Claim::Paths) && super::TEXTS_ALONE(description).is_none();
            (!places).then_some("it says of no finding where it is")
        },
        redescribe: None,
    },
    Saboteur {
        name: "record-refusals-unrecorded",
        does: "records a flagged result only where it is delivered",
        breaks: &["record/flagged-event"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let outcome = scene.inner.check(call)?;
            if outcome.refused().is_some() { scene.events(Ok(outcome), Vec::clear) } else { Ok(outcome) }
        },
        spared: |description| (!fails(description)).then_some("it has no policy that refuses what is flagged"),
        redescribe: None,
    },
    Saboteur {
        name: "record-everything",
        does: "records every result as a flagged one",
        breaks: &["record/nothing-otherwise"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let outcome = scene.inner.check(call)?;
            let flagged = !outcome.findings().is_empty();
            scene.events(Ok(outcome), |events| {
                if !flagged {
                    events.push(Event::new(FLAGGED))
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "record-stale",
        does: "records the findings of a result with the next one too",
        breaks: &["record/nothing-otherwise"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let outcome = scene.inner.check(call)?;
            let stale = outcome.findings().is_empty() && scene.last().is_some();
            scene.remember(outcome.findings().first().map(|finding| finding.heuristic.clone()).unwrap_or_default());
            scene.events(Ok(outcome), |events| {
                if stale {
                    events.push(Event::new(FLAGGED))
                }
            })
        },
        spared: NONE,
        redescribe: None,
    },
];

fn fails(description: &Description) -> bool {
    let by_policy = description.claims(Claim::Policy) && description.policies.contains(&OnSuspicion::Fail);
    by_policy || matches!(description.defaults.on_suspicion, OnSuspicion::Fail | OnSuspicion::Abort)
}
