//! The ways to misbehave that every system has.

use std::hint::{black_box, spin_loop};
use std::io::{self, Write};
use std::panic::panic_any;
use std::process;
use std::thread;
use std::time::Duration;

use boundary_contract::{AdapterFault, Call, Input};

use crate::isolate::{Fate, Limits};
use crate::message;

/// A way to misbehave.
#[derive(Debug)]
pub struct Member {
    /// Its permanent name.
    pub name: &'static str,
    /// What the boundary does at its case.
    pub does: &'static str,
    /// What must be charged to that case.
    pub outcome: Charged,
    pub(super) act: fn(&Call<'_>) -> Acted,
}

/// Nothing, where the boundary then answers as if nothing had been.
pub(super) type Acted = Result<(), AdapterFault>;

impl Member {
    /// Does it, here and now.
    pub(super) fn misbehave(&self, call: &Call<'_>) -> Acted {
        (self.act)(call)
    }
}

/// What must be charged to the case at which a boundary misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Charged {
    /// A panic, which its process survives.
    Panic,
    /// What becomes of its process, or of the streams of that.
    Fate(Fate),
}

impl Charged {
    /// How a report says it, of a run with these limits.
    #[must_use]
    pub fn words(self, limits: &Limits) -> String {
        match self {
            Self::Panic => message::panicked(),
            Self::Fate(fate) => message::fate(fate, limits),
        }
    }
}

pub(super) const ALL: &[Member] = &[
    Member {
        name: "panic",
        does: "panics with a message that quotes the result",
        outcome: Charged::Panic,
        act: |call| {
            let text = match call.input {
                Input::Raw(text) => text.to_owned(),
                _ => call.payload()?.to_text(),
            };
            panic!("there is no way to read {text}")
        },
    },
    Member {
        name: "panic-while-dropping",
        does: "panics, and once more while that unwinds, at which the process aborts",
        outcome: Charged::Fate(Fate::Aborted),
        act: |_| {
            let _bomb = Bomb;
            panic!("the first of two")
        },
    },
    Member {
        name: "panic-with-a-bomb",
        does: "panics with a value that panics when it is dropped",
        outcome: Charged::Panic,
        act: |_| panic_any(Bomb),
    },
    Member {
        name: "abort",
        does: "aborts its process",
        outcome: Charged::Fate(Fate::Aborted),
        act: |_| process::abort(),
    },
    Member {
        name: "exit",
        does: "ends its process with the exit code of success",
        outcome: Charged::Fate(Fate::Exited(0)),
        act: |_| process::exit(0),
    },
    Member {
        name: "overflow",
        does: "recurses until its stack overflows",
        outcome: Charged::Fate(Fate::Overflowed),
        act: |_| {
            black_box(descend(0));
            Ok(())
        },
    },
    Member {
        name: "loop",
        does: "computes for ever",
        outcome: Charged::Fate(Fate::TimedOut),
        act: |_| {
            loop {
                spin_loop();
            }
        },
    },
    Member {
        name: "sleep",
        does: "waits for ever",
        outcome: Charged::Fate(Fate::TimedOut),
        act: |_| {
            loop {
                thread::sleep(Duration::from_secs(3_600));
            }
        },
    },
    Member {
        name: "hog",
        does: "takes 16 GiB of memory and writes to all of it",
        outcome: Charged::Fate(Fate::OutOfMemory),
        act: |_| {
            let held: Vec<Vec<u8>> = (0..CHUNKS).map(|_| black_box(vec![1; CHUNK])).collect();
            drop(black_box(held));
            Ok(())
        },
    },
    Member {
        name: "stdout-flood",
        does: "writes 100 MB to its standard output, and then answers well",
        outcome: Charged::Fate(Fate::Flooded),
        act: |_| {
            flood(&mut io::stdout().lock());
            Ok(())
        },
    },
    Member {
        name: "stderr-flood",
        does: "writes 100 MB to its standard error, and then answers well",
        outcome: Charged::Fate(Fate::Flooded),
        act: |_| {
            flood(&mut io::stderr().lock());
            Ok(())
        },
    },
];

/// A value that panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped")
    }
}

/// Recursion without an end, in frames that the compiler can neither reuse nor leave out.
fn descend(depth: u64) -> u64 {
    let frame = black_box([depth; 64]);
    // No stack is so deep; the compiler does not know it.
    if frame[0] == u64::MAX {
        return 0;
    }
    descend(frame[1] + 1) ^ black_box(frame)[2]
}

/// How many chunks of memory are taken, and of how many bytes: 16 GiB in all, which may be more than there are addresses.
const CHUNKS: usize = 256;
const CHUNK: usize = 64 << 20;

/// How much is written at once and how often, in bytes: 100 MB in all.
const BLOCK: usize = 100_000;
const BLOCKS: usize = 1_000;

/// Writes lines until it is enough or nobody reads any more, which is no reason not to answer.
fn flood(out: &mut impl Write) {
    let line = [&[b'.'; 99][..], b"\n"].concat();
    let block = line.repeat(BLOCK / line.len());
    for _ in 0..BLOCKS {
        if out.write_all(&block).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts what is written, and breaks once that is more than it takes.
    struct Gauge {
        most: usize,
        written: usize,
        refused: usize,
    }

    impl Write for Gauge {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.written >= self.most {
                self.refused += 1;
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.written += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_flood_is_as_large_as_it_says_and_ends_where_nobody_reads() {
        let mut gauge = Gauge { most: usize::MAX, written: 0, refused: 0 };
        flood(&mut gauge);
        assert_eq!(gauge.written, 100_000_000);
        let mut gauge = Gauge { most: 1, written: 0, refused: 0 };
        flood(&mut gauge);
        assert_eq!((gauge.written, gauge.refused), (BLOCK, 1));
    }
}
