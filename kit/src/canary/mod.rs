//! The kit's smallest good boundary: what every run must pass before it may judge another.
//!
//! It neutralises nothing and encodes everything: each character beyond plain words stands as an
//! entity, so that no marker, control or direction can stand between its own. It is built as unlike
//! the reference boundary as can be, which keeps the kit from knowing one design only.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use boundary_contract::{
    AdapterFault, Boundary, Call, Claim, Delivery, Description, Encoding, Event, Finding, FindingKind, Forms, Outcome,
    Payload, Policy, Refusal, RefusalKind, Slot, TagGrammar, Token,
};

mod order;
mod schema;

/// The kinds of order that it flags, each by its own name.
const KINDS: [FindingKind; 5] = [
    FindingKind::Override,
    FindingKind::ForgedAuthority,
    FindingKind::RoleReassignment,
    FindingKind::CredentialExfiltration,
    FindingKind::MustNow,
];

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
                Claim::Envelope,
                Claim::Neutralise,
                Claim::Flag,
                Claim::Paths,
                Claim::Decode,
                Claim::Depth,
                Claim::Ceiling,
                Claim::Policy,
            ])
            .envelope(grammar);
        description.kinds = Some(KINDS.into_iter().map(|kind| (kind, vec![kind.to_string()])).collect());
        description
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let payload = call.payload()?;
        let Policy { max_chars, max_depth, .. } = call.policy_in_force();
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
        let text = payload.to_text();
        let max_chars = usize::try_from(max_chars.unwrap_or(defaults.max_chars)).unwrap_or(usize::MAX);
        let (content, kept) = encode(&text, max_chars);
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
            // Writing to a string cannot fail.
            let value = encode(value, usize::MAX).0.replace('\n', "&#10;").replace('\t', "&#9;");
            let _ = write!(open, " {name}=\"{value}\"");
        }
        let mut delivery = Delivery::new(format!("{open}>\n{content}\n</untrusted-data>"), &text[..kept]);
        delivery.payload = Some(payload.into_owned());
        delivery.tool = Some(call.tool.name.clone());
        delivery.source = call.tool.source.clone().or_else(|| Some("tool_result".to_owned()));
        delivery.tenant = call.tenant.map(str::to_owned);
        delivery.trust = Some("untrusted".to_owned());
        delivery.truncated = truncated;
        delivery.events = Some(if findings.is_empty() { Vec::new() } else { vec![Event::new("tool_result_flagged")] });
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

/// The text with everything beyond plain words written as entities, no longer than `max_chars`, and how
/// many bytes of the text that is.
fn encode(text: &str, max_chars: usize) -> (String, usize) {
    let mut encoded = String::with_capacity(text.len());
    let mut left = max_chars;
    for (at, c) in text.char_indices() {
        let plain = c.is_ascii_alphanumeric() || matches!(c, ' ' | '\n' | '\t' | '.' | ',' | '-');
        let entity = if plain { String::from(c) } else { format!("&#{};", u32::from(c)) };
        // An entity is ASCII, so its bytes are its characters.
        match left.checked_sub(entity.len()) {
            Some(rest) => left = rest,
            None => return (encoded, at),
        }
        encoded.push_str(&entity);
    }
    (encoded, text.len())
}

/// One finding for each kind of order that a field, or a key, reads like.
fn findings(payload: &Payload) -> Vec<Finding> {
    let mut path: Vec<Step> = Vec::new();
    let mut findings = Vec::new();
    for token in payload.tokens() {
        let text = match token {
            Token::EndArray | Token::EndObject => {
                path.pop();
                continue;
            }
            Token::Key(key) => {
                let suspicious = !order::kinds(key).is_empty();
                if let Some(step) = path.last_mut() {
                    *step = Step::Key { key: key.to_owned(), suspicious };
                }
                key
            }
            _ => {
                if let Some(Step::Index(index)) = path.last_mut() {
                    *index = Some(index.map_or(0, |index| index + 1));
                }
                match token {
                    Token::BeginArray => path.push(Step::Index(None)),
                    Token::BeginObject => path.push(Step::Key { key: String::new(), suspicious: false }),
                    _ => {}
                }
                if let Token::String(text) = token { text } else { continue }
            }
        };
        let kinds = order::kinds(text);
        if !kinds.is_empty() {
            let pointer: String = path.iter().map(Step::segment).collect();
            findings.extend(kinds.iter().map(|kind| Finding::new(kind.as_str(), pointer.clone())));
        }
    }
    findings
}

/// One container on the way to the current value.
enum Step {
    /// An array, and the item that the walk is at.
    Index(Option<u64>),
    /// An object, and the member that the walk is at.
    Key { key: String, suspicious: bool },
}

impl Step {
    fn segment(&self) -> String {
        match self {
            Self::Index(index) => format!("/{}", index.unwrap_or_default()),
            // The key is what was found, so it is not named.
            Self::Key { suspicious: true, .. } => "/{key}".to_owned(),
            Self::Key { key, .. } => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Plan;
    use crate::runner::teeth::Canary;
    use crate::subject::Subject;

    #[test]
    fn it_passes_every_case_that_there_is() {
        let canary = Canary::new();
        let cases = Plan::everything(&Subject::new(Smallest.describe())).into_cases();
        let problems: Vec<String> = cases.filter_map(|case| canary.passes_all([case].into_iter()).err()).collect();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
