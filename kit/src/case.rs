//! One question put to a boundary, and how the answer is judged.

use std::fmt;
use std::sync::Arc;

use boundary_contract::{Delivery, Description, Outcome, Refusal, RefusalKind};
use boundary_corpus::{Fixture, FixtureId, Level, Requirement};

use crate::oracle::Wrong;
use crate::stimulus::Stimulus;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The boundary did what it owes.
    Pass,
    /// It did not.
    Fail(Wrong),
    /// It leaves out an optional field that this case is about, so the case is not claimed.
    Unclaimed(&'static str),
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
    /// What came back.
    pub outcome: Outcome,
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
    /// Whether it takes far longer than others, and asks what a smaller sibling asks too.
    pub heavy: bool,
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
            steps: vec![Arc::new(move |_| Some(send()))],
            judge: Arc::new(move |evidence| judge(evidence).into()),
        }
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
        self.judge = Arc::new(move |evidence| lacks(evidence).map_or_else(|| judge(evidence), Verdict::Unclaimed));
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
            Verdict::Fail(wrong) => excuse(evidence, &wrong).map_or(Verdict::Fail(wrong), Verdict::Unclaimed),
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
