//! One question put to a boundary, and how the answer is judged.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use boundary_contract::{Delivery, Description, FindingKind, Outcome, Refusal, RefusalKind};
use boundary_corpus::{Fixture, FixtureId, Level, Requirement, Tier};

use serde::{Deserialize, Serialize};

pub use crate::clock::Took;
use crate::listen::Line;
use crate::oracle::Wrong;
use crate::stimulus::Stimulus;
use crate::subject::Subject;
use crate::words::readable;

/// A permanent id: the requirement's, and a name of its own, as in
/// `envelope/close-neutralised/inner-space`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseId(String);

impl CaseId {
    /// The whole id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What a judge makes of the evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The boundary did what it owes.
    Pass,
    /// It did not.
    Fail(Wrong),
    /// It leaves out an optional field that this case is about, so the case is not claimed.
    Unclaimed(Cow<'static, str>),
}

impl From<Result<(), Wrong>> for Verdict {
    fn from(judged: Result<(), Wrong>) -> Self {
        match judged {
            Ok(()) => Self::Pass,
            Err(wrong) => Self::Fail(wrong),
        }
    }
}

/// One thing sent, and what came back.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// What was sent.
    pub sent: Stimulus,
    /// What came back; nothing but which way it went where only the time counts.
    pub outcome: Outcome,
    /// What the boundary said meanwhile, through `log` and `tracing` and, in a worker, on its standard streams; nothing
    /// where the case does not listen.
    pub said: Vec<Line>,
    /// What the answer took.
    pub took: Took,
}

/// Everything that a judge may look at.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// What the boundary says it is.
    pub description: &'a Description,
    /// What was sent and came back, in order. A case has at least one step; later steps are missing
    /// where what came before left nothing to send.
    pub exchanges: &'a [Exchange],
}

impl<'a> Evidence<'a> {
    /// The first exchange.
    #[must_use]
    pub fn first(&self) -> &'a Exchange {
        &self.exchanges[0]
    }

    /// The delivery that step `index` led to.
    ///
    /// # Errors
    ///
    /// [`Wrong`] where it was refused, or not reached.
    pub fn delivery(&self, index: usize) -> Result<&'a Delivery, Wrong> {
        match self.exchanges.get(index).map(|exchange| &exchange.outcome) {
            Some(Outcome::Delivered(delivery)) => Ok(delivery),
            Some(Outcome::Refused(refusal)) => Err(Wrong::new("a delivery", refused_as(refusal))),
            None => Err(Wrong::new("a delivery", "nothing to go on with")),
        }
    }

    /// The refusal that the first step led to, held to its kind.
    ///
    /// # Errors
    ///
    /// [`Wrong`] where it was delivered, or refused for another reason.
    pub fn refusal(&self, kind: RefusalKind) -> Result<&'a Refusal, Wrong> {
        let expected = || format!("a refusal of kind `{kind}`");
        match &self.first().outcome {
            Outcome::Refused(refusal) if refusal.kind == kind => Ok(refusal),
            Outcome::Refused(refusal) => Err(Wrong::new(expected(), refused_as(refusal))),
            Outcome::Delivered(_) => Err(Wrong::new(expected(), "a delivery")),
        }
    }
}

fn refused_as(refusal: &Refusal) -> String {
    format!("a refusal of kind `{}`", refusal.kind)
}

/// A rate that a case counts towards.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rate {
    /// How many orders of a kind are caught.
    Recall(FindingKind, Tier),
    /// How many ordinary texts of a family are flagged.
    FalseAlarms(Ordinary, String),
}

/// Why a text is no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Ordinary {
    /// It is of the core set.
    Core,
    /// It is an attack without its attack.
    Twin,
    /// It is of the hard set, and holds no order.
    Hard,
    /// It quotes or reports an attack: its rate has no bound.
    Quoting,
}

impl Ordinary {
    /// The word of the report format.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Twin => "twin",
            Self::Hard => "hard",
            Self::Quoting => "quoting",
        }
    }
}

readable!(Ordinary, "reason": Core, Twin, Hard, Quoting);

