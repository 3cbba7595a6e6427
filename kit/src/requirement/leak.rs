//! Leaks: nothing of a result stands in what is said about it.
//!
//! Each case plants a canary in one place of a result and waits for what that result must come to: a refusal, a
//! finding, a cut. Only then there is anything said that could be judged.

use std::sync::Arc;

use boundary_contract::{Outcome, Payload, Refusal, RefusalKind, Tool};

use self::planted::{ComesTo, Scene, scenes};
use super::{Draft, Row, latitude};
use crate::case::{Case, Evidence, Exchange};
use crate::generate::placement::ORDER;
use crate::listen;
use crate::oracle::{Judged, Wrong, leak};
use crate::placeholder;
use crate::stimulus::Stimulus;
use crate::subject::Subject;

mod planted;

pub(super) const ROWS: &[Row] = &[
    Row { id: "leak/refusal", cases: refusals },
    Row { id: "leak/findings", cases: findings },
    Row { id: "leak/events", cases: events },
    Row { id: "leak/log", cases: log },
    Row { id: "leak/encoded", cases: encoded },
    Row { id: "leak/across-results", cases: across_results },
];

/// Named texts, as the leak oracle reads them.
type Surfaces<'a> = Vec<(&'static str, &'a str)>;

fn refusals(draft: &Draft) -> Result<Vec<Case>, String> {
    let refused = |scene: &Scene| matches!(scene.comes_to, ComesTo::Refusal(_) | ComesTo::Cut);
    let cases: Vec<Case> = scenes(&draft.subject)
        .into_iter()
        .filter(refused)
        .map(|scene| {
            let case = case(draft, scene, |scene, canary, evidence| {
                let of_the_refusal = |name: &str| !name.starts_with("findings") && !name.starts_with("events");
                look(scene, canary, &of(&evidence.first().outcome, of_the_refusal))
            });
            case.unless(|evidence| {
                let delivered = evidence.first().outcome.delivered()?;
                delivered.truncated.then_some("it cuts what is over its ceiling, and refuses nothing")
            })
        })
        .collect();
    if cases.is_empty() { Err("it claims nothing that it would refuse a result for".to_owned()) } else { Ok(cases) }
}

fn findings(draft: &Draft) -> Result<Vec<Case>, String> {
    let flagged = |scene: &Scene| {
        matches!(scene.comes_to, ComesTo::Finding(_) | ComesTo::Refusal(RefusalKind::Suspicion)) && !scene.forged
    };
    let cases: Vec<Case> = scenes(&draft.subject)
        .into_iter()
        .filter(flagged)
        .map(|scene| {
            let should = scene.odd_key;
            let case = case(draft, scene, |scene, canary, evidence| {
                let outcome = &evidence.first().outcome;
                look(scene, canary, &of(outcome, |name| name.starts_with("findings")))?;
                // A reason may quote the field. What the field hides it may not.
                leak::find_in(canary, &of(outcome, |name| name == "reason" && scene.decoded))
            });
            if should { case.should() } else { case }
        })
        .collect();
    if cases.is_empty() { Err("it flags no order of a kind that it claims".to_owned()) } else { Ok(cases) }
}

fn events(draft: &Draft) -> Result<Vec<Case>, String> {
    let cases = scenes(&draft.subject).into_iter().map(|scene| {
        let case = case(draft, scene, |scene, canary, evidence| {
            look(scene, canary, &of(&evidence.first().outcome, |name| name.starts_with("events")))
        });
        case.unless(|evidence| evidence.first().outcome.events().is_empty().then_some("it gives no event of this"))
    });
    Ok(cases.collect())
}

fn log(draft: &Draft) -> Result<Vec<Case>, String> {
    listen::hears_logs()?;
    let cases = scenes(&draft.subject).into_iter().map(|scene| {
        case(draft, scene, |scene, canary, evidence| look(scene, canary, &said(evidence.first()))).listening()
    });
    Ok(cases.collect())
}

fn encoded(draft: &Draft) -> Result<Vec<Case>, String> {
    // A canary that is sent in an encoding stands in it wherever the result is quoted, which is not asked here.
    let cases = scenes(&draft.subject).into_iter().filter(|scene| !scene.decoded).map(|scene| {
        let case = case(draft, scene, |_, canary, evidence| {
            // A reason may quote the field, which is free to hold what it likes.
            let mut surfaces = of(&evidence.first().outcome, |name| name != "reason");
            surfaces.extend(said(evidence.first()));
            leak::find_encoded_in(canary, &surfaces)
        });
        case.listening()
    });
    Ok(cases.collect())
}

