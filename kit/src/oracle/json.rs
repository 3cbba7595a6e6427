//! JSON text, read strictly and with a loop: what an oracle needs and `serde_json` does not give.
//!
//! `serde_json` refuses text deeper than 127 levels, keeps the last of duplicate keys in silence and
//! says nothing of where a value stands. Depth, duplicates and places are what is judged here.

use std::borrow::Cow;
use std::collections::HashSet;

use boundary_contract::{Builder, Number, Payload};

/// Text that is not JSON, with the byte from which on it is not. Holds nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed(pub(super) usize);

/// One step of a walk over JSON text. Keys and strings are as written, escapes and all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    Null,
    Bool(bool),
    Number(Number),
    String(&'a str),
    Key(&'a str),
    BeginArray,
    EndArray,
    BeginObject,
    EndObject,
}

/// What may stand next.
#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Value,
    ItemOrEnd,
    KeyOrEnd,
    Key,
    CommaOrEnd,
    Nothing,
}

/// The walk over one JSON value at the start of a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The open containers; true for objects.
    open: Vec<bool>,
    expect: Expect,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, open: Vec::new(), expect: Expect::Value }
    }

    /// The byte after the last token.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// How many containers are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The next token, or nothing after a whole value.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, Malformed> {
        if self.expect == Expect::Nothing {
            return Ok(None);
        }
        self.skip_space();
        if self.expect == Expect::CommaOrEnd && self.peek() == Some(b',') {
            self.at += 1;
            self.skip_space();
            self.expect = if self.open.last() == Some(&true) { Expect::Key } else { Expect::Value };
        }
        let in_object = self.open.last() == Some(&true);
        let may_end = matches!(self.expect, Expect::ItemOrEnd | Expect::KeyOrEnd | Expect::CommaOrEnd);
        let token = match (self.peek().ok_or(Malformed(self.at))?, self.expect) {
            (b']', _) if may_end && !in_object => self.close(Token::EndArray),
            (b'}', _) if may_end && in_object => self.close(Token::EndObject),
            (b'"', Expect::KeyOrEnd | Expect::Key) => {
                let key = self.quoted()?;
                self.skip_space();
                if self.peek() != Some(b':') {
                    return Err(Malformed(self.at));
                }
                self.at += 1;
                self.expect = Expect::Value;
                Token::Key(key)
            }
            (first, Expect::Value | Expect::ItemOrEnd) => self.value(first)?,
            _ => return Err(Malformed(self.at)),
        };
        Ok(Some(token))
    }

    fn value(&mut self, first: u8) -> Result<Token<'a>, Malformed> {
        let token = match first {
            b'[' | b'{' => {
                let object = first == b'{';
                self.at += 1;
                self.open.push(object);
                self.expect = if object { Expect::KeyOrEnd } else { Expect::ItemOrEnd };
                return Ok(if object { Token::BeginObject } else { Token::BeginArray });
            }
            b'"' => Token::String(self.quoted()?),
            b'n' => self.word("null", Token::Null)?,
            b't' => self.word("true", Token::Bool(true))?,
            b'f' => self.word("false", Token::Bool(false))?,
            _ => self.number()?,
        };
        self.after_value();
        Ok(token)
    }

    fn close(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        self.open.pop();
        self.after_value();
        token
    }

    fn after_value(&mut self) {
        self.expect = if self.open.is_empty() { Expect::Nothing } else { Expect::CommaOrEnd };
    }

    fn word(&mut self, word: &str, token: Token<'a>) -> Result<Token<'a>, Malformed> {
        if !self.text[self.at..].starts_with(word) {
            return Err(Malformed(self.at));
        }
        self.at += word.len();
        Ok(token)
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    fn number(&mut self) -> Result<Token<'a>, Malformed> {
        let start = self.at;
        self.take_if(|byte| byte == b'-');
        let leading_zero = self.peek() == Some(b'0');
        let digits = self.digits()?;
        if leading_zero && digits > 1 {
            return Err(Malformed(start));
        }
        let mut whole = true;
        if self.take_if(|byte| byte == b'.') {
            whole = false;
            self.digits()?;
        }
        if self.take_if(|byte| matches!(byte, b'e' | b'E')) {
            whole = false;
            self.take_if(|byte| matches!(byte, b'+' | b'-'));
            self.digits()?;
        }
        let written = &self.text[start..self.at];
        let integer = || {
            let natural = written.parse::<u64>().ok().map(Number::from);
            natural.or_else(|| written.parse::<i64>().ok().map(Number::from))
        };
        // A number beyond every float is no value that could be compared.
        let float = || written.parse().ok().and_then(Number::from_f64);
        let number = if whole { integer().or_else(float) } else { float() };
        number.map(Token::Number).ok_or(Malformed(start))
    }

    fn digits(&mut self) -> Result<usize, Malformed> {
        let start = self.at;
        while self.take_if(|byte| byte.is_ascii_digit()) {}
        if self.at == start { Err(Malformed(start)) } else { Ok(self.at - start) }
    }

    /// The inside of the string that starts here, as written.
    fn quoted(&mut self) -> Result<&'a str, Malformed> {
        let start = self.at + 1;
        let mut at = start;
        loop {
            match self.text.as_bytes().get(at) {
                Some(b'"') => break,
                // What stands after it is judged when the string is read.
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => return Err(Malformed(self.text.len())),
            }
        }
        let inside = self.text.get(start..at).ok_or(Malformed(start))?;
        if let Err(Malformed(at)) = unescape(inside) {
            return Err(Malformed(start + at));
        }
        self.at = at + 1;
        Ok(inside)
    }

    fn take_if(&mut self, wanted: impl Fn(u8) -> bool) -> bool {
        let taken = self.peek().is_some_and(wanted);
        self.at += usize::from(taken);
        taken
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.take_if(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {}
    }
}

