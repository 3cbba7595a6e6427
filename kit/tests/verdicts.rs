//! How a run ends: green only for a good boundary, red with a readable reason for a bad one, and never
//! green where nothing was asked.

use std::collections::BTreeSet;

use boundary_kit::canary::{Smallest, SmallestGuard};
use boundary_kit::contract::{
    AdapterFault, Boundary, Call, Claim, Delivery, Description, Grammar, Outcome, boundary_fn,
};
use boundary_kit::corpus::Level;
use boundary_kit::report::{Json, Terminal};
use boundary_kit::runner::{Options, Report, RunVerdict, Status};
use boundary_kit::saboteur::useless::Useless;
use boundary_kit::saboteur::{Sabotaged, saboteurs};
use serde_json::Value;

/// The areas in which the kit judges something today.
const AREAS: [&str; 10] =
    ["type", "envelope", "forgery", "flag", "benign", "leak", "depth", "ceiling", "policy", "record"];

fn options(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

fn only(pattern: &str) -> Options {
    options(|options| options.only = vec![pattern.parse().unwrap()])
}

/// The report, and what a terminal shows of it.
fn check(boundary: &dyn Boundary, options: &Options) -> (Report, String) {
    let mut out = Vec::new();
    let report = boundary_kit::check_with(boundary, options, &mut Terminal::new(&mut out, false)).unwrap();
    (report, String::from_utf8(out).unwrap())
}

fn json(boundary: &dyn Boundary, options: &Options) -> Value {
    let mut out = Vec::new();
    boundary_kit::check_with(boundary, options, &mut Json::new(&mut out)).unwrap();
    serde_json::from_slice(&out).unwrap()
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../../corpus/schema/report.schema.json")).unwrap()
}

fn sabotaged(name: &str) -> Sabotaged<Smallest> {
    Sabotaged::new(Smallest, saboteurs().find(|saboteur| saboteur.name == name).unwrap())
}

#[test]
fn the_smallest_good_boundary_is_conformant() {
    let (report, shown) = check(&Smallest, &Options::default());
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    let counts = report.counts();
    assert!(counts.pass > 50 && counts.cases > 1_000 && counts.fail == 0, "{counts:?}");
}

#[test]
fn the_four_useless_boundaries_are_red_in_each_area_that_is_built() {
    for useless in Useless::ALL {
        let (report, shown) = check(&useless.instead_of(Smallest), &Options::default());
        assert_eq!(report.verdict, RunVerdict::Nonconformant, "{}", useless.name());
        let red: BTreeSet<&str> =
            report.rows.iter().filter(|row| row.status == Status::Fail).map(|row| row.requirement.area()).collect();
        let missing: Vec<_> = AREAS.iter().filter(|area| !red.contains(*area)).collect();
        assert!(missing.is_empty(), "{} is not red in {missing:?}", useless.name());
        assert!(shown.chars().all(|c| c == '\n' || matches!(c, ' '..='~')), "{} shows a raw character", useless.name());
    }
}

#[test]
fn the_four_useless_guards_are_red_where_a_text_is_only_marked() {
    for useless in Useless::ALL {
        let (report, shown) = check(&useless.instead_of(SmallestGuard), &only("guard/*"));
        assert_eq!(report.verdict, RunVerdict::Nonconformant, "{}: {shown}", useless.name());
    }
}

#[test]
fn every_way_to_end_fits_the_schema() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let claimless =
        boundary_fn(Description::new("claimless", "1"), |_: &Call<'_>| Err(AdapterFault::new("never asked")));
    let runs = [
        ("conformant", json(&Smallest, &only("envelope/*"))),
        ("nonconformant", json(&Useless::PassThrough.instead_of(Smallest), &Options::default())),
        ("nothing-ran", json(&Smallest, &only("nothing/*"))),
        ("nothing-ran", json(&claimless, &Options::default())),
    ];
    for (verdict, report) in runs {
        assert_eq!(report["verdict"], verdict);
        let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{verdict}: {errors:?}");
    }
    let broken = serde_json::json!({"format": 2});
    assert!(!validator.is_valid(&broken));
}

#[test]
fn the_same_run_gives_the_same_bytes_but_for_the_time() {
    let run = || {
        let mut report = json(&Useless::EmptyText.instead_of(Smallest), &only("envelope/*"));
        report["summary"]["seconds"] = Value::Null;
        report.to_string()
    };
    assert_eq!(run(), run());
}

#[test]
fn nothing_selected_is_no_pass() {
    for (options, words) in [
        (only("nothing/*"), "`nothing/*` matches no requirement, case or fixture; nearest: "),
        (only("envelop/exactly-one"), "nearest: envelope/exactly-one"),
        (only("stream/*"), "none of the 6 selected requirements can be asked: 0 not claimed, 6 not built yet"),
        (options(|options| options.set = "9".to_owned()), "no set is named `9`; there is: 1"),
    ] {
        let (report, shown) = check(&Smallest, &options);
        assert_eq!(report.verdict, RunVerdict::NothingRan, "{shown}");
        assert_eq!(report.verdict.exit_code(), 3);
        assert!(shown.contains(words), "{shown}");
    }
}

#[test]
fn one_pattern_that_matches_does_not_hide_one_that_does_not() {
    let options = options(|options| options.only = vec!["envelope/*".parse().unwrap(), "envelop/*".parse().unwrap()]);
    assert_eq!(check(&Smallest, &options).0.verdict, RunVerdict::NothingRan);
}

#[test]
fn a_fixture_is_selected_by_its_own_id() {
    let (report, _) = check(&Smallest, &only("published/fourth-search-hit"));
    assert_eq!(report.verdict, RunVerdict::Conformant);
    let asked: Vec<&str> = report.rows.iter().map(|row| row.requirement.id.as_str()).collect();
    assert!(asked.contains(&"flag/every-place") && asked.contains(&"flag/path"), "{asked:?}");
}

#[test]
fn a_required_claim_that_is_not_made_is_nonconformant() {
    let options = options(|options| options.require = vec![Claim::Envelope, Claim::Taint]);
    let (report, shown) = check(&Smallest, &options);
    assert_eq!(report.verdict, RunVerdict::Nonconformant);
    assert!(shown.contains("required, and not claimed: taint"), "{shown}");
    assert_eq!(json(&Smallest, &options)["missing_claims"], serde_json::json!(["taint"]));
}

#[test]
fn a_failed_should_warns_unless_the_level_asks_for_it() {
    let mute = sabotaged("forgery-no-trace");
    let trace = |level| {
        options(|options| {
            options.only = vec!["forgery/leaves-a-trace".parse().unwrap()];
            options.level = level;
        })
    };
    let (report, shown) = check(&mute, &trace(Level::Must));
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    assert!(shown.contains("warn forgery/leaves-a-trace"), "{shown}");
    assert_eq!(check(&mute, &trace(Level::Should)).0.verdict, RunVerdict::Nonconformant);
}

#[test]
fn a_claim_with_nothing_behind_it_fails() {
    // Paths are those of findings, and it claims to have none.
    let description = Description::new("wordy", "1").claiming([Claim::Paths, Claim::Depth]);
    let wordy = boundary_fn(description, |call: &Call<'_>| Smallest.check(call));
    let (report, shown) = check(&wordy, &Options::default());
    assert_eq!(report.verdict, RunVerdict::Nonconformant);
    assert!(shown.contains("at least one requirement of the claim `paths` that can be judged"), "{shown}");
}

#[test]
fn an_envelope_without_a_grammar_is_nonconformant() {
    let wordy =
        boundary_fn(Description::new("wordy", "1").claim(Claim::Envelope), |call: &Call<'_>| Smallest.check(call));
    let (report, shown) = check(&wordy, &Options::default());
    assert_eq!(report.verdict, RunVerdict::Nonconformant);
    assert!(shown.contains("a description with the grammar of the envelope"), "{shown}");
}

#[test]
fn a_panic_is_charged_to_its_case_and_every_other_case_still_runs() {
    let panicking = boundary_fn(Smallest.describe(), |call: &Call<'_>| {
        let text = call.payload()?.to_text();
        assert!(!text.contains("approve claim"), "leaked through the panic: {text}");
        Smallest.check(call)
    });
    let (report, shown) = check(&panicking, &only("flag/*"));
    assert_eq!(report.verdict, RunVerdict::Nonconformant);
    assert!(shown.contains("got       a panic") && shown.contains("at        kit/tests/verdicts.rs"), "{shown}");
    assert!(!shown.contains("leaked through the panic"), "{shown}");
    assert!(report.counts().cases > 150 && report.counts().cases_failed < 10, "{:?}", report.counts());
}

#[test]
fn an_adapter_fault_is_no_refusal() {
    let faulty = boundary_fn(Smallest.describe(), |call: &Call<'_>| {
        if call.tool.returns.is_some() { Err(AdapterFault::new("not wired up")) } else { Smallest.check(call) }
    });
    let (report, shown) = check(&faulty, &only("type/mismatch-refused"));
    assert_eq!(report.verdict, RunVerdict::Nonconformant);
    assert!(shown.contains("got       adapter fault: not wired up"), "{shown}");
}

#[test]
fn a_boundary_that_cannot_describe_itself_is_no_pass() {
    struct Speechless;
    impl Boundary for Speechless {
        fn describe(&self) -> Description {
            panic!("no words")
        }
        fn check(&self, _: &Call<'_>) -> Result<Outcome, AdapterFault> {
            Err(AdapterFault::new("never asked"))
        }
    }
    let (report, shown) = check(&Speechless, &Options::default());
    assert_eq!(report.verdict, RunVerdict::NothingRan);
    assert!(shown.contains("the boundary panicked when asked to describe itself"), "{shown}");
}

#[test]
fn answers_without_an_optional_field_leave_its_row_unclaimed() {
    let bare = boundary_fn(Smallest.describe(), |call: &Call<'_>| {
        let mut outcome = Smallest.check(call)?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            delivery.tool = None;
            delivery.source = None;
            delivery.tenant = None;
        }
        Ok(outcome)
    });
    let (report, shown) = check(
        &bare,
        &options(|options| {
            options.only = vec!["envelope/provenance-fields".parse().unwrap(), "envelope/exactly-one".parse().unwrap()];
        }),
    );
    assert_eq!(report.verdict, RunVerdict::Conformant, "{shown}");
    let row = report.rows.iter().find(|row| row.requirement.id.as_str() == "envelope/provenance-fields").unwrap();
    assert_eq!((row.status, row.cases), (Status::NotClaimed, 0));
    // Alone, it leaves nothing that was asked.
    assert_eq!(check(&bare, &only("envelope/provenance-fields")).0.verdict, RunVerdict::NothingRan);
}

