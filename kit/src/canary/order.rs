//! What reads like an order, by its words alone: five shapes, and the disguises that the plain
//! fixtures use.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use boundary_contract::FindingKind;

/// The shortest text that can hold any shape, in bytes: a role, a colon and something said.
const SHORTEST: usize = 8;
/// The shortest run of base64 letters that is looked into, in characters.
const SHORTEST_RUN: usize = 24;
/// How many layers of base64 are looked into.
const LAYERS: usize = 2;

/// The kinds of order that a text reads like.
pub(super) fn kinds(text: &str) -> BTreeSet<FindingKind> {
    let mut kinds = BTreeSet::new();
    if text.len() < SHORTEST {
        return kinds;
    }
    let mut layer = vec![text.to_owned()];
    for _ in 0..=LAYERS {
        for text in &layer {
            plainly(text, &mut kinds);
        }
        layer = layer.iter().flat_map(|text| decoded_runs(text)).collect();
    }
    kinds
}

/// Each run of base64 letters, decoded where it holds text. What is decoded is shorter than its run,
/// so the layers together are linear in the text.
fn decoded_runs(text: &str) -> Vec<String> {
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&alphabet::STANDARD, lenient);
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')))
        .filter(|run| run.len() >= SHORTEST_RUN)
        .filter_map(|run| String::from_utf8(engine.decode(run).ok()?).ok())
        .collect()
}

/// Hidden characters may stand inside a word or between two, so both readings count.
fn plainly(text: &str, kinds: &mut BTreeSet<FindingKind>) {
    let hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r');
    let spaced: String = text.chars().map(|c| if hidden(c) { ' ' } else { c }).collect();
    let dropped: String = text.chars().filter(|c| !hidden(*c)).collect();
    for text in [spaced, dropped] {
        let text = text.to_lowercase();
        if text.lines().any(is_role_header) {
            kinds.insert(FindingKind::ForgedAuthority);
        }
        // A dot before white space ends a sentence; one inside a word is part of a name.
        for sentence in text.replace(".\n", ". ").split(". ") {
            let words = sentence.split(|c: char| !c.is_alphanumeric() && c != '.');
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            kinds.extend((0..words.len()).filter_map(|at| words_read_like(&words[at..])));
        }
    }
}

/// A line that begins as a turn of a conversation does.
fn is_role_header(line: &str) -> bool {
    const ROLES: [&str; 7] = ["system", "assistant", "developer", "human", "user", "instruction", "response"];
    let start = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    ROLES.iter().any(|role| start.strip_prefix(role).is_some_and(|rest| rest.trim_start().starts_with(':')))
}

/// The kind of order that begins with the first of these words.
fn words_read_like(words: &[&str]) -> Option<FindingKind> {
    const EARLIER: [&str; 4] = ["above", "previous", "prior", "earlier"];
    let reach = |length: usize| &words[1..words.len().min(1 + length)];
    let soon = |wanted: &str| reach(8).contains(&wanted);
    match words {
        ["ignore" | "forget", ..] if reach(4).contains(&"instructions") => Some(FindingKind::Override),
        ["disregard", "the", earlier, ..] | ["disregard", earlier, ..] if EARLIER.contains(earlier) => {
            Some(FindingKind::Override)
        }
        ["send" | "post" | "email" | "forward" | "leak" | "reveal", ..]
            if ["password", "token", "secret", ".env"].into_iter().any(soon)
                || reach(8).windows(2).any(|two| two == ["api", "key"]) =>
        {
            Some(FindingKind::CredentialExfiltration)
        }
        ["you", "must", "now", _, ..] => Some(FindingKind::MustNow),
        ["you", "are", "now", "a" | "an", ..] => Some(FindingKind::RoleReassignment),
        _ => None,
    }
}
