//! Merged shards: what the whole run would have written, and nothing where they do not make one up.

use std::path::Path;

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{AdapterFault, Boundary, Call, Claim, Description, Outcome, boundary_fn};
use boundary_kit::corpus::Level;
use boundary_kit::report::plain::Plain;
use boundary_kit::report::{Json, Saved, Terminal, tell};
use boundary_kit::runner::{Options, RunVerdict, merge};
use boundary_kit::saboteur::useless::Useless;
use boundary_kit::saboteur::{Sabotaged, saboteurs};
use serde_json::{Value, json};

fn selected(patterns: &[&str]) -> Options {
    let mut options = Options::default();
    options.only = patterns.iter().map(|pattern| pattern.parse().unwrap()).collect();
    options
}

/// What a run writes, in JSON and for a person.
fn run(boundary: &dyn Boundary, options: &Options) -> [String; 2] {
    let mut out = Vec::new();
    let report = boundary_kit::check_with(boundary, options, &mut Json::new(&mut out)).unwrap();
    let mut shown = Vec::new();
    tell(&report, &mut Terminal::new(&mut shown, false)).unwrap();
    [out, shown].map(|out| timeless(String::from_utf8(out).unwrap()))
}

/// The text without its times.
fn timeless(text: String) -> String {
    let timed = |line: &&str| !line.contains("\"seconds\": ");
    let lines = text.lines().filter(timed).map(|line| line.rsplit_once(" (").map_or(line, |(line, _)| line));
    lines.collect::<Vec<_>>().join("\n")
}

fn shard(boundary: &dyn Boundary, options: &Options, index: usize, of: usize) -> Saved {
    let mut options = options.clone();
    options.shard = Some(format!("{index}/{of}").parse().unwrap());
    let mut out = Vec::new();
    boundary_kit::check_with(boundary, &options, &mut Json::new(&mut out)).unwrap();
    Saved::parse(Path::new(&format!("{index}.json")), &out).unwrap()
}

fn shards(boundary: &dyn Boundary, options: &Options, of: usize) -> Vec<Saved> {
    (1..=of).map(|index| shard(boundary, options, index, of)).collect()
}

/// What a merge writes, in JSON and for a person.
fn merged(shards: &[Saved], options: &Options) -> [String; 2] {
    let report = merge(shards, options).unwrap();
    let (mut out, mut shown) = (Vec::new(), Vec::new());
    tell(&report, &mut Json::new(&mut out)).unwrap();
    tell(&report, &mut Terminal::new(&mut shown, false)).unwrap();
    [out, shown].map(|out| timeless(String::from_utf8(out).unwrap()))
}

#[track_caller]
fn makes_up_the_whole(boundary: &dyn Boundary, options: &Options, numbers: &[usize]) {
    let [json, shown] = run(boundary, options);
    for of in numbers {
        // A merge is given the level and the claims, and knows the rest from the shards.
        let mut given = Options::default();
        (given.level, given.require) = (options.level, options.require.clone());
        let mut shards = shards(boundary, options, *of);
        shards.reverse();
        let [again, shown_again] = merged(&shards, &given);
        let differs = json.lines().zip(again.lines()).find(|(whole, merged)| whole != merged);
        assert!(json == again, "{of}: {differs:?}");
        assert_eq!(shown, shown_again, "{of}");
    }
}

