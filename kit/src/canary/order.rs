//! What reads like an order, by its words alone: seven shapes.

use std::collections::BTreeSet;

use boundary_contract::FindingKind;

use super::disguise::{decoded, readings};

/// The shortest text that can hold any shape, in bytes: a role, a colon and something said.
const SHORTEST: usize = 8;
/// How many layers of encoding are looked into.
const LAYERS: usize = 2;

/// What names the tool of a call.
pub(super) const CALLED: [&str; 3] = ["name", "tool", "function"];
/// What a call is given.
pub(super) const GIVEN: [&str; 3] = ["arguments", "parameters", "input"];

/// The kinds of order that a text reads like, in any disguise.
pub(super) fn kinds(text: &str) -> BTreeSet<FindingKind> {
    let mut kinds = BTreeSet::new();
    if text.len() < SHORTEST {
        return kinds;
    }
    let mut layer = vec![text.to_owned()];
    for _ in 0..=LAYERS {
        for text in layer.iter().flat_map(|text| readings(text)) {
            if text.lines().any(is_role_header) {
                kinds.insert(FindingKind::ForgedAuthority);
            }
            if is_call(&text) {
                kinds.insert(FindingKind::ToolCallShaped);
            }
            if is_piped(&text) {
                kinds.insert(FindingKind::Command);
            }
            kinds.extend(in_words(&text));
        }
        layer = layer.iter().flat_map(|text| decoded(text)).collect();
    }
    kinds
}

/// The kinds of order that a text reads like by its words, sentence by sentence and with no disguise taken off.
pub(super) fn in_words(text: &str) -> BTreeSet<FindingKind> {
    let text = text.to_lowercase();
    let mut kinds = BTreeSet::new();
    // A dot before white space ends a sentence; one inside a word is part of a name.
    for sentence in text.replace(".\n", ". ").split(". ") {
        let words = sentence.split(|c: char| !c.is_alphanumeric() && c != '.');
        let words: Vec<&str> = words.map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty()).collect();
        kinds.extend((0..words.len()).filter_map(|at| words_read_like(&words[at..])));
    }
    kinds
}

/// JSON in a text that names a tool and gives it something.
fn is_call(text: &str) -> bool {
    if !text.contains('{') {
        return false;
    }
    let packed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let has = |names: &[&str], values: &[&str]| {
        names.iter().any(|name| {
            let key = format!("\"{name}\":");
            let after = packed.match_indices(&key).map(|(at, _)| &packed[at + key.len()..]);
            after.into_iter().any(|after| values.iter().any(|value| after.starts_with(value)))
        })
    };
    has(&CALLED, &["\""]) && has(&GIVEN, &["{", "\"{", "\"\\\"{", "\"{\\"])
}

/// A download that goes straight into a shell, in a text that tells somebody to run or fix something.
fn is_piped(text: &str) -> bool {
    let download = ["curl ", "wget ", "iwr "].iter().filter_map(|fetch| text.find(fetch)).min();
    let shells = ["| sh", "| bash", "| iex", "|sh", "|bash", "|iex"];
    let told = || text.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "run" | "fix" | "execute"));
    download.is_some_and(|at| shells.iter().any(|shell| text[at..].contains(shell))) && told()
}

/// A line that begins as a turn of a conversation does.
fn is_role_header(line: &str) -> bool {
    const ROLES: [&str; 7] = ["system", "assistant", "developer", "human", "user", "instruction", "response"];
    let start = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let bracketed = line[..line.len() - start.len()].ends_with('[');
    ROLES.iter().any(|role| {
        let Some(rest) = start.strip_prefix(role) else { return false };
        let titled = rest.strip_prefix(" message").unwrap_or(rest).trim_start();
        let said = rest.strip_prefix(']').is_some_and(|said| !said.trim().is_empty());
        titled.starts_with(':') && !titled.starts_with("::") || bracketed && said
    })
}

/// The kind of order that begins with the first of these words.
fn words_read_like(words: &[&str]) -> Option<FindingKind> {
    const EARLIER: [&str; 5] = ["above", "previous", "prior", "earlier", "before"];
    const GUIDANCE: [&str; 3] = ["instructions", "prompts", "guidelines"];
    const SECRETS: [&str; 5] = ["password", "token", "secret", "credentials", ".env"];
    const ROLES: [&str; 7] = ["assistant", "agent", "administrator", "admin", "operator", "unrestricted", "unfiltered"];
    let reach = |length: usize| &words[1..words.len().min(1 + length)];
    let among = |length: usize, wanted: &[&str]| reach(length).iter().any(|word| wanted.contains(word));
    match words {
        ["ignore" | "forget", ..] if among(4, &["instructions"]) => Some(FindingKind::Override),
        ["ignore" | "forget" | "disregard" | "drop", ..] if among(4, &EARLIER) && among(5, &GUIDANCE) => {
            Some(FindingKind::Override)
        }
        ["forget", "everything", ..] if among(8, &["told"]) && among(8, &EARLIER) => Some(FindingKind::Override),
        ["disregard", "the", earlier, ..] | ["disregard", earlier, ..] if EARLIER.contains(earlier) => {
            Some(FindingKind::Override)
        }
        ["send" | "post" | "email" | "forward" | "leak" | "reveal" | "upload", ..]
            if among(8, &SECRETS) || reach(8).windows(2).any(|two| matches!(two, ["api" | "private", "key"])) =>
        {
            Some(FindingKind::CredentialExfiltration)
        }
        ["run" | "execute", "the" | "this" | "these", ..] if among(3, &["following", "command", "commands"]) => {
            Some(FindingKind::Command)
        }
        ["run" | "execute" | "paste", "the" | "this" | "these", ..] if among(5, &["terminal", "shell", "console"]) => {
            Some(FindingKind::Command)
        }
        ["you", "must", "now", _, ..] => Some(FindingKind::MustNow),
        ["you", "are", "now", ..] | ["from", "now", "on", "you", "are", ..] if among(7, &ROLES) => {
            Some(FindingKind::RoleReassignment)
        }
        ["act", "as", "a" | "an" | "the", ..] if among(4, &ROLES) => Some(FindingKind::RoleReassignment),
        ["pretend", "you", "are", ..] | ["pretend", "to", "be", ..] if among(7, &ROLES) => {
            Some(FindingKind::RoleReassignment)
        }
        _ => None,
    }
}
