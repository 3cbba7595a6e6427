//! What the model reads of every fixture that is delivered, byte for byte: one snapshot, and one trial,
//! a fixture.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use boundary_corpus::{Expect, Fixture, corpus};
use boundary_kit::contract::Boundary as _;
use boundary_kit::stimulus::Stimulus;
use boundary_reference::Reference;
use libtest_mimic::{Arguments, Failed, Trial};

const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");

fn main() -> ExitCode {
    let mut trials: Vec<Trial> =
        deliverable().map(|fixture| Trial::test(fixture.id.as_str(), move || rendering(fixture))).collect();
    trials.push(Trial::test("no-snapshot-without-a-fixture", orphans));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn deliverable() -> impl Iterator<Item = &'static Fixture> {
    corpus().fixtures().filter(|fixture| !matches!(fixture.expect, Expect::Refused { .. }))
}

fn snapshot(fixture: &Fixture) -> String {
    fixture.id.as_str().replace('/', "-")
}

fn rendering(fixture: &'static Fixture) -> Result<(), Failed> {
    let reference = Reference::default();
    let stimulus = Stimulus::of_fixture(fixture, reference.describe().envelope.as_ref());
    let outcome = reference.check(&stimulus.call())?;
    let delivery = outcome.delivered().ok_or("refused")?;
    // Whatever is not plain ASCII is escaped, so that a reviewer sees what a model would read.
    let shown: String =
        delivery
            .rendered
            .chars()
            .map(|c| {
                if c == '\n' || c.is_ascii_graphic() || c == ' ' {
                    c.to_string()
                } else {
                    c.escape_unicode().to_string()
                }
            })
            .collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(SNAPSHOTS);
    settings.bind(|| insta::assert_snapshot!(snapshot(fixture), shown));
    Ok(())
}

/// A snapshot of a fixture that is gone would go unnoticed.
fn orphans() -> Result<(), Failed> {
    let wanted: BTreeSet<String> = deliverable().map(|fixture| format!("{}.snap", snapshot(fixture))).collect();
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(Path::new(SNAPSHOTS))? {
        found.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    if found == wanted {
        return Ok(());
    }
    let orphans: Vec<_> = found.difference(&wanted).collect();
    let absent: Vec<_> = wanted.difference(&found).collect();
    Err(Failed::from(format!("without a fixture: {orphans:?}; without a snapshot: {absent:?}")))
}
