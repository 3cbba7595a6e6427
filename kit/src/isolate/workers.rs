//! Several workers for one boundary: each request is answered, or charged with what became of the worker.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use boundary_contract::Description;

use super::process::{Heard, Worker};
use super::wire::{Answer, Request};
use super::{Came, Fate, Journal, Launch, Limits, Progress, Stopped};
use crate::message;

/// How long a worker may be at work of the kit's own: reading the corpus, making cases, asking canaries.
const OWN_WORK: Duration = Duration::from_secs(300);
/// How many requests a worker is told ahead, so that it never waits for the next.
const AHEAD: usize = 8;
/// How often workers are started again in one run.
const RESTARTS: usize = 200;

/// The workers of one boundary.
pub(crate) struct Workers {
    launch: Launch,
    limits: Limits,
    interrupt: Option<Arc<AtomicBool>>,
    description: OnceLock<Description>,
    idle: Mutex<Vec<Worker>>,
    lost: AtomicUsize,
    /// What became of a worker that had answered everything.
    late: Mutex<Option<Fate>>,
}

impl Workers {
    pub(crate) fn new(launch: Launch, limits: Limits, interrupt: Option<Arc<AtomicBool>>) -> Self {
        let (description, idle) = (OnceLock::new(), Mutex::new(Vec::new()));
        Self { launch, limits, interrupt, description, idle, lost: AtomicUsize::new(0), late: Mutex::new(None) }
    }

    /// What the boundary says it is.
    ///
    /// # Errors
    ///
    /// Why it cannot be asked.
    pub(crate) fn describe(&self) -> Result<&Description, Stopped> {
        if let Some(description) = self.description.get() {
            return Ok(description);
        }
        match self.one(&Request::Describe)? {
            Came::Answered(Answer::Described(Ok(description))) => Ok(self.description.get_or_init(|| *description)),
            Came::Answered(Answer::Described(Err(place))) => Err(Stopped::Boundary(message::describe_panicked(&place))),
            Came::Answered(_) => Err(Stopped::Kit(message::out_of_turn())),
            Came::Fated(fate, _) => Err(Stopped::Boundary(message::describe_ended(fate, &self.limits))),
        }
    }

    /// What comes of one request.
    ///
    /// # Errors
    ///
    /// Why it cannot be asked.
    pub(crate) fn one(&self, request: &Request) -> Result<Came, Stopped> {
        let mut hand = self.hire()?;
        hand.worker.tell(request);
        let came = hand.wait(self)?;
        Ok(match hand.worker.settle() {
            // Whatever became of it since belongs to what it was asked last.
            Some(fate) if matches!(came, Came::Answered(_)) => Came::Fated(fate, Journal::answered_once()),
            None if hand.survives || matches!(came, Came::Answered(_)) => {
                self.rest(hand.worker);
                came
            }
            _ => came,
        })
    }