/// A good one that is not asked how its time grows, which on a busy machine may be judged otherwise the next time.
fn timeless_boundary() -> impl Boundary {
    let mut description = Smallest.describe();
    description.claims.remove(&Claim::Ceiling);
    description.claims.remove(&Claim::Depth);
    boundary_fn(description, |call: &Call<'_>| Smallest.check(call))
}

#[test]
fn shards_of_everything_make_up_the_whole_run() {
    makes_up_the_whole(&timeless_boundary(), &Options::default(), &[3]);
    makes_up_the_whole(&Useless::FlagEverything.instead_of(timeless_boundary()), &Options::default(), &[2]);
}

#[test]
fn what_only_a_stricter_run_finds_wrong_is_not_merged_into_a_pass() {
    let mute = saboteurs().find(|saboteur| saboteur.name == "forgery-no-trace").unwrap();
    let mute = Sabotaged::new(Smallest, mute);
    let lax = selected(&["forgery/leaves-a-trace"]);
    let mut strict = lax.clone();
    strict.level = Level::Should;
    let parts = shards(&mute, &strict, 2);
    assert_eq!(merge(&parts, &strict).unwrap().verdict, RunVerdict::Nonconformant);
    let refused = merge(&parts, &lax).unwrap_err();
    assert!(refused.contains(".json is nonconformant by a stricter level"), "{refused}");
    assert_eq!(merge(&shards(&mute, &lax, 2), &lax).unwrap().verdict, RunVerdict::Conformant);
}

#[test]
fn shards_of_a_selection_make_it_up_for_any_number_of_them() {
    // Rates, failures of both levels, and what is not built.
    let options = selected(&["benign/*", "depth/*", "flag/override", "forgery/leaves-a-trace", "stream/*"]);
    makes_up_the_whole(&Smallest, &options, &[7]);
    makes_up_the_whole(&Useless::PassThrough.instead_of(Smallest), &options, &[1, 2, 3, 7]);
    let mut options = selected(&["forgery/bidi", "forgery/leaves-a-trace", "envelope/exactly-one"]);
    (options.level, options.require) = (Level::Should, vec![Claim::Halt, Claim::Envelope]);
    makes_up_the_whole(&Useless::EmptyText.instead_of(Smallest), &options, &[1, 3]);
}

#[test]
fn the_whole_is_charged_with_a_claim_that_has_nothing_behind_it() {
    let wordy =
        boundary_fn(Description::new("wordy", "1").claiming([Claim::Paths, Claim::Depth]), |call: &Call<'_>| {
            Smallest.check(call)
        });
    makes_up_the_whole(&wordy, &Options::default(), &[1, 3]);
    let report = merge(&shards(&wordy, &Options::default(), 2), &Options::default()).unwrap();
    let charged = report.rows.iter().find(|row| row.cases == 0 && !row.failures.is_empty()).unwrap();
    assert!(charged.failures[0].expected.as_str().contains("of the claim `paths`"));
}

#[test]
fn a_shard_that_could_judge_nothing_takes_nothing_from_the_others() {
    // More shards than cases, and cases that turn out not to be claimed.
    makes_up_the_whole(&Smallest, &selected(&["depth/at-the-ceiling", "stream/split"]), &[2, 7, 40]);
    let bare = boundary_fn(Smallest.describe(), |call: &Call<'_>| {
        let mut outcome = Smallest.check(call)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            (delivery.tool, delivery.source, delivery.tenant) = (None, None, None);
        }
        Ok(outcome)
    });
    makes_up_the_whole(&bare, &selected(&["envelope/provenance-fields", "envelope/exactly-one"]), &[1, 2, 40]);
    makes_up_the_whole(&bare, &selected(&["envelope/provenance-fields"]), &[1, 3]);
    makes_up_the_whole(&Smallest, &selected(&["nothing/*"]), &[1, 2]);
}

#[test]
fn one_void_shard_makes_the_whole_void() {
    let options = selected(&["depth/*"]);
    let mut shards = shards(&Smallest, &options, 2);
    let mut void = Vec::new();
    tell(&shards[1].report, &mut Json::new(&mut void)).unwrap();
    let mut void: Value = serde_json::from_slice(&void).unwrap();
    void["verdict"] = json!("void");
    void["problem"] = json!("the kit itself failed");
    void["requirements"] = json!([]);
    void["summary"]["requirements"] = json!({"pass": 0, "warn": 0, "fail": 0, "not_claimed": 0, "not_built": 0,
        "expected_fail": 0, "unexpected_pass": 0});
    void["summary"]["cases"] = json!({"ran": 0, "pass": 0, "fail": 0, "missed": 0});
    shards[1] = Saved::parse(Path::new("void.json"), void.to_string().as_bytes()).unwrap();
    let report = merge(&shards, &Options::default()).unwrap();
    assert_eq!(report.verdict, RunVerdict::Void);
    assert_eq!(report.problem.unwrap().as_str(), "the kit itself failed");
    assert!(report.rows.is_empty() && report.share.is_none());
}

#[track_caller]
fn refused(shards: &[&Saved], words: &str) {
    let shards: Vec<Saved> = shards.iter().copied().cloned().collect();
    assert_eq!(merge(&shards, &Options::default()).map(|report| report.verdict), Err(words.to_owned()));
}

