//! What a boundary does to its process is charged to the case that was running, in an ordinary test.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{AdapterFault, Boundary, Call, Claim, Delivery, Description, Outcome, boundary_fn};
use boundary_kit::isolate::Limits;
use boundary_kit::report::Terminal;
use boundary_kit::runner::RunVerdict;
use boundary_kit::zoo::{self, Member, Misbehaving};

mod marked;

/// What a boundary says that is asked a few hundred cases.
fn of_types() -> Description {
    let mut description = Smallest.describe();
    description.claims = [Claim::ReturnTypes, Claim::Envelope].into();
    description
}

/// A good one.
fn small() -> impl Boundary {
    boundary_fn(of_types(), |call: &Call<'_>| Smallest.check(call))
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    // Where it is reached, nothing answers at all.
    limits.time = Duration::from_secs(5);
    limits.memory = 1 << 30;
    limits
}

/// What the kit says of a boundary that does not conform.
fn report<B: Boundary>(make: impl FnOnce() -> B) -> String {
    let asked = catch_unwind(AssertUnwindSafe(|| boundary_kit::with_limits(limits()).assert_conforms(make)));
    asked.expect_err("it conforms").downcast_ref::<String>().cloned().expect("a panic of the kit has words")
}

fn member(name: &str) -> &'static Member {
    zoo::members().find(|member| member.name == name).expect("a member of the zoo")
}

/// The lines that begin so, with what follows.
fn lines<'a>(report: &'a str, begin: &str) -> Vec<&'a str> {
    report.lines().filter_map(|line| line.trim_start().strip_prefix(begin)).map(str::trim_start).collect()
}

/// How many cases a good one is judged by.
fn cases() -> usize {
    static CASES: OnceLock<usize> = OnceLock::new();
    *CASES.get_or_init(|| {
        let report = boundary_kit::check(&small(), &mut Terminal::new(Vec::new(), false)).expect("memory takes it");
        assert_eq!(report.verdict, RunVerdict::Conformant);
        report.counts().cases
    })
}

fn is_charged_to_its_case_alone(name: &str) {
    let misbehaving = || Misbehaving::new(small(), member(name)).expect("it is asked the case");
    let report = report(misbehaving);
    assert_eq!(lines(&report, "case "), [zoo::CASES[0]], "{report}");
    assert_eq!(lines(&report, "got "), [member(name).outcome.words(&limits())], "{report}");
    let verdict = lines(&report, "nonconformant: ");
    let all = format!(" 1 failed, by {} cases;", cases());
    assert!(verdict.len() == 1 && verdict[0].contains(&all), "{all} {report}");
}

macro_rules! zoo {
    ($($test:ident: $name:literal),+ $(,)?) => {
        $(
            #[test]
            fn $test() {
                is_charged_to_its_case_alone($name);
            }
        )+

        #[test]
        fn every_member_of_the_zoo_has_a_test() {
            let names: Vec<&str> = zoo::members().map(|member| member.name).collect();
            assert_eq!(names, [$($name),+]);
        }
    };
}

zoo! {
    a_panic: "panic",
    a_panic_while_dropping: "panic-while-dropping",
    a_panic_with_a_bomb: "panic-with-a-bomb",
    an_abort: "abort",
    an_exit: "exit",
    an_overflow: "overflow",
    an_endless_loop: "loop",
    an_endless_sleep: "sleep",
    a_hog: "hog",
    a_flood_of_output: "stdout-flood",
    a_flood_of_errors: "stderr-flood",
    closed_pipes: "close",
    a_grandchild: "grandchild",
    a_stop: "stop",
    a_kill: "kill",
}

/// The tests above whose boundaries leave something running, or do not end by themselves.
const LINGERING: [&str; 5] = ["an_endless_loop", "an_endless_sleep", "closed_pipes", "a_grandchild", "a_stop"];

#[test]
fn no_process_outlives_its_test() {
    for test in LINGERING {
        let binary = std::env::current_exe().expect("it runs");
        let output = marked::output(Command::new(binary).args(["--exact", test]));
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && shown.contains("1 passed"), "{test}: {shown}");
    }
}

/// A boundary that does this when it is asked anything.
fn always(act: fn()) -> impl Boundary {
    boundary_fn(of_types(), move |_: &Call<'_>| -> Result<Outcome, AdapterFault> {
        act();
        Ok(Delivery::new("", "").into())
    })
}

#[test]
fn a_boundary_that_never_survives_is_given_up_and_says_so() {
    let report = report(|| always(|| std::process::abort()));
    assert!(
        report.contains("nonconformant: the boundary ended one process after the other; so the run was given up: 20"),
        "{report}"
    );
}

#[test]
fn a_boundary_that_cannot_be_made_is_no_pass() {
    let dies = report(|| -> Box<dyn Boundary> { std::process::abort() });
    assert!(dies.contains("nothing ran: the boundary could not be made in a process of its own; there was"), "{dies}");
    assert!(dies.contains("it aborted"), "{dies}");
}

