//! The closed vocabularies of the corpus: enums whose text form is fixed.

use std::fmt;

use crate::fault::quoted;

/// A word that is not one of a closed vocabulary's. The message names the legal ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordError {
    message: String,
}

impl WordError {
    pub(crate) fn new(what: &str, got: &str, legal: &[&str]) -> Self {
        Self { message: format!("unknown {what} {}, expected one of: {}", quoted(got), legal.join(", ")) }
    }
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WordError {}

/// Declares an enum with one fixed spelling for each variant.
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis $name:ident, $what:literal { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name { $($(#[$vmeta])* $variant,)+ }

        impl $name {
            /// The word that stands for this value in the corpus.
            #[must_use]
            $vis const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::words::WordError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err($crate::words::WordError::new($what, text, &[$($text,)+])),
                }
            }
        }
    };
}
pub(crate) use words;
