//! The kit's side of one worker: starting it, listening to it, watching what it takes, ending it with all that it started.

use std::io::{self, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::memory::Watch;
use super::noise::Noise;
use super::wire::{Answer, Request};
use super::{Fate, Launch, Limits};

/// How often a worker is looked at while it is silent.
const TICK: Duration = Duration::from_millis(10);
/// How long a process whose pipes are closed may take to end.
const GRACE: Duration = Duration::from_secs(1);
/// The longest line that a worker says, in bytes: what is shown of a case is cut.
const LONGEST: usize = 1 << 20;
/// How much of the end of the streams tells how a process died, in bytes.
const LAST_WORDS: u64 = 4096;

/// A worker that was started.
pub(super) struct Worker {
    child: Child,
    group: Pid,
    requests: Option<ChildStdin>,
    answers: ChildStdout,
    /// What came from the pipe and is no whole line yet.
    unread: Vec<u8>,
    /// Where the search for the end of a line goes on.
    searched: usize,
    /// Whether it said that it is a worker.
    ready: bool,
    /// Whether nothing more will come from the pipe.
    closed: bool,
    /// What it was ended for.
    fate: Option<Fate>,
    noise: Noise,
    memory: Watch,
    looked: Instant,
    limits: Limits,
}

/// What comes of listening to a worker.
pub(super) enum Heard {
    Answer(Answer),
    Fate(Fate),
    /// The kit itself was told to stop.
    Interrupted,
}

impl Worker {
    /// Starts this program again.
    ///
    /// # Errors
    ///
    /// Whatever the system says.
    pub(super) fn start(launch: &Launch, limits: Limits) -> io::Result<Self> {
        let noise = Noise::new()?;
        let mut child = launch
            .command()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(noise.share()?)
            // A group of its own can be ended whole, and does not hear what a person types.
            .process_group(0)
            .spawn()?;
        let missing = || io::Error::other("a started process has no pipe");
        Ok(Self {
            group: Pid::from_child(&child),
            requests: Some(child.stdin.take().ok_or_else(missing)?),
            answers: child.stdout.take().ok_or_else(missing)?,
            memory: Watch::new(Pid::from_child(&child)),
            child,
            unread: Vec::new(),
            searched: 0,
            ready: false,
            closed: false,
            fate: None,
            noise,
            looked: Instant::now(),
            limits,
        })
    }

    /// Tells it what to do next. That it is gone shows when it is listened to.
    pub(super) fn tell(&mut self, request: &Request) {
        let line = serde_json::to_string(request).unwrap_or_default();
        if let Some(pipe) = &mut self.requests {
            let _ = pipe.write_all(format!("{line}\n").as_bytes());
        }
    }

    /// Waits for what it says next, until `deadline`.
    pub(super) fn hear(&mut self, deadline: Instant, interrupt: Option<&AtomicBool>) -> Heard {
        loop {
            while let Some(line) = self.line() {
                match serde_json::from_slice(&line) {
                    Ok(Answer::Ready) => {
                        self.ready = true;
                        return Heard::Answer(Answer::Ready);
                    }
                    Ok(answer) if self.ready => return Heard::Answer(answer),
                    // Whatever the program prints before it is a worker.
                    _ if !self.ready => {}
                    _ => return Heard::Fate(Fate::Garbled),
                }
            }
            if self.unread.len() > LONGEST {
                return Heard::Fate(Fate::Garbled);
            }
            if let Some(fate) = self.fate {
                return Heard::Fate(fate);
            }
            if self.closed {
                return Heard::Fate(self.ended());
            }
            if interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
                return Heard::Interrupted;
            }
            let now = Instant::now();
            if now.duration_since(self.looked) >= TICK {
                self.looked = now;
                if let Some(fate) = self.look() {
                    self.judge(fate);
                    continue;
                }
            }
            // Whoever never stops writing what is no line is out of time too.
            if now >= deadline && (now >= deadline + GRACE || !self.is_readable(Duration::ZERO)) {
                return Heard::Fate(Fate::TimedOut);
            }
            if self.is_readable(TICK) {
                self.read();
            } else if self.exit().is_some() {
                // Something that it started may hold the pipe open.
                self.drain();
                self.closed = true;
            }
        }
    }

    /// The next whole line that is not empty.
    fn line(&mut self) -> Option<Vec<u8>> {
        loop {
            let end = self.searched
                + self.unread[self.searched..].iter().position(|byte| *byte == b'\n').or_else(|| {
                    self.searched = self.unread.len();
                    None
                })?;
            self.searched = 0;
            let mut line: Vec<u8> = self.unread.drain(..=end).collect();
            line.pop();
            if !line.is_empty() {
                return Some(line);
            }
        }
    }

    fn is_readable(&self, wait: Duration) -> bool {
        let mut pipes = [PollFd::new(&self.answers, PollFlags::IN)];
        let wait = Timespec::try_from(wait).ok();
        // An interrupted wait is a short one.
        rustix::event::poll(&mut pipes, wait.as_ref()).is_ok_and(|ready| ready > 0)
    }

    /// Ends it for this, unless it said more meanwhile: that tells which case was running, and belongs before.
    fn judge(&mut self, fate: Fate) {
        if !matches!(fate, Fate::Stopped(_)) {
            self.signal(Signal::STOP);
        }
        let before = self.unread.len();
        self.drain();
        if self.unread.len() > before {
            // What it was doing when it was looked at may be over: it goes on, and is looked at again.
            if !matches!(fate, Fate::Stopped(_)) {
                self.signal(Signal::CONT);
            }
            return;
        }
        self.fate = Some(fate);
        self.kill();
    }

    /// What became of it since its last answer, if anything did. There is nothing that it could have to say.
    pub(super) fn settle(&mut self) -> Option<Fate> {
        self.fate.or_else(|| self.exit()).or_else(|| self.look()).or_else(|| self.closed.then(|| self.ended()))
    }

    /// Reads what there is, as far as anything may be said at once.
    fn drain(&mut self) {
        while !self.closed && self.unread.len() <= LONGEST && self.is_readable(Duration::ZERO) {
            self.read();
        }
    }

    fn read(&mut self) {
        let mut bytes = [0; 16 * 1024];
        match self.answers.read(&mut bytes) {
            Ok(0) => self.closed = true,
            Ok(count) => self.unread.extend_from_slice(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.closed = true,
        }
    }

    /// Whether it takes more than it may, or is stopped.
    fn look(&mut self) -> Option<Fate> {
        let stopped = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if let Ok(Some(status)) = rustix::process::waitid(WaitId::Pid(self.group), stopped)
            && let Some(signal) = status.stopping_signal()
        {
            return Some(Fate::Stopped(signal));
        }
        if self.noise.length() > self.limits.output {
            return Some(Fate::Flooded);
        }
        (self.memory.resident() > self.limits.memory).then_some(Fate::OutOfMemory)
    }

    /// How it ended, if it did. It is not reaped, so that its group still has its name.
    fn exit(&self) -> Option<Fate> {
        let exited = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = rustix::process::waitid(WaitId::Pid(self.group), exited).ok()??;
        if let Some(code) = status.exit_status() {
            return Some(Fate::Exited(code));
        }
        let signal = status.terminating_signal()?;
        if signal != Signal::ABORT.as_raw() {
            return Some(Fate::Killed(signal));
        }
        // The words of the language's own runtime. Whoever fakes them has crashed all the same.
        let length = self.noise.length();
        let words = self.noise.text(length.saturating_sub(LAST_WORDS), LAST_WORDS);
        Some(if words.contains("has overflowed its stack") {
            Fate::Overflowed
        } else if words.contains("memory allocation of ") {
            Fate::OutOfMemory
        } else {
            Fate::Aborted
        })
    }

    /// How a process ended whose pipe is closed, or that it did not.
    fn ended(&self) -> Fate {
        let until = Instant::now() + GRACE;
        loop {
            if let Some(fate) = self.exit() {
                return fate;
            }
            if Instant::now() >= until {
                return Fate::Closed;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends it and all of its group, at once.
    fn kill(&self) {
        self.signal(Signal::KILL);
        // It may have left its group.
        let _ = rustix::process::kill_process(self.group, Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        // Whoever is gone already need not be told.
        let _ = rustix::process::kill_process_group(self.group, signal);
    }

    /// Ends it, letting it end by itself where it has nothing to do.
    pub(super) fn finish(mut self) {
        self.requests = None;
        self.ended();
    }
}

impl Drop for Worker {
    /// Ends all of its group.
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}
