//! What an author calls.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use boundary_contract::Boundary;
use boundary_corpus::{Level, Requirement, corpus};
use libtest_mimic::{Arguments, Completion, Failed, Trial};

#[cfg(unix)]
use crate::isolate::{self, Entrance};
use crate::isolate::{Answer, At, Came, Limits, Progress, Request, Stopped};
use crate::message;
use crate::report::{Reporter, Terminal};
use crate::runner::{self, CaseResult, Event, Options, Plan, Planned, Report, Rerun, RunVerdict, Server, Site};
use crate::subject::Subject;
use crate::trial::{self, Tried};

/// Runs everything against a boundary, in this process, and reports on it.
///
/// # Errors
///
/// Whatever writing the report gives.
pub fn check(boundary: &dyn Boundary, reporter: &mut dyn Reporter) -> io::Result<Report> {
    check_with(boundary, &Options::default(), reporter)
}

/// Runs what these options select against a boundary, in this process, and reports on it.
///
/// # Errors
///
/// Whatever writing the report gives.
pub fn check_with(boundary: &dyn Boundary, options: &Options, reporter: &mut dyn Reporter) -> io::Result<Report> {
    reported(&Site::here(Server::new(boundary, options)), options, reporter)
}

/// Runs what these options select against a boundary in worker processes, and reports on it: the whole program is about
/// this one boundary.
///
/// The program starts itself again with the same arguments, and each new process becomes a worker in this very call,
/// which does not return there: it makes the boundary, and asks it what it is told to. So whatever stands before the
/// call is done in each worker too, and must lead to it.
///
/// Where the variable `BOUNDARY_KIT_IN_PROCESS` is set, cases run in this process, for a debugger.
///
/// # Errors
///
/// Whatever writing the report gives, and that the program cannot tell which file it is.
pub fn check_apart<B: Boundary>(
    make: impl FnOnce() -> B,
    options: &Options,
    reporter: &mut dyn Reporter,
) -> io::Result<Report> {
    match site(make, options, At::Program)? {
        Some(site) => reported(&site, options, reporter),
        None => Err(io::Error::other(message::no_worker_came())),
    }
}

fn reported(site: &Site<'_>, options: &Options, reporter: &mut dyn Reporter) -> io::Result<Report> {
    let mut written = Ok(());
    let report = runner::run_at(site, options, &mut |event: &Event<'_>| {
        if written.is_ok() {
            written = reporter.event(event);
        }
    });
    written.map(|()| report)
}

