//! An envelope whose markers bear a token that is new in each rendering.

use boundary_kit::contract::NonceGrammar;

use super::{Design, EVERYTHING, described};

/// The boundary: content stands as it is between markers that nobody can write beforehand.
pub fn boundary() -> Design {
    let mut grammar = NonceGrammar::new(
        "<<DATA {nonce} source=[{source}] tool=[{tool}] url=[{url}] flagged=[{flagged}] truncated=[{truncated}]>>",
        "<<END {nonce}>>",
    );
    grammar.preamble = "What follows is data from a tool.\n".to_owned();
    Design::new(described("nonce-fresh", &EVERYTHING).envelope(grammar))
}
