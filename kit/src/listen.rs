//! What a boundary says through the facades `log` and `tracing` while it is asked.
//!
//! Both are heard at every level on the thread that asks: messages, fields, targets, and the names and fields of
//! spans. What a boundary says from threads of its own, or writes to the standard streams of the process, is not heard
//! here: nothing in one process tells whose words those are.
//!
//! Listening costs nothing where nobody listens. Outside a listening call the logger takes no record, no level of
//! `log` is enabled on its account, and no span or event of `tracing` reaches it.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::sync::{Mutex, OnceLock, PoisonError};

use log::kv::{Key, Value, VisitSource};
use log::{LevelFilter, Log, Metadata, Record};
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id, Record as Values};
use tracing_core::subscriber::{Interest, Subscriber};
use tracing_core::{Dispatch, Event, dispatcher};

/// Something that was said through a facade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The facade: `log` or `tracing`.
    pub facade: &'static str,
    /// Everything about it that is text, a piece a line.
    pub text: String,
}

/// Makes sure that what goes through `log` is heard, as far as that is possible in this process.
///
/// # Errors
///
/// Why it is not: a process has one logger, and another one was there first.
pub(crate) fn hears_logs() -> Result<(), &'static str> {
    static FIRST: OnceLock<bool> = OnceLock::new();
    if *FIRST.get_or_init(|| log::set_logger(&Ear).is_ok()) {
        Ok(())
    } else {
        Err("another logger is installed in this process, so that nothing hears what goes through `log`")
    }
}

/// Does `work`, and says what was said meanwhile on this thread.
pub(crate) fn during<T>(work: impl FnOnce() -> T) -> (T, Vec<Line>) {
    static DISPATCH: OnceLock<Dispatch> = OnceLock::new();
    let listening = Listening::begin();
    let result = dispatcher::with_default(DISPATCH.get_or_init(|| Dispatch::new(Ear)), work);
    (result, listening.end())
}

thread_local! {
    /// What was heard so far; nothing where nobody listens.
    static HEARD: RefCell<Option<Vec<Line>>> = const { RefCell::new(None) };
}

/// How many calls are listened to now.
static LISTENERS: Mutex<usize> = Mutex::new(0);

/// One call that is listened to. Ends when it is dropped, so that a panic leaves no listener behind.
struct Listening {
    /// What an outer call had heard so far, if there is one on this thread.
    outer: Option<Vec<Line>>,
}

impl Listening {
    fn begin() -> Self {
        let ours = hears_logs().is_ok();
        let mut listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
        *listeners += 1;
        if ours {
            log::set_max_level(LevelFilter::Trace);
        }
        Self { outer: HEARD.replace(Some(Vec::new())) }
    }

    fn end(self) -> Vec<Line> {
        HEARD.take().unwrap_or_default()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        HEARD.set(self.outer.take());
        let mut listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
        *listeners -= 1;
        if *listeners == 0 && hears_logs().is_ok() {
            log::set_max_level(LevelFilter::Off);
        }
    }
}

fn is_listening() -> bool {
    HEARD.with_borrow(Option::is_some)
}

/// Adds a line. It is whole by now: what is written while it is put together may itself be said.
fn hear(facade: &'static str, text: String) {
    HEARD.with_borrow_mut(|heard| {
        if let Some(lines) = heard {
            lines.push(Line { facade, text });
        }
    });
}

/// The logger and the subscriber of listening calls.
struct Ear;

impl Log for Ear {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        is_listening()
    }

    fn log(&self, record: &Record<'_>) {
        if !is_listening() {
            return;
        }
        let mut pieces = Pieces(format!("{}\n{}\n", record.target(), record.args()));
        // Only a visitor can end the visit early, and this one does not.
        let _ = record.key_values().visit(&mut pieces);
        hear("log", pieces.0);
    }

    fn flush(&self) {}
}

