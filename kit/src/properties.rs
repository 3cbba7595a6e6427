//! Properties: what must hold for every generated result, and not only for the cases that someone
//! thought of.
//!
//! [`properties!`](crate::properties!) writes a `#[test]` for each. A failure is shrunk, and printed as
//! JSON that holds no raw control character, with the seed that finds it again.

use std::cell::Cell;
use std::sync::Arc;

use boundary_contract::{Boundary, Claim, Outcome, Payload, Refusal, Tool};
use boundary_corpus::Input;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestError, TestRunner};
use serde_json::json;

use crate::generate::grammar::HostileResults;
use crate::message;
use crate::oracle::{Wrong, leak, text};
use crate::report::plain::Plain;
use crate::runner::probe;
use crate::stimulus::Stimulus;
use crate::subject::Subject;

/// How many results each property is tried on.
const CASES: u32 = 1_024;
/// The most bytes of choices a result is made from.
const BYTES: usize = 96;
/// The seed of every run, so that the same boundary gets the same results; `BOUNDARY_KIT_SEED` sets
/// another.
const SEED: u64 = 0x626f_756e_6461_7279;

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
            [exactly_one_envelope, refusals_leak_nothing, idempotent, delivered_text_holds_no_surprise]
        );
    };
    ($make:expr, [$($property:ident),+ $(,)?]) => {
        $(
            #[test]
            fn $property() {
                $crate::properties::$property($make);
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

/// What became of one generated result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    /// The property was tried on it and held.
    Held,
    /// The boundary refused it, so that there was nothing to try.
    Refused,
}

fn claimed<B: Boundary>(make: impl FnOnce() -> B, claims: &[Claim], property: &str) -> (B, Arc<Subject>) {
    let boundary = make();
    let description = probe::describe(&boundary);
    let subject = Subject::new(description.unwrap_or_else(|place| panic!("{}", message::describe_panicked(&place))));
    if let Err(problem) = subject.askable() {
        panic!("`{property}` tests nothing: {problem}");
    }
    for claim in claims {
        assert!(
            subject.claims(*claim),
            "the boundary does not claim `{claim}`, so `{property}` tests nothing; name the properties that it \
             claims: properties!(MyBoundary::new, [...])"
        );
    }
    (boundary, subject)
}

fn ask(boundary: &dyn Boundary, payload: &Payload) -> Result<Outcome, Wrong> {
    answer(boundary, &Stimulus::new(Input::Payload(payload.clone())))
}

fn answer(boundary: &dyn Boundary, stimulus: &Stimulus) -> Result<Outcome, Wrong> {
    match probe::contained(|| boundary.check(&stimulus.call())) {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(fault)) => Err(Wrong::new("an answer", message::adapter_fault(&fault))),
        Err(place) => Err(Wrong::new("an answer", "a panic").at(place)),
    }
}

fn refused_again(refusal: &Refusal) -> Wrong {
    Wrong::new("the delivered text, delivered again", format!("a refusal of kind `{}`", refusal.kind))
}

/// The seed of this run.
fn seed() -> u64 {
    match std::env::var("BOUNDARY_KIT_SEED") {
        Ok(seed) => {
            seed.parse().unwrap_or_else(|_| panic!("BOUNDARY_KIT_SEED is no whole number from 0 to {}", u64::MAX))
        }
        Err(_) => SEED,
    }
}

/// Tries a property on generated results.
fn holds(property: &str, subject: &Arc<Subject>, judge: impl Fn(&Payload) -> Result<Tried, Wrong>) {
    let (seed, held) = (seed(), Cell::new(0_u32));
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let results = HostileResults::new(Arc::clone(subject));
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 0..BYTES);
    let outcome = TestRunner::new(config).run(&bytes, |bytes| {
        let tried = judge(&results.result(&bytes).payload).map_err(|wrong| TestCaseError::fail(wrong.to_string()))?;
        held.set(held.get() + u32::from(tried == Tried::Held));
        Ok(())
    });
    match outcome {
        Ok(()) if held.get() == 0 => panic!("{property} tests nothing: the boundary refused all {CASES} results"),
        Ok(()) => {}
        Err(TestError::Fail(reason, bytes)) => {
            let sent = Plain::new(&results.result(&bytes).payload.to_json());
            panic!(
                "{property} does not hold\n  sent      {sent}\n  {}\n  seed      {seed}",
                Plain::new(reason.message())
            );
        }
        Err(TestError::Abort(reason)) => panic!("{property} could not be tried: {}", Plain::new(reason.message())),
    }
}
