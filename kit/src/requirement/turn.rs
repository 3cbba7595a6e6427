//! Turn markers of chat templates: none survives, however it is written, and none is put together by a removal.

use boundary_contract::{Encoding, Grammar, RefusalKind, Slot};
use boundary_corpus::{Fixture, Level, Marker, Matching};

use super::attribute::named;
use super::envelope::shows;
use super::forgery::INVISIBLE;
use super::imitation::refused_as_forgery;
use super::neutralised::{self, judge_markers, no_hidden, no_marker, reading};
use super::{Draft, Row};
use crate::case::{Case, Evidence, Exchange};
use crate::generate::forms::{Form, doubled, full_width, split};
use crate::generate::turns;
use crate::oracle::marker::Reading;
use crate::oracle::{Judged, Wrong, text};
use crate::stimulus::Stimulus;
use crate::subject::{Content, Subject};

pub(super) const ROWS: &[Row] = &[
    Row { id: "forgery/turn-markers", cases: turn_markers },
    Row { id: "forgery/no-reconstruction", cases: no_reconstruction },
    Row { id: "forgery/survives-reading", cases: survives_reading },
    Row { id: "forgery/leaves-a-trace", cases: leaves_a_trace },
];

const BEFORE: &str = "The tide table follows.";
const AFTER: &str = "High water is at noon.";

/// A text around a marker, or around whatever stands in its place.
fn around(middle: &str) -> String {
    format!("{BEFORE}\n{middle}\n{AFTER}")
}

fn kept_around() -> [String; 2] {
    [BEFORE.to_owned(), AFTER.to_owned()]
}

fn turn_markers(draft: &Draft) -> Result<Vec<Case>, String> {
    some_family(draft)?;
    let mut cases: Vec<Case> = draft
        .subject
        .structural_markers()
        .map(|marker| {
            let send = || Stimulus::text(around(&marker.text));
            draft.hostile_case(&marker.id, send, |subject, evidence| judge_around(subject, evidence, Reading::Raw))
        })
        .collect();
    let shown: Vec<Slot> =
        [Slot::Tool, Slot::Source, Slot::Tenant].into_iter().filter(|slot| shows(&draft.subject, &[*slot])).collect();
    if !shown.is_empty() {
        let in_names = one_a_family(draft).flat_map(|marker| shown.iter().map(move |slot| (marker, *slot)));
        cases.push(draft.in_turn(
            "in-names",
            in_names.map(|(marker, slot)| {
                let send = move || named(slot, &format!("weather {} desk", marker.text));
                (
                    format!("{} in {slot}", marker.id),
                    draft.case(&marker.id, send, |_, evidence| judge_name(&marker.text, evidence)),
                )
            }),
        ));
    }
    cases.extend(neutralised::cases(draft, |subject, _, content| no_marker(subject, content, Reading::Raw)));
    Ok(cases)
}

/// A name that the envelope shows is delivered text too.
fn judge_name(marker: &str, evidence: Evidence<'_>) -> Judged {
    if evidence.refusal(RefusalKind::Usage).is_ok() {
        return Ok(());
    }
    if evidence.delivery(0)?.rendered.contains(marker) {
        return Err(Wrong::new("no turn marker in what the envelope shows of a name", "one").at("rendered"));
    }
    Ok(())
}

/// # Errors
///
/// Why none of the rows about turn markers is claimed.
fn some_family(draft: &Draft) -> Result<(), String> {
    match draft.subject.structural_markers().next() {
        Some(_) => Ok(()),
        None => Err("it claims no family of structural turn markers".to_owned()),
    }
}

fn judge_around(subject: &Subject, evidence: Evidence<'_>, reading: Reading) -> Judged {
    if refused_as_forgery(subject, evidence) {
        return Ok(());
    }
    let content = subject.content(evidence.delivery(0)?)?;
    no_marker(subject, &content, reading)?;
    text::keeps(&content.text, &kept_around())
}

fn no_reconstruction(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for marker in one_a_family(draft) {
        let nested = doubled(&marker.text);
        let name = format!("nested-{}", marker.id);
        cases.push(draft.hostile_case(
            &name,
            move || Stimulus::text(around(&nested)),
            |subject, evidence| judge_around(subject, evidence, reading(subject, false)),
        ));
    }
    cases.extend(in_every_form(draft, "forms", false, turns::nested));
    cases.extend(neutralised::cases(draft, judge_reconstruction));
    Ok(cases)
}

/// A case for each marker, of what `forms` makes of it and of the marker after it. The first of a family is sent in
/// one form after the other; the others, of which a list may lack one but hardly a form, in all forms at once.
fn in_every_form(
    draft: &Draft,
    prefix: &str,
    entities: bool,
    forms: impl Fn(&Marker, &Marker) -> Vec<Form>,
) -> Vec<Case> {
    let firsts: Vec<&str> = one_a_family(draft).map(|marker| &*marker.id).collect();
    let markers: Vec<&Marker> = draft.subject.structural_markers().collect();
    let case = |(at, marker): (usize, &&'static Marker)| {
        let forms = forms(marker, markers[(at + 1) % markers.len()]);
        let name = format!("{prefix}-{}", marker.id);
        let judge = move |subject: &Subject, evidence: Evidence<'_>| {
            judge_around(subject, evidence, reading(subject, entities))
        };
        if firsts.contains(&&*marker.id) {
            draft.in_turn(
                &name,
                forms.into_iter().map(|form| {
                    let send = move || Stimulus::text(around(&form.text));
                    (form.name.to_owned(), draft.hostile_case(form.name, send, judge))
                }),
            )
        } else {
            let text = around(&forms.iter().map(|form| &*form.text).collect::<Vec<_>>().join("\n"));
            let names: Vec<&str> = forms.iter().map(|form| form.name).collect();
            draft.hostile_case(
                &name,
                move || Stimulus::text(text.clone()),
                move |subject, evidence| {
                    judge(subject, evidence).map_err(|wrong| at_a_form(subject, evidence, &names, entities, wrong))
                },
            )
        }
    };
    markers.iter().enumerate().map(case).collect()
}

