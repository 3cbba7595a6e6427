//! Faults in seeing a marker of the envelope inside its content.

use boundary_contract::{Call, Description, Grammar, Payload};

use super::tools::is_text;
use super::{Answer, NONE, Saboteur, Scene};
use crate::generate::forms::{Side, forms};
use crate::oracle::envelope::{self, Envelope};

pub(super) const ALL: &[Saboteur] = &[
    Saboteur {
        name: "envelope-close-with-attributes",
        does: "does not know a closing marker that carries attributes",
        breaks: &["envelope/close-neutralised"],
        implies: &[
            "envelope/open-neutralised",
            "forgery/idempotent",
            "flag/delivered-text-holds-no-surprise",
            "envelope/exactly-one",
        ],
        bites: false,
        sabotage: |scene, call| smuggle_form(scene, call, Side::Closing, "attributes"),
        spared: in_an_object,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-open-with-attributes",
        does: "does not know an opening marker that carries attributes",
        breaks: &["envelope/open-neutralised"],
        implies: &[
            "envelope/close-neutralised",
            "forgery/idempotent",
            "flag/delivered-text-holds-no-surprise",
            "envelope/exactly-one",
        ],
        bites: false,
        sabotage: |scene, call| smuggle_form(scene, call, Side::Opening, "attributes"),
        spared: in_an_object,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-split-unseen",
        does: "does not see a closing marker that a zero-width space splits",
        breaks: &["envelope/close-neutralised"],
        implies: MARKER_ROWS,
        bites: false,
        sabotage: |scene, call| smuggle_form(scene, call, Side::Closing, "zero-width-split"),
        spared: but_a_tag,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-full-width-unseen",
        does: "does not see a closing marker in letters of full width",
        breaks: &["envelope/close-neutralised"],
        implies: MARKER_ROWS,
        bites: false,
        sabotage: |scene, call| smuggle_form(scene, call, Side::Closing, "full-width"),
        spared: but_a_tag,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-look-alikes-unseen",
        does: "does not see a closing marker with letters of another alphabet",
        breaks: &["envelope/close-neutralised"],
        implies: MARKER_ROWS,
        bites: false,
        sabotage: |scene, call| smuggle_form(scene, call, Side::Closing, "look-alike-letters"),
        spared: but_a_tag,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-spaced-unseen",
        does: "does not see a closing marker with a blank in it",
        breaks: &["envelope/close-neutralised"],
        implies: MARKER_ROWS,
        bites: false,
        sabotage: |scene, call| smuggle_form(scene, call, Side::Closing, "inner-space"),
        spared: but_a_tag,
        redescribe: None,
    },
    Saboteur {
        name: "envelope-begins-wrapped",
        does: "takes a text that begins with the opening marker for one that is already wrapped",
        breaks: &["envelope/open-neutralised"],
        implies: &[
            "envelope/forged-rendering-is-content",
            "envelope/exactly-one",
            "forgery/idempotent",
            "flag/delivered-text-holds-no-surprise",
        ],
        bites: false,
        sabotage: |scene, call| {
            let Some(Grammar::Tag(tag)) = scene.grammar() else { return scene.inner.check(call) };
            let payload = call.payload()?;
            let begins = |text: &&str| text.starts_with(&format!("<{}", tag.name));
            let Some(begun) = payload.as_str().filter(begins) else { return scene.inner.check(call) };
            scene.delivered(scene.instead(call, &Payload::from("wrapped")), |delivery| {
                delivery.rendered = begun.to_owned();
            })
        },
        spared: but_a_tag,
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
            let wrapped = |text: &&str| scene.grammar().is_some_and(|grammar| envelope::parse(text, grammar).is_ok());
            let Some(wrapped) = payload.as_str().filter(wrapped) else { return scene.inner.check(call) };
            // A boundary that refuses forgery does not come to see it.
            scene.delivered(scene.instead(call, &Payload::from("wrapped")), |delivery| {
                delivery.rendered = wrapped.to_owned();
            })
        },
        spared: NONE,
        redescribe: None,
    },
];

/// What a marker that survives may show in, too.
const MARKER_ROWS: &[&str] = &[
    "envelope/open-neutralised",
    "envelope/exactly-one",
    "forgery/idempotent",
    "flag/delivered-text-holds-no-surprise",
];

/// The disguises of a tag are those of no other marker.
fn but_a_tag(description: &Description) -> Option<&'static str> {
    (!matches!(description.envelope, Some(Grammar::Tag(_)))).then_some("its markers are no tags")
}

/// A string cannot leave its object, however its markers are spelled.
fn in_an_object(description: &Description) -> Option<&'static str> {
    matches!(description.envelope, Some(Grammar::Json(_))).then_some("its content is a string of a JSON object")
}

/// Lets one spelling of a marker past the boundary: what is searched for is the others.
fn smuggle_form(scene: &Scene<'_>, call: &Call<'_>, side: Side, of_a_tag: &str) -> Answer {
    let Some(grammar) = scene.grammar() else { return scene.inner.check(call) };
    let wanted = if matches!(grammar, Grammar::Tag(_)) { of_a_tag } else { "exact" };
    let Some(form) = forms(grammar, side).into_iter().find(|form| form.name == wanted) else {
        return scene.inner.check(call);
    };
    if !is_text(call, |text| text.lines().any(|line| line == form.text)) {
        return scene.inner.check(call);
    }
    scene.delivered(scene.smuggle(call, &form.text, &form.text), |delivery| {
        // A forger who knew the token would write it where another can only guess.
        if let Ok(Envelope { nonce: Some(nonce), .. }) = envelope::parse(&delivery.rendered, grammar) {
            scene.rewrite(delivery, |content| content.replace(&form.text, &form.text.replace(envelope::GUESS, &nonce)));
        }
    })
}
