//! Trials: what a test target of an author runs, each under its name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use boundary_contract::{Boundary, Claim};
use boundary_corpus::{Corpus, Level, corpus};
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::isolate::Fate;
use crate::message;
use crate::runner::teeth;
use crate::runner::{self, CaseResult, Options, Plan, Planned, Site};
use crate::saboteur::{Saboteur, saboteurs};
use crate::subject::Subject;

/// One trial.
#[derive(Debug, Clone)]
pub(crate) enum Trial {
    /// A requirement that is not claimed, or not built: why it was not tested.
    Idle(String),
    Case(Case),
    /// That something stands behind a claim.
    Claim(Claim),
    /// That the kit notices this fault in this very boundary.
    Teeth(&'static Saboteur),
}

/// What a trial came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Tried {
    Passed,
    /// Only the answer could tell that there was nothing to test.
    Untested(String),
    /// It was judged, and what it came to only warns or counts.
    Warned(String),
    Failed(String),
}

/// Every trial of a plan, by name. A listing is in this order.
pub(crate) fn every(subject: &Subject, plan: Plan) -> Vec<(String, Trial)> {
    let mut trials = Vec::new();
    let mut asked = BTreeSet::new();
    for (requirement, planned) in plan.rows {
        let id = requirement.id.to_string();
        match planned {
            Planned::NotBuilt => trials.push((id, Trial::Idle(message::not_built()))),
            Planned::NotClaimed(why) => trials.push((id, Trial::Idle(why))),
            Planned::Cases(cases) => {
                asked.insert(requirement.id.as_str());
                trials.extend(cases.into_iter().map(|case| (case.id.to_string(), Trial::Case(case))));
            }
        }
    }
    for claim in subject.description.claims.iter().copied() {
        trials.push((format!("claims/{claim}"), Trial::Claim(claim)));
    }
    for saboteur in saboteurs().filter(|saboteur| saboteur.bites && asked.contains(saboteur.breaks[0])) {
        trials.push((format!("teeth/{}", saboteur.name), Trial::Teeth(saboteur)));
    }
    trials
}

/// The plan that a trial of this name is part of.
fn plan_about(subject: &Arc<Subject>, corpus: &'static Corpus, name: &str) -> Plan {
    let broken = name.strip_prefix("teeth/").and_then(|name| saboteurs().find(|saboteur| saboteur.name == name));
    Plan::about(subject, corpus, broken.map_or(name, |saboteur| saboteur.breaks[0]))
}

/// The trials of one boundary, ready to be run.
pub(crate) struct Trials {
    subject: Arc<Subject>,
    options: Options,
    trials: BTreeMap<String, Trial>,
    /// Requirements of which the kit has shown, in this process, that it passes the good and fails the bad. Where a
    /// process runs one trial alone, the good is shown by the same case alone.
    proof: Mutex<BTreeMap<String, Result<(), String>>>,
}

impl Trials {
    /// All that there are, or those that one of this name is among.
    ///
    /// # Errors
    ///
    /// Why nothing can be asked of a boundary that describes itself so.
    pub(crate) fn new(
        subject: Arc<Subject>,
        corpus: &'static Corpus,
        options: &Options,
        only: Option<&str>,
    ) -> Result<Self, String> {
        subject.askable()?;
        let plan = match only {
            Some(name) => plan_about(&subject, corpus, name),
            None => Plan::over(&subject, corpus),
        };
        let trials = every(&subject, plan).into_iter().collect();
        Ok(Self { subject, options: options.clone(), trials, proof: Mutex::default() })
    }

    /// Whether there is a trial of this name, and whether it is to be ignored.
    pub(crate) fn knows(&self, name: &str) -> Option<bool> {
        self.trials.get(name).map(|trial| matches!(trial, Trial::Idle(_)))
    }

