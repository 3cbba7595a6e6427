//! Worker processes: whatever a boundary does to the process that it runs in is charged to one case.
//!
//! The program starts itself again (`launch`), and the new process becomes a worker where it would have asked
//! (`worker`): it takes requests from one pipe and journals into another which call is in flight, so that the case
//! that was running is known however the worker ended. The process that asks (`process`, `workers`) watches the
//! clock, the resident memory and the standard streams of each worker, and kills its whole process group.
//!
//! Only systems of the Unix kind have process groups, and descriptors that can be moved; on others a boundary is asked in
//! the process that asks.
//!
//! What a boundary writes to its standard streams goes to a file without a name, and never to a pipe: nothing can
//! block on it, nothing that the boundary leaves running can hold it open, and the leak checks read it.

use std::time::Duration;

mod course;
#[cfg(unix)]
mod launch;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod noise;
#[cfg(unix)]
mod process;
mod wire;
#[cfg(unix)]
mod worker;
#[cfg(unix)]
mod workers;

pub(crate) use course::{Came, Journal, Progress, Stopped};
#[cfg(unix)]
pub(crate) use launch::{Entrance, Launch, entrance};
#[cfg(unix)]
pub(crate) use noise::{heard_since, mark};
pub(crate) use wire::{Answer, Request};
#[cfg(unix)]
pub(crate) use worker::{Desk, Journalled, sending};
#[cfg(unix)]
pub(crate) use workers::Workers;

/// A point of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum At<'a> {
    /// The program does nothing else.
    Program,
    /// In the `#[test]` of this name, or in the main thread of a program that has none.
    Test(&'a str),
}

/// What a worker may take before it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How long one call to the boundary, and the judging of its answer, may take.
    pub time: Duration,
    /// How much memory may be resident, in bytes. Address space that is only reserved does not count.
    pub memory: u64,
    /// How much may be written to the standard streams in one case, in bytes.
    pub output: u64,
}

impl Default for Limits {
    /// Half a minute, 4 GiB and 16 MiB.
    fn default() -> Self {
        Self { time: Duration::from_secs(30), memory: 4 << 30, output: 16 << 20 }
    }
}

/// What became of a process, or of its streams, while the boundary was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Fate {
    /// It exited with this code.
    Exited(i32),
    /// It aborted.
    Aborted,
    /// It was killed by the signal of this number, or killed itself with it.
    Killed(i32),
    /// A thread of it overflowed its stack.
    Overflowed,
    /// It took more memory than it may, or than there was.
    OutOfMemory,
    /// It did not answer in time.
    TimedOut,
    /// It wrote more to its standard streams than it may.
    Flooded,
    /// It was stopped by the signal of this number, or stopped itself with it.
    Stopped(i32),
    /// It closed the pipes to the kit and lives on.
    Closed,
    /// It wrote into the pipes to the kit.
    Garbled,
}
