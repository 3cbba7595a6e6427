//! What an author calls.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use boundary_contract::{Boundary, Claim};
use boundary_corpus::{Level, Requirement, corpus};
use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::case::Case;
use crate::message;
use crate::report::{Reporter, Terminal};
use crate::runner::teeth;
use crate::runner::{self, CaseResult, Event, Options, Plan, Planned, Report, Rerun, RunVerdict};
use crate::saboteur::{Saboteur, saboteurs};
use crate::subject::Subject;

/// Runs everything against a boundary and reports on it.
///
/// # Errors
///
/// Whatever writing the report gives.
pub fn check(boundary: &dyn Boundary, reporter: &mut dyn Reporter) -> io::Result<Report> {
    check_with(boundary, &Options::default(), reporter)
}

/// Runs what these options select against a boundary and reports on it.
///
/// # Errors
///
/// Whatever writing the report gives.
pub fn check_with(boundary: &dyn Boundary, options: &Options, reporter: &mut dyn Reporter) -> io::Result<Report> {
    let mut written = Ok(());
    let report = runner::run(boundary, options, &mut |event: &Event<'_>| {
        if written.is_ok() {
            written = reporter.event(event);
        }
    });
    written.map(|()| report)
}

/// Holds a boundary to everything that it claims, inside an ordinary `#[test]`.
///
/// ```no_run
/// # use boundary_kit::canary::Smallest;
/// boundary_kit::assert_conforms(|| Smallest);
/// ```
///
/// # Panics
///
/// With the whole report, unless the boundary is conformant.
pub fn assert_conforms<B: Boundary>(make: impl FnOnce() -> B) {
    asserted(make, Options::default());
}

fn asserted<B: Boundary>(make: impl FnOnce() -> B, options: Options) {
    let mut out = Vec::new();
    // The test harness names each test's thread after it.
    let test = std::thread::current().name().unwrap_or("this test").to_owned();
    let options = Options { rerun: Rerun::Test(test), ..options };
    let report = check_with(&make(), &options, &mut Terminal::new(&mut out, false));
    let verdict = report.map(|report| report.verdict);
    let conformant = matches!(verdict, Ok(RunVerdict::Conformant));
    assert!(conformant, "the boundary does not conform\n\n{}", String::from_utf8_lossy(&out));
}

/// Runs every case as a named trial of `cargo test` and `cargo nextest`: the whole `main` of a test
/// target with `harness = false`.
///
/// ```no_run
/// # use boundary_kit::canary::Smallest;
/// fn main() -> std::process::ExitCode {
///     boundary_kit::trials(|| Smallest)
/// }
/// ```
///
/// Each case is a trial under its permanent id. A requirement that is not claimed, or not built yet, is
/// an ignored trial under its own id, so that it is listed and counted; run all the same, it fails,
/// because nothing was tested. A case whose answer leaves out the optional field that it is about is
/// ignored too, and so is a case of level should that does not hold, with the reason; only the answer can
/// tell, so a listing asks for it. A `claims/…` trial fails where nothing
/// stands behind a claim. `teeth/…` trials put a fault into the boundary and hold the kit to noticing it.
///
/// The exit code is 0 when every trial passed, 101 when one failed as with any test, and 3 when a
/// filter left nothing to run, or only what is ignored.
pub fn trials<B: Boundary + 'static>(make: impl Fn() -> B) -> ExitCode {
    tried(make, Options::default())
}

/// The kit with an author's own fixtures beside the published ones: each `.json` file of a folder, in the format of the
/// corpus.
///
/// ```no_run
/// # use boundary_kit::canary::Smallest;
/// fn main() -> std::process::ExitCode {
///     boundary_kit::with_fixtures("tests/fixtures").trials(|| Smallest)
/// }
/// ```
///
/// A folder that cannot be read, that is empty, or that holds a fixture with a fault fails whatever is asked of it.
pub fn with_fixtures(folder: impl Into<PathBuf>) -> WithFixtures {
    WithFixtures(Options { fixtures: vec![folder.into()], ..Options::default() })
}

/// The kit with an author's own fixtures, as [`with_fixtures`] makes it.
#[derive(Debug)]
pub struct WithFixtures(Options);

impl WithFixtures {
    /// As [`trials`].
    pub fn trials<B: Boundary + 'static>(self, make: impl Fn() -> B) -> ExitCode {
        tried(make, self.0)
    }

    /// As [`assert_conforms`].
    ///
    /// # Panics
    ///
    /// With the whole report, unless the boundary is conformant; so it does where the fixtures cannot be sent.
    pub fn assert_conforms<B: Boundary>(self, make: impl FnOnce() -> B) {
        asserted(make, self.0);
    }
}

