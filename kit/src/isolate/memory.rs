//! How much memory of a process is resident.

use rustix::process::Pid;
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};

/// A watch over one process.
pub(super) struct Watch {
    system: System,
    process: sysinfo::Pid,
}

impl Watch {
    pub(super) fn new(process: Pid) -> Self {
        // A process id is positive.
        let process = sysinfo::Pid::from_u32(process.as_raw_nonzero().get().unsigned_abs());
        Self { system: System::new(), process }
    }

    /// How much of its memory is resident now, in bytes; nothing where the process is gone.
    pub(super) fn resident(&mut self) -> u64 {
        let kind = ProcessRefreshKind::nothing().with_memory().without_tasks();
        self.system.refresh_processes_specifics(ProcessesToUpdate::Some(&[self.process]), true, kind);
        self.system.process(self.process).map_or(0, sysinfo::Process::memory)
    }
}
