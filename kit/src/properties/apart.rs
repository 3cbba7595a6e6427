//! A property in a worker process.

/// Tries a property in a worker process, inside a `#[test]`, as [`properties!`](crate::properties!) does: `body` is the
/// property with its boundary, and is run in the worker alone.
///
/// Where the variable `BOUNDARY_KIT_IN_PROCESS` is set, and on systems that are not of the Unix kind, it is run in this
/// process.
///
/// # Panics
///
/// Where the property does, with its words, and where the boundary ends the process, does not answer, or takes more than
/// it may, with what it was sent.
pub fn apart(property: &str, body: impl FnOnce()) {
    #[cfg(unix)]
    unix::apart(property, body);
    #[cfg(not(unix))]
    {
        let _ = property;
        body();
    }
}

#[cfg(unix)]
mod unix {
    use std::any::Any;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::process;

    use crate::isolate::{self, Answer, At, Came, Desk, Entrance, Fate, Journal, Limits, Request, Stopped, Workers};
    use crate::message;
    use crate::runner::RunVerdict;
    use crate::trial::Tried;

    pub(super) fn apart(property: &str, body: impl FnOnce()) {
        let test = std::thread::current().name().unwrap_or(property).to_owned();
        match isolate::entrance(At::Test(&test)) {
            Ok(Entrance::Works) => work(property, body),
            Ok(Entrance::Passes) => {}
            Ok(Entrance::Stays) => body(),
            Ok(Entrance::Asks(launch)) => ask(property, &Workers::new(launch, Limits::default(), None)),
            Err(error) => panic!("{}", message::no_worker(error.kind())),
        }
    }

    /// Tries it here, and never comes back.
    fn work(property: &str, body: impl FnOnce()) -> ! {
        let Ok((desk, requests)) = Desk::open(Limits::default()) else { process::exit(1) };
        let desk = desk.telling();
        desk.answer(&Answer::Made(Ok(())));
        if let Some(Request::Trial { name, .. }) = desk.next(&requests)
            && name == property
        {
            // The property makes its boundary, and has it describe itself.
            desk.begin();
            desk.answer(&Answer::Tried(match catch_unwind(AssertUnwindSafe(body)) {
                Ok(()) => Tried::Passed,
                Err(panic) => Tried::Failed(words(&*panic)),
            }));
            // An end before it is told to end would be charged to the boundary.
            let _ = desk.next(&requests);
        }
        process::exit(i32::from(RunVerdict::Void.exit_code()))
    }

    /// Has it tried in a worker, and says what came of it.
    fn ask(property: &str, workers: &Workers) {
        match workers.one(&Request::Trial { name: property.to_owned(), alone: true }) {
            Ok(Came::Answered(Answer::Tried(Tried::Passed))) => {}
            Ok(Came::Answered(Answer::Tried(Tried::Failed(words)))) => panic!("{words}"),
            Ok(Came::Fated(fate, journal)) => panic!("{}", fated(property, fate, &journal)),
            Err(Stopped::Boundary(problem) | Stopped::Kit(problem)) => panic!("{}", message::void(&problem)),
            Ok(Came::Answered(_)) | Err(Stopped::Interrupted) => panic!("{}", message::void(&message::out_of_turn())),
        }
    }

    fn fated(property: &str, fate: Fate, journal: &Journal) -> String {
        let limits = Limits::default();
        match &journal.sent {
            Some(sent) => message::property_fated(property, &message::sent(sent), fate, &limits),
            None => message::describe_ended(fate, &limits),
        }
    }

    /// What a panic of the kit's own says.
    fn words(panic: &(dyn Any + Send)) -> String {
        let words = panic.downcast_ref::<String>().cloned();
        words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned())).unwrap_or_default()
    }
}
