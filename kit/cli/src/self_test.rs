//! `boundary-kit self-test`.

use std::io::{self, Write};

use boundary_kit::report::{matrix_json, matrix_text};
use boundary_kit::runner::RunVerdict;
use boundary_kit::saboteur::matrix;

use crate::{CommonArguments, Format, colour};

pub(crate) fn run(arguments: &CommonArguments) -> io::Result<u8> {
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
