//! The closed vocabularies of the report format, as words that can be read back.

/// Gives an enum with an `as_str` the reading of its words, from the list of its values.
///
/// A value that the list lacks is a match that is not exhaustive, so a new one cannot be forgotten here.
macro_rules! readable {
    ($name:ident, $what:literal: $($variant:ident),+) => {
        const _: fn($name) = |value| match value { $($name::$variant => (),)+ };

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                const ALL: &[$name] = &[$($name::$variant,)+];
                ALL.iter().copied().find(|value| value.as_str() == text).ok_or_else(|| {
                    let legal: Vec<&str> = ALL.iter().map(|value| value.as_str()).collect();
                    crate::message::saved::unknown_word($what, text, &legal)
                })
            }
        }
    };
}
pub(crate) use readable;
