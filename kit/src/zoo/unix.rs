//! The ways to misbehave that only systems of the Unix kind have.

use std::os::unix::process::CommandExt;
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::Duration;

use boundary_contract::AdapterFault;
use rustix::process::{Signal, getpid, kill_process};

use super::member::{Acted, Charged, Member};
use crate::isolate::Fate;

pub(super) const ALL: &[Member] = &[
    Member {
        name: "close",
        does: "closes its pipes by becoming another program, which lives on",
        outcome: Charged::Fate(Fate::Closed),
        act: |_| {
            let nowhere = Stdio::null;
            // Pipes of the process's own close when it becomes another program; its standard streams would not.
            let error = sleep().stdin(nowhere()).stdout(nowhere()).stderr(nowhere()).exec();
            Err(AdapterFault::new(format!("the program `sleep` cannot be run: {}", error.kind())))
        },
    },
    Member {
        name: "grandchild",
        does: "leaves a process behind that holds its standard streams open, and ends with exit code 3",
        outcome: Charged::Fate(Fate::Exited(3)),
        act: |_| match sleep().spawn() {
            Ok(_) => process::exit(3),
            Err(error) => Err(AdapterFault::new(format!("the program `sleep` cannot be run: {}", error.kind()))),
        },
    },
    Member {
        name: "stop",
        does: "stops its process, as a terminal does",
        outcome: Charged::Fate(Fate::Stopped(Signal::STOP.as_raw())),
        act: |_| send(Signal::STOP),
    },
    Member {
        name: "kill",
        does: "kills its process, as a system that has no memory left does",
        outcome: Charged::Fate(Fate::Killed(Signal::KILL.as_raw())),
        act: |_| send(Signal::KILL),
    },
];

/// A program that outlives any wait for it, and ends by itself where nobody ends it, after ten minutes.
fn sleep() -> Command {
    let mut command = Command::new("sleep");
    command.arg("600");
    command
}

/// Sends this process a signal, and waits for it.
fn send(signal: Signal) -> Acted {
    kill_process(getpid(), signal).map_err(|error| AdapterFault::new(format!("no signal could be sent: {error}")))?;
    // Another thread may be the one that takes it, and this one would go on meanwhile.
    thread::sleep(Duration::from_secs(1));
    Ok(())
}
