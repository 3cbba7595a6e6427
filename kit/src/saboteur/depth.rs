//! Faults in refusing what is too deep.

use boundary_contract::{Call, Refusal, RefusalKind};

use super::tools::is_text;
use super::{Answer, NONE, Saboteur, Scene};

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "depth-off-by-one",
        does: "refuses the deepest structure that the ceiling allows",
        breaks: &["depth/at-the-ceiling"],
        implies: &["flag/every-place", "policy/no-off-switch", "policy/defaults", "flag/path", "benign/twins"],
        bites: true,
        sabotage: |scene, call| {
            let ceiling = call.policy_in_force().max_depth.unwrap_or(scene.described.defaults.max_depth);
            refuse_where(scene, call, RefusalKind::Depth, |depth, _| depth == ceiling)
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "depth-exhaustion-misnamed",
        does: "takes a structure beyond its parser's limit for text that is no JSON",
        breaks: &["depth/exhaustion"],
        implies: &["policy/no-off-switch"],
        bites: false,
        sabotage: |scene, call| refuse_where(scene, call, RefusalKind::Malformed, |depth, _| depth > 5_000),
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "depth-time-quadratic",
        does: "looks at a structure again for each 8,000 levels of it",
        breaks: &["depth/exhaustion"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            let depth = call.payload()?.depth();
            scene.again(call, depth / 8_000)
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "depth-counts-siblings",
        does: "counts what stands side by side as depth",
        breaks: &["depth/width-is-not-depth"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            refuse_where(scene, call, RefusalKind::Depth, |depth, entries| depth == 1 && entries > 10_000)
        },
        spared: NONE,
        redescribe: None,
    },
    Saboteur {
        name: "depth-decoding-panics",
        does: "gives up with a panic when encodings are nested",
        breaks: &["depth/decoding-is-bounded"],
        implies: &[],
        bites: false,
        sabotage: |scene, call| {
            assert!(!is_text(call, |text| text.matches("amp;").count() > 100), "too many layers");
            scene.inner.check(call)
        },
        spared: NONE,
        redescribe: None,
    },
];

fn refuse_where(scene: &Scene<'_>, call: &Call<'_>, kind: RefusalKind, wrong: impl Fn(u64, usize) -> bool) -> Answer {
    let payload = call.payload()?;
    let depth = u64::try_from(payload.depth()).unwrap_or(u64::MAX);
    if wrong(depth, payload.tokens().count()) {
        return Ok(Refusal::new(kind, "structure not accepted").into());
    }
    scene.inner.check(call)
}
