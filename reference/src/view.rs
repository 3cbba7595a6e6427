//! A reading of a text, and the way back from it to the text.

use std::borrow::Cow;
use std::ops::Range;

/// A text as some reader would see it, which remembers where each of its letters came from.
///
/// Almost all of a view is copied letter for letter, so the map is a list of stretches and not an
/// entry for each byte.
pub(crate) struct View<'a> {
    /// What is read.
    pub(crate) text: Cow<'a, str>,
    stretches: Vec<Stretch>,
}

/// A part of a view that came from one part of the source.
struct Stretch {
    /// Where it starts in the view, in bytes.
    at: usize,
    /// Where it starts in the source, in bytes.
    from: usize,
    /// How many bytes of the source it stands for as a whole; `None` when it was copied.
    piece: Option<usize>,
}

impl<'a> View<'a> {
    /// The text as it is.
    pub(crate) fn same(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), stretches: vec![Stretch { at: 0, from: 0, piece: None }] }
    }

    /// An empty view with room for so many bytes, to be written in the order of its source.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: Cow::Owned(String::with_capacity(bytes)), stretches: Vec::new() }
    }

    /// Copies a piece that starts at byte `from` of the source.
    pub(crate) fn copy(&mut self, from: usize, piece: &str) {
        let at = self.text.len();
        let goes_on =
            self.stretches.last().is_some_and(|last| last.piece.is_none() && last.from + (at - last.at) == from);
        if !goes_on {
            self.stretches.push(Stretch { at, from, piece: None });
        }
        self.text.to_mut().push_str(piece);
    }

    /// Writes one letter that stands for `source`, a part of the source.
    pub(crate) fn put(&mut self, source: Range<usize>, letter: char) {
        self.stretches.push(Stretch { at: self.text.len(), from: source.start, piece: Some(source.len()) });
        self.text.to_mut().push(letter);
    }

    /// The part of the source that a part of the view was read from.
    pub(crate) fn source(&self, part: &Range<usize>) -> Range<usize> {
        if part.is_empty() {
            return 0..0;
        }
        let stretch = |at: usize| {
            let after = self.stretches.partition_point(|stretch| stretch.at <= at);
            &self.stretches[after.saturating_sub(1)]
        };
        let (first, last) = (stretch(part.start), stretch(part.end - 1));
        let start = if first.piece.is_some() { first.from } else { first.from + (part.start - first.at) };
        let end = last.from + last.piece.unwrap_or(part.end - last.at);
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_view_leads_back_to_its_source() {
        // `a&lt;bc` read as `a<bc`, with the `b` dropped.
        let mut view = View::with_capacity(4);
        view.copy(0, "a");
        view.put(1..5, '<');
        view.copy(6, "c");
        assert_eq!(view.text, "a<c");
        assert_eq!(view.source(&(0..1)), 0..1);
        assert_eq!(view.source(&(1..2)), 1..5);
        assert_eq!(view.source(&(1..3)), 1..7);
        assert_eq!(view.source(&(2..3)), 6..7);
        assert_eq!(View::same("abc").source(&(1..3)), 1..3);
    }
}
