//! What it costs to ask in processes of their own: the time of a `check` of the reference, as a ratio to the same in the
//! process of the kit.
//!
//! The ways take turns, and of each the fastest run counts, which is what a busy machine disturbs least. Once everything
//! is asked, and once what is answered fast, where isolation weighs most.

use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// The most that isolation may cost, as a ratio.
const BOUND: f64 = 1.5;

const WAYS: [(&str, &[&str]); 3] =
    [("in process", &["--in-process"]), ("one worker", &["--jobs", "1"]), ("a worker for each core", &[])];

/// What is asked, as a pattern, and how often.
const ASKED: [(&str, &str, usize); 2] =
    [("everything", "*", 3), ("many fast cases", "{type,envelope,forgery,flag,benign,leak,policy,record}/*", 9)];

fn main() -> ExitCode {
    println!("{:>10} {:>7}  asked", "time", "ratio");
    let mut within = true;
    for (name, only, rounds) in ASKED {
        let mut best = [Duration::MAX; WAYS.len()];
        for _ in 0..rounds {
            for (best, (_, arguments)) in best.iter_mut().zip(WAYS) {
                *best = (*best).min(run(only, arguments));
            }
        }
        for (time, (way, _)) in best.iter().zip(WAYS) {
            let ratio = time.as_secs_f64() / best[0].as_secs_f64();
            within &= ratio <= BOUND;
            println!("{:>7.2} s  {ratio:>7.2}  {name}, {way}", time.as_secs_f64());
        }
    }
    if within {
        ExitCode::SUCCESS
    } else {
        println!("isolation costs more than {BOUND} times the run in process");
        ExitCode::FAILURE
    }
}

/// How long a run takes, the start of its processes among it.
fn run(only: &str, arguments: &[&str]) -> Duration {
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_boundary-kit"))
        .args(["check", "--only", only, "--format", "json"])
        .args(arguments)
        .stdout(Stdio::null())
        .status();
    let time = start.elapsed();
    assert!(status.is_ok_and(|status| status.success()), "the reference conforms");
    time
}
