//! The few moves that saboteurs are made of.

use std::ops::Range;
use std::sync::PoisonError;

use boundary_contract::{
    Call, Claim, Delivery, Encoding, Event, Finding, Grammar, Input, OnSuspicion, Outcome, Payload, Policy, Refusal,
    RefusalKind, Slot, Tool,
};
use serde_json::Value;

use super::{Answer, Scene};
use crate::oracle::envelope;

/// A word that no boundary touches and no payload holds.
const TOKEN: &str = "zq7kxv2m9w";

impl Scene<'_> {
    /// What the unbroken boundary says to this payload in place of the call's own. The host still
    /// gets the call's own payload.
    pub(super) fn instead(&self, call: &Call<'_>, payload: &Payload) -> Answer {
        let own = call.payload()?.into_owned();
        self.delivered(self.instead_of_text(call, payload), |delivery| {
            if delivery.payload.is_some() {
                delivery.payload = Some(own);
            }
        })
    }

    /// What the unbroken boundary says to this payload in place of the call's own text.
    pub(super) fn instead_of_text(&self, call: &Call<'_>, payload: &Payload) -> Answer {
        let mut changed = call.clone();
        changed.input = Input::Payload(payload);
        self.inner.check(&changed)
    }

    /// What the unbroken boundary says once it was asked so many times before: work in proportion to its own, whatever
    /// the machine and the design.
    pub(super) fn again(&self, call: &Call<'_>, times: usize) -> Answer {
        for _ in 0..times {
            self.inner.check(call)?;
        }
        self.inner.check(call)
    }

    /// What the unbroken boundary says when the tool declares nothing.
    pub(super) fn untyped(&self, call: &Call<'_>) -> Answer {
        let mut tool = call.tool.clone();
        tool.returns = None;
        self.of_tool(call, &tool)
    }

    /// What the unbroken boundary says to this tool in place of the call's own.
    pub(super) fn of_tool(&self, call: &Call<'_>, tool: &Tool) -> Answer {
        let mut changed = call.clone();
        changed.tool = tool;
        self.inner.check(&changed)
    }

    /// The answer with its delivery changed, if it is one.
    pub(super) fn delivered(&self, answer: Answer, change: impl FnOnce(&mut Delivery)) -> Answer {
        let mut outcome = answer?;
        if let Outcome::Delivered(delivery) = &mut outcome {
            change(delivery);
        }
        Ok(outcome)
    }

    /// The answer with its findings changed, whichever way the result went.
    pub(super) fn findings(&self, answer: Answer, change: impl FnOnce(&mut Vec<Finding>)) -> Answer {
        let mut outcome = answer?;
        match &mut outcome {
            Outcome::Delivered(delivery) => change(&mut delivery.findings),
            Outcome::Refused(refusal) => change(&mut refusal.findings),
        }
        Ok(outcome)
    }

    /// The answer with its refusal changed, if it is one.
    pub(super) fn refused(&self, answer: Answer, change: impl FnOnce(&mut Refusal)) -> Answer {
        let mut outcome = answer?;
        if let Outcome::Refused(refusal) = &mut outcome {
            change(refusal);
        }
        Ok(outcome)
    }

    /// What the unbroken boundary says under another policy than the call's own.
    pub(super) fn policed(&self, call: &Call<'_>, change: impl FnOnce(&mut Policy)) -> Answer {
        let mut changed = call.clone();
        change(&mut changed.policy);
        self.inner.check(&changed)
    }

    /// What is done with a flagged result of this call.
    pub(super) fn on_suspicion(&self, call: &Call<'_>) -> OnSuspicion {
        call.policy_in_force().on_suspicion.unwrap_or(self.described.defaults.on_suspicion)
    }

    /// How much content of this call is rendered.
    pub(super) fn max_chars(&self, call: &Call<'_>) -> u64 {
        call.policy_in_force().max_chars.unwrap_or(self.described.defaults.max_chars)
    }

    /// The answer with its events changed, whichever way the result went.
    pub(super) fn events(&self, answer: Answer, change: impl FnOnce(&mut Vec<Event>)) -> Answer {
        let mut outcome = answer?;
        let events = match &mut outcome {
            Outcome::Delivered(delivery) => &mut delivery.events,
            Outcome::Refused(refusal) => &mut refusal.events,
        };
        change(events.get_or_insert_default());
        Ok(outcome)
    }

    /// Lets each `from` in the payload past the boundary and puts `to` where it stood.
    pub(super) fn smuggle(&self, call: &Call<'_>, from: &str, to: &str) -> Answer {
        let payload = call.payload()?;
        let disguised = payload.map_strings(|text| text.contains(from).then(|| text.replace(from, TOKEN)));
        if disguised == *payload {
            return self.inner.check(call);
        }
        let answer = self.instead(call, &disguised);
        self.delivered(answer, |delivery| self.rewrite(delivery, |content| content.replace(TOKEN, to)))
    }

    /// What the boundary delivers where it does not see what it would refuse the result for.
    ///
    /// A policy that delivers is asked for where there is one; else each text is taken past it.
    pub(super) fn unseen(&self, call: &Call<'_>) -> Answer {
        let answer = self.inner.check(call)?;
        if answer.refused().is_none_or(|refusal| refusal.kind != RefusalKind::Suspicion || refusal.findings.is_empty())
        {
            return Ok(answer);
        }
        if self.described.claims(Claim::Policy) && self.described.policies.contains(&OnSuspicion::Annotate) {
            let mut annotated = call.clone();
            annotated.policy.on_suspicion = Some(OnSuspicion::Annotate);
            return self.inner.check(&annotated);
        }
        let payload = call.payload()?;
        let structured = payload.as_str().is_none();
        let mut taken = Vec::new();
        let disguised = payload.map_strings(|text| {
            taken.push(if structured { json_escaped(text) } else { text.to_owned() });
            Some(format!("{TOKEN}{}x", taken.len()))
        });
        self.delivered(self.instead(call, &disguised), |delivery| {
            self.rewrite(delivery, |content| {
                let numbered = taken.iter().enumerate();
                numbered.fold(content.to_owned(), |content, (index, text)| {
                    content.replace(&format!("{TOKEN}{}x", index + 1), text)
                })
            });
        })
    }

    /// Changes the content, in the rendering as it stands there and in `text`.
    ///
    /// What is put in stands as it is, but for what a JSON string cannot hold.
    pub(super) fn rewrite(&self, delivery: &mut Delivery, change: impl Fn(&str) -> String) {
        let text = change(&delivery.text);
        let Some(grammar) = self.grammar() else {
            delivery.rendered = delivery.rendered.replacen(&delivery.text, &text, 1);
            delivery.text = text;
            return;
        };
        let Ok(parsed) = envelope::parse(&delivery.rendered, grammar) else { return };
        let content = change(&parsed.content);
        let content = if grammar.encoding() == Encoding::Json { json_held(&content) } else { content };
        let range = parsed.content_at..parsed.content_at + parsed.content.len();
        delivery.rendered.replace_range(range, &content);
        delivery.text = text;
    }

    /// Shows another value in a slot of the envelope, where the rendering has it. A declared constant stays.
    pub(super) fn show(&self, delivery: &mut Delivery, slot: Slot, value: &str) {
        if let Some((range, quoted)) = self.shown(&delivery.rendered, slot) {
            let value = if quoted { Value::from(value).to_string() } else { value.to_owned() };
            delivery.rendered.replace_range(range, &value);
        }
    }

    /// Where a slot's value stands in a rendering, and whether it is JSON there.
    fn shown(&self, rendered: &str, slot: Slot) -> Option<(Range<usize>, bool)> {
        let grammar = self.grammar()?;
        let head = envelope::parse(rendered, grammar).ok()?.content_at;
        let (before, after) = match grammar {
            Grammar::Tag(tag) => {
                let attribute = tag.attributes.get(&slot).filter(|attribute| attribute.always().is_none())?;
                let before = format!(" {}=", attribute.name());
                let from = tag.preamble.len() + rendered[tag.preamble.len()..head].find(&before)? + before.len();
                let quote = rendered[from..].chars().next()?;
                (from + quote.len_utf8(), quote.to_string())
            }
            Grammar::Nonce(nonce) => {
                let (before, after) = nonce.open.split_once(&format!("{{{slot}}}"))?;
                let before = before.rsplit('}').next().unwrap_or_default();
                let from = nonce.preamble.len() + rendered[nonce.preamble.len()..head].find(before)? + before.len();
                (from, after.split('{').next().unwrap_or_default().to_owned())
            }
            Grammar::Json(json) => {
                let pointer = match slot {
                    Slot::Flagged => json.flagged.as_ref(),
                    Slot::Truncated => json.truncated.as_ref(),
                    Slot::Source => json.source.as_ref(),
                    Slot::Tool => json.tool.as_ref(),
                    _ => None,
                };
                return Some((envelope::written(rendered, json, pointer?)?, true));
            }
            _ => return None,
        };
        let length = rendered[before..].find(&after)?;
        Some((before..before + length, false))
    }

    /// Changes the opening marker and what stands before it.
    pub(super) fn rewrite_head(&self, delivery: &mut Delivery, change: impl Fn(&str) -> String) {
        if let Some(Ok(parsed)) = self.grammar().map(|grammar| envelope::parse(&delivery.rendered, grammar)) {
            let head = change(&delivery.rendered[..parsed.content_at]);
            delivery.rendered.replace_range(..parsed.content_at, &head);
        }
    }

    /// The grammar of the unbroken boundary's envelope, where it claims one.
    pub(super) fn grammar(&self) -> Option<&Grammar> {
        self.described.envelope.as_ref().filter(|_| self.described.claims(Claim::Envelope))
    }

    /// The first text that is remembered.
    pub(super) fn first(&self) -> Option<String> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).first().cloned()
    }

    /// Remembers a text, and says how many are remembered now.
    pub(super) fn remember(&self, text: String) -> usize {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.push(text);
        memory.len()
    }

    /// The latest of what was remembered that satisfies this.
    pub(super) fn latest(&self, satisfies: impl Fn(&str) -> bool) -> Option<String> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.iter().rev().find(|text| satisfies(text)).cloned()
    }

    /// What was remembered last, unless that is nothing.
    pub(super) fn last(&self) -> Option<String> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.last().filter(|text| !text.is_empty()).cloned()
    }
}

/// The text as the inside of a JSON string.
fn json_escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The inside of a JSON string, with what was put into it raw escaped: bare quotes and controls.
fn json_held(content: &str) -> String {
    let mut held = String::with_capacity(content.len());
    let mut escaped = false;
    for c in content.chars() {
        match c {
            '"' if !escaped => held.push_str("\\\""),
            '\0'..='\u{1f}' => held.push_str(&json_escaped(c.encode_utf8(&mut [0; 4]))),
            c => held.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    held
}

/// Whether the payload is one string that satisfies this.
pub(super) fn is_text(call: &Call<'_>, satisfies: impl FnOnce(&str) -> bool) -> bool {
    call.payload().is_ok_and(|payload| payload.as_str().is_some_and(satisfies))
}

/// Whether any string or key of the payload satisfies this.
pub(super) fn any_text(call: &Call<'_>, satisfies: impl Fn(&str) -> bool) -> bool {
    call.payload().is_ok_and(|payload| crate::placeholder::texts(&payload).any(satisfies))
}
