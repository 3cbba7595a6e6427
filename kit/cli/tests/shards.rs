//! Shards and their merge, as a pipeline runs them: a report a machine, and one verdict.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boundary-kit")).args(arguments).output().unwrap()
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shards").join(name);
    // Left over from an earlier run, or not there at all.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs each shard and saves its report, under these names.
fn save(folder: &Path, boundary: &str, of: usize) -> Vec<String> {
    let save = |index: usize| {
        let shard = format!("{index}/{of}");
        let only = ["--only", "depth/*", "--only", "guard/text-unchanged"];
        let run = run(&[&["check", "--format", "json", "--boundary", boundary, "--shard", &shard], &only[..]].concat());
        assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
        let file = folder.join(format!("{boundary}-{index}.json"));
        std::fs::write(&file, run.stdout).unwrap();
        file.to_str().unwrap().to_owned()
    };
    (1..=of).map(save).collect()
}

/// A merge of these files: its exit code, and what it writes and says.
fn merged(files: &[&String], more: &[&str]) -> (Option<i32>, String, String) {
    let files = files.iter().map(|file| file.as_str());
    let arguments: Vec<&str> = ["check", "--merge"].into_iter().chain(files).chain(more.iter().copied()).collect();
    let output = run(&arguments);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn merged_shards_are_the_whole_run() {
    let folder = folder("whole");
    let files = save(&folder, "reference", 3);
    let (code, json, _) = merged(&files.iter().collect::<Vec<_>>(), &["--format", "json"]);
    assert_eq!(code, Some(0));
    let whole = run(&["check", "--format", "json", "--only", "depth/*", "--only", "guard/text-unchanged"]);
    let timeless = |text: &[u8]| {
        let mut report: Value = serde_json::from_slice(text).unwrap();
        assert!(report["summary"]["seconds"].take().is_number());
        serde_json::to_string_pretty(&report).unwrap()
    };
    assert_eq!(timeless(json.as_bytes()), timeless(&whole.stdout));

    let (code, shown, _) = merged(&files.iter().collect::<Vec<_>>(), &[]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("\nconformant: ") && !shown.contains("shard"), "{shown}");
    // What is required is required of the whole.
    let (code, shown, _) = merged(&files.iter().collect::<Vec<_>>(), &["--require", "depth,halt"]);
    assert_eq!(code, Some(1));
    assert!(shown.contains("required, and not claimed: halt"), "{shown}");
}

#[test]
fn what_makes_up_no_run_is_three_and_says_why() {
    let folder = folder("refused");
    let files = save(&folder, "reference", 3);
    let foreign = save(&folder, "guard", 3);
    let cut = folder.join("cut.json").to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(&files[1]).unwrap();
    std::fs::write(&cut, &text[..text.len() / 2]).unwrap();
    let absent = folder.join("absent.json").to_str().unwrap().to_owned();
    for (files, words) in [
        (vec![&files[0], &files[2]], "nothing ran: no report of shard 2/3; expected each of the 3 once"),
        (vec![&files[0], &files[1], &files[1], &files[2]], "shard 2/3 is there twice, in "),
        (vec![&files[0], &foreign[1], &files[2]], "are no shards of one run: the boundary is boundary-reference in"),
        (vec![&files[0], &cut, &files[2]], "cut.json` is no report that can be read: the JSON text ends too early"),
        (
            vec![&files[0], &absent, &files[2]],
            "absent.json` is no report that can be read: entity not found; write one",
        ),
    ] {
        let (code, written, said) = merged(&files, &["--format", "json"]);
        assert_eq!((code, written.as_str()), (Some(3), ""), "{words}");
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_shard_without_a_case_is_three() {
    let output = run(&["check", "--only", "depth/at-the-ceiling", "--shard", "10000/10000"]);
    assert_eq!(output.status.code(), Some(3));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("nothing ran: no case falls to shard 10000/10000, since "), "{shown}");
}
