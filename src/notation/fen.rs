//! Positions as text: FEN of PDN 3.0, written strictly and read tolerantly.
//!
//! Written: `W:W31,K35:B1,20`, White's pieces first, in order of their square numbers, no blanks, no final dot; numbers or
//! a1 … as the variant writes squares. What is not at its default follows, each part after a colon:
//!
//! | part | meaning | known from |
//! |---|---|---|
//! | `H7` | plies since the last man move or capture | lidraughts, where it counts from the start of a small ending |
//! | `F12` | number of the move to be played | lidraughts |
//! | `E5` | plies since the small ending arose | damka |
//! | `X12,14` | enemy pieces that the side to move may huff | damka |
//! | `+1c3+0` | quiet moves in a row with the same king: Black's number and king, then White's | lidraughts, Frisian |
//!
//! A number of king moves above 9 stands before an `@`: `+12@33+0`.
//!
//! Read as well: either notation in any variant, ranges (`31-50`, `K31-50`), blanks, a final dot, leading zeros, lower case,
//! the sides in any order or one of them left out, the turn given twice, a whole `[FEN "…"]` tag, king-move numbers without
//! a square when the side has one king, and lidraughts's older `2+3`, which counts the moves left of three.

pub use super::fen_error::FenError;
use super::fen_extras;
use super::span::Span;
use super::squares;
use crate::game::board::{Color, Square};
use crate::game::plain::{Piece, Setup};
use crate::game::rules::Notation;
use crate::game::variant::Variant;

/// Longest text that is read, in bytes.
const LIMIT: usize = 64 * 1024;

/// Reads a position. Never panics; what is wrong is said with its place.
pub fn read(variant: &Variant, text: &str) -> Result<Setup, FenError> {
    if text.len() > LIMIT {
        return Err(FenError::TooLong { bytes: text.len(), limit: LIMIT });
    }
    let body = unwrapped(Span::new(text).trim())?;
    if body.text.is_empty() {
        return Err(FenError::Empty);
    }
    let mut fields = body.split(':');
    let turn = fields.next().expect("a split has at least one part");
    let side = color(turn.text).ok_or(FenError::Turn { at: turn.column(), read: turn.text.to_string() })?;
    let mut reader = Lists { variant, setup: Setup::empty(variant.set.board, side), given: [false; 2], seen: false };
    let mut extras = Vec::new();
    for field in fields {
        match field.first() {
            None => {}
            Some('W' | 'w') => reader.list(Color::White, field.skip(1).trim())?,
            Some('B' | 'b') => reader.list(Color::Black, field.skip(1).trim())?,
            Some(_) => extras.push(field),
        }
    }
    let Lists { mut setup, given, seen, .. } = reader;
    // Counters speak of pieces, so they are read when all pieces stand.
    for field in extras {
        fen_extras::read(variant, &mut setup, field)?;
    }
    match (seen, given) {
        (false, _) => Err(FenError::NoLists { at: body.skip(body.text.len()).column() }),
        (true, [false, false]) => Err(FenError::NoPieces),
        _ => Ok(setup),
    }
}

/// Writes a position so that [`read`] gives it back.
pub fn write(variant: &Variant, setup: &Setup) -> String {
    let mut out = format!(
        "{}:W{}:B{}",
        setup.side.letter(),
        list(variant, setup, Color::White),
        list(variant, setup, Color::Black)
    );
    fen_extras::write(variant, setup, &mut out);
    out
}

fn list(variant: &Variant, setup: &Setup, color: Color) -> String {
    let mut items = Vec::new();
    for (index, cell) in setup.cells.iter().enumerate() {
        if let Some(piece) = cell.filter(|piece| piece.color == color) {
            let name = squares::name(variant, Square(index as u8 + 1));
            items.push(if piece.king { format!("K{name}") } else { name });
        }
    }
    items.join(",")
}

/// The position inside a `[FEN "…"]` tag or inside plain quotes, and without a final dot.
fn unwrapped(text: Span<'_>) -> Result<Span<'_>, FenError> {
    let mut body = text;
    if matches!(text.first(), Some('[' | '"')) {
        let broken = || FenError::Tag { read: text.text.to_string() };
        let open = text.text.find('"').ok_or_else(broken)?;
        let close = text.text.rfind('"').filter(|close| *close > open).ok_or_else(broken)?;
        let word = text.text[..open].trim_start_matches('[').trim();
        let tag = text.first() == Some('[');
        if !(tag && word.eq_ignore_ascii_case("fen") || !tag && word.is_empty()) {
            return Err(broken());
        }
        body = text.slice(open + 1, close).trim();
    }
    if body.text.ends_with('.') {
        body = body.slice(0, body.text.len() - 1).trim_end();
    }
    Ok(body)
}

fn color(text: &str) -> Option<Color> {
    match text {
        "W" | "w" => Some(Color::White),
        "B" | "b" => Some(Color::Black),
        _ => None,
    }
}

/// The piece lists on their way to the board.
struct Lists<'v> {
    variant: &'v Variant,
    setup: Setup,
    /// A list with pieces was read for White, for Black.
    given: [bool; 2],
    /// A list was read, be it empty.
    seen: bool,
}

