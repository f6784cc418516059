//! Lines from outside, read as bytes with bounded memory: whatever a client sends, at most one megabyte of it is held.

use std::io::{self, BufRead};

/// Longest line that is taken, in bytes without its end.
pub const MAX_LINE: usize = 1 << 20;

/// What one line of input is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// Text without its line end.
    Text(String),
    /// Longer than [`MAX_LINE`]; thrown away as it came.
    TooLong { bytes: usize },
    /// Not UTF-8: the place of the first wrong byte, from 1, and the byte.
    NotUtf8 { place: usize, byte: u8 },
}

/// Cuts a stream of bytes into lines.
pub struct Lines<R> {
    input: R,
}

impl<R: BufRead> Lines<R> {
    /// Reads from that stream.
    pub fn new(input: R) -> Lines<R> {
        Lines { input }
    }

    /// The next line; `None` at the end of input. A last line without a line end counts.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut held: Vec<u8> = Vec::new();
        let mut length = 0;
        loop {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if chunk.is_empty() {
                return Ok((length > 0).then(|| finish(held, length)));
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            length += part.len();
            if length <= MAX_LINE {
                held.extend_from_slice(part);
            } else {
                held = Vec::new();
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some(finish(held, length)));
            }
        }
    }
}

fn finish(held: Vec<u8>, length: usize) -> Line {
    if length > MAX_LINE {
        return Line::TooLong { bytes: length };
    }
    String::from_utf8(held).map_or_else(
        |error| {
            let at = error.utf8_error().valid_up_to();
            Line::NotUtf8 { place: at + 1, byte: error.as_bytes()[at] }
        },
        Line::Text,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn all(bytes: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(BufReader::with_capacity(7, bytes));
        std::iter::from_fn(|| lines.next_line().expect("reading from memory")).collect()
    }

    fn text(s: &str) -> Line {
        Line::Text(s.to_string())
    }

    #[test]
    fn lines_end_at_line_feeds_and_at_the_end_of_input() {
        assert_eq!(
            all(b"uci\r\n\nisready and more\nquit"),
            [text("uci\r"), text(""), text("isready and more"), text("quit")]
        );
        assert_eq!(all(b""), []);
    }

    #[test]
    fn wrong_bytes_are_named_and_the_next_line_is_fine() {
        let lines = all(b"ab\xff\xfe\x00\x80\nuci\n");
        assert_eq!(lines, [Line::NotUtf8 { place: 3, byte: 0xff }, text("uci")]);
    }

    #[test]
    fn the_longest_line_is_taken_and_one_byte_more_is_not() {
        let mut bytes = vec![b'a'; MAX_LINE];
        bytes.push(b'\n');
        bytes.extend(vec![b'b'; MAX_LINE + 1]);
        bytes.extend(b"\nc\n");
        let lines = all(&bytes);
        assert_eq!(lines[0], text(&"a".repeat(MAX_LINE)));
        assert_eq!(lines[1..], [Line::TooLong { bytes: MAX_LINE + 1 }, text("c")]);
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let endless = std::io::repeat(b'x').take(40 << 20);
        let mut lines = Lines::new(BufReader::new(endless));
        assert_eq!(lines.next_line().expect("reading from memory"), Some(Line::TooLong { bytes: 40 << 20 }));
    }
}
