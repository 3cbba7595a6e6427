//! Permanent names: of a requirement and of a fixture.

use std::fmt;
use std::str::FromStr;

use crate::fault::quoted;

/// A name that is not two kebab-case words with a slash between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdError {
    got: String,
    form: &'static str,
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no id, expected `{}` in lower-case letters, digits and single hyphens", self.got, self.form)
    }
}

impl std::error::Error for IdError {}

/// Whether a text is lower-case words and digits joined by single hyphens.
pub(crate) fn is_kebab(text: &str) -> bool {
    text.split('-')
        .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

macro_rules! ids {
    ($(#[$meta:meta])* $name:ident, $form:literal, $first:ident: $first_doc:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The whole id.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            #[doc = $first_doc]
            #[must_use]
            pub fn $first(&self) -> &str {
                self.0.split_once('/').map_or(&*self.0, |(first, _)| first)
            }

            /// The part after the slash.
            #[must_use]
            pub fn name(&self) -> &str {
                self.0.split_once('/').map_or(&*self.0, |(_, name)| name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                match text.split_once('/') {
                    Some((first, name)) if is_kebab(first) && is_kebab(name) => Ok(Self(text.to_owned())),
                    _ => Err(IdError { got: quoted(text), form: $form }),
                }
            }
        }
    };
}

ids! {
    /// The permanent name of a requirement: `area/name`, for example `flag/override`.
    ///
    /// ```
    /// use boundary_corpus::RequirementId;
    ///
    /// let id: RequirementId = "flag/override".parse().unwrap();
    /// assert_eq!((id.area(), id.name()), ("flag", "override"));
    /// assert!("Flag/override".parse::<RequirementId>().is_err());
    /// ```
    RequirementId, "area/name", area: "The area that the requirement belongs to."
}

ids! {
    /// The permanent name of a fixture: `family/name`, for example `published/direct-override`.
    FixtureId, "family/name", family: "The family that the fixture belongs to."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_two_kebab_words_and_a_slash() {
        for good in ["flag/override", "a/b", "benign/core-2", "x-1/y-2-z"] {
            assert_eq!(good.parse::<FixtureId>().unwrap(), good);
        }
        for bad in ["", "flag", "flag/", "/x", "a/b/c", "Flag/x", "a_b/c", "a--b/c", "a-/b", "a/b ", "a/\u{202e}"] {
            let error = bad.parse::<RequirementId>().unwrap_err().to_string();
            assert!(
                error.ends_with("expected `area/name` in lower-case letters, digits and single hyphens"),
                "{error}"
            );
            assert!(error.is_ascii(), "{error}");
        }
    }
}
