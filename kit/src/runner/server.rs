//! Answering requests about one boundary, in whatever process it is asked.

use std::collections::HashMap;
#[cfg(unix)]
use std::process;
use std::sync::{Arc, OnceLock};
#[cfg(unix)]
use std::thread;

use boundary_contract::{Boundary, Description};
use boundary_corpus::Corpus;

#[cfg(unix)]
use super::RunVerdict;
use super::{Options, Plan, probe, teeth};
use crate::case::Case;
use crate::isolate::{Answer, Request};
#[cfg(unix)]
use crate::isolate::{Desk, Journalled};
use crate::message;
use crate::saboteur::saboteurs;
use crate::subject::Subject;
use crate::trial::Trials;

/// The stack on which a worker asks, in bytes: what a thread gets where nobody says otherwise.
#[cfg(unix)]
const STACK: usize = 2 << 20;

/// One boundary, ready to be asked.
pub(crate) struct Server<'a> {
    boundary: Box<dyn Boundary + 'a>,
    options: Options,
    subject: OnceLock<Arc<Subject>>,
    corpus: OnceLock<Result<&'static Corpus, String>>,
    cases: OnceLock<HashMap<String, Case>>,
    trials: OnceLock<Trials>,
}

/// Makes this process a worker: it asks the boundary that `make` makes, and never comes back.
#[cfg(unix)]
pub(crate) fn work<B: Boundary>(make: impl FnOnce() -> B, options: &Options) -> ! {
    let Ok((desk, requests)) = Desk::open(options.limits) else { process::exit(1) };
    desk.begin();
    let boundary = probe::contained(make);
    desk.answer(&Answer::Made(boundary.as_ref().map(drop).map_err(Clone::clone)));
    let Ok(boundary) = boundary else { process::exit(1) };
    let server = Server::new(Journalled::new(&boundary, &desk), options);
    let (server, desk) = (&server, &desk);
    let serve = move || {
        while let Some(request) = desk.next(&requests) {
            match probe::contained(|| server.handle(&request)) {
                Ok(Some(answer)) => desk.answer(&answer),
                Ok(None) => {}
                Err(place) => desk.answer(&Answer::Kit(place)),
            }
        }
    };
    let served = thread::scope(|scope| {
        // The same stack wherever the worker came from.
        let thread = thread::Builder::new().name("boundary".to_owned()).stack_size(STACK);
        thread.spawn_scoped(scope, serve).map(|thread| thread.join().is_ok())
    });
    // Nothing is dropped: the boundary's own end is none of what it is asked. A worker is no test that passed.
    process::exit(if matches!(served, Ok(true)) { i32::from(RunVerdict::Void.exit_code()) } else { 1 })
}

impl<'a> Server<'a> {
    pub(crate) fn new(boundary: impl Boundary + 'a, options: &Options) -> Self {
        let (boundary, options) = (Box::new(boundary), options.clone());
        let (subject, corpus, cases, trials) = (OnceLock::new(), OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { boundary, options, subject, corpus, cases, trials }
    }

    /// The answer to a request; nothing where it wants none.
    pub(crate) fn handle(&self, request: &Request) -> Option<Answer> {
        Some(match request {
            Request::Describe => Answer::Described(self.describe().map(Box::new)),
            Request::Judge(description) => {
                self.subject.get_or_init(|| Subject::new((**description).clone()));
                return None;
            }
            Request::Case(id) => Answer::Probed(Box::new(self.case(id))),
            Request::Bite { saboteur, requirement } => Answer::Noticed(self.bite(saboteur, requirement)),
            Request::Knows(name) => Answer::Known(self.trials(Some(name)).map(|trials| trials.knows(name))),
            Request::Trial { name, alone } => match self.trials(alone.then_some(name)) {
                Ok(trials) => Answer::Tried(trials.run(&*self.boundary, name, *alone)),
                Err(problem) => Answer::Known(Err(problem)),
            },
        })
    }

    /// What the boundary says it is, from now on, or where it panicked.
    fn describe(&self) -> Result<Description, String> {
        match self.subject.get() {
            Some(subject) => Ok(subject.description.clone()),
            None => {
                let description = probe::describe(&*self.boundary)?;
                Ok(self.subject.get_or_init(|| Subject::new(description)).description.clone())
            }
        }
    }

    fn subject(&self) -> Result<Arc<Subject>, String> {
        self.describe().map_err(|place| message::describe_panicked(&place))?;
        self.subject.get().map(Arc::clone).ok_or_else(message::out_of_turn)
    }

    fn corpus(&self) -> Result<&'static Corpus, String> {
        self.corpus.get_or_init(|| self.options.corpus()).clone()
    }