/// Judges that none of these surfaces quotes the result, nor says what it decodes to.
fn look(scene: &Scene, canary: &str, surfaces: &Surfaces<'_>) -> Judged {
    leak::find_in(canary, surfaces)?;
    if scene.decoded { leak::find_encoded_in(canary, surfaces) } else { Ok(()) }
}

/// The surfaces of an outcome whose names satisfy this.
fn of(outcome: &Outcome, wanted: impl Fn(&str) -> bool) -> Surfaces<'_> {
    leak::surfaces(outcome).into_iter().filter(|(name, _)| wanted(name)).collect()
}

/// What was said through the facades.
fn said(exchange: &Exchange) -> Surfaces<'_> {
    exchange.said.iter().map(|line| (line.facade, line.text.as_str())).collect()
}

/// A case that plants a canary and, once the scene has come to what it must, looks for it.
///
/// Where a described ceiling or default is why it did not, the case is not claimed. So it is where the scene is another
/// requirement's to ask for, and in a row that does not ask for it.
fn case(
    draft: &Draft,
    scene: Scene,
    judge: impl Fn(&Scene, &str, Evidence<'_>) -> Judged + Send + Sync + 'static,
) -> Case {
    let canary = placeholder::canary_of(&format!("{}/{}", draft.requirement.id, scene.name));
    let asked_for = scene.asked_for && matches!(draft.requirement.id.as_str(), "leak/refusal" | "leak/findings");
    let scene = Arc::new(scene);
    let send = {
        let (scene, canary, subject) = (scene.clone(), canary.clone(), draft.subject.clone());
        move || (scene.plant)(&subject, &canary)
    };
    let judge = {
        let (scene, subject) = (scene.clone(), draft.subject.clone());
        move |evidence: Evidence<'_>| {
            scene.comes_to.judge(&subject, evidence)?;
            judge(&scene, &canary, evidence)
        }
    };
    let subject = draft.subject.clone();
    Case::new(draft.requirement, &scene.name, send, judge).unless(move |evidence| {
        let wrong = scene.comes_to.judge(&subject, evidence).err()?;
        let described = latitude::by_a_ceiling(&subject, evidence, &wrong);
        let described = described.or_else(|| latitude::by_its_default(&subject, evidence, &wrong));
        described.or_else(|| (!asked_for).then_some("it did not come to what could be said about it"))
    })
}

/// What is sent after the first result, by another tenant.
const AFTERWARDS: &str = "Berth five is free.";

fn across_results(draft: &Draft) -> Result<Vec<Case>, String> {
    let cases = scenes(&draft.subject).into_iter().filter(|scene| scene.is_first_of_its_group).map(|scene| {
        let canary = placeholder::canary_of(&format!("{}/{}", draft.requirement.id, scene.name));
        let (subject, planted, comes_to) = (draft.subject.clone(), canary.clone(), scene.comes_to);
        let plant = scene.plant;
        let first = move || {
            let mut first = plant(&subject, &planted);
            // Whose it was and where it came from is no other tenant's business either.
            first.tenant = Some(format!("tenant-{planted}"));
            first.tool = first.tool.from_source(format!("source-{planted}"));
            first
        };
        let judge = move |evidence: Evidence<'_>| {
            evidence.delivery(1)?;
            evidence.exchanges[1..].iter().try_for_each(|later| {
                let mut surfaces = of(&later.outcome, |_| true);
                surfaces.extend(said(later));
                let payload = match &later.outcome {
                    Outcome::Delivered(delivery) => {
                        surfaces.extend([("rendered", delivery.rendered.as_str()), ("text", &delivery.text)]);
                        surfaces.extend(delivery.tenant.as_deref().map(|tenant| ("tenant", tenant)));
                        surfaces.extend(delivery.source.as_deref().map(|source| ("source", source)));
                        delivery.payload.as_ref().map(Payload::to_text)
                    }
                    Outcome::Refused(_) => None,
                };
                surfaces.extend(payload.as_deref().map(|payload| ("payload", payload)));
                leak::find_in(&canary, &surfaces)?;
                leak::find_encoded_in(&canary, &surfaces)
            })
        };
        let subject = draft.subject.clone();
        Case::new(draft.requirement, &format!("after-{}", scene.name), first, judge)
            .then(|so_far| Some(afterwards(so_far, AFTERWARDS)))
            // A refusal, where its type is held to, and a finding, where it flags.
            .then(|so_far| {
                let mut later = afterwards(so_far, AFTERWARDS);
                later.tool = later.tool.returning(serde_json::json!({"type": "integer"}));
                Some(later)
            })
            .then(|so_far| Some(afterwards(so_far, ORDER)))
            .unless(move |evidence| {
                let came = comes_to.judge(&subject, evidence);
                came.err().map(|_| "the first result did not come to what could be kept of it")
            })
            .listening()
    });
    Ok(cases.collect())
}

