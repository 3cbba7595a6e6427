//! `boundary-kit check`.

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use boundary_kit::report::{Json, Reporter, Saved, Terminal, tell};
use boundary_kit::runner::{Options, Report, Rerun, RunVerdict, merge};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

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
    options.shard = arguments.shard;
    options.rerun = Rerun::CommandLine(arguments.common.boundary.name());
    options.interrupt = Some(interrupt()?);
    let out = BufWriter::new(io::stdout());
    let mut reporter: Box<dyn Reporter> = match arguments.common.format {
        Format::Human => Box::new(Progress::beside(Terminal::new(out, colour()))),
        Format::Json => Box::new(Json::new(out)),
    };
    let named = arguments.common.boundary;
    let report = if !arguments.merge.is_empty() {
        match merged(&arguments.merge, &options) {
            Ok(report) => {
                tell(&report, &mut *reporter)?;
                report
            }
            Err(problem) => {
                eprintln!("nothing ran: {problem}");
                return Ok(RunVerdict::NothingRan.exit_code());
            }
        }
    } else if arguments.isolation.in_process {
        boundary_kit::check_with(&*named.boundary(), &options, &mut *reporter)?
    } else {
        boundary_kit::check_apart(|| named.boundary(), &options, &mut *reporter)?
    };
    if let (Some(problem), Format::Json) = (&report.problem, arguments.common.format) {
        eprintln!("{}: {problem}", report.verdict);
    }
    Ok(report.verdict.exit_code())
}

fn merged(files: &[PathBuf], options: &Options) -> Result<Report, String> {
    let shards = files.iter().map(|file| Saved::read(file)).collect::<Result<Vec<_>, String>>()?;
    merge(&shards, options)
}

/// The exit code of who is told twice to end, and does not wait for what there is to report.
const TWICE: i32 = 130;

/// What becomes true once this process is told to end.
fn interrupt() -> io::Result<Arc<AtomicBool>> {
    let told = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, TWICE, Arc::clone(&told))?;
        flag::register(signal, Arc::clone(&told))?;
    }
    Ok(told)
}
