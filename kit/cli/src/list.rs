//! `boundary-kit list`.

use std::io::{self, Write};

use boundary_kit::contract::Boundary;
use boundary_kit::decoration::{Decoration, decorations};
use boundary_kit::isolate::Limits;
use boundary_kit::runner::RunVerdict;
use serde_json::json;

use crate::{CommonArguments, Format, ListArguments};

pub(crate) fn run(arguments: &ListArguments) -> io::Result<u8> {
    let ListArguments { decorations, common } = arguments;
    if *decorations { list_decorations(&*common.boundary.boundary(), common.format) } else { list_cases(common) }
}

fn list_cases(arguments: &CommonArguments) -> io::Result<u8> {
    let rows = match boundary_kit::list(&*arguments.boundary.boundary()) {
        Ok(rows) => rows,
        Err(problem) => return Ok(nothing(&problem)),
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

fn list_decorations(boundary: &dyn Boundary, format: Format) -> io::Result<u8> {
    let rows = match decorations(boundary) {
        Ok(rows) => rows,
        Err(problem) => return Ok(nothing(&problem)),
    };
    let mut out = io::stdout().lock();
    match format {
        Format::Json => {
            let rows: Vec<_> = rows
                .iter()
                .map(|(decoration, spared)| {
                    let mut row = json!({"name": decoration.name(), "does": decoration.does(), "note": spared});
                    match decoration {
                        Decoration::Saboteur(saboteur) => row["breaks"] = json!(saboteur.breaks),
                        Decoration::Member(member) => row["charged"] = json!(member.outcome.words(&Limits::default())),
                        _ => {}
                    }
                    row
                })
                .collect();
            serde_json::to_writer_pretty(&mut out, &json!({"format": 1, "decorations": rows}))?;
            writeln!(out)?;
        }
        Format::Human => {
            for (decoration, spared) in &rows {
                writeln!(out, "{}  {}", decoration.name(), decoration.does())?;
                match (spared, decoration) {
                    (Some(why), _) => writeln!(out, "  not for this boundary: {why}")?,
                    (None, Decoration::Saboteur(saboteur)) => writeln!(out, "  breaks {}", saboteur.breaks.join(", "))?,
                    (None, Decoration::Member(member)) => {
                        writeln!(out, "  charged as {}", member.outcome.words(&Limits::default()))?
                    }
                    _ => {}
                }
            }
            let fit = rows.iter().filter(|(_, spared)| spared.is_none()).count();
            writeln!(out, "\n{} ways to make a boundary bad, {fit} of them for this one", rows.len())?;
        }
    }
    Ok(0)
}

/// Says why nothing is listed.
fn nothing(problem: &str) -> u8 {
    eprintln!("nothing to list: {problem}");
    RunVerdict::NothingRan.exit_code()
}
