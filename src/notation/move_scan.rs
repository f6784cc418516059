//! A move's text as squares; which move they mean is not asked here.

use super::move_error::MoveError;
use super::span::Span;
use super::squares;
use crate::game::board::Square;
use crate::game::variant::Variant;

/// Longest text that is read, in bytes: a path over every square of the largest board, with room for blanks.
const LIMIT: usize = 1024;

/// The squares of a move as they were written.
#[derive(Debug)]
pub(super) struct Scan {
    /// The square of a `@12/` before the move.
    pub huffed: Option<Square>,
    /// At least two.
    pub squares: Vec<Square>,
    /// There are two squares with a dash between.
    pub dash: bool,
}

/// Reads squares and skips what stands between them.
pub(super) fn scan(variant: &Variant, text: &str) -> Result<Scan, MoveError> {
    if text.len() > LIMIT {
        return Err(MoveError::TooLong { bytes: text.len(), limit: LIMIT });
    }
    let whole = Span::new(text).trim();
    if whole.text.is_empty() {
        return Err(MoveError::Empty { example: example(variant) });
    }
    // Marks of strength and the like: `32-28!?`, `32x28.`, `32-28+`.
    let bare = whole.text.trim_end_matches(|c: char| matches!(c, '!' | '?' | '.' | '+') || c.is_whitespace());
    let mut reader = Reader { variant, text, rest: whole.slice(0, bare.len()) };
    let huffed = reader.huff()?;
    let mut squares = vec![reader.square()?];
    let mut dash = false;
    while !reader.rest.text.is_empty() {
        dash = reader.gap()?;
        squares.push(reader.square()?);
    }
    if squares.len() < 2 {
        return Err(MoveError::OneSquare { read: text.to_string(), example: example(variant) });
    }
    Ok(Scan { huffed, dash: dash && squares.len() == 2, squares })
}

struct Reader<'a> {
    variant: &'a Variant,
    text: &'a str,
    rest: Span<'a>,
}

impl Reader<'_> {
    /// The square of a huff `@12/`, when the text starts with one.
    fn huff(&mut self) -> Result<Option<Square>, MoveError> {
        if self.rest.first() != Some('@') {
            return Ok(None);
        }
        self.rest = self.rest.skip(1).trim();
        let square = self.square()?;
        if self.rest.trim().first() != Some('/') {
            return Err(self.wrong("'/' and a move".to_string()));
        }
        self.rest = self.rest.trim().skip(1).trim();
        Ok(Some(square))
    }

    fn square(&mut self) -> Result<Square, MoveError> {
        let word = self.word();
        let expected = || squares::expected(self.variant.set.board);
        let square = squares::parse(self.variant, word).ok_or_else(|| self.wrong(expected()))?;
        self.rest = self.rest.skip(word.len());
        Ok(square)
    }

    /// A letter, if there is one, and the digits after it.
    fn word(&self) -> &str {
        let text = self.rest.text;
        let letters = usize::from(text.starts_with(|c: char| c.is_ascii_alphabetic()));
        let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
        &text[..letters + digits]
    }

    /// What separates two squares: blanks and at most one sign, or nothing before a letter. Tells whether it is a dash.
    fn gap(&mut self) -> Result<bool, MoveError> {
        let after = self.rest.trim();
        let (dash, sign) = match after.first() {
            Some(c @ ('-' | '–' | '—' | '‑' | '−')) => (true, c.len_utf8()),
            Some(c @ ('x' | 'X' | '×' | ':' | '*')) => (false, c.len_utf8()),
            Some(c) if c.is_ascii_digit() && after.text.len() < self.rest.text.len() => (false, 0),
            Some(c) if c.is_ascii_alphabetic() => (false, 0),
            _ => return Err(self.wrong("'-', 'x' or ':' and a square".to_string())),
        };
        self.rest = after.skip(sign).trim();
        Ok(dash)
    }

    fn wrong(&self, expected: String) -> MoveError {
        let found = match (self.rest.first(), self.word()) {
            (None, _) => "the end".to_string(),
            (Some(c), "") => super::shown(&c.to_string()),
            (Some(_), word) => super::shown(word),
        };
        MoveError::Text { read: self.text.to_string(), at: self.rest.column(), found, expected }
    }
}

fn example(variant: &Variant) -> String {
    let middle = variant.set.board.squares() as u8 / 2;
    format!("{}-{}", squares::name(variant, Square(middle + 1)), squares::name(variant, Square(middle)))
}
