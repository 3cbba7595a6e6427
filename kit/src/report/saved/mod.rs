//! Reading a saved report back: as strictly as it was written, and trusting nothing that it holds.
//!
//! A report that was cut, edited or written by something else is an error with the file, the place and what is legal
//! there. What it says twice (counts, statuses, the verdict) must agree, so that no edit turns a red report green
//! unnoticed by making half of it so. Texts are neutralised again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use boundary_contract::Claim;
use boundary_corpus::{FixtureId, Requirement, corpus};

use super::plain::Plain;
use crate::case::Rate;
use crate::message::{self, saved as say};
use crate::runner::{Failure, Identity, Rates, Report, RowReport, RunVerdict, Shard, Share, Status, Tally};

mod written;

use written::Object;

/// The number of the format that is written and read.
pub(super) const FORMAT: u64 = 1;

/// A report that was read from a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Saved {
    /// The file's name, made safe to show.
    pub file: Plain,
    /// What it says.
    pub report: Report,
}

impl Saved {
    /// Reads the file of a report that `boundary-kit check --format json` wrote.
    ///
    /// # Errors
    ///
    /// The file, the place in it, and what is wrong there, in words for a person.
    pub fn read(path: &Path) -> Result<Self, String> {
        let file = say::file(path);
        let bytes = std::fs::read(path).map_err(|error| say::in_file(&file, &say::no_file(error.kind())))?;
        Self::parse(path, &bytes)
    }

    /// Reads the bytes of a report that came from this file.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, String> {
        let file = say::file(path);
        match report(bytes) {
            Ok(report) => Ok(Self { file, report }),
            Err(fault) => Err(say::in_file(&file, &fault)),
        }
    }
}

fn report(bytes: &[u8]) -> Result<Report, String> {
    let head: Object<written::Head> = serde_json::from_slice(bytes).map_err(|error| say::unreadable(&error))?;
    let head = head.0;
    if head.format != FORMAT {
        return Err(say::other_format(head.format, FORMAT));
    }
    let written: Object<written::Report> = serde_json::from_slice(bytes).map_err(|error| say::unreadable(&error))?;
    let written = written.0;
    let summary = written.summary.0;
    let report = Report {
        kit: written.kit.0,
        corpus: written.corpus.0,
        set: written.set.0,
        identity: identity(written.boundary.0)?,
        verdict: written.verdict.0,
        problem: written.problem.map(|problem| problem.0),
        share: written.shard.map(|shard| share(shard.0)).transpose()?,
        own_fixtures: written.own_fixtures.map_or(0, written::Count::get),
        missing: missing(written.missing_claims)?,
        rows: rows(written.requirements)?,
        rates: written.rates.map(|written| rates(written.0)).transpose()?.unwrap_or_default(),
        seconds: summary.seconds.0,
    };
    counted(&report, &summary)?;
    concluded(&report)?;
    placed(&report)?;
    Ok(report)
}

fn identity(written: written::Boundary) -> Result<Identity, String> {
    let claims: Vec<Claim> = written.claims.into_iter().map(|claim| claim.0).collect();
    if let Some(pair) = claims.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(say::out_of_order("boundary.claims", pair[1].as_str()));
    }
    let identity = Identity::saved(written.name.0, written.version.0, claims);
    let claimed = written.claimed.0;
    if claimed.as_str() != identity.claimed() {
        return Err(say::unlike("boundary.claimed", claimed.as_str(), &identity.claimed()));
    }
    Ok(identity)
}

fn missing(written: Option<Vec<written::Word<Claim>>>) -> Result<Vec<Claim>, String> {
    match written {
        Some(claims) if claims.is_empty() => Err(say::contradicted("missing_claims", "empty")),
        claims => Ok(claims.into_iter().flatten().map(|claim| claim.0).collect()),
    }
}

fn share(written: written::Shard) -> Result<Share, String> {
    let (index, of, planned) = (written.index.get(), written.of.get(), written.planned.get());
    let named = format!("{index}/{of}");
    let shard: Shard = named.parse()?;
    let asked = written.asked.get();
    if asked != shard.share_of(planned) {
        return Err(say::unlike("shard.asked", &asked.to_string(), &shard.share_of(planned).to_string()));
    }
    let only = written.only.into_iter().map(|pattern| pattern.0).collect();
    Ok(Share { shard, asked, planned, plan: written.plan.0, only })
}

/// The rows, each once and in the order of the catalogue.
fn rows(written: Vec<Object<written::Row>>) -> Result<Vec<RowReport>, String> {
    let mut catalogue = corpus().requirements().iter();
    let mut rows = Vec::with_capacity(written.len());
    for Object(row) in written {
        let id = row.id.0.as_str();
        match catalogue.find(|requirement| requirement.id == id) {
            Some(requirement) => rows.push(self::row(requirement, row)?),
            None if corpus().requirement(id).is_some() => return Err(say::out_of_order("requirements", id)),
            None => {
                let names: Vec<String> = corpus().requirements().iter().map(|known| known.id.to_string()).collect();
                return Err(message::unknown_requirement(id, &names));
            }
        }
    }
    Ok(rows)
}

