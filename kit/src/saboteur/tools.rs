//! The few moves that saboteurs are made of.

use std::sync::PoisonError;

use boundary_contract::{Call, Claim, Delivery, Grammar, Input, Outcome, Payload, Refusal, Slot, Tool};
use serde_json::Value;

use super::{Answer, Scene};
use crate::oracle::envelope;

/// A word that no boundary touches and no payload holds.
const TOKEN: &str = "zq7kxv2m9w";

impl Scene<'_> {
    /// What the unbroken boundary says to this payload in place of the call's own. The host still
    /// gets the call's own payload.
    pub(super) fn instead(&self, call: &Call<'_>, payload: &Payload) -> Answer {
        let mut changed = call.clone();
        changed.input = Input::Payload(payload);
        let own = call.payload()?.into_owned();
        self.delivered(self.inner.check(&changed), |delivery| {
            if delivery.payload.is_some() {
                delivery.payload = Some(own);
            }
        })
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

    /// The answer with its refusal changed, if it is one.
    pub(super) fn refused(&self, answer: Answer, change: impl FnOnce(&mut Refusal)) -> Answer {
        let mut outcome = answer?;
        if let Outcome::Refused(refusal) = &mut outcome {
            change(refusal);
        }
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

    /// Changes the content, in the rendering as it stands there and in `text`.
    pub(super) fn rewrite(&self, delivery: &mut Delivery, change: impl Fn(&str) -> String) {
        delivery.text = change(&delivery.text);
        let Some(grammar) = self.grammar() else {
            delivery.rendered = change(&delivery.rendered);
            return;
        };
        let Ok(parsed) = envelope::parse(&delivery.rendered, grammar) else { return };
        if let Grammar::Json(json) = grammar {
            self.edit_object(delivery, &json.content, &change(&parsed.text));
        } else if let Some(at) = delivery.rendered.rfind(&parsed.content) {
            let after = at + parsed.content.len();
            delivery.rendered.replace_range(at..after, &change(&parsed.content));
        }
    }

    /// Shows another value in a slot of the envelope, where the rendering has it.
    pub(super) fn show(&self, delivery: &mut Delivery, slot: Slot, value: &str) {
        let Some(grammar) = self.grammar() else { return };
        let Ok(parsed) = envelope::parse(&delivery.rendered, grammar) else { return };
        let shown = match grammar {
            Grammar::Tag(tag) => tag.attributes.get(&slot).map(|attribute| format!(" {}=\"", attribute.name())),
            Grammar::Nonce(nonce) => {
                let before = nonce.open.split(&format!("{{{slot}}}")).next().unwrap_or_default();
                Some(before.rsplit('}').next().unwrap_or_default().to_owned())
            }
            Grammar::Json(json) => {
                let pointer = match slot {
                    Slot::Flagged => &json.flagged,
                    Slot::Truncated => &json.truncated,
                    Slot::Source => &json.source,
                    Slot::Tool => &json.tool,
                    _ => return,
                };
                if let Some(pointer) = pointer {
                    self.edit_object(delivery, pointer, value);
                }
                return;
            }
            _ => return,
        };
        // The slot's value stands between what comes before it and the end of its quotes or delimiter.
        let Some(before) = shown else { return };
        let head = delivery.rendered.rfind(&parsed.content).unwrap_or(delivery.rendered.len());
        let Some(from) = delivery.rendered[..head].find(&before).map(|at| at + before.len()) else { return };
        let length = delivery.rendered[from..head].find(['"', ']', '>']).unwrap_or_default();
        delivery.rendered.replace_range(from..from + length, value);
    }

    /// Puts another string at a place of a JSON envelope.
    fn edit_object(&self, delivery: &mut Delivery, pointer: &str, value: &str) {
        let Some(Grammar::Json(json)) = self.grammar() else { return };
        let object = delivery.rendered.strip_prefix(json.preamble.as_str()).unwrap_or_default();
        let object = object.strip_suffix(json.postamble.as_str()).unwrap_or_default();
        let Ok(mut object) = serde_json::from_str::<Value>(object) else { return };
        if let Some(part) = object.pointer_mut(pointer) {
            *part = Value::from(value);
        }
        delivery.rendered = format!("{}{object}{}", json.preamble, json.postamble);
    }

    /// Changes the opening marker and what stands before it.
    pub(super) fn rewrite_head(&self, delivery: &mut Delivery, change: impl Fn(&str) -> String) {
        let content = match self.grammar().map(|grammar| envelope::parse(&delivery.rendered, grammar)) {
            Some(Ok(parsed)) => parsed.content,
            _ => return,
        };
        if let Some(at) = delivery.rendered.rfind(&content) {
            let head = change(&delivery.rendered[..at]);
            delivery.rendered.replace_range(..at, &head);
        }
    }

    /// The grammar of the unbroken boundary's envelope, where it claims one.
    pub(super) fn grammar(&self) -> Option<&Grammar> {
        self.described.envelope.as_ref().filter(|_| self.described.claims(Claim::Envelope))
    }

    /// Remembers a text, and says how many are remembered now.
    pub(super) fn remember(&self, text: String) -> usize {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.push(text);
        memory.len()
    }

    /// Whether a text was remembered.
    pub(super) fn remembers(&self, text: &str) -> bool {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.iter().any(|known| known == text)
    }
}

/// Whether the payload is one string that satisfies this.
pub(super) fn is_text(call: &Call<'_>, satisfies: impl FnOnce(&str) -> bool) -> bool {
    call.payload().is_ok_and(|payload| payload.as_str().is_some_and(satisfies))
}

/// Whether any string or key of the payload satisfies this.
pub(super) fn any_text(call: &Call<'_>, satisfies: impl Fn(&str) -> bool) -> bool {
    call.payload().is_ok_and(|payload| crate::placeholder::texts(&payload).any(satisfies))
}
