//! The policy that a result stands under, once it is known to make sense.

use boundary_contract::{Defaults, OnSuspicion, Policy};

/// The deepest ceiling that can be asked for, in containers.
///
/// A declared type is validated by recursion, and findings carry paths as long as the value is deep, so there is an end
/// to what `max_depth` may allow. JSON text is rarely read deeper than this by anyone.
const DEEPEST: usize = 128;

/// What a result may cost, and what suspicion does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) on_suspicion: Suspicion,
    /// In characters; at least 1.
    pub(crate) max_chars: usize,
    /// In containers; at most [`DEEPEST`].
    pub(crate) max_depth: usize,
}

/// The policies that this boundary has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suspicion {
    Annotate,
    Truncate,
    Fail,
}

impl Rules {
    /// The rules that a policy comes to, or why it comes to none.
    pub(crate) fn of(policy: Policy, defaults: Defaults) -> Result<Self, String> {
        let on_suspicion = match policy.on_suspicion.unwrap_or(defaults.on_suspicion) {
            OnSuspicion::Annotate => Suspicion::Annotate,
            OnSuspicion::Truncate => Suspicion::Truncate,
            OnSuspicion::Fail => Suspicion::Fail,
            other => {
                return Err(format!("no policy `{other}` here, expected one of: annotate, truncate, fail"));
            }
        };
        let max_chars = policy.max_chars.unwrap_or(defaults.max_chars);
        if max_chars == 0 {
            return Err("no room for any content, expected a `max_chars` of at least 1".to_owned());
        }
        let max_depth = policy.max_depth.unwrap_or(defaults.max_depth);
        match usize::try_from(max_depth) {
            Ok(max_depth) if max_depth <= DEEPEST => Ok(Self {
                on_suspicion,
                // A text longer than memory does not exist, so the largest size stands for any larger one.
                max_chars: usize::try_from(max_chars).unwrap_or(usize::MAX),
                max_depth,
            }),
            _ => Err(format!("a `max_depth` of {max_depth} is no ceiling, expected 0 to {DEEPEST}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(on_suspicion: Option<OnSuspicion>, max_chars: Option<u64>, max_depth: Option<u64>) -> Result<Rules, String> {
        Rules::of(Policy { on_suspicion, max_chars, max_depth }, Defaults::default())
    }

    #[test]
    fn absent_fields_are_the_defaults() {
        let rules = Rules { on_suspicion: Suspicion::Annotate, max_chars: 8000, max_depth: 8 };
        assert_eq!(of(None, None, None), Ok(rules));
        let other = Rules { on_suspicion: Suspicion::Fail, max_chars: usize::MAX, max_depth: 0 };
        assert_eq!(of(Some(OnSuspicion::Fail), Some(u64::MAX), Some(0)), Ok(other));
    }

    #[test]
    fn what_makes_no_sense_names_what_would() {
        for (policy, hint) in [
            (of(Some(OnSuspicion::Abort), None, None), "annotate, truncate, fail"),
            (of(None, Some(0), None), "at least 1"),
            (of(None, None, Some(129)), "0 to 128"),
            (of(None, None, Some(u64::MAX)), "0 to 128"),
        ] {
            assert!(policy.unwrap_err().contains(hint), "{hint}");
        }
    }
}
