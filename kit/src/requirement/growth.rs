//! How the time of a boundary grows with what is sent: one case sends it at doubling sizes and fits an exponent.
//!
//! No time is good or bad in itself. What is judged is the exponent within the one case, so that a slow boundary, a slow
//! machine and a build without optimisation pass as well as fast ones.

use std::time::Duration;

use super::Draft;
use crate::case::{Case, Exchange, Took};
use crate::oracle::{Judged, Wrong};
use crate::stimulus::Stimulus;

mod fit;

use fit::{Fit, fit, risen};

/// No larger size is tried once one took so long: a slow boundary is not held to a speed.
const LONG: Duration = Duration::from_millis(50);
/// The sizes with a time to fit that are tried however long they take.
const LEAST_SIZES: usize = 4;
/// How often a size is tried at most, before the confirmation.
const TRIES: usize = 5;
/// What the tries of a size may take together; one is made in any case.
const ALLOWANCE: Duration = Duration::from_millis(15);
/// How often each size is tried again where the exponent is too high: spread over more than the moment for which another
/// process shares the caches.
const CONFIRMATIONS: usize = 8;
/// No further round of these begins once a case took so long.
const PATIENCE: Duration = Duration::from_secs(2);

/// What grows, and how fast the time may grow with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growth {
    /// The sizes, each about twice the one before it.
    pub(super) sizes: &'static [u32],
    /// The highest exponent that passes.
    pub(super) bound: f64,
    /// A size in words.
    pub(super) words: fn(u32) -> String,
}

impl Growth {
    /// The case of a draft's requirement that sends this at each size, and at size 0 to learn what a call takes anyway.
    /// Before all it sends the smallest size once and leaves that time out: tables that are made when they are first
    /// needed are no part of the growth.
    pub(super) fn case(
        self,
        draft: &Draft,
        name: &str,
        send: impl Fn(u32) -> Stimulus + Clone + Send + Sync + 'static,
    ) -> Case {
        // Not as other cases of a draft: a ceiling that stops what is sent leaves its time to be judged.
        let (first, smallest) = (send.clone(), self.sizes[0]);
        let judge = move |exchanges: &[Exchange]| Schedule::after(self, exchanges).judge();
        let case =
            Case::new(draft.requirement, name, move || first(smallest), move |evidence| judge(evidence.exchanges));
        let steps = 1 + (self.sizes.len() + 1) * (TRIES + CONFIRMATIONS);
        let case = (1..steps).fold(case, |case, _| {
            let send = send.clone();
            case.then(move |so_far| Schedule::after(self, so_far).next().map(|next| send(next.size)))
        });
        case.timed().heavy()
    }
}

/// What became of the tries of one size.
#[derive(Debug, Clone, Copy)]
struct Tried {
    size: u32,
    tries: usize,
    confirmations: usize,
    best: Took,
    in_all: Took,
}

/// What to send next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Next {
    at: usize,
    size: u32,
    confirms: bool,
}

/// The order of the tries: up to the largest size that is worth it, then the small ones again, and all of them where
/// the exponent is too high.
///
/// Tries of one size stand in a row only where no other is left to try: one disturbance would spoil them all.
#[derive(Debug)]
struct Schedule {
    growth: Growth,
    /// The size 0, and then each that was tried, the smallest first.
    tried: Vec<Tried>,
}

impl Schedule {
    fn new(growth: Growth) -> Self {
        Self { growth, tried: Vec::new() }
    }

    /// The schedule once these tries were made. It is played again from the beginning, as a case keeps nothing but
    /// exchanges between its steps.
    fn after(growth: Growth, exchanges: &[Exchange]) -> Self {
        let mut schedule = Self::new(growth);
        for exchange in exchanges.iter().skip(1) {
            schedule.take(exchange.took);
        }
        schedule
    }

    /// What the next try took.
    fn take(&mut self, took: Took) {
        let Some(next) = self.next() else { return };
        match self.tried.get_mut(next.at) {
            Some(tried) => {
                tried.tries += usize::from(!next.confirms);
                tried.confirmations += usize::from(next.confirms);
                tried.best = joined(tried.best, took, Duration::min);
                tried.in_all = joined(tried.in_all, took, |all, one| all + one);
            }
            None => {
                self.tried.push(Tried { size: next.size, tries: 1, confirmations: 0, best: took, in_all: took });
            }
        }
    }

