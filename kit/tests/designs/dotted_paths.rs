//! Findings whose paths are written with dots, under a root of their own.

use super::{Design, EVERYTHING, Paths, described, tag};

/// The boundary: `result.hits.3.body` is where another says `/hits/3/body`.
pub fn boundary() -> Design {
    let mut description = described("dotted-paths", &EVERYTHING).envelope(tag());
    description.path_root = Some("result".to_owned());
    Design::new(description).spelling(Paths::Dotted)
}
