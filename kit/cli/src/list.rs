//! `boundary-kit list`.

use std::io::{self, Write};

use boundary_kit::runner::RunVerdict;
use serde_json::json;

use crate::{CommonArguments, Format};

pub(crate) fn run(arguments: &CommonArguments) -> io::Result<u8> {
    let rows = match boundary_kit::list(&*arguments.boundary.boundary()) {
        Ok(rows) => rows,
        Err(problem) => {
            eprintln!("nothing to list: {problem}");
            return Ok(RunVerdict::NothingRan.exit_code());
        }
    };
    let mut out = io::stdout().lock();
    match arguments.format {
        Format::Json => {
            let requirements: Vec<_> = rows
                .iter()
                .map(|(requirement, cases)| {
                    json!({
                        "id": requirement.id.as_str(),
                        "level": requirement.level.as_str(),
                        "claims": requirement.claims.iter().map(ToString::to_string).collect::<Vec<_>>(),
                        "sentence": requirement.sentence,
                        "built": requirement.built,
                        "cases": cases.as_deref().unwrap_or_default(),
                        "note": cases.as_ref().err(),
                    })
                })
                .collect();
            serde_json::to_writer_pretty(&mut out, &json!({"format": 1, "requirements": requirements}))?;
            writeln!(out)?;
        }
        Format::Human => {
            let mut cases_in_all = 0;
            for (requirement, cases) in &rows {
                let id = requirement.id.as_str();
                let level = requirement.level.as_str();
                match cases {
                    Ok(cases) => {
                        cases_in_all += cases.len();
                        writeln!(out, "{id}  ({level}, {} cases)", cases.len())?;
                        for case in cases {
                            writeln!(out, "  {case}")?;
                        }
                    }
                    Err(why) => writeln!(out, "{id}  ({level}, {why})")?,
                }
            }
            writeln!(out, "\n{} requirements, {cases_in_all} cases", rows.len())?;
        }
    }
    Ok(0)
}