    fn next(&self) -> Option<Next> {
        let again = |at: usize, confirms| Some(Next { at, size: self.tried[at].size, confirms });
        if let Some(size) = self.larger() {
            return Some(Next { at: self.tried.len(), size, confirms: false });
        }
        // The size with the fewest tries, the smallest of those: round after round.
        let repeatable = |at: &usize| {
            let tried = &self.tried[*at];
            tried.tries < TRIES && self.time(tried.in_all) + self.time(tried.best) <= ALLOWANCE
        };
        if let Some(at) = (0..self.tried.len()).filter(repeatable).min_by_key(|at| self.tried[*at].tries) {
            return again(at, false);
        }
        // Further tries of what failed are no second verdict until one pleases. Each can only take off what disturbed
        // an earlier one, at the small sizes too, where that makes the exponent higher: the more tries, the truer it
        // is, for good and bad boundaries alike.
        let at = (0..self.tried.len()).min_by_key(|at| self.tried[*at].confirmations)?;
        let round = self.tried[at].confirmations;
        let begins = at == 0;
        let in_all: Duration = self.tried.iter().map(|tried| self.time(tried.in_all)).sum();
        let over = round == CONFIRMATIONS || (round > 0 && in_all > PATIENCE) || self.judge().is_ok();
        if begins && over { None } else { again(at, true) }
    }

    /// The next size upwards, if it is worth it.
    fn larger(&self) -> Option<u32> {
        let Some((idle, sizes)) = self.tried.split_first() else { return Some(0) };
        let long = sizes.last().is_some_and(|tried| self.time(tried.best) > self.time(idle.best) + LONG);
        let fitted = || risen(self.time(idle.best), &self.series()).len();
        if long && fitted() >= LEAST_SIZES { None } else { self.growth.sizes.get(sizes.len()).copied() }
    }

    /// The time that counts: of the processor where the boundary works on the thread that asks, which no other process
    /// adds to; by the wall where that thread mostly waits, since then another works for it.
    ///
    /// A thread also waits for its turn, on a machine with more to do than it has cores. So it is the best times that
    /// are compared, and a share that only a very busy machine leaves is still work of its own.
    fn time(&self, took: Took) -> Duration {
        const LEAST_SHARE: u32 = 8;
        let sum = |part: fn(&Took) -> Option<Duration>| {
            self.tried.iter().try_fold(Duration::ZERO, |sum, tried| Some(sum + part(&tried.best)?))
        };
        // One rule for the whole series, or its times could not be compared.
        match (sum(|best| best.cpu), sum(|best| Some(best.wall)), took.cpu) {
            (Some(cpu), Some(wall), Some(own)) if cpu * LEAST_SHARE >= wall => own,
            _ => took.wall,
        }
    }

    /// The best time of each size.
    fn series(&self) -> Vec<(u32, Duration)> {
        self.tried.iter().skip(1).map(|tried| (tried.size, self.time(tried.best))).collect()
    }

    fn fit(&self) -> Option<Fit> {
        fit(self.time(self.tried.first()?.best), &self.series())
    }

    fn judge(&self) -> Judged {
        let Growth { bound, words, .. } = self.growth;
        match self.fit() {
            Some(Fit { exponent, from, to }) if exponent > bound => Err(Wrong::new(
                format!("time that grows with an exponent of at most {bound}"),
                format!("an exponent of {exponent:.2} from {} to {}", words(from), words(to)),
            )),
            _ => Ok(()),
        }
    }
}

/// Two times as one, each part as `join` has it.
fn joined(one: Took, other: Took, join: fn(Duration, Duration) -> Duration) -> Took {
    Took { wall: join(one.wall, other.wall), cpu: one.cpu.zip(other.cpu).map(|(one, other)| join(one, other)) }
}

#[cfg(test)]
mod tests;
