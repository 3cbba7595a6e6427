//! Spans and ceilings that count bytes.

use boundary_kit::contract::Units;

use super::{Design, EVERYTHING, described, tag};

/// The boundary: a letter with an accent is two, and no cut goes through it.
pub fn boundary() -> Design {
    let mut description = described("counts-bytes", &EVERYTHING).envelope(tag());
    description.units = Units::Bytes;
    Design::new(description)
}
