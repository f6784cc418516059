//! Positions, moves and results in plain values, free of bit layouts and word widths: what notation and protocols use.

use super::board::{Board, Color, Square};
use super::variant::Variant;

/// What stands on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece {
    pub color: Color,
    pub king: bool,
}

/// Everything beside the pieces that the rules remember about a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Plies since the last man move or capture.
    pub quiet_plies: u16,
    /// Plies since the small ending on the board arose.
    pub ending_plies: u16,
    /// For White and Black: the king that made the side's last quiet moves in a row, and how many.
    pub king_run: [Option<(Square, u8)>; 2],
    /// Enemy pieces that the side to move may huff.
    pub huffable: Vec<Square>,
}

/// A position set up piece by piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The side to move.
    pub side: Color,
    /// One entry a square, in order of their numbers: `cells[0]` is square 1.
    pub cells: Vec<Option<Piece>>,
    /// Counters of the draw rules and the like.
    pub memory: Memory,
    /// Number of the move to be played, from 1; `None` when nobody stated it. Only carried along.
    pub move_number: Option<u32>,
}

impl Setup {
    /// An empty board.
    pub fn empty(board: Board, side: Color) -> Setup {
        Setup { side, cells: vec![None; board.squares()], memory: Memory::default(), move_number: None }
    }

    /// The starting position of a variant.
    pub fn start(variant: &Variant) -> Setup {
        let set = &variant.set;
        let mut setup = Setup::empty(set.board, set.first);
        let per_row = set.board.per_row();
        let (skip, men) = (set.offset as usize * per_row, set.rows as usize * per_row);
        let last = setup.cells.len();
        for index in skip..skip + men {
            setup.cells[index] = Some(Piece { color: Color::Black, king: false });
            setup.cells[last - 1 - index] = Some(Piece { color: Color::White, king: false });
        }
        setup
    }

    /// What stands on a square.
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.cells.get(square.0 as usize - 1).copied().flatten()
    }
}

/// One legal move, written out.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct PlainMove {
    pub from: Square,
    pub to: Square,
    /// Captured squares in the order of `path`; empty for a quiet move.
    pub captures: Vec<Square>,
    /// From, every stop between, to. The stop after a jump is the square where the capture turns, or the one right behind
    /// the captured piece when it goes straight on. Of several paths with the same result this is the first found.
    pub path: Vec<Square>,
    /// The piece is a king before the move.
    pub king: bool,
    /// A man becomes a king.
    pub promotes: bool,
    /// The enemy piece huffed before the move.
    pub huffed: Option<Square>,
}

impl PlainMove {
    /// Whether it captures.
    pub fn is_capture(&self) -> bool {
        !self.captures.is_empty()
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Win(Color),
    Draw,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    NoPieces,
    NoMoves,
    FirstKing,
    KingsOnly,
    OneAgainstOne,
    Repetition(u8),
    QuietMoves(u16),
    Ending(super::rules::EndingLimit),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use super::rules::Ending::*;
        match self {
            Reason::NoPieces => write!(f, "no pieces"),
            Reason::NoMoves => write!(f, "no legal move"),
            Reason::FirstKing => write!(f, "first king"),
            Reason::KingsOnly => write!(f, "kings only"),
            Reason::OneAgainstOne => write!(f, "one against one"),
            Reason::Repetition(3) => write!(f, "threefold repetition"),
            Reason::Repetition(n) => write!(f, "position repeated {n} times"),
            Reason::QuietMoves(plies) => write!(f, "{} moves each without a man move or a capture", plies / 2),
            Reason::Ending(limit) => {
                let moves = limit.plies / 2;
                match limit.ending {
                    LoneKing { min, max } | LoneKingKings { min, max } => {
                        write!(f, "{} against 1 ending, {moves} moves each", span(min, max))
                    }
                    LoneKingMainRoad { min, max } => {
                        write!(f, "{} against 1 on the main road, {moves} moves each", span(min, max))
                    }
                    BothKings { min, max } => {
                        write!(f, "{} piece ending, {moves} moves each", span(min, max))
                    }
                    KingKing => write!(f, "king against king"),
                }
            }
        }
    }
}

fn span(min: u8, max: u8) -> String {
    match (min, max) {
        (a, b) if a == b => format!("{a}"),
        (a, b) if b >= 100 => format!("{a} or more"),
        (a, b) => format!("{a}-{b}"),
    }
}

/// Whether a game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Ongoing,
    Over(Outcome, Reason),
}

/// Why a set-up is not a position of the variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    #[error("the board has {found} squares, expected {expected}")]
    Size { found: usize, expected: usize },
    #[error("the {} man on square {} stands on its own promotion row; expected a king there", .0.name(), .1.0)]
    ManOnLastRow(Color, Square),
}
