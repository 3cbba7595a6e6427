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
    AdapterFault, Boundary, Call, Claim, Delivery, Description, Encoding, Event, Finding, Grammar, Input, Nonce,
    NonceGrammar, OnForgery, OnSuspicion, Outcome, Payload, Policy, Refusal, RefusalKind, Slot, Takes,
};
use boundary_kit::oracle::hidden::{self, Hidden};
use boundary_kit::oracle::marker::Reading;
use boundary_kit::oracle::markers_in;
use boundary_kit::subject::Subject;

use writing::{encode, is_plain, is_unseen, length, object, tagged, texts};

#[path = "writing.rs"]
mod writing;

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
pub const EVERYTHING: [Claim; 11] = [
    Claim::ReturnTypes,
    Claim::Envelope,
    Claim::Neutralise,
    Claim::Flag,
    Claim::Paths,
    Claim::Decode,
    Claim::Ceiling,
    Claim::Policy,
    Claim::Record,
    Claim::Depth,
    Claim::JsonText,
];

/// The same without depth and JSON text, in which most designs do not differ and which take most of the time.
pub const BUT_DEPTH: &[Claim] = EVERYTHING.split_at(9).0;

/// A description with the kinds of order that the parts know.
pub fn described(name: &str, claims: &[Claim]) -> Description {
    let mut description = Description::new(name, "1.0.0").claiming(claims.iter().copied());
    description.kinds = Smallest.describe().kinds.filter(|_| description.claims(Claim::Flag));
    description.policies = BTreeSet::from([OnSuspicion::Annotate, OnSuspicion::Truncate, OnSuspicion::Fail]);
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
        whole.per_tool.clear();
        let max_depth = call.policy_in_force().max_depth.unwrap_or(self.description.defaults.max_depth);
        whole.policy = Policy {
            max_chars: Some(u64::MAX),
            max_depth: Some(if self.claims(Claim::Depth) { max_depth } else { u64::MAX }),
            on_suspicion: Some(OnSuspicion::Annotate),
        };
        Smallest.check(&whole)
    }

    /// What it makes of JSON text: the value that the kit's smallest boundary reads there, or its refusal.
    fn read(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        let mut tool = call.tool.clone();
        tool.returns = None;
        let mut untyped = call.clone();
        untyped.tool = &tool;
        match self.scanned(&untyped)? {
            Outcome::Delivered(Delivery { payload: Some(payload), .. }) => {
                let mut whole = call.clone();
                whole.input = (&payload).into();
                self.check(&whole)
            }
            other => Ok(other),
        }
    }

    /// How many bytes of the text stand before what the kit's smallest boundary cuts off as an order.
    fn before_an_order(&self, call: &Call<'_>, text: &str) -> Result<usize, AdapterFault> {
        let mut tool = call.tool.clone();
        tool.returns = None;
        let mut cut = call.clone();
        cut.tool = &tool;
        cut.policy.max_chars = Some(u64::MAX);
        cut.policy.max_depth = Some(u64::MAX);
        cut.policy.on_suspicion = Some(OnSuspicion::Truncate);
        let outcome = Smallest.check(&cut)?;
        let before = outcome.delivered().map_or("", |delivery| &delivery.text);
        // What is neutralised further on is other text, and not delivered either.
        Ok(text.chars().zip(before.chars()).take_while(|(one, other)| one == other).map(|(c, _)| c.len_utf8()).sum())
    }

    /// What is recorded of these findings: one event for each.
    fn events(&self, findings: &[Finding]) -> Option<Vec<Event>> {
        let recorded = |finding: &Finding| {
            let mut event = Event::new("tool_result_flagged");
            event.heuristics = vec![finding.heuristic.clone()];
            event.paths = vec![finding.path.clone()];
            event
        };
        self.claims(Claim::Record).then(|| findings.iter().map(recorded).collect())
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
        payload.map_strings(|text| {
            if !self.is_hostile(text) {
                return None;
            }
            let seen: String = text.chars().filter(|c| !is_unseen(*c)).collect();
            // What is unseen may have stood inside a marker, or between the halves of one.
            let forged = self.is_forged(text) || self.is_hostile(&seen);
            Some(if forged { seen.chars().map(|c| if is_plain(c) { c } else { '_' }).collect() } else { seen })
        })
    }

    /// The content as it stands, no longer than the ceiling, and how many bytes of the text that is. What is
    /// left of a cut text forges nothing that the whole did not.
    fn written(&self, text: &str, call: &Call<'_>) -> (String, usize) {
        let (mut content, mut kept) = self.cut(text, call);
        while kept > 0 && kept < text.len() && self.claims(Claim::Neutralise) && self.is_forged(&content) {
            kept = text[..kept].rfind(|c: char| !c.is_alphanumeric()).unwrap_or(0);
            content = self.cut(&text[..kept], call).0;
        }
        (content, kept)
    }

    /// The same by length alone. A cut stands between two ASCII characters, so that it takes none apart.
    fn cut(&self, text: &str, call: &Call<'_>) -> (String, usize) {
        let encoding = self.description.envelope.as_ref().map_or(Encoding::None, Grammar::encoding);
        let ceiling = call.policy_in_force().max_chars.unwrap_or(self.description.defaults.max_chars);
        let mut left = if self.claims(Claim::Ceiling) { ceiling } else { u64::MAX };
        let mut out = String::new();
        let mut one = String::new();
        let (mut whole, mut before) = ((0, 0), ' ');
        for (at, c) in text.char_indices() {
            if before.is_ascii() && c.is_ascii() {
                whole = (out.len(), at);
            }
            before = c;
            one.clear();
            encode(c, encoding, &mut one);
            match left.checked_sub(length(&one, self.description.units)) {
                Some(rest) => left = rest,
                None => {
                    out.truncate(whole.0);
                    return (out, whole.1);
                }
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
                let plain = |c: char| {
                    if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | ' ') { c } else { '_' }
                };
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
        if matches!(call.input, Input::Raw(_)) {
            return self.read(call);
        }
        let payload = call.payload()?;
        if self.description.takes == Takes::Text && payload.as_str().is_none() {
            return Err(AdapterFault::new("a structure was sent to a boundary of texts alone"));
        }
        let policy = call.policy_in_force().on_suspicion;
        if policy.is_some_and(|policy| !self.description.policies.contains(&policy)) {
            return Ok(Refusal::new(RefusalKind::Usage, "a policy that it does not have").into());
        }
        let policy = policy.unwrap_or(self.description.defaults.on_suspicion);
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
        if policy == OnSuspicion::Fail && !findings.is_empty() {
            let mut refusal = Refusal::new(RefusalKind::Suspicion, "the result reads like an order");
            refusal.retry = self.gives_fields.then_some(false);
            refusal.events = self.events(&findings);
            refusal.findings = findings;
            return Ok(refusal.into());
        }
        let text = match self.claims(Claim::Neutralise) {
            true => self.neutralised(&payload).to_text(),
            false => payload.to_text(),
        };
        let wanted = match policy {
            OnSuspicion::Truncate if !findings.is_empty() => self.before_an_order(call, &text)?,
            _ => text.len(),
        };
        let (content, kept) = self.written(&text[..wanted], call);
        let truncated = kept < text.len();
        let flagged: BTreeSet<&str> = findings.iter().map(|finding| finding.heuristic.as_str()).collect();
        // Whoever names a tool bounds no rendering.
        let named = |name: &str| name.chars().take(100).collect();
        let slots = |slot| match slot {
            Slot::Source => named(call.tool.source.as_deref().unwrap_or("tool_result")),
            Slot::Tool => named(&call.tool.name),
            Slot::Tenant => named(call.tenant.unwrap_or_default()),
            Slot::Flagged => flagged.iter().copied().collect::<Vec<_>>().join(" "),
            Slot::Truncated => truncated.to_string(),
            Slot::Url => named(call.tool.url.as_deref().unwrap_or_default()),
            Slot::FetchedAt => named(call.tool.fetched_at.as_deref().unwrap_or_default()),
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
        }
        if self.claims(Claim::UnchangedText) {
            delivery.reason = Some(flagged.iter().copied().collect::<Vec<_>>().join(", "));
        }
        delivery.events = self.events(&findings);
        delivery.findings = findings;
        Ok(delivery.into())
    }
}
