//! The `boundary-kit` command.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use boundary_kit::contract::Claim;
use boundary_kit::corpus::Level;
use boundary_kit::isolate::Limits;
use boundary_kit::runner::{Pattern, Shard};
use clap::{Args, Parser, Subcommand, ValueEnum};

mod boundary;
mod check;
mod corpus;
mod explain;
mod list;
mod progress;
mod self_test;

use boundary::Named;

/// Proves whether a tool-result boundary holds.
#[derive(Parser)]
#[command(name = "boundary-kit", version, after_help = EXIT_CODES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 conformant, 1 nonconformant, 2 usage, 3 nothing ran, 5 void \
(the kit's own canaries did not behave, or the run was interrupted, so it says nothing).";

#[derive(Subcommand)]
enum Command {
    /// Run the kit against a boundary and report what holds.
    Check(CheckArguments),
    /// List every requirement with its cases.
    List(ListArguments),
    /// Explain one requirement: why it is owed, what failing looks like, how it is usually fixed.
    Explain {
        /// The id of a requirement, or of one of its cases.
        id: String,
    },
    /// Break a boundary in every way there is, and show what notices each.
    SelfTest(CommonArguments),
    /// Look after the corpus of fixtures.
    #[command(subcommand)]
    Corpus(CorpusCommand),
}

#[derive(Args)]
struct CheckArguments {
    /// Ask only what matches: a pattern over requirement, case and fixture ids; may be repeated.
    #[arg(long, value_name = "GLOB")]
    only: Vec<Pattern>,
    /// Weigh cases by this set.
    #[arg(long, value_name = "NAME", default_value = "1")]
    set: String,
    /// The lowest level whose failures make the boundary nonconformant.
    #[arg(long, value_enum, default_value_t = AtLevel::Must)]
    level: AtLevel,
    /// Claims without which the boundary is not conformant, separated by commas.
    #[arg(long, value_name = "CLAIM,...", value_delimiter = ',')]
    require: Vec<Claim>,
    /// A folder of your own fixtures, in the format of the corpus, to send beside the published ones; may be repeated.
    #[arg(long, value_name = "DIR")]
    fixtures: Vec<PathBuf>,
    /// Ask one of N equal parts of what is selected; the N shards together ask each case once.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Ask nothing, and join the JSON reports of all shards of a run into the one of the whole.
    #[arg(long, value_name = "REPORT", num_args = 1.., conflicts_with_all = ["only", "set", "fixtures", "shard", "boundary"])]
    merge: Vec<PathBuf>,
    #[command(flatten)]
    isolation: IsolationArguments,
    #[command(flatten)]
    common: CommonArguments,
}

/// What the processes in which a boundary is asked may take.
#[derive(Args)]
struct IsolationArguments {
    /// How many processes ask at once; as many as there are cores where it is left out.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// How long one call to the boundary may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = seconds(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// How much memory of a process may be resident, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = mebibytes(), value_parser = clap::value_parser!(u64).range(64..=1 << 20))]
    memory: u64,
    /// Ask in the process of the kit itself, for a debugger: what ends the process ends the run.
    #[arg(long)]
    in_process: bool,
}

impl IsolationArguments {
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.time = Duration::from_secs(self.timeout);
        limits.memory = self.memory << 20;
        limits
    }
}

fn seconds() -> u64 {
    Limits::default().time.as_secs()
}

fn mebibytes() -> u64 {
    Limits::default().memory >> 20
}

#[derive(Args)]
struct ListArguments {
    /// List the ways in which a boundary is made bad on purpose instead, for `--boundary BASE+NAME`.
    #[arg(long)]
    decorations: bool,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Args)]
struct CommonArguments {
    /// The boundary that is asked: `reference`, which does everything, or `guard`, which only marks; with
    /// `+NAME`, made bad on purpose in one way (`boundary-kit list --decorations` shows each).
    #[arg(long, value_name = "BASE[+NAME]", default_value = boundary::DEFAULT)]
    boundary: Named,
    /// Who reads the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Subcommand)]
enum CorpusCommand {
    /// Read a corpus as strictly as can be, and name each fault by file and entry.
    Lint {
        /// The folder that holds requirements.json, markers.json, fixtures and sets.
        #[arg(default_value = "corpus")]
        folder: PathBuf,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for a person.
    Human,
    /// One JSON object.
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AtLevel {
    /// Only what a boundary must do.
    Must,
    /// Also what it should do.
    Should,
}

impl From<AtLevel> for Level {
    fn from(level: AtLevel) -> Self {
        match level {
            AtLevel::Must => Self::Must,
            AtLevel::Should => Self::Should,
        }
    }
}

/// The exit code of a command that could not write what it found.
const HARNESS_FAILED: u8 = 5;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Check(arguments) => check::run(arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Explain { id } => explain::run(&id),
        Command::SelfTest(arguments) => self_test::run(&arguments),
        Command::Corpus(CorpusCommand::Lint { folder }) => corpus::lint(&folder),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Nobody may be reading any more, so this may go nowhere.
            let _ = writeln!(io::stderr(), "cannot write the output: {}", error.kind());
            ExitCode::from(HARNESS_FAILED)
        }
    }
}

/// Whether standard output takes colours, and the user wants them.
fn colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
