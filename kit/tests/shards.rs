//! A run dealt to several machines: every case is asked exactly once.

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{AdapterFault, Boundary, Call, Claim, Description, boundary_fn};
use boundary_kit::report::{Json, Terminal};
use boundary_kit::runner::{self, Event, Options, Report, RunVerdict, Shard};
use serde_json::Value;

fn selected(patterns: &[&str]) -> Options {
    let mut options = Options::default();
    options.only = patterns.iter().map(|pattern| pattern.parse().unwrap()).collect();
    options
}

fn part(options: &Options, index: usize, of: usize) -> Options {
    let mut options = options.clone();
    options.shard = Some(format!("{index}/{of}").parse::<Shard>().unwrap());
    options
}

/// The report, and the ids of the cases that were asked.
fn asked(boundary: &dyn Boundary, options: &Options) -> (Report, Vec<String>) {
    let mut ids = Vec::new();
    let report = runner::run(boundary, options, &mut |event| {
        if let Event::Case { id, .. } = event {
            ids.push((*id).to_owned());
        }
    });
    (report, ids)
}

fn json(boundary: &dyn Boundary, options: &Options) -> Value {
    let mut out = Vec::new();
    boundary_kit::check_with(boundary, options, &mut Json::new(&mut out)).unwrap();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn all_shards_together_ask_each_case_once_in_the_order_of_the_run() {
    let options = selected(&["depth/*", "envelope/*"]);
    let (_, whole) = asked(&Smallest, &options);
    for of in [1, 2, 3, 7] {
        let mut dealt = vec![None; whole.len()];
        for index in 1..=of {
            let (report, ids) = asked(&Smallest, &part(&options, index, of));
            let share = report.share.unwrap();
            assert_eq!((share.asked, share.planned), (ids.len(), whole.len()));
            assert_eq!(report.verdict, RunVerdict::Conformant);
            for (nth, id) in ids.into_iter().enumerate() {
                assert_eq!(dealt[nth * of + index - 1].replace(id), None);
            }
        }
        let dealt: Vec<String> = dealt.into_iter().flatten().collect();
        assert_eq!(dealt, whole, "{of}");
    }
}

#[test]
fn a_shard_leaves_out_requirements_without_a_case_and_keeps_what_is_idle() {
    let options = selected(&["depth/*", "envelope/exactly-one", "stream/*"]);
    let rows = |report: &Report, idle: bool| {
        let rows = report.rows.iter().filter(|row| (row.cases == 0) == idle);
        rows.map(|row| row.requirement.id.to_string()).collect::<Vec<_>>()
    };
    let (whole, ids) = asked(&Smallest, &options);
    let (last, asked) = asked(&Smallest, &part(&options, ids.len(), ids.len()));
    assert_eq!(asked, ids[ids.len() - 1..]);
    let requirement = asked[0].rsplit_once('/').unwrap().0;
    assert_eq!(rows(&last, false), [requirement]);
    assert!(rows(&whole, false).len() > 1);
    assert_eq!(rows(&last, true), rows(&whole, true));
    assert_eq!(rows(&last, true).len(), 6);
}

#[test]
fn a_shard_without_a_case_ran_nothing_and_says_so() {
    let options = part(&selected(&["depth/at-the-ceiling", "stream/*"]), 10_000, 10_000);
    let mut out = Vec::new();
    let report = boundary_kit::check_with(&Smallest, &options, &mut Terminal::new(&mut out, false)).unwrap();
    let shown = String::from_utf8(out).unwrap();
    assert_eq!(report.verdict, RunVerdict::NothingRan, "{shown}");
    let planned = report.share.unwrap().planned;
    let words = format!(
        "nothing ran: no case falls to shard 10000/10000, since {planned} in all are selected; an N beyond that is of no use"
    );
    assert!(shown.contains(&words), "{shown}");
    // What is wrong with the selection is said by every shard.
    let (report, _) = asked(&Smallest, &part(&selected(&["nothing/*"]), 1, 2));
    assert!(report.problem.unwrap().as_str().starts_with("`nothing/*` matches no requirement"));
    assert_eq!(report.share.unwrap().planned, 0);
}

#[test]
fn a_shard_says_so_to_whoever_reads_its_report() {
    let options = part(&selected(&["envelope/exactly-one"]), 2, 3);
    let mut out = Vec::new();
    boundary_kit::check_with(&Smallest, &options, &mut Terminal::new(&mut out, false)).unwrap();
    let shown = String::from_utf8(out).unwrap();
    let (_, whole) = asked(&Smallest, &selected(&["envelope/exactly-one"]));
    assert!(shown.contains(&format!(" cases of set 1, shard 2/3 of {} in all\n", whole.len())), "{shown}");
    assert!(shown.contains("\nshard 2/3 alone: conformant: 1 passed"), "{shown}");

    let report = json(&Smallest, &options);
    let schema: Value = serde_json::from_str(include_str!("../../corpus/schema/report.schema.json")).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!((&report["shard"]["index"], &report["shard"]["of"]), (&2.into(), &3.into()));
    assert_eq!(report["shard"]["only"], serde_json::json!(["envelope/exactly-one"]));
}

#[test]
fn one_shard_cannot_tell_that_nothing_stands_behind_a_claim() {
    let wordy =
        boundary_fn(Description::new("wordy", "1").claiming([Claim::Paths, Claim::Depth]), |call: &Call<'_>| {
            Smallest.check(call)
        });
    let charged = |options: &Options| {
        let (report, _) = asked(&wordy, options);
        let mut failures = report.rows.iter().flat_map(|row| &row.failures);
        failures.any(|failure| failure.expected.as_str().contains("requirement of the claim `paths`"))
    };
    assert!(charged(&Options::default()));
    assert!(!charged(&part(&Options::default(), 1, 2)) && !charged(&part(&Options::default(), 1, 1)));
}

#[test]
fn failures_of_a_shard_say_where_their_cases_stand_in_the_whole_run() {
    let options = selected(&["depth/*"]);
    let deaf = boundary_fn(Smallest.describe(), |_: &Call<'_>| Err(AdapterFault::new("not wired up")));
    let (whole, ids) = asked(&deaf, &options);
    assert!(whole.rows.iter().flat_map(|row| &row.failures).all(|failure| failure.place.is_none()));
    let (report, asked) = asked(&deaf, &part(&options, 2, 3));
    let failures: Vec<_> = report.rows.iter().flat_map(|row| &row.failures).collect();
    assert_eq!(failures.len(), asked.len());
    for failure in failures {
        assert_eq!(ids[failure.place.unwrap()], failure.case);
    }
}
