//! What can be wrong with a FEN.

use super::shown;
use crate::game::board::Color;

/// Why a text is not a position. `at` is a place in the text, counted in characters from 1; `read` is what stands there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// Longer than any position.
    #[error("FEN: {bytes} bytes read, expected at most {limit}")]
    TooLong { bytes: usize, limit: usize },
    /// Nothing but blanks.
    #[error("FEN: nothing read, expected a position such as W:W31-50:B1-20")]
    Empty,
    /// The quotes of a `[FEN "…"]` tag are missing.
    #[error("FEN: {} is not a whole tag, expected [FEN \"…\"]", shown(.read))]
    Tag { read: String },
    /// No such side.
    #[error("FEN, character {at}: {} is not a side to move, expected W or B", shown(.read))]
    Turn { at: usize, read: String },
    /// Side to move and nothing else.
    #[error("FEN, character {at}: the text ends, expected the pieces such as :W31-50:B1-20")]
    NoLists { at: usize },
    /// Lists, and all are empty.
    #[error("FEN: no piece on the board, expected at least one")]
    NoPieces,
    /// A part that no program is known to write.
    #[error(
        "FEN, character {at}: {} is not a part of a FEN, expected W or B and squares, H, F or E and a number, X and \
         squares, or +n+n",
        shown(.read)
    )]
    Field { at: usize, read: String },
    /// A second list for one side.
    #[error("FEN, character {at}: a second list of {} pieces, expected one", .color.name())]
    SecondList { at: usize, color: Color },
    /// Two commas with nothing between, or one at an end.
    #[error("FEN, character {at}: nothing between two commas, expected a square")]
    EmptyItem { at: usize },
    /// A `W` or `B` where a square should be.
    #[error("FEN, character {at}: {} has a colour letter inside a list, expected a square or K and a square", shown(.read))]
    ColorInside { at: usize, read: String },
    /// A piece that was captured in a move which is not finished.
    #[error(
        "FEN, character {at}: {} is a captured piece of an unfinished move, expected a position between moves",
        shown(.read)
    )]
    Ghost { at: usize, read: String },
    /// Not a square of this board.
    #[error("FEN, character {at}: {} is not a square, expected {expected}", shown(.read))]
    Square { at: usize, read: String, expected: String },
    /// A range with an end missing, not of numbers, or falling.
    #[error("FEN, character {at}: {} is not a range, expected two rising numbers such as 31-50", shown(.read))]
    Range { at: usize, read: String },
    /// Two pieces on one square, or one square listed twice.
    #[error("FEN, character {at}: square {square} is used twice, expected each square once")]
    Twice { at: usize, square: String },
    /// A man that should have been promoted.
    #[error("FEN, character {at}: a {} man on {square}, its own promotion row, expected a king there", .color.name())]
    ManOnLastRow { at: usize, color: Color, square: String },
    /// A counter that is not a number or out of its range.
    #[error("FEN, character {at}: {} is out of range, expected {expected}", shown(.read))]
    Counter { at: usize, read: String, expected: String },
    /// King moves counted for a side in which no such king can be found.
    #[error("FEN, character {at}: {} does not say which {} king moved, expected a number and the king's square", shown(.read), .color.name())]
    KingRun { at: usize, read: String, color: Color },
    /// Huffable pieces in a variant without huffing.
    #[error("FEN, character {at}: {} lists pieces to huff, expected none as {variant} has no huffing", shown(.read))]
    NoHuffing { at: usize, read: String, variant: String },
    /// A huffable square without an enemy piece.
    #[error("FEN, character {at}: {} has nothing to huff, expected a square with a {} piece", shown(.read), .color.name())]
    NothingToHuff { at: usize, read: String, color: Color },
}
