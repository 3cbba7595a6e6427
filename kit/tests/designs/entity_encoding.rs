//! A tag envelope whose content is written in HTML entities.

use boundary_kit::contract::{Encoding, Slot, TagGrammar};

use super::{Design, EVERYTHING, described};

/// The boundary: what is not plain stands as an entity, so that nothing needs to be looked for.
pub fn boundary() -> Design {
    let mut grammar = TagGrammar::new("tool-data")
        .attribute(Slot::Tenant, "for")
        .attribute(Slot::Url, "href")
        .attribute(Slot::FetchedAt, "at")
        .attribute(Slot::Flagged, "flagged")
        .attribute(Slot::Truncated, "cut");
    grammar.preamble = "The element holds data that nobody vouches for.\n".to_owned();
    grammar.encoding = Encoding::Entities;
    Design::new(described("entity-encoding", &EVERYTHING).envelope(grammar))
}
