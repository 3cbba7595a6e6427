//! What the designs are put together from: one boundary that does whatever its description says.
//!
//! Types, depth and orders are left to the kit's smallest boundary, which is not what is tried here.
//! Everything in which designs differ is done anew: neutralising, encoding, cutting, wrapping, paths,
//! spans, policies and what is left out.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use boundary_kit::canary::Smallest;
use boundary_kit::contract::{
    AdapterFault, Attribute, Boundary, Call, Claim, Delivery, Description, Encoding, Event, Finding, Grammar,
    JsonGrammar, Nonce, NonceGrammar, OnForgery, OnSuspicion, Outcome, Payload, Policy, Refusal, RefusalKind, Slot,
    TagGrammar, Takes, Token, Units,
};
use boundary_kit::oracle::hidden::{self, Hidden};
use boundary_kit::oracle::marker::Reading;
use boundary_kit::oracle::markers_in;
use boundary_kit::subject::Subject;

/// How a design writes where a finding is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Paths {
    Pointer,
    Dotted,
    Bracketed,
}

/// A boundary that does what its description says, and nothing that it does not claim.
#[derive(Debug)]
pub struct Design {
    pub description: Description,
    pub paths: Paths,
    /// Whether it gives the optional fields of a delivery.
    pub gives_fields: bool,
    subject: Arc<Subject>,
    rendered: AtomicU64,
}

/// Everything that the kit can judge today.
pub const EVERYTHING: [Claim; 9] = [
    Claim::ReturnTypes,
    Claim::Envelope,
    Claim::Neutralise,
    Claim::Flag,
    Claim::Paths,
    Claim::Decode,
    Claim::Ceiling,
    Claim::Policy,
    Claim::Depth,
];

/// The same without depth, in which most designs do not differ and which takes most of the time.
pub const BUT_DEPTH: &[Claim] = EVERYTHING.split_at(8).0;

/// A description with the kinds of order that the parts know.
pub fn described(name: &str, claims: &[Claim]) -> Description {
    let mut description = Description::new(name, "1.0.0").claiming(claims.iter().copied());
    description.kinds = Smallest.describe().kinds.filter(|_| description.claims(Claim::Flag));
    description.policies = BTreeSet::from([OnSuspicion::Annotate, OnSuspicion::Fail]);
    description
}

impl Design {
    pub fn new(description: Description) -> Self {
        let subject = Subject::new(description.clone());
        Self { description, paths: Paths::Pointer, gives_fields: true, subject, rendered: AtomicU64::new(0) }
    }

    pub fn spelling(self, paths: Paths) -> Self {
        Self { paths, ..self }
    }

    pub fn without_fields(self) -> Self {
        Self { gives_fields: false, ..self }
    }

    fn claims(&self, claim: Claim) -> bool {
        self.description.claims(claim)
    }

    /// What the kit's smallest boundary makes of the value: refused, or with findings.
    fn scanned(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let mut tool = call.tool.clone();
        tool.returns = tool.returns.filter(|_| self.claims(Claim::ReturnTypes));
        let mut whole = call.clone();
        whole.tool = &tool;
        let max_depth = call.policy_in_force().max_depth.unwrap_or(self.description.defaults.max_depth);
        whole.policy = Policy {
            max_chars: Some(u64::MAX),
            max_depth: Some(if self.claims(Claim::Depth) { max_depth } else { u64::MAX }),
            on_suspicion: None,
        };
        Smallest.check(&whole)
    }

