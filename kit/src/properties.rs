//! Properties: what must hold for every generated result, and not only for the cases that someone
//! thought of.
//!
//! [`properties!`](crate::properties!) writes a `#[test]` for each. A failure is shrunk, and printed as
//! JSON that holds no raw control character, with the seed that finds it again. What a boundary does to its process
//! fails the property too, with the result that it was sent, which is then not shrunk.

use std::sync::Arc;

use boundary_contract::{Boundary, Builder, Claim, Encoding, Finding, FindingKind, Outcome, Payload, Token, Tool};
use boundary_corpus::Input;
use serde_json::json;

use crate::generate::grammar::HostileResults;
use crate::generate::ordinary::Ordinary;
use crate::generate::placement;
use crate::oracle::marker::Reading;
use crate::oracle::{Wrong, leak, path, text};
use crate::stimulus::Stimulus;

mod apart;
mod trial;

pub use apart::apart;
use trial::{Tried, answer, ask, claimed, holds, holds_of, refused_again};

/// Writes a `#[test]` for each property, or for those named.
///
/// ```
/// # use boundary_kit::canary::Smallest;
/// mod all {
///     # use boundary_kit::canary::Smallest;
///     boundary_kit::properties!(|| Smallest);
/// }
/// mod some {
///     # use boundary_kit::canary::Smallest;
///     boundary_kit::properties!(|| Smallest, [exactly_one_envelope, idempotent]);
/// }
/// ```
#[macro_export]
macro_rules! properties {
    ($make:expr) => {
        $crate::properties!(
            $make,
            [
                exactly_one_envelope,
                refusals_leak_nothing,
                findings_leak_nothing,
                idempotent,
                delivered_text_holds_no_surprise,
                orders_are_found_where_they_stand,
                ceilings_hold,
            ]
        );
    };
    ($make:expr, [$($property:ident),+ $(,)?]) => {
        $(
            #[test]
            fn $property() {
                $crate::properties::apart(stringify!($property), || $crate::properties::$property($make));
            }
        )+
    };
}

/// Every rendering of a hostile result is exactly one envelope, with none inside.
///
/// # Panics
///
/// Where it is not, with the smallest result found; where every result is refused; and where the claim `envelope` is not made.
pub fn exactly_one_envelope<B: Boundary>(make: impl FnOnce() -> B) {
    let (boundary, subject) = claimed(make, &[Claim::Envelope], "exactly_one_envelope");
    holds("exactly_one_envelope", &subject, |payload| {
        let Outcome::Delivered(delivery) = ask(&boundary, payload)? else { return Ok(Tried::Refused) };
        let content = subject.content(&delivery)?;
        subject.no_envelope_inside(&content)?;
        Ok(Tried::Held)
    });
}

/// A refusal for the type holds nothing of the value.
///
/// # Panics
///
/// Where it does, with the smallest result found; where every result is refused; and where the claim `return-types` is not made.
pub fn refusals_leak_nothing<B: Boundary>(make: impl FnOnce() -> B) {
    let (boundary, subject) = claimed(make, &[Claim::ReturnTypes], "refusals_leak_nothing");
    const CANARY: &str = "qj4vx0zk7wd2hm9t5rb8";
    // Whatever the result is, it stands where a number is declared, beside a key that nobody declared.
    let schema = json!({
        "type": "object",
        "properties": {"value": {"type": "integer"}},
        "required": ["value"],
        "additionalProperties": false,
    });
    let tool = Tool::new("stock_level").returning(schema);
    holds("refusals_leak_nothing", &subject, |payload| {
        let planted = payload.map_strings(|text| Some(format!("{CANARY}{text}{CANARY}")));
        let mut builder = boundary_contract::Builder::new();
        builder.begin_object().key("value").payload(&planted);
        builder.key(&format!("{CANARY}-key")).string(CANARY).end();
        let stimulus = Stimulus::new(Input::Payload(builder.finish())).of(tool.clone());
        match answer(&boundary, &stimulus)? {
            outcome @ Outcome::Refused(_) => leak::find(CANARY, &outcome).map(|()| Tried::Held),
            Outcome::Delivered(_) => Err(Wrong::new("a refusal of kind `return-type`", "a delivery")),
        }
    });
}

