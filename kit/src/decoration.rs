//! What a boundary is decorated with by name: a fault in its answers, or a way to misbehave.

use std::str::FromStr;
use std::sync::Arc;

use boundary_contract::Boundary;
use boundary_corpus::corpus;

use crate::message;
use crate::runner::{Plan, Planned, probe};
use crate::saboteur::{Sabotaged, Saboteur, saboteurs};
use crate::subject::Subject;
use crate::zoo::{self, Member, Misbehaving, members};

/// A way in which a boundary is made bad on purpose, known by its name.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Decoration {
    /// It answers, and answers wrongly.
    Saboteur(&'static Saboteur),
    /// It gives no answer at one case, or more than that.
    Member(&'static Member),
}

impl Decoration {
    /// Every decoration: the saboteurs in the order of the catalogue, then the members of the zoo.
    pub fn all() -> impl Iterator<Item = Self> {
        saboteurs().map(Self::Saboteur).chain(members().map(Self::Member))
    }

    /// Its permanent name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Saboteur(saboteur) => saboteur.name,
            Self::Member(member) => member.name,
        }
    }

    /// What the boundary does once it is decorated so.
    #[must_use]
    pub const fn does(self) -> &'static str {
        match self {
            Self::Saboteur(saboteur) => saboteur.does,
            Self::Member(member) => member.does,
        }
    }

    /// The boundary, decorated so.
    ///
    /// # Errors
    ///
    /// Why it cannot be, in words for a person: its design is spared, it is not asked what would show, or it panics when
    /// asked to describe itself.
    pub fn on(self, inner: Box<dyn Boundary>) -> Result<Box<dyn Boundary>, String> {
        let subject = described(&*inner)?;
        if let Some(why) = self.spared_by(&subject) {
            return Err(message::spared(self.name(), &why));
        }
        Ok(match self {
            Self::Saboteur(saboteur) => Box::new(Sabotaged::described(inner, saboteur, subject.description.clone())),
            Self::Member(member) => Box::new(Misbehaving::described(inner, member, &subject, &zoo::CASES)?),
        })
    }

    /// Why it would not show in a boundary; nothing where it would.
    fn spared_by(self, subject: &Arc<Subject>) -> Option<String> {
        match self {
            Self::Saboteur(saboteur) => match saboteur.spared_by(&subject.description) {
                Some(why) => Some(why.to_owned()),
                None => saboteur.breaks.iter().find_map(|requirement| not_asked(subject, requirement)),
            },
            Self::Member(_) => zoo::first_asked(subject, &zoo::CASES).err(),
        }
    }
}

impl FromStr for Decoration {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::all().find(|decoration| decoration.name() == name).ok_or_else(|| {
            let names: Vec<String> = Self::all().map(|decoration| decoration.name().to_owned()).collect();
            message::unknown_decoration(name, &names)
        })
    }
}

/// Every decoration, with the reason where it cannot be put on this boundary.
///
/// # Errors
///
/// Why there is nothing to list: the boundary panicked when asked to describe itself.
pub fn decorations(boundary: &dyn Boundary) -> Result<Vec<(Decoration, Option<String>)>, String> {
    let subject = described(boundary)?;
    Ok(Decoration::all().map(|decoration| (decoration, decoration.spared_by(&subject))).collect())
}

fn described(boundary: &dyn Boundary) -> Result<Arc<Subject>, String> {
    probe::describe(boundary).map(Subject::new).map_err(|place| message::describe_panicked(&place))
}

/// Why a boundary is asked nothing of a requirement; nothing where it is asked.
fn not_asked(subject: &Arc<Subject>, requirement: &str) -> Option<String> {
    match Plan::about(subject, corpus(), requirement).rows.pop() {
        Some((_, Planned::Cases(_))) => None,
        Some((_, Planned::NotClaimed(why))) => Some(message::not_asked(requirement, &why)),
        Some((_, Planned::NotBuilt)) | None => Some(message::not_asked(requirement, &message::not_built())),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::canary::{Smallest, SmallestGuard};

    fn problem(name: &str, boundary: impl Boundary + 'static) -> String {
        name.parse::<Decoration>().and_then(|decoration| decoration.on(Box::new(boundary))).map(drop).unwrap_err()
    }

    #[test]
    fn no_name_is_that_of_two() {
        let names: Vec<&str> = Decoration::all().map(Decoration::name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        let unfit = names.iter().find(|name| name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-'));
        assert_eq!(unfit, None, "it could not be written after a `+`");
    }

    #[test]
    fn an_unknown_name_is_told_the_nearest() {
        assert!(problem("abbort", Smallest).contains("nearest: abort"), "{}", problem("abbort", Smallest));
        assert!(
            problem("envelope-note-afer\u{1b}", Smallest).contains("`envelope-note-afer\\u{1b}`; nearest: envelope-n")
        );
    }

    #[test]
    fn what_would_not_show_is_put_on_no_boundary() {
        let spared = problem("guard-nulls-stripped", Smallest);
        assert!(spared.ends_with("guard/text-unchanged is not asked (claim not made: unchanged-text)"), "{spared}");
        let spared = problem("leak-refusal-quotes", SmallestGuard);
        assert!(spared.starts_with("`leak-refusal-quotes` would not show in this boundary: it "), "{spared}");
        for (boundary, there, not_there) in [
            (&Smallest as &dyn Boundary, "depth-off-by-one", "guard-nulls-stripped"),
            (&SmallestGuard, "guard-nulls-stripped", "depth-off-by-one"),
        ] {
            let all = decorations(boundary).unwrap();
            let spared =
                |name: &str| all.iter().find(|(it, _)| it.name() == name).is_some_and(|(_, why)| why.is_some());
            assert_eq!(["abort", there, not_there].map(spared), [false, false, true], "{}", boundary.describe().name);
        }
    }
}
