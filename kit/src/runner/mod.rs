//! The only way anything runs: select, probe, judge, emit.

use std::borrow::Cow;
use std::time::Instant;

use boundary_contract::{AdapterFault, Boundary, Claim, Description};
use boundary_corpus::{Level, Need, Requirement, corpus};

use crate::case::{Case, Verdict};
use crate::isolate::{Answer, Came, Fate, Progress, Request, Stopped};
use crate::oracle::Wrong;
use crate::subject::Subject;

mod conclusion;
mod event;
mod merge;
mod plan;
pub(crate) mod probe;
mod rates;
mod select;
mod server;
mod shard;
mod site;
pub(crate) mod teeth;

pub use conclusion::{Counts, Report, RowReport};
pub use event::{Event, Failure, FailureKind, Identity, RunVerdict, Status};
pub use merge::merge;
pub(crate) use plan::{Plan, Planned};
pub use rates::{Rates, Tally};
pub use select::{Options, Pattern, Rerun};
pub use shard::{Digest, Shard, Share};

use crate::message;
use crate::report::plain::Plain;
use probe::{Probe, Probed};
pub(crate) use server::Server;
#[cfg(unix)]
pub(crate) use server::work;
pub(crate) use site::Site;

/// Runs the kit against a boundary, in this process, and hands each event to `emit`, the finished report last.
///
/// The run is [void](RunVerdict::Void) where the kit's own canaries misbehave, and
/// [`NothingRan`](RunVerdict::NothingRan) where the options select nothing that the boundary claims. A boundary that
/// ends its process, or never answers, takes the run with it; [`assert_conforms`](crate::assert_conforms),
/// [`trials`](crate::trials) and [`check_apart`](crate::check_apart) ask it in workers.
pub fn run(boundary: &dyn Boundary, options: &Options, emit: &mut dyn FnMut(&Event<'_>)) -> Report {
    run_at(&Site::here(Server::new(boundary, options)), options, emit)
}

/// The same, wherever the boundary is asked.
pub(crate) fn run_at(site: &Site<'_>, options: &Options, emit: &mut dyn FnMut(&Event<'_>)) -> Report {
    let started = Instant::now();
    let mut report = match site.describe() {
        Ok(description) => judge(site, description, options, emit),
        Err(Stopped::Boundary(problem)) => Report::without_a_run(Identity::unknown(), options, problem),
        Err(Stopped::Kit(problem)) => Report::void(Identity::unknown(), options, problem),
        Err(Stopped::Interrupted) => Report::void(Identity::unknown(), options, message::interrupted(0, 0)),
    };
    report.seconds = started.elapsed().as_secs_f64();
    emit(&Event::Finished(&report));
    report
}

fn judge(site: &Site<'_>, description: Description, options: &Options, emit: &mut dyn FnMut(&Event<'_>)) -> Report {
    let subject = Subject::new(description);
    let identity = Identity::of(&subject.description);
    let plan = match Plan::new(&subject, options) {
        Ok(plan) => plan,
        Err(problem) => return Report::without_a_run(identity, options, problem),
    };
    let share = plan.share.as_ref();
    emit(&Event::Started { identity: &identity, set: &options.set, cases: plan.cases(), own: plan.own, share });
    // The kit's own boundaries are asked meanwhile.
    let (results, stopped, teeth) = std::thread::scope(|scope| {
        let teeth = scope.spawn(|| teeth::of_the_kit(&plan, options));
        let (results, stopped) = ask(site, &plan, options, emit);
        (results, stopped, teeth.join().unwrap_or_else(|_| Err(message::out_of_turn())))
    });
    let judged = results.iter().flatten().count();
    let mut rates = Rates::default();
    let mut rows = match teeth.and_then(|()| rows(&plan, results, options, &mut rates, emit)) {
        Ok(rows) => rows,
        Err(problem) => return Report { own_fixtures: plan.own, ..Report::void(identity, options, problem) },
    };
    let to_the_end = stopped.map_or(Ok(()), Err).and_then(|()| {
        plan.place(&mut rows);
        // Only a run of everything can tell.
        if options.only.is_empty() && options.shard.is_none() {
            charge_unjudged_claims(&mut rows, &subject.description, options);
        }
        rows.iter().for_each(|row| emit(&Event::Row(row)));
        teeth::on_the_boundary(site, &plan, &rows, options)?;
        site.late().map_or(Ok(()), |problem| Err(Stopped::Boundary(problem)))
    });
    let report = match to_the_end {
        Ok(()) => Report::judged(identity, options, plan.share.clone(), rows, rates),
        Err(Stopped::Kit(problem)) => Report::void(identity, options, problem),
        Err(Stopped::Interrupted) => {
            let problem = message::interrupted(judged, plan.cases());
            Report { rows, rates, ..Report::void(identity, options, problem) }
        }
        Err(Stopped::Boundary(problem)) => {
            let problem = message::given_up(&problem, judged, plan.cases());
            Report { rows, rates, ..Report::given_up(identity, options, problem) }
        }
    };
    Report { own_fixtures: plan.own, share: plan.share, ..report }
}

