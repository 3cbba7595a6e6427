//! Boundaries that misbehave on purpose, each in exactly one way and at exactly one case.
//!
//! A saboteur answers, and answers wrongly. A member of the zoo gives no answer, or takes its process along: it shows
//! that whatever a boundary does is charged to the case that was running, and that every other case still runs.

use std::sync::Arc;

use boundary_contract::{AdapterFault, Boundary, Call, Description, Input, Outcome};
use boundary_corpus::{Input as Stored, corpus};

mod member;
#[cfg(unix)]
mod unix;

pub use member::{Charged, Member};

use crate::case::CaseId;
use crate::message;
use crate::runner::{Plan, probe};
use crate::stimulus::Stimulus;
use crate::subject::Subject;

/// The cases at which a boundary misbehaves where no other is named: the first of them that it is asked.
///
/// Each is reached early in a run, and sends what no other case does. The first is for a boundary that claims return
/// types, and its answer decides nothing about whether it is claimed, so that a mere listing does not ask for it. The
/// other is for one that flags, of which no case is so.
pub const CASES: [&str; 2] = ["type/checked-first/types-wrong-root-and-order", "flag/role-reassignment/plain"];

/// Every member, those that need a system of the Unix kind last and only there.
pub fn members() -> impl Iterator<Item = &'static Member> {
    #[cfg(unix)]
    let of_the_system = unix::ALL;
    #[cfg(not(unix))]
    let of_the_system: &[Member] = &[];
    member::ALL.iter().chain(of_the_system)
}

/// A boundary that answers as another does, but for one case.
///
/// A call says nothing of its case, so it is known by what it sends first; a case that sends the same is hit too.
#[derive(Debug)]
pub struct Misbehaving<B> {
    inner: B,
    member: &'static Member,
    described: Description,
    case: CaseId,
    first: Stimulus,
}

impl<B: Boundary> Misbehaving<B> {
    /// The boundary, misbehaving so at the first of [`CASES`] that it is asked.
    ///
    /// # Errors
    ///
    /// Why it cannot, in words for a person: it panics when asked to describe itself, or is asked none of these cases.
    pub fn new(inner: B, member: &'static Member) -> Result<Self, String> {
        Self::at_one_of(inner, member, &CASES)
    }

    /// The same, at the case of this id.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn at(inner: B, member: &'static Member, case: &str) -> Result<Self, String> {
        Self::at_one_of(inner, member, &[case])
    }

    fn at_one_of(inner: B, member: &'static Member, cases: &[&str]) -> Result<Self, String> {
        let described = probe::describe(&inner).map_err(|place| message::describe_panicked(&place))?;
        Self::described(inner, member, &Subject::new(described), cases)
    }

    /// The same for a boundary that has described itself: asked again, it might not answer.
    pub(crate) fn described(
        inner: B,
        member: &'static Member,
        subject: &Arc<Subject>,
        cases: &[&str],
    ) -> Result<Self, String> {
        let (case, first) = first_asked(subject, cases)?;
        Ok(Self { inner, member, described: subject.description.clone(), case, first })
    }

    /// The case at which it misbehaves.
    #[must_use]
    pub fn case(&self) -> &CaseId {
        &self.case
    }

    /// Whether a call is what its case sends first.
    fn is_its_case(&self, call: &Call<'_>) -> bool {
        let Stimulus { tool, input, tenant, policy, per_tool } = &self.first;
        tool == call.tool
            && tenant.as_deref() == call.tenant
            && *policy == call.policy
            && *per_tool == call.per_tool
            && match (input, call.input) {
                (Stored::Payload(own), Input::Payload(sent)) => own == sent,
                (Stored::Recipe(own), Input::Recipe(sent)) => own == sent,
                (Stored::Raw(own), Input::Raw(sent)) => own == sent,
                _ => false,
            }
    }
}

impl<B: Boundary> Boundary for Misbehaving<B> {
    fn describe(&self) -> Description {
        self.described.clone()
    }

    fn check(&self, call: &Call<'_>) -> Result<Outcome, AdapterFault> {
        if self.is_its_case(call) {
            self.member.misbehave(call)?;
        }
        self.inner.check(call)
    }
}