    fn case(&self, id: &str) -> probe::Probe {
        let cases = || {
            let plan = Plan::over(&self.subject()?, self.corpus()?);
            Ok(plan.into_cases().map(|case| (case.id.to_string(), case)).collect())
        };
        let cases: Result<_, String> = get_or_try(&self.cases, cases);
        match cases.and_then(|cases| Ok((self.subject()?, cases.get(id).ok_or_else(message::out_of_turn)?))) {
            Ok((subject, case)) => probe::probe(&*self.boundary, &subject.description, case),
            Err(problem) => probe::Probe { probed: probe::Probed::Kit(problem), sent: None },
        }
    }

    fn bite(&self, saboteur: &str, requirement: &str) -> Result<bool, String> {
        let saboteur = saboteurs().find(|known| known.name == saboteur).ok_or_else(message::out_of_turn)?;
        teeth::noticed(&*self.boundary, saboteur, &*self.subject()?, requirement)
    }

    /// The trials that there are; only those that are about what one of them is about, where it is the only one.
    fn trials(&self, only: Option<&str>) -> Result<&Trials, String> {
        get_or_try(&self.trials, || Trials::new(self.subject()?, self.corpus()?, &self.options, only))
    }
}

/// What stands in a cell, made now where nothing does.
fn get_or_try<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, String>) -> Result<&T, String> {
    match cell.get() {
        Some(value) => Ok(value),
        None => make().map(|made| cell.get_or_init(|| made)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canary::Smallest;
    use crate::case::Verdict;

    fn case(id: &str) -> probe::Probed {
        let server = Server::new(Smallest, &Options::default());
        match server.handle(&Request::Case(id.to_owned())) {
            Some(Answer::Probed(probe)) => probe.probed,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_case_is_run_and_one_that_nobody_knows_is_a_fault_of_the_kit() {
        assert!(matches!(case("envelope/exactly-one/clean"), probe::Probed::Judged(Verdict::Pass)));
        assert!(matches!(case("envelope/exactly-one/unknown"), probe::Probed::Kit(_)));
    }

    #[test]
    fn a_fault_is_noticed_by_the_requirement_that_it_breaks_and_by_no_other() {
        let server = Server::new(Smallest, &Options::default());
        let noticed = |saboteur: &str, requirement: &str| {
            let (saboteur, requirement) = (saboteur.to_owned(), requirement.to_owned());
            match server.handle(&Request::Bite { saboteur, requirement }) {
                Some(Answer::Noticed(noticed)) => noticed,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(noticed("envelope-note-after", "envelope/exactly-one"), Ok(true));
        assert_eq!(noticed("envelope-note-after", "depth/at-the-ceiling"), Ok(false));
        assert!(noticed("nobody", "envelope/exactly-one").is_err());
    }

    #[test]
    fn all_workers_judge_by_the_description_that_they_are_given() {
        let server = Server::new(Smallest, &Options::default());
        let mut description = Smallest.describe();
        description.name = "as it was told".to_owned();
        assert!(server.handle(&Request::Judge(Box::new(description))).is_none());
        assert_eq!(server.describe().unwrap().name, "as it was told");
    }

    #[test]
    fn a_trial_is_known_by_its_name_and_run_alone_or_among_all() {
        let server = |name: &str| {
            let server = Server::new(Smallest, &Options::default());
            match server.handle(&Request::Knows(name.to_owned())) {
                Some(Answer::Known(known)) => known.unwrap(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(server("envelope/exactly-one/clean"), Some(false));
        assert_eq!(server("claims/envelope"), Some(false));
        assert_eq!(server("guard/text-unchanged"), Some(true));
        assert_eq!(server("envelope/exactly-one/unknown"), None);
    }
}