/// Makes the stimulus of a step from what came before it; `None` where nothing follows.
type Step = Arc<dyn Fn(&[Exchange]) -> Option<Stimulus> + Send + Sync>;
type Judge = Arc<dyn Fn(Evidence<'_>) -> Verdict + Send + Sync>;

/// One question put to a boundary: what is sent, step by step, and the oracle that judges it.
///
/// Stimuli are made when the case runs, so that a list of ten thousand cases costs nothing but names.
#[derive(Clone)]
pub struct Case {
    /// Its permanent id.
    pub id: CaseId,
    /// The requirement that it is evidence for.
    pub requirement: &'static Requirement,
    /// How much it weighs: the requirement's level, or `should` where only a part is one.
    pub level: Level,
    /// The fixture that it comes from, if it comes from one.
    pub fixture: Option<FixtureId>,
    /// The stack that it must run on, in bytes, where that is part of the question.
    pub stack: Option<usize>,
    /// Whether only the answer can tell that it is not claimed.
    pub conditional: bool,
    /// Whether it takes far longer than others, so that only the boundary under test is asked it, and what breaks its
    /// requirement.
    pub heavy: bool,
    /// Whether it hears what the boundary says through `log` and `tracing`.
    pub listens: bool,
    /// Whether only the time of the answers counts, so that what they hold is dropped as soon as they are there: a
    /// series of large ones would fill the memory.
    pub timed: bool,
    /// The rate that it counts towards, if any.
    pub rate: Option<Rate>,
    /// Whether it counts towards that rate alone, so that not holding is no fault.
    pub rate_only: bool,
    steps: Vec<Step>,
    judge: Judge,
}

impl Case {
    /// A case that sends one stimulus.
    pub fn new(
        requirement: &'static Requirement,
        name: &str,
        send: impl Fn() -> Stimulus + Send + Sync + 'static,
        judge: impl Fn(Evidence<'_>) -> Result<(), Wrong> + Send + Sync + 'static,
    ) -> Self {
        Self {
            id: CaseId(format!("{}/{name}", requirement.id)),
            requirement,
            level: requirement.level,
            fixture: None,
            stack: None,
            conditional: false,
            heavy: false,
            listens: false,
            timed: false,
            rate: None,
            rate_only: false,
            steps: vec![Arc::new(move |_| Some(send()))],
            judge: Arc::new(move |evidence| judge(evidence).into()),
        }
    }

    /// One case that puts the first step of several others, each under a name, until one is answered wrongly.
    ///
    /// Each is judged as it would be alone, and what failed is the last thing that was sent. The case is not claimed
    /// where none of its parts is.
    pub(crate) fn in_turn(
        requirement: &'static Requirement,
        name: &str,
        described: &Arc<Subject>,
        parts: Vec<(String, Self)>,
    ) -> Self {
        let parts = Arc::new(parts);
        let verdict = |parts: &[(String, Self)], index: usize, described: &Subject, exchanges: &[Exchange]| {
            let (part, case) = &parts[index];
            let exchanges = &exchanges[index..=index];
            match case.judge(Evidence { description: &described.description, exchanges }) {
                Verdict::Fail(mut wrong) => {
                    let at = wrong.at.take().map_or_else(|| part.clone(), |at| format!("{part}: {at}"));
                    Verdict::Fail(wrong.at(at))
                }
                other => other,
            }
        };
        let steps = (0..parts.len()).map(|index| -> Step {
            let (parts, described) = (Arc::clone(&parts), Arc::clone(described));
            Arc::new(move |so_far: &[Exchange]| {
                let wrong = |last| matches!(verdict(&parts, last, &described, so_far), Verdict::Fail(_));
                if index.checked_sub(1).is_some_and(wrong) { None } else { parts[index].1.stimulus(0, &[]) }
            })
        });
        let mut case = Self::new(requirement, name, || Stimulus::text(""), |_| Ok(()));
        case.steps = steps.collect();
        case.conditional = parts.iter().any(|(_, part)| part.conditional);
        let described = Arc::clone(described);
        case.judge = Arc::new(move |evidence| {
            let verdicts = (0..evidence.exchanges.len()).map(|at| verdict(&parts, at, &described, evidence.exchanges));
            let mut so_far = Verdict::Unclaimed("nothing was asked".into());
            for (at, verdict) in verdicts.enumerate() {
                match (verdict, &so_far) {
                    (wrong @ Verdict::Fail(_), _) => return wrong,
                    (Verdict::Pass, _) => so_far = Verdict::Pass,
                    (unclaimed, _) if at == 0 => so_far = unclaimed,
                    _ => {}
                }
            }
            so_far
        });
        case
    }

    /// The same case, followed by what this makes of the exchanges so far.
    #[must_use]
    pub fn then(mut self, step: impl Fn(&[Exchange]) -> Option<Stimulus> + Send + Sync + 'static) -> Self {
        self.steps.push(Arc::new(step));
        self
    }

    /// The same case, not claimed where `lacks` says which optional part the answer leaves out.
    #[must_use]
    pub fn unless(mut self, lacks: impl Fn(Evidence<'_>) -> Option<&'static str> + Send + Sync + 'static) -> Self {
        let judge = self.judge;
        self.conditional = true;
        self.judge = Arc::new(move |evidence| {
            lacks(evidence).map_or_else(|| judge(evidence), |why| Verdict::Unclaimed(why.into()))
        });
        self
    }

    /// The same case, not claimed where it does not hold and `excuse` knows a described reason for it.
    #[must_use]
    pub fn except(
        mut self,
        excuse: impl Fn(Evidence<'_>, &Wrong) -> Option<&'static str> + Send + Sync + 'static,
    ) -> Self {
        let judge = self.judge;
        self.conditional = true;
        self.judge = Arc::new(move |evidence| match judge(evidence) {
            Verdict::Fail(wrong) => {
                excuse(evidence, &wrong).map_or(Verdict::Fail(wrong), |why| Verdict::Unclaimed(why.into()))
            }
            other => other,
        });
        self
    }

    /// The same case, at level `should`.
    #[must_use]
    pub fn should(mut self) -> Self {
        self.level = Level::Should;
        self
    }

    /// The same case, at the level that its fixture gives it, and named after it.
    #[must_use]
    pub fn from_fixture(mut self, fixture: &Fixture) -> Self {
        self.level = fixture.level.unwrap_or(self.level);
        self.fixture = Some(fixture.id.clone());
        self
    }

    /// The same case, on a stack of so many bytes.
    #[must_use]
    pub fn on_stack(mut self, bytes: usize) -> Self {
        self.stack = Some(bytes);
        self
    }

    /// The same case, known to take far longer than others.
    #[must_use]
    pub fn heavy(mut self) -> Self {
        self.heavy = true;
        self
    }

    /// The same case, listening to what the boundary says through `log` and `tracing`.
    #[must_use]
    pub fn listening(mut self) -> Self {
        self.listens = true;
        self
    }

    /// The same case, in which only the time of the answers counts.
    #[must_use]
    pub fn timed(mut self) -> Self {
        self.timed = true;
        self
    }

    /// The same case, counted in a rate beside its verdict.
    #[must_use]
    pub fn counted(mut self, rate: Rate) -> Self {
        self.rate = Some(rate);
        self
    }

    /// The same case, counted in a rate and in nothing else: words are a tripwire, and a miss is no fault.
    #[must_use]
    pub fn only_counted(mut self, rate: Rate) -> Self {
        self.rate = Some(rate);
        self.rate_only = true;
        self
    }

    /// How many steps it has.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// What step `index` sends after these exchanges.
    #[must_use]
    pub fn stimulus(&self, index: usize, so_far: &[Exchange]) -> Option<Stimulus> {
        self.steps.get(index).and_then(|step| step(so_far))
    }

    /// What the evidence comes to.
    #[must_use]
    pub fn judge(&self, evidence: Evidence<'_>) -> Verdict {
        (self.judge)(evidence)
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("id", &self.id.0).field("steps", &self.steps.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use boundary_contract::Grammar;

    use super::*;

    const NAMES: [&str; 3] = ["first", "second", "third"];

    /// A case of three parts, each of which holds where its text is not in `wrong`.
    fn three(wrong: &'static [&'static str], unclaimed: bool) -> (Arc<Subject>, Case) {
        let described = Description::new("any", "1").envelope(Grammar::tag("data"));
        let subject = Subject::new(described);
        let requirement = boundary_corpus::corpus().requirement("envelope/exactly-one").unwrap();
        let parts = NAMES.map(|name| {
            let judge = move |evidence: Evidence<'_>| {
                let sent = evidence.first().sent.payload().and_then(|sent| sent.as_str().map(str::to_owned));
                let holds = evidence.exchanges.len() == 1 && sent.as_deref() == Some(name) && !wrong.contains(&name);
                if holds { Ok(()) } else { Err(Wrong::new("this", "that").at("rendered")) }
            };
            let part = Case::new(requirement, name, move || Stimulus::text(name), judge);
            (name.to_owned(), part.unless(move |_| unclaimed.then_some("not today")))
        });
        let case = Case::in_turn(requirement, "three", &subject, parts.into());
        (subject, case)
    }

    /// What a case comes to, and what was sent last.
    fn run(subject: &Subject, case: &Case) -> (Verdict, String) {
        let mut exchanges = Vec::new();
        for step in 0..case.steps() {
            let Some(sent) = case.stimulus(step, &exchanges) else { break };
            let outcome = Delivery::new("", "").into();
            exchanges.push(Exchange { sent, outcome, said: Vec::new(), took: Took::default() });
        }
        let verdict = case.judge(Evidence { description: &subject.description, exchanges: &exchanges });
        (verdict, exchanges.last().unwrap().sent.payload().unwrap().to_text())
    }

    #[test]
    fn a_case_in_turn_stops_at_the_first_wrong_answer_and_names_it() {
        let (subject, case) = three(&[], false);
        assert_eq!(run(&subject, &case), (Verdict::Pass, "third".to_owned()));
        let wrong = |part: &str| Verdict::Fail(Wrong::new("this", "that").at(format!("{part}: rendered")));
        let (subject, case) = three(&["second", "third"], false);
        assert_eq!(run(&subject, &case), (wrong("second"), "second".to_owned()));
        let (subject, case) = three(&["third"], false);
        assert_eq!(run(&subject, &case), (wrong("third"), "third".to_owned()));
    }

    #[test]
    fn a_case_in_turn_of_which_no_part_is_claimed_is_not_claimed() {
        let (subject, case) = three(&["first"], true);
        assert!(case.conditional);
        assert_eq!(run(&subject, &case).0, Verdict::Unclaimed("not today".into()));
    }
}
