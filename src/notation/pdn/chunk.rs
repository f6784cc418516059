//! Bytes to the text of one game at a time. A new game starts at a tag behind moves; only line starts are looked at, so that
//! nothing that is left open in one game can swallow the next.

use std::io::{self, BufRead};

/// A text longer than this is cut behind a result as well, since files without tags have no other seam.
const SOFT_LIMIT: usize = 1 << 20;
/// Most tag names that are remembered to see whether one comes again.
const MOST_NAMES: usize = 256;

/// The text of one game, or of several games without tags.
#[derive(Debug)]
pub(super) struct Chunk {
    /// With `\n` for every line end.
    pub bytes: Vec<u8>,
    /// Its first line in the file, from 1.
    pub line: usize,
    /// It was longer than allowed; `bytes` is empty.
    pub too_large: bool,
}

/// Cuts a file into chunks.
pub(super) struct Chunks<R> {
    source: R,
    limit: usize,
    /// Lines read so far.
    pub line: usize,
    /// A line that begins the next chunk.
    pending: Option<Vec<u8>>,
    /// The last line ended with `\r`: a `\n` that follows belongs to it.
    skip_newline: bool,
}

impl<R: BufRead> Chunks<R> {
    pub fn new(source: R, limit: usize) -> Chunks<R> {
        Chunks { source, limit, line: 0, pending: None, skip_newline: false }
    }

    /// The next chunk; `None` at the end of the file.
    pub fn next(&mut self) -> io::Result<Option<Chunk>> {
        let mut state = Seams::default();
        let mut chunk = Chunk { bytes: Vec::new(), line: self.line + 1, too_large: false };
        if let Some(mut first) = self.pending.take() {
            chunk.line = self.line;
            if let Some(seam) = state.take(&first) {
                self.pending = Some(first.split_off(seam));
                chunk.bytes = first;
                return Ok(Some(chunk));
            }
            chunk.bytes = first;
        }
        let mut line = Vec::new();
        loop {
            line.clear();
            let Some(cut) = self.read_line(&mut line)? else {
                return Ok((chunk.too_large || !chunk.bytes.is_empty()).then_some(chunk));
            };
            if state.before(&line) || chunk.too_large && tag(&line).is_some() {
                self.pending = Some(line);
                return Ok(Some(chunk));
            }
            if cut || chunk.bytes.len() + line.len() > self.limit {
                chunk.too_large = true;
                chunk.bytes = Vec::new();
            }
            if chunk.too_large {
                continue;
            }
            if let Some(seam) = state.take(&line) {
                chunk.bytes.extend_from_slice(&line[..seam]);
                self.pending = Some(line.split_off(seam));
                return Ok(Some(chunk));
            }
            chunk.bytes.extend_from_slice(&line);
            if chunk.bytes.len() > SOFT_LIMIT.min(self.limit / 2) && state.ends_with_result(&line) {
                return Ok(Some(chunk));
            }
        }
    }

    /// Reads a line, its end as `\n`. Tells whether it was longer than the limit and was cut; `None` at the end of the file.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
        let mut cut = false;
        let mut any = false;
        loop {
            let buffer = match self.source.fill_buf() {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if buffer.is_empty() {
                self.line += usize::from(any);
                return Ok(any.then_some(cut));
            }
            if std::mem::take(&mut self.skip_newline) && buffer[0] == b'\n' {
                self.source.consume(1);
                continue;
            }
            any = true;
            let end = buffer.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = self.limit.saturating_sub(line.len());
            cut |= part.len() > room;
            line.extend_from_slice(&part[..part.len().min(room)]);
            let Some(end) = end else {
                let read = buffer.len();
                self.source.consume(read);
                continue;
            };
            self.skip_newline = buffer[end] == b'\r';
            self.source.consume(end + 1);
            self.line += 1;
            line.push(b'\n');
            return Ok(Some(cut));
        }
    }
}

