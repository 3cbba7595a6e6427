//! `boundary-kit corpus lint`.

use std::io::{self, Write};
use std::path::Path;

/// The exit code of a corpus with faults.
const FAULTY: u8 = 1;
/// The exit code where there is no corpus to read.
const NOTHING: u8 = 3;

pub(crate) fn lint(folder: &Path) -> io::Result<u8> {
    if !folder.is_dir() {
        eprintln!("there is no folder at `{}`; name the one that holds requirements.json", folder.escape());
        return Ok(NOTHING);
    }
    let mut out = io::stdout().lock();
    match boundary_kit::corpus::lint(folder) {
        Ok(corpus) => {
            let markers: usize = corpus.marker_families().iter().map(|family| family.markers.len()).sum();
            writeln!(
                out,
                "no fault: {} requirements, {} fixtures in {} families, {markers} turn markers, {} sets",
                corpus.requirements().len(),
                corpus.fixtures().count(),
                corpus.families().len(),
                corpus.sets().len(),
            )?;
            Ok(0)
        }
        Err(faults) => {
            for fault in &faults {
                writeln!(out, "{fault}")?;
            }
            writeln!(out, "\n{} faults", faults.len())?;
            Ok(FAULTY)
        }
    }
}

/// A path as it can be shown: with no control or invisible character of its own.
trait Escaped {
    fn escape(&self) -> String;
}

impl Escaped for Path {
    fn escape(&self) -> String {
        self.to_string_lossy().escape_debug().to_string()
    }
}
