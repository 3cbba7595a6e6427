//! The boundary under test as its description presents it: what it may be sent, and how its answers read.

use std::collections::BTreeSet;
use std::sync::Arc;

use boundary_contract::{
    Claim, Delivery, Description, Finding, FindingKind, Grammar, OnSuspicion, Payload, Policy, Takes, Units,
};
use boundary_corpus::{Class, Fixture, Input, Marker, Matching, corpus};

use crate::message;
use crate::oracle::envelope::{self, Envelope};
use crate::oracle::marker::{Markers, Pattern, Reading};
use crate::oracle::{Judged, Wrong};
use crate::placeholder::texts;

/// The boundary under test, as its description presents it.
#[derive(Debug)]
pub struct Subject {
    /// What it says it is.
    pub description: Description,
    markers: Markers,
    /// The structural markers of the families that it does not claim.
    foreign: Markers,
}

/// What a delivery holds, read by the described grammar.
#[derive(Debug)]
pub struct Content {
    /// The content as it stands in the rendering, encoding included: what rows about markers and
    /// controls judge.
    pub stands: String,
    /// The content with its encoding undone: what rows about fidelity judge.
    pub text: String,
    /// The envelope's own token, where it has one.
    pub nonce: Option<String>,
}

impl Subject {
    /// The boundary that this description presents.
    #[must_use]
    pub fn new(description: Description) -> Arc<Self> {
        let markers = scanner(claimed_markers(&description));
        // A marker may belong to more than one family: one claimed is enough.
        let claimed: BTreeSet<&str> = claimed_markers(&description).map(|marker| marker.text.as_str()).collect();
        let foreign = scanner(structural(|_| true).filter(|marker| !claimed.contains(marker.text.as_str())));
        Arc::new(Self { description, markers, foreign })
    }

    /// Why nothing can be asked of a boundary that describes itself so: it claims nothing, or marker
    /// families that the catalogue does not know.
    ///
    /// # Errors
    ///
    /// The reason, in words for a person.
    pub(crate) fn askable(&self) -> Result<(), String> {
        if self.description.claims.is_empty() {
            return Err(message::no_claims());
        }
        if self.description.kinds.as_ref().is_some_and(std::collections::BTreeMap::is_empty) {
            return Err(message::no_kinds());
        }
        let known = |id: &String| corpus().marker_families().iter().any(|family| family.id == *id);
        match self.description.markers.iter().flatten().find(|id| !known(id)) {
            Some(unknown) => Err(message::unknown_family(unknown)),
            None => Ok(()),
        }
    }

    /// Whether it claims this.
    #[must_use]
    pub fn claims(&self, claim: Claim) -> bool {
        self.description.claims(claim)
    }

    /// Whether it takes values other than strings.
    #[must_use]
    pub fn takes_structure(&self) -> bool {
        self.description.takes == Takes::Json
    }

    /// Whether orders of this kind are among those that it says it flags.
    #[must_use]
    pub fn claims_kind(&self, kind: FindingKind) -> bool {
        self.description.kinds.as_ref().is_none_or(|kinds| kinds.contains_key(&kind))
    }

    /// What it calls orders of this kind, where it says so; any name counts where it does not.
    #[must_use]
    pub fn names_of(&self, kind: FindingKind) -> Option<&Vec<String>> {
        self.description.kinds.as_ref()?.get(&kind)
    }

    /// Whether a finding counts for orders of this kind.
    #[must_use]
    pub fn counts_for(&self, kind: FindingKind, finding: &Finding) -> bool {
        self.names_of(kind).is_none_or(|names| names.contains(&finding.heuristic))
    }

    /// The grammar of its envelope, where it claims one.
    #[must_use]
    pub fn grammar(&self) -> Option<&Grammar> {
        self.description.envelope.as_ref().filter(|_| self.claims(Claim::Envelope))
    }

