//! `boundary-kit check`.

use std::io::{self, BufWriter};

use boundary_kit::report::{Json, Reporter, Terminal};
use boundary_kit::runner::Options;

use crate::{CheckArguments, Format, colour};

pub(crate) fn run(arguments: CheckArguments) -> io::Result<u8> {
    let mut options = Options::default();
    options.only = arguments.only;
    options.set = arguments.set;
    options.level = arguments.level.into();
    options.require = arguments.require;
    options.fixtures = arguments.fixtures;
    let out = BufWriter::new(io::stdout());
    let mut reporter: Box<dyn Reporter> = match arguments.common.format {
        Format::Human => Box::new(Terminal::new(out, colour())),
        Format::Json => Box::new(Json::new(out)),
    };
    let report = boundary_kit::check_with(&*arguments.common.boundary.boundary(), &options, &mut *reporter)?;
    if let (Some(problem), Format::Json) = (&report.problem, arguments.common.format) {
        eprintln!("{}: {problem}", report.verdict);
    }
    Ok(report.verdict.exit_code())
}
