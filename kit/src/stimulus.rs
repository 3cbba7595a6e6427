//! What a boundary is asked in one step of a case, owned, so that it can be sent again.

use std::collections::BTreeMap;

use boundary_contract::{Call, Grammar, Input, Payload, Policy, Recipe, Tool};
use boundary_corpus::{Fixture, Input as Stored};

use crate::placeholder;

/// One call to a boundary, owned.
#[derive(Debug, Clone)]
pub struct Stimulus {
    /// The tool that returned the result.
    pub tool: Tool,
    /// What it returned.
    pub input: Stored,
    /// Whose run it is.
    pub tenant: Option<String>,
    /// The policy that goes along; sent only to a boundary that claims `policy`.
    pub policy: Policy,
    /// Policies by tool name, as configured for the whole boundary; sent only to one that claims `policy`.
    pub per_tool: BTreeMap<String, Policy>,
}

impl Stimulus {
    /// A result of a tool that declares nothing, under the described defaults.
    #[must_use]
    pub fn new(input: impl Into<Stored>) -> Self {
        Self {
            tool: Tool::new("read_page"),
            input: input.into(),
            tenant: None,
            policy: Policy::default(),
            per_tool: BTreeMap::new(),
        }
    }

    /// A text, under the described defaults.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Stored::Payload(Payload::from(text.into())))
    }

    /// A JSON value, under the described defaults.
    #[must_use]
    pub fn json(value: serde_json::Value) -> Self {
        Self::new(Stored::Payload(Payload::from(value)))
    }

    /// A value too large or too deep to write down.
    #[must_use]
    pub fn recipe(recipe: Recipe) -> Self {
        Self::new(Stored::Recipe(recipe))
    }

    /// What a fixture sends to a boundary with this envelope, placeholders filled.
    #[must_use]
    pub fn of_fixture(fixture: &Fixture, grammar: Option<&Grammar>) -> Self {
        Self::new(placeholder::fill(&fixture.input, &fixture.id, grammar)).of(fixture.tool.clone())
    }

    /// The same result, of this tool.
    #[must_use]
    pub fn of(mut self, tool: Tool) -> Self {
        self.tool = tool;
        self
    }

    /// The call that it stands for.
    #[must_use]
    pub fn call(&self) -> Call<'_> {
        let mut call = match &self.input {
            Stored::Payload(payload) => Call::new(&self.tool, payload),
            Stored::Recipe(recipe) => Call::new(&self.tool, recipe),
            Stored::Raw(text) => Call::new(&self.tool, Input::Raw(text)),
        };
        call.tenant = self.tenant.as_deref();
        call.policy = self.policy;
        call.per_tool.clone_from(&self.per_tool);
        call
    }

    /// The value, if it is written down.
    #[must_use]
    pub fn payload(&self) -> Option<&Payload> {
        match &self.input {
            Stored::Payload(payload) => Some(payload),
            Stored::Recipe(_) | Stored::Raw(_) => None,
        }
    }
}
