//! The closed vocabularies of the protocol: enums whose text form is fixed.

use std::fmt;

/// A word that is not one of a closed vocabulary's.
///
/// The message names the legal words and quotes the offending one only through
/// [`escape_debug`](str::escape_debug), cut to 40 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    what: &'static str,
    got: String,
    legal: &'static [&'static str],
}

impl UnknownWord {
    pub(crate) fn new(what: &'static str, got: &str, legal: &'static [&'static str]) -> Self {
        let got = got.chars().take(40).collect::<String>().escape_debug().to_string();
        Self { what, got, legal }
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`, expected one of: {}", self.what, self.got, self.legal.join(", "))
    }
}

impl std::error::Error for UnknownWord {}

/// Declares an enum with one fixed spelling for each variant, and its `ALL`, `as_str`, `Display`,
/// `FromStr` and serde forms.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $what:literal { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }

        impl $name {
            /// Every value, in the order of the protocol.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];
            const WORDS: &'static [&'static str] = &[$($text,)+];

            /// The word that stands for this value in the protocol.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err(UnknownWord::new($what, text, Self::WORDS)),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What a boundary does with a result that reads like an order.
    OnSuspicion, "policy" {
        /// Deliver it, marked as flagged.
        Annotate = "annotate",
        /// Cut it at the first match, marked as truncated.
        Truncate = "truncate",
        /// Refuse it with kind `suspicion`.
        Fail = "fail",
        /// Refuse it and halt its run.
        Abort = "abort",
        /// What an off switch would be called. No boundary has it: it is refused with kind `usage`, or the
        /// default holds.
        Off = "off",
    }
}

words! {
    /// What a boundary does with forged structure: turn markers and forged envelopes.
    OnForgery, "reaction to forgery" {
        /// Make it harmless and deliver the rest.
        Neutralise = "neutralise",
        /// Refuse the result with kind `suspicion`.
        Refuse = "refuse",
    }
}

words! {
    /// What spans and `max_chars` count.
    Units, "unit" {
        /// Unicode scalar values.
        Chars = "chars",
        /// Bytes of UTF-8.
        Bytes = "bytes",
        /// UTF-16 code units.
        Utf16 = "utf16",
    }
}

words! {
    /// Why a result or a call was refused.
    RefusalKind, "refusal kind" {
        /// The value is not what its tool declared.
        ReturnType = "return-type",
        /// A value lies deeper than the ceiling.
        Depth = "depth",
        /// The result is too large to look at.
        Size = "size",
        /// The result reads like an order, or forges structure.
        Suspicion = "suspicion",
        /// The run was flagged before, and this call needs approval.
        Tainted = "tainted",
        /// The run was halted before.
        Halted = "halted",
        /// The text is not JSON.
        Malformed = "malformed",
        /// The request itself makes no sense: an unknown policy, an impossible ceiling.
        Usage = "usage",
    }
}

words! {
    /// A kind of order that a finding may stand for: the last part of a `flag/` requirement.
    FindingKind, "finding kind" {
        /// An order to drop, ignore, disregard or forget earlier instructions.
        Override = "override",
        /// Text dressed as system, assistant or developer.
        ForgedAuthority = "forged-authority",
        /// An order that gives the reader a new role.
        RoleReassignment = "role-reassignment",
        /// A verb of sending next to a credential.
        CredentialExfiltration = "credential-exfiltration",
        /// A demand that the reader must now act.
        MustNow = "must-now",
        /// A command offered for running.
        Command = "command",
        /// A tool call written as data.
        ToolCallShaped = "tool-call-shaped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_survives_its_text_form() {
        for kind in RefusalKind::ALL {
            assert_eq!(kind.as_str().parse::<RefusalKind>().unwrap(), *kind);
            let json = serde_json::to_string(kind).unwrap();
            assert_eq!(serde_json::from_str::<RefusalKind>(&json).unwrap(), *kind);
        }
    }

    #[test]
    fn an_unknown_word_is_refused_with_the_legal_ones_and_no_raw_control() {
        let error = "anno\u{202e}tate".parse::<OnSuspicion>().unwrap_err().to_string();
        assert_eq!(error, "unknown policy `anno\\u{202e}tate`, expected one of: annotate, truncate, fail, abort, off");
    }
}
