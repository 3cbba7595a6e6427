//! The command as its users meet it: what it prints, and the code that it ends with.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boundary-kit")).args(arguments).current_dir(root()).output().unwrap()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn fits(report: &Value, schema: &str) {
    let schema = std::fs::read_to_string(root().join("corpus/schema").join(schema)).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let errors: Vec<String> = validator.iter_errors(report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn check_is_conformant_on_the_reference() {
    let output = run(&["check"]);
    let shown = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{shown}{}", stderr(&output));
    assert!(shown.contains("\nconformant: ") && shown.contains(" 0 failed, "), "{shown}");
    assert!(shown.chars().all(|c| c == '\n' || matches!(c, ' '..='~')), "{shown}");
}

#[test]
fn check_as_json_fits_its_schema() {
    let output = run(&["check", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    fits(&report, "report.schema.json");
    assert_eq!(report["verdict"], "conformant");
    let musts = report["requirements"].as_array().unwrap().iter().filter(|row| row["level"] == "must");
    let failed: Vec<_> = musts.filter(|row| row["status"] == "fail").collect();
    assert!(failed.is_empty(), "{failed:?}");
}

/// That of the reference takes a minute; it runs with the other commands of the README.
#[test]
fn self_test_kills_every_saboteur() {
    let output = run(&["self-test", "--boundary", "guard", "--format", "json"]);
    let matrix: Value = serde_json::from_slice(&output.stdout).unwrap();
    fits(&matrix, "self-test.schema.json");
    let summary = &matrix["summary"];
    assert_eq!(output.status.code(), Some(0), "{summary}");
    assert_eq!(summary["killed_by_named"], summary["saboteurs"]);
    assert_eq!(summary["undeclared_collateral"], 0);
    // A guard of texts has no fields to point to, and none that an order could be split over.
    assert_eq!(summary["requirements_without"], serde_json::json!(["flag/path", "flag/split-across-fields"]));
    assert!(summary["saboteurs"].as_u64().unwrap() > 40, "{summary}");
}

#[test]
fn self_test_reads_as_a_matrix() {
    let output = run(&["self-test", "--boundary", "guard"]);
    let shown = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("killed  guard-nulls-stripped") && shown.contains("\nholds: "), "{shown}");
}

#[test]
fn nothing_selected_is_three_and_names_what_there_is() {
    let output = run(&["check", "--only", "nothing/*"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("nothing ran: `nothing/*` matches no requirement, case or fixture; nearest: "));
    let output = run(&["check", "--only", "envelope/exactly-on"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("nearest: envelope/exactly-one"), "{}", stdout(&output));
    let output = run(&["check", "--set", "2027"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("no set is named `2027`; there is: 1"), "{}", stdout(&output));
}

#[test]
fn nothing_selected_as_json_fits_the_schema_too() {
    let output = run(&["check", "--only", "nothing/*", "--format", "json"]);
    assert_eq!(output.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    fits(&report, "report.schema.json");
    assert_eq!(report["verdict"], "nothing-ran");
    assert!(stderr(&output).starts_with("nothing-ran: `nothing/*` matches no"), "{}", stderr(&output));
}

#[test]
fn bad_arguments_are_two_and_name_what_is_legal() {
    for (arguments, words) in [
        (vec!["check", "--nonsense"], "unexpected argument '--nonsense'"),
        (vec!["check", "--only", "["], "`[` is not a pattern: it may hold `*`, `?`, `[abc]` and `{a,b}`"),
        (vec!["check", "--level", "maybe"], "possible values: must, should"),
        (vec!["check", "--require", "flags"], "unknown claim `flags`, expected one of: return-types"),
        (vec!["check", "--shard", "4/3"], "`4/3` is no shard: write K/N, with N from 1 to 10000 and K from 1 to N"),
        (vec!["check", "--merge"], "a value is required for '--merge <REPORT>...'"),
        (vec!["check", "--merge", "a", "--shard", "1/2"], "cannot be used with"),
        (vec!["check", "--merge", "a", "--only", "depth/*"], "cannot be used with"),
        (vec!["check", "--merge", "a", "--boundary", "guard"], "cannot be used with"),
        (vec!["check", "--format", "xml"], "possible values: human, json"),
        (vec![], "Usage: boundary-kit <COMMAND>"),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn a_required_claim_decides() {
    assert_eq!(run(&["check", "--only", "depth/*", "--require", "depth,envelope"]).status.code(), Some(0));
    let output = run(&["check", "--only", "depth/at-the-ceiling", "--require", "depth,halt"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("required, and not claimed: halt"), "{}", stdout(&output));
}

#[test]
fn the_guard_is_held_to_what_it_claims() {
    let output = run(&["check", "--boundary", "guard", "--require", "flag,unchanged-text"]);
    let shown = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("\nconformant: ") && shown.contains("claim not made: envelope"), "{shown}");
    let output = run(&["list", "--boundary", "guard"]);
    assert!(stdout(&output).contains("envelope/exactly-one  (must, claim not made: envelope)"), "{}", stdout(&output));
}

#[test]
fn a_boundary_made_bad_by_name_is_red_where_the_name_says() {
    let output = run(&["check", "--boundary", "reference+envelope-note-after", "--only", "envelope/*"]);
    let shown = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("\nFAIL envelope/exactly-one: "), "{shown}");
    let output = run(&["self-test", "--boundary", "guard+guard-note-rendered"]);
    assert_eq!(output.status.code(), Some(5), "{}", stdout(&output));
    assert!(stderr(&output).contains("does not conform to begin with (guard/"), "{}", stderr(&output));
}

#[test]
fn a_boundary_that_misbehaves_is_red_at_one_case() {
    for (boundary, case) in [
        ("reference+panic", "type/checked-first/types-wrong-root-and-order"),
        ("guard+panic", "flag/role-reassignment/plain"),
    ] {
        let output = run(&["check", "--boundary", boundary, "--format", "json"]);
        assert_eq!(output.status.code(), Some(1), "{boundary}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let rows = report["requirements"].as_array().unwrap();
        let failures: Vec<&Value> = rows.iter().flat_map(|row| row["failures"].as_array().unwrap()).collect();
        let seen: Vec<_> = failures.iter().map(|failure| (&failure["case"], &failure["kind"])).collect();
        assert_eq!(seen, [(&Value::from(case), &Value::from("panic"))], "{boundary}");
    }
}

#[test]
fn a_name_that_makes_no_boundary_is_two_and_told_what_is_legal() {
    for (boundary, words) in [
        ("refrence", "no boundary is named `refrence`; there is: reference, guard"),
        ("refrence+abort", "no boundary is named `refrence`; there is: reference, guard"),
        ("reference+abbort", "is named `abbort`; nearest: abort, "),
        ("reference+envelope-note-afer", "nearest: envelope-note-after, "),
        ("guard+leak-refusal-quotes", "`leak-refusal-quotes` would not show in this boundary: it "),
        ("guard+envelope-note-after", "envelope/exactly-one is not asked (claim not made: envelope)"),
    ] {
        for command in ["check", "list", "self-test"] {
            let output = run(&[command, "--boundary", boundary]);
            assert_eq!(output.status.code(), Some(2), "{command} {boundary}");
            assert!(stderr(&output).contains(words), "{command} {boundary}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_self_test_is_not_taken_along() {
    for member in ["exit", "abort", "sleep"] {
        let output = run(&["self-test", "--boundary", &format!("guard+{member}")]);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains("`check` does not"), "{}", stderr(&output));
    }
}

#[test]
fn list_shows_how_a_boundary_is_made_bad() {
    let output = run(&["list", "--decorations"]);
    let shown = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("envelope-note-after  ") && shown.contains("\n  breaks envelope/exactly-one\n"), "{shown}");
    assert!(
        shown.contains("\nabort  aborts its process\n  charged as the end of its process: it aborted\n"),
        "{shown}"
    );
    let output = run(&["list", "--decorations", "--boundary", "guard", "--format", "json"]);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = list["decorations"].as_array().unwrap();
    let note = |name: &str| &rows.iter().find(|row| row["name"] == name).unwrap()["note"];
    assert_eq!(note("abort"), &Value::Null);
    assert_eq!(note("envelope-note-after"), "envelope/exactly-one is not asked (claim not made: envelope)");
}

#[test]
fn progress_goes_to_a_log_line_by_line_and_to_no_report() {
    let output = run(&["check", "--boundary", "guard"]);
    let (shown, told) = (stdout(&output), stderr(&output));
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 9, "{told}");
    assert!(lines.iter().all(|line| line.starts_with("  ") && line.contains(" cases, 0 failed, now ")), "{told}");
    assert!(!shown.contains(", now "), "{shown}");
    // Where something parses the output, nothing else is said.
    let output = run(&["check", "--boundary", "guard", "--format", "json"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn own_fixtures_are_sent_and_faulty_ones_run_nothing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.to_str().unwrap();
    let output = run(&["check", "--fixtures", path]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("holds no file of fixtures"), "{}", stdout(&output));

    let fixture = serde_json::json!({
        "id": "quay/notice",
        "requirement": "benign/core",
        "why": "Seen on a page of ours.",
        "mechanism": "a notice",
        "payload": "The quay is closed on Sundays.",
        "expect": "delivered",
    });
    let family = serde_json::json!({"family": "quay", "about": "Notices.", "fixtures": [fixture]});
    std::fs::write(folder.join("quay.json"), family.to_string()).unwrap();
    let output = run(&["check", "--fixtures", path, "--only", "benign/*", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    fits(&report, "report.schema.json");
    assert_eq!(report["own_fixtures"], 1);
    let families = report["rates"]["false_alarms"].as_array().unwrap();
    assert!(families.iter().any(|rate| rate["family"] == "quay" && rate["of"] == 1), "{families:?}");

    std::fs::write(folder.join("quay.json"), family.to_string().replace("benign/core", "benign/cor")).unwrap();
    let output = run(&["check", "--fixtures", path]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("quay.json: quay/notice: "), "{}", stdout(&output));
}

#[test]
fn explain_takes_a_requirement_or_a_case() {
    let output = run(&["explain", "envelope/close-neutralised"]);
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!("explain", stdout(&output));
    let case = run(&["explain", "envelope/close-neutralised/inner-space"]);
    assert_eq!(stdout(&case), stdout(&output));
    let output = run(&["explain", "envelope/close-neutralized"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("nearest: envelope/close-neutralised"), "{}", stderr(&output));
}

#[test]
fn list_names_every_requirement_and_case() {
    let output = run(&["list", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = list["requirements"].as_array().unwrap();
    let catalogue = std::fs::read_to_string(root().join("corpus/requirements.json")).unwrap();
    let catalogue: Value = serde_json::from_str(&catalogue).unwrap();
    assert_eq!(rows.len(), catalogue["requirements"].as_array().unwrap().len());
    let row = rows.iter().find(|row| row["id"] == "envelope/close-neutralised").unwrap();
    assert!(row["cases"].as_array().unwrap().contains(&"envelope/close-neutralised/inner-space".into()), "{row}");
    let shown = stdout(&run(&["list"]));
    assert!(shown.contains("\n  envelope/close-neutralised/inner-space\n"), "{shown}");
    assert!(shown.contains("stream/split  (must, not built"), "{shown}");
}

#[test]
fn lint_passes_the_corpus_and_names_what_is_wrong_with_another() {
    let output = run(&["corpus", "lint"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).starts_with("no fault: "), "{}", stdout(&output));

    let broken = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken-corpus");
    let _ = std::fs::remove_dir_all(&broken);
    for folder in ["fixtures", "sets"] {
        std::fs::create_dir_all(broken.join(folder)).unwrap();
        for file in std::fs::read_dir(root().join("corpus").join(folder)).unwrap() {
            let file = file.unwrap().path();
            std::fs::copy(&file, broken.join(folder).join(file.file_name().unwrap())).unwrap();
        }
    }
    for file in ["requirements.json", "markers.json"] {
        std::fs::copy(root().join("corpus").join(file), broken.join(file)).unwrap();
    }
    let file = broken.join("fixtures/published.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"flag/override\"", "\"flag/overrride\"")).unwrap();
    let output = run(&["corpus", "lint", broken.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let shown = stdout(&output);
    assert!(shown.contains("fixtures/published.json: published/direct-override: "), "{shown}");

    assert_eq!(run(&["corpus", "lint", "no-such-folder"]).status.code(), Some(3));
}

#[test]
fn help_says_what_each_command_does() {
    insta::assert_snapshot!("help", stdout(&run(&["--help"])));
    insta::assert_snapshot!("help-check", stdout(&run(&["check", "--help"])));
}

#[test]
fn each_command_of_the_readme_runs() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let commands: Vec<&str> =
        readme.lines().filter_map(|line| line.strip_prefix("$ cargo run --release -- ")).collect();
    assert!(commands.len() >= 5, "{commands:?}");
    for command in commands {
        let arguments: Vec<&str> = command.split_whitespace().map(|argument| argument.trim_matches('\'')).collect();
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{command}: {}{}", stdout(&output), stderr(&output));
    }
}
