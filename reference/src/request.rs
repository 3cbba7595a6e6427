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
    /// The rules that policies come to, the first that says something about a field going before the others, or why they
    /// come to none.
    ///
    /// What makes no sense is refused in each of them, also where another goes before it: a mistyped policy that waits
    /// for its turn is found while it does no harm.
    pub(crate) fn of(policies: &[Policy], defaults: Defaults) -> Result<Self, String> {
        let mut rules = Self {
            on_suspicion: suspicion(defaults.on_suspicion)?,
            max_chars: chars(defaults.max_chars)?,
            max_depth: depth(defaults.max_depth)?,
        };
        for policy in policies.iter().rev() {
            if let Some(word) = policy.on_suspicion {
                rules.on_suspicion = suspicion(word)?;
            }
            if let Some(ceiling) = policy.max_chars {
                rules.max_chars = chars(ceiling)?;
            }
            if let Some(ceiling) = policy.max_depth {
                rules.max_depth = depth(ceiling)?;
            }
        }
        Ok(rules)
    }
}

fn suspicion(word: OnSuspicion) -> Result<Suspicion, String> {
    match word {
        OnSuspicion::Annotate => Ok(Suspicion::Annotate),
        OnSuspicion::Truncate => Ok(Suspicion::Truncate),
        OnSuspicion::Fail => Ok(Suspicion::Fail),
        other => Err(format!("no policy `{other}` here, expected one of: annotate, truncate, fail")),
    }
}

fn chars(ceiling: u64) -> Result<usize, String> {
    match ceiling {
        0 => Err("no room for any content, expected a `max_chars` of at least 1".to_owned()),
        // A text longer than memory does not exist, so the largest size stands for any larger one.
        _ => Ok(usize::try_from(ceiling).unwrap_or(usize::MAX)),
    }
}

fn depth(ceiling: u64) -> Result<usize, String> {
    usize::try_from(ceiling)
        .ok()
        .filter(|ceiling| *ceiling <= DEEPEST)
        .ok_or_else(|| format!("a `max_depth` of {ceiling} is no ceiling, expected 0 to {DEEPEST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(on_suspicion: Option<OnSuspicion>, max_chars: Option<u64>, max_depth: Option<u64>) -> Policy {
        Policy { on_suspicion, max_chars, max_depth }
    }

    #[test]
    fn absent_fields_are_the_next_policys_and_at_last_the_defaults() {
        let rules = Rules { on_suspicion: Suspicion::Annotate, max_chars: 8000, max_depth: 8 };
        assert_eq!(Rules::of(&[], Defaults::default()), Ok(rules));
        assert_eq!(Rules::of(&[policy(None, None, None)], Defaults::default()), Ok(rules));
        let first = policy(Some(OnSuspicion::Fail), None, Some(0));
        let second = policy(Some(OnSuspicion::Truncate), Some(u64::MAX), Some(1));
        let rules = Rules { on_suspicion: Suspicion::Fail, max_chars: usize::MAX, max_depth: 0 };
        assert_eq!(Rules::of(&[first, second], Defaults::default()), Ok(rules));
    }

    #[test]
    fn what_makes_no_sense_names_what_would_and_no_other_policy_hides_it() {
        let sensible = policy(Some(OnSuspicion::Annotate), Some(10), Some(1));
        for (senseless, hint) in [
            (
                policy(Some(OnSuspicion::Off), None, None),
                "no policy `off` here, expected one of: annotate, truncate, fail",
            ),
            (policy(Some(OnSuspicion::Abort), None, None), "annotate, truncate, fail"),
            (policy(None, Some(0), None), "at least 1"),
            (policy(None, None, Some(129)), "0 to 128"),
            (policy(None, None, Some(u64::MAX)), "0 to 128"),
        ] {
            let mut defaults = Defaults::default();
            defaults.on_suspicion = senseless.on_suspicion.unwrap_or(defaults.on_suspicion);
            defaults.max_chars = senseless.max_chars.unwrap_or(defaults.max_chars);
            defaults.max_depth = senseless.max_depth.unwrap_or(defaults.max_depth);
            for rules in [
                Rules::of(&[senseless], Defaults::default()),
                Rules::of(&[senseless, sensible], Defaults::default()),
                Rules::of(&[sensible, senseless], Defaults::default()),
                Rules::of(&[sensible], defaults),
            ] {
                assert!(rules.unwrap_err().contains(hint), "{hint}");
            }
        }
    }
}