/// What is said of a flagged result holds nothing of it: findings, events and refusals, plain and encoded.
///
/// # Panics
///
/// Where it does, with the smallest result found; where none is flagged; and where the claim `flag` is not made.
pub fn findings_leak_nothing<B: Boundary>(make: impl FnOnce() -> B) {
    let (boundary, subject) = claimed(make, &[Claim::Flag], "findings_leak_nothing");
    const CANARY: &str = "m3dt8xq0fz6kw1ry5bn9";
    holds("findings_leak_nothing", &subject, |payload| {
        let planted = planted(payload, CANARY);
        let outcome = ask(&boundary, &planted)?;
        // A reason may quote the field.
        let mut surfaces = leak::surfaces(&outcome);
        surfaces.retain(|(name, _)| *name != "reason");
        leak::find_in(CANARY, &surfaces)?;
        leak::find_encoded_in(CANARY, &surfaces)?;
        Ok(if outcome.findings().is_empty() { Tried::Unflagged } else { Tried::Held })
    });
}

/// Neutralising what was delivered changes nothing.
///
/// # Panics
///
/// Where it does, with the smallest result found; where every result is refused; and where the claim `neutralise` is not made.
pub fn idempotent<B: Boundary>(make: impl FnOnce() -> B) {
    let (boundary, subject) = claimed(make, &[Claim::Neutralise], "idempotent");
    holds("idempotent", &subject, |payload| {
        let Outcome::Delivered(first) = ask(&boundary, payload)? else { return Ok(Tried::Refused) };
        let once = subject.content(&first)?.text;
        match ask(&boundary, &Payload::from(once.as_str()))? {
            Outcome::Delivered(second) => text::same(&once, &subject.content(&second)?.text)?,
            Outcome::Refused(refusal) => return Err(refused_again(&refusal)),
        }
        Ok(Tried::Held)
    });
}

/// What was delivered, checked again, is flagged for nothing that the result was not flagged for.
///
/// # Panics
///
/// Where it is, with the smallest result found; where every result is refused; and where the claim `flag` is not made.
pub fn delivered_text_holds_no_surprise<B: Boundary>(make: impl FnOnce() -> B) {
    let (boundary, subject) = claimed(make, &[Claim::Flag], "delivered_text_holds_no_surprise");
    holds("delivered_text_holds_no_surprise", &subject, |payload| {
        let outcome = ask(&boundary, payload)?;
        let Outcome::Delivered(delivery) = &outcome else { return Ok(Tried::Refused) };
        let again = subject.content(delivery)?.text;
        let second = ask(&boundary, &Payload::from(again))?;
        if let Outcome::Refused(refusal) = &second {
            return Err(refused_again(refusal));
        }
        let known = |heuristic: &str| outcome.findings().iter().any(|finding| finding.heuristic == heuristic);
        if second.findings().iter().all(|finding| known(&finding.heuristic)) {
            Ok(Tried::Held)
        } else {
            Err(Wrong::new("no new heuristic when the delivered text is checked again", "one").at("findings"))
        }
    });
}

/// An order is flagged wherever it stands in an ordinary result, with its path where paths are claimed, and an
/// ordinary text in the same place is not.
///
/// # Panics
///
/// Where it is not, with the smallest result found; where every result is refused; and where the claim `flag`, or the
/// kind `override`, is not made.
pub fn orders_are_found_where_they_stand<B: Boundary>(make: impl FnOnce() -> B) {
    const PROPERTY: &str = "orders_are_found_where_they_stand";
    let (boundary, subject) = claimed(make, &[Claim::Flag], PROPERTY);
    let order = placement::order(FindingKind::Override);
    assert!(
        subject.claims_kind(order.kind),
        "the boundary does not claim `{}`, so `{PROPERTY}` tests nothing",
        order.kind
    );
    let described = &subject.description;
    let deepest = subject.takes_structure().then_some(described.defaults.max_depth);
    let root = described.path_root.as_deref();
    let make = |bytes: &[u8]| Ordinary::new(bytes, deepest, order.in_keys);
    holds_of(
        PROPERTY,
        make,
        |ordinary| ordinary.with(order.text),
        |ordinary, flawed| {
            let outcome = ask(&boundary, flawed)?;
            let counting = outcome.findings().iter().filter(|finding| subject.counts_for(order.kind, finding));
            let findings: Vec<&Finding> = counting.collect();
            let at = &ordinary.at;
            if findings.is_empty() {
                return Err(Wrong::new(format!("a finding of kind `{}`", order.kind), "none").at(at));
            }
            let leads = |finding: &&Finding| path::leads_to(&finding.path, at, root);
            if subject.claims(Claim::Paths) && !findings.iter().any(leads) {
                return Err(Wrong::new(format!("a path to `{at}`"), "other paths").at("findings[].path"));
            }
            match ask(&boundary, &ordinary.with(order.peaceful))? {
                Outcome::Delivered(delivery) if delivery.findings.is_empty() => Ok(Tried::Held),
                Outcome::Delivered(_) => {
                    Err(Wrong::new("no finding in an ordinary text at the same place", "one").at(at))
                }
                Outcome::Refused(refusal) => {
                    let got = format!("a refusal of kind `{}`", refusal.kind);
                    Err(Wrong::new("an ordinary text at the same place, delivered", got).at(at))
                }
            }
        },
    );
}

