//! What a piece of work takes: of the time of the day, and of the processor.

use std::time::{Duration, Instant};

/// The time that an answer took, on the thread that asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Took {
    /// By the clock on the wall.
    pub wall: Duration,
    /// Of the processor, for this thread alone; `None` on a system that does not tell.
    pub cpu: Option<Duration>,
}

/// What comes of `work`, and what that took.
pub(crate) fn during<T>(work: impl FnOnce() -> T) -> (T, Took) {
    let (wall, cpu) = (Instant::now(), of_this_thread());
    let done = work();
    let cpu = of_this_thread().and_then(|now| now.checked_sub(cpu?));
    (done, Took { wall: wall.elapsed(), cpu })
}

/// How long this thread has been on a processor.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple"))]
fn of_this_thread() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ThreadCPUTime).try_into().ok()
}

/// Not told, or not in the same way, by other systems.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple")))]
fn of_this_thread() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_the_processor_and_sleep_does_not() {
        let spin = |least: Duration| {
            let start = Instant::now();
            while start.elapsed() < least {
                std::hint::spin_loop();
            }
        };
        let least = Duration::from_millis(20);
        let ((), slept) = during(|| std::thread::sleep(least));
        assert!(slept.wall >= least);
        let ((), of_another) = during(|| std::thread::scope(|scope| _ = scope.spawn(|| spin(least)).join()));
        assert!(of_another.wall >= least);
        let (done, spun) = during(|| {
            spin(least);
            7
        });
        assert_eq!(done, 7);
        for (took, worked) in [(slept, false), (of_another, false), (spun, true)] {
            if let Some(cpu) = took.cpu {
                // A busy machine lets a thread wait; it lets none work that sleeps.
                assert!(if worked { cpu > Duration::ZERO } else { cpu < least }, "{took:?}");
            }
        }
    }
}
