//! What a boundary writes to the standard streams of its process.

use std::fs::File;
use std::io::{self, Seek as _};
use std::os::unix::fs::FileExt as _;
use std::sync::OnceLock;

use crate::listen::Line;

/// The file that takes both streams of this process, where it is a worker.
static STREAMS: OnceLock<Noise> = OnceLock::new();

/// A file that takes both standard streams of a worker. It has no name, and is gone when both ends are.
#[derive(Debug)]
pub(super) struct Noise(File);

impl Noise {
    /// A new file.
    ///
    /// # Errors
    ///
    /// Where the folder for temporary files takes none.
    pub(super) fn new() -> io::Result<Self> {
        tempfile::tempfile().map(Self)
    }

    pub(super) fn of(file: File) -> Self {
        Self(file)
    }

    /// Another handle of the same file, with the same position.
    pub(super) fn share(&self) -> io::Result<File> {
        self.0.try_clone()
    }

    /// How much was written, in bytes; nothing where the file cannot tell.
    pub(super) fn length(&self) -> u64 {
        self.0.metadata().map_or(0, |metadata| metadata.len())
    }

    /// What was written from here on, at most so many bytes of it.
    pub(super) fn text(&self, from: u64, most: u64) -> String {
        let length = self.length().saturating_sub(from).min(most);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        match self.0.read_exact_at(&mut bytes, from) {
            Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => String::new(),
        }
    }

    /// Forgets what was written. All handles of the file write from the start again.
    pub(super) fn clear(&self) -> io::Result<()> {
        self.0.set_len(0)?;
        (&self.0).rewind()
    }
}

/// Makes this the file of the standard streams of this process.
pub(super) fn keep(noise: Noise) -> &'static Noise {
    STREAMS.get_or_init(|| noise)
}

/// Where the streams stand now; nothing in a process that is no worker, whose streams are not the boundary's own.
pub(crate) fn mark() -> Option<u64> {
    STREAMS.get().map(Noise::length)
}

/// What was written to the streams since then.
pub(crate) fn heard_since(mark: u64, most: u64) -> Option<Line> {
    let text = STREAMS.get()?.text(mark, most);
    (!text.is_empty()).then_some(Line { facade: "standard output or error", text })
}
