//! The worker's side: taking the streams of the process, and answering requests one after another.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use boundary_contract::{AdapterFault, Boundary, Call, Description, Outcome};
use rustix::process::{Resource, Rlimit, Signal};

use super::noise::{self, Noise};
use super::wire::{Answer, Request};
use super::{Fate, Limits};
use crate::message;
use crate::stimulus::Stimulus;

/// The first descriptor that is not one of the standard streams.
const PRIVATE: i32 = 3;
/// How long a case that runs when the kit is gone may go on.
const GRACE: Duration = Duration::from_millis(500);

/// Where a worker lays down answers.
pub(crate) struct Desk {
    answers: Mutex<File>,
    noise: &'static Noise,
    limits: Limits,
}

impl Desk {
    /// Takes the streams of this process, and what comes through them: its input and output were the pipes to the kit,
    /// and become the boundary's own.
    ///
    /// # Errors
    ///
    /// Whatever the system says.
    pub(crate) fn open(limits: Limits) -> io::Result<(Self, Receiver<Request>)> {
        // What crashes on purpose leaves no core behind.
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        rustix::process::setrlimit(Resource::Core, none)?;
        let private = |stream| rustix::io::fcntl_dupfd_cloexec(stream, PRIVATE);
        let requests = File::from(private(rustix::stdio::stdin())?);
        let answers = File::from(private(rustix::stdio::stdout())?);
        let streams = File::from(private(rustix::stdio::stderr())?);
        rustix::stdio::dup2_stdout(&streams)?;
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        let (sender, receiver) = mpsc::channel();
        thread::Builder::new().name("requests".to_owned()).spawn(move || {
            for line in BufReader::new(requests).lines() {
                let request = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                let Some(request) = request else { break };
                if sender.send(request).is_err() {
                    break;
                }
            }
            drop(sender);
            // The kit is done, or gone. An idle worker ends by itself, and one that hangs must not stay.
            thread::sleep(GRACE);
            end_group();
        })?;
        let desk = Self { answers: Mutex::new(answers), noise: noise::keep(Noise::of(streams)), limits };
        desk.say(&Answer::Ready);
        Ok((desk, receiver))
    }

    /// The next request; nothing once there will be none.
    pub(crate) fn next(&self, requests: &Receiver<Request>) -> Option<Request> {
        // What was said before belongs to the request before, and was looked at then.
        let _ = self.noise.clear();
        requests.recv().ok()
    }

    /// Lays down the answer to the last request, unless it came to something else.
    pub(crate) fn answer(&self, answer: &Answer) {
        if self.noise.length() > self.limits.output {
            self.say(&Answer::Fated(Fate::Flooded));
        } else {
            self.say(answer);
        }
    }

    /// Journals that the boundary is about to be asked.
    pub(crate) fn begin(&self) {
        self.say(&Answer::Begun(None));
    }

    /// Journals that it answered.
    pub(crate) fn end(&self) {
        self.say(&Answer::Ended);
    }

    /// The same as [`begin`](Self::begin), with the beginning of what it is sent.
    fn begin_with(&self, sent: String) {
        self.say(&Answer::Begun(Some(sent)));
    }

    fn say(&self, answer: &Answer) {
        // Each line begins with a newline of its own: a test harness may have left one of its own unfinished.
        let line = serde_json::to_string(answer).unwrap_or_default();
        let written =
            self.answers.lock().unwrap_or_else(PoisonError::into_inner).write_all(format!("\n{line}\n").as_bytes());
        if written.is_err() {
            // Nobody hears this worker any more.
            end_group();
        }
    }
}

/// The desk of a worker whose results are made there, so that nobody else could tell what was sent.
static TELLING: OnceLock<Desk> = OnceLock::new();

impl Desk {
    /// Makes this the desk where [`sending`] journals.
    pub(crate) fn telling(self) -> &'static Self {
        TELLING.get_or_init(|| self)
    }
}

/// Journals that the boundary is about to be asked, and what it is sent, where this process is a worker that tells.
pub(crate) fn sending(stimulus: &Stimulus) {
    if let Some(desk) = TELLING.get() {
        desk.begin_with(message::beginning(stimulus));
    }
}

/// Ends this process and all that it started.
fn end_group() -> ! {
    // A worker leads a group of its own; whoever does not must end nobody else.
    if rustix::process::getpgrp() == rustix::process::getpid() {
        let _ = rustix::process::kill_current_process_group(Signal::KILL);
    }
    std::process::exit(1)
}

/// A boundary that journals each call to it before it is asked.
pub(crate) struct Journalled<'a, B> {
    boundary: B,
    desk: &'a Desk,
}

impl<'a, B: Boundary> Journalled<'a, B> {
    pub(crate) fn new(boundary: B, desk: &'a Desk) -> Self {
        Self { boundary, desk }
    }
}

impl<B: Boundary> Boundary for Journalled<'_, B> {
    fn describe(&self) -> Description {
        self.desk.begin();
        let description = self.boundary.describe();
        self.desk.end();
        description
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        self.desk.begin();
        let outcome = self.boundary.check(call);
        self.desk.end();
        outcome
    }
}
