//! What the placeholders of a fixture stand for, once the boundary is known.

use boundary_contract::{Grammar, Payload};
use boundary_corpus::{FixtureId, Input, Placeholder};

use crate::oracle::envelope;

/// How many characters a canary has: twice the run that counts as a leak.
const CANARY_LEN: usize = 24;

/// The canary of a fixture: letters and digits that stand nowhere by chance, and are the same in each run.
#[must_use]
pub fn canary(fixture: &FixtureId) -> String {
    canary_of(fixture.as_str())
}

/// The canary of anything else that has a permanent name. Names are apart from those of fixtures where they have
/// more than one `/`.
pub(crate) fn canary_of(name: &str) -> String {
    const ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let mut state = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (0..CANARY_LEN)
        .map(|_| {
            // splitmix64: neighbouring ids give unrelated canaries.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^= word >> 31;
            char::from(ALPHABET[usize::try_from(word % 36).unwrap_or(0)])
        })
        .collect()
}

/// An input with its placeholders filled: the envelope's own markers, and the fixture's canary.
///
/// Without a grammar the placeholders of the envelope stand as they are written.
#[must_use]
pub fn fill(input: &Input, fixture: &FixtureId, grammar: Option<&Grammar>) -> Input {
    input.filled(|placeholder| {
        let form = match placeholder {
            Placeholder::Canary => return canary(fixture),
            Placeholder::EnvelopeOpen => envelope::open_form,
            Placeholder::EnvelopeClose => envelope::close_form,
            Placeholder::EnvelopeName => envelope::name_form,
        };
        grammar.map_or_else(|| placeholder.as_str().to_owned(), form)
    })
}

/// Everything of a payload that is text: its strings and keys, in order.
pub fn texts(payload: &Payload) -> impl Iterator<Item = &str> {
    payload.tokens().filter_map(|token| match token {
        boundary_contract::Token::String(text) | boundary_contract::Token::Key(text) => Some(text),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_and_other_braces_left_alone() {
        let id: FixtureId = "forgery/close".parse().unwrap();
        let grammar = Grammar::tag("tool-output");
        let fill = |text: &str, grammar| match fill(&Input::Payload(text.into()), &id, grammar) {
            Input::Payload(payload) => payload.to_text(),
            other => panic!("{other:?}"),
        };
        assert_eq!(fill("a {{envelope.close}} b", Some(&grammar)), "a </tool-output> b");
        assert_eq!(fill("{{7*7}} {{envelope.name}}", Some(&grammar)), "{{7*7}} tool-output");
        assert_eq!(fill("{{canary}}", None), canary(&id));
        assert_eq!(fill("{{envelope.close}}", None), "{{envelope.close}}");
    }

    #[test]
    fn a_canary_is_its_fixtures_own_and_always_the_same() {
        let canary = |id: &str| canary(&id.parse().unwrap());
        assert_eq!(canary("types/price"), canary("types/price"));
        assert_ne!(canary("types/price"), canary("types/pricf"));
        assert_eq!(canary("types/price").len(), CANARY_LEN);
        assert!(canary("types/price").bytes().all(|byte| byte.is_ascii_alphanumeric()));
    }
}
