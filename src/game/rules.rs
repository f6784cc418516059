//! What a rule set is: one record, each field a rule that a referee could read out.
//!
//! Nothing here is derived and nothing asks for a variant's name; built-in rows live in [`super::table`], users' own
//! rows are read from a rule file.

use super::board::{Board, Color};

/// A set of the eight directions, seen by the player who moves: bit `i` is direction `i` of [`Directions::NAMES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Directions(pub u8);

impl Directions {
    /// Short names in bit order: forward-left, forward-right, backward-left, backward-right, forward, backward, left, right.
    pub const NAMES: [&'static str; 8] = ["FL", "FR", "BL", "BR", "F", "B", "L", "R"];
    /// No direction at all.
    pub const NONE: Directions = Directions(0);
    /// The two forward diagonals.
    pub const FORWARD: Directions = Directions(0b0000_0011);
    /// The four diagonals.
    pub const DIAGONAL: Directions = Directions(0b0000_1111);
    /// The four orthogonals.
    pub const ORTHOGONAL: Directions = Directions(0b1111_0000);
    /// All eight.
    pub const ALL: Directions = Directions(0b1111_1111);
    /// Straight ahead, left and right: the Turkish man.
    pub const TURKISH_MAN: Directions = Directions(0b1101_0000);
    /// Straight ahead, left, right and the two forward diagonals.
    pub const FIVE: Directions = Directions(0b1101_0011);

    /// Whether direction `d` (0..8) belongs to the set.
    #[inline(always)]
    pub const fn has(self, d: usize) -> bool {
        self.0 >> d & 1 != 0
    }
}

/// Where a capturing king may land behind the piece it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Landing {
    /// On any free square behind it.
    Any,
    /// Directly behind it, on every jump.
    Behind,
    /// Anywhere, but the last jump over a king ends directly behind it (Killer).
    BehindLastKing,
    /// As [`Landing::BehindLastKing`], in captures of two and more pieces only (Killer light).
    BehindLastKingMulti,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Removal {
    /// After the whole move: until then they stand in the way and are not jumped twice.
    AfterMove,
    /// At once, piece by piece.
    Immediate,
}

/// What happens to a man that reaches the last row in the middle of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Promotion {
    /// It is promoted only where its move ends.
    AtRest,
    /// It becomes a king at once and goes on capturing as one.
    InPassing,
    /// It becomes a king and its move ends there.
    EndsMove,
}

/// Whether a player who can capture must.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Duty {
    /// Captures are compulsory.
    Mandatory,
    /// Captures are optional; a series once begun is finished.
    Optional,
    /// Captures are optional, and before his own move the opponent may take off one piece that could have captured and
    /// did not. It costs no turn.
    Huffing,
}

/// One criterion of the order between captures; the first that differs decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Criterion {
    /// Most pieces.
    Count,
    /// A capture by a king goes before one by a man.
    ByKing,
    /// Most kings among the captured.
    KingsTaken,
    /// The capture that meets a king first.
    KingEarly,
    /// Highest Frisian value: 100 for a man, 199 for a king.
    FrisianValue,
}

/// The criteria of the order between captures in turn; unused places are `None`.
pub type Choice = [Option<Criterion>; 5];

/// Between which captures the [`Choice`] decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Scope {
    /// Between all captures of the side to move.
    All,
    /// Only between the captures of one and the same piece.
    Piece,
}

/// What a player plays for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Goal {
    /// A player without a legal move loses.
    Normal,
    /// A player without a legal move wins (giveaway).
    Lose,
    /// As normal, and the first king wins at once.
    FirstKing,
}

/// What it means to have pieces and no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Blocked {
    /// It is the same as having no pieces.
    AsNoPieces,
    /// It is a draw.
    Draws,
}

/// What happens when only kings are left on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum KingsOnly {
    /// Nothing.
    PlayOn,
    /// The side with more kings wins at once; equal numbers are a draw.
    MoreWins,
    /// The side with more kings wins at once; equal numbers play on.
    MoreWinsEqualPlaysOn,
}

/// A kind of small ending that has a move limit of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    /// A lone king against `min..=max` pieces, at least one of them a king.
    LoneKing { min: u8, max: u8 },
    /// A lone king against `min..=max` kings and nothing else.
    LoneKingKings { min: u8, max: u8 },
    /// A lone king that stands on the main diagonal against `min..=max` pieces, at least one of them a king.
    LoneKingMainRoad { min: u8, max: u8 },
    /// Both sides have a king, `min..=max` pieces together; a promotion starts the count afresh.
    BothKings { min: u8, max: u8 },
    /// King against king: a draw unless the side to move can capture or every move of its lets the other capture (Frisian, art. 21).
    KingKing,
}

/// One small-ending limit: draw after `plies` plies in the ending. The count starts when the ending arises and is not
/// stopped by man moves. `plies` 0 means at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct EndingLimit {
    /// The ending it speaks of.
    pub ending: Ending,
    /// Plies (moves of one side) until the draw.
    pub plies: u16,
}

/// Up to six limits; the first whose ending is on the board counts.
pub type EndingLimits = [Option<EndingLimit>; 6];

/// How squares are written in moves and positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Notation {
    /// By number, 1 on the top row (White at the bottom).
    Numeric,
    /// As a1 … h8.
    Algebraic,
}

/// One draughts rule set. Each field is a rule a referee could read out; nothing is derived here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct RuleSet {
    /// Shape of the board and which squares are played on.
    pub board: Board,
    /// Rows of men a side at the start.
    pub rows: u8,
    /// Empty rows behind those men (1 in Turkish draughts).
    pub offset: u8,
    /// Who moves first.
    pub first: Color,
    /// Where a man moves.
    pub man_move: Directions,
    /// Where a man captures.
    pub man_capture: Directions,
    /// Where a king moves.
    pub king_move: Directions,
    /// Where a king captures.
    pub king_capture: Directions,
    /// Kings move any distance.
    pub king_flies: bool,
    /// Kings capture from afar.
    pub king_captures_afar: bool,
    /// Where a king lands behind a captured piece.
    pub landing: Landing,
    /// A man may capture a king.
    pub man_takes_king: bool,
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// Within a capture a piece may turn by 180 degrees.
    pub may_reverse: bool,
    /// A man on the last row in mid-capture.
    pub promotion: Promotion,
    /// Whether one must capture.
    pub duty: Duty,
    /// Which capture goes before which.
    pub choice: Choice,
    /// Between which captures the choice decides.
    pub scope: Scope,
    /// What one plays for.
    pub goal: Goal,
    /// What a blocked player with pieces left gets.
    pub blocked: Blocked,
    /// What happens when only kings are left.
    pub kings_only: KingsOnly,
    /// One piece against one piece is a draw at once.
    pub one_against_one: bool,
    /// Draw when a position occurs this often with the same side to move; 0 = no such rule.
    pub repetitions: u8,
    /// Draw after this many plies without a man move or a capture; 0 = no such rule.
    pub quiet_plies: u16,
    /// Move limits of small endings.
    pub endings: EndingLimits,
    /// A side that has men may not make more than this many quiet moves in a row with the same king; 0 = no such rule.
    pub same_king_moves: u8,
    /// How squares are written.
    pub notation: Notation,
    /// The sign between the squares of a capture, `x` or `:`.
    pub capture_sign: char,
    /// PDN GameType number; 0 = none assigned.
    pub game_type: u8,
}
