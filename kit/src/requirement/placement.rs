//! Placement: an order is found wherever it stands, and ordinary text is ordinary there.

use boundary_contract::Payload;
use boundary_corpus::Input;

use super::flag::{self, forgiven, found};
use super::{Draft, Row, context, split};
use crate::case::{Case, Evidence};
use crate::generate::placement::{ORDERS, Order, Placed, Room, nested, order, places};
use crate::oracle::Judged;
use crate::stimulus::Stimulus;
use crate::subject::Subject;

pub(super) const ROWS: &[Row] = &[Row { id: "flag/every-place", cases: every_place }];

/// The longest text that is sent for the sake of its length, in the described units.
const LARGEST: u64 = 1 << 20;

/// How many siblings stand before an order in a wide container.
const SIBLINGS: usize = 500;

/// The deepest place that is tried, in containers.
const DEEPEST: usize = 64;

/// What the boundary has room for: a large text of nearly the described ceiling, and the depth it allows.
pub(super) fn room(subject: &Subject) -> Room {
    let described = &subject.description;
    let bound = described.scan_chars.unwrap_or(u64::MAX).min(described.defaults.max_chars).min(LARGEST);
    // A quarter is left over for what an encoding adds.
    let chars = usize::try_from(bound / 4 * 3).unwrap_or(usize::MAX);
    let depth = usize::try_from(described.defaults.max_depth).unwrap_or(usize::MAX).min(DEEPEST);
    Room { chars, siblings: SIBLINGS, depth: subject.takes_structure().then_some(depth) }
}

/// What the places of an order take: all the room there is for the plain one, and little for each other kind, which
/// is looked for by the same scan.
fn room_of(order: &Order, subject: &Subject) -> Room {
    let room = room(subject);
    if order == plain() { room } else { Room { chars: room.chars.min(600), siblings: 20, ..room } }
}

/// The orders of the kinds that the boundary claims.
pub(super) fn claimed_orders(subject: &Subject) -> impl Iterator<Item = &'static Order> {
    ORDERS.iter().filter(|order| subject.claims_kind(order.kind))
}

/// A case that sends this value.
pub(super) fn sending(
    draft: &Draft,
    name: &str,
    payload: Payload,
    judge: impl Fn(&Subject, Evidence<'_>) -> Judged + Send + Sync + 'static,
) -> Case {
    draft.case(name, move || Stimulus::new(Input::Payload(payload.clone())), judge)
}

/// A case for each place of the plain order, and for each other kind one that goes through them in turn.
///
/// `judge` says, for a place, how what is sent there is judged.
pub(super) fn at_each_place<J>(draft: &Draft, judge: impl Fn(&Order, &Placed) -> J) -> Vec<Case>
where
    J: Fn(&Subject, Evidence<'_>) -> Judged + Send + Sync + 'static,
{
    let mut cases = Vec::new();
    for order in claimed_orders(&draft.subject) {
        let at_places = places(order, false, room_of(order, &draft.subject)).into_iter().map(|placed| {
            let judge = judge(order, &placed);
            let case = sending(draft, placed.name, placed.payload, judge);
            (placed.name.to_owned(), forgiven(draft, case))
        });
        if order == plain() {
            cases.extend(at_places.map(|(_, case)| case));
        } else {
            cases.push(draft.in_turn(order.kind.as_str(), at_places));
        }
    }
    cases
}

fn every_place(draft: &Draft) -> Result<Vec<Case>, String> {
    let mut cases = flag::flagged(draft)?;
    cases.extend(at_each_place(draft, |order, _| found(order.kind)));
    if let Some(depth) = room(&draft.subject).depth.filter(|_| draft.subject.claims_kind(plain().kind)) {
        let (payload, _) = nested(plain().text, depth);
        cases.push(sending(draft, "deepest-place", payload, found(plain().kind)));
    }
    Ok(cases)
}

/// Ordinary words at each place, in each context and in halves: none is to be flagged for where it stands.
pub(super) fn in_peace(
    draft: &Draft,
    judge: impl Fn(&Subject, Evidence<'_>) -> Judged + Copy + Send + Sync + 'static,
) -> Vec<Case> {
    let named = |name: &str| format!("twin-of-place-{name}");
    let mut cases = Vec::new();
    for order in claimed_orders(&draft.subject) {
        let at_places = places(order, true, room_of(order, &draft.subject))
            .into_iter()
            .map(|placed| (placed.name.to_owned(), sending(draft, &named(placed.name), placed.payload, judge)));
        if order == plain() {
            cases.extend(at_places.map(|(_, case)| case));
        } else {
            cases.push(draft.in_turn(&named(order.kind.as_str()), at_places));
        }
    }
    for (name, values) in [("contexts", context::in_peace(&draft.subject)), ("halves", split::in_peace(&draft.subject))]
    {
        let parts = values.into_iter().map(|(part, payload)| {
            let case = sending(draft, &part, payload, judge);
            (part, case)
        });
        cases.push(draft.in_turn(&format!("twin-of-{name}"), parts));
    }
    if draft.subject.takes_structure() {
        let parts = flag::structured_in_peace().into_iter().map(|(part, value)| {
            let case = sending(draft, part, value.into(), judge);
            (part.to_owned(), case)
        });
        cases.push(draft.in_turn("twin-of-structured-calls", parts));
    }
    cases
}

/// The plain order to drop earlier instructions.
pub(super) fn plain() -> &'static Order {
    order(boundary_contract::FindingKind::Override)
}
