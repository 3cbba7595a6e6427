//! What a boundary is asked: one tool result, and the policy that it stands under.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AdapterFault, OnSuspicion, Payload, Recipe};

/// One tool result on its way to the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Call<'a> {
    /// The tool that returned it.
    pub tool: &'a Tool,
    /// What it returned.
    pub input: Input<'a>,
    /// Whose run it is.
    pub tenant: Option<&'a str>,
    /// The policy that it stands under; absent fields are the described defaults.
    pub policy: Policy,
    /// Policies by tool name, as configured for the whole boundary.
    pub per_tool: BTreeMap<String, Policy>,
}

impl<'a> Call<'a> {
    /// A call under the described defaults.
    #[must_use]
    pub fn new(tool: &'a Tool, input: impl Into<Input<'a>>) -> Self {
        Self { tool, input: input.into(), tenant: None, policy: Policy::default(), per_tool: BTreeMap::new() }
    }

    /// The value that the tool returned, built first where it is described by a recipe.
    ///
    /// # Errors
    ///
    /// [`AdapterFault`] for raw JSON text, which only a boundary with the claim `json-text` is sent,
    /// and which it reads from [`input`](Self::input).
    pub fn payload(&self) -> Result<Cow<'a, Payload>, AdapterFault> {
        match self.input {
            Input::Payload(payload) => Ok(Cow::Borrowed(payload)),
            Input::Recipe(recipe) => Ok(Cow::Owned(recipe.build())),
            Input::Raw(_) => Err(AdapterFault::new("raw JSON text was sent to an adapter that reads values")),
        }
    }

    /// The policy in force for this call's tool: the call's own fields, then those configured for
    /// the tool by name.
    #[must_use]
    pub fn policy_in_force(&self) -> Policy {
        let tool = self.per_tool.get(&self.tool.name).copied().unwrap_or_default();
        Policy {
            on_suspicion: self.policy.on_suspicion.or(tool.on_suspicion),
            max_chars: self.policy.max_chars.or(tool.max_chars),
            max_depth: self.policy.max_depth.or(tool.max_depth),
        }
    }
}

/// What a tool returned, in one of the three ways in which it can be said.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Input<'a> {
    /// A value.
    Payload(&'a Payload),
    /// JSON text, not yet read.
    Raw(&'a str),
    /// How to build a value that is too large or too deep to send.
    Recipe(&'a Recipe),
}

impl<'a> From<&'a Payload> for Input<'a> {
    fn from(payload: &'a Payload) -> Self {
        Self::Payload(payload)
    }
}

impl<'a> From<&'a Recipe> for Input<'a> {
    fn from(recipe: &'a Recipe) -> Self {
        Self::Recipe(recipe)
    }
}

/// A tool, as far as its result is concerned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Tool {
    /// Its name. An untrusted server may have chosen it.
    pub name: String,
    /// What it declares to return: JSON Schema 2020-12, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Value>,
    /// Where the result came from, as a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Where the result came from, as a URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When it was fetched, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched_at: Option<String>,
}

impl Tool {
    /// A tool that declares nothing.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), returns: None, source: None, url: None, fetched_at: None }
    }

    /// The same tool, declaring what it returns.
    #[must_use]
    pub fn returning(mut self, schema: Value) -> Self {
        self.returns = Some(schema);
        self
    }

    /// The same tool, with the source of its result.
    #[must_use]
    pub fn from_source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }
}

/// What one result may cost, and what suspicion does. Absent fields are the described defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// What happens to a result that reads like an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_suspicion: Option<OnSuspicion>,
    /// The most content that is rendered, in the described units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_chars: Option<u64>,
    /// The deepest value that is walked: the number of containers around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_text_is_an_adapter_fault_for_who_reads_values() {
        let tool = Tool::new("read_page");
        let call = Call::new(&tool, Input::Raw("[1]"));
        let fault = call.payload().unwrap_err().to_string();
        assert_eq!(fault, "adapter fault: raw JSON text was sent to an adapter that reads values");
    }

    #[test]
    fn the_calls_own_policy_goes_before_the_tools() {
        let (tool, payload) = (Tool::new("read_page"), Payload::null());
        let mut call = Call::new(&tool, &payload);
        call.policy.max_chars = Some(10);
        let of_tool = Policy { max_chars: Some(99), max_depth: Some(3), on_suspicion: None };
        call.per_tool.insert("read_page".into(), of_tool);
        call.per_tool.insert("other".into(), Policy { on_suspicion: Some(OnSuspicion::Fail), ..Policy::default() });
        let in_force = Policy { max_chars: Some(10), max_depth: Some(3), on_suspicion: None };
        assert_eq!(call.policy_in_force(), in_force);
    }
}