/// The first of some cases that a boundary is asked, and what it sends first.
///
/// # Errors
///
/// That it is asked none of them, in words for a person.
pub(crate) fn first_asked(subject: &Arc<Subject>, cases: &[&str]) -> Result<(CaseId, Stimulus), String> {
    let asked = |id: &&str| {
        let case = Plan::about(subject, corpus(), id).into_cases().find(|case| case.id.as_str() == *id)?;
        let first = case.stimulus(0, &[])?;
        Some((case.id, first))
    };
    cases.iter().find_map(asked).ok_or_else(|| message::none_of_these_cases(cases))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use boundary_contract::{Claim, boundary_fn};
    use boundary_corpus::Level;

    use super::*;
    use crate::canary::{Smallest, SmallestGuard};
    use crate::case::{Case, Exchange, Took};
    use crate::saboteur::saboteurs;

    /// A boundary that would misbehave, which is never reached.
    fn misbehaving<B: Boundary>(inner: B) -> Misbehaving<B> {
        Misbehaving::new(inner, members().next().unwrap()).unwrap()
    }

    #[test]
    fn names_are_unique() {
        let names: Vec<&str> = members().map(|member| member.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    /// Over all that a case sends, also what later steps make of answers.
    #[test]
    fn no_other_step_of_any_case_sends_what_its_case_does() {
        for (boundary, expected) in [(&Smallest as &dyn Boundary, CASES[0]), (&SmallestGuard, CASES[1])] {
            let own = misbehaving(boundary);
            assert_eq!(own.case().as_str(), expected);
            let mut hit = Vec::new();
            for case in Plan::everything(&Subject::new(boundary.describe())).into_cases() {
                let mut exchanges: Vec<Exchange> = Vec::new();
                // A series for the sake of time sends the same again, longer and longer.
                let steps = if case.timed { 1 } else { case.steps() };
                for step in 0..steps {
                    let Some(sent) = case.stimulus(step, &exchanges) else { break };
                    if own.is_its_case(&sent.call()) {
                        hit.push(format!("{}, step {step}", case.id));
                    }
                    let outcome = boundary.check(&sent.call()).unwrap();
                    exchanges.push(Exchange { sent, outcome, said: Vec::new(), took: Took::default() });
                }
            }
            assert_eq!(hit, [format!("{expected}, step 0")]);
        }
    }

    #[test]
    fn whatever_else_a_call_says_makes_it_another() {
        let own = misbehaving(Smallest);
        assert!(own.is_its_case(&own.first.call()));
        let changes: [fn(&mut Stimulus); 5] = [
            |sent| sent.tool.name.push('2'),
            |sent| sent.tenant = Some("harbour".to_owned()),
            |sent| sent.policy.max_chars = Some(1),
            |sent| {
                sent.per_tool.insert("read_page".to_owned(), sent.policy);
            },
            |sent| sent.input = Stored::Raw(sent.payload().unwrap().to_json()),
        ];
        for (index, change) in changes.into_iter().enumerate() {
            let mut sent = own.first.clone();
            change(&mut sent);
            assert!(!own.is_its_case(&sent.call()), "change {index}");
        }
    }

    /// So that whatever runs before or beside the cases of a run is not hit.
    #[test]
    fn its_cases_decide_and_no_tooth_bites_there() {
        for (boundary, id, conditional) in
            [(&Smallest as &dyn Boundary, CASES[0], false), (&SmallestGuard, CASES[1], true)]
        {
            let subject = Subject::new(boundary.describe());
            let find = |case: &Case| case.id.as_str() == id;
            let case = Plan::about(&subject, corpus(), id).into_cases().find(find).unwrap();
            assert_eq!(case.level, Level::Must);
            assert!(!case.heavy && !case.rate_only && case.stack.is_none(), "{id}");
            assert_eq!(case.conditional, conditional, "{id}");
            let mut biting = saboteurs().filter(|saboteur| saboteur.bites);
            assert!(biting.all(|saboteur| saboteur.breaks[0] != case.requirement.id.as_str()), "{id}");
        }
    }

    #[test]
    fn a_boundary_that_is_not_asked_its_case_is_named_what_there_is() {
        let member = members().next().unwrap();
        let deep =
            boundary_fn(Description::new("deep", "1").claim(Claim::Depth), |call: &Call<'_>| Smallest.check(call));
        let problem = Misbehaving::new(&deep, member).unwrap_err();
        let words = "the boundary is asked none of the cases at which it would misbehave: type/checked-first/";
        assert!(problem.starts_with(words), "{problem}");
        let problem = Misbehaving::at(&deep, member, "depth/no-such\u{1b}case").unwrap_err();
        assert!(problem.contains("depth/no-such\\u{1b}case; "), "{problem}");
        let at = Misbehaving::at(&deep, member, "depth/exhaustion/arrays-10000").unwrap();
        assert_eq!(at.case().as_str(), "depth/exhaustion/arrays-10000");
    }
}