impl Subscriber for Ear {
    /// Never a standing interest, so that whoever does not listen is asked and says no.
    fn register_callsite(&self, _: &'static tracing_core::Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, _: &tracing_core::Metadata<'_>) -> bool {
        is_listening()
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut pieces = Pieces::about(span.metadata());
        span.record(&mut pieces);
        hear("tracing", pieces.0);
        // What is said counts, and not in which span: one id serves all.
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Values<'_>) {
        let mut pieces = Pieces(String::new());
        values.record(&mut pieces);
        hear("tracing", pieces.0);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut pieces = Pieces::about(event.metadata());
        event.record(&mut pieces);
        hear("tracing", pieces.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The text of one line, a piece a line.
struct Pieces(String);

impl Pieces {
    fn about(metadata: &tracing_core::Metadata<'_>) -> Self {
        Self(format!("{}\n{}\n", metadata.target(), metadata.name()))
    }

    fn add(&mut self, name: &str, value: fmt::Arguments<'_>) {
        // Writing to a string cannot fail, and what a value's own form fails at it does not say.
        let _ = writeln!(self.0, "{name}\n{value}");
    }
}

impl<'kvs> VisitSource<'kvs> for Pieces {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), log::kv::Error> {
        self.add(key.as_str(), format_args!("{value}"));
        Ok(())
    }
}

impl Visit for Pieces {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field.name(), format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field.name(), format_args!("{value:?}"));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.add(field.name(), format_args!("{value}\n{value:?}"));
        let mut cause = value.source();
        while let Some(error) = cause {
            self.add("caused by", format_args!("{error}\n{error:?}"));
            cause = error.source();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(work: impl FnOnce()) -> Vec<Line> {
        hears_logs().expect("no other logger in these tests");
        during(work).1
    }

    fn whole(lines: &[Line]) -> String {
        lines.iter().map(|line| format!("{}: {}", line.facade, line.text.replace('\n', "|"))).collect()
    }

    #[test]
    fn a_record_is_heard_at_any_level_with_its_target_and_its_pairs() {
        for level in [log::Level::Error, log::Level::Info, log::Level::Trace] {
            let lines =
                said(|| log::log!(target: "guard", level, path = "/body", size:? = Some(3); "looked at {}", "it"));
            assert_eq!(whole(&lines), "log: guard|looked at it|path|/body|size|Some(3)|");
        }
    }

    #[test]
    fn an_event_is_heard_at_any_level_with_its_fields() {
        let lines = said(|| tracing::trace!(target: "guard", path = "/body", size = ?Some(3), ok = true, "looked"));
        let heard = whole(&lines);
        assert!(heard.starts_with("tracing: guard|event "), "{heard}");
        assert!(heard.ends_with("message|looked|path|/body|size|Some(3)|ok|true|"), "{heard}");
    }

    #[test]
    fn a_span_is_heard_with_its_name_and_what_is_recorded_later() {
        let lines = said(|| {
            let span = tracing::debug_span!("scan", text = "first", more = tracing::field::Empty);
            let _entered = span.enter();
            span.record("more", "second");
        });
        let heard = whole(&lines);
        assert!(heard.contains("|scan|text|first|") && heard.contains("more|second|"), "{heard}");
    }

    #[test]
    fn an_error_is_heard_with_its_debug_form_and_its_causes() {
        #[derive(Debug)]
        struct Outer(fmt::Error);
        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("not read")
            }
        }
        impl std::error::Error for Outer {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                Some(&self.0)
            }
        }
        let outer = Outer(fmt::Error);
        let lines = said(|| tracing::warn!(error = &outer as &dyn std::error::Error));
        let heard = whole(&lines);
        let cause = "caused by|an error occurred when formatting an argument|Error|";
        assert!(heard.ends_with(&format!("error|not read|Outer(Error)|{cause}")), "{heard}");
    }

    #[test]
    fn a_value_that_speaks_while_it_is_written_is_heard_too() {
        struct Chatty;
        impl fmt::Display for Chatty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                log::warn!(target: "inner", "aside");
                f.write_str("said")
            }
        }
        let lines = said(|| log::warn!(target: "outer", "{Chatty}"));
        assert_eq!(whole(&lines), "log: inner|aside|log: outer|said|");
    }

    #[test]
    fn only_what_is_said_on_the_listening_thread_and_meanwhile_is_heard() {
        let lines = said(|| {
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    log::error!("elsewhere");
                    tracing::error!("elsewhere");
                });
            });
            log::error!(target: "here", "now");
        });
        log::error!("afterwards");
        tracing::error!("afterwards");
        assert_eq!(whole(&lines), "log: here|now|");
        assert_eq!(said(|| ()), []);
        assert!(!is_listening());
    }

    #[test]
    fn a_panic_leaves_no_listener_behind() {
        let panicked = std::panic::catch_unwind(|| during(|| panic!("on purpose")));
        assert!(panicked.is_err() && !is_listening());
    }
}
