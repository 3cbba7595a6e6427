//! Numbers that compare by value, whichever way they are held.

use std::fmt;

/// A JSON number. Compares by value, across integers and floats.
#[derive(Debug, Clone, Copy)]
pub struct Number(Repr);

#[derive(Debug, Clone, Copy)]
enum Repr {
    /// Any integer below zero.
    Negative(i64),
    /// Any integer from zero on.
    Natural(u64),
    /// Anything else; always finite.
    Float(f64),
}

impl Number {
    /// A number with a fraction or an exponent.
    ///
    /// `None` for a value that is not finite, as JSON has none.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self(Repr::Float(value)))
    }

    /// The nearest float.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "the nearest float is what is asked for")]
    pub fn as_f64(self) -> f64 {
        match self.0 {
            Repr::Negative(value) => value as f64,
            Repr::Natural(value) => value as f64,
            Repr::Float(value) => value,
        }
    }

    /// The integer that this number is, if it is one: `2.0` is 2.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "whole floats below 2^64 in size fit an i128")]
    pub fn as_integer(self) -> Option<i128> {
        match self.0 {
            Repr::Negative(value) => Some(i128::from(value)),
            Repr::Natural(value) => Some(i128::from(value)),
            Repr::Float(value) if value.fract() == 0.0 && value.abs() < 18_446_744_073_709_551_616.0 => {
                Some(value as i128)
            }
            Repr::Float(_) => None,
        }
    }

    pub(super) fn to_serde(self) -> serde_json::Number {
        match self.0 {
            Repr::Negative(value) => value.into(),
            Repr::Natural(value) => value.into(),
            // Finite by construction, so there is always a number.
            Repr::Float(value) => serde_json::Number::from_f64(value).unwrap_or_else(|| 0.into()),
        }
    }

    pub(super) fn from_serde(number: &serde_json::Number) -> Self {
        number
            .as_u64()
            .map(Self::from)
            .or_else(|| number.as_i64().map(Self::from))
            // With `arbitrary_precision` a number may be beyond any float; the nearest finite one stands in.
            .unwrap_or_else(|| Self(Repr::Float(number.as_f64().unwrap_or(0.0).clamp(f64::MIN, f64::MAX))))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_integer(), other.as_integer()) {
            (Some(mine), Some(theirs)) => mine == theirs,
            (None, None) => self.as_f64() == other.as_f64(),
            _ => false,
        }
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(Repr::Natural(value))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        u64::try_from(value).map_or(Self(Repr::Negative(value)), Self::from)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_serde(), f)
    }
}
