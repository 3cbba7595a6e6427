//! The guard that only marks, held to everything that it claims.

use std::process::ExitCode;

use boundary_reference::Guard;

fn main() -> ExitCode {
    boundary_kit::trials(Guard::new)
}
