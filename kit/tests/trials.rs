//! The trials of an author's test target, run as an author's test target: this binary runs itself.

use std::process::{Command, ExitCode, Output};

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{
    AdapterFault, Boundary, Call, Claim, Delivery, Description, Grammar, Outcome, boundary_fn,
};
use boundary_kit::saboteur::useless::Useless;
use boundary_kit::saboteur::{Sabotaged, saboteurs};
use libtest_mimic::{Arguments, Failed, Trial};

/// Names the boundary that the child tests.
const AS: &str = "BOUNDARY_KIT_TRIALS_OF";

struct Claimless;

impl Boundary for Claimless {
    fn describe(&self) -> Description {
        Description::new("claimless", "1")
    }

    fn check(&self, _: &Call<'_>) -> Result<Outcome, AdapterFault> {
        Err(AdapterFault::new("never asked"))
    }
}

/// A good boundary that gives the host no payload.
struct NoPayload;

impl Boundary for NoPayload {
    fn describe(&self) -> Description {
        Smallest.describe()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let mut outcome = Smallest.check(call)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            delivery.payload = None;
        }
        Ok(outcome)
    }
}

fn main() -> ExitCode {
    match std::env::var(AS).as_deref() {
        Ok("smallest") => boundary_kit::trials(|| Smallest),
        Ok("refuse-everything") => boundary_kit::trials(|| Useless::RefuseEverything.instead_of(Smallest)),
        Ok("no-payload") => boundary_kit::trials(|| NoPayload),
        Ok("claimless") => boundary_kit::trials(|| Claimless),
        // The boundary of the README, word for word.
        Ok("readme") => {
            let mine = Description::new("mine", "0.1.0").claim(Claim::Envelope).envelope(Grammar::tag("tool-output"));
            boundary_kit::trials(|| {
                boundary_fn(mine.clone(), |call| {
                    let text = call.payload()?.to_text();
                    Ok(Delivery::new(format!("<tool-output>\n{text}\n</tool-output>"), text).into())
                })
            })
        }
        Ok("wordy") => boundary_kit::trials(|| {
            let wordy = Description::new("wordy", "1").claiming([Claim::Paths, Claim::Depth]);
            boundary_fn(wordy, |call| Smallest.check(call))
        }),
        Ok(name) => match saboteurs().find(|saboteur| saboteur.name == name) {
            Some(saboteur) => boundary_kit::trials(|| Sabotaged::new(Smallest, saboteur)),
            None => ExitCode::from(99),
        },
        Err(_) => libtest_mimic::run(&Arguments::from_args(), tests()).exit_code(),
    }
}

fn tests() -> Vec<Trial> {
    vec![
        Trial::test("a_good_boundary_passes_case_by_case", good),
        Trial::test("a_bad_boundary_fails_with_a_bug_report", bad),
        Trial::test("a_fault_fails_only_what_it_breaks", one_fault),
        Trial::test("a_filter_that_matches_nothing_is_no_pass", no_match),
        Trial::test("a_boundary_that_claims_nothing_is_no_pass", no_claims),
        Trial::test("an_answer_that_leaves_its_field_out_is_ignored_and_neither_passes_nor_fails", left_out),
        Trial::test("what_is_not_tested_fails_when_it_is_run_all_the_same", ignored),
        Trial::test("listing_names_each_trial_once", listing),
        Trial::test("a_claim_with_nothing_behind_it_fails", nothing_behind),
        Trial::test("the_boundary_of_the_readme_gets_the_verdict_that_the_readme_says", readme),
        Trial::test("a_failed_should_warns_and_fails_nothing", warned),
    ]
}

fn run(boundary: &str, arguments: &[&str]) -> Result<(Output, String), Failed> {
    let output = Command::new(std::env::current_exe()?).args(arguments).env(AS, boundary).output()?;
    let shown = String::from_utf8(output.stdout.clone())? + &String::from_utf8(output.stderr.clone())?;
    Ok((output, shown))
}

fn expect(holds: bool, shown: &str) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(Failed::from(shown.to_owned())) }
}

fn good() -> Result<(), Failed> {
    let (output, shown) = run("smallest", &["envelope/"])?;
    expect(output.status.success() && shown.contains("test envelope/close-neutralised/inner-space"), &shown)?;
    let (output, shown) = run("smallest", &["--exact", "envelope/close-neutralised/inner-space"])?;
    expect(output.status.success() && shown.contains("1 passed"), &shown)
}