impl Lists<'_> {
    /// Puts the pieces of one side on the board. An empty list may come again: so a turn that is written twice, as some
    /// programs do, is nothing special.
    fn list(&mut self, color: Color, items: Span<'_>) -> Result<(), FenError> {
        self.seen = true;
        if items.text.is_empty() {
            return Ok(());
        }
        if std::mem::replace(&mut self.given[color.index()], true) {
            return Err(FenError::SecondList { at: items.column(), color });
        }
        let numeric = items
            .split(',')
            .any(|item| item.text.trim_start_matches(['K', 'k']).starts_with(|c: char| c.is_ascii_digit()));
        for item in items.split(',') {
            self.item(color, item, numeric)?;
        }
        Ok(())
    }

    fn item(&mut self, color: Color, item: Span<'_>, numeric: bool) -> Result<(), FenError> {
        if item.text.is_empty() {
            return Err(FenError::EmptyItem { at: item.column() });
        }
        self.refuse_letters(item, numeric)?;
        let king = self.king_prefix(item.text);
        let rest = if king { item.skip(1).trim() } else { item };
        let piece = Piece { color, king };
        let Some((low, high)) = rest.split_once(&['-', '–']) else {
            let square = squares::parse(self.variant, rest.text).ok_or_else(|| self.no_square(item))?;
            return self.place(piece, square, item);
        };
        let high = if king && matches!(high.first(), Some('K' | 'k')) { high.skip(1) } else { high };
        let digits = |s: &Span<'_>| !s.text.is_empty() && s.text.bytes().all(|b| b.is_ascii_digit());
        let broken = FenError::Range { at: item.column(), read: item.text.to_string() };
        if !digits(&low) || !digits(&high) {
            return Err(broken);
        }
        let number = |s: Span<'_>| squares::number(self.variant.set.board, s.text).ok_or_else(|| self.no_square(item));
        let (low, high) = (number(low)?, number(high)?);
        if low > high {
            return Err(broken);
        }
        (low.0..=high.0).try_for_each(|n| self.place(piece, Square(n), item))
    }

    /// Refuses letters that are neither a column nor a king. `B2` in capitals among numbers is taken for a slip
    /// of the colon, not for the square b2.
    fn refuse_letters(&self, item: Span<'_>, numeric: bool) -> Result<(), FenError> {
        let mut letters = item.text.chars();
        let (first, second) = (letters.next(), letters.next());
        let (at, read) = (item.column(), item.text.to_string());
        let no_square = || squares::parse(self.variant, item.text).is_none();
        match first {
            Some('W' | 'w') => Err(FenError::ColorInside { at, read }),
            Some('B' | 'b') if matches!(second, Some('K' | 'k')) => Err(FenError::ColorInside { at, read }),
            Some('B') if numeric || no_square() => Err(FenError::ColorInside { at, read }),
            Some('P') => Err(FenError::Ghost { at, read }),
            Some('G') if numeric || no_square() => Err(FenError::Ghost { at, read }),
            _ => Ok(()),
        }
    }

    /// Whether an item is a king's. On boards that have a column k and write letters, a small `k3` is a square.
    fn king_prefix(&self, item: &str) -> bool {
        let set = &self.variant.set;
        let column_k =
            set.board.width > 10 && set.notation == Notation::Algebraic && squares::parse(self.variant, item).is_some();
        item.starts_with('K') || item.starts_with('k') && !column_k
    }

    fn no_square(&self, item: Span<'_>) -> FenError {
        FenError::Square {
            at: item.column(),
            read: item.text.to_string(),
            expected: squares::expected(self.variant.set.board),
        }
    }

    fn place(&mut self, piece: Piece, square: Square, item: Span<'_>) -> Result<(), FenError> {
        let (at, name) = (item.column(), squares::name(self.variant, square));
        let geometry = &self.variant.geometry;
        let on_last_row = geometry.last_row[piece.color.index()] >> geometry.bit(square) & 1 == 1;
        if on_last_row && !piece.king {
            return Err(FenError::ManOnLastRow { at, color: piece.color, square: name });
        }
        let cell = &mut self.setup.cells[square.0 as usize - 1];
        if cell.replace(piece).is_some() {
            return Err(FenError::Twice { at, square: name });
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "fen_tests.rs"]
mod tests;
