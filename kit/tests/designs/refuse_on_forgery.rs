//! Forged structure that is refused outright, while what only hides is neutralised.

use boundary_kit::contract::OnForgery;

use super::{Design, EVERYTHING, described, tag};

/// The boundary: a result with a turn marker, or with a marker of its own envelope, is delivered to nobody.
pub fn boundary() -> Design {
    let mut description = described("refuses-forgery", &EVERYTHING).envelope(tag());
    description.on_forgery = OnForgery::Refuse;
    Design::new(description)
}
