//! A fixture: one payload, what a boundary must do with it, and its benign twin.

use boundary_contract::{Claim, FindingKind, RefusalKind, Tool};

use crate::fields::Fields;
use crate::id::{FixtureId, RequirementId};
use crate::input::{Input, read_payload};
use crate::json::Json;
use crate::requirement::Level;
use crate::words::words;

/// The fixtures of one file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Family {
    /// Its name, which is also the file's and the first part of each id.
    pub name: String,
    /// What its fixtures have in common.
    pub about: String,
    /// The fixtures, in the order of the file.
    pub fixtures: Vec<Fixture>,
}

/// One payload and what a boundary must do with it.
///
/// Strings of the input may hold [placeholders](crate::Placeholder).
#[derive(Debug, Clone, PartialEq)]
pub struct Fixture {
    /// Its permanent name.
    pub id: FixtureId,
    /// The requirement that it is evidence for.
    pub requirement: RequirementId,
    /// Set where this case weighs less than its requirement.
    pub level: Option<Level>,
    /// How cleverly the order is put; anything but `core` only in the area `flag`.
    pub tier: Tier,
    /// Whether it quotes or reports an attack, so that flagging it is no fault; only of `benign/hard`.
    pub quotes: bool,
    /// Why it is worth a case.
    pub why: String,
    /// How the attack works. No two fixtures of a family share one.
    pub mechanism: String,
    /// What a boundary must claim beyond the requirement's own claims.
    pub needs: Vec<Claim>,
    /// The tool that returns it.
    pub tool: Tool,
    /// What the tool returns.
    pub input: Input,
    /// What a boundary must do.
    pub expect: Expect,
    /// Plain words of the input that must still stand in the delivered text.
    pub keeps: Vec<String>,
    /// The plain text that an encoded input hides, which must stand nowhere in the rendering.
    pub decoded: Option<String>,
    /// The same input with the attack alone removed or made ordinary. Every attack has one.
    pub twin: Option<Input>,
}

words! {
    /// How cleverly an order is put.
    #[derive(Default)]
    pub Tier, "tier" {
        /// A plain form, judged by the level of its requirement.
        #[default]
        Core = "core",
        /// A clever form, reported as a rate: words are a tripwire, structure is not.
        Wide = "wide",
    }
}

/// What a boundary must do with a fixture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// Deliver it with the forgery made harmless.
    Neutralised {
        /// Texts that must not stand in what is delivered.
        removes: Vec<String>,
    },
    /// Deliver it, flagged.
    Flagged {
        /// The kind of order that it is.
        kind: FindingKind,
        /// Where the finding stands, as a JSON Pointer; `""` is the whole value.
        at: Option<String>,
    },
    /// Refuse it, for this reason.
    Refused {
        /// The reason.
        kind: RefusalKind,
        /// Where the violation is, as a JSON Pointer.
        at: Option<String>,
        /// The keyword of the declared schema that is violated.
        violated: Option<String>,
    },
    /// Deliver it, unflagged and unchanged.
    Delivered,
}

impl Expect {
    /// The word that stands for this expectation in the data.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Neutralised { .. } => "neutralised",
            Self::Flagged { .. } => "flagged",
            Self::Refused { .. } => "refused",
            Self::Delivered => "delivered",
        }
    }
}

words! {
    /// An expectation, as the data spells it.
    Expectation, "expectation" {
        Neutralised = "neutralised",
        Flagged = "flagged",
        Refused = "refused",
        Delivered = "delivered",
    }
}

impl Fixture {
    /// Reads one fixture of a file of `fixtures/`.
    pub(crate) fn read(json: Json) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(json);
        let id = fields.word("id");
        let requirement = fields.word("requirement");
        let level = fields.optional_word("level");
        let tier = fields.optional_word("tier").unwrap_or_default();
        let quotes = fields.has("quotes") && fields.bool("quotes");
        let why = fields.string("why");
        let mechanism = fields.string("mechanism");
        let needs = fields.optional_words("needs");
        let tool = fields.take("tool").map_or_else(|| Tool::new("read_page"), |json| read_tool(&mut fields, json));
        let input = Input::read(&mut fields);
        let expect = read_expect(&mut fields);
        let keeps = fields.optional_strings("keeps");
        let decoded = fields.optional_string("decoded");
        let twin = fields.take("twin").and_then(|json| {
            let mut inner = Fields::inside(json, "twin");
            let twin = Input::read(&mut inner);
            let problems = inner.finish();
            fields.absorb(problems.into_iter().map(|problem| format!("in `twin`: {problem}")).collect());
            twin
        });
        match (id, requirement, input, expect, fields.finish()) {
            (Some(id), Some(requirement), Some(input), Some(expect), problems) if problems.is_empty() => Ok(Self {
                id,
                requirement,
                level,
                tier,
                quotes,
                why,
                mechanism,
                needs,
                tool,
                input,
                expect,
                keeps,
                decoded,
                twin,
            }),
            (.., problems) => Err(problems),
        }
    }
}

fn read_tool(fields: &mut Fields, json: Json) -> Tool {
    let mut inner = Fields::inside(json, "tool");
    let mut tool = Tool::new(inner.string("name"));
    if let Some(json) = inner.take("returns") {
        // Its depth is at most that of the file, so a plain clone of it is safe.
        tool.returns = Some(read_payload(&mut inner, "tool.returns", &json).to_value().clone());
    }
    tool.source = inner.optional_string("source");
    tool.url = inner.optional_string("url");
    tool.fetched_at = inner.optional_string("fetched_at");
    fields.absorb(inner.finish());
    tool
}

/// Reads `expect` and the fields that belong to it; one that belongs to another expectation is a problem.
fn read_expect(fields: &mut Fields) -> Option<Expect> {
    let expectation = fields.word::<Expectation>("expect")?;
    let allowed: &[&str] = match expectation {
        Expectation::Neutralised => &["removes"],
        Expectation::Flagged => &["kind", "at"],
        Expectation::Refused => &["refusal", "at", "violated"],
        Expectation::Delivered => &[],
    };
    for name in ["removes", "kind", "at", "refusal", "violated"] {
        if !allowed.contains(&name) && fields.take(name).is_some() {
            fields.problem(format!("field `{name}` does not belong to `expect: {expectation}`"));
        }
    }
    match expectation {
        Expectation::Neutralised => Some(Expect::Neutralised { removes: fields.optional_strings("removes") }),
        Expectation::Flagged => {
            let (kind, at) = (fields.word("kind"), fields.optional_string("at"));
            Some(Expect::Flagged { kind: kind?, at })
        }
        Expectation::Refused => {
            let (kind, at) = (fields.word("refusal"), fields.optional_string("at"));
            let violated = fields.optional_string("violated");
            Some(Expect::Refused { kind: kind?, at, violated })
        }
        Expectation::Delivered => Some(Expect::Delivered),
    }
}
