//! Payloads too large or too deep to send: how to build them instead.

use serde::{Deserialize, Serialize};

use crate::{Builder, Payload};

/// A payload described by how it is built.
///
/// [`build`](Recipe::build) is a loop over flat memory, so depth costs no stack.
///
/// ```
/// use boundary_contract::Recipe;
///
/// let recipe: Recipe =
///     serde_json::from_str(r#"{"nest": {"depth": 3, "with": "alternate", "leaf": 7}}"#).unwrap();
/// assert_eq!(recipe.build().to_json(), r#"[{"next":[7]}]"#);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recipe {
    /// Containers inside one another.
    Nest(Nest),
    /// One string made of a repeated unit.
    Repeat(Repeat),
    /// Many siblings in one container.
    Wide(Wide),
}

/// `depth` containers inside one another, with `leaf` in the innermost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nest {
    /// How many containers stand around the leaf.
    pub depth: u64,
    /// Which containers. An object level is `{"next": …}`.
    pub with: With,
    /// What stands innermost.
    pub leaf: Payload,
}

/// One string: `before`, then `unit` `times` times, then `after`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// What is repeated.
    pub unit: String,
    /// How often.
    pub times: u64,
    /// What stands before the first unit.
    #[serde(default)]
    pub before: String,
    /// What stands after the last unit.
    #[serde(default)]
    pub after: String,
}

/// One container with `items` copies of `item`. Object keys are `k0`, `k1`, …
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wide {
    /// How many siblings.
    pub items: u64,
    /// Array or object; `alternate` is read as `array`, there being one level only.
    pub with: With,
    /// What each sibling is.
    pub item: Payload,
}

/// The containers of a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum With {
    /// Arrays only.
    Array,
    /// Objects only.
    Object,
    /// Arrays and objects by turns, an array outermost.
    Alternate,
}

impl Recipe {
    /// `depth` containers around `leaf`.
    #[must_use]
    pub fn nest(depth: u64, with: With, leaf: impl Into<Payload>) -> Self {
        Self::Nest(Nest { depth, with, leaf: leaf.into() })
    }

    /// `unit`, `times` times.
    #[must_use]
    pub fn repeat(unit: impl Into<String>, times: u64) -> Self {
        Self::Repeat(Repeat { unit: unit.into(), times, before: String::new(), after: String::new() })
    }

    /// `items` copies of `item` in one container.
    #[must_use]
    pub fn wide(items: u64, with: With, item: impl Into<Payload>) -> Self {
        Self::Wide(Wide { items, with, item: item.into() })
    }

    /// Builds the payload. Time and memory are linear in what is built.
    #[must_use]
    pub fn build(&self) -> Payload {
        match self {
            Self::Nest(Nest { depth, with, leaf }) => {
                let mut builder = Builder::new();
                for level in 0..*depth {
                    let array = match with {
                        With::Array => true,
                        With::Object => false,
                        With::Alternate => level % 2 == 0,
                    };
                    if array {
                        builder.begin_array();
                    } else {
                        builder.begin_object().key("next");
                    }
                }
                builder.payload(leaf);
                for _ in 0..*depth {
                    builder.end();
                }
                builder.finish()
            }
            Self::Repeat(Repeat { unit, times, before, after }) => {
                let times = usize::try_from(*times).unwrap_or(usize::MAX);
                let mut text = String::with_capacity(before.len() + unit.len().saturating_mul(times) + after.len());
                text.push_str(before);
                for _ in 0..times {
                    text.push_str(unit);
                }
                text.push_str(after);
                Payload::from(text)
            }
            Self::Wide(Wide { items, with, item }) => {
                let mut builder = Builder::new();
                let object = *with == With::Object;
                if object {
                    builder.begin_object();
                } else {
                    builder.begin_array();
                }
                for index in 0..*items {
                    if object {
                        builder.key(&format!("k{index}"));
                    }
                    builder.payload(item);
                }
                builder.end();
                builder.finish()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_recipe_builds_what_it_says() {
        let nest = |with| Recipe::nest(3, with, 1).build().to_json();
        assert_eq!(nest(With::Array), "[[[1]]]");
        assert_eq!(nest(With::Object), r#"{"next":{"next":{"next":1}}}"#);
        assert_eq!(nest(With::Alternate), r#"[{"next":[1]}]"#);
        assert_eq!(Recipe::nest(0, With::Array, "x").build(), Payload::from("x"));
        assert_eq!(Recipe::wide(3, With::Array, true).build().to_json(), "[true,true,true]");
        assert_eq!(Recipe::wide(2, With::Object, 0).build().to_json(), r#"{"k0":0,"k1":0}"#);
        let repeat = Repeat { unit: "ab".into(), times: 2, before: "<".into(), after: ">".into() };
        assert_eq!(Recipe::Repeat(repeat).build(), Payload::from("<abab>"));
    }

    #[test]
    fn an_unknown_field_is_refused() {
        let text = r#"{"wide": {"items": 1, "with": "array", "item": 0, "itme": 1}}"#;
        let error = serde_json::from_str::<Recipe>(text).unwrap_err().to_string();
        assert!(error.contains("unknown field `itme`"), "{error}");
    }
}