#[test]
fn a_missing_or_doubled_shard_is_named() {
    let all = shards(&Smallest, &selected(&["depth/*"]), 3);
    let [first, second, third] = &all[..] else { panic!("three") };
    refused(&[], "no report to merge, expected those of all shards of a run");
    refused(&[first, third], "no report of shard 2/3; expected each of the 3 once");
    refused(&[third], "no report of shards 1/3, 2/3; expected each of the 3 once");
    let twice = "shard 2/3 is there twice, in `2.json` and in `2.json`; expected each once";
    refused(&[first, second, third, second], twice);
    refused(&[second, second, third], twice);
    let one = shard(&Smallest, &selected(&["depth/*"]), 3, 10_000);
    refused(
        &[&one],
        "no report of shards 1/10000, 2/10000, 4/10000, 5/10000, 6/10000, 7/10000, 8/10000, 9/10000 and 9991 more; \
         expected each of the 10000 once",
    );
}

#[test]
fn what_is_not_of_one_run_is_named_with_what_differs() {
    let options = selected(&["depth/*"]);
    let first = shard(&Smallest, &options, 1, 2);
    let differs = |other: &Saved, words: &str| {
        refused(&[&first, other], &format!("`1.json` and `2.json` are no shards of one run: {words} in the other"));
    };
    let deaf = |name: &str, version: &str| {
        let mut description = Smallest.describe();
        (description.name, description.version) = (name.to_owned(), version.to_owned());
        boundary_fn(description, |_: &Call<'_>| Err(AdapterFault::new("never")))
    };
    let (name, version) = (Smallest.describe().name, Smallest.describe().version);
    differs(&shard(&deaf("other", &version), &options, 2, 2), &format!("the boundary is {name} in the one and other"));
    differs(&shard(&deaf(&name, "7"), &options, 2, 2), &format!("its version is {version} in the one and 7"));
    differs(&shard(&Smallest, &options, 2, 3), "the number of shards is 2 in the one and 3");
    let other = shard(&Smallest, &selected(&["depth/exhaustion"]), 2, 2);
    differs(&other, "what is selected is depth/* in the one and depth/exhaustion");

    let edited = |field: &str, value: &str| {
        let mut text = Vec::new();
        tell(&shard(&Smallest, &options, 2, 2).report, &mut Json::new(&mut text)).unwrap();
        let mut report: Value = serde_json::from_slice(&text).unwrap();
        *report.pointer_mut(field).unwrap() = json!(value);
        Saved::parse(Path::new("2.json"), report.to_string().as_bytes()).unwrap()
    };
    let digest = first.report.share.as_ref().unwrap().plan;
    let plan = format!("the digest of the plan is {digest} in the one and 0123456789abcdef");
    differs(&edited("/shard/plan", "0123456789abcdef"), &plan);
    differs(&edited("/set", "2"), "the set is 1 in the one and 2");
    differs(&edited("/corpus", "0.0.1"), &format!("the corpus is {} in the one and 0.0.1", first.report.corpus));
    let kit = &first.report.kit;
    differs(&edited("/kit", "0.0.1"), &format!("the kit is {kit} in the one and 0.0.1"));
    refused(
        &[&edited("/kit", "0.0.1"), &first],
        &format!("the kit of `2.json` is 0.0.1, expected {kit}: shards are merged by the version that ran them"),
    );
    let whole = {
        let mut out = Vec::new();
        boundary_kit::check_with(&Smallest, &options, &mut Json::new(&mut out)).unwrap();
        Saved::parse(Path::new("whole.json"), &out).unwrap()
    };
    let words =
        "`whole.json` is the report of a whole run, expected one of `boundary-kit check --shard K/N --format json`";
    refused(&[&first, &whole], words);
}

#[test]
fn shards_that_do_not_say_the_same_of_what_is_not_asked_are_of_different_runs() {
    let options = selected(&["depth/*", "stream/split"]);
    let first = shard(&Smallest, &options, 1, 2);
    let mut other = shard(&Smallest, &options, 2, 2);
    let idle = other.report.rows.iter().position(|row| row.cases == 0).unwrap();
    assert_eq!(other.report.rows[idle].requirement.id, "stream/split");
    let words = "`1.json` and `2.json` are no shards of one run: why stream/split is not asked is not the same in both";
    other.report.rows.remove(idle);
    refused(&[&first, &other], words);
    let mut claimed = shard(&Smallest, &options, 2, 2);
    claimed.report.rows[idle].note = Some(Plain::new("another reason"));
    refused(&[&first, &claimed], words);
}
