//! An envelope that is one JSON object, which no string inside it can leave.

use boundary_kit::contract::JsonGrammar;

use super::{Design, EVERYTHING, described};

/// The boundary: everything odd stands in escapes, and each thing that is said has a member of its own.
pub fn boundary() -> Design {
    let mut grammar = JsonGrammar::new("/content");
    grammar.trust = Some("/trust".to_owned());
    grammar.source = Some("/source".to_owned());
    grammar.tool = Some("/tool".to_owned());
    grammar.tenant = Some("/tenant".to_owned());
    grammar.flagged = Some("/flags".to_owned());
    grammar.truncated = Some("/truncated".to_owned());
    Design::new(described("json-object", &EVERYTHING).envelope(grammar))
}
