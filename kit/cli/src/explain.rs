//! `boundary-kit explain ID`.

use std::io::{self, Write};

use boundary_kit::corpus::{Requirement, corpus};
use boundary_kit::saboteur::saboteurs;

/// The exit code where there is no such requirement.
const NOTHING: u8 = 3;

pub(crate) fn run(id: &str) -> io::Result<u8> {
    // A case is explained by its requirement, whose id is the first two parts of its own.
    let of_case: String = id.split('/').take(2).collect::<Vec<_>>().join("/");
    let Some(requirement) = corpus().requirement(id).or_else(|| corpus().requirement(&of_case)) else {
        eprintln!("{}", boundary_kit::unknown_requirement(id));
        return Ok(NOTHING);
    };
    explain(requirement, &mut io::stdout().lock()).map(|()| 0)
}

fn explain(requirement: &Requirement, out: &mut impl Write) -> io::Result<()> {
    let claims: Vec<String> = requirement.claims.iter().map(ToString::to_string).collect();
    let claims = if claims.is_empty() { "any".to_owned() } else { claims.join(", ") };
    writeln!(out, "{}", requirement.id)?;
    writeln!(out, "{}\n", requirement.sentence)?;
    writeln!(out, "level    {}, asked of a boundary with the claim {claims}", requirement.level)?;
    writeln!(out, "why      {}", requirement.why)?;
    writeln!(out, "failing  {}", requirement.failing)?;
    writeln!(out, "fix      {}", requirement.fix)?;
    for source in &requirement.sources {
        let name = corpus().sources().iter().find(|(letter, _)| *letter == source).map(|(_, name)| name);
        writeln!(out, "source   {}", name.map_or(source.as_str(), |name| name))?;
    }
    for saboteur in saboteurs().filter(|saboteur| saboteur.breaks.contains(&requirement.id.as_str())) {
        writeln!(out, "broken   by `{}`: a boundary that {}", saboteur.name, saboteur.does)?;
    }
    if !requirement.built {
        writeln!(out, "note     not built: the kit cannot judge it yet")?;
    }
    Ok(())
}