fn tried<B: Boundary + 'static>(make: impl Fn() -> B, options: Options) -> ExitCode {
    let options = Options { rerun: Rerun::Trial(target()), ..options };
    let arguments = Arguments::from_args();
    let boundary: Arc<dyn Boundary> = Arc::new(make());
    let description = match runner::probe::describe(&*boundary) {
        Ok(description) => description,
        Err(place) => return nothing_ran(&message::describe_panicked(&place)),
    };
    let subject = Subject::new(description);
    if let Err(problem) = subject.askable() {
        return nothing_ran(&problem);
    }
    let corpus = match options.corpus() {
        Ok(corpus) => corpus,
        Err(problem) => return nothing_ran(&problem),
    };
    let exactly = arguments.filter.as_deref().filter(|_| arguments.exact && !arguments.list);
    let plan = match exactly {
        // A runner such as nextest starts a process for each trial, which need not know all the others.
        Some(trial) => Plan::about(&subject, corpus, broken_by(trial).unwrap_or(trial)),
        None => Plan::over(&subject, corpus),
    };
    let trials = all_trials(&boundary, &subject, plan, &Arc::new(options), &arguments);
    if !arguments.list && !trials.iter().any(|trial| selected(&arguments, trial)) {
        return nothing_ran(&message::filter_matches_nothing());
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let judged = conclusion.num_passed + conclusion.num_failed > 0 || WARNED.load(Ordering::Relaxed);
    if !arguments.list && !judged {
        return nothing_ran(&message::all_ignored());
    }
    conclusion.exit_code()
}

/// Whether a case of this process was judged and only warned or counted, which libtest-mimic counts as ignored.
static WARNED: AtomicBool = AtomicBool::new(false);

fn nothing_ran(problem: &str) -> ExitCode {
    eprintln!("nothing ran: {problem}");
    ExitCode::from(RunVerdict::NothingRan.exit_code())
}

/// Whether the arguments of a test binary leave a trial in.
fn selected(arguments: &Arguments, trial: &Trial) -> bool {
    let name = trial.name();
    let matches = |filter: &String| if arguments.exact { name == filter } else { name.contains(filter.as_str()) };
    arguments.filter.as_ref().is_none_or(matches) && !arguments.skip.iter().any(matches)
}

/// Every trial. A process that only lists them asks the boundary what only its answers can tell, since a
/// runner such as nextest knows no other way to leave a trial out.
fn all_trials(
    boundary: &Arc<dyn Boundary>,
    subject: &Arc<Subject>,
    plan: Plan,
    options: &Arc<Options>,
    arguments: &Arguments,
) -> Vec<Trial> {
    let proof = Arc::new(Proof::default());
    let (listing, alone) = (arguments.list, arguments.exact);
    let mut trials = Vec::new();
    let mut asked = BTreeSet::new();
    for (requirement, planned) in plan.rows {
        let id = requirement.id.to_string();
        let idle = |why: String| {
            let name = id.clone();
            Trial::test(id.clone(), move || Err(Failed::from(message::not_tested(&name, &why)))).with_ignored_flag(true)
        };
        match planned {
            Planned::NotBuilt => trials.push(idle(message::not_built())),
            Planned::NotClaimed(why) => trials.push(idle(why)),
            Planned::Cases(cases) => {
                asked.insert(id);
                for case in cases {
                    let ignored = listing && is_left_out(&**boundary, subject, &case);
                    let (boundary, subject) = (Arc::clone(boundary), Arc::clone(subject));
                    let (options, proof) = (Arc::clone(options), Arc::clone(&proof));
                    let name = case.id.to_string();
                    let run = move || trial(&*boundary, &subject, &case, &options, &proof, alone);
                    let trial = Trial::ignorable_test(name, run);
                    trials.push(trial.with_ignored_flag(ignored));
                }
            }
        }
    }
    for claim in subject.description.claims.iter().copied() {
        let (boundary, subject) = (Arc::clone(boundary), Arc::clone(subject));
        trials.push(Trial::test(format!("claims/{claim}"), move || stands(&*boundary, &subject, claim)));
    }
    for saboteur in saboteurs().filter(|saboteur| saboteur.bites && asked.contains(saboteur.breaks[0])) {
        let (boundary, subject) = (Arc::clone(boundary), Arc::clone(subject));
        trials.push(Trial::test(format!("teeth/{}", saboteur.name), move || bite(&*boundary, &subject, saboteur)));
    }
    trials
}

/// The requirement that a trial of the kit's teeth is about.
fn broken_by(trial: &str) -> Option<&'static str> {
    let name = trial.strip_prefix("teeth/")?;
    saboteurs().find(|saboteur| saboteur.name == name).map(|saboteur| saboteur.breaks[0])
}

/// Whether running a case would leave it ignored: it turns out not to be claimed, or it only warns.
fn is_left_out(boundary: &dyn Boundary, subject: &Subject, case: &Case) -> bool {
    if !case.conditional && !case.rate_only && case.level == Level::Must {
        return false;
    }
    match runner::run_case(boundary, &subject.description, case, &Options::default()) {
        Ok(CaseResult::Unclaimed(_) | CaseResult::Missed(_)) => true,
        Ok(CaseResult::Fail(_)) => case.level == Level::Should,
        Ok(CaseResult::Pass) | Err(_) => false,
    }
}

