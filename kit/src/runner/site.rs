//! Where a boundary is asked: in this process, or in workers.

use boundary_contract::Description;

use super::Options;
use super::server::Server;
use crate::isolate::{Answer, Came, Progress, Request, Stopped};
#[cfg(unix)]
use crate::isolate::{Launch, Workers};
use crate::message;

/// Where a boundary is asked.
pub(crate) enum Site<'a> {
    /// In this process, one request after another.
    Here(Box<Server<'a>>),
    /// In worker processes.
    #[cfg(unix)]
    Workers(Box<Workers>),
}

impl<'a> Site<'a> {
    /// In workers that come of this launch.
    #[cfg(unix)]
    pub(crate) fn workers(launch: Launch, options: &Options) -> Self {
        Self::Workers(Box::new(Workers::new(launch, options.limits, options.interrupt.clone())))
    }

    /// In this process.
    pub(crate) fn here(server: Server<'a>) -> Self {
        Self::Here(Box::new(server))
    }

    /// What the boundary says it is.
    pub(crate) fn describe(&self) -> Result<Description, Stopped> {
        match self {
            #[cfg(unix)]
            Self::Workers(workers) => workers.describe().cloned(),
            Self::Here(server) => match server.handle(&Request::Describe) {
                Some(Answer::Described(Ok(description))) => Ok(*description),
                Some(Answer::Described(Err(place))) => Err(Stopped::Boundary(message::describe_panicked(&place))),
                _ => Err(Stopped::Kit(message::out_of_turn())),
            },
        }
    }

    /// What became of the boundary after it had answered everything, in words; nobody is asked after this.
    pub(crate) fn late(&self) -> Option<String> {
        match self {
            #[cfg(unix)]
            Self::Workers(workers) => workers.late(),
            Self::Here(_) => None,
        }
    }

    /// What comes of one request.
    ///
    /// # Errors
    ///
    /// Why it cannot be asked.
    pub(crate) fn one(&self, request: Request) -> Result<Came, Stopped> {
        match self {
            #[cfg(unix)]
            Self::Workers(workers) => workers.one(&request),
            Self::Here(server) => {
                let answer = server.handle(&request).ok_or_else(|| Stopped::Kit(message::out_of_turn()))?;
                Ok(Came::Answered(answer))
            }
        }
    }

    /// What comes of many requests, as it comes.
    ///
    /// # Errors
    ///
    /// Why not all came to something.
    pub(crate) fn all(
        &self,
        requests: &[Request],
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Stopped> {
        match self {
            #[cfg(unix)]
            Self::Workers(workers) => workers.all(requests, options.jobs(), progress),
            Self::Here(_) => {
                for (index, request) in requests.iter().enumerate() {
                    if options.is_interrupted() {
                        return Err(Stopped::Interrupted);
                    }
                    progress(Progress::Begun(index));
                    progress(Progress::Came(index, self.one(request.clone())?));
                }
                Ok(())
            }
        }
    }
}
