//! Asking the boundary: one case, step by step, with whatever the boundary does to us contained.

use std::cell::{Cell, RefCell};
#[cfg(unix)]
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use boundary_contract::{AdapterFault, Boundary, Delivery, Description, Outcome, Refusal};
use serde::{Deserialize, Serialize};

use crate::case::{Case, Evidence, Exchange, Took, Verdict};
use crate::clock;
#[cfg(unix)]
use crate::isolate;
use crate::listen::{self, Line};
use crate::message;

/// The longest text of an answer that is judged, in bytes: the longest line of the protocol.
const LONGEST: usize = 64 << 20;
/// The most of an adapter's words that is passed on, in characters: more than is shown.
const SHOWN: usize = 1_000;
/// How much of what a boundary writes to its standard streams in one call is read, in bytes.
#[cfg(unix)]
const HEARD: u64 = 1 << 20;

/// What asking came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Probed {
    /// The boundary answered, and the judge said this.
    Judged(Verdict),
    /// The boundary panicked at this place of its source.
    Panicked(String),
    /// The boundary answered with more text than anything could judge.
    Overlong,
    /// The adapter could not carry the call out, for this reason.
    Adapter(String),
    /// The kit itself failed, at this place of its source.
    Kit(String),
}

/// What a case came to, and where it did not hold the beginning of what was sent last.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Probe {
    pub(crate) probed: Probed,
    pub(crate) sent: Option<String>,
}

/// Asks a boundary what it says it is.
///
/// # Errors
///
/// The place of the panic, where it panicked.
pub(crate) fn describe(boundary: &dyn Boundary) -> Result<Description, String> {
    contained(|| boundary.describe())
}

/// Runs a case against a boundary.
pub(crate) fn probe(boundary: &dyn Boundary, description: &Description, case: &Case) -> Probe {
    let mut exchanges: Vec<Exchange> = Vec::with_capacity(case.steps());
    for step in 0..case.steps() {
        let stimulus = match contained(|| case.stimulus(step, &exchanges)) {
            Ok(Some(stimulus)) => stimulus,
            Ok(None) => break,
            Err(place) => return Probe { probed: Probed::Kit(place), sent: None },
        };
        // The thread that asks is the one that is listened to, and whose time is taken.
        let ask = || clock::during(|| contained(|| boundary.check(&stimulus.call())));
        let ask = || if case.listens { overhear(ask) } else { (ask(), Vec::new()) };
        let ((answer, took), said) = case.stack.map_or_else(ask, |bytes| on_stack(bytes, ask));
        let probed = match answer {
            // Where only the time counts, the answer is not kept, however long it is.
            Ok(Ok(outcome)) if !case.timed && length(&outcome) > LONGEST => Probed::Overlong,
            Ok(Ok(outcome)) => {
                let outcome = if case.timed { emptied(&outcome) } else { outcome };
                exchanges.push(Exchange { sent: stimulus, outcome, said, took });
                continue;
            }
            Ok(Err(fault)) => Probed::Adapter(fault.why().chars().take(SHOWN).collect()),
            Err(place) => Probed::Panicked(place),
        };
        return Probe { probed, sent: Some(message::beginning(&stimulus)) };
    }
    let evidence = Evidence { description, exchanges: &exchanges };
    let probed = match contained(|| case.judge(evidence)) {
        Ok(verdict) => Probed::Judged(verdict),
        Err(place) => Probed::Kit(place),
    };
    let failed = matches!(probed, Probed::Judged(Verdict::Fail(_)));
    let sent = exchanges.last().filter(|_| failed).map(|exchange| message::beginning(&exchange.sent));
    Probe { probed, sent }
}

/// Asks, and listens to all that is said meanwhile.
fn overhear<T>(ask: impl FnOnce() -> T) -> (T, Vec<Line>) {
    #[cfg(unix)]
    let mark = isolate::mark();
    #[cfg_attr(not(unix), allow(unused_mut, reason = "there are no workers whose streams could be heard"))]
    let (answer, mut said) = listen::during(ask);
    // What is no whole line yet waits in a buffer of this process.
    #[cfg(unix)]
    let _ = io::stdout().flush();
    #[cfg(unix)]
    said.extend(mark.and_then(|mark| isolate::heard_since(mark, HEARD)));
    (answer, said)
}

/// How much text an outcome holds, in bytes.
fn length(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Delivered(delivery) => delivery.rendered.len() + delivery.text.len(),
        Outcome::Refused(refusal) => refusal.message.len(),
    }
}

/// Which way the result went, and nothing else of it.
fn emptied(outcome: &Outcome) -> Outcome {
    match outcome {
        Outcome::Delivered(_) => Delivery::new("", "").into(),
        Outcome::Refused(refusal) => Refusal::new(refusal.kind, "").into(),
    }
}

type Answer = (Result<Result<Outcome, AdapterFault>, String>, Took);

fn on_stack(bytes: usize, ask: impl FnOnce() -> (Answer, Vec<Line>) + Send) -> (Answer, Vec<Line>) {
    let unasked = |answer| ((answer, Took::default()), Vec::new());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, ask);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(answer)) => answer,
            // `ask` contains its panics, so only the system can get here: no thread to be had.
            Ok(Err(_)) => unasked(Err("a place that is not known".to_owned())),
            Err(error) => unasked(Ok(Err(AdapterFault::new(format!("no thread for the case: {}", error.kind()))))),
        }
    })
}

thread_local! {
    static CONTAINING: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic becomes the place where it happened.
///
/// The message of a panic may quote the payload, so it is neither kept nor printed.
pub(crate) fn contained<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    quiet_hook();
    let before = CONTAINING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CONTAINING.set(before);
    result.map_err(|payload| {
        // Its own drop may panic again, with nothing around it.
        std::mem::forget(payload);
        PLACE.take().unwrap_or_else(|| "a place that is not known".to_owned())
    })
}

/// Installs, once, a panic hook that stays silent about panics of a boundary under test and leaves
/// all others to the hook that was there.
fn quiet_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let earlier = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if CONTAINING.get() {
                let place = info.location().map(|place| format!("{}:{}", place.file(), place.line()));
                PLACE.set(place);
            } else {
                earlier(info);
            }
        }));
    });
}