fn row(requirement: &'static Requirement, written: written::Row) -> Result<RowReport, String> {
    let id = requirement.id.as_str();
    let unlike = |field: &str, is: &str, expected: &str| say::unlike(&format!("{id}: {field}"), is, expected);
    if written.level.0 != requirement.level {
        return Err(unlike("level", written.level.0.as_str(), requirement.level.as_str()));
    }
    let mut unclaimed = BTreeMap::new();
    for Object(written::Unclaimed { why, cases }) in written.unclaimed {
        if unclaimed.insert(why.0.clone(), cases.get()).is_some() {
            return Err(say::twice(&format!("{id}: unclaimed"), why.0.as_str()));
        }
    }
    let mut failures = Vec::with_capacity(written.failures.len());
    let mut failed = BTreeSet::new();
    for Object(failure) in written.failures {
        let failure = self::failure(requirement, failure)?;
        // A row may be charged with more than one claim that has nothing behind it.
        if failure.case != id && !failed.insert(failure.case.clone()) {
            return Err(say::twice(id, &failure.case));
        }
        failures.push(failure);
    }
    let (status, cases) = (written.status.0, written.cases.get());
    let missed = written.missed.map_or(0, written::Count::get);
    if failed.len() + missed > cases || (cases > 0 && failed.len() < failures.len()) {
        return Err(say::contradicted(&format!("{id}: cases"), &cases.to_string()));
    }
    let row =
        RowReport { requirement, status, cases, missed, failures, unclaimed, note: written.note.map(|note| note.0) };
    if status != implied(&row) {
        return Err(unlike("status", status.as_str(), implied(&row).as_str()));
    }
    match (message::cases_not_claimed(&row.unclaimed), &row.note) {
        (Some(counted), Some(note)) if counted == note.as_str() => Ok(row),
        (None, None) => Ok(row),
        (None, Some(_)) if cases == 0 => Ok(row),
        (counted, note) => {
            let shown = note.as_ref().map_or("left out", Plain::as_str);
            Err(unlike("note", shown, counted.as_deref().unwrap_or("none")))
        }
    }
}

/// What a row's failures and counts make of it.
fn implied(row: &RowReport) -> Status {
    let charged = |failure: &Failure| failure.case == row.requirement.id.as_str();
    let weighs = |failure: &Failure| failure.level == boundary_corpus::Level::Must || charged(failure);
    match (row.cases, &row.note) {
        _ if row.failures.iter().any(weighs) => Status::Fail,
        _ if !row.failures.is_empty() => Status::Warn,
        (1.., _) => Status::Pass,
        (0, Some(_)) => Status::NotClaimed,
        (0, None) => Status::NotBuilt,
    }
}

fn failure(requirement: &Requirement, written: written::Failure) -> Result<Failure, String> {
    let id = requirement.id.as_str();
    let case = written.case.0.as_str();
    // The name of a case has the form of the name of a fixture.
    let named = |name: &str| format!("case/{name}").parse::<FixtureId>().is_ok();
    let own = case.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.strip_prefix('/').is_some_and(named));
    if !own {
        return Err(say::unlike(&format!("{id}: the id of a failed case"), case, &format!("{id}/ and a name")));
    }
    Ok(Failure {
        case: case.to_owned(),
        place: written.place.map(written::Count::get),
        level: written.level.map_or(requirement.level, |level| level.0),
        kind: written.kind.0,
        misread: written.misread,
        expected: written.expected.0,
        got: written.got.0,
        at: written.at.map(|at| at.0),
        sent: written.sent.map(|sent| sent.0),
        reproduce: written.reproduce.0,
    })
}

fn rates(written: written::Rates) -> Result<Rates, String> {
    let mut rates = Rates::default();
    for Object(recall) in written.recall {
        let rate = Rate::Recall(recall.kind.0, recall.tier.0);
        let (of, flagged) = (recall.of.get(), recall.caught.get());
        let amiss = amiss(recall.missed, of.checked_sub(flagged))?;
        if !rates.add(rate, Tally { of, flagged, amiss }) {
            return Err(say::twice("rates.recall", &format!("{} {}", recall.kind.0, recall.tier.0)));
        }
    }
    for Object(alarms) in written.false_alarms {
        let family = alarms.family.0.as_str().to_owned();
        if format!("{family}/any").parse::<FixtureId>().is_err() {
            return Err(say::unlike("rates.false_alarms: family", &family, "the name of a family, in kebab case,"));
        }
        let (of, flagged) = (alarms.of.get(), alarms.flagged.get());
        let amiss = amiss(alarms.which, Some(flagged).filter(|flagged| *flagged <= of))?;
        if !rates.add(Rate::FalseAlarms(alarms.texts.0, family), Tally { of, flagged, amiss }) {
            return Err(say::twice("rates.false_alarms", &format!("{} {}", alarms.texts.0.as_str(), alarms.family.0)));
        }
    }
    if rates.is_empty() { Err(say::contradicted("rates", "empty")) } else { Ok(rates) }
}

