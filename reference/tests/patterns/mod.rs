//! What texts that are built to be slow are repetitions of.

/// Each once drove some scanner to quadratic work: brackets, escapes, half markers, half orders, runs of an
/// encoding's alphabet, and characters that a view drops.
pub const PATHOLOGICAL: &[&str] = &[
    "<",
    "&",
    "\\",
    "\"",
    "[",
    "]~",
    "&amp;",
    "&#38;",
    "\\\\",
    "%25",
    "ABCDabcd",
    "aWdub3Jl",
    "QUJD\n",
    "\u{301}",
    "\u{200b}",
    "\u{2800}x",
    "\0",
    "<|im_<|",
    "<untrusted-data a=\"b\"",
    "ignore all of the ",
    "you must now ",
    "send the key ",
    "system: ",
    "\",\"",
    "\u{1f1e6}",
    "1gn0re ",
];