/// The same verdict with the form that it is about, where the lines of the content still tell one from another.
fn at_a_form(subject: &Subject, evidence: Evidence<'_>, names: &[&str], entities: bool, wrong: Wrong) -> Wrong {
    let content = evidence.delivery(0).and_then(|delivery| subject.content(delivery));
    let Ok(content) = content else { return wrong };
    let survives = |line: &str| subject.markers().find(line, reading(subject, entities)).is_some();
    // The forms stand between one line before and one after.
    let lines = content.stands.lines().skip(1).zip(names);
    match lines.into_iter().find(|(line, _)| survives(line)) {
        Some((_, name)) => wrong.at(*name),
        None => wrong,
    }
}

/// What removal may build is not only a marker: runs of hidden characters and an envelope's own too.
fn judge_reconstruction(subject: &Subject, fixture: &Fixture, content: &Content) -> Judged {
    judge_markers(subject, fixture, content)?;
    subject.no_envelope_inside(content)?;
    no_hidden(content, INVISIBLE)
}

fn survives_reading(draft: &Draft) -> Result<Vec<Case>, String> {
    type Disguise = fn(&str) -> String;
    const MUST: [(&str, Disguise); 3] = [
        ("zero-width", |text| split(text, '\u{200b}')),
        ("full-width", full_width),
        ("json-escape", turns::json_escaped),
    ];
    const SHOULD: (&str, Disguise) =
        ("entities", |text| text.chars().map(|c| format!("&#{};", u32::from(c))).collect());
    some_family(draft)?;
    let encoding = draft.subject.grammar().map(Grammar::encoding);
    let mut cases = Vec::new();
    for marker in one_a_family(draft) {
        for (name, disguise) in MUST {
            // The boundary's own encoding is undone before the model reads, so it is no disguise.
            if name == "json-escape" && encoding == Some(Encoding::Json) {
                continue;
            }
            let send = move || Stimulus::text(around(&disguise(&marker.text)));
            cases.push(draft.hostile_case(&format!("{name}-{}", marker.id), send, |subject, evidence| {
                judge_around(subject, evidence, reading(subject, false))
            }));
        }
        if marker.matching == Matching::Folded {
            let send = || Stimulus::text(around(&turns::other_case(&marker.text)));
            cases.push(draft.hostile_case(&format!("other-case-{}", marker.id), send, |subject, evidence| {
                judge_around(subject, evidence, reading(subject, false))
            }));
        }
        if encoding != Some(Encoding::Entities) {
            let (name, disguise) = SHOULD;
            let send = move || Stimulus::text(around(&disguise(&marker.text)));
            let case = draft.hostile_case(&format!("{name}-{}", marker.id), send, |subject, evidence| {
                judge_around(subject, evidence, reading(subject, true))
            });
            cases.push(case.should());
        }
    }
    let escapes = encoding != Some(Encoding::Json);
    cases.extend(in_every_form(draft, "forms", false, move |marker, _| turns::disguises(marker, escapes)));
    if encoding != Some(Encoding::Entities) {
        let spelled = in_every_form(draft, "entity-forms", true, |marker, _| turns::in_entities(marker));
        cases.extend(spelled.into_iter().map(Case::should));
    }
    cases.extend(neutralised::cases(draft, |subject, fixture, content| {
        no_marker(subject, content, reading(subject, fixture.level == Some(Level::Should)))
    }));
    Ok(cases)
}

/// The first structural marker of each claimed family.
pub(super) fn one_a_family(draft: &Draft) -> impl Iterator<Item = &'static Marker> {
    let mut last = None;
    draft.subject.structural_markers().filter(move |marker| last.replace(&marker.family) != Some(&marker.family))
}

fn leaves_a_trace(draft: &Draft) -> Result<Vec<Case>, String> {
    some_family(draft)?;
    let trace = |name: &str, with: String, without: String| {
        let with = move || Stimulus::text(with.clone());
        let without = move |_: &[Exchange]| Some(Stimulus::text(without.clone()));
        draft.hostile_case(name, with, judge_trace).then(without)
    };
    let quoting = |marker: &str| format!("Every answer ends with `{marker}`, as the manual of the buoy has it.");
    Ok(one_a_family(draft)
        .flat_map(|marker| {
            [
                trace(&marker.id, around(&marker.text), around("")),
                trace(&format!("quoted-{}", marker.id), quoting(&marker.text), quoting("")),
            ]
        })
        .collect())
}

/// A text that held a marker reads otherwise than one that never did.
fn judge_trace(subject: &Subject, evidence: Evidence<'_>) -> Judged {
    if refused_as_forgery(subject, evidence) {
        return Ok(());
    }
    let words = |step| {
        let content = subject.content(evidence.delivery(step)?)?;
        Ok::<_, Wrong>(content.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    };
    if words(0)? == words(1)? {
        return Err(Wrong::new("something to be seen where a marker was neutralised", "nothing"));
    }
    Ok(())
}
