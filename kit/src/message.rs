//! Everything that the kit says to a person about a run, in one place.
//!
//! Fragments in lower case that name what is legal and the way out. None holds text of a payload;
//! what a user or a boundary put in is shown through [`Plain`].

use std::collections::BTreeMap;
use std::path::Path;

use boundary_contract::{AdapterFault, Claim, FindingKind};
use boundary_corpus::{Fault, FixtureId, Input, Requirement, Set, corpus};

use crate::case::CaseId;
use crate::isolate::{Fate, Limits};
use crate::report::plain::Plain;
use crate::runner::{Failure, FailureKind, Options, Plan, Planned, RowReport};
use crate::stimulus::Stimulus;

pub(crate) mod saved;
pub(crate) mod shards;

/// How much of what was sent is shown, in characters.
const SENT: usize = 160;
/// How much of an adapter's words is shown, in characters.
const FAULT: usize = 120;
/// How many near names are offered.
const NEAR: usize = 3;

pub(crate) fn no_claims() -> String {
    let legal: Vec<&str> = Claim::GENERAL.iter().map(|claim| claim.as_str()).collect();
    format!("the boundary claims nothing, so there is nothing to hold it to; it may claim: {}", legal.join(", "))
}

pub(crate) fn unknown_family(id: &str) -> String {
    let names: Vec<String> = corpus().marker_families().iter().map(|family| family.id.clone()).collect();
    let nearest = nearest(id, &names).join(", ");
    format!("the boundary claims the marker family `{}`, which nobody knows; nearest: {nearest}", Plain::cut(id, 40))
}

pub(crate) fn no_kinds() -> String {
    let legal: Vec<&str> = FindingKind::ALL.iter().map(|kind| kind.as_str()).collect();
    format!(
        "the boundary names no kind of order that it flags; leave `kinds` out, or name some of: {}",
        legal.join(", ")
    )
}

pub(crate) fn unknown_set(name: &str, sets: &[Set]) -> String {
    let legal: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    format!("no set is named `{}`; there is: {}", Plain::cut(name, 40), legal.join(", "))
}

/// Why an author's own fixtures cannot be sent. A fault names files, entries and fields, which have safe forms.
pub(crate) fn no_own_fixtures(folder: &Path, faults: &[Fault]) -> String {
    let shown = Plain::cut(&folder.to_string_lossy(), 80);
    let faults: Vec<String> = faults.iter().map(|fault| Plain::new(&fault.to_string()).to_string()).collect();
    format!(
        "`{shown}` may hold nothing but `.json` files of fixtures in the format of the corpus: {}",
        faults.join("; ")
    )
}

pub(crate) fn name_taken(fixture: &FixtureId) -> String {
    format!("the fixture {fixture} has the name of another, with `-` read for `/`; each has one of its own")
}

pub(crate) fn no_glob(pattern: &str) -> String {
    format!("`{}` is not a pattern: it may hold `*`, `?`, `[abc]` and `{{a,b}}`", Plain::cut(pattern, 80))
}

pub(crate) fn pattern_matches_nothing(pattern: &str, names: &[String]) -> String {
    let shown = Plain::cut(pattern, 80);
    format!("`{shown}` matches no requirement, case or fixture; nearest: {}", nearest(pattern, names).join(", "))
}

pub(crate) fn unknown_requirement(id: &str, names: &[String]) -> String {
    format!("no requirement is named `{}`; nearest: {}", Plain::cut(id, 80), nearest(id, names).join(", "))
}

pub(crate) fn unknown_decoration(name: &str, names: &[String]) -> String {
    format!(
        "no fault and no way to misbehave is named `{}`; nearest: {}; `boundary-kit list --decorations` shows all",
        Plain::cut(name, 80),
        nearest(name, names).join(", "),
    )
}

pub(crate) fn spared(decoration: &str, why: &str) -> String {
    format!("`{decoration}` would not show in this boundary: {why}")
}