/// Asks all cases of a plan: what each came to, in their order, and why some came to nothing.
fn ask(
    site: &Site<'_>,
    plan: &Plan,
    options: &Options,
    emit: &mut dyn FnMut(&Event<'_>),
) -> (Vec<Option<Came>>, Option<Stopped>) {
    let cases: Vec<&Case> = plan.each_case().collect();
    let requests: Vec<Request> = cases.iter().map(|case| Request::Case(case.id.to_string())).collect();
    let mut results: Vec<Option<Came>> = std::iter::repeat_with(|| None).take(cases.len()).collect();
    let (mut done, mut failed) = (0, 0);
    let asked = site.all(&requests, options, &mut |progress| {
        let index = match progress {
            Progress::Begun(index) => index,
            Progress::Came(index, came) => {
                // One that was answered may still be charged with what became of its worker.
                let before = results[index].as_ref().is_some_and(|before| !holds(cases[index], before));
                done += usize::from(results[index].is_none());
                failed += usize::from(!before && !holds(cases[index], &came));
                results[index] = Some(came);
                index
            }
        };
        emit(&Event::Progress { done, failed, running: cases[index].id.as_str() });
    });
    (results, asked.err())
}

/// Whether what a case came to is nothing to look at.
fn holds(case: &Case, came: &Came) -> bool {
    let Came::Answered(Answer::Probed(probe)) = came else { return false };
    match &probe.probed {
        Probed::Judged(Verdict::Fail(wrong)) => case.rate_only && wrong.is_misread(),
        Probed::Judged(Verdict::Pass | Verdict::Unclaimed(_)) => true,
        _ => false,
    }
}

/// The rows of a plan, by what its cases came to; an error is a fault of the kit.
fn rows(
    plan: &Plan,
    results: Vec<Option<Came>>,
    options: &Options,
    rates: &mut Rates,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Result<Vec<RowReport>, String> {
    let mut results = results.into_iter();
    let mut rows = Vec::with_capacity(plan.rows.len());
    for (requirement, planned) in &plan.rows {
        rows.extend(match planned {
            Planned::NotBuilt => Some(RowReport::idle(requirement, Status::NotBuilt, None)),
            Planned::NotClaimed(why) => Some(RowReport::idle(requirement, Status::NotClaimed, Some(why))),
            Planned::Cases(cases) => {
                // Not to take one result too many, the cases end first.
                let results = cases.iter().zip(results.by_ref());
                row(requirement, results, options, rates, emit)?
            }
        });
    }
    Ok(rows)
}

/// One requirement's row, where any of its cases was judged, or all were asked; an error is a fault of the kit.
fn row<'a>(
    requirement: &'static Requirement,
    results: impl Iterator<Item = (&'a Case, Option<Came>)>,
    options: &Options,
    rates: &mut Rates,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Result<Option<RowReport>, String> {
    let mut row = RowReport::idle(requirement, Status::Pass, None);
    let mut all_asked = true;
    for (case, came) in results {
        let Some(came) = came else {
            all_asked = false;
            continue;
        };
        let result = result(case, came, options)?;
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
            CaseResult::Unclaimed(why) => *row.unclaimed.entry(Plain::whole(&why)).or_default() += 1,
        }
        emit(&Event::Case { id: case.id.as_str(), failed: row.failures.last().filter(|f| f.case == case.id.as_str()) });
    }
    row.settle();
    Ok((row.cases > 0 || all_asked).then_some(row))
}

/// What a case came to.
pub(crate) enum CaseResult {
    Pass,
    Fail(Box<Failure>),
    /// It misread a text of which only a rate is kept.
    Missed(Box<Failure>),
    Unclaimed(Cow<'static, str>),
}

/// Runs one case in this process; an error is a fault of the kit.
pub(crate) fn run_case(
    boundary: &dyn Boundary,
    description: &Description,
    case: &Case,
    options: &Options,
) -> Result<CaseResult, String> {
    judged(case, probe::probe(boundary, description, case), options)
}

/// What comes of a case that was asked for; an error is a fault of the kit.
pub(crate) fn result(case: &Case, came: Came, options: &Options) -> Result<CaseResult, String> {
    match came {
        Came::Answered(Answer::Probed(probe)) => judged(case, *probe, options),
        Came::Fated(fate, journal) => Ok(CaseResult::Fail(fated(case, fate, journal.asked, options))),
        Came::Answered(_) => Err(message::out_of_turn()),
    }
}

fn judged(case: &Case, probe: Probe, options: &Options) -> Result<CaseResult, String> {
    let instead = |kind, got: String| (kind, Wrong::new("an answer", got));
    let (kind, wrong) = match probe.probed {
        Probed::Judged(Verdict::Pass) => return Ok(CaseResult::Pass),
        Probed::Judged(Verdict::Unclaimed(why)) => return Ok(CaseResult::Unclaimed(why)),
        Probed::Kit(place) => return Err(message::kit_fault(&case.id, &place)),
        Probed::Judged(Verdict::Fail(wrong)) => (FailureKind::Wrong, wrong),
        Probed::Panicked(place) => (FailureKind::Panic, Wrong::new("an answer", message::panicked()).at(place)),
        Probed::Overlong => instead(FailureKind::Garbage, message::overlong()),
        Probed::Adapter(why) => instead(FailureKind::Adapter, message::adapter_fault(&AdapterFault::new(why))),
    };
    let failure = failure(case, kind, &wrong, probe.sent.as_deref(), options);
    Ok(if case.rate_only && failure.misread { CaseResult::Missed(failure) } else { CaseResult::Fail(failure) })
}

/// A case whose worker came to this, when the boundary had been asked so many times.
pub(crate) fn fated(case: &Case, fate: Fate, asked: usize, options: &Options) -> Box<Failure> {
    // Only the first step is made from nothing; what a later one sends is made from the answers before.
    let first = (asked <= 1).then(|| probe::contained(|| case.stimulus(0, &[])).ok().flatten()).flatten();
    let sent = first.as_ref().map(message::beginning);
    let wrong = Wrong::new("an answer", message::fate(fate, &options.limits));
    failure(case, FailureKind::of(fate), &wrong, sent.as_deref(), options)
}

/// A case that does not hold, as a bug report; `sent` is the beginning of what was sent last.
fn failure(case: &Case, kind: FailureKind, wrong: &Wrong, sent: Option<&str>, options: &Options) -> Box<Failure> {
    Box::new(Failure {
        case: case.id.to_string(),
        place: None,
        level: case.level,
        kind,
        misread: wrong.is_misread(),
        expected: Plain::new(&wrong.expected),
        got: Plain::new(&wrong.got),
        at: wrong.at.as_deref().map(Plain::new),
        sent: sent.map(message::sent),
        reproduce: Plain::whole(&options.rerun(case)),
    })
}

/// A claim none of whose requirements could be judged is a failure: nothing stands behind it.
fn charge_unjudged_claims(rows: &mut [RowReport], description: &Description, options: &Options) {
    for claim in description.claims.iter().copied() {
        let judged = rows.iter().any(|row| asks_for(row.requirement, claim) && row.cases > 0);
        if judged || may_be_asked_later(description, claim) {
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
pub(crate) fn may_be_asked_later(description: &Description, claim: Claim) -> bool {
    corpus().requirements().iter().any(|requirement| {
        let met = requirement.claims.iter().all(|need| need.is_met_by(description));
        !requirement.built && met && asks_for(requirement, claim)
    })
}

/// The claims of a boundary that are tied to no provider, which is what `k of n` counts.
fn general_claims<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> usize {
    claims.into_iter().filter(|claim| Claim::GENERAL.contains(claim)).count()
}