    /// A path in this design's spelling.
    fn path(&self, pointer: &str) -> String {
        let root = self.description.path_root.clone().unwrap_or_default();
        if self.paths == Paths::Pointer {
            return root + pointer;
        }
        pointer.split('/').skip(1).fold(root, |mut path, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            let plain = step.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '{' | '}'));
            let index = step.chars().all(|c| c.is_ascii_digit());
            let _ = match (self.paths, plain, index) {
                (Paths::Bracketed, _, true) => write!(path, "[{step}]"),
                (Paths::Bracketed, false, _) => write!(path, "[\"{step}\"]"),
                _ if path.is_empty() => write!(path, "{step}"),
                _ => write!(path, ".{step}"),
            };
            path
        })
    }

    /// The findings in this design's spelling, each with a span over the whole of its field.
    fn findings(&self, payload: &Payload, found: Vec<Finding>) -> Vec<Finding> {
        if !self.claims(Claim::Flag) {
            return Vec::new();
        }
        let placed = |finding: Finding| {
            let mut placed = Finding::new(finding.heuristic, self.path(&finding.path));
            if let Some(text) = payload.pointer(&finding.path).and_then(|view| view.as_str()) {
                placed.start = Some(0);
                placed.end = Some(length(text, self.description.units));
            }
            placed
        };
        found.into_iter().map(placed).collect()
    }

    /// Whether a text holds anything that could pass for structure, or hides.
    fn is_hostile(&self, text: &str) -> bool {
        self.is_forged(text) || hidden::find(text, Hidden::ALL).is_some()
    }

    fn is_forged(&self, text: &str) -> bool {
        let read = |reading| self.subject.markers().find(text, reading).is_some();
        let own = match &self.description.envelope {
            Some(grammar @ Grammar::Tag(_)) => markers_in(text, grammar, None).is_err(),
            _ => false,
        };
        own || read(Reading::Plain) || read(Reading::Entities)
    }

    /// The value with each hostile string made of plain words, or as it is where the encoding does that.
    fn neutralised(&self, payload: &Payload) -> Payload {
        let encoding = self.description.envelope.as_ref().map_or(Encoding::None, Grammar::encoding);
        if encoding != Encoding::None {
            return payload.clone();
        }
        let plain =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '\n' | '\t' | '.' | ',' | ':' | '\'' | '-');
        payload.map_strings(|text| {
            self.is_hostile(text).then(|| text.chars().map(|c| if plain(c) { c } else { '_' }).collect())
        })
    }

    /// The content as it stands, no longer than the ceiling, and how many bytes of the text that is.
    fn written(&self, text: &str, call: &Call<'_>) -> (String, usize) {
        let encoding = self.description.envelope.as_ref().map_or(Encoding::None, Grammar::encoding);
        let ceiling = call.policy_in_force().max_chars.unwrap_or(self.description.defaults.max_chars);
        let mut left = if self.claims(Claim::Ceiling) { ceiling } else { u64::MAX };
        let mut out = String::new();
        let mut one = String::new();
        for (at, c) in text.char_indices() {
            one.clear();
            encode(c, encoding, &mut one);
            match left.checked_sub(length(&one, self.description.units)) {
                Some(rest) => left = rest,
                None => return (out, at),
            }
            out.push_str(&one);
        }
        (out, text.len())
    }

    fn nonce(&self, content: &str, nonce: Nonce) -> String {
        let salt = self.rendered.fetch_add(1, Ordering::Relaxed);
        let mut state = if nonce == Nonce::Fresh { salt } else { 0 };
        loop {
            for byte in content.bytes() {
                state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
            state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
            let token = format!("{state:016x}");
            if !content.contains(&token) {
                return token;
            }
        }
    }

    fn render(&self, content: &str, slots: &dyn Fn(Slot) -> String) -> String {
        match self.description.envelope.as_ref().filter(|_| self.claims(Claim::Envelope)) {
            None => content.to_owned(),
            Some(Grammar::Tag(tag)) => tagged(tag, content, slots),
            Some(Grammar::Nonce(nonce)) => self.between(nonce, content, slots),
            Some(Grammar::Json(json)) => object(json, content, slots),
            Some(_) => String::new(),
        }
    }

    fn between(&self, grammar: &NonceGrammar, content: &str, slots: &dyn Fn(Slot) -> String) -> String {
        let nonce = self.nonce(content, grammar.nonce);
        let fill = |template: &str| {
            Slot::ALL.iter().fold(template.replace("{nonce}", &nonce), |text, slot| {
                let plain =
                    |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ') { c } else { '_' };
                text.replace(&format!("{{{slot}}}"), &slots(*slot).chars().map(plain).collect::<String>())
            })
        };
        let (open, close) = (fill(&grammar.open), fill(&grammar.close));
        format!("{}{open}\n{content}\n{close}{}", grammar.preamble, grammar.postamble)
    }
}

