//! JSON text, read strictly and with loops.
//!
//! Readers differ over duplicate keys, halves of surrogate pairs and numbers that no machine word holds. Where they
//! differ, what was scanned here is not what the next reader sees, so none of these is read at all. The text may be as
//! deep as it likes: how deep a value may be is for the boundary to say, once the text is known to be one.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use boundary_contract::{Builder, Number, Payload};

#[cfg(test)]
mod tests;

/// Why a text is not read, and where. It holds nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed {
    fault: Fault,
    /// How many bytes stand before the fault.
    at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Mark,
    Value,
    Key,
    Colon,
    Items,
    Members,
    Trailing,
    Unterminated,
    Control,
    Escape,
    Surrogate,
    Number,
    Range,
    DuplicateKey,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.fault {
            Fault::Mark => "text that is not JSON: expected no byte order mark",
            Fault::Value => "text that is not JSON: expected a value",
            Fault::Key => "text that is not JSON: expected a key in double quotes",
            Fault::Colon => "text that is not JSON: expected a colon",
            Fault::Items => "text that is not JSON: expected a comma or the end of the array",
            Fault::Members => "text that is not JSON: expected a comma or the end of the object",
            Fault::Trailing => "text that is not JSON: expected nothing after the value",
            Fault::Unterminated => "text that is not JSON: expected an end of the string that begins",
            Fault::Control => {
                "text that is not JSON: expected each control character in a string to be escaped, and one is not,"
            }
            Fault::Escape => "text that is not JSON: expected one of the escapes that JSON has",
            Fault::Surrogate => "text that is not JSON: expected both halves of a surrogate pair",
            Fault::Number => "text that is not JSON: expected a number as JSON writes it",
            Fault::Range => "JSON with a number that 64 bits do not hold",
            Fault::DuplicateKey => "JSON with a duplicate key, where each may stand once in its object,",
        };
        write!(f, "{why} at byte {}", self.at)
    }
}

