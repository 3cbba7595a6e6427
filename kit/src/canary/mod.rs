//! The kit's smallest good boundary: what every run must pass before it may judge another.
//!
//! It neutralises nothing and encodes everything: each character beyond plain words stands as an
//! entity, so that no marker, control or direction can stand between its own. It is built as unlike
//! the reference boundary as can be, which keeps the kit from knowing one design only.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use boundary_contract::{
    AdapterFault, Boundary, Call, Claim, Delivery, Description, Encoding, Event, Finding, FindingKind, Forms, Input,
    OnSuspicion, Outcome, Policy, Refusal, RefusalKind, Slot, TagGrammar,
};

mod cut;
mod disguise;
mod marker;
mod order;
mod scan;
mod schema;

pub use marker::SmallestGuard;
use scan::findings;

use crate::oracle::json;

/// The policies that it has, of which the first is its default.
const POLICIES: [OnSuspicion; 3] = [OnSuspicion::Annotate, OnSuspicion::Truncate, OnSuspicion::Fail];

/// How many characters of a name its envelope shows: whoever names a tool bounds no rendering.
const NAME_CHARS: usize = 200;

/// The kinds of order that it flags, each by its own name.
const KINDS: &[FindingKind] = FindingKind::ALL;

/// The kit's smallest good boundary.
#[derive(Debug, Clone, Copy)]
pub struct Smallest;

impl Boundary for Smallest {
    fn describe(&self) -> Description {
        let mut grammar = TagGrammar::new("untrusted-data")
            .attribute(Slot::Source, "source")
            .attribute(Slot::Tool, "tool")
            .attribute(Slot::Tenant, "tenant")
            .attribute(Slot::Flagged, "flagged")
            .attribute(Slot::Truncated, "truncated");
        grammar.encoding = Encoding::Entities;
        let mut description = Description::new("smallest", env!("CARGO_PKG_VERSION"))
            .claiming([
                Claim::ReturnTypes,
                Claim::JsonText,
                Claim::Envelope,
                Claim::Neutralise,
                Claim::Flag,
                Claim::Paths,
                Claim::Decode,
                Claim::Depth,
                Claim::Ceiling,
                Claim::Policy,
                Claim::Record,
            ])
            .envelope(grammar);
        description.kinds = Some(described_kinds());
        description.policies = POLICIES.into();
        description
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let payload = match call.input {
            Input::Raw(raw) => match json::read(raw) {
                Ok(payload) => Cow::Owned(payload),
                Err(_) => {
                    let message = format!("the result of `{}` is not JSON", call.tool.name);
                    return Ok(refusal(RefusalKind::Malformed, message, None));
                }
            },
            _ => call.payload()?,
        };
        let Policy { on_suspicion, max_chars, max_depth } = call.policy_in_force();
        let on_suspicion = on_suspicion.unwrap_or(POLICIES[0]);
        if !POLICIES.contains(&on_suspicion) {
            let message = format!("the policy `{on_suspicion}`, expected one of: annotate, truncate, fail");
            return Ok(refusal(RefusalKind::Usage, message, None));
        }
        let defaults = self.describe().defaults;
        let max_depth = max_depth.unwrap_or(defaults.max_depth);
        let too_deep = u64::try_from(payload.depth()).is_ok_and(|depth| depth > max_depth);
        if let Some(schema) = &call.tool.returns {
            let violation = if too_deep {
                schema::root_violation(schema, payload.root())
            } else {
                schema::violation(schema, payload.root())
            };
            if let Some((at, keyword)) = violation {
                let message = format!("`{}` broke its return type: {keyword} at `{at}`", call.tool.name);
                return Ok(refusal(RefusalKind::ReturnType, message, Some((at, keyword))));
            }
        }
        if too_deep {
            let message = format!("the result of `{}` is deeper than {max_depth}", call.tool.name);
            return Ok(refusal(RefusalKind::Depth, message, None));
        }
        let findings = findings(&payload);
        if on_suspicion == OnSuspicion::Fail && !findings.is_empty() {
            return Ok(suspicion(&call.tool.name, findings));
        }
        let text = payload.to_text();
        let wanted = match on_suspicion {
            OnSuspicion::Truncate if !findings.is_empty() => cut::before_an_order(&payload, &text),
            _ => text.len(),
        };
        let max_chars = usize::try_from(max_chars.unwrap_or(defaults.max_chars)).unwrap_or(usize::MAX);
        let (content, kept) = cut::at_the_ceiling(&text[..wanted], max_chars);
        let truncated = kept < text.len();
        let mut open = String::from("<untrusted-data");
        let flagged: BTreeSet<&str> = findings.iter().map(|finding| finding.heuristic.as_str()).collect();
        let flagged = flagged.into_iter().collect::<Vec<_>>().join(" ");
        for (name, value) in [
            ("source", call.tool.source.as_deref().unwrap_or("tool_result")),
            ("tool", &call.tool.name),
            ("tenant", call.tenant.unwrap_or_default()),
            ("flagged", &flagged),
            ("truncated", if truncated { "true" } else { "false" }),
        ] {
            let value: String = value.chars().take(NAME_CHARS).map(encoded).collect();
            // Writing to a string cannot fail.
            let _ = write!(open, " {name}=\"{}\"", value.replace('\n', "&#10;").replace('\t', "&#9;"));
        }
        let mut delivery = Delivery::new(format!("{open}>\n{content}\n</untrusted-data>"), &text[..kept]);
        delivery.payload = Some(payload.into_owned());
        delivery.tool = Some(call.tool.name.clone());
        delivery.source = call.tool.source.clone().or_else(|| Some("tool_result".to_owned()));
        delivery.tenant = call.tenant.map(str::to_owned);
        delivery.trust = Some("untrusted".to_owned());
        delivery.truncated = truncated;
        delivery.events = Some(events(&findings));
        delivery.findings = findings;
        Ok(delivery.into())
    }
}

