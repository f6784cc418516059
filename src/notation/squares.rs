//! Names of squares: numbers from the top row, or letter and rank with a1 at the bottom left.

use crate::game::board::{Board, Square};
use crate::game::rules::Notation;
use crate::game::variant::Variant;

/// The square as the variant writes it: `32` or `d4`.
pub fn name(variant: &Variant, square: Square) -> String {
    match variant.set.notation {
        Notation::Numeric => square.0.to_string(),
        Notation::Algebraic => algebraic(variant.set.board, square),
    }
}

/// Reads a square in either notation, whatever the variant writes: `32`, `032`, `d4`, `D4`. `None` when it is not a
/// square that is played on.
pub fn parse(variant: &Variant, text: &str) -> Option<Square> {
    let board = variant.set.board;
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        return number(board, text);
    }
    let letter = first.to_ascii_lowercase();
    if !letter.is_ascii_lowercase() {
        return None;
    }
    let rank = digits(&text[1..])?;
    let column = letter as usize - 'a' as usize;
    board.at(column, (board.height as usize).checked_sub(rank as usize)?)
}

/// Reads a square by number alone; leading zeros do not matter.
pub(super) fn number(board: Board, text: &str) -> Option<Square> {
    let number = digits(text)?;
    (1..=board.squares() as u32).contains(&number).then_some(Square(number as u8))
}

/// What squares there are, for an error message: `1-32 or a1-h8`.
pub(super) fn expected(board: Board) -> String {
    let last = (b'a' + board.width - 1) as char;
    format!("a square 1-{} or a1-{last}{} that is played on", board.squares(), board.height)
}

fn algebraic(board: Board, square: Square) -> String {
    let (column, row) = board.column_row(square);
    format!("{}{}", (b'a' + column as u8) as char, board.height as usize - row)
}

/// A whole number made of digits only; `None` for anything else, and for numbers that are too large to matter.
fn digits(text: &str) -> Option<u32> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_of_every_board_has_one_name() {
        for variant in Variant::all() {
            for number in 1..=variant.set.board.squares() as u8 {
                let square = Square(number);
                assert_eq!(parse(variant, &name(variant, square)), Some(square), "{} {number}", variant.id);
                assert_eq!(parse(variant, &format!("{number:03}")), Some(square));
                let letters = algebraic(variant.set.board, square);
                assert_eq!(parse(variant, &letters), Some(square));
                assert_eq!(parse(variant, &letters.to_uppercase()), Some(square));
            }
        }
    }

    #[test]
    fn numbers_count_from_the_top_row() {
        let russian = Variant::find("russian").unwrap();
        assert_eq!(name(&russian, Square(1)), "b8");
        assert_eq!(name(&russian, Square(29)), "a1");
        assert_eq!(name(&Variant::find("turkish").unwrap(), Square(64)), "h1");
        assert_eq!(name(&Variant::find("international").unwrap(), Square(46)), "46");
        assert_eq!(parse(&Variant::find("international").unwrap(), "a1"), Some(Square(46)));
        assert_eq!(parse(&Variant::find("philippine").unwrap(), "h1"), Some(Square(32)));
    }

    #[test]
    fn what_is_no_square_is_refused() {
        let russian = Variant::find("russian").unwrap();
        for text in [
            "",
            "0",
            "33",
            "a2",
            "i1",
            "a0",
            "a9",
            "a",
            "1a",
            "-1",
            "+1",
            "a+1",
            "é3",
            "99999999999999999999",
            "a1 ",
            "１",
        ] {
            assert_eq!(parse(&russian, text), None, "{text:?}");
        }
    }
}
