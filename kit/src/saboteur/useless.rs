//! The four useless boundaries: each claims what a good one claims and does nothing for it.
//!
//! A kit that passes one of them in any area that it claims is no kit.

use boundary_contract::{
    AdapterFault, Boundary, Call, Delivery, Description, Finding, Input, Outcome, Payload, Refusal, RefusalKind,
};

/// What a useless boundary does with every result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Useless {
    /// Delivers it bare, as it came.
    PassThrough,
    /// Refuses it.
    RefuseEverything,
    /// Delivers it bare, as it came, and flags it.
    FlagEverything,
    /// Delivers an envelope with nothing in it.
    EmptyText,
}

impl Useless {
    /// All four.
    pub const ALL: &'static [Self] =
        &[Self::PassThrough, Self::RefuseEverything, Self::FlagEverything, Self::EmptyText];

    /// Its permanent name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PassThrough => "pass-through",
            Self::RefuseEverything => "refuse-everything",
            Self::FlagEverything => "flag-everything",
            Self::EmptyText => "empty-text",
        }
    }

    /// A boundary that is useless so, with the description of a good one.
    pub fn instead_of<B: Boundary>(self, good: B) -> impl Boundary {
        Instead { good, useless: self }
    }
}

struct Instead<B> {
    good: B,
    useless: Useless,
}

impl<B: Boundary> Boundary for Instead<B> {
    fn describe(&self) -> Description {
        self.good.describe()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        match self.useless {
            Useless::PassThrough => Ok(bare(call)?.into()),
            Useless::RefuseEverything => Ok(Refusal::new(RefusalKind::Suspicion, "refused").into()),
            Useless::FlagEverything => {
                let mut delivery = bare(call)?;
                let names = self.describe().kinds.into_iter().flatten().flat_map(|(_, names)| names);
                delivery.findings = names.map(|name| Finding::new(name, "")).collect();
                if delivery.findings.is_empty() {
                    delivery.findings.push(Finding::new("suspicious", ""));
                }
                Ok(delivery.into())
            }
            Useless::EmptyText => {
                let (empty, mut tool) = (Payload::from(""), call.tool.clone());
                tool.returns = None;
                let mut changed = call.clone();
                changed.input = (&empty).into();
                changed.tool = &tool;
                self.good.check(&changed)
            }
        }
    }
}

/// The result as it came, without an envelope.
fn bare(call: &Call<'_>) -> Result<Delivery, AdapterFault> {
    if let Input::Raw(text) = call.input {
        return Ok(Delivery::new(text, text));
    }
    let payload = call.payload()?;
    let mut delivery = Delivery::new(payload.to_text(), payload.to_text());
    delivery.payload = Some(payload.into_owned());
    Ok(delivery)
}