fn bad() -> Result<(), Failed> {
    let (output, shown) = run("refuse-everything", &["envelope/every-delivery/empty"])?;
    expect(output.status.code() == Some(101), &shown)?;
    expect(
        shown.contains("expected  a delivery") && shown.contains("got       a refusal of kind `suspicion`"),
        &shown,
    )?;
    expect(shown.contains("cargo test --test trials -- --exact 'envelope/every-delivery/empty'"), &shown)
}

fn one_fault() -> Result<(), Failed> {
    let (output, shown) = run("forgery-bidi-kept", &["forgery/bidi"])?;
    expect(output.status.code() == Some(101) && shown.contains("U+202E"), &shown)?;
    let (output, shown) = run("forgery-bidi-kept", &["forgery/invisible"])?;
    expect(output.status.success(), &shown)
}

fn no_match() -> Result<(), Failed> {
    let (output, shown) = run("smallest", &["no-such-case"])?;
    expect(output.status.code() == Some(3) && shown.contains("nothing ran: the filter matches no trial"), &shown)
}

fn left_out() -> Result<(), Failed> {
    let case = "forgery/payload-kept/text: test";
    let (output, shown) = run("no-payload", &["forgery/payload-kept"])?;
    expect(output.status.code() == Some(3) && shown.contains("0 passed; 0 failed; 4 ignored"), &shown)?;
    expect(shown.contains("was not tested, which is no pass: `payload` is not given"), &shown)?;
    expect(shown.contains("nothing ran: every selected trial was ignored"), &shown)?;
    // A runner that starts a process for each trial leaves out what the listing says is ignored.
    let (_, shown) = run("no-payload", &["--list", "--format", "terse", "--ignored"])?;
    expect(shown.lines().any(|line| line == case), &shown)?;
    let (_, shown) = run("smallest", &["--list", "--format", "terse", "--ignored"])?;
    expect(!shown.contains(case), &shown)
}

fn no_claims() -> Result<(), Failed> {
    let (output, shown) = run("claimless", &[])?;
    expect(output.status.code() == Some(3) && shown.contains("nothing ran: the boundary claims nothing"), &shown)
}

fn ignored() -> Result<(), Failed> {
    let (output, shown) = run("smallest", &["stream/split"])?;
    expect(output.status.code() == Some(3) && shown.contains("1 ignored"), &shown)?;
    let (output, shown) = run("smallest", &["stream/split", "--include-ignored"])?;
    expect(output.status.code() == Some(101) && shown.contains("was not tested, which is no pass"), &shown)
}

fn listing() -> Result<(), Failed> {
    let (_, shown) = run("smallest", &["--list", "--format", "terse"])?;
    let mut names: Vec<&str> = shown.lines().collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    expect(all > 1_000 && names.len() == all, &format!("{} names, {all} trials", names.len()))?;
    expect(names.contains(&"teeth/envelope-note-after: test"), &shown)
}

fn nothing_behind() -> Result<(), Failed> {
    let (output, shown) = run("wordy", &["claims/"])?;
    expect(output.status.code() == Some(101), &shown)?;
    expect(shown.contains("no requirement of the claim `paths` could be judged"), &shown)?;
    expect(shown.contains("test claims/depth") && shown.contains("1 passed; 1 failed"), &shown)
}

fn warned() -> Result<(), Failed> {
    let (output, shown) = run("forgery-no-trace", &["forgery/"])?;
    expect(
        output.status.success() && shown.contains("0 failed") && shown.contains("ignored (warning: expected"),
        &shown,
    )?;
    let (_, shown) = run("forgery-no-trace", &["--list", "--format", "terse", "--ignored"])?;
    expect(shown.contains("forgery/leaves-a-trace/"), &shown)?;
    // The command that a warning names runs it: it was judged, so something ran.
    let (output, shown) = run("forgery-no-trace", &["--exact", "forgery/leaves-a-trace/chatml-im-start"])?;
    expect(output.status.success() && shown.contains("1 ignored"), &shown)
}

fn readme() -> Result<(), Failed> {
    let (output, shown) = run("readme", &[])?;
    expect(output.status.code() == Some(101) && shown.contains("---- envelope/close-neutralised/exact ----"), &shown)?;
    expect(shown.contains("test envelope/exactly-one/clean") && shown.contains(" ignored; "), &shown)
}
