//! The smallest good guard: it marks what reads like an order and hands every text on as it came.

use boundary_contract::{AdapterFault, Boundary, Call, Claim, Delivery, Description, Outcome};

use super::described_kinds;
use super::scan::findings;

/// The smallest good boundary of those that only mark, for the requirements that one with an envelope
/// cannot meet.
#[derive(Debug, Clone, Copy)]
pub struct SmallestGuard;

impl Boundary for SmallestGuard {
    fn describe(&self) -> Description {
        let claims = [Claim::Flag, Claim::UnchangedText];
        let mut description = Description::new("smallest-guard", env!("CARGO_PKG_VERSION")).claiming(claims);
        description.kinds = Some(described_kinds());
        description
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let payload = call.payload()?;
        let text = payload.to_text();
        let mut delivery = Delivery::new(text.clone(), text);
        delivery.findings = findings(&payload);
        let kinds: Vec<&str> = delivery.findings.iter().map(|finding| finding.heuristic.as_str()).collect();
        delivery.reason =
            Some(if kinds.is_empty() { String::new() } else { format!("reads like: {}", kinds.join(", ")) });
        delivery.payload = Some(payload.into_owned());
        Ok(delivery.into())
    }
}
