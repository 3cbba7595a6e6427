//! Programs that are run under a mark, which whatever they start inherits.

use std::fs;
use std::process::{self, Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The variable that holds the mark.
pub const MARK: &str = "BOUNDARY_KIT_TEST_MARK";

/// How long a process that was ended may take to be gone; what nobody ended lasts for minutes.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a program says and ends with, once it has ended with all that it started.
///
/// # Panics
///
/// Where it cannot be run, and where a process of it is left. Only a system with `/proc` can tell.
#[track_caller]
pub fn output(command: &mut Command) -> Output {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let mark = format!("{}-{}", process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let output = command.env(MARK, &mark).output().expect("the program can be run");
    assert_gone(&mark);
    output
}

/// Waits for what was ended a moment ago and is not gone yet.
///
/// # Panics
///
/// Where a process with this mark stays.
#[track_caller]
pub fn assert_gone(mark: &str) {
    let until = Instant::now() + PATIENCE;
    while !marked(mark).is_empty() {
        assert!(Instant::now() < until, "left behind: {:?}", marked(mark));
        thread::sleep(Duration::from_millis(5));
    }
}

/// The processes with this mark.
pub fn marked(mark: &str) -> Vec<u32> {
    let entry = format!("{MARK}={mark}\0");
    let has = |environment: Vec<u8>| environment.windows(entry.len()).any(|window| window == entry.as_bytes());
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|id: &u32| fs::read(format!("/proc/{id}/environ")).is_ok_and(has)).collect()
}
