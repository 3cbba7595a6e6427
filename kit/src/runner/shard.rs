//! Shards: one run's cases dealt to several machines, each case to exactly one.

use std::fmt;
use std::str::FromStr;

use crate::message;
use crate::report::plain::Plain;

/// One of N equal parts of a run, written `K/N`: of all selected cases, in their order, the K-th and every N-th after it.
///
/// ```
/// use boundary_kit::runner::Shard;
///
/// let shard: Shard = "2/3".parse().unwrap();
/// assert_eq!((shard.index(), shard.of()), (2, 3));
/// assert!("4/3".parse::<Shard>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// The most parts that a run may be dealt to.
    pub const MOST: usize = 10_000;

    /// The `index`-th of `of` parts, where there is such a one.
    pub(crate) fn new(index: usize, of: usize) -> Option<Self> {
        ((1..=Self::MOST).contains(&of) && (1..=of).contains(&index)).then_some(Self { index, of })
    }

    /// Which of the parts it is, from 1 on.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index
    }

    /// How many parts there are, from 1 to 10,000.
    #[must_use]
    pub const fn of(self) -> usize {
        self.of
    }

    /// Whether the case at this place of the plan, from 0 on, belongs to it.
    pub(crate) const fn takes(self, place: usize) -> bool {
        place % self.of == self.index - 1
    }

    /// The place in the plan of its case `nth`, from 0 on.
    pub(crate) const fn place(self, nth: usize) -> usize {
        nth * self.of + self.index - 1
    }

    /// How many of so many cases belong to it.
    pub(crate) fn share_of(self, planned: usize) -> usize {
        planned / self.of + usize::from(planned % self.of >= self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.index, self.of))
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(index, of)| Self::new(index.parse().ok()?, of.parse().ok()?));
        // One way to write each: no sign, no leading zero.
        parsed.filter(|shard| shard.to_string() == text).ok_or_else(|| message::shards::no_shard(text))
    }
}

/// What a shard is of a whole plan.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Share {
    /// Which part.
    pub shard: Shard,
    /// How many cases are its own.
    pub asked: usize,
    /// How many cases the whole plan has.
    pub planned: usize,
    /// What tells the whole plan from others.
    pub plan: Digest,
    /// The patterns by which the plan was selected; none selects all.
    pub only: Vec<Plain>,
}

impl Share {
    /// The part of a plan with these cases.
    pub(crate) fn new<'a>(shard: Shard, only: Vec<Plain>, cases: impl Iterator<Item = &'a str>) -> Self {
        let mut planned = 0;
        let plan = Digest::of(cases.inspect(|_| planned += 1));
        Self { shard, asked: shard.share_of(planned), planned, plan, only }
    }
}

/// A digest of the ids of a plan's cases, in their order, written as 16 hexadecimal digits.
///
/// It tells plans apart that differ by mistake: another selection, another boundary, another version of the corpus. It
/// does not guard against somebody who wants two to be alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(u64);

impl Digest {
    /// FNV-1a, with a byte after each id that none can hold.
    fn of<'a>(ids: impl Iterator<Item = &'a str>) -> Self {
        let bytes = ids.flat_map(|id| id.bytes().chain([b'\n']));
        Self(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = u64::from_str_radix(text, 16).ok().map(Self);
        parsed.filter(|digest| digest.to_string() == text).ok_or_else(|| message::shards::no_digest(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_belongs_to_exactly_one_shard() {
        for (of, planned) in [(1, 5), (2, 5), (3, 5), (5, 5), (7, 5), (7, 0), (3, 1_000)] {
            let mut taken = vec![0; planned];
            for index in 1..=of {
                let shard = Shard::new(index, of).unwrap();
                for (nth, place) in (0..planned).filter(|place| shard.takes(*place)).enumerate() {
                    assert_eq!(shard.place(nth), place);
                    taken[place] += 1;
                }
                assert_eq!(shard.share_of(planned), (0..planned).filter(|place| shard.takes(*place)).count());
            }
            assert!(taken.iter().all(|times| *times == 1), "{of} shards of {planned}: {taken:?}");
        }
        assert_eq!(Shard::new(2, 2).unwrap().share_of(usize::MAX), usize::MAX / 2);
    }

    #[test]
    fn a_shard_is_written_in_one_way() {
        for good in ["1/1", "2/3", "10000/10000"] {
            assert_eq!(good.parse::<Shard>().unwrap().to_string(), good);
        }
        for bad in [
            "",
            "1",
            "/",
            "0/1",
            "2/1",
            "0/0",
            "1/10001",
            "+1/2",
            "01/2",
            "1/2/3",
            " 1/2",
            "-1/2",
            "1/99999999999999999999",
        ] {
            let words = format!("`{bad}` is no shard: write K/N, with N from 1 to 10000 and K from 1 to N, as in 2/5");
            assert_eq!(bad.parse::<Shard>(), Err(words));
        }
    }

    #[test]
    fn a_digest_tells_other_ids_and_another_order_apart() {
        let of = |ids: &[&str]| Digest::of(ids.iter().copied());
        let digests = [of(&[]), of(&["a/b"]), of(&["a/b", "c"]), of(&["c", "a/b"]), of(&["a/", "bc"])];
        for (at, digest) in digests.iter().enumerate() {
            assert!(!digests[..at].contains(digest), "{at}");
            assert_eq!(digest.to_string().parse(), Ok(*digest));
        }
        // It is saved, so it stays what it is.
        assert_eq!(digests[0].to_string(), "cbf29ce484222325");
        assert_eq!(digests[1].to_string(), "727aee827e1872d1");
        for bad in ["", "cbf29ce48422232", "CBF29CE484222325", "+bf29ce484222325", "0cbf29ce484222325"] {
            assert!(bad.parse::<Digest>().unwrap_err().contains("16 hexadecimal digits"));
        }
    }
}