    /// Lets a worker wait for what is asked next.
    fn rest(&self, worker: Worker) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
    }

    /// What became of workers that had answered everything and were not asked again: the first of it. Nobody is asked
    /// after this.
    pub(crate) fn late(&self) -> Option<String> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let last = idle.drain(..).find_map(|mut worker| {
            let fate = worker.settle();
            worker.finish();
            fate
        });
        let late = self.late.lock().unwrap_or_else(PoisonError::into_inner).or(last);
        late.map(|fate| message::died_late(fate, &self.limits))
    }

    /// What comes of many requests, on so many workers at once, as it comes.
    ///
    /// # Errors
    ///
    /// Why not all came to something: the kit's own fault, an interrupt, or a boundary that ended too many workers.
    pub(crate) fn all(
        &self,
        requests: &[Request],
        jobs: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Stopped> {
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            let jobs: Vec<_> = (0..jobs.clamp(1, requests.len().max(1)))
                .map(|_| {
                    let sender = sender.clone();
                    let (next, stop) = (&next, &stop);
                    scope.spawn(move || {
                        let done = self.share(requests, next, stop, &sender);
                        if done.is_err() {
                            stop.store(true, Ordering::Relaxed);
                        }
                        done
                    })
                })
                .collect();
            drop(sender);
            receiver.iter().for_each(progress);
            // What one thread stopped for is why the others did.
            let mut stopped = Ok(());
            for job in jobs {
                let done = job.join().unwrap_or_else(|_| Err(Stopped::Kit(message::out_of_turn())));
                stopped = stopped.and(done);
            }
            stopped
        })
    }

    /// One thread's share: it keeps one worker busy until all is taken.
    fn share(
        &self,
        requests: &[Request],
        next: &AtomicUsize,
        stop: &AtomicBool,
        progress: &mpsc::Sender<Progress>,
    ) -> Result<(), Stopped> {
        // What the worker was told and has not answered, the one in flight first.
        let mut told: VecDeque<usize> = VecDeque::new();
        // The last that it answered: whatever it does before it begins the next belongs to that.
        let mut last = None;
        let mut hand: Option<Hand> = None;
        while !stop.load(Ordering::Relaxed) {
            let worker = match &mut hand {
                Some(hand) => hand,
                None => hand.insert(self.hire()?),
            };
            while told.len() < AHEAD {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(request) = requests.get(index) else { break };
                worker.worker.tell(request);
                told.push_back(index);
            }
            let Some(&index) = told.front() else { break };
            // The channel is open for as long as its other end is read, which is to the end.
            let _ = progress.send(Progress::Begun(index));
            match worker.wait(self)? {
                answered @ Came::Answered(_) => {
                    let _ = progress.send(Progress::Came(index, answered));
                    last = told.pop_front();
                }
                Came::Fated(fate, journal) => {
                    let charged = if journal.asked > 0 { told.pop_front() } else { last };
                    let Some(charged) = charged else {
                        return Err(Stopped::Boundary(message::died_idle(fate, &self.limits)));
                    };
                    let _ = progress.send(Progress::Came(charged, Came::Fated(fate, journal)));
                    last = None;
                    if worker.survives {
                        worker.survives = false;
                        last = Some(charged);
                        continue;
                    }
                    hand = None;
                    let left = !told.is_empty() || next.load(Ordering::Relaxed) < requests.len();
                    if self.lost.fetch_add(1, Ordering::Relaxed) >= RESTARTS && left {
                        return Err(Stopped::Boundary(message::too_many_lost()));
                    }
                    if !told.is_empty() {
                        let again = hand.insert(self.hire()?);
                        told.iter().for_each(|index| again.worker.tell(&requests[*index]));
                    }
                }
            }
        }
        if let Some(mut hand) = hand {
            match (hand.worker.settle(), last) {
                (Some(fate), Some(last)) => {
                    let _ = progress.send(Progress::Came(last, Came::Fated(fate, Journal::answered_once())));
                }
                // One that was told more than it will be asked is of no use.
                _ if told.is_empty() => self.rest(hand.worker),
                _ => {}
            }
        }
        Ok(())
    }

    /// A worker that waits for requests: an idle one, or a new one.
    fn hire(&self) -> Result<Hand, Stopped> {
        while let Some(mut worker) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            match worker.settle() {
                None => return Ok(Hand::new(worker)),
                Some(fate) => _ = self.late.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fate),
            }
        }
        let worker = Worker::start(&self.launch, self.limits);
        let mut hand = Hand::new(worker.map_err(|error| Stopped::Kit(message::no_worker(error.kind())))?);
        match hand.wait(self)? {
            Came::Answered(Answer::Ready) => {}
            Came::Answered(_) | Came::Fated(..) => return Err(Stopped::Kit(message::no_worker_came())),
        }
        match hand.wait(self)? {
            Came::Answered(Answer::Made(Ok(()))) => {}
            Came::Answered(Answer::Made(Err(place))) => return Err(Stopped::Boundary(message::make_panicked(&place))),
            Came::Answered(_) => return Err(Stopped::Kit(message::out_of_turn())),
            Came::Fated(fate, _) => return Err(Stopped::Boundary(message::make_ended(fate, &self.limits))),
        }
        if let Some(description) = self.description.get() {
            hand.worker.tell(&Request::Judge(Box::new(description.clone())));
        }
        Ok(hand)
    }
}

impl Drop for Workers {
    /// Ends all workers.
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        idle.drain(..).for_each(Worker::finish);
    }
}

/// A worker, and whose turn it is.
struct Hand {
    worker: Worker,
    /// Whether it goes on although its last request came to no good.
    survives: bool,
}

impl Hand {
    fn new(worker: Worker) -> Self {
        Self { worker, survives: false }
    }

    /// Waits for the answer to the request in flight.
    fn wait(&mut self, workers: &Workers) -> Result<Came, Stopped> {
        let mut journal = Journal::default();
        let mut deadline = Instant::now() + OWN_WORK;
        loop {
            match self.worker.hear(deadline, workers.interrupt.as_deref()) {
                Heard::Answer(Answer::Begun(sent)) => {
                    journal.asked += 1;
                    journal.answered = false;
                    journal.sent = sent;
                    deadline = Instant::now() + workers.limits.time;
                }
                // The answer is judged within the same time.
                Heard::Answer(Answer::Ended) => journal.answered = true,
                Heard::Answer(Answer::Kit(place)) => return Err(Stopped::Kit(message::failed_at(&place))),
                Heard::Answer(Answer::Fated(fate)) => {
                    self.survives = true;
                    journal.asked = journal.asked.max(1);
                    return Ok(Came::Fated(fate, journal));
                }
                Heard::Answer(answer) => return Ok(Came::Answered(answer)),
                Heard::Fate(Fate::TimedOut) if journal.asked == 0 => {
                    return Err(Stopped::Kit(message::own_work_too_long()));
                }
                // No thread of the boundary's runs on this stack, or for so long, once it has answered.
                Heard::Fate(fate @ (Fate::TimedOut | Fate::Overflowed)) if journal.answered => {
                    return Err(Stopped::Kit(message::judging_ended(fate, &workers.limits)));
                }
                Heard::Fate(fate) => return Ok(Came::Fated(fate, journal)),
                Heard::Interrupted => return Err(Stopped::Interrupted),
            }
        }
    }
}