#[test]
fn a_boundary_that_can_be_made_only_once_is_no_pass_and_loses_nothing() {
    let taken = |process| std::env::temp_dir().join(format!("boundary-kit-taken-by-{process}"));
    let _ = std::fs::remove_file(taken(std::process::id()));
    let report = report(|| {
        // Of the workers of one process, the second finds it taken.
        std::fs::File::create_new(taken(std::os::unix::process::parent_id())).expect("nobody else has it");
        small()
    });
    let _ = std::fs::remove_file(taken(std::process::id()));
    assert!(report.contains("nonconformant: the boundary panicked when it was made, at "), "{report}");
    assert!(report.contains("; so the run was given up: "), "{report}");
}

/// Long after the last answer or in the midst of others: whenever a boundary ends its process, it is charged with it.
fn is_charged_after(delay: u64) {
    let report = report(|| {
        boundary_fn(of_types(), move |call: &Call<'_>| {
            let outcome = Smallest.check(call);
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(delay));
                std::process::abort();
            });
            outcome
        })
    });
    assert!(report.contains("nonconformant: ") && !report.contains("void: "), "{report}");
}

#[test]
fn an_end_right_after_an_answer_is_no_pass() {
    is_charged_after(0);
}

#[test]
fn an_end_some_answers_later_is_no_pass() {
    is_charged_after(5);
}

#[test]
fn a_boundary_that_panics_when_it_is_made_is_no_pass() {
    let panics = report(|| -> Box<dyn Boundary> { panic!("of a secret") });
    assert!(
        panics.contains("nothing ran: the boundary panicked when it was made, at kit/tests/isolation.rs"),
        "{panics}"
    );
    assert!(!panics.contains("secret"), "{panics}");
}

#[test]
fn a_boundary_that_never_describes_itself_is_no_pass() {
    struct Mute;
    impl Boundary for Mute {
        fn describe(&self) -> Description {
            std::process::exit(0)
        }
        fn check(&self, _: &Call<'_>) -> Result<Outcome, AdapterFault> {
            Err(AdapterFault::new("never asked"))
        }
    }
    let report = report(|| Mute);
    assert!(
        report.contains("nothing ran: the boundary did not describe itself; there was the end of its process"),
        "{report}"
    );
}

#[test]
fn a_second_call_in_one_test_is_asked_about_its_own_boundary() {
    boundary_kit::with_limits(limits()).assert_conforms(small);
    let report = report(|| Misbehaving::new(small(), member("abort")).expect("it is asked the case"));
    assert_eq!(lines(&report, "got "), [member("abort").outcome.words(&limits())], "{report}");
}

#[test]
fn a_thread_that_is_no_test_cannot_be_started_again_and_the_run_is_void() {
    let thread = std::thread::Builder::new().name("no_such_test".to_owned());
    let report = thread.spawn(|| report(small)).expect("a thread").join().expect("it was reported");
    assert!(report.contains("void: this program, started again, did not come to the same call"), "{report}");
}

/// A boundary that writes what it is sent to where nobody should read it.
fn mutters(mutter: fn(&str)) -> impl Boundary {
    boundary_fn(of_types(), move |call: &Call<'_>| {
        let outcome = Smallest.check(call)?;
        if let (Outcome::Refused(_), Ok(payload)) = (&outcome, call.payload()) {
            mutter(&payload.to_json());
        }
        Ok(outcome)
    })
}

#[test]
fn text_of_a_result_on_the_standard_streams_is_a_leak() {
    for_each_stream_is_heard(|text| eprintln!("refused {text}"));
}

#[test]
fn text_that_is_no_whole_line_is_a_leak() {
    for_each_stream_is_heard(|text| print!("refused {text}"));
}

#[test]
fn text_of_a_result_on_standard_output_is_a_leak() {
    for_each_stream_is_heard(|text| println!("refused {text}"));
}

#[test]
fn text_that_another_thread_writes_is_a_leak() {
    for_each_stream_is_heard(|text| {
        let text = text.to_owned();
        std::thread::spawn(move || eprintln!("refused {text}")).join().expect("it writes");
    });
}

#[test]
fn text_that_a_program_of_the_boundary_writes_is_a_leak() {
    for_each_stream_is_heard(|text| {
        std::process::Command::new("echo").arg(text).status().expect("a program that repeats");
    });
}

fn for_each_stream_is_heard(mutter: fn(&str)) {
    let report = report(|| mutters(mutter));
    assert!(report.contains("FAIL leak/"), "{report}");
    assert!(report.contains("of standard output or error"), "{report}");
}

#[test]
fn words_on_the_standard_streams_that_hold_no_text_of_a_result_are_no_fault() {
    boundary_kit::with_limits(limits()).assert_conforms(|| mutters(|text| eprintln!("refused {} bytes", text.len())));
}
