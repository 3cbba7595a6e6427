//! What it costs to ask in processes of their own: the time of a whole `check` of the reference, as a ratio to the same
//! in the process of the kit.
//!
//! The ways take turns, and of each the fastest run counts, which is what a busy machine disturbs least. The rows about
//! time are left out: they take what they take, wherever they are asked.

use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// How often each way is taken.
const ROUNDS: usize = 7;
/// The most that isolation may cost, as a ratio.
const BOUND: f64 = 1.5;

const WAYS: [(&str, &[&str]); 3] =
    [("in process", &["--in-process"]), ("one worker", &["--jobs", "1"]), ("a worker for each core", &[])];

fn main() -> ExitCode {
    let mut best = [Duration::MAX; WAYS.len()];
    for _ in 0..ROUNDS {
        for (best, (_, arguments)) in best.iter_mut().zip(WAYS) {
            *best = (*best).min(run(arguments));
        }
    }
    println!("{:>10} {:>7}  asked", "time", "ratio");
    let mut within = true;
    for (time, (way, _)) in best.iter().zip(WAYS) {
        let ratio = time.as_secs_f64() / best[0].as_secs_f64();
        within &= ratio <= BOUND;
        println!("{:>7.2} s  {ratio:>7.2}  {way}", time.as_secs_f64());
    }
    if within {
        ExitCode::SUCCESS
    } else {
        println!("isolation costs more than {BOUND} times the run in process");
        ExitCode::FAILURE
    }
}

/// How long a whole run takes, the start of its processes among it.
fn run(arguments: &[&str]) -> Duration {
    // All areas but the two that hold rows about time.
    let areas = "{type,envelope,forgery,flag,benign,leak,policy,record}/*";
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_boundary-kit"))
        .args(["check", "--only", areas, "--format", "json"])
        .args(arguments)
        .stdout(Stdio::null())
        .status();
    let time = start.elapsed();
    assert!(status.is_ok_and(|status| status.success()), "the reference conforms");
    time
}