fn is_unclaimed(boundary: &dyn Boundary, subject: &Subject, case: &Case) -> bool {
    let result = runner::run_case(boundary, &subject.description, case, &Options::default());
    matches!(result, Ok(CaseResult::Unclaimed(_)))
}

/// The name of the test target that this process runs: that of its file, less the hash that Cargo appends.
fn target() -> String {
    let file = std::env::current_exe().ok().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    let file = file.unwrap_or_else(|| "NAME".to_owned());
    match file.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => name.to_owned(),
        _ => file,
    }
}

/// Holds a claim to something that stands behind it: one case of a requirement that asks for it can be judged.
fn stands(boundary: &dyn Boundary, subject: &Arc<Subject>, claim: Claim) -> Result<(), Failed> {
    let mut cases = corpus()
        .requirements()
        .iter()
        .filter(|requirement| runner::asks_for(requirement, claim))
        .flat_map(|requirement| Plan::one(subject, requirement.id.as_str()));
    let judged = cases.any(|case| !case.conditional || !is_unclaimed(boundary, subject, &case));
    if judged || runner::may_be_asked_later(subject, claim) {
        Ok(())
    } else {
        Err(Failed::from(message::nothing_behind(claim)))
    }
}

/// Requirements of which the kit has shown, in this process, that it passes the good and fails the bad. Where a process
/// runs one trial alone, the good is shown by the same case alone.
type Proof = Mutex<BTreeMap<String, Result<(), String>>>;

fn trial(
    boundary: &dyn Boundary,
    subject: &Subject,
    case: &Case,
    options: &Options,
    proof: &Proof,
    alone: bool,
) -> Result<Completion, Failed> {
    let requirement = case.requirement.id.as_str();
    let shown = {
        let mut proof = proof.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = || teeth::of_a_requirement(requirement, alone.then_some(&case.id));
        proof.entry(requirement.to_owned()).or_insert_with(shown).clone()
    };
    shown.map_err(|problem| Failed::from(format!("void: {problem}")))?;
    match runner::run_case(boundary, &subject.description, case, options) {
        Ok(CaseResult::Pass) => Ok(Completion::Completed),
        // Only the answer could tell; nothing untested is a pass.
        Ok(CaseResult::Unclaimed(why)) => Ok(Completion::ignored_with(message::not_tested(requirement, why))),
        Ok(CaseResult::Missed(failure)) => {
            WARNED.store(true, Ordering::Relaxed);
            Ok(Completion::ignored_with(message::misread(&failure)))
        }
        Ok(CaseResult::Fail(failure)) if case.level == Level::Should => {
            WARNED.store(true, Ordering::Relaxed);
            Ok(Completion::ignored_with(message::warning(&failure)))
        }
        Ok(CaseResult::Fail(failure)) => Err(Failed::from(message::failure(case.requirement, &failure))),
        Err(problem) => Err(Failed::from(format!("void: {problem}"))),
    }
}

/// Holds the kit to noticing a fault in this very boundary, where it passes without.
fn bite(boundary: &dyn Boundary, subject: &Arc<Subject>, saboteur: &'static Saboteur) -> Result<(), Failed> {
    let requirement = saboteur.breaks[0];
    let cases = Plan::one(subject, requirement);
    for case in &cases {
        let result = runner::run_case(boundary, &subject.description, case, &Options::default())?;
        if let CaseResult::Fail(_) = result {
            // Its own trial reports that; a fault on top of it would show nothing.
            return Ok(());
        }
    }
    if teeth::noticed(boundary, saboteur, subject, requirement)? {
        Ok(())
    } else {
        let problem = message::saboteur_unnoticed(saboteur.name, requirement, "the boundary under test");
        Err(Failed::from(format!("void: {problem}")))
    }
}

/// A requirement, with the ids of its cases or why it has none.
pub type Listed = (&'static Requirement, Result<Vec<String>, String>);

/// Every requirement, with what this boundary would be asked.
///
/// # Errors
///
/// Why there is nothing to list: the boundary panicked when asked to describe itself.
pub fn list(boundary: &dyn Boundary) -> Result<Vec<Listed>, String> {
    let description = runner::probe::describe(boundary).map_err(|place| message::describe_panicked(&place))?;
    let plan = Plan::everything(&Subject::new(description));
    let rows = plan
        .rows
        .into_iter()
        .map(|(requirement, planned)| {
            let cases = match planned {
                Planned::NotBuilt => Err(message::not_built()),
                Planned::NotClaimed(why) => Err(why),
                Planned::Cases(cases) => Ok(cases.iter().map(|case| case.id.to_string()).collect()),
            };
            (requirement, cases)
        })
        .collect();
    Ok(rows)
}

/// What to say to somebody who asked for a requirement that there is none of.
#[must_use]
pub fn unknown_requirement(id: &str) -> String {
    let names: Vec<String> = corpus().requirements().iter().map(|requirement| requirement.id.to_string()).collect();
    message::unknown_requirement(id, &names)
}