/// The fixtures that a rate names, each once, and no more of them than its counts leave room for.
fn amiss(named: Vec<written::Word<FixtureId>>, most: Option<usize>) -> Result<BTreeSet<FixtureId>, String> {
    let mut amiss = BTreeSet::new();
    for written::Word(fixture) in named {
        if let Some(twice) = amiss.replace(fixture) {
            return Err(say::twice("a rate", twice.as_str()));
        }
    }
    match most {
        Some(most) if amiss.len() <= most => Ok(amiss),
        _ => Err(say::contradicted("rates: how many fixtures are named", &amiss.len().to_string())),
    }
}

/// Holds the summary to what the rows come to.
fn counted(report: &Report, summary: &written::Summary) -> Result<(), String> {
    let (counts, requirements, cases) = (report.counts(), &summary.requirements.0, &summary.cases.0);
    let passed = counts.cases - counts.cases_failed - counts.cases_missed;
    let said = [
        ("requirements.pass", requirements.pass, counts.pass),
        ("requirements.warn", requirements.warn, counts.warn),
        ("requirements.fail", requirements.fail, counts.fail),
        ("requirements.not_claimed", requirements.not_claimed, counts.not_claimed),
        ("requirements.not_built", requirements.not_built, counts.not_built),
        ("requirements.expected_fail", requirements.expected_fail, 0),
        ("requirements.unexpected_pass", requirements.unexpected_pass, 0),
        ("cases.ran", cases.ran, counts.cases),
        ("cases.pass", cases.pass, passed),
        ("cases.fail", cases.fail, counts.cases_failed),
        ("cases.missed", cases.missed, counts.cases_missed),
    ];
    match said.into_iter().find(|(_, said, counted)| said.get() != *counted) {
        Some((field, said, counted)) => {
            Err(say::unlike(&format!("summary.{field}"), &said.get().to_string(), &counted.to_string()))
        }
        None => Ok(()),
    }
}

/// Holds the verdict to what the rows come to. A warning may count as a failure or not: a report does not say at which
/// level it was asked for.
fn concluded(report: &Report) -> Result<(), String> {
    let gravest = report.rows.iter().map(|row| row.status).max();
    let lacks = !report.missing.is_empty();
    let problem = report.problem.is_some();
    let judged = report.rows.iter().any(|row| row.cases > 0 || !row.failures.is_empty());
    let asked: usize = report.rows.iter().map(RowReport::asked).sum();
    let all_asked = report.share.as_ref().is_some_and(|share| share.asked == asked);
    let holds = match report.verdict {
        RunVerdict::Conformant => !problem && judged && !lacks && gravest < Some(Status::Fail),
        // A run that was given up judged what it could, and may have found nothing else wrong.
        RunVerdict::Nonconformant if problem => !lacks && !all_asked,
        RunVerdict::Nonconformant => judged && (lacks || gravest >= Some(Status::Warn)),
        // The rows of a shard that could judge nothing are kept, for others to be added to.
        RunVerdict::NothingRan => problem && !judged && !lacks && (report.rows.is_empty() || report.share.is_some()),
        // The rows of an interrupted run are those that were judged before.
        RunVerdict::Void => problem && !lacks,
    };
    let claimed = report.missing.iter().find(|claim| report.identity.claims.contains(claim));
    match claimed {
        Some(claim) => Err(say::contradicted("a missing claim", claim.as_str())),
        None if holds => Ok(()),
        None => Err(say::contradicted("verdict", report.verdict.as_str())),
    }
}

/// Holds the cases of a shard to those that belong to it: as many, and where a place is known, in its own places.
fn placed(report: &Report) -> Result<(), String> {
    let failures = || report.rows.iter().flat_map(|row| &row.failures);
    let Some(share) = &report.share else {
        return match failures().find_map(|failure| failure.place) {
            Some(place) => Err(say::contradicted("the place of a failure", &place.to_string())),
            None => Ok(()),
        };
    };
    if report.is_unfinished() {
        return Ok(());
    }
    let cases: usize = report.rows.iter().map(RowReport::asked).sum();
    if cases != share.asked {
        return Err(say::unlike("shard.asked", &share.asked.to_string(), &cases.to_string()));
    }
    let mut least = 0;
    for failure in failures() {
        match failure.place {
            Some(place) if place >= least && place < share.planned && share.shard.takes(place) => least = place + 1,
            place => {
                let shown = place.map_or("left out".to_owned(), |place| place.to_string());
                return Err(say::contradicted(&format!("the place of {}", failure.case), &shown));
            }
        }
    }
    Ok(())
}