impl Boundary for Design {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let payload = call.payload()?;
        if self.description.takes == Takes::Text && payload.as_str().is_none() {
            return Err(AdapterFault::new("a structure was sent to a boundary of texts alone"));
        }
        let scanned = match self.scanned(call)? {
            Outcome::Delivered(delivery) => delivery,
            Outcome::Refused(mut refusal) => {
                refusal.at = refusal.at.map(|at| self.path(&at));
                return Ok(refusal.into());
            }
        };
        let forged = || texts(&payload).any(|text| self.is_forged(text));
        if self.description.on_forgery == OnForgery::Refuse && forged() {
            return Ok(Refusal::new(RefusalKind::Suspicion, "the result forges structure").into());
        }
        let findings = self.findings(&payload, scanned.findings);
        let policy = call.policy_in_force().on_suspicion.unwrap_or(self.description.defaults.on_suspicion);
        if policy == OnSuspicion::Fail && !findings.is_empty() {
            let mut refusal = Refusal::new(RefusalKind::Suspicion, "the result reads like an order");
            refusal.findings = findings;
            return Ok(refusal.into());
        }
        let text = match self.claims(Claim::Neutralise) {
            true => self.neutralised(&payload).to_text(),
            false => payload.to_text(),
        };
        let (content, kept) = self.written(&text, call);
        let truncated = kept < text.len();
        let flagged: BTreeSet<&str> = findings.iter().map(|finding| finding.heuristic.as_str()).collect();
        let slots = |slot| match slot {
            Slot::Source => call.tool.source.clone().unwrap_or_else(|| "tool_result".to_owned()),
            Slot::Tool => call.tool.name.clone(),
            Slot::Tenant => call.tenant.unwrap_or_default().to_owned(),
            Slot::Flagged => flagged.iter().copied().collect::<Vec<_>>().join(" "),
            Slot::Truncated => truncated.to_string(),
            _ => String::new(),
        };
        let mut delivery = Delivery::new(self.render(&content, &slots), &text[..kept]);
        delivery.truncated = truncated;
        if self.gives_fields {
            delivery.payload = Some(payload.into_owned());
            delivery.tool = Some(call.tool.name.clone());
            delivery.source = Some(slots(Slot::Source));
            delivery.tenant = call.tenant.map(str::to_owned);
            delivery.trust = Some("untrusted".to_owned());
            delivery.events = Some(findings.iter().map(|_| Event::new("tool_result_flagged")).take(1).collect());
        }
        delivery.findings = findings;
        Ok(delivery.into())
    }
}

fn length(text: &str, units: Units) -> u64 {
    let length = match units {
        Units::Bytes => text.len(),
        Units::Utf16 => text.encode_utf16().count(),
        _ => text.chars().count(),
    };
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn encode(c: char, encoding: Encoding, out: &mut String) {
    let plain = c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | ',' | '-');
    let _ = match encoding {
        Encoding::Entities if !plain && !matches!(c, '\n' | '\t') => write!(out, "&#{};", u32::from(c)),
        Encoding::Json if !plain => {
            c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
        }
        _ => write!(out, "{c}"),
    };
}

fn tagged(grammar: &TagGrammar, content: &str, slots: &dyn Fn(Slot) -> String) -> String {
    let mut open = format!("<{}", grammar.name);
    for (slot, attribute) in &grammar.attributes {
        let value = attribute.always().map_or_else(|| slots(*slot), str::to_owned);
        let mut escaped = String::new();
        value.chars().for_each(|c| match c {
            '\n' | '\t' => {
                let _ = write!(escaped, "&#{};", u32::from(c));
            }
            c => encode(c, Encoding::Entities, &mut escaped),
        });
        let _ = write!(open, " {}=\"{escaped}\"", Attribute::name(attribute));
    }
    for (name, value) in &grammar.extra {
        let _ = write!(open, " {name}=\"{value}\"");
    }
    format!("{}{open}>\n{content}\n</{}>{}", grammar.preamble, grammar.name, grammar.postamble)
}

fn object(grammar: &JsonGrammar, content: &str, slots: &dyn Fn(Slot) -> String) -> String {
    let text = |value: &str| {
        let mut quoted = String::new();
        value.chars().for_each(|c| encode(c, Encoding::Json, &mut quoted));
        format!("\"{quoted}\"")
    };
    let mut members = vec![(&grammar.content, format!("\"{content}\""))];
    let optional = [
        (&grammar.trust, text("untrusted")),
        (&grammar.source, text(&slots(Slot::Source))),
        (&grammar.tool, text(&slots(Slot::Tool))),
        (&grammar.tenant, text(&slots(Slot::Tenant))),
        (
            &grammar.flagged,
            format!("[{}]", slots(Slot::Flagged).split_whitespace().map(text).collect::<Vec<_>>().join(",")),
        ),
        (&grammar.truncated, slots(Slot::Truncated)),
    ];
    members.extend(optional.iter().filter_map(|(pointer, value)| Some((pointer.as_ref()?, value.clone()))));
    let members: Vec<String> = members.iter().map(|(at, value)| format!("{}:{value}", text(&at[1..]))).collect();
    format!("{}{{{}}}{}", grammar.preamble, members.join(","), grammar.postamble)
}

/// The strings and keys of a value.
fn texts(payload: &Payload) -> impl Iterator<Item = &str> {
    payload.tokens().filter_map(|token| match token {
        Token::String(text) | Token::Key(text) => Some(text),
        _ => None,
    })
}