/// The value that a text is.
pub(crate) fn read(text: &str) -> Result<Payload, Malformed> {
    let mut reader =
        Reader { text, at: 0, builder: Builder::new(), open: Vec::new(), keys: HashSet::new(), objects: 0 };
    if text.starts_with('\u{feff}') {
        return Err(reader.fault(Fault::Mark));
    }
    // Once round for each value that begins; what it completes is closed before the next.
    loop {
        if !reader.begin_value()? {
            continue;
        }
        if reader.end_values()? {
            return Ok(reader.builder.finish());
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    builder: Builder,
    open: Vec<Open>,
    /// Each key with the number of its object. One set for all objects: a million of them with a key each are no
    /// million sets.
    keys: HashSet<(usize, Cow<'a, str>)>,
    objects: usize,
}

/// A container that is not closed yet.
#[derive(Clone, Copy)]
enum Open {
    Array,
    /// With the number by which its keys are told from those of others.
    Object(usize),
}

impl<'a> Reader<'a> {
    /// Reads where a value must begin; whether it is complete.
    fn begin_value(&mut self) -> Result<bool, Malformed> {
        self.skip_space();
        match self.peek() {
            Some(b'[') => {
                self.at += 1;
                self.builder.begin_array();
                self.open.push(Open::Array);
                self.skip_space();
                return Ok(self.peek() == Some(b']'));
            }
            Some(b'{') => {
                self.at += 1;
                self.builder.begin_object();
                self.objects += 1;
                self.open.push(Open::Object(self.objects));
                self.skip_space();
                if self.peek() == Some(b'}') {
                    return Ok(true);
                }
                self.key(self.objects)?;
                return Ok(false);
            }
            Some(b'"') => {
                let text = self.string()?;
                self.builder.string(text);
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = self.number()?;
                self.builder.number(number);
            }
            _ if self.take("null") => {
                self.builder.null();
            }
            _ if self.take("true") => {
                self.builder.bool(true);
            }
            _ if self.take("false") => {
                self.builder.bool(false);
            }
            _ => return Err(self.fault(Fault::Value)),
        }
        Ok(true)
    }

    /// Reads on where a value may be complete, up to where the next one must begin; whether the text is at its end.
    fn end_values(&mut self) -> Result<bool, Malformed> {
        loop {
            self.skip_space();
            let next = self.peek();
            match (self.open.last().copied(), next) {
                (None, None) => return Ok(true),
                (None, Some(_)) => return Err(self.fault(Fault::Trailing)),
                (Some(Open::Array), Some(b']')) | (Some(Open::Object(_)), Some(b'}')) => {
                    self.at += 1;
                    self.builder.end();
                    self.open.pop();
                }
                (Some(Open::Array), Some(b',')) => {
                    self.at += 1;
                    return Ok(false);
                }
                (Some(Open::Object(object)), Some(b',')) => {
                    self.at += 1;
                    self.key(object)?;
                    return Ok(false);
                }
                (Some(Open::Array), _) => return Err(self.fault(Fault::Items)),
                (Some(Open::Object(_)), _) => return Err(self.fault(Fault::Members)),
            }
        }
    }

    /// Reads a key of this object, and the colon after it.
    fn key(&mut self, object: usize) -> Result<(), Malformed> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.fault(Fault::Key));
        }
        let begin = self.at;
        let key = self.string()?;
        self.builder.key(&key);
        if !self.keys.insert((object, key)) {
            return Err(Malformed { fault: Fault::DuplicateKey, at: begin });
        }
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.fault(Fault::Colon));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a string, from its opening quote on.
    fn string(&mut self) -> Result<Cow<'a, str>, Malformed> {
        let begin = self.at;
        self.at += 1;
        let mut out = Cow::Borrowed("");
        loop {
            let rest = &self.text[self.at..];
            let Some(plain) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | ..b' ')) else {
                return Err(Malformed { fault: Fault::Unterminated, at: begin });
            };
            out += &rest[..plain];
            self.at += plain;
            match rest.as_bytes()[plain] {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => out.to_mut().push(self.escape()?),
                _ => return Err(self.fault(Fault::Control)),
            }
        }
    }

    /// Reads an escape, from its backslash on. A fault is at that backslash.
    fn escape(&mut self) -> Result<char, Malformed> {
        let letter = self.text.as_bytes().get(self.at + 1);
        let simple = match letter {
            Some(letter @ (b'"' | b'\\' | b'/')) => char::from(*letter),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return self.unit_escape(),
        };
        self.at += 2;
        Ok(simple)
    }

    /// Reads an escape of one UTF-16 unit, or of the two that make a pair.
    fn unit_escape(&mut self) -> Result<char, Malformed> {
        let first = self.unit(self.at).ok_or(self.fault(Fault::Escape))?;
        let second = self.unit(self.at + 6);
        let units = [Some(first), second].into_iter().flatten();
        match char::decode_utf16(units).next() {
            Some(Ok(c)) => {
                self.at += 6 * c.len_utf16();
                Ok(c)
            }
            _ => Err(self.fault(Fault::Surrogate)),
        }
    }

    /// The UTF-16 unit that is escaped at this byte, if one is.
    fn unit(&self, at: usize) -> Option<u16> {
        let digits = self.text.as_bytes().get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some((unit << 4) | u16::try_from(digit).ok()?)
        })
    }

    fn number(&mut self) -> Result<Number, Malformed> {
        let begin = self.at;
        self.skip(b'-');
        // A zero leads no other digit; what follows one is no part of the number.
        let mut valid = self.skip(b'0') || self.skip_digits();
        let integer = self.at;
        if self.skip(b'.') {
            valid &= self.skip_digits();
        }
        if self.skip(b'e') || self.skip(b'E') {
            let _signed = self.skip(b'+') || self.skip(b'-');
            valid &= self.skip_digits();
        }
        if !valid {
            return Err(self.fault(Fault::Number));
        }
        let text = &self.text[begin..self.at];
        let number = if integer < self.at {
            text.parse().ok().and_then(Number::from_f64)
        } else {
            // As a float it would be another integer.
            text.parse::<u64>().map(Number::from).or_else(|_| text.parse::<i64>().map(Number::from)).ok()
        };
        number.ok_or(Malformed { fault: Fault::Range, at: begin })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Passes over digits; whether there was any.
    fn skip_digits(&mut self) -> bool {
        let begin = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at > begin
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, word: &str) -> bool {
        let there = self.text[self.at..].starts_with(word);
        if there {
            self.at += word.len();
        }
        there
    }

    fn fault(&self, fault: Fault) -> Malformed {
        Malformed { fault, at: self.at }
    }
}
