//! What the kit says to a person about shards and about merging them.

use boundary_corpus::Requirement;

use crate::report::plain::Plain;
use crate::runner::{Shard, Share};

/// How much of what two reports differ in is shown, in characters.
const FACT: usize = 120;
/// How many missing shards are named.
const MISSING: usize = 8;

pub(crate) fn no_shard(text: &str) -> String {
    let most = Shard::MOST;
    format!("`{}` is no shard: write K/N, with N from 1 to {most} and K from 1 to N, as in 2/5", Plain::cut(text, 40))
}

pub(crate) fn no_digest(text: &str) -> String {
    format!("`{}` is no digest of a plan: it has 16 hexadecimal digits, in lower case", Plain::cut(text, 40))
}

pub(crate) fn empty_shard(share: &Share) -> String {
    let (shard, planned) = (share.shard, share.planned);
    format!("no case falls to shard {shard}, since {planned} in all are selected; an N beyond that is of no use")
}

pub(crate) fn nothing_to_merge() -> String {
    "no report to merge, expected those of all shards of a run".to_owned()
}

pub(crate) fn not_a_shard(file: &Plain) -> String {
    format!("`{file}` is the report of a whole run, expected one of `boundary-kit check --shard K/N --format json`")
}

pub(crate) fn other_version(file: &Plain, what: &str, theirs: &str, ours: &str) -> String {
    let theirs = Plain::cut(theirs, FACT);
    format!("{what} of `{file}` is {theirs}, expected {ours}: shards are merged by the version that ran them")
}

pub(crate) fn not_of_one_run(first: &Plain, other: &Plain, what: &str, one: &str, another: &str) -> String {
    let shown = |fact: &str| if fact.is_empty() { "everything".to_owned() } else { Plain::cut(fact, FACT).to_string() };
    let (one, another) = (shown(one), shown(another));
    format!("`{first}` and `{other}` are no shards of one run: {what} is {one} in the one and {another} in the other")
}

pub(crate) fn disagree(first: &Plain, other: &Plain, requirement: &Requirement) -> String {
    let id = &requirement.id;
    format!("`{first}` and `{other}` are no shards of one run: why {id} is not asked is not the same in both")
}

pub(crate) fn doubled(shard: Shard, first: &Plain, other: &Plain) -> String {
    format!("shard {shard} is there twice, in `{first}` and in `{other}`; expected each once")
}

pub(crate) fn held_to_more(file: &Plain) -> String {
    format!(
        "{file} is nonconformant by a stricter level, or by claims that it required; give the merge the same --level and --require"
    )
}

pub(crate) fn missing(indices: &[usize], of: usize) -> String {
    let shown: Vec<String> = indices.iter().take(MISSING).map(|index| format!("{index}/{of}")).collect();
    let more = indices.len() - shown.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let shards = if indices.len() == 1 { "shard" } else { "shards" };
    format!("no report of {shards} {}{more}; expected each of the {of} once", shown.join(", "))
}
