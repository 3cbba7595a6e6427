//! What a fixture sends: a value, a recipe for one, or JSON text.

use boundary_contract::{Nest, Payload, Recipe, Repeat, Token, Wide, With};

use crate::fields::Fields;
use crate::json::Json;
use crate::placeholder::{Piece, Placeholder, pieces};

/// What a fixture sends, in one of the three ways in which it can be said.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A value.
    Payload(Payload),
    /// How to build a value that is too large or too deep to write down.
    Recipe(Recipe),
    /// JSON text as it is, for what no value can say: duplicate keys, text that is not JSON.
    Raw(String),
}

impl Input {
    /// The same input with each placeholder replaced by what `value` gives for it.
    ///
    /// ```
    /// use boundary_contract::Payload;
    /// use boundary_corpus::{Input, Placeholder};
    ///
    /// let input = Input::Payload(Payload::from("before {{envelope.close}} after"));
    /// let filled = input.filled(|placeholder| match placeholder {
    ///     Placeholder::EnvelopeClose => "</data>".to_owned(),
    ///     _ => unreachable!("this input holds no other"),
    /// });
    /// assert_eq!(filled, Input::Payload(Payload::from("before </data> after")));
    /// ```
    #[must_use]
    pub fn filled(&self, mut value: impl FnMut(Placeholder) -> String) -> Self {
        let mut fill = |text: &str| {
            text.contains("{{").then(|| {
                let mut out = String::with_capacity(text.len());
                for piece in pieces(text) {
                    match piece {
                        Piece::Literal(literal) => out.push_str(literal),
                        Piece::Placeholder(placeholder) => out.push_str(&value(placeholder)),
                        // Only an input that did not pass the loader has one: its braces stay.
                        Piece::Misspelled => out.push_str("{{"),
                    }
                }
                out
            })
        };
        match self {
            Self::Payload(payload) => Self::Payload(payload.map_strings(fill)),
            Self::Raw(text) => Self::Raw(fill(text).unwrap_or_else(|| text.clone())),
            Self::Recipe(Recipe::Nest(nest)) => {
                Self::Recipe(Recipe::Nest(Nest { leaf: nest.leaf.map_strings(fill), ..nest.clone() }))
            }
            Self::Recipe(Recipe::Wide(wide)) => {
                Self::Recipe(Recipe::Wide(Wide { item: wide.item.map_strings(fill), ..wide.clone() }))
            }
            Self::Recipe(Recipe::Repeat(repeat)) => {
                let mut filled = repeat.clone();
                for text in [&mut filled.unit, &mut filled.before, &mut filled.after] {
                    if let Some(changed) = fill(text) {
                        *text = changed;
                    }
                }
                Self::Recipe(Recipe::Repeat(filled))
            }
        }
    }

    /// Whether this placeholder stands anywhere in it.
    #[must_use]
    pub fn holds(&self, placeholder: Placeholder) -> bool {
        self.any_text(|text| pieces(text).any(|piece| piece == Piece::Placeholder(placeholder)))
    }

    /// Whether `judge` says yes to any text in it, keys included. A recipe is not built for it.
    pub(crate) fn any_text(&self, mut judge: impl FnMut(&str) -> bool) -> bool {
        let mut in_value = |value: &Payload| {
            value.tokens().any(|token| match token {
                Token::String(text) | Token::Key(text) => judge(text),
                _ => false,
            })
        };
        match self {
            Self::Payload(payload) => in_value(payload),
            Self::Recipe(Recipe::Nest(nest)) => in_value(&nest.leaf),
            Self::Recipe(Recipe::Wide(wide)) => in_value(&wide.item),
            Self::Recipe(Recipe::Repeat(Repeat { unit, before, after, .. })) => {
                [before, unit, after].into_iter().any(|text| judge(text))
            }
            Self::Raw(text) => judge(text),
        }
    }