    /// What a trial comes to.
    pub(crate) fn run(&self, boundary: &dyn Boundary, name: &str, alone: bool) -> Tried {
        let ran = match self.trials.get(name) {
            None => Err(message::out_of_turn()),
            Some(Trial::Idle(why)) => return Tried::Failed(message::not_tested(name, why)),
            Some(Trial::Case(case)) => self.case(boundary, case, alone),
            Some(Trial::Claim(claim)) => Ok(self.stands(boundary, *claim)),
            Some(Trial::Teeth(saboteur)) => self.bites(boundary, saboteur),
        };
        ran.unwrap_or_else(|problem| Tried::Failed(message::void(&problem)))
    }

    fn case(&self, boundary: &dyn Boundary, case: &Case, alone: bool) -> Result<Tried, String> {
        let requirement = case.requirement.id.as_str();
        {
            let mut proof = self.proof.lock().unwrap_or_else(PoisonError::into_inner);
            let shown = || teeth::of_a_requirement(requirement, alone.then_some(&case.id));
            proof.entry(requirement.to_owned()).or_insert_with(shown).clone()?;
        }
        Ok(match runner::run_case(boundary, &self.subject.description, case, &self.options)? {
            CaseResult::Pass => Tried::Passed,
            CaseResult::Unclaimed(why) => Tried::Untested(message::not_tested(requirement, &why)),
            CaseResult::Missed(failure) => Tried::Warned(message::misread(&failure)),
            CaseResult::Fail(failure) => failed(case, &failure),
        })
    }

    /// Holds a claim to something that stands behind it: one case of a requirement that asks for it can be judged.
    fn stands(&self, boundary: &dyn Boundary, claim: Claim) -> Tried {
        let mut cases = corpus()
            .requirements()
            .iter()
            .filter(|requirement| runner::asks_for(requirement, claim))
            .flat_map(|requirement| Plan::one(&self.subject, requirement.id.as_str()));
        let is_unclaimed = |case: &Case| {
            let result = runner::run_case(boundary, &self.subject.description, case, &self.options);
            matches!(result, Ok(CaseResult::Unclaimed(_)))
        };
        let judged = cases.any(|case| !case.conditional || !is_unclaimed(&case));
        if judged || runner::may_be_asked_later(&self.subject.description, claim) {
            Tried::Passed
        } else {
            Tried::Failed(message::nothing_behind(claim))
        }
    }

    /// Holds the kit to noticing a fault in this very boundary, where it passes without.
    fn bites(&self, boundary: &dyn Boundary, saboteur: &'static Saboteur) -> Result<Tried, String> {
        let requirement = saboteur.breaks[0];
        for case in &Plan::one(&self.subject, requirement) {
            let result = runner::run_case(boundary, &self.subject.description, case, &self.options)?;
            if let CaseResult::Fail(_) = result {
                // Its own trial reports that; a fault on top of it would show nothing.
                return Ok(Tried::Passed);
            }
        }
        if teeth::noticed(boundary, saboteur, &self.subject, requirement)? {
            Ok(Tried::Passed)
        } else {
            Err(message::saboteur_unnoticed(saboteur.name, requirement, "the boundary under test"))
        }
    }
}

/// What a trial comes to whose worker came to this, when the boundary had been asked so many times.
pub(crate) fn fated(site: &Site<'_>, name: &str, fate: Fate, asked: usize, options: &Options) -> Tried {
    if asked == 0 {
        return Tried::Failed(message::void(&message::died_idle(fate, &options.limits)));
    }
    let found = || {
        let subject = Subject::new(site.describe().ok()?);
        let plan = plan_about(&subject, options.corpus().ok()?, name);
        every(&subject, plan).into_iter().find(|(known, _)| known == name)
    };
    match found() {
        Some((_, Trial::Case(case))) => failed(&case, &runner::fated(&case, fate, asked, options)),
        // That the boundary does not survive a case is an answer, and what its own trial reports.
        Some((_, Trial::Claim(_) | Trial::Teeth(_))) => Tried::Passed,
        Some((_, Trial::Idle(_))) | None => Tried::Failed(message::void(&message::out_of_turn())),
    }
}

/// A case that does not hold: what only should hold warns.
fn failed(case: &Case, failure: &runner::Failure) -> Tried {
    if case.level == Level::Should {
        Tried::Warned(message::warning(failure))
    } else {
        Tried::Failed(message::failure(case.requirement, failure))
    }
}
