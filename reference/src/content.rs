//! The content of an envelope: the text of a value, made harmless, looked at again and cut.

use std::collections::BTreeSet;

use boundary_contract::{Finding, Payload};

use crate::cut::cut;
use crate::fields::{self, Place};
use crate::neutralise::Neutraliser;
use crate::request::{Rules, Suspicion};
use crate::scan::{Match, scan};

/// How often a text is cut again because the cut itself brought something to light. Each cut makes it shorter.
const CUTS: usize = 8;

/// What stands between the markers, and what was found on the way there.
pub(crate) struct Content {
    pub(crate) text: String,
    pub(crate) truncated: bool,
    pub(crate) findings: Vec<Finding>,
}

impl Content {
    /// The content that a value comes to under these rules.
    ///
    /// Whatever is done to the text, it is scanned after it: what is delivered holds no order that was not reported. The
    /// value is scanned whole, however little of it is delivered.
    pub(crate) fn of(payload: &Payload, rules: Rules, neutraliser: &Neutraliser) -> Self {
        let survey = fields::survey(payload);
        let text = fields::text(payload, None, neutraliser);
        let mut content = Self { text, truncated: false, findings: survey.findings };
        // The text as a whole may hold what no field holds. A string that nothing was done to was scanned already.
        if payload.as_str() != Some(&content.text) {
            content.text = neutraliser.neutralise(&content.text).into_owned();
            content.report_what_is_new();
        }
        if rules.on_suspicion == Suspicion::Truncate && !content.findings.is_empty() {
            content.cut_at_the_first(payload, survey.first, neutraliser);
        }
        content.cut_to_size(rules, neutraliser);
        content
    }

    /// Ends the content where the first match begins.
    fn cut_at_the_first(&mut self, payload: &Payload, first: Option<Place>, neutraliser: &Neutraliser) {
        self.truncated = true;
        if first.is_some() {
            self.text = fields::text(payload, first, neutraliser);
        }
        for _ in 0..CUTS {
            self.text = neutraliser.neutralise(&self.text).into_owned();
            match first_start(scan(&self.text)) {
                Some(start) => self.text.truncate(start),
                None => return,
            }
        }
        // Each cut brought another match to light. Nothing is left that is worth a ninth.
        self.text.clear();
    }

    /// Cuts the content to at most so many characters.
    fn cut_to_size(&mut self, Rules { max_chars, on_suspicion, .. }: Rules, neutraliser: &Neutraliser) {
        if self.text.len() <= max_chars || self.text.chars().nth(max_chars).is_none() {
            return;
        }
        self.truncated = true;
        for _ in 0..CUTS {
            self.text = neutraliser.settle(cut(&self.text, max_chars));
            // A cut can take away what made a sentence ordinary, which is no reason to flag it. Under `truncate` nothing
            // that matches is delivered, reported before or not.
            let first = match on_suspicion {
                Suspicion::Truncate => first_start(scan(&self.text)),
                _ => first_start(self.new_matches()),
            };
            match first {
                Some(start) => self.text.truncate(start),
                None => return,
            }
        }
        match on_suspicion {
            Suspicion::Truncate => self.text.clear(),
            _ => self.report_what_is_new(),
        }
    }

    /// The matches in the text of heuristics that no finding names.
    fn new_matches(&self) -> impl Iterator<Item = Match> {
        let known: BTreeSet<&str> = self.findings.iter().map(|finding| finding.heuristic.as_str()).collect();
        scan(&self.text).into_iter().filter(move |found| !known.contains(found.id()))
    }

    /// Reports those for the whole, as they stand in no one field.
    fn report_what_is_new(&mut self) {
        let new: Vec<Finding> = self
            .new_matches()
            .map(|found| {
                let mut finding = Finding::new(found.id(), "");
                finding.via = found.via.iter().map(|via| (*via).to_owned()).collect();
                finding
            })
            .collect();
        self.findings.extend(new);
    }
}

/// Where the first of some matches starts, in bytes.
fn first_start(matches: impl IntoIterator<Item = Match>) -> Option<usize> {
    matches.into_iter().map(|found| found.span.start).min()
}