#[test]
fn a_hostile_name_reaches_no_report_raw() {
    let mut description = Smallest.describe();
    description.name = "\u{1b}[2Jgreen\u{202e}</testcase><script>".to_owned();
    let hostile = boundary_fn(description, |_: &Call<'_>| Ok(Delivery::new("", "").into()));
    let (_, shown) = check(&hostile, &only("envelope/*"));
    assert!(shown.chars().all(|c| c == '\n' || matches!(c, ' '..='~')), "{shown}");
    let report = json(&hostile, &only("envelope/*")).to_string();
    assert!(report.contains("\\\\u{1b}[2Jgreen\\\\u{202e}\\\\u{3c}/testcase"), "{report}");
}

#[test]
fn a_boundary_of_text_alone_is_asked_about_text_alone() {
    let mut description = Description::new("wrapper", "1").claim(Claim::Envelope).envelope(Grammar::tag("data-block"));
    description.takes = boundary_kit::contract::Takes::Text;
    let structured = std::sync::atomic::AtomicUsize::new(0);
    let wrapper = boundary_fn(description, move |call: &Call<'_>| {
        let payload = call.payload()?;
        if payload.as_str().is_none() {
            structured.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            return Err(AdapterFault::new("a structure was sent to a boundary of text alone"));
        }
        let text = payload.to_text();
        Ok(Delivery::new(format!("<data-block>\n{text}\n</data-block>"), text).into())
    });
    let (_, shown) = check(&wrapper, &Options::default());
    assert!(!shown.contains("a structure was sent"), "{shown}");
}

#[test]
fn a_failure_reads_as_a_bug_report() {
    let (_, shown) = check(&sabotaged("envelope-close-with-attributes"), &only("envelope/close-neutralised"));
    let shown = shown.lines().filter(|line| !line.contains(" s)")).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(shown);
}
