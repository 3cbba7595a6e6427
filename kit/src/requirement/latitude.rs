//! What a boundary described beforehand and which leaves a case without anything to judge.
//!
//! Latitude is never a pass. A case that does not hold for a described reason is not claimed, and a claim
//! that has nothing but such cases fails.

use std::borrow::Cow;

use boundary_contract::{Claim, Encoding, Grammar, OnSuspicion, Outcome, Payload, RefusalKind};
use boundary_corpus::Input;

use crate::case::{Evidence, Exchange};
use crate::oracle::{Wrong, json};
use crate::placeholder::texts;
use crate::subject::Subject;

/// A described ceiling stopped or cut what was sent.
pub(super) fn by_a_ceiling(subject: &Subject, evidence: Evidence<'_>, wrong: &Wrong) -> Option<&'static str> {
    evidence.exchanges.iter().find_map(|exchange| {
        let call = exchange.sent.call();
        let sent = &*match &exchange.sent.input {
            // What is sent as JSON text may be no value at all, and then no ceiling stopped it.
            Input::Raw(text) => Cow::Owned(json::read(text).ok()?),
            Input::Payload(_) | Input::Recipe(_) => call.payload().ok()?,
        };
        match &exchange.outcome {
            Outcome::Refused(refusal) if refusal.kind == RefusalKind::Depth => {
                too_deep(subject, exchange, sent).then_some("what is sent is deeper than the described ceiling")
            }
            Outcome::Refused(refusal) if refusal.kind == RefusalKind::Size => {
                unscanned(subject, sent).then_some("what is sent is longer than what it says it scans")
            }
            Outcome::Delivered(delivery) if delivery.truncated => {
                let cut = wrong.lost && too_long(subject, exchange, sent);
                let unseen = wrong.unfound && unscanned(subject, sent);
                (cut || unseen).then_some("what is sent is longer than the described ceiling")
            }
            _ => None,
        }
    })
}

/// Its own default refused or cut the first thing sent, as it does with what it flags, and no policy can be
/// sent that does neither. What comes later it delivered before, so that is judged.
pub(super) fn by_its_default(subject: &Subject, evidence: Evidence<'_>, wrong: &Wrong) -> Option<&'static str> {
    let Exchange { sent, outcome, .. } = evidence.first();
    let policy = sent.policy.on_suspicion.unwrap_or(subject.description.defaults.on_suspicion);
    match (policy, outcome) {
        _ if !subject.claims(Claim::Flag) => None,
        (OnSuspicion::Fail | OnSuspicion::Abort, Outcome::Refused(refusal)) => {
            let flagged = refusal.kind == RefusalKind::Suspicion && !refusal.findings.is_empty();
            flagged.then_some("its default refuses what it flags, and it flags this")
        }
        (OnSuspicion::Truncate, Outcome::Delivered(delivery)) => {
            let flagged = wrong.lost && delivery.truncated && !delivery.findings.is_empty();
            flagged.then_some("its default cuts what it flags, and it flags this")
        }
        _ => None,
    }
}

/// It refuses results that forge structure, as it says, and this one does beside what the case is about.
pub(super) fn by_its_reaction_to_forgery(subject: &Subject, evidence: Evidence<'_>) -> Option<&'static str> {
    let forged = evidence.first().sent.payload().is_some_and(|sent| subject.is_forged(sent));
    (forged && super::imitation::refused_as_forgery(subject, evidence))
        .then_some("it refuses what forges structure, and this does")
}

fn too_deep(subject: &Subject, exchange: &Exchange, sent: &Payload) -> bool {
    let ceiling = exchange.sent.policy.max_depth.unwrap_or(subject.description.defaults.max_depth);
    subject.claims(Claim::Depth) && u64::try_from(sent.depth()).is_ok_and(|depth| depth > ceiling)
}

/// Whether the content, in its encoding, may be longer than the ceiling.
fn too_long(subject: &Subject, exchange: &Exchange, sent: &Payload) -> bool {
    let ceiling = exchange.sent.policy.max_chars.unwrap_or(subject.description.defaults.max_chars);
    // The longest form of a character: a stand-in, `&#1114111;`, two escaped surrogates.
    let longest = match subject.grammar().map_or(Encoding::None, Grammar::encoding) {
        Encoding::Json => 12,
        Encoding::Entities => 10,
        _ => 2,
    };
    subject.claims(Claim::Ceiling) && subject.length(&sent.to_text()).saturating_mul(longest) > ceiling
}

fn unscanned(subject: &Subject, sent: &Payload) -> bool {
    subject.description.scan_chars.is_some_and(|bound| texts(sent).any(|text| subject.length(text) > bound))
}