/// Whatever the ceiling, content is at most that long, marked as truncated where the whole would be longer and nowhere
/// else, and still one envelope with no marker in it.
///
/// # Panics
///
/// Where it is not, with the smallest result found; where every result is refused; and where the claim `ceiling` or
/// `policy` is not made.
pub fn ceilings_hold<B: Boundary>(make: impl FnOnce() -> B) {
    /// A ceiling that no generated result reaches, however it is encoded.
    const HIGH: u64 = 1 << 20;
    let (boundary, subject) = claimed(make, &[Claim::Ceiling, Claim::Policy], "ceilings_hold");
    let results = HostileResults::new(Arc::clone(&subject));
    let make = |bytes: &[u8]| {
        let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
        // Close together where results are short, and further apart where few are as long.
        let ceiling = if *first < 192 { u64::from(*first) + 1 } else { u64::from(*first - 191) * 64 };
        (ceiling, results.result(rest).payload)
    };
    let under = |ceiling: u64, payload: &Payload| {
        let mut stimulus = Stimulus::new(Input::Payload(payload.clone()));
        stimulus.policy.max_chars = Some(ceiling);
        answer(&boundary, &stimulus)
    };
    holds_of(
        "ceilings_hold",
        make,
        |(_, payload)| payload.clone(),
        |(ceiling, _), payload| {
            let Outcome::Delivered(whole) = under(HIGH, payload)? else { return Ok(Tried::Refused) };
            let Outcome::Delivered(delivery) = under(*ceiling, payload)? else { return Ok(Tried::Refused) };
            let content = subject.content(&delivery)?;
            let length = subject.length(&content.stands);
            if length > *ceiling {
                return Err(Wrong::new(
                    format!("at most {ceiling} {} of content", subject.description.units),
                    length.to_string(),
                ));
            }
            subject.no_envelope_inside(&content)?;
            // What its own encoding writes as escapes stands for itself.
            let encoded = subject.grammar().is_some_and(|grammar| grammar.encoding() == Encoding::Json);
            let reading = if encoded { Reading::Folded } else { Reading::Plain };
            if subject.claims(Claim::Neutralise) && subject.markers().find(&content.stands, reading).is_some() {
                return Err(Wrong::new("no turn marker in the content", "one").at("rendered"));
            }
            let fits = subject.length(&subject.content(&whole)?.stands) <= *ceiling;
            match (whole.truncated || !fits, delivery.truncated) {
                (true, false) => Err(Wrong::new("content that is marked as truncated", "no mark").at("truncated")),
                (false, true) => Err(Wrong::new("content that fits, whole", "a mark of truncation").at("truncated")),
                _ => Ok(Tried::Held),
            }
        },
    );
}

/// The same value with a canary on both sides of each string, and its keys as they are: that a key is named in a
/// path is no leak.
fn planted(payload: &Payload, canary: &str) -> Payload {
    let mut builder = Builder::new();
    for token in payload.tokens() {
        match token {
            Token::String(text) => builder.string(format!("{canary} {text} {canary}")),
            other => builder.token(other),
        };
    }
    builder.finish()
}
