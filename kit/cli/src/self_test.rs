//! `boundary-kit self-test`.

use std::io::{self, Write};

use boundary_kit::report::{matrix_json, matrix_text};
use boundary_kit::runner::RunVerdict;
use boundary_kit::saboteur::matrix;

use crate::{CommonArguments, Format, colour};

/// The exit code of a command line that makes no sense.
const USAGE: u8 = 2;

pub(crate) fn run(arguments: &CommonArguments) -> io::Result<u8> {
    if arguments.boundary.misbehaves() {
        eprintln!("a self-test asks in its own process, which this boundary takes along; `check` does not");
        return Ok(USAGE);
    }
    let matrix = match matrix(&*arguments.boundary.boundary()) {
        Ok(matrix) => matrix,
        Err(problem) => {
            eprintln!("void: {problem}");
            return Ok(RunVerdict::Void.exit_code());
        }
    };
    let mut out = io::stdout().lock();
    match arguments.format {
        Format::Human => write!(out, "{}", matrix_text(&matrix, colour()))?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &matrix_json(&matrix))?;
            writeln!(out)?;
        }
    }
    Ok(if matrix.holds() { RunVerdict::Conformant } else { RunVerdict::Void }.exit_code())
}