/// A text of the same tool, by another tenant.
fn afterwards(so_far: &[Exchange], text: &str) -> Stimulus {
    let mut later = Stimulus::text(text).of(Tool::new(so_far[0].sent.tool.name.clone()));
    later.tenant = Some("south".to_owned());
    later
}

impl ComesTo {
    /// Judges that an outcome is what the scene comes to.
    fn judge(self, subject: &Subject, evidence: Evidence<'_>) -> Judged {
        let outcome = &evidence.first().outcome;
        let refused_as = |refusal: &Refusal| format!("a refusal of kind `{}`", refusal.kind);
        match (self, outcome) {
            (Self::Finding(kind), _) => super::flag::findings_of(subject, kind, evidence).map(drop),
            (Self::Refusal(kind), Outcome::Refused(refusal)) if refusal.kind == kind => Ok(()),
            (Self::Refusal(kind), _) => {
                let got = outcome.refused().map_or_else(|| "a delivery".to_owned(), refused_as);
                Err(Wrong::new(format!("a refusal of kind `{kind}`"), got))
            }
            (Self::Delivery, Outcome::Delivered(_)) => Ok(()),
            (Self::Cut, Outcome::Delivered(delivery)) if delivery.truncated => Ok(()),
            (Self::Cut, Outcome::Refused(refusal)) if refusal.kind == RefusalKind::Size => Ok(()),
            (Self::Delivery | Self::Cut, Outcome::Refused(refusal)) => {
                Err(Wrong::new("a delivery", refused_as(refusal)))
            }
            (Self::Cut, Outcome::Delivered(_)) => {
                Err(Wrong::new("a text that is cut, or refused for its size", "a whole one"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use boundary_contract::{Boundary as _, Claim, Description};

    use super::*;
    use crate::canary::Smallest;

    fn names(description: Description) -> Vec<String> {
        scenes(&Subject::new(description)).into_iter().map(|scene| scene.name.to_string()).collect()
    }

    #[test]
    fn names_are_distinct_and_each_scene_holds_its_canary() {
        let canary = "q7rk2mzx9lbt4wnc8hd5vj3p";
        let mut description = Smallest.describe();
        description.on_forgery = boundary_contract::OnForgery::Refuse;
        let subject = Subject::new(description.clone());
        for scene in scenes(&subject) {
            let sent = match (scene.plant)(&subject, canary).input {
                boundary_corpus::Input::Payload(payload) => payload.to_json(),
                boundary_corpus::Input::Raw(text) => text,
                boundary_corpus::Input::Recipe(recipe) => recipe.build().to_json(),
            };
            let surfaces = [("sent", sent.as_str())];
            let found = leak::find_in(canary, &surfaces).and_then(|()| leak::find_encoded_in(canary, &surfaces));
            assert!(found.is_err(), "{}", scene.name);
        }
        let names = names(description);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn what_is_planted_follows_the_claims() {
        let described = |claims: &[Claim]| Description::new("some", "1").claiming(claims.iter().copied());
        assert_eq!(names(described(&[Claim::Envelope])), ["delivered-text", "delivered-structure"]);
        let of_types = names(described(&[Claim::ReturnTypes]));
        assert!(of_types.iter().any(|name| name == "type-unexpected-property"), "{of_types:?}");
        assert!(!of_types.iter().any(|name| name.starts_with("order")), "{of_types:?}");
        let mut texts = described(&[Claim::ReturnTypes, Claim::Flag, Claim::Depth]);
        texts.takes = boundary_contract::Takes::Text;
        let of_texts = names(texts);
        assert!(of_texts.iter().any(|name| name == "type-value") && of_texts.iter().any(|name| name == "order"));
        assert!(!of_texts.iter().any(|name| name.contains("key") || name.starts_with("deep")), "{of_texts:?}");
    }
}
