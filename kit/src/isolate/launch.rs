//! How this program is started again, so that it comes to the same point as a worker.

use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::At;

/// The variable that makes a process a worker: the process that started it, and the point of the program. A process that
/// only inherits it, as a program that the boundary starts does, was started by another.
const WORKER: &str = "BOUNDARY_KIT_WORKER";

/// The variable that keeps a boundary in the process that asks.
const IN_PROCESS: &str = "BOUNDARY_KIT_IN_PROCESS";

/// A program, its arguments, and the point at which it becomes a worker.
#[derive(Debug)]
pub(crate) struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
    point: String,
}

/// Where in a program a boundary is asked.
#[derive(Debug)]
pub(crate) enum Entrance {
    /// This process asks, and asks here.
    Stays,
    /// This process asks, and starts workers.
    Asks(Launch),
    /// This process is a worker for this very point.
    Works,
    /// This process is a worker for another point, further on.
    Passes,
}

/// What this process is at this point of the program.
///
/// # Errors
///
/// Where the program cannot tell which file it is.
pub(crate) fn entrance(at: At<'_>) -> io::Result<Entrance> {
    let point = at.point();
    let asked = std::env::var(WORKER).ok();
    let parent = rustix::process::getppid().map(|parent| parent.as_raw_nonzero().to_string());
    match asked.as_deref().and_then(|asked| asked.split_once(' ')) {
        Some((process, asked)) if Some(process) == parent.as_deref() => {
            Ok(if asked == point { Entrance::Works } else { Entrance::Passes })
        }
        _ if std::env::var_os(IN_PROCESS).is_some() => Ok(Entrance::Stays),
        _ => Ok(Entrance::Asks(Launch { program: std::env::current_exe()?, arguments: at.arguments(), point })),
    }
}

impl At<'_> {
    /// The point in words. A program or a test may ask more than once, so calls are counted, those of a test on its own
    /// thread.
    fn point(self) -> String {
        static PROGRAM: AtomicUsize = AtomicUsize::new(1);
        thread_local! {
            static CALLS: Cell<usize> = const { Cell::new(0) };
        }
        match self {
            Self::Program => format!("program {}", PROGRAM.fetch_add(1, Ordering::Relaxed)),
            Self::Test(_) => {
                CALLS.set(CALLS.get() + 1);
                format!("call {}", CALLS.get())
            }
        }
    }

    /// The arguments with which the program comes to this point and to no other.
    fn arguments(self) -> Vec<OsString> {
        match self {
            // The main thread is no test's, so the program has no tests: it comes to this point by itself.
            Self::Program | Self::Test("main") => std::env::args_os().skip(1).collect(),
            Self::Test(name) => {
                ["--exact", name, "--include-ignored", "--nocapture", "--test-threads=1"].map(OsString::from).into()
            }
        }
    }
}

impl Launch {
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env(WORKER, format!("{} {}", std::process::id(), self.point));
        command
    }
}