    /// Reads the one field of `payload`, `recipe` and `raw` that is there.
    pub(crate) fn read(fields: &mut Fields) -> Option<Self> {
        let (payload, recipe, raw) = (fields.take("payload"), fields.take("recipe"), fields.optional_string("raw"));
        match (payload, recipe, raw) {
            (Some(json), None, None) => Some(Self::Payload(read_payload(fields, "payload", &json))),
            (None, Some(json), None) => read_recipe(fields, json).map(Self::Recipe),
            (None, None, Some(text)) => Some(Self::Raw(text)),
            _ => {
                fields.problem("expected exactly one of the fields `payload`, `recipe` and `raw`");
                None
            }
        }
    }
}

pub(crate) fn read_payload(fields: &mut Fields, name: &str, json: &Json) -> Payload {
    if json.has_duplicate_keys() {
        fields.problem(format!("an object in `{name}` has one key twice: write such a text as `raw`"));
    }
    json.to_payload()
}

fn read_recipe(fields: &mut Fields, json: Json) -> Option<Recipe> {
    let mut outer = Fields::inside(json, "recipe");
    let mut recipes = Vec::new();
    if let Some(json) = outer.take("nest") {
        let mut nest = Fields::inside(json, "recipe.nest");
        let (depth, with, leaf) = (nest.natural("depth"), nest.word::<Containers>("with"), nest.require("leaf"));
        let leaf = leaf.map(|json| read_payload(&mut nest, "recipe.nest.leaf", &json));
        outer.absorb(nest.finish());
        recipes.push(with.zip(leaf).map(|(with, leaf)| Recipe::Nest(Nest { depth, with: with.into(), leaf })));
    }
    if let Some(json) = outer.take("repeat") {
        let mut repeat = Fields::inside(json, "recipe.repeat");
        let (unit, times) = (repeat.string("unit"), repeat.natural("times"));
        let [before, after] = ["before", "after"].map(|name| repeat.optional_string(name).unwrap_or_default());
        outer.absorb(repeat.finish());
        recipes.push(Some(Recipe::Repeat(Repeat { unit, times, before, after })));
    }
    if let Some(json) = outer.take("wide") {
        let mut wide = Fields::inside(json, "recipe.wide");
        let (items, with, item) = (wide.natural("items"), wide.word::<Containers>("with"), wide.require("item"));
        let item = item.map(|json| read_payload(&mut wide, "recipe.wide.item", &json));
        outer.absorb(wide.finish());
        recipes.push(with.zip(item).map(|(with, item)| Recipe::Wide(Wide { items, with: with.into(), item })));
    }
    if recipes.len() != 1 {
        outer.problem("expected exactly one of the recipes `nest`, `repeat` and `wide`");
    }
    fields.absorb(outer.finish());
    recipes.pop().flatten()
}

crate::words::words! {
    /// The containers of a recipe, as the data spells them.
    Containers, "containers" {
        Array = "array",
        Object = "object",
        Alternate = "alternate",
    }
}

