//! Judging fixtures whose attack must be gone from what is delivered, with the text around it kept.

use boundary_corpus::{Expect, Fixture, Level};

use super::{Draft, envelope::refused_as_forgery};
use crate::case::{Case, Evidence};
use crate::oracle::hidden::{self, Hidden};
use crate::oracle::marker::Reading;
use crate::oracle::{Judged, Wrong, text};
use crate::subject::{Content, Subject};

/// What an attack of a requirement leaves behind where it was not neutralised.
type Gone = fn(&Subject, &Fixture, &Content) -> Judged;

/// The fixtures of a requirement that are to be neutralised, each judged by `gone`.
pub(super) fn cases(draft: &Draft, gone: Gone) -> Vec<Case> {
    draft
        .fixtures()
        .filter(|fixture| matches!(fixture.expect, Expect::Neutralised { .. }))
        .map(|fixture| {
            draft.fixture_case(fixture, move |subject, fixture, evidence| judge(subject, fixture, evidence, gone))
        })
        .collect()
}

fn judge(subject: &Subject, fixture: &Fixture, evidence: Evidence<'_>, gone: Gone) -> Judged {
    if refused_as_forgery(subject, evidence) {
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

/// No turn marker, read as plainly as the row asks for: by its letters, or by every must view.
pub(super) fn judge_markers(subject: &Subject, fixture: &Fixture, content: &Content) -> Judged {
    let reading = if fixture.level == Some(Level::Should) { Reading::Entities } else { Reading::Plain };
    no_marker(subject, content, reading)
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
