//! The report as one JSON object, format 1.

use std::io::{self, Write};

use serde_json::{Value, json};

use boundary_corpus::FixtureId;

use super::Reporter;
use super::saved::FORMAT;
use crate::runner::{Event, Failure, Identity, Rates, Report, RowReport, Share, Tally};

/// Writes the finished report as one JSON object and a newline.
pub struct Json<W> {
    out: W,
}

impl<W: Write> Json<W> {
    /// A reporter that writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Reporter for Json<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Finished(report) => {
                serde_json::to_writer_pretty(&mut self.out, &object(report))?;
                writeln!(self.out)
            }
            Event::Started { .. } | Event::Progress { .. } | Event::Case { .. } | Event::Row(_) => Ok(()),
        }
    }
}

fn object(report: &Report) -> Value {
    let counts = report.counts();
    let mut object = json!({
        "format": FORMAT,
        "kit": report.kit,
        "corpus": report.corpus,
        "set": report.set,
        "boundary": boundary(&report.identity),
        "verdict": report.verdict.as_str(),
        "summary": {
            "requirements": {
                "pass": counts.pass,
                "warn": counts.warn,
                "fail": counts.fail,
                "not_claimed": counts.not_claimed,
                "not_built": counts.not_built,
                "expected_fail": 0,
                "unexpected_pass": 0,
            },
            "cases": {
                "ran": counts.cases,
                "pass": counts.cases - counts.cases_failed - counts.cases_missed,
                "fail": counts.cases_failed,
                "missed": counts.cases_missed,
            },
            // Milliseconds are as much as a clock can mean here.
            "seconds": (report.seconds * 1_000.0).round() / 1_000.0,
        },
        "requirements": report.rows.iter().map(row).collect::<Vec<_>>(),
    });
    if let Some(share) = &report.share {
        object["shard"] = shard(share);
    }
    if report.own_fixtures > 0 {
        object["own_fixtures"] = json!(report.own_fixtures);
    }
    if !report.rates.is_empty() {
        object["rates"] = rates(&report.rates);
    }
    if let Some(problem) = &report.problem {
        object["problem"] = json!(problem);
    }
    if !report.missing.is_empty() {
        object["missing_claims"] = json!(report.missing);
    }
    object
}

fn shard(share: &Share) -> Value {
    json!({
        "index": share.shard.index(),
        "of": share.shard.of(),
        "asked": share.asked,
        "planned": share.planned,
        "plan": share.plan.to_string(),
        "only": share.only,
    })
}

fn rates(rates: &Rates) -> Value {
    let recall = rates.recall().map(|(kind, tier, tally)| {
        json!({
            "kind": kind.as_str(),
            "tier": tier.as_str(),
            "caught": tally.flagged,
            "of": tally.of,
            "missed": ids(tally),
        })
    });
    let false_alarms = rates.false_alarms().map(|(ordinary, family, tally)| {
        json!({
            "texts": ordinary.as_str(),
            "family": family,
            "flagged": tally.flagged,
            "of": tally.of,
            "which": ids(tally),
        })
    });
    json!({"recall": recall.collect::<Vec<_>>(), "false_alarms": false_alarms.collect::<Vec<_>>()})
}

fn ids(tally: &Tally) -> Vec<&str> {
    tally.amiss.iter().map(FixtureId::as_str).collect()
}

/// Who the boundary is, as every report says it.
pub(super) fn boundary(identity: &Identity) -> Value {
    json!({
        "name": identity.name,
        "version": identity.version,
        "claims": identity.claims,
        "claimed": identity.claimed(),
    })
}

fn row(row: &RowReport) -> Value {
    let mut object = json!({
        "id": row.requirement.id.as_str(),
        "level": row.requirement.level.as_str(),
        "status": row.status.as_str(),
        "cases": row.cases,
        "failures": row.failures.iter().map(failure).collect::<Vec<_>>(),
    });
    if row.missed > 0 {
        object["missed"] = json!(row.missed);
    }
    if !row.unclaimed.is_empty() {
        let reasons = row.unclaimed.iter().map(|(why, cases)| json!({"why": why, "cases": cases}));
        object["unclaimed"] = reasons.collect();
    }
    if let Some(note) = &row.note {
        object["note"] = json!(note);
    }
    object
}

fn failure(failure: &Failure) -> Value {
    let mut object = json!({
        "case": failure.case,
        "level": failure.level.as_str(),
        "kind": failure.kind.as_str(),
        "expected": failure.expected,
        "got": failure.got,
        "reproduce": failure.reproduce,
    });
    if let Some(place) = failure.place {
        object["place"] = json!(place);
    }
    if failure.misread {
        object["misread"] = json!(true);
    }
    if let Some(at) = &failure.at {
        object["at"] = json!(at);
    }
    if let Some(sent) = &failure.sent {
        object["sent"] = json!(sent);
    }
    object
}
