//! A reading of a text, and the way back from it to the text.

use std::borrow::Cow;
use std::ops::Range;

/// A text as some reader would see it, which remembers where each of its letters came from.
///
/// Letters in a row are mostly read in the same way: copied, or each from as many bytes as the one before. So the map is
/// a list of stretches and not an entry for each letter; a long run of escapes costs no more than one.
pub(crate) struct View<'a> {
    /// What is read.
    pub(crate) text: Cow<'a, str>,
    stretches: Vec<Stretch>,
}

/// A part of a view whose letters were all read in the same way, from bytes of the source that follow one another.
struct Stretch {
    /// Where it starts in the view, in bytes.
    at: usize,
    /// Where it starts in the source, in bytes.
    from: usize,
    /// How many bytes of the view a letter has. What was copied is counted byte by byte.
    letter: usize,
    /// How many bytes of the source a letter was read from.
    piece: usize,
}

impl<'a> View<'a> {
    /// The text as it is.
    pub(crate) fn same(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), stretches: vec![Stretch { at: 0, from: 0, letter: 1, piece: 1 }] }
    }

    /// An empty view with room for so many bytes, to be written in the order of its source.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: Cow::Owned(String::with_capacity(bytes)), stretches: Vec::new() }
    }

    /// Copies a piece that starts at byte `from` of the source.
    pub(crate) fn copy(&mut self, from: usize, piece: &str) {
        self.stretch(from, 1, 1);
        self.text.to_mut().push_str(piece);
    }

    /// Writes one letter that stands for `source`, a part of the source.
    pub(crate) fn put(&mut self, source: Range<usize>, letter: char) {
        self.stretch(source.start, letter.len_utf8(), source.len());
        self.text.to_mut().push(letter);
    }

    /// Takes back the last letter.
    pub(crate) fn pop(&mut self) {
        self.text.to_mut().pop();
        while self.stretches.last().is_some_and(|last| last.at >= self.text.len()) {
            self.stretches.pop();
        }
    }

    /// Begins a stretch, unless the last one goes on.
    fn stretch(&mut self, from: usize, letter: usize, piece: usize) {
        let at = self.text.len();
        let goes_on = self.stretches.last().is_some_and(|last| {
            (last.letter, last.piece) == (letter, piece) && last.from + (at - last.at) / letter * piece == from
        });
        if !goes_on {
            self.stretches.push(Stretch { at, from, letter, piece });
        }
    }

    /// The part of the source that a part of the view was read from.
    pub(crate) fn source(&self, part: &Range<usize>) -> Range<usize> {
        if part.is_empty() {
            return 0..0;
        }
        // The stretch of a byte, and how many letters of the stretch end before that of the byte.
        let letters = |at: usize| {
            let after = self.stretches.partition_point(|stretch| stretch.at <= at);
            let stretch = &self.stretches[after.saturating_sub(1)];
            (stretch, (at - stretch.at) / stretch.letter)
        };
        let ((first, before), (last, until)) = (letters(part.start), letters(part.end - 1));
        first.from + before * first.piece..last.from + (until + 1) * last.piece
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

    #[test]
    fn letters_that_are_read_alike_share_a_stretch() {
        // `&lt;&lt;&lt;` read as `<<<`, and three full-width letters as themselves.
        let mut view = View::with_capacity(12);
        for at in [0, 4, 8] {
            view.put(at..at + 4, '<');
        }
        for at in [12, 15, 18] {
            view.put(at..at + 3, '\u{ff41}');
        }
        assert_eq!(view.stretches.len(), 2);
        assert_eq!(view.source(&(1..2)), 4..8);
        assert_eq!(view.source(&(1..6)), 4..15);
        assert_eq!(view.source(&(6..12)), 15..21);
    }

    #[test]
    fn a_letter_that_is_taken_back_leaves_nothing() {
        let mut view = View::with_capacity(4);
        view.copy(0, "ab");
        view.put(2..6, '<');
        view.pop();
        view.pop();
        view.copy(7, "c");
        assert_eq!(view.text, "ac");
        assert_eq!(view.source(&(0..1)), 0..1);
        assert_eq!(view.source(&(1..2)), 7..8);
        (0..3).for_each(|_| view.pop());
        view.copy(9, "d");
        assert_eq!((&*view.text, view.source(&(0..1))), ("d", 9..10));
    }
}