pub(crate) fn not_asked(requirement: &str, why: &str) -> String {
    format!("{requirement} is not asked ({why})")
}

pub(crate) fn none_of_these_cases(cases: &[&str]) -> String {
    let cases: Vec<String> = cases.iter().map(|case| Plain::cut(case, 120).to_string()).collect();
    format!(
        "the boundary is asked none of the cases at which it would misbehave: {}; `boundary-kit list` shows what it is \
         asked",
        cases.join(", "),
    )
}

/// The names most like what was asked for, the likest first.
fn nearest<'a>(asked: &str, names: &'a [String]) -> Vec<&'a str> {
    let asked: String = asked.chars().filter(|c| !matches!(c, '*' | '?' | '[' | ']' | '{' | '}')).take(200).collect();
    let mut scored: Vec<(f64, &str)> =
        names.iter().map(|name| (strsim::jaro_winkler(&asked, name), name.as_str())).collect();
    // Scores are finite, and names settle ties, so that the order is always the same.
    scored.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.cmp(y)));
    scored.dedup_by(|(_, a), (_, b)| a == b);
    scored.into_iter().take(NEAR).map(|(_, name)| name).collect()
}

pub(crate) fn nothing_claimed(plan: &Plan) -> String {
    let unbuilt = plan.rows.iter().filter(|(_, planned)| matches!(planned, Planned::NotBuilt)).count();
    let selected = plan.rows.len();
    let unclaimed = selected - unbuilt;
    format!(
        "none of the {selected} selected requirements can be asked: {unclaimed} not claimed, {unbuilt} not built yet; \
         `boundary-kit list` shows what there is"
    )
}

pub(crate) fn nothing_judged() -> String {
    "no case could be judged: the answers leave out each field that the selected cases are about".to_owned()
}

pub(crate) fn broken_already(requirement: &str) -> String {
    format!("the boundary does not conform to begin with ({requirement}), so breaking it shows nothing")
}

pub(crate) fn describe_panicked(place: &str) -> String {
    format!("the boundary panicked when asked to describe itself, at {place}")
}

pub(crate) fn kit_fault(case: &CaseId, place: &str) -> String {
    format!("the kit itself failed at {place} in case {case}; this says nothing about the boundary, please report it")
}

pub(crate) fn canary_fails(case: &str, expected: &Plain, got: &Plain) -> String {
    format!(
        "the kit's own good boundary fails {case} (expected {expected}, got {got}); this says nothing about the \
         boundary under test, please report it"
    )
}

pub(crate) fn saboteur_unnoticed(saboteur: &str, requirement: &str, on: &str) -> String {
    format!(
        "the fault `{saboteur}`, put into {on} on purpose, went unnoticed by {requirement}; a pass of it would say \
         nothing, please report it"
    )
}

/// An adapter's own words, cut: a library's error that it passes on may quote.
pub(crate) fn adapter_fault(fault: &AdapterFault) -> String {
    Plain::cut(&fault.to_string(), FAULT).to_string()
}

/// What became of a worker, as what was got instead of an answer.
pub(crate) fn fate(fate: Fate, limits: &Limits) -> String {
    let mib = |bytes: u64| bytes >> 20;
    match fate {
        Fate::Exited(code) => format!("the end of its process, with exit code {code}"),
        Fate::Aborted => "the end of its process: it aborted".to_owned(),
        Fate::Killed(signal) => format!("the end of its process, by signal {signal}"),
        Fate::Overflowed => "the end of its process: a thread overflowed its stack".to_owned(),
        Fate::OutOfMemory => format!("more memory than there is, or than {} MiB", mib(limits.memory)),
        Fate::TimedOut => format!("nothing within {} s", limits.time.as_secs_f64()),
        Fate::Flooded => format!("more than {} MiB on its standard streams", mib(limits.output)),
        Fate::Stopped(signal) => format!("a process stopped by signal {signal}"),
        Fate::Closed => "closed pipes, of a process that lives on".to_owned(),
        Fate::Garbled => "words of its own in the pipes of the kit".to_owned(),
    }
}