fn refusal(kind: RefusalKind, message: String, violation: Option<(String, &'static str)>) -> Outcome {
    let mut forms = Forms::default();
    forms.display.clone_from(&message);
    forms.debug = format!("{message:?}");
    let mut refusal = Refusal::new(kind, message);
    refusal.retry = Some(false);
    refusal.forms = Some(forms);
    if let Some((at, keyword)) = violation {
        refusal.at = Some(at);
        refusal.violated = Some(keyword.to_owned());
    }
    refusal.into()
}

/// The refusal of a result that reads like an order.
fn suspicion(tool: &str, findings: Vec<Finding>) -> Outcome {
    let kinds: BTreeSet<&str> = findings.iter().map(|finding| finding.heuristic.as_str()).collect();
    let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
    let mut outcome = refusal(RefusalKind::Suspicion, format!("the result of `{tool}` reads like: {kinds}"), None);
    if let Outcome::Refused(refusal) = &mut outcome {
        refusal.events = Some(events(&findings));
        refusal.findings = findings;
    }
    outcome
}

/// What is recorded of a result with these findings: one event for all of them, or none.
fn events(findings: &[Finding]) -> Vec<Event> {
    if findings.is_empty() {
        return Vec::new();
    }
    let mut event = Event::new("tool_result_flagged");
    event.heuristics = findings.iter().map(|finding| finding.heuristic.clone()).collect();
    event.paths = findings.iter().map(|finding| finding.path.clone()).collect();
    vec![event]
}

fn described_kinds() -> BTreeMap<FindingKind, Vec<String>> {
    KINDS.iter().map(|kind| (*kind, vec![kind.to_string()])).collect()
}

/// A character of plain words as it is, any other as an entity.
fn encoded(c: char) -> String {
    let plain = c.is_ascii_alphanumeric() || matches!(c, ' ' | '\n' | '\t' | '.' | ',' | '-');
    if plain { String::from(c) } else { format!("&#{};", u32::from(c)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Plan;
    use crate::runner::teeth::Canary;
    use crate::subject::Subject;

    #[test]
    fn it_passes_every_case_that_there_is() {
        passes_everything(&Canary::new(), &Smallest);
    }

    #[test]
    fn the_guard_passes_every_case_that_there_is_for_it() {
        passes_everything(&Canary::guard(), &SmallestGuard);
    }

    fn passes_everything(canary: &Canary, boundary: &dyn Boundary) {
        let cases: Vec<_> = Plan::everything(&Subject::new(boundary.describe())).into_cases().collect();
        assert!(cases.len() > 20);
        let problems: Vec<String> =
            cases.into_iter().filter_map(|case| canary.passes_all([case].into_iter()).err()).collect();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
