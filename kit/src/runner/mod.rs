//! The only way anything runs: select, probe, judge, emit.

use std::collections::BTreeSet;
use std::time::Instant;

use boundary_contract::{Boundary, Claim, Description};
use boundary_corpus::{Level, Need, Requirement, corpus};

use crate::case::{Case, Verdict};
use crate::subject::Subject;

mod event;
mod plan;
pub(crate) mod probe;
mod rates;
mod select;
pub(crate) mod teeth;

pub use event::{Counts, Event, Failure, FailureKind, Identity, Report, RowReport, RunVerdict, Status};
pub(crate) use plan::{Plan, Planned};
pub use rates::{Rates, Tally};
pub use select::{Options, Pattern, Rerun};

use crate::message;
use crate::report::plain::Plain;
use probe::Probed;

/// Runs the kit against a boundary and hands each event to `emit`, the finished report last.
///
/// The run is [void](RunVerdict::Void) where the kit's own canaries misbehave, and
/// [`NothingRan`](RunVerdict::NothingRan) where the options select nothing that the boundary claims.
pub fn run(boundary: &dyn Boundary, options: &Options, emit: &mut dyn FnMut(&Event<'_>)) -> Report {
    let started = Instant::now();
    let mut report = match probe::describe(boundary) {
        Ok(description) => judge(boundary, description, options, emit),
        Err(place) => Report::without_a_run(Identity::unknown(), options, message::describe_panicked(&place)),
    };
    report.seconds = started.elapsed().as_secs_f64();
    emit(&Event::Finished(&report));
    report
}

fn judge(
    boundary: &dyn Boundary,
    description: Description,
    options: &Options,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Report {
    let subject = Subject::new(description);
    let identity = Identity::of(&subject.description);
    let plan = match Plan::new(&subject, options) {
        Ok(plan) => plan,
        Err(problem) => return Report::without_a_run(identity, options, problem),
    };
    emit(&Event::Started { identity: &identity, set: &options.set, cases: plan.cases(), own: plan.own });
    if let Err(problem) = teeth::of_the_kit(&plan) {
        return Report::void(identity, options, problem);
    }
    let mut rows = Vec::with_capacity(plan.rows.len());
    let mut rates = Rates::default();
    for (requirement, planned) in &plan.rows {
        let row = match run_row(boundary, &subject, requirement, planned, options, &mut rates, emit) {
            Ok(row) => row,
            Err(problem) => return Report::void(identity, options, problem),
        };
        rows.push(row);
    }
    charge_unjudged_claims(&mut rows, &subject, options);
    for row in &rows {
        emit(&Event::Row(row));
    }
    if let Err(problem) = teeth::on_the_boundary(boundary, &subject, &plan, &rows) {
        return Report::void(identity, options, problem);
    }
    let missing: Vec<Claim> = options.require.iter().copied().filter(|claim| !subject.claims(*claim)).collect();
    if rows.iter().all(|row| row.cases == 0 && row.failures.is_empty()) {
        return Report::without_a_run(identity, options, message::nothing_judged());
    }
    Report { own_fixtures: plan.own, ..Report::judged(identity, options, rows, rates, missing) }
}

/// Runs one requirement's cases; an error is a fault of the kit.
fn run_row(
    boundary: &dyn Boundary,
    subject: &Subject,
    requirement: &'static Requirement,
    planned: &Planned,
    options: &Options,
    rates: &mut Rates,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Result<RowReport, String> {
    let cases = match planned {
        Planned::NotBuilt => return Ok(RowReport::idle(requirement, Status::NotBuilt, None)),
        Planned::NotClaimed(why) => {
            return Ok(RowReport::idle(requirement, Status::NotClaimed, Some(why.clone())));
        }
        Planned::Cases(cases) => cases,
    };
    let mut row = RowReport::idle(requirement, Status::Pass, None);
    let mut unclaimed: Vec<&'static str> = Vec::new();
    for case in cases {
        let result = run_case(boundary, &subject.description, case, options)?;
        rates.count(case, &result);
        match result {
            CaseResult::Pass => row.cases += 1,
            CaseResult::Missed(_) => {
                row.cases += 1;
                row.missed += 1;
            }
            CaseResult::Fail(failure) => {
                row.cases += 1;
                let weight = if case.level == Level::Must { Status::Fail } else { Status::Warn };
                row.status = row.status.max(weight);
                row.failures.push(*failure);
            }
            CaseResult::Unclaimed(why) => unclaimed.push(why),
        }
        emit(&Event::Case { id: case.id.as_str(), failed: row.failures.last().filter(|f| f.case == case.id.as_str()) });
    }
    row.note = unclaimed.first().map(|why| message::cases_not_claimed(unclaimed.len(), why));
    if row.cases == 0 {
        row.status = Status::NotClaimed;
        row.note.get_or_insert_with(message::nothing_to_send);
    }
    Ok(row)
}

/// What a case came to.
pub(crate) enum CaseResult {
    Pass,
    Fail(Box<Failure>),
    /// It misread a text of which only a rate is kept.
    Missed(Box<Failure>),
    Unclaimed(&'static str),
}

/// Runs one case; an error is a fault of the kit.
pub(crate) fn run_case(
    boundary: &dyn Boundary,
    description: &Description,
    case: &Case,
    options: &Options,
) -> Result<CaseResult, String> {
    let probe = probe::probe(boundary, description, case);
    let misread = matches!(&probe.probed, Probed::Judged(Verdict::Fail(wrong)) if wrong.unfound || wrong.alarmed);
    let (kind, expected, got, at) = match probe.probed {
        Probed::Judged(Verdict::Pass) => return Ok(CaseResult::Pass),
        Probed::Judged(Verdict::Unclaimed(why)) => return Ok(CaseResult::Unclaimed(why)),
        Probed::Kit(place) => return Err(message::kit_fault(&case.id, &place)),
        Probed::Judged(Verdict::Fail(wrong)) => (FailureKind::Wrong, wrong.expected, wrong.got, wrong.at),
        Probed::Panicked(place) => (FailureKind::Panic, "an answer".to_owned(), "a panic".to_owned(), Some(place)),
        Probed::Adapter(fault) => (FailureKind::Garbage, "an answer".to_owned(), message::adapter_fault(&fault), None),
    };
    let failure = Box::new(Failure {
        case: case.id.to_string(),
        level: case.level,
        kind,
        misread,
        expected: Plain::new(&expected),
        got: Plain::new(&got),
        at: at.as_deref().map(Plain::new),
        sent: probe.sent.as_ref().map(message::sent),
        reproduce: options.rerun(case),
    });
    Ok(if case.rate_only && misread { CaseResult::Missed(failure) } else { CaseResult::Fail(failure) })
}

/// A claim none of whose requirements could be judged is a failure: nothing stands behind it.
///
/// Only a run of everything can tell.
fn charge_unjudged_claims(rows: &mut [RowReport], subject: &Subject, options: &Options) {
    if !options.only.is_empty() {
        return;
    }
    for claim in subject.description.claims.iter().copied() {
        let judged = rows.iter().any(|row| asks_for(row.requirement, claim) && row.cases > 0);
        if judged || may_be_asked_later(subject, claim) {
            continue;
        }
        if let Some(row) = rows.iter_mut().find(|row| asks_for(row.requirement, claim)) {
            let failure = message::claim_without_evidence(row, claim, options);
            row.failures.push(failure);
            row.status = Status::Fail;
        }
    }
}

/// Whether a requirement is evidence for this claim. That ordinary text is left alone is none: whoever does
/// nothing leaves it alone.
pub(crate) fn asks_for(requirement: &Requirement, claim: Claim) -> bool {
    requirement.claims.contains(&Need::Claim(claim)) && requirement.area() != "benign"
}

/// Whether a requirement of this claim would be asked of this boundary, could the kit judge it yet. That it
/// cannot is no fault of the boundary.
pub(crate) fn may_be_asked_later(subject: &Subject, claim: Claim) -> bool {
    corpus().requirements().iter().any(|requirement| {
        let met = requirement.claims.iter().all(|need| need.is_met_by(&subject.description));
        !requirement.built && met && asks_for(requirement, claim)
    })
}

/// The claims of a boundary that are tied to no provider, which is what `k of n` counts.
pub(crate) fn general_claims(description: &Description) -> usize {
    let general: BTreeSet<Claim> = Claim::GENERAL.iter().copied().collect();
    description.claims.intersection(&general).count()
}

/// The version of the corpus in use.
pub(crate) fn corpus_version() -> &'static str {
    corpus().version()
}
