//! `boundary-kit check`.

use std::io::{self, BufWriter};

use boundary_kit::report::{Json, Reporter, Terminal};
use boundary_kit::runner::Options;

use crate::progress::Progress;
use crate::{CheckArguments, Format, colour};

pub(crate) fn run(arguments: CheckArguments) -> io::Result<u8> {
    let mut options = Options::default();
    options.only = arguments.only;
    options.set = arguments.set;
    options.level = arguments.level.into();
    options.require = arguments.require;
    options.fixtures = arguments.fixtures;
    options.limits = arguments.isolation.limits();
    options.jobs = arguments.isolation.jobs;
    let out = BufWriter::new(io::stdout());
    let mut reporter: Box<dyn Reporter> = match arguments.common.format {
        Format::Human => Box::new(Progress::beside(Terminal::new(out, colour()))),
        Format::Json => Box::new(Json::new(out)),
    };
    let named = arguments.common.boundary;
    let report = if arguments.isolation.in_process {
        boundary_kit::check_with(&*named.boundary(), &options, &mut *reporter)?
    } else {
        boundary_kit::check_apart(|| named.boundary(), &options, &mut *reporter)?
    };
    if let (Some(problem), Format::Json) = (&report.problem, arguments.common.format) {
        eprintln!("{}: {problem}", report.verdict);
    }
    Ok(report.verdict.exit_code())
}
