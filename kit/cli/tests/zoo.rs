//! The zoo through the command, and what is left when the command itself is told to end.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use boundary_kit::isolate::Limits;
use boundary_kit::runner::FailureKind;
use boundary_kit::zoo::{self, Charged};
use serde_json::Value;

#[path = "../../tests/marked/mod.rs"]
mod marked;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boundary-kit"));
    command.arg("check").args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command
}

/// The report of a run that was stopped after a time that nothing but a hang takes.
fn report(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = marked::output(command(arguments).args(["--format", "json", "--timeout", "5", "--memory", "1024"]));
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))), output.status.code())
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.time = std::time::Duration::from_secs(5);
    limits.memory = 1024 << 20;
    limits
}

/// The failures of a report, in its order.
fn failures(report: &Value) -> Vec<&Value> {
    report["requirements"].as_array().unwrap().iter().flat_map(|row| row["failures"].as_array().unwrap()).collect()
}

#[test]
fn every_member_is_charged_with_its_case_and_every_other_case_has_its_verdict() {
    let (good, code) = report(&["--only", "type/*"]);
    assert_eq!(code, Some(0), "{good}");
    for member in zoo::members() {
        let (report, code) = report(&["--only", "type/*", "--boundary", &format!("reference+{}", member.name)]);
        assert_eq!(code, Some(1), "{}: {report}", member.name);
        let charged = failures(&report);
        assert_eq!(charged.len(), 1, "{}: {charged:?}", member.name);
        assert_eq!(charged[0]["case"], zoo::CASES[0], "{}", member.name);
        assert_eq!(charged[0]["got"], member.outcome.words(&limits()), "{}", member.name);
        assert_eq!(charged[0]["kind"], kind(member.outcome).as_str(), "{}", member.name);
        assert_eq!(report["summary"]["cases"]["ran"], good["summary"]["cases"]["ran"], "{}", member.name);
    }
}

fn kind(charged: Charged) -> FailureKind {
    use boundary_kit::isolate::Fate;
    match charged {
        Charged::Fate(Fate::TimedOut) => FailureKind::Timeout,
        Charged::Fate(Fate::OutOfMemory) => FailureKind::Memory,
        Charged::Fate(Fate::Flooded) => FailureKind::Garbage,
        Charged::Fate(_) => FailureKind::Crash,
        _ => FailureKind::Panic,
    }
}

#[test]
fn a_whole_run_loses_nothing_to_a_crash() {
    let without_time = |mut report: Value| {
        report["summary"]["seconds"] = Value::Null;
        report
    };
    let (good, _) = report(&[]);
    let (bad, code) = report(&["--boundary", "reference+abort"]);
    assert_eq!(code, Some(1));
    let charged = failures(&bad);
    assert_eq!(charged.len(), 1, "{charged:?}");
    let reproduce = format!("boundary-kit check --boundary reference+abort --only '{}'", zoo::CASES[0]);
    assert_eq!(charged[0]["reproduce"], reproduce);
    // But for that one case, everything is as it was.
    let (mut good, mut bad) = (without_time(good), without_time(bad));
    for report in [&mut good, &mut bad] {
        report["verdict"] = Value::Null;
        report["summary"] = Value::Null;
        for row in report["requirements"].as_array_mut().unwrap() {
            // What misbehaves, and what a busy machine may judge otherwise the next time.
            if row["id"] == "type/checked-first" || row["id"] == "ceiling/time" {
                row["status"] = Value::Null;
                row["failures"] = Value::Null;
            }
        }
    }
    assert_eq!(good, bad);
}

#[test]
fn a_run_in_the_process_of_the_kit_says_the_same() {
    let (apart, _) = report(&["--only", "depth/*", "--only", "envelope/*"]);
    let (here, code) = report(&["--only", "depth/*", "--only", "envelope/*", "--in-process"]);
    assert_eq!(code, Some(0));
    let timeless = |mut report: Value| {
        report["summary"]["seconds"] = Value::Null;
        report
    };
    assert_eq!(timeless(apart), timeless(here));
}

/// A whole run of two workers of this boundary under a mark, of which a tenth is done: its one bad case runs on.
fn begun(boundary: &str, mark: &str) -> Child {
    let mut kit = command(&["--boundary", boundary, "--timeout", "600", "--jobs", "2"])
        .env("CI", "1")
        .env(marked::MARK, mark)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(kit.stderr.take().unwrap()).lines();
    lines.find(|line| line.as_ref().unwrap().contains(" cases, ")).unwrap().unwrap();
    assert!(marked::marked(mark).len() >= 2, "the kit and a worker");
    kit
}

#[test]
fn told_to_end_it_prints_what_was_finished_and_leaves_nothing() {
    for signal in ["INT", "TERM"] {
        let mark = format!("told-to-end-{}-{signal}", std::process::id());
        let kit = begun("reference+sleep", &mark);
        let told = Command::new("kill").args([format!("-{signal}"), kit.id().to_string()]).status().unwrap();
        assert!(told.success());
        let output = kit.wait_with_output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(5), "{shown}");
        assert!(shown.contains("\nvoid: interrupted: ") && shown.contains("  pass  type "), "{shown}");
        marked::assert_gone(&mark);
    }
}

#[test]
fn killed_without_a_word_it_leaves_no_worker() {
    let mark = format!("killed-{}", std::process::id());
    let mut kit = begun("reference+loop", &mark);
    kit.kill().unwrap();
    kit.wait().unwrap();
    marked::assert_gone(&mark);
}

#[test]
fn a_process_that_is_no_worker_asks_whatever_it_inherits() {
    for inherited in ["program", "1 program 1", "program 1"] {
        let output =
            command(&["--only", "depth/at-the-ceiling"]).env("BOUNDARY_KIT_WORKER", inherited).output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && shown.contains("\nconformant: 1 passed"), "{inherited}: {shown}");
    }
}

#[test]
fn a_worker_that_nobody_asks_is_no_pass() {
    let asker = format!("{} program 1", std::process::id());
    let output = command(&[]).env("BOUNDARY_KIT_WORKER", asker).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stdout));
}
