//! A report as it is written: every field with its type, none unknown, none twice, no null.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use boundary_contract::{Claim, FindingKind};
use boundary_corpus::{FixtureId, Level, RequirementId, Tier};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use crate::case::Ordinary;
use crate::message::saved as message;
use crate::report::plain::Plain;
use crate::runner::{Digest, FailureKind, RunVerdict, Status};

/// What tells a report that can be read from one of another format, whatever else that holds.
#[derive(serde::Deserialize)]
pub(super) struct Head {
    pub(super) format: u64,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Report {
    #[serde(rename = "format")]
    pub(super) _format: u64,
    pub(super) kit: Said,
    pub(super) corpus: Said,
    pub(super) set: Said,
    pub(super) boundary: Object<Boundary>,
    pub(super) verdict: Word<RunVerdict>,
    pub(super) summary: Object<Summary>,
    pub(super) requirements: Vec<Object<Row>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) shard: Option<Object<Shard>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) own_fixtures: Option<Count<1>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) rates: Option<Object<Rates>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) problem: Option<Said>,
    #[serde(default, deserialize_with = "present")]
    pub(super) missing_claims: Option<Vec<Word<Claim>>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Boundary {
    pub(super) name: Text,
    pub(super) version: Text,
    pub(super) claims: Vec<Word<Claim>>,
    pub(super) claimed: Text,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Summary {
    pub(super) requirements: Object<Requirements>,
    pub(super) cases: Object<Cases>,
    pub(super) seconds: Seconds,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Requirements {
    pub(super) pass: Count,
    pub(super) warn: Count,
    pub(super) fail: Count,
    pub(super) not_claimed: Count,
    pub(super) not_built: Count,
    pub(super) expected_fail: Count,
    pub(super) unexpected_pass: Count,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cases {
    pub(super) ran: Count,
    pub(super) pass: Count,
    pub(super) fail: Count,
    pub(super) missed: Count,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shard {
    pub(super) index: Count<1>,
    pub(super) of: Count<1>,
    pub(super) asked: Count,
    pub(super) planned: Count,
    pub(super) plan: Word<Digest>,
    pub(super) only: Vec<Text>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) id: Word<RequirementId>,
    pub(super) level: Word<Level>,
    pub(super) status: Word<Status>,
    pub(super) cases: Count,
    pub(super) failures: Vec<Object<Failure>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) missed: Option<Count<1>>,
    #[serde(default)]
    pub(super) unclaimed: Vec<Object<Unclaimed>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) note: Option<Said>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unclaimed {
    pub(super) why: Said,
    pub(super) cases: Count<1>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Failure {
    pub(super) case: Text,
    #[serde(default, deserialize_with = "present")]
    pub(super) level: Option<Word<Level>>,
    pub(super) kind: Word<FailureKind>,
    pub(super) expected: Text,
    pub(super) got: Text,
    pub(super) reproduce: Said,
    #[serde(default, deserialize_with = "present")]
    pub(super) place: Option<Count>,
    #[serde(default)]
    pub(super) misread: bool,
    #[serde(default, deserialize_with = "present")]
    pub(super) at: Option<Text>,
    #[serde(default, deserialize_with = "present")]
    pub(super) sent: Option<Text>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rates {
    pub(super) recall: Vec<Object<Recall>>,
    pub(super) false_alarms: Vec<Object<FalseAlarms>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recall {
    pub(super) kind: Word<FindingKind>,
    pub(super) tier: Word<Tier>,
    pub(super) caught: Count,
    pub(super) of: Count<1>,
    pub(super) missed: Vec<Word<FixtureId>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FalseAlarms {
    pub(super) texts: Word<Ordinary>,
    pub(super) family: Text,
    pub(super) flagged: Count,
    pub(super) of: Count<1>,
    pub(super) which: Vec<Word<FixtureId>>,
}

/// An object with named fields: what is derived takes an array of their values too.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Named(PhantomData))
    }
}

struct Named<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Named<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the fields of a report")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// A text of any length, made safe to show again: whoever wrote the file may not have done so.
pub(super) struct Text(pub(super) Plain);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(Plain::whole(&String::deserialize(from)?)))
    }
}

/// A text that says something.
pub(super) struct Said(pub(super) Plain);

impl<'de> Deserialize<'de> for Said {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Text(plain) = Text::deserialize(from)?;
        if plain.as_str().is_empty() { Err(D::Error::custom(message::empty())) } else { Ok(Self(plain)) }
    }
}

/// A word of a vocabulary, or an id in its one form.
pub(super) struct Word<T>(pub(super) T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map(Self).map_err(D::Error::custom)
    }
}

/// A count from `LEAST` to a million: more than any run comes to, and so few that sums of them are numbers too.
#[derive(Clone, Copy)]
pub(super) struct Count<const LEAST: u32 = 0>(u32);

impl<const LEAST: u32> Count<LEAST> {
    const MOST: u32 = 1_000_000;

    pub(super) fn get(self) -> usize {
        self.0 as usize
    }
}

impl<'de, const LEAST: u32> Deserialize<'de> for Count<LEAST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let got = u64::deserialize(from)?;
        let count = u32::try_from(got).ok().filter(|count| (LEAST..=Self::MOST).contains(count));
        count.map(Self).ok_or_else(|| D::Error::custom(message::no_count(got, LEAST, Self::MOST)))
    }
}

/// How long a run took, in seconds: from 0 to some thirty years, so that sums stay finite.
pub(super) struct Seconds(pub(super) f64);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let seconds = f64::deserialize(from)?;
        let takes = (0.0..=1e9).contains(&seconds);
        if takes { Ok(Self(seconds)) } else { Err(D::Error::custom(message::no_seconds())) }
    }
}

/// A field that may be left out, and is no null where it is there.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}
