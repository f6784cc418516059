//! Moves as the engine keeps them: squares as bit indices, captured pieces as a set.

use super::board::Word;

/// No square.
pub const NOWHERE: u8 = 0xff;

/// One move. Two captures with the same ends and the same captured pieces are one move, whatever their path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move<W> {
    /// Captured pieces; empty for a quiet move.
    pub captured: W,
    /// Bit index of the start.
    pub from: u8,
    /// Bit index of the end.
    pub to: u8,
    /// Whether the piece is a king before, and whether a man becomes one.
    flags: u8,
    /// Bit index of the piece huffed before the move, or [`NOWHERE`].
    pub huffed: u8,
}

const KING: u8 = 1;
const PROMOTES: u8 = 2;

impl<W: Word> Move<W> {
    /// A move without a huff.
    #[inline(always)]
    pub fn new(from: u8, to: u8, captured: W, king: bool, promotes: bool) -> Move<W> {
        Move { captured, from, to, flags: king as u8 * KING + promotes as u8 * PROMOTES, huffed: NOWHERE }
    }

    /// Whether the piece is a king before the move.
    #[inline(always)]
    pub fn king(self) -> bool {
        self.flags & KING != 0
    }

    /// Whether a man becomes a king.
    #[inline(always)]
    pub fn promotes(self) -> bool {
        self.flags & PROMOTES != 0
    }

    /// Whether it captures.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }

    /// A short name for tables: moves that differ only in captured pieces may share it.
    #[inline(always)]
    pub fn key(self) -> MoveKey {
        let spread = if self.captured.is_empty() {
            0
        } else {
            (self.captured.fold().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62) as u16
        };
        let huff = if self.huffed == NOWHERE { 0 } else { (self.huffed as u16 & 1) + 2 };
        MoveKey((self.from as u16) | (self.to as u16) << 7 | (spread ^ huff) << 14)
    }
}

/// 16 bits that stand for a move in tables. 0 is no move (no move starts and ends on bit 0 without a capture).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveKey(pub u16);

impl MoveKey {
    /// No move.
    pub const NONE: MoveKey = MoveKey(0);
}

/// A reusable list of moves. It is cleared, never shrunk: generation does not allocate once it has grown.
pub type MoveList<W> = Vec<Move<W>>;
