//! The reference boundary, held to everything that it claims.

use std::process::ExitCode;

use boundary_reference::Reference;

fn main() -> ExitCode {
    boundary_kit::trials(Reference::default)
}
