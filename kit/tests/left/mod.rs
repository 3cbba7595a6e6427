//! Whether a run leaves processes behind.

use std::fs;

/// The processes that this test's thread started, known by a mark that they inherit.
pub struct Left {
    before: Vec<u32>,
}

impl Left {
    pub fn nothing_yet() -> Self {
        Self { before: sleepers() }
    }

    /// What outlives a run in the zoo is always a program that sleeps for ten minutes.
    #[track_caller]
    pub fn assert_nothing(&self) {
        let left: Vec<u32> = sleepers().into_iter().filter(|process| !self.before.contains(process)).collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }
}

/// Every process that runs `sleep 600`.
fn sleepers() -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|id: &u32| fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| line == b"sleep\x00600\x00"))
        .collect()
}
