//! The zoo as the trials of an author's test target, all at once and one a process: this binary runs itself.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, ExitCode, Output};
use std::time::Duration;

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{Boundary, Call, Claim, boundary_fn};
use boundary_kit::isolate::Limits;
use boundary_kit::zoo::{self, Charged, Member, Misbehaving};
use libtest_mimic::{Arguments, Failed, Trial};

mod marked;

/// Names the member of the zoo that the child is, or none.
const AS: &str = "BOUNDARY_KIT_TRIALS_OF";

/// The requirement of the case at which it misbehaves.
const AREA: &str = "type/checked-first/";

/// A case of which only the answer can tell that it is not claimed, so that a listing asks for it.
const UNCERTAIN: &str = "envelope/provenance-fields/tenant";

fn limits() -> Limits {
    let mut limits = Limits::default();
    // Where it is reached, nothing answers at all.
    limits.time = Duration::from_secs(5);
    limits.memory = 1 << 30;
    limits
}

/// A good boundary of a few hundred cases.
fn small() -> impl Boundary {
    let mut description = Smallest.describe();
    description.claims = [Claim::ReturnTypes, Claim::Envelope].into();
    boundary_fn(description, |call: &Call<'_>| Smallest.check(call))
}

fn main() -> ExitCode {
    let Ok(name) = std::env::var(AS) else {
        return libtest_mimic::run(&Arguments::from_args(), tests()).exit_code();
    };
    let kit = boundary_kit::with_limits(limits());
    let named = |name: &str| zoo::members().find(|member| member.name == name);
    if name == "listed" {
        let kill = named("kill").expect("a member of the zoo");
        return kit.trials(|| Misbehaving::at(small(), kill, UNCERTAIN).expect("it is asked the case"));
    }
    match named(&name) {
        Some(member) => kit.trials(|| Misbehaving::new(small(), member).expect("it is asked the case")),
        None => kit.trials(small),
    }
}

fn tests() -> Vec<Trial> {
    let of_member = |member: &'static Member| {
        Trial::test(format!("{}_fails_its_own_trial_alone", member.name), move || is_charged(member))
    };
    let others = [
        Trial::test("an_abort_leaves_every_other_trial_as_it_was", of_all),
        Trial::test("all_at_once_and_one_a_process_agree", agree),
        Trial::test("a_listing_survives_what_it_asks", listed),
    ];
    zoo::members().map(of_member).chain(others).collect()
}

fn run(boundary: &str, arguments: &[&str]) -> Result<(Output, String), Failed> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = marked::output(command.args(arguments).env(AS, boundary));
    let shown = String::from_utf8(output.stdout.clone())? + &String::from_utf8(output.stderr.clone())?;
    Ok((output, shown))
}

fn expect(holds: bool, shown: &str) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(Failed::from(shown.to_owned())) }
}

/// What became of each trial, by name.
fn outcomes(shown: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let (name, outcome) = line.strip_prefix("test ")?.split_once(" ... ")?;
        Some((name.trim_end().to_owned(), outcome.to_owned()))
    };
    shown.lines().filter_map(line).collect()
}

fn is_charged(member: &Member) -> Result<(), Failed> {
    let got = format!("  got       {}\n", member.outcome.words(&limits()));
    let place = member.outcome == Charged::Panic;
    // All at once, and its trial alone.
    let (output, all) = run(member.name, &[AREA])?;
    let failed: Vec<String> =
        outcomes(&all).into_iter().filter(|(_, outcome)| outcome != "ok").map(|(name, _)| name).collect();
    expect(output.status.code() == Some(101) && failed == [zoo::CASES[0]] && all.contains(&got), &all)?;
    let (output, alone) = run(member.name, &["--exact", zoo::CASES[0]])?;
    expect(output.status.code() == Some(101) && alone.contains(&got), &alone)?;
    expect(alone.contains("  at        kit/src/zoo/member.rs:") == place, &alone)?;
    // The process of its own trial is the only one that is hit.
    let other = format!("{AREA}types-wrong-root");
    let neighbour = outcomes(&all).into_keys().find(|name| *name != zoo::CASES[0] && name.starts_with(AREA));
    let (output, shown) = run(member.name, &["--exact", &neighbour.unwrap_or(other)])?;
    expect(output.status.success() && shown.contains("1 passed"), &shown)
}

fn of_all() -> Result<(), Failed> {
    let (output, good) = run("none", &[])?;
    expect(output.status.success(), &good)?;
    let (output, bad) = run("abort", &[])?;
    expect(output.status.code() == Some(101), &bad)?;
    let (mut good, bad) = (outcomes(&good), outcomes(&bad));
    expect(good.len() > 400, &format!("{} trials", good.len()))?;
    good.insert(zoo::CASES[0].to_owned(), "FAILED".to_owned());
    expect(good == bad, &format!("{good:?}\n{bad:?}"))
}

fn agree() -> Result<(), Failed> {
    let (_, listed) = run("exit", &["--list", "--format", "terse"])?;
    let (_, left_out) = run("exit", &["--list", "--format", "terse", "--ignored"])?;
    let (_, all) = run("exit", &[])?;
    let all = outcomes(&all);
    let names: Vec<&str> = listed.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    let listed: BTreeSet<&str> = names.iter().copied().collect();
    let ran: BTreeSet<&str> = all.keys().map(String::as_str).collect();
    expect(listed == ran && listed.len() == names.len(), &format!("{listed:?}\n{ran:?}"))?;
    // One process each takes its time, so every eleventh, and the one that matters.
    let picked = names.iter().step_by(11).copied().chain([zoo::CASES[0]]);
    for name in picked.filter(|name| !left_out.contains(&format!("{name}: test"))) {
        let (_, alone) = run("exit", &["--exact", name, "--nocapture"])?;
        let outcome = outcomes(&alone).remove(name);
        expect(outcome.is_some() && outcome.as_ref() == all.get(name), &alone)?;
    }
    Ok(())
}

fn listed() -> Result<(), Failed> {
    let (output, shown) = run("listed", &["--list", "--format", "terse"])?;
    let (_, good) = run("none", &["--list", "--format", "terse"])?;
    // It was asked, and it is run: nothing untested is left out.
    let (_, ignored) = run("listed", &["--list", "--format", "terse", "--ignored"])?;
    expect(!ignored.contains(UNCERTAIN), &ignored)?;
    expect(output.status.success() && shown == good && shown.lines().count() > 400, &shown)
}
