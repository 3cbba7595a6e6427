//! The report for a person at a terminal, or in a log.

use std::io::{self, Write};

use boundary_corpus::Level;

use super::{Reporter, Tint, rates, wrapped};
use crate::runner::{Event, Failure, Rates, Report, RowReport, RunVerdict, Status};

/// The most failing cases of one requirement that are shown at length.
const SHOWN: usize = 3;

/// Writes the run as text: a line an area, each failure as a bug report, and the verdict.
pub struct Terminal<W> {
    out: W,
    colour: bool,
}

impl<W: Write> Terminal<W> {
    /// A reporter that writes to `out`, with ANSI colours or without.
    pub fn new(out: W, colour: bool) -> Self {
        Self { out, colour }
    }

    fn tinted(&self, tint: Tint, text: &str) -> String {
        tint.of(text, self.colour)
    }

    fn finished(&mut self, report: &Report) -> io::Result<()> {
        self.areas(&report.rows)?;
        self.rates(&report.rates)?;
        self.idle(&report.rows)?;
        for row in &report.rows {
            if !row.failures.is_empty() {
                self.failing(row)?;
            }
        }
        self.conclusion(report)
    }

    /// One line an area: how many of its requirements ended in which way.
    fn areas(&mut self, rows: &[RowReport]) -> io::Result<()> {
        let mut rest = rows;
        while let Some(first) = rest.first() {
            let area = first.requirement.area();
            let length = rest.iter().take_while(|row| row.requirement.area() == area).count();
            let (rows, after) = rest.split_at(length);
            rest = after;
            let count = |status| rows.iter().filter(|row| row.status == status).count();
            let cases: usize = rows.iter().map(|row| row.cases).sum();
            let asked = count(Status::Pass) + count(Status::Warn) + count(Status::Fail);
            let mut parts = Vec::new();
            for (status, tint, word) in [
                (Status::Fail, Tint::Red, "failed"),
                (Status::Warn, Tint::Yellow, "warned"),
                (Status::Pass, Tint::Green, "passed"),
                (Status::NotClaimed, Tint::Dim, "not claimed"),
                (Status::NotBuilt, Tint::Dim, "not built"),
            ] {
                if count(status) > 0 {
                    parts.push(self.tinted(tint, &format!("{} {word}", count(status))));
                }
            }
            let mark = match rows.iter().map(|row| row.status).max() {
                Some(Status::Fail) => self.tinted(Tint::Red, "FAIL"),
                Some(Status::Warn) => self.tinted(Tint::Yellow, "warn"),
                Some(Status::Pass) => self.tinted(Tint::Green, "pass"),
                _ => self.tinted(Tint::Dim, "  --"),
            };
            let cases = if asked > 0 { format!("{cases} cases") } else { String::new() };
            writeln!(self.out, "  {mark}  {area:<13}{cases:>10}   {}", parts.join(", "))?;
        }
        Ok(())
    }

    /// What is a figure and no verdict.
    fn rates(&mut self, rates: &Rates) -> io::Result<()> {
        let lines = rates::lines(rates);
        if !lines.is_empty() {
            writeln!(self.out)?;
        }
        lines.iter().try_for_each(|line| writeln!(self.out, "  {line}"))
    }

