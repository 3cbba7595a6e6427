//! The name of an envelope.

use std::fmt;
use std::str::FromStr;

/// The shortest and the longest name, in letters.
const LENGTH: std::ops::RangeInclusive<usize> = 3..=40;

/// A name that markup can bear and that no ordinary text needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EnvelopeName(String);

impl EnvelopeName {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for EnvelopeName {
    fn default() -> Self {
        Self("untrusted-data".to_owned())
    }
}

impl FromStr for EnvelopeName {
    type Err = InvalidEnvelopeName;

    fn from_str(name: &str) -> Result<Self, InvalidEnvelopeName> {
        let letters = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
        if letters && begins && LENGTH.contains(&name.len()) && !name.ends_with('-') && !name.contains("--") {
            Ok(Self(name.to_owned()))
        } else {
            Err(InvalidEnvelopeName(()))
        }
    }
}

/// A name that an envelope cannot have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidEnvelopeName(());

impl fmt::Display for InvalidEnvelopeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "invalid envelope name, expected 3 to 40 lower-case letters, digits and single inner hyphens, beginning with \
             a letter, such as `untrusted-data`",
        )
    }
}

impl std::error::Error for InvalidEnvelopeName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_plain() {
        for name in ["untrusted-data", "tool-output-2", "abc"] {
            assert_eq!(name.parse::<EnvelopeName>().unwrap().as_str(), name);
        }
        for name in ["", "ab", "-abc", "abc-", "a--b", "Abc", "a b", "a>b", "1ab", "\u{e9}abc", &"a".repeat(41)] {
            assert!(name.parse::<EnvelopeName>().is_err(), "{name}");
        }
    }
}