impl From<Containers> for With {
    fn from(containers: Containers) -> Self {
        match containers {
            Containers::Array => Self::Array,
            Containers::Object => Self::Object,
            Containers::Alternate => Self::Alternate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Input, Vec<String>> {
        let mut fields = Fields::of(Json::read(text.as_bytes()).unwrap());
        let input = Input::read(&mut fields);
        let problems = fields.finish();
        if problems.is_empty() { Ok(input.unwrap()) } else { Err(problems) }
    }

    #[test]
    fn each_way_of_saying_an_input_is_read() {
        assert_eq!(read(r#"{"payload": null}"#).unwrap(), Input::Payload(Payload::null()));
        assert_eq!(read(r#"{"raw": "{"}"#).unwrap(), Input::Raw("{".to_owned()));
        for recipe in [
            r#"{"nest": {"depth": 3, "with": "alternate", "leaf": {"b": 1, "a": 2}}}"#,
            r#"{"repeat": {"unit": "ab", "times": 2, "before": "<"}}"#,
            r#"{"wide": {"items": 2, "with": "object", "item": "x"}}"#,
        ] {
            let by_contract: Recipe = serde_json::from_str(recipe).unwrap();
            assert_eq!(read(&format!(r#"{{"recipe": {recipe}}}"#)).unwrap(), Input::Recipe(by_contract));
        }
    }

    #[test]
    fn an_input_said_twice_or_not_at_all_or_wrongly_is_refused() {
        let one = "expected exactly one of the fields `payload`, `recipe` and `raw`";
        for (text, problem) in [
            ("{}", one),
            (r#"{"payload": 1, "raw": "1"}"#, one),
            (r#"{"recipe": {}}"#, "expected exactly one of the recipes `nest`, `repeat` and `wide`"),
            (r#"{"recipe": {"nest": {"depth": 1, "with": "array"}}}"#, "field `recipe.nest.leaf` is missing"),
            (
                r#"{"recipe": {"wide": {"items": 1, "with": "list", "item": 1}}}"#,
                "field `recipe.wide.with`: unknown containers `list`, expected one of: array, object, alternate",
            ),
            (r#"{"recipe": {"repeat": {"unit": "a", "times": 1, "time": 1}}}"#, "unknown field `recipe.repeat.time`"),
            (
                r#"{"payload": [{"a": 1, "a": 2}]}"#,
                "an object in `payload` has one key twice: write such a text as `raw`",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), [problem]);
        }
    }

    #[test]
    fn placeholders_are_filled_in_values_keys_recipes_and_raw_text() {
        let fill = |text: &str| read(text).unwrap().filled(|placeholder| format!("<{}>", placeholder.as_str().len()));
        let payload = fill(r#"{"payload": {"{{canary}}": ["a{{envelope.open}}", "{{7*7}}"]}}"#);
        assert_eq!(payload, read(r#"{"payload": {"<10>": ["a<17>", "{{7*7}}"]}}"#).unwrap());
        assert_eq!(fill(r#"{"raw": "[\"{{canary}}\"]"}"#), Input::Raw("[\"<10>\"]".to_owned()));
        let repeat = fill(r#"{"recipe": {"repeat": {"unit": "{{canary}}", "times": 1, "after": "{{canary}}"}}}"#);
        let Input::Recipe(repeat) = repeat else { unreachable!("a recipe stays one") };
        assert_eq!(repeat.build(), Payload::from("<10><10>"));
        let nest = fill(r#"{"recipe": {"nest": {"depth": 1, "with": "array", "leaf": "{{canary}}"}}}"#);
        let Input::Recipe(nest) = nest else { unreachable!("a recipe stays one") };
        assert_eq!(nest.build().to_json(), r#"["<10>"]"#);
    }

    #[test]
    fn a_placeholder_is_seen_wherever_an_input_has_text() {
        for text in [
            r#"{"payload": {"{{canary}}": 1}}"#,
            r#"{"payload": [["a{{canary}}"]]}"#,
            r#"{"raw": "[{{canary}}"}"#,
            r#"{"recipe": {"nest": {"depth": 1, "with": "array", "leaf": "{{canary}}"}}}"#,
            r#"{"recipe": {"wide": {"items": 1, "with": "array", "item": ["{{canary}}"]}}}"#,
            r#"{"recipe": {"repeat": {"unit": "{{canary}}", "times": 1}}}"#,
            r#"{"recipe": {"repeat": {"unit": "a", "times": 1, "before": "{{canary}}"}}}"#,
            r#"{"recipe": {"repeat": {"unit": "a", "times": 1, "after": "{{canary}}"}}}"#,
        ] {
            let input = read(text).unwrap();
            assert!(input.holds(Placeholder::Canary), "{text}");
            assert!(!input.holds(Placeholder::EnvelopeName), "{text}");
        }
    }
}