pub(crate) fn panicked() -> String {
    "a panic".to_owned()
}

pub(crate) fn overlong() -> String {
    "an answer of more than 64 MiB of text".to_owned()
}

pub(crate) fn describe_ended(came: Fate, limits: &Limits) -> String {
    format!("the boundary did not describe itself; there was {}", fate(came, limits))
}

pub(crate) fn make_panicked(place: &str) -> String {
    format!("the boundary panicked when it was made, at {place}")
}

pub(crate) fn make_ended(came: Fate, limits: &Limits) -> String {
    format!("the boundary could not be made in a process of its own; there was {}", fate(came, limits))
}

/// A property of which the boundary did not survive a result.
pub(crate) fn property_fated(property: &str, sent: &Plain, came: Fate, limits: &Limits) -> String {
    format!("{property} does not hold\n  sent      {sent}\n  expected an answer, got {}", fate(came, limits))
}

pub(crate) fn no_worker(why: std::io::ErrorKind) -> String {
    format!("no worker process could be started ({why}); BOUNDARY_KIT_IN_PROCESS=1 does without")
}

pub(crate) fn no_worker_came() -> String {
    "this program, started again, did not come to the same call of the kit, which must not depend on what a test did \
     before; BOUNDARY_KIT_IN_PROCESS=1 does without"
        .to_owned()
}

pub(crate) fn died_idle(came: Fate, limits: &Limits) -> String {
    format!("a worker came to nothing before the boundary was asked; there was {}", fate(came, limits))
}

pub(crate) fn died_late(came: Fate, limits: &Limits) -> String {
    format!("the boundary did not survive what it had answered: later there was {}", fate(came, limits))
}

pub(crate) fn failed_at(place: &str) -> String {
    format!("the kit itself failed at {place}; this says nothing about the boundary, please report it")
}

pub(crate) fn judging_ended(came: Fate, limits: &Limits) -> String {
    format!(
        "the kit itself came to no end with an answer, there was {}; this says nothing about the boundary, please report it",
        fate(came, limits)
    )
}

pub(crate) fn own_work_too_long() -> String {
    "the kit itself was at work for minutes; this says nothing about the boundary, please report it".to_owned()
}

pub(crate) fn out_of_turn() -> String {
    "a worker answered what it was not asked; this says nothing about the boundary, please report it".to_owned()
}

pub(crate) fn interrupted(judged: usize, planned: usize) -> String {
    format!("interrupted: {judged} of {planned} cases were judged, and what is shown is of those alone")
}

pub(crate) fn given_up(problem: &str, judged: usize, planned: usize) -> String {
    format!("{problem}; so the run was given up: {judged} of {planned} cases were judged")
}

pub(crate) fn too_many_lost() -> String {
    "the boundary ended one process after the other".to_owned()
}

pub(crate) fn nothing_to_send() -> String {
    "no case of it can be sent".to_owned()
}

/// How many cases of a requirement are not claimed for which reason; nothing where all are.
pub(crate) fn cases_not_claimed(reasons: &BTreeMap<Plain, usize>) -> Option<String> {
    let reason = |(why, count): (&Plain, &usize)| {
        let cases = if *count == 1 { "1 case" } else { &format!("{count} cases") };
        format!("{cases} not claimed: {why}")
    };
    let reasons: Vec<String> = reasons.iter().map(reason).collect();
    if reasons.is_empty() { None } else { Some(reasons.join("; ")) }
}

pub(crate) fn void(problem: &str) -> String {
    format!("void: {problem}")
}

pub(crate) fn nothing_behind(claim: Claim) -> String {
    format!("no requirement of the claim `{claim}` could be judged, so nothing stands behind it")
}