    /// The structural turn markers that it claims to neutralise, by family.
    pub fn structural_markers(&self) -> impl Iterator<Item = &'static Marker> {
        claimed_markers(&self.description)
    }

    /// The scanner for those markers.
    #[must_use]
    pub fn markers(&self) -> &Markers {
        &self.markers
    }

    /// Whether a payload holds a structural marker of a claimed family, or of its own envelope, however read.
    #[must_use]
    pub fn is_forged(&self, payload: &Payload) -> bool {
        let own = |text: &str| match self.grammar() {
            Some(grammar @ Grammar::Tag(_)) => envelope::markers_in(text, grammar, None).is_err(),
            Some(Grammar::Nonce(_)) => self.grammar().is_some_and(|grammar| {
                text.contains(&envelope::close_form(grammar)) || text.contains(&envelope::open_form(grammar))
            }),
            _ => false,
        };
        texts(payload).any(|text| own(text) || holds(&self.markers, text))
    }

    /// Whether a payload holds a structural marker of a family that it does not claim.
    #[must_use]
    pub fn is_beyond_its_markers(&self, payload: &Payload) -> bool {
        texts(payload).any(|text| holds(&self.foreign, text))
    }

    /// The length of a text in the described units.
    #[must_use]
    pub fn length(&self, text: &str) -> u64 {
        length(text, self.description.units)
    }

    /// The policy under which it delivers a flagged result whole: none to send where that is the
    /// default, `annotate` where it takes a policy; `Err` where neither is to be had.
    ///
    /// # Errors
    ///
    /// The reason, for the report.
    pub fn annotating(&self) -> Result<Policy, String> {
        if self.description.defaults.on_suspicion == OnSuspicion::Annotate {
            Ok(Policy::default())
        } else if self.claims(Claim::Policy) && self.description.policies.contains(&OnSuspicion::Annotate) {
            Ok(Policy { on_suspicion: Some(OnSuspicion::Annotate), ..Policy::default() })
        } else {
            Err("it has no policy under which a flagged result is delivered whole".to_owned())
        }
    }

    /// Whether every claim that a fixture needs beyond its row is made, and it can be sent at all.
    #[must_use]
    pub fn may_be_sent(&self, fixture: &Fixture) -> bool {
        fixture.needs.iter().all(|claim| self.claims(*claim))
            && self.takes(&fixture.input)
            && fixture.twin.as_ref().is_none_or(|twin| self.takes(twin))
    }

    fn takes(&self, input: &Input) -> bool {
        match input {
            Input::Payload(payload) => self.takes_structure() || payload.as_str().is_some(),
            Input::Recipe(_) => self.takes_structure(),
            Input::Raw(_) => self.claims(Claim::JsonText),
        }
    }

    /// What a delivery holds: what stands in its envelope, or all of it where none is claimed.
    ///
    /// # Errors
    ///
    /// [`Wrong`] where the rendering does not parse as exactly one envelope.
    pub fn content(&self, delivery: &Delivery) -> Result<Content, Wrong> {
        match self.grammar() {
            Some(grammar) => {
                let Envelope { content, text, nonce, .. } = envelope::parse(&delivery.rendered, grammar)?;
                Ok(Content { stands: content, text, nonce })
            }
            // Without a grammar nothing says how the two differ, but the text is what was delivered.
            None if !delivery.rendered.contains(&delivery.text) => {
                Err(Wrong::new("`text`, somewhere in the rendering", "a rendering without it").at("rendered"))
            }
            None => Ok(Content { stands: delivery.rendered.clone(), text: delivery.text.clone(), nonce: None }),
        }
    }

    /// Judges that no marker of its own envelope stands in the content.
    ///
    /// # Errors
    ///
    /// [`Wrong`], with the place.
    pub fn no_envelope_inside(&self, content: &Content) -> Judged {
        match self.grammar() {
            Some(grammar) => envelope::markers_in(&content.stands, grammar, content.nonce.as_deref()),
            None => Ok(()),
        }
    }
}

/// The length of a text in these units.
pub(crate) fn length(text: &str, units: Units) -> u64 {
    let length = match units {
        Units::Bytes => text.len(),
        Units::Utf16 => text.encode_utf16().count(),
        _ => text.chars().count(),
    };
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// The structural markers of the families that a description claims, in the order of the catalogue.
pub(crate) fn claimed_markers(description: &Description) -> impl DoubleEndedIterator<Item = &'static Marker> + use<> {
    let families = description.markers.clone();
    structural(move |family| families.as_ref().is_none_or(|claimed| claimed.contains(family)))
}

fn structural(wanted: impl Fn(&str) -> bool) -> impl DoubleEndedIterator<Item = &'static Marker> {
    corpus()
        .marker_families()
        .iter()
        .filter(move |family| wanted(&family.id))
        .flat_map(|family| &family.markers)
        .filter(|marker| marker.class == Class::Structural)
}

fn scanner(markers: impl Iterator<Item = &'static Marker>) -> Markers {
    Markers::new(markers.map(|marker| Pattern {
        id: &marker.id,
        text: &marker.text,
        exact_case: marker.matching == Matching::ExactCase,
    }))
}

fn holds(markers: &Markers, text: &str) -> bool {
    markers.find(text, Reading::Plain).or_else(|| markers.find(text, Reading::Entities)).is_some()
}
