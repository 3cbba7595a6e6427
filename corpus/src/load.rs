//! From files to a corpus, or to everything that is wrong with them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::corpus::Corpus;
use crate::fault::Fault;
use crate::fields::Fields;
use crate::fixture::{Family, Fixture};
use crate::id::{FixtureId, RequirementId, is_kebab};
use crate::json::Json;
use crate::marker::MarkerFamily;
use crate::requirement::Requirement;
use crate::rules;
use crate::set::Set;

pub(crate) const REQUIREMENTS: &str = "requirements.json";
pub(crate) const MARKERS: &str = "markers.json";
pub(crate) const FIXTURES: &str = "fixtures/";
pub(crate) const SETS: &str = "sets/";

/// One file of a corpus: its name relative to the corpus, and its bytes or why there are none.
pub(crate) struct File<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) bytes: Result<Cow<'a, [u8]>, String>,
}

/// Reads a whole corpus. All faults are reported, in the order of the files and of their entries.
pub(crate) fn load(files: &[File<'_>]) -> Result<Corpus, Vec<Fault>> {
    let mut loader = Loader::default();
    let mut corpus = Corpus::empty();
    loader.requirements(files, &mut corpus);
    loader.markers(files, &mut corpus);
    let known = Known::of(&corpus.requirements, loader.requirement_ids.as_ref());
    corpus.families = loader.families(files, &known, &BTreeSet::new());
    loader.sets(files, &mut corpus);
    if loader.faults.is_empty() { Ok(corpus) } else { Err(loader.faults) }
}

/// Reads fixtures alone, whose requirements are those of `corpus` and whose ids must not be.
pub(crate) fn load_families(files: &[File<'_>], corpus: &Corpus) -> Result<Vec<Family>, Vec<Fault>> {
    let mut loader = Loader::default();
    let taken = corpus.fixtures().map(|fixture| fixture.id.as_str()).collect();
    let families = loader.families(files, &Known::of(&corpus.requirements, None), &taken);
    if loader.faults.is_empty() { Ok(families) } else { Err(loader.faults) }
}

/// The requirements that a fixture may name.
struct Known<'a> {
    by_id: BTreeMap<&'a str, &'a Requirement>,
    /// Ids of entries that could not be read: naming one is no second fault.
    unreadable: BTreeSet<String>,
    /// Whether the table itself could not be read, so that nothing can be said of a name.
    nothing: bool,
}

impl<'a> Known<'a> {
    fn of(requirements: &'a [Requirement], seen: Option<&BTreeSet<String>>) -> Self {
        Self {
            by_id: requirements.iter().map(|requirement| (requirement.id.as_str(), requirement)).collect(),
            unreadable: seen.cloned().unwrap_or_default(),
            nothing: requirements.is_empty() && seen.is_none(),
        }
    }
}

#[derive(Default)]
struct Loader {
    faults: Vec<Fault>,
    /// Every requirement id that was written, be its entry right or wrong; absent without a table.
    requirement_ids: Option<BTreeSet<String>>,
    /// Every fixture id that was written.
    fixture_ids: BTreeSet<String>,
}

/// An entry's id if it has one in its right form, else its place in the file.
fn entry_name(json: &Json, list: &str, at: usize) -> String {
    let id = match json {
        Json::Object(members) => members.iter().find(|(key, _)| key == "id").map(|(_, value)| value),
        _ => None,
    };
    match id {
        Some(Json::String(id)) if id.split('/').all(is_kebab) => id.clone(),
        _ => format!("{list}[{at}]"),
    }
}

impl Loader {
    fn fault(&mut self, file: &str, entry: &str, problem: impl Into<String>) {
        self.faults.push(Fault::new(file, entry, problem));
    }

    fn all(&mut self, file: &str, entry: &str, problems: Vec<String>) {
        for problem in problems {
            self.fault(file, entry, problem);
        }
    }

    /// The JSON of a file, with the fault noted where there is none.
    fn json(&mut self, file: &File<'_>) -> Option<Json> {
        let json = file.bytes.as_deref().map_err(Clone::clone).and_then(Json::read);
        json.map_err(|problem| self.fault(&file.name, "", problem)).ok()
    }

    /// The JSON of the one file of this name.
    fn json_named(&mut self, files: &[File<'_>], name: &str) -> Option<Json> {
        match files.iter().find(|file| file.name == name) {
            Some(file) => self.json(file),
            None => {
                self.fault(name, "", "is absent");
                None
            }
        }
    }

    fn requirements(&mut self, files: &[File<'_>], corpus: &mut Corpus) {
        let Some(json) = self.json_named(files, REQUIREMENTS) else { return };
        let mut fields = Fields::of(json);
        fields.optional_string("$schema");
        corpus.sources = letters(&mut fields);
        let entries = fields.array("requirements");
        self.all(REQUIREMENTS, "", fields.finish());
        if entries.is_empty() {
            self.fault(REQUIREMENTS, "", "holds no requirement");
        }
        let mut ids = BTreeSet::new();
        for (at, json) in entries.into_iter().enumerate() {
            let entry = entry_name(&json, "requirements", at);
            if !ids.insert(entry.clone()) {
                self.fault(REQUIREMENTS, &entry, "the id stands before already");
            }
            match Requirement::read(json) {
                Ok(requirement) => {
                    self.known_sources(REQUIREMENTS, &entry, &requirement.sources, &corpus.sources);
                    corpus.requirements.push(requirement);
                }
                Err(problems) => self.all(REQUIREMENTS, &entry, problems),
            }
        }
        self.requirement_ids = Some(ids);
    }

    fn known_sources(&mut self, file: &str, entry: &str, named: &[String], known: &BTreeMap<String, String>) {
        for (at, source) in named.iter().enumerate() {
            if !known.contains_key(source) {
                let legal: Vec<&str> = known.keys().map(String::as_str).collect();
                self.fault(file, entry, format!("`sources[{at}]` is unknown, expected one of: {}", legal.join(", ")));
            }
        }
    }

    fn markers(&mut self, files: &[File<'_>], corpus: &mut Corpus) {
        let Some(json) = self.json_named(files, MARKERS) else { return };
        let mut fields = Fields::of(json);
        fields.optional_string("$schema");
        corpus.marker_sources = letters(&mut fields);
        let entries = fields.array("families");
        self.all(MARKERS, "", fields.finish());
        if entries.is_empty() {
            self.fault(MARKERS, "", "holds no family");
        }
        let (mut families, mut ids, mut texts) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (at, json) in entries.into_iter().enumerate() {
            let entry = entry_name(&json, "families", at);
            if !families.insert(entry.clone()) {
                self.fault(MARKERS, &entry, "the id stands before already");
            }
            match MarkerFamily::read(json) {
                Ok(family) => {
                    self.known_sources(MARKERS, &entry, &family.sources, &corpus.marker_sources);
                    for marker in &family.markers {
                        if !ids.insert(marker.id.clone()) {
                            self.fault(MARKERS, &marker.id, "the id stands before already");
                        }
                        if !texts.insert(marker.text.clone()) {
                            self.fault(MARKERS, &marker.id, "the same marker text stands before already");
                        }
                    }
                    corpus.marker_families.push(family);
                }
                Err(problems) => self.all(MARKERS, &entry, problems),
            }
        }
    }

    fn families(&mut self, files: &[File<'_>], known: &Known<'_>, taken: &BTreeSet<&str>) -> Vec<Family> {
        let mut families = Vec::new();
        for file in files.iter().filter(|file| file.name.starts_with(FIXTURES)) {
            families.extend(self.family(file, known, taken));
        }
        if !files.iter().any(|file| file.name.starts_with(FIXTURES)) {
            self.fault(FIXTURES, "", "holds no file of fixtures");
        }
        families
    }

    fn family(&mut self, file: &File<'_>, known: &Known<'_>, taken: &BTreeSet<&str>) -> Option<Family> {
        let json = self.json(file)?;
        let file = &*file.name;
        let mut fields = Fields::of(json);
        fields.optional_string("$schema");
        let name = fields.string("family");
        let about = fields.string("about");
        let entries = fields.array("fixtures");
        self.all(file, "", fields.finish());
        if file.strip_prefix(FIXTURES).and_then(|file| file.strip_suffix(".json")) != Some(&name) {
            self.fault(file, "", "field `family` is not the name of the file");
        }
        if entries.is_empty() {
            self.fault(file, "", "holds no fixture");
        }
        let mut family = Family { name, about, fixtures: Vec::new() };
        let mut mechanisms: BTreeMap<String, String> = BTreeMap::new();
        for (at, json) in entries.into_iter().enumerate() {
            let entry = entry_name(&json, "fixtures", at);
            // An entry without an id has a place in its file, which another file has as well.
            let has_id = entry.parse::<FixtureId>().is_ok();
            if has_id && (!self.fixture_ids.insert(entry.clone()) || taken.contains(entry.as_str())) {
                self.fault(file, &entry, "the id is taken already");
            }
            let fixture = match Fixture::read(json) {
                Ok(fixture) => fixture,
                Err(problems) => {
                    self.all(file, &entry, problems);
                    continue;
                }
            };
            if fixture.id.family() != family.name {
                self.fault(file, &entry, "the first part of the id is not the family");
            }
            if known.by_id.contains_key(fixture.id.as_str()) {
                self.fault(file, &entry, "the id is that of a requirement: a case needs a name of its own");
            }
            if let Some(earlier) = mechanisms.insert(fixture.mechanism.to_lowercase(), entry.clone()) {
                self.fault(file, &entry, format!("has the mechanism of {earlier}: say what differs, or leave one out"));
            }
            self.all(file, &entry, rules::alone(&fixture));
            match known.by_id.get(fixture.requirement.as_str()) {
                Some(requirement) => self.all(file, &entry, rules::with_requirement(&fixture, requirement)),
                None if known.nothing || known.unreadable.contains(fixture.requirement.as_str()) => {}
                None => self.fault(file, &entry, format!("names the unknown requirement {}", fixture.requirement)),
            }
            family.fixtures.push(fixture);
        }
        Some(family)
    }

    fn sets(&mut self, files: &[File<'_>], corpus: &mut Corpus) {
        for file in files.iter().filter(|file| file.name.starts_with(SETS)) {
            let Some(json) = self.json(file) else { continue };
            let file = &*file.name;
            match Set::read(json) {
                Ok(set) => {
                    if file.strip_prefix(SETS).and_then(|file| file.strip_suffix(".json")) != Some(&set.name) {
                        self.fault(file, "", "field `set` is not the name of the file");
                    }
                    for (at, case) in set.cases.iter().enumerate() {
                        if !self.is_a_case(case) {
                            self.fault(file, &format!("cases[{at}]"), "is no case of this corpus");
                        }
                    }
                    corpus.sets.push(set);
                }
                Err(problems) => self.all(file, "", problems),
            }
        }
        if !files.iter().any(|file| file.name.starts_with(SETS)) {
            self.fault(SETS, "", "holds no set");
        }
    }

    /// Whether an id is a fixture's, or that of a case which a fixture or a known requirement brings
    /// along: theirs and one more word.
    fn is_a_case(&self, id: &str) -> bool {
        let known = |id: &str| {
            let unknown_table = self.requirement_ids.is_none() && id.parse::<RequirementId>().is_ok();
            let a_row = self.requirement_ids.as_ref().is_some_and(|ids| ids.contains(id));
            unknown_table || a_row || self.fixture_ids.contains(id)
        };
        let brought_along = |(of, case): (&str, &str)| known(of) && is_kebab(case);
        self.fixture_ids.contains(id) || id.rsplit_once('/').is_some_and(brought_along)
    }
}

/// The field `sources`: what each letter stands for.
fn letters(fields: &mut Fields) -> BTreeMap<String, String> {
    let mut letters = BTreeMap::new();
    let members = match fields.require("sources") {
        Some(Json::Object(members)) => members,
        Some(other) => {
            fields.problem(format!("field `sources` is {}, expected an object", other.what()));
            return letters;
        }
        None => return letters,
    };
    for (at, (letter, about)) in members.into_iter().enumerate() {
        match about {
            Json::String(about) if !about.trim().is_empty() => {
                if letters.insert(letter, about).is_some() {
                    fields.problem(format!("field `sources` has the letter of its member {at} before already"));
                }
            }
            other => fields.problem(format!("member {at} of `sources` is {}, expected a text", other.what())),
        }
    }
    letters
}