    /// What was not asked, by reason: nothing of it is a pass.
    fn idle(&mut self, rows: &[RowReport]) -> io::Result<()> {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for row in rows {
            let reason = match (row.status, row.note.as_ref()) {
                (Status::NotBuilt, _) => "not built yet",
                (_, Some(note)) => note.as_str(),
                _ => continue,
            };
            let id = row.requirement.id.as_str();
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, ids)) => ids.push(id),
                None => reasons.push((reason, vec![id])),
            }
        }
        for (reason, ids) in reasons {
            let text = format!("{reason}: {}", ids.join(", "));
            writeln!(self.out)?;
            for line in wrapped(&text) {
                let line = self.tinted(Tint::Dim, &line);
                writeln!(self.out, "  {line}")?;
            }
        }
        Ok(())
    }

    /// The failures of one requirement, as bug reports.
    fn failing(&mut self, row: &RowReport) -> io::Result<()> {
        let word =
            if row.status == Status::Warn { self.tinted(Tint::Yellow, "warn") } else { self.tinted(Tint::Red, "FAIL") };
        let id = self.tinted(Tint::Bold, row.requirement.id.as_str());
        let asked = row.cases.max(row.failures.len());
        writeln!(self.out, "\n{word} {id}: {} of {asked} cases", row.failures.len())?;
        writeln!(self.out, "     {}", row.requirement.sentence)?;
        for failure in row.failures.iter().take(SHOWN) {
            self.failure(failure)?;
        }
        let more = &row.failures[row.failures.len().min(SHOWN)..];
        if !more.is_empty() {
            writeln!(self.out, "\n     and {} more:", more.len())?;
            for failure in more {
                writeln!(self.out, "       {}", failure.case)?;
            }
        }
        writeln!(self.out, "\n     why and how to fix: boundary-kit explain {}", row.requirement.id)
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        let level = if failure.level == Level::Should { " (should)" } else { "" };
        writeln!(self.out, "\n     case      {}{level}", failure.case)?;
        if let Some(sent) = &failure.sent {
            writeln!(self.out, "     sent      {sent}")?;
        }
        writeln!(self.out, "     expected  {}", failure.expected)?;
        writeln!(self.out, "     got       {}", failure.got)?;
        if let Some(at) = &failure.at {
            writeln!(self.out, "     at        {at}")?;
        }
        writeln!(self.out, "     rerun     {}", failure.reproduce)
    }

    fn conclusion(&mut self, report: &Report) -> io::Result<()> {
        let counts = report.counts();
        let verdict = match report.verdict {
            RunVerdict::Conformant => self.tinted(Tint::Green, "conformant"),
            RunVerdict::Nonconformant => self.tinted(Tint::Red, "nonconformant"),
            RunVerdict::NothingRan => self.tinted(Tint::Yellow, "nothing ran"),
            RunVerdict::Void => self.tinted(Tint::Yellow, "void"),
        };
        writeln!(self.out)?;
        if !report.missing.is_empty() {
            let missing: Vec<&str> = report.missing.iter().map(|claim| claim.as_str()).collect();
            writeln!(self.out, "required, and not claimed: {}", missing.join(", "))?;
        }
        if let Some(problem) = &report.problem {
            return writeln!(self.out, "{verdict}: {problem}");
        }
        if let Some(share) = &report.share {
            write!(self.out, "shard {} alone: ", share.shard)?;
        }
        let claims = report.identity.claimed();
        writeln!(
            self.out,
            "{verdict}: {} passed, {} warned, {} failed, by {} cases; {claims} claims made, \
             {} requirements not claimed, {} not built ({:.2} s)",
            counts.pass, counts.warn, counts.fail, counts.cases, counts.not_claimed, counts.not_built, report.seconds,
        )
    }
}

impl<W: Write> Reporter for Terminal<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started { identity, set, cases, own, share } => {
                let name = self.tinted(Tint::Bold, identity.name.as_str());
                let claims: Vec<&str> = identity.claims.iter().map(|claim| claim.as_str()).collect();
                let own = if *own > 0 { format!(", with {own} fixtures of your own") } else { String::new() };
                let share = share
                    .map_or_else(String::new, |share| format!(", shard {} of {} in all", share.shard, share.planned));
                writeln!(self.out, "{name} {}, {cases} cases of set {set}{own}{share}", identity.version)?;
                writeln!(self.out, "claims {}: {}\n", identity.claimed(), claims.join(", "))
            }
            Event::Progress { .. } | Event::Case { .. } | Event::Row(_) => Ok(()),
            Event::Finished(report) => self.finished(report),
        }
    }
}
