//! A result that was not let through, as an error of Rust's.

use std::fmt;

use boundary_contract::{Event, Finding, Forms, Refusal, RefusalKind};

/// A tool result that was refused, and why.
///
/// Its `Display` and `Debug` forms hold names, places and numbers, and no text of the result, so that an error that ends
/// up in a log takes nothing along. It has no [`source`](std::error::Error::source): the errors underneath quote.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedResult {
    /// Why, in one word.
    pub kind: RefusalKind,
    /// Why, in a sentence for an operator.
    pub message: String,
    /// Where in the value, as a JSON Pointer with undeclared keys withheld; for a return type only.
    pub at: Option<String>,
    /// Which keyword of the declared schema was violated; for a return type only.
    pub violated: Option<String>,
    /// What read like an order; for suspicion only.
    pub findings: Vec<Finding>,
    /// What should be recorded about the result; for suspicion only. Boxed, to keep the error small.
    pub event: Option<Box<Event>>,
}

impl RefusedResult {
    pub(crate) fn new(kind: RefusalKind, message: String) -> Self {
        Self { kind, message, at: None, violated: None, findings: Vec::new(), event: None }
    }
}

impl fmt::Display for RefusedResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool result refused ({}): {}", self.kind, self.message)
    }
}

impl std::error::Error for RefusedResult {}

impl From<RefusedResult> for Refusal {
    fn from(refused: RefusedResult) -> Self {
        let forms = Forms::of(&refused);
        let mut refusal = Self::new(refused.kind, refused.message);
        // The same result would be refused again, whoever asks.
        refusal.retry = Some(false);
        refusal.at = refused.at;
        refusal.violated = refused.violated;
        refusal.findings = refused.findings;
        refusal.events = Some(refused.event.into_iter().map(|event| *event).collect());
        refusal.forms = Some(forms);
        refusal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_carries_the_forms_of_the_error() {
        let refusal = Refusal::from(RefusedResult::new(RefusalKind::Depth, "deeper than 8".to_owned()));
        assert_eq!(refusal.retry, Some(false));
        let forms = refusal.forms.unwrap();
        assert_eq!(forms.display, "tool result refused (depth): deeper than 8");
        assert!(forms.debug.contains("Depth") && forms.chain.is_empty());
    }
}
