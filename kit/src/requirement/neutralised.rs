//! Judging fixtures whose attack must be gone from what is delivered, with the text around it kept.

use boundary_contract::{Encoding, Grammar};
use boundary_corpus::{Expect, Fixture, Input, Level};

use super::{Draft, imitation::refused_as_forgery};
use crate::case::{Case, Evidence};
use crate::generate::position::{Positioned, positions};
use crate::oracle::hidden::{self, Hidden};
use crate::oracle::marker::Reading;
use crate::oracle::{Judged, Wrong, text};
use crate::stimulus::Stimulus;
use crate::subject::{Content, Subject};

/// What an attack of a requirement leaves behind where it was not neutralised.
type Gone = fn(&Subject, &Fixture, &Content) -> Judged;

/// The fixtures of a requirement that are to be neutralised, each judged by `gone`. Those that hold a
/// marker of a family that the boundary does not claim are not for it.
pub(super) fn cases(draft: &Draft, gone: Gone) -> Vec<Case> {
    let within = |fixture: &&Fixture| match &fixture.input {
        Input::Payload(payload) => !draft.subject.is_beyond_its_markers(payload),
        Input::Recipe(_) | Input::Raw(_) => true,
    };
    draft
        .fixtures()
        .filter(|fixture| matches!(fixture.expect, Expect::Neutralised { .. }))
        .filter(within)
        .map(|fixture| {
            draft.hostile_fixture_case(fixture, move |subject, fixture, evidence| {
                judge(subject, fixture, evidence, gone)
            })
        })
        .collect()
}

/// A case that sends this text at every position of a result, one after the other.
pub(super) fn everywhere(
    draft: &Draft,
    name: &str,
    text: &str,
    judge: impl Fn(&Subject, Evidence<'_>, &[String]) -> Judged + Copy + Send + Sync + 'static,
) -> Case {
    let at_positions = positions(text, draft.subject.takes_structure()).into_iter();
    let parts = at_positions.map(|Positioned { name, payload, keeps }| {
        let send = move || Stimulus::new(Input::Payload(payload.clone()));
        let case = draft.hostile_case(name, send, move |subject, evidence| judge(subject, evidence, &keeps));
        (name.to_owned(), case)
    });
    draft.in_turn(&format!("{name}-everywhere"), parts)
}

fn judge(subject: &Subject, fixture: &Fixture, evidence: Evidence<'_>, gone: Gone) -> Judged {
    // What only hides or reorders text is neutralised by a boundary that refuses forgery too.
    let forged = || evidence.first().sent.payload().is_none_or(|payload| subject.is_forged(payload));
    if refused_as_forgery(subject, evidence) && forged() {
        return Ok(());
    }
    let content = subject.content(evidence.delivery(0)?)?;
    gone(subject, fixture, &content)?;
    if let Expect::Neutralised { removes } = &fixture.expect {
        for (index, removed) in removes.iter().enumerate() {
            if content.stands.contains(removed) {
                let expected = format!("nothing left of the attack (`removes`, entry {index})");
                return Err(Wrong::new(expected, "it stands in the content").at("rendered"));
            }
        }
    }
    text::keeps(&content.text, &fixture.keeps)
}

/// No marker of the boundary's own envelope.
pub(super) fn judge_envelope(subject: &Subject, _: &Fixture, content: &Content) -> Judged {
    subject.no_envelope_inside(content)
}

/// No turn marker, in any reading that this fixture's level asks for.
pub(super) fn judge_markers(subject: &Subject, fixture: &Fixture, content: &Content) -> Judged {
    no_marker(subject, content, reading(subject, fixture.level == Some(Level::Should)))
}

/// The readings that a delivery must survive, or, with `entities`, should survive: all but the one that
/// undoes the boundary's own encoding.
pub(super) fn reading(subject: &Subject, entities: bool) -> Reading {
    match (subject.grammar().map(Grammar::encoding), entities) {
        (Some(Encoding::Json), false) => Reading::Folded,
        (Some(Encoding::Json), true) => Reading::EntitiesAlone,
        (Some(Encoding::Entities), _) | (_, false) => Reading::Plain,
        (_, true) => Reading::Entities,
    }
}

/// No turn marker in this reading.
pub(super) fn no_marker(subject: &Subject, content: &Content, reading: Reading) -> Judged {
    match subject.markers().find(&content.stands, reading) {
        None => Ok(()),
        Some(hit) => {
            let got = format!("the marker `{}`, read as {}", hit.id, hit.reading);
            Err(Wrong::new("no turn marker", got).at(format!("char {} of that reading", hit.at)))
        }
    }
}

/// None of these characters.
pub(super) fn no_hidden(content: &Content, kinds: &[Hidden]) -> Judged {
    match hidden::find(&content.stands, kinds) {
        None => Ok(()),
        Some(hit) => {
            let got = format!("U+{:04X} ({})", hit.code_point, hit.kind.name());
            Err(Wrong::new("no such character", got).at(format!("char {} of the content", hit.at)))
        }
    }
}
