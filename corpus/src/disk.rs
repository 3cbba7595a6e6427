//! The strict loader over folders on disk.

use std::borrow::Cow;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::corpus::Corpus;
use crate::fault::{Fault, quoted};
use crate::fixture::Family;
use crate::load::{self, FIXTURES, File, MARKERS, REQUIREMENTS, SETS};

/// Reads a corpus from a folder, as strictly as the embedded one is read.
///
/// The folder holds `requirements.json`, `markers.json`, `fixtures/*.json` and `sets/*.json`.
///
/// # Errors
///
/// Every fault of every file, in the order of the files and of their entries: what cannot be read,
/// what is not plain ASCII JSON, unknown, missing and double fields, ids that are taken or lead
/// nowhere, and fixtures that contradict themselves.
pub fn lint(folder: &Path) -> Result<Corpus, Vec<Fault>> {
    let mut files: Vec<File<'_>> =
        [REQUIREMENTS, MARKERS].into_iter().map(|name| read(&folder.join(name), name.to_owned())).collect();
    let mut faults = Vec::new();
    for inner in [FIXTURES, SETS] {
        match list(&folder.join(inner), inner) {
            Ok(found) => files.extend(found),
            Err(found) => faults.extend(found),
        }
    }
    // A folder that cannot be listed is reported once, by its own fault.
    let unlisted: Vec<String> = faults.iter().map(|fault: &Fault| fault.file.clone()).collect();
    match load::load(&files) {
        Ok(corpus) if faults.is_empty() => Ok(corpus),
        Ok(_) => Err(faults),
        Err(more) => {
            faults.extend(more.into_iter().filter(|fault| !unlisted.contains(&fault.file)));
            Err(faults)
        }
    }
}

/// Reads an author's own fixtures: every file of one folder, each a family named after its file.
///
/// They are evidence for the requirements of the embedded corpus, and their ids must be new.
///
/// # Errors
///
/// Every fault of every file, as [`lint`] reports them.
pub fn own_families(folder: &Path) -> Result<Vec<Family>, Vec<Fault>> {
    load::load_families(&list(folder, FIXTURES)?, crate::corpus())
}

/// The files of a folder, sorted by name, under their names in the corpus.
fn list(folder: &Path, prefix: &str) -> Result<Vec<File<'static>>, Vec<Fault>> {
    let unreadable = |error: std::io::Error| vec![Fault::new(prefix, "", reason(&error))];
    let mut names = Vec::new();
    let mut faults = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        match name.to_str().filter(|name| name.ends_with(".json")) {
            Some(name) => names.push(name.to_owned()),
            // It would be left out in silence otherwise.
            None => {
                let problem = format!("{} is no `.json` file", quoted(&name.to_string_lossy()));
                faults.push(Fault::new(prefix, "", problem));
            }
        }
    }
    names.sort();
    faults.sort_by(|one, other| one.problem.cmp(&other.problem));
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(names.into_iter().map(|name| read(&folder.join(&name), format!("{prefix}{name}"))).collect())
}

fn read(path: &Path, name: String) -> File<'static> {
    File { name: Cow::Owned(name), bytes: fs::read(path).map(Cow::Owned).map_err(|error| reason(&error)) }
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "is absent".to_owned(),
        kind => format!("cannot be read: {kind}"),
    }
}