/// What a chunk holds so far, as far as it matters for where it ends.
#[derive(Default)]
struct Seams {
    moves: bool,
    in_comment: bool,
    variations: usize,
    names: Vec<Vec<u8>>,
    /// A blank line came after the last tag.
    blank: bool,
}

impl Seams {
    /// Whether a line begins a new game.
    fn before(&self, line: &[u8]) -> bool {
        match tag(line) {
            Some((name, whole)) if self.moves || self.in_comment => {
                // Inside a comment only a whole tag counts: then the comment was never closed.
                !self.in_comment
                    || line[whole..].trim_ascii().is_empty() && name.first().is_some_and(u8::is_ascii_uppercase)
            }
            Some((name, _)) => self.blank && self.names.iter().any(|seen| seen == name),
            None => false,
        }
    }

    /// Takes in a line. Gives the place of a tag behind moves in it, where the next game begins.
    fn take(&mut self, line: &[u8]) -> Option<usize> {
        let mut rest = trimmed(line);
        if rest.is_empty() {
            self.blank = true;
        }
        if !self.in_comment && !self.moves {
            while let Some((name, length)) = tag(rest) {
                if self.names.len() < MOST_NAMES {
                    self.names.push(name.to_vec());
                }
                self.blank = false;
                rest = trimmed(&rest[length..]);
            }
        }
        let start = line.trim_ascii_end().len() - rest.len();
        let mut fresh = true;
        for (at, &byte) in rest.iter().enumerate() {
            match byte {
                b'}' => self.in_comment = false,
                _ if self.in_comment => {}
                b'{' => self.in_comment = true,
                b'%' | b';' if fresh => return None,
                b'[' if self.moves && is_quoted(&rest[at..]) => return Some(start + at),
                b'(' => self.variations += 1,
                b')' => self.variations = self.variations.saturating_sub(1),
                _ => {}
            }
            fresh = byte.is_ascii_whitespace();
            self.moves |= !self.in_comment && !fresh && byte != b'}';
        }
        None
    }

    fn ends_with_result(&self, line: &[u8]) -> bool {
        let last = trimmed(line).rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        let is_result = std::str::from_utf8(last).is_ok_and(|last| super::scan::RESULTS.contains(&last));
        self.moves && !self.in_comment && self.variations == 0 && is_result
    }
}

/// The name of the tag that a line starts with, and the bytes up to its `]` (or to the end of the line without one).
fn tag(line: &[u8]) -> Option<(&[u8], usize)> {
    let lead = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let open = line[lead..].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line[lead..]);
    let inner = open.strip_prefix(b"[")?;
    let inner = &inner[inner.iter().take_while(|&&byte| byte == b' ').count()..];
    let name = inner.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80).count();
    let after = trimmed(&inner[name..]);
    if name == 0 || !(after.starts_with(b"\"") || inner[name..].starts_with(b" ") && after.ends_with(b"]")) {
        return None;
    }
    let open = line.len() - inner.len() + name;
    let open = open + inner[name..].iter().take_while(|byte| byte.is_ascii_whitespace()).count() + 1;
    let close = (open.min(line.len())..line.len()).find(|&at| line[at] == b']' && closes(&line[open..], at - open));
    Some((&inner[..name], close.map_or(line.trim_ascii_end().len(), |at| at + 1)))
}

/// Whether the bracket at `at` follows a quote that ends a tag's value, not one with a backslash before it.
fn closes(body: &[u8], at: usize) -> bool {
    let Some(inner) = body[..at].trim_ascii_end().strip_suffix(b"\"") else {
        return false;
    };
    let slashes = inner.iter().rev().take_while(|&&byte| byte == b'\\').count();
    slashes.is_multiple_of(2) || !body[at..].contains(&b'"')
}

/// Whether a text starts with a bracket, a name and a quote.
fn is_quoted(text: &[u8]) -> bool {
    let inner = text[1..].trim_ascii_start();
    let name = inner.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80).count();
    let blanks = inner[name..].iter().take_while(|&&byte| byte == b' ').count();
    name > 0 && inner.get(name + blanks) == Some(&b'"')
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.trim_ascii()
}
