//! Sets: which cases a release holds a boundary to.

use crate::fields::Fields;
use crate::json::Json;

/// A list of cases under one name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Set {
    /// Its name, for example `1`.
    pub name: String,
    /// An open set holds every case there is; it lists none, and its release freezes it.
    pub open: bool,
    /// What it is for.
    pub about: String,
    /// The cases of a frozen set: fixture ids, and `area/name/case` for a case that a
    /// requirement or a fixture brings along.
    pub cases: Vec<String>,
}

impl Set {
    /// Reads one file of `sets/`.
    pub(crate) fn read(json: Json) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(json);
        fields.optional_string("$schema");
        let name = fields.string("set");
        let open = fields.bool("open");
        let about = fields.string("about");
        let cases = fields.strings("cases");
        if open && !cases.is_empty() {
            fields.problem("an open set holds every case and lists none");
        }
        if !open && cases.is_empty() {
            fields.problem("a frozen set lists its cases, this one lists none");
        }
        let problems = fields.finish();
        if problems.is_empty() { Ok(Self { name, open, about, cases }) } else { Err(problems) }
    }
}
