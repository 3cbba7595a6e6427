//! What a boundary owes: one row of the catalogue.

use std::fmt;
use std::str::FromStr;

use boundary_contract::{Claim, Description, UnknownClaim};

use crate::fields::Fields;
use crate::id::RequirementId;
use crate::json::Json;
use crate::words::words;

/// One thing that a boundary owes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requirement {
    /// Its permanent name.
    pub id: RequirementId,
    /// How much it is owed.
    pub level: Level,
    /// What a boundary must claim for this to be asked of it: all of these; none means that any claim will do.
    pub claims: Vec<Need>,
    /// What is owed, in one sentence.
    pub sentence: String,
    /// Why it is owed.
    pub why: String,
    /// What failing looks like.
    pub failing: String,
    /// How implementations usually fix it.
    pub fix: String,
    /// Where it comes from: keys of [`Corpus::sources`](crate::Corpus::sources).
    pub sources: Vec<String>,
    /// The version of the corpus in which it first stood.
    pub since: String,
    /// Whether this version judges it. What is not built yet is listed and never a pass.
    pub built: bool,
}

impl Requirement {
    /// The area that it belongs to, for example `flag`.
    #[must_use]
    pub fn area(&self) -> &str {
        self.id.area()
    }
}

words! {
    /// How much something is owed, from the heavier to the lighter.
    pub Level, "level" {
        /// A boundary that fails it is nonconformant.
        Must = "must",
        /// A boundary that fails it is warned.
        Should = "should",
    }
}

/// A claim that a requirement asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// This claim.
    Claim(Claim),
    /// The messages of any one provider: `wire` in the data.
    AnyWire,
}

impl Need {
    /// Whether a boundary that describes itself so has what is asked for.
    #[must_use]
    pub fn is_met_by(self, description: &Description) -> bool {
        match self {
            Self::Claim(claim) => description.claims(claim),
            Self::AnyWire => description.claims.iter().any(|claim| matches!(claim, Claim::Wire(_))),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Claim(claim) => f.pad(claim.as_str()),
            Self::AnyWire => f.pad("wire"),
        }
    }
}

impl FromStr for Need {
    type Err = UnknownClaim;

    fn from_str(text: &str) -> Result<Self, UnknownClaim> {
        if text == "wire" { Ok(Self::AnyWire) } else { text.parse().map(Self::Claim) }
    }
}

impl Requirement {
    /// Reads one entry of `requirements.json`.
    pub(crate) fn read(json: Json) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(json);
        let id = fields.word("id");
        let level = fields.word("level");
        if !fields.has("claims") {
            fields.problem("field `claims` is missing: write [] for any claim");
        }
        let claims = fields.optional_words("claims");
        let sentence = fields.string("sentence");
        let why = fields.string("why");
        let failing = fields.string("failing");
        let fix = fields.string("fix");
        let sources = fields.strings("sources");
        let since = fields.string("since");
        let built = fields.bool("built");
        if sources.is_empty() {
            fields.problem("names no source");
        }
        match (id, level, fields.finish()) {
            (Some(id), Some(level), problems) if problems.is_empty() => {
                Ok(Self { id, level, claims, sentence, why, failing, fix, sources, since, built })
            }
            (_, _, problems) => Err(problems),
        }
    }
}

#[cfg(test)]
mod tests {
    use boundary_contract::Provider;

    use super::*;

    #[test]
    fn a_need_is_met_by_its_own_claim_alone() {
        let plain = Description::new("b", "1").claim(Claim::Flag);
        let wired = Description::new("b", "1").claim(Claim::Wire(Provider::Mcp));
        assert!(Need::Claim(Claim::Flag).is_met_by(&plain));
        assert!(!Need::Claim(Claim::Flag).is_met_by(&wired));
        assert!(Need::AnyWire.is_met_by(&wired));
        assert!(!Need::AnyWire.is_met_by(&plain));
    }

    #[test]
    fn a_need_survives_its_text_form_and_an_unknown_one_is_refused() {
        for need in [Need::AnyWire, Need::Claim(Claim::Paths), Need::Claim(Claim::Wire(Provider::Mcp))] {
            assert_eq!(need.to_string().parse::<Need>().unwrap(), need);
        }
        let error = "wires".parse::<Need>().unwrap_err().to_string();
        assert!(error.starts_with("unknown claim `wires`, expected one of: return-types"), "{error}");
    }
}