/// Where the boundary is asked at this point of the program; nothing where this process is a worker for a later point.
/// A worker for this one does not come back.
#[cfg(unix)]
fn site<'a, B: Boundary + 'a>(make: impl FnOnce() -> B, options: &Options, at: At<'_>) -> io::Result<Option<Site<'a>>> {
    Ok(match isolate::entrance(at)? {
        Entrance::Works => runner::work(make, options),
        Entrance::Passes => None,
        Entrance::Stays => Some(Site::here(Server::new(make(), options))),
        Entrance::Asks(launch) => Some(Site::workers(launch, options)),
    })
}

/// Where the boundary is asked: there are no workers here, so in this process.
#[cfg(not(unix))]
fn site<'a, B: Boundary + 'a>(make: impl FnOnce() -> B, options: &Options, _: At<'_>) -> io::Result<Option<Site<'a>>> {
    Ok(Some(Site::here(Server::new(make(), options))))
}

/// Holds a boundary to everything that it claims, inside an ordinary `#[test]`.
///
/// ```no_run
/// # use boundary_kit::canary::Smallest;
/// boundary_kit::assert_conforms(|| Smallest);
/// ```
///
/// The boundary is asked in worker processes: the test binary starts itself again with this test alone, and the new
/// process becomes a worker in this very call. So what stands before it in the test is done in each worker too; another
/// call before it does nothing there. Where the variable `BOUNDARY_KIT_IN_PROCESS` is set, cases run in this process.
///
/// # Panics
///
/// With the whole report, unless the boundary is conformant. Where the test is not called on the thread that the test
/// harness made for it, since no worker can come of that.
pub fn assert_conforms<B: Boundary>(make: impl FnOnce() -> B) {
    asserted(make, Options::default());
}

fn asserted<B: Boundary>(make: impl FnOnce() -> B, options: Options) {
    // The test harness names each test's thread after it.
    let test = std::thread::current().name().unwrap_or("this test").to_owned();
    let options = Options { rerun: Rerun::Test(test.clone()), ..options };
    let site = match site(make, &options, At::Test(&test)) {
        Ok(Some(site)) => site,
        Ok(None) => return,
        Err(error) => panic!("{}", message::no_worker(error.kind())),
    };
    let mut out = Vec::new();
    let report = reported(&site, &options, &mut Terminal::new(&mut out, false));
    let conformant = matches!(report.map(|report| report.verdict), Ok(RunVerdict::Conformant));
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
/// tell, so a listing asks for it, but for how time grows. A `claims/…` trial fails where nothing
/// stands behind a claim. `teeth/…` trials put a fault into the boundary and hold the kit to noticing it.
///
/// Trials run in worker processes, so that a boundary which ends its process, hangs, floods or eats memory fails the
/// one trial that was running: the target starts itself again, and the new process makes the boundary here. Where the
/// variable `BOUNDARY_KIT_IN_PROCESS` is set, they run in this process.
///
/// The exit code is 0 when every trial passed, 101 when one failed as with any test, and 3 when a
/// filter left nothing to run, or only what is ignored.
pub fn trials<B: Boundary + 'static>(make: impl FnOnce() -> B) -> ExitCode {
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
pub fn with_fixtures(folder: impl Into<PathBuf>) -> Kit {
    Kit(Options { fixtures: vec![folder.into()], ..Options::default() })
}

/// The kit with these limits on what a worker may take.
///
/// ```no_run
/// # use boundary_kit::canary::Smallest;
/// # use std::time::Duration;
/// fn main() -> std::process::ExitCode {
///     let mut limits = boundary_kit::isolate::Limits::default();
///     limits.time = Duration::from_secs(120);
///     boundary_kit::with_limits(limits).trials(|| Smallest)
/// }
/// ```
pub fn with_limits(limits: Limits) -> Kit {
    Kit(Options { limits, ..Options::default() })
}

/// The kit as an author sets it up, with [`with_fixtures`] or [`with_limits`].
#[derive(Debug)]
#[must_use]
pub struct Kit(Options);

impl Kit {
    /// As [`with_fixtures`], beside what there is.
    pub fn with_fixtures(mut self, folder: impl Into<PathBuf>) -> Self {
        self.0.fixtures.push(folder.into());
        self
    }

    /// As [`with_limits`].
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    /// As [`trials`].
    pub fn trials<B: Boundary + 'static>(self, make: impl FnOnce() -> B) -> ExitCode {
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

fn tried<B: Boundary + 'static>(make: impl FnOnce() -> B, options: Options) -> ExitCode {
    let options = Options { rerun: Rerun::Trial(target()), ..options };
    let site = match site(make, &options, At::Program) {
        Ok(Some(site)) => Arc::new(site),
        Ok(None) => return void(&message::no_worker_came()),
        Err(error) => return void(&message::no_worker(error.kind())),
    };
    let arguments = Arguments::from_args();
    let alone = arguments.filter.as_deref().filter(|_| arguments.exact && !arguments.list);
    let trials = match alone {
        // A runner such as nextest starts a process for each trial, which need not know all the others.
        Some(name) => one_trial(&site, &options, name),
        None => all_trials(&site, &options, arguments.list),
    };
    let trials = match trials {
        Ok(trials) => trials,
        Err(Stopped::Boundary(problem)) => return nothing_ran(&problem),
        Err(Stopped::Kit(problem)) => return void(&problem),
        Err(Stopped::Interrupted) => return void(&message::interrupted(0, 0)),
    };
    if !arguments.list && !trials.iter().any(|trial| selected(&arguments, trial)) {
        return nothing_ran(&message::filter_matches_nothing());
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Some(problem) = site.late() {
        // Nobody can say any more which trial it was, and none of them may be a pass.
        eprintln!("{problem}");
        return ExitCode::from(FAILED);
    }
    let judged = conclusion.num_passed + conclusion.num_failed > 0 || WARNED.load(Ordering::Relaxed);
    if !arguments.list && !judged {
        return nothing_ran(&message::all_ignored());
    }
    conclusion.exit_code()
}

/// The exit code of tests of which one failed.
const FAILED: u8 = 101;

/// Whether a case of this process was judged and only warned or counted, which libtest-mimic counts as ignored.
static WARNED: AtomicBool = AtomicBool::new(false);

fn nothing_ran(problem: &str) -> ExitCode {
    eprintln!("nothing ran: {problem}");
    ExitCode::from(RunVerdict::NothingRan.exit_code())
}

fn void(problem: &str) -> ExitCode {
    eprintln!("{}", message::void(problem));
    ExitCode::from(RunVerdict::Void.exit_code())
}

/// Whether the arguments of a test binary leave a trial in.
fn selected(arguments: &Arguments, trial: &Trial) -> bool {
    let name = trial.name();
    let matches = |filter: &String| if arguments.exact { name == filter } else { name.contains(filter.as_str()) };
    arguments.filter.as_ref().is_none_or(matches) && !arguments.skip.iter().any(matches)
}

/// The trial of this name, if there is one.
fn one_trial(site: &Arc<Site<'static>>, options: &Options, name: &str) -> Result<Vec<Trial>, Stopped> {
    let ignored = match site.one(Request::Knows(name.to_owned()))? {
        Came::Answered(Answer::Known(Ok(Some(ignored)))) => ignored,
        Came::Answered(Answer::Known(Ok(None))) => return Ok(Vec::new()),
        Came::Answered(Answer::Known(Err(problem))) => return Err(Stopped::Boundary(problem)),
        Came::Fated(fate, _) => return Err(Stopped::Boundary(message::describe_ended(fate, &options.limits))),
        Came::Answered(_) => return Err(Stopped::Kit(message::out_of_turn())),
    };
    Ok(vec![trial(site, options, name.to_owned(), true, ignored)])
}

/// Every trial. A process that only lists them asks the boundary what only its answers can tell, since a
/// runner such as nextest knows no other way to leave a trial out.
fn all_trials(site: &Arc<Site<'static>>, options: &Options, listing: bool) -> Result<Vec<Trial>, Stopped> {
    let subject = Subject::new(site.describe()?);
    subject.askable().map_err(Stopped::Boundary)?;
    let corpus = options.corpus().map_err(Stopped::Boundary)?;
    let every = trial::every(&subject, Plan::over(&subject, corpus));
    let left_out = if listing { left_out(site, options, &every) } else { BTreeSet::new() };
    let trials = every.iter().map(|(name, kind)| {
        let ignored = matches!(kind, trial::Trial::Idle(_)) || left_out.contains(name);
        trial(site, options, name.clone(), false, ignored)
    });
    Ok(trials.collect())
}

fn trial(site: &Arc<Site<'static>>, options: &Options, name: String, alone: bool, ignored: bool) -> Trial {
    let (site, options, asked) = (Arc::clone(site), options.clone(), name.clone());
    let run = move || {
        let tried = match site.one(Request::Trial { name: asked.clone(), alone }) {
            Ok(Came::Answered(Answer::Tried(tried))) => tried,
            Ok(Came::Fated(fate, journal)) => trial::fated(&site, &asked, fate, journal.asked, &options),
            Err(Stopped::Boundary(problem) | Stopped::Kit(problem)) => Tried::Failed(message::void(&problem)),
            Ok(Came::Answered(_)) | Err(Stopped::Interrupted) => Tried::Failed(message::void(&message::out_of_turn())),
        };
        match tried {
            Tried::Passed => Ok(Completion::Completed),
            // Only the answer could tell; nothing untested is a pass.
            Tried::Untested(why) => Ok(Completion::ignored_with(why)),
            Tried::Warned(why) => {
                WARNED.store(true, Ordering::Relaxed);
                Ok(Completion::ignored_with(why))
            }
            Tried::Failed(why) => Err(Failed::from(why)),
        }
    };
    Trial::ignorable_test(name, run).with_ignored_flag(ignored)
}

/// The trials that would turn out to be ignored: not claimed after all, or only a warning.
fn left_out(site: &Site<'_>, options: &Options, every: &[(String, trial::Trial)]) -> BTreeSet<String> {
    let uncertain = |(_, kind): &&(String, trial::Trial)| match kind {
        // Time takes its time, and what it comes to once it need not come to again.
        trial::Trial::Case(case) if case.timed => false,
        trial::Trial::Case(case) => case.conditional || case.rate_only || case.level == Level::Should,
        _ => false,
    };
    let uncertain: Vec<&(String, trial::Trial)> = every.iter().filter(uncertain).collect();
    let requests: Vec<Request> = uncertain.iter().map(|(name, _)| Request::Case(name.clone())).collect();
    let mut left_out = BTreeSet::new();
    let asked = site.all(&requests, options, &mut |progress| {
        let Progress::Came(index, came) = progress else { return };
        let (name, trial::Trial::Case(case)) = uncertain[index] else { return };
        let is_left_out = match runner::result(case, came, options) {
            Ok(CaseResult::Unclaimed(_) | CaseResult::Missed(_)) => true,
            Ok(CaseResult::Fail(_)) => case.level == Level::Should,
            Ok(CaseResult::Pass) | Err(_) => false,
        };
        if is_left_out {
            left_out.insert(name.clone());
        }
    });
    // What could not be asked is run, and says then what is wrong.
    drop(asked);
    left_out
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
