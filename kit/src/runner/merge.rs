//! Merging: the reports of all shards of a run, joined into the one that the whole run would have written.

use boundary_contract::Description;
use boundary_corpus::{Requirement, corpus};

use super::{Options, Rates, Report, RowReport, RunVerdict, Share, Status, charge_unjudged_claims};
use crate::message;
use crate::report::Saved;
use crate::report::plain::Plain;

/// Joins the reports of all shards of one run into the report of that run, to the last byte but for the time.
///
/// Of the options, the level, the required claims and the way to run everything again count, as if the whole run had
/// been given them; what was selected and the set are those of the shards.
///
/// # Errors
///
/// Why the reports say nothing together, in words for a person: one is of no shard, a shard is missing or there twice,
/// or two are not of one run.
pub fn merge(shards: &[Saved], options: &Options) -> Result<Report, String> {
    let parts = each_once(shards)?;
    let first = parts[0];
    let (report, share) = (first.report, first.share);
    let ended = |verdict, problem: &Option<Plain>| {
        let problem = problem.clone();
        Report { problem, ..Report::new(report.identity.clone(), options, verdict) }
    };
    let merged = if let Some(void) = parts.iter().find(|part| part.report.verdict == RunVerdict::Void) {
        ended(RunVerdict::Void, &void.report.problem)
    } else if let Some(given_up) = parts.iter().find(|part| part.report.is_unfinished()) {
        ended(RunVerdict::Nonconformant, &given_up.report.problem)
    } else if share.planned == 0 {
        ended(RunVerdict::NothingRan, &report.problem)
    } else {
        let mut rows = rows(&parts)?;
        if share.only.is_empty() {
            let claims = report.identity.claims.iter().copied();
            charge_unjudged_claims(&mut rows, &Description::new("", "").claiming(claims), options);
        }
        let mut rates = Rates::default();
        parts.iter().for_each(|part| rates.join(&part.report.rates));
        let whole = Report::judged(report.identity.clone(), options, None, rows, rates);
        let red = parts.iter().find(|part| part.report.verdict == RunVerdict::Nonconformant);
        if let (RunVerdict::Conformant, Some(red)) = (whole.verdict, red) {
            return Err(message::shards::held_to_more(red.file));
        }
        whole
    };
    let seconds = parts.iter().map(|part| part.report.seconds).sum();
    Ok(Report { set: report.set.clone(), own_fixtures: report.own_fixtures, share: None, seconds, ..merged })
}

/// One shard's report.
#[derive(Clone, Copy)]
struct Part<'a> {
    file: &'a Plain,
    report: &'a Report,
    share: &'a Share,
}

impl<'a> Part<'a> {
    fn of(saved: &'a Saved) -> Result<Self, String> {
        let share = saved.report.share.as_ref().ok_or_else(|| message::shards::not_a_shard(&saved.file))?;
        Ok(Self { file: &saved.file, report: &saved.report, share })
    }

    /// What all shards of one run have in common, and what each is called.
    fn facts(&self) -> [(&'static str, String); 11] {
        let (report, share) = (self.report, self.share);
        let claims: Vec<&str> = report.identity.claims.iter().map(|claim| claim.as_str()).collect();
        let only: Vec<&str> = share.only.iter().map(Plain::as_str).collect();
        [
            ("the kit", report.kit.to_string()),
            ("the corpus", report.corpus.to_string()),
            ("the number of shards", share.shard.of().to_string()),
            ("the boundary", report.identity.name.to_string()),
            ("its version", report.identity.version.to_string()),
            ("what it claims", claims.join(", ")),
            ("the set", report.set.to_string()),
            ("the number of own fixtures", report.own_fixtures.to_string()),
            ("what is selected", only.join(" ")),
            ("the number of cases", share.planned.to_string()),
            ("the digest of the plan", share.plan.to_string()),
        ]
    }
}

/// The reports in the order of their shards, each there once.
fn each_once(shards: &[Saved]) -> Result<Vec<Part<'_>>, String> {
    let parts = shards.iter().map(Part::of).collect::<Result<Vec<_>, String>>()?;
    let Some(first) = parts.first() else { return Err(message::shards::nothing_to_merge()) };
    let ours = [env!("CARGO_PKG_VERSION"), corpus().version()];
    let facts = first.facts();
    if let Some(((what, theirs), ours)) = facts.iter().zip(ours).find(|((_, theirs), ours)| theirs != ours) {
        return Err(message::shards::other_version(first.file, what, theirs, ours));
    }
    for part in &parts {
        let others = part.facts();
        if let Some(((what, one), (_, other))) = facts.iter().zip(&others).find(|(one, other)| one != other) {
            return Err(message::shards::not_of_one_run(first.file, part.file, what, one, other));
        }
    }
    let mut slots: Vec<Option<Part<'_>>> = vec![None; first.share.shard.of()];
    for part in &parts {
        let shard = part.share.shard;
        if let Some(other) = slots[shard.index() - 1].replace(*part) {
            return Err(message::shards::doubled(shard, other.file, part.file));
        }
    }
    let missing = slots.iter().zip(1..).filter(|(slot, _)| slot.is_none()).map(|(_, index)| index);
    let missing: Vec<usize> = missing.collect();
    if missing.is_empty() {
        Ok(slots.into_iter().flatten().collect())
    } else {
        Err(message::shards::missing(&missing, first.share.shard.of()))
    }
}

/// Every requirement of the run, in the order of the catalogue.
fn rows(parts: &[Part<'_>]) -> Result<Vec<RowReport>, String> {
    let mut left: Vec<_> = parts.iter().map(|part| part.report.rows.iter().peekable()).collect();
    let mut rows = Vec::new();
    for requirement in corpus().requirements() {
        let same = left.iter_mut().map(|rows| rows.next_if(|row| row.requirement.id == requirement.id));
        let same: Vec<Option<&RowReport>> = same.collect();
        if let Some(idle) = same.iter().position(|row| row.is_some_and(is_idle)) {
            let said = |at: usize| same[at].filter(|row| is_idle(row)).map(|row| (row.status, &row.note));
            if let Some(other) = (0..parts.len()).find(|at| said(*at) != said(idle)) {
                return Err(message::shards::disagree(parts[idle].file, parts[other].file, requirement));
            }
            rows.extend(same[idle].cloned());
        } else if same.iter().any(Option::is_some) {
            rows.push(sum(requirement, same.into_iter().flatten()));
        }
    }
    Ok(rows)
}

/// Whether a requirement had no case to ask, in this shard and so in any.
fn is_idle(row: &RowReport) -> bool {
    row.cases == 0 && row.failures.is_empty() && row.unclaimed.is_empty()
}

/// What the shards' cases of one requirement come to together.
fn sum<'a>(requirement: &'static Requirement, rows: impl Iterator<Item = &'a RowReport>) -> RowReport {
    let mut sum = RowReport::idle(requirement, Status::Pass, None);
    for row in rows {
        sum.status = sum.status.max(row.status);
        sum.cases += row.cases;
        sum.missed += row.missed;
        sum.failures.extend(row.failures.iter().cloned());
        for (why, cases) in &row.unclaimed {
            *sum.unclaimed.entry(why.clone()).or_default() += cases;
        }
    }
    sum.failures.sort_by_key(|failure| failure.place);
    // The whole run has no need of it.
    sum.failures.iter_mut().for_each(|failure| failure.place = None);
    sum.settle();
    sum
}