/// The end of the JSON value at the start of a text, in bytes.
pub(super) fn value_end(text: &str) -> Result<usize, Malformed> {
    let mut scanner = Scanner::new(text);
    while scanner.next()?.is_some() {}
    Ok(scanner.position())
}

/// The payload that a text is, if it is JSON and nothing more. Duplicate keys are kept.
pub(crate) fn read(text: &str) -> Result<Payload, Malformed> {
    let mut scanner = Scanner::new(text);
    let mut builder = Builder::new();
    while let Some(token) = scanner.next()? {
        let text_of = |raw| unescape(raw).map_err(|_| Malformed(scanner.position()));
        match token {
            Token::Null => builder.null(),
            Token::Bool(value) => builder.bool(value),
            Token::Number(number) => builder.number(number),
            Token::String(raw) => builder.string(&*text_of(raw)?),
            Token::Key(raw) => builder.key(&text_of(raw)?),
            Token::BeginArray => builder.begin_array(),
            Token::BeginObject => builder.begin_object(),
            Token::EndArray | Token::EndObject => builder.end(),
        };
    }
    let rest = &text[scanner.position()..];
    let trailing = rest.trim_start_matches([' ', '\t', '\n', '\r']);
    if trailing.is_empty() { Ok(builder.finish()) } else { Err(Malformed(text.len() - trailing.len())) }
}

/// Why a pointer leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    /// There is no such member or item.
    Absent,
    /// An object on the way has the same key twice, so readers differ on where it leads.
    DuplicateKey,
    /// The text is not JSON.
    Malformed,
}

/// The part of a JSON text that a pointer leads to, as written.
pub(super) fn at_pointer<'a>(text: &'a str, pointer: &str) -> Result<&'a str, Lost> {
    let mut text = text;
    if pointer.is_empty() {
        return Ok(text);
    }
    for segment in pointer.strip_prefix('/').ok_or(Lost::Absent)?.split('/') {
        text = child(text, &segment.replace("~1", "/").replace("~0", "~"))?;
    }
    Ok(text)
}

/// The member or item of this name, as written. The whole container is read, so that a second
/// member of any name is seen.
fn child<'a>(text: &'a str, wanted: &str) -> Result<&'a str, Lost> {
    let mut scanner = Scanner::new(text);
    let mut keys = HashSet::new();
    let mut items = 0_usize;
    let mut found = None;
    let in_array = match scanner.next() {
        Ok(Some(Token::BeginObject)) => false,
        Ok(Some(Token::BeginArray)) => true,
        Ok(_) => return Err(Lost::Absent),
        Err(_) => return Err(Lost::Malformed),
    };
    // Where the child that is being read starts, if it is the wanted one.
    let mut start = None;
    loop {
        let before = scanner.position();
        let at_top = scanner.depth() == 1;
        let Some(token) = scanner.next().map_err(|_| Lost::Malformed)? else { break };
        if let (true, Token::Key(raw)) = (at_top, token) {
            let key = unescape(raw).map_err(|_| Lost::Malformed)?;
            if key == wanted {
                start = Some(scanner.position());
            }
            if !keys.insert(key) {
                return Err(Lost::DuplicateKey);
            }
            continue;
        }
        if in_array && at_top {
            if wanted.parse() == Ok(items) {
                start = Some(before);
            }
            items += 1;
        }
        if scanner.depth() == 1 && found.is_none() {
            found = start.map(|start| &text[start..scanner.position()]);
        }
    }
    // Between two items stands a comma, which belongs to neither.
    found.map(|found| found.trim_matches([' ', '\t', '\n', '\r', ','])).ok_or(Lost::Absent)
}

/// The inside of a JSON string with its escapes undone.
///
/// A bare quote, a bare control character, an unknown escape and half a surrogate pair are malformed.
pub(super) fn unescape(raw: &str) -> Result<Cow<'_, str>, Malformed> {
    let special = |byte: &u8| matches!(byte, b'"' | b'\\') || *byte < 0x20;
    let Some(first) = raw.bytes().position(|byte| special(&byte)) else { return Ok(Cow::Borrowed(raw)) };
    let mut out = String::with_capacity(raw.len());
    let (mut copied, mut at) = (0, first);
    while let Some(byte) = raw.as_bytes().get(at) {
        if !special(byte) {
            at += 1;
            continue;
        }
        out.push_str(&raw[copied..at]);
        let (character, length) = escape(&raw[at..]).ok_or(Malformed(at))?;
        out.push(character);
        at += length;
        copied = at;
    }
    out.push_str(&raw[copied..]);
    Ok(Cow::Owned(out))
}

/// The character that the escape at the start of a text stands for, and the escape's length.
pub(super) fn escape(text: &str) -> Option<(char, usize)> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    let character = match bytes.get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let high = four_digits(bytes, 2)?;
            if let Some(character) = char::from_u32(high) {
                return Some((character, 6));
            }
            if !(0xD800..0xDC00).contains(&high) || bytes.get(6..8) != Some(b"\\u") {
                return None;
            }
            let low = four_digits(bytes, 8)?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
            return Some((char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + low)?, 12));
        }
        _ => return None,
    };
    Some((character, 2))
}

fn four_digits(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests;