pub(crate) fn claim_without_evidence(row: &RowReport, claim: Claim, options: &Options) -> Failure {
    let id = row.requirement.id.as_str();
    let note = row.note.as_ref().map_or("no case of it can be sent", Plain::as_str);
    Failure {
        case: id.to_owned(),
        place: None,
        level: row.requirement.level,
        kind: FailureKind::Wrong,
        misread: false,
        expected: Plain::new(&format!("at least one requirement of the claim `{claim}` that can be judged")),
        got: Plain::new(note),
        at: None,
        sent: None,
        reproduce: Plain::whole(&options.rerun.whole()),
    }
}

pub(crate) fn not_built() -> String {
    "not built: the kit cannot judge it yet".to_owned()
}

pub(crate) fn not_tested(requirement: &str, why: &str) -> String {
    format!("{requirement} was not tested, which is no pass: {why}")
}

pub(crate) fn filter_matches_nothing() -> String {
    "the filter matches no trial of this target; to run one of another target, name that: cargo test --test NAME"
        .to_owned()
}

pub(crate) fn all_ignored() -> String {
    "every selected trial was ignored, which is no pass".to_owned()
}

/// A case of level should that does not hold, in a line.
pub(crate) fn warning(failure: &Failure) -> String {
    format!("warning: expected {}, got {}; rerun: {}", failure.expected, failure.got, failure.reproduce)
}

/// A case of which only a rate is kept, and which was misread, in a line.
pub(crate) fn misread(failure: &Failure) -> String {
    format!("counts towards a rate alone: expected {}, got {}", failure.expected, failure.got)
}

/// A failed trial, as a bug report.
pub(crate) fn failure(requirement: &Requirement, failure: &Failure) -> String {
    let mut report = format!("{}\n", requirement.sentence);
    let at = failure.at.as_ref();
    let lines = [
        ("sent", failure.sent.as_ref()),
        ("expected", Some(&failure.expected)),
        ("got", Some(&failure.got)),
        ("at", at),
    ];
    for (name, value) in lines.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        report.push_str(&format!("  {name:<10}{value}\n"));
    }
    report.push_str(&format!("  {:<10}{}\n  {:<10}{}", "why", requirement.why, "rerun", failure.reproduce));
    report
}

/// The beginning of what was sent, as JSON: one character more than is shown.
pub(crate) fn beginning(stimulus: &Stimulus) -> String {
    let begin = |text: &str| text.chars().take(SENT + 1).collect();
    match &stimulus.input {
        Input::Payload(payload) => begin(&payload.to_json()),
        Input::Raw(text) => begin(text),
        // A recipe has always a JSON form.
        Input::Recipe(recipe) => begin(&serde_json::to_string(recipe).unwrap_or_default()),
    }
}

/// What was sent, by its beginning, escaped and cut.
pub(crate) fn sent(beginning: &str) -> Plain {
    Plain::cut(beginning, SENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_claimed_is_counted_by_reason() {
        let reasons = BTreeMap::from([(Plain::new("no second field"), 2), (Plain::new("a cut"), 1)]);
        let said = cases_not_claimed(&reasons).unwrap();
        assert_eq!(said, "1 case not claimed: a cut; 2 cases not claimed: no second field");
        assert_eq!(cases_not_claimed(&BTreeMap::new()), None);
    }

    #[test]
    fn the_nearest_names_come_first_and_no_pattern_letters_count() {
        let names = ["envelope/exactly-one", "depth/exhaustion", "envelope/every-delivery", "type/no-repair"];
        let names = names.map(str::to_owned);
        assert_eq!(nearest("envelop/exactly*", &names)[0], "envelope/exactly-one");
        assert_eq!(nearest("dept/exaustion", &names)[0], "depth/exhaustion");
        assert_eq!(nearest("x", &names).len(), NEAR);
    }
}
