//! Board shapes: square numbers, bit layouts and the step in each direction.
//!
//! Dark-square boards use a layout with one ghost bit for every two rows, so that the four diagonal steps are plain shifts
//! that fall off the board by themselves. After: the 54-bit boards of the strong 10x10 engines.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A side. White is drawn at the bottom and moves up, towards the low square numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// The other side.
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// `W` or `B`, as FEN writes it.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'W',
            Color::Black => 'B',
        }
    }
}

/// A playable square, numbered from 1 along the top row, left to right, row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Square(pub u8);

/// The shape of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Board {
    /// Columns, 2..=12; even when only dark squares are played on.
    pub width: u8,
    /// Rows, 4..=12.
    pub height: u8,
    /// Every square is played on (Turkish), not only the dark ones.
    pub all_squares: bool,
    /// The bottom left corner (a1) is played on.
    pub corner: bool,
}

impl Board {
    /// 8x8, dark squares, a1 played on.
    pub const CHECKERS: Board = Board::dark(8, 8, true);
    /// 8x8, dark squares, mirrored: h1 played on.
    pub const MIRRORED: Board = Board::dark(8, 8, false);
    /// 10x10, dark squares.
    pub const INTERNATIONAL: Board = Board::dark(10, 10, true);
    /// 8x8, all 64 squares.
    pub const TURKISH: Board = Board { width: 8, height: 8, all_squares: true, corner: true };

    /// A board whose dark squares are played on.
    pub const fn dark(width: u8, height: u8, corner: bool) -> Board {
        Board { width, height, all_squares: false, corner }
    }

    /// Number of playable squares.
    pub const fn squares(self) -> usize {
        let cells = self.width as usize * self.height as usize;
        if self.all_squares { cells } else { cells / 2 }
    }

    /// Playable squares in one row.
    pub const fn per_row(self) -> usize {
        if self.all_squares { self.width as usize } else { self.width as usize / 2 }
    }

    /// Whether the first playable square of row `row` (0 = top) is in column 1 rather than column 0.
    const fn shifted(self, row: usize) -> bool {
        if self.all_squares {
            return false;
        }
        let from_bottom = self.height as usize - 1 - row;
        from_bottom.is_multiple_of(2) != self.corner
    }

    /// Column (0 = a) and row (0 = top) of a square.
    pub const fn column_row(self, square: Square) -> (usize, usize) {
        let index = square.0 as usize - 1;
        let (row, place) = (index / self.per_row(), index % self.per_row());
        let column = if self.all_squares { place } else { 2 * place + self.shifted(row) as usize };
        (column, row)
    }

    /// The square in that column (0 = a) and row (0 = top), if it is on the board and played on.
    pub const fn at(self, column: usize, row: usize) -> Option<Square> {
        if column >= self.width as usize || row >= self.height as usize {
            return None;
        }
        if self.all_squares {
            return Some(Square((row * self.width as usize + column + 1) as u8));
        }
        if (column % 2 == 1) != self.shifted(row) {
            return None;
        }
        Some(Square((row * self.per_row() + column / 2 + 1) as u8))
    }
}

/// A set of squares as bits of a machine word.
pub trait Word:
    Copy
    + Eq
    + Debug
    + Default
    + Send
    + Sync
    + std::hash::Hash
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// The empty set.
    const ZERO: Self;
    /// The set with bit `index` alone.
    fn bit(index: u8) -> Self;
    /// Keeps the low bits of a wide mask.
    fn from_wide(mask: u128) -> Self;
    /// The same bits in a wide mask.
    fn wide(self) -> u128;
    /// Number of members.
    fn count(self) -> u32;
    /// Lowest member; the set must not be empty.
    fn lowest(self) -> u8;
    /// The set without its lowest member; the set must not be empty.
    fn without_lowest(self) -> Self;
    /// A 64-bit mix of the word, for hashing.
    fn fold(self) -> u64;

    /// Whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// Whether the sets share a member.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        self & other != Self::ZERO
    }
}

macro_rules! word {
    ($word:ty, $fold:expr) => {
        impl Word for $word {
            const ZERO: Self = 0;
            #[inline(always)]
            fn bit(index: u8) -> Self {
                1 << index
            }
            #[inline(always)]
            fn from_wide(mask: u128) -> Self {
                mask as $word
            }
            #[inline(always)]
            fn wide(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & (self - 1)
            }
            #[inline(always)]
            fn fold(self) -> u64 {
                $fold(self)
            }
        }
    };
}
word!(u64, |w: u64| w);
word!(u128, |w: u128| w as u64 ^ (w >> 64) as u64 ^ ((w >> 64) as u64).rotate_left(29));

/// The members of a set of squares, lowest bit first.
#[derive(Clone, Copy)]
pub struct Bits<W>(pub W);

impl<W: Word> Iterator for Bits<W> {
    type Item = u8;
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0.is_empty() {
            return None;
        }
        let index = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(index)
    }
}

/// Absolute directions, White at the bottom: up-left, up-right, down-left, down-right, up, down, left, right.
/// Direction `d` of a mover is absolute direction `d` for White and `OPPOSITE[d]` for Black.
pub const OPPOSITE: [usize; 8] = [3, 2, 1, 0, 5, 4, 7, 6];

/// Bit layout of a board, computed at compile time for the built-in shapes. Masks hold up to 128 bits; boards up to 10x10
/// (8x8 when all squares are played on) use at most 64 of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// The shape.
    pub board: Board,
    /// All playable bits.
    pub squares: u128,
    /// Bit index change of one step in each absolute direction. On dark boards an orthogonal step is two cells long.
    pub shift: [i8; 8],
    /// Bits from which a step in that direction stays on the board; `u128::MAX` where the layout sees to it by itself.
    pub from: [u128; 8],
    /// The row on which White's men (0) and Black's men (1) are promoted.
    pub last_row: [u128; 2],
    /// Bit of square number `n`; place 0 is unused.
    pub bit_of: [u8; 145],
    /// Square number of a bit; 0 for a ghost.
    pub square_of: [u8; 128],
    /// The long diagonal(s) from corner to corner: Russian draughts' main road.
    pub main_road: u128,
}

impl Geometry {
    /// Lays out a board. The board must have at most 72 dark squares or 64 squares in all.
    pub const fn new(board: Board) -> Geometry {
        let per_row = board.per_row();
        let mut bit_of = [0u8; 145];
        let mut square_of = [0u8; 128];
        let mut squares = 0u128;
        let mut last_row = [0u128; 2];
        let mut main_road = 0u128;
        let (mut row, mut bit, mut number) = (0, 0usize, 1usize);
        while row < board.height as usize {
            let mut place = 0;
            while place < per_row {
                let mask = 1u128 << bit;
                bit_of[number] = bit as u8;
                square_of[bit] = number as u8;
                squares |= mask;
                if row == 0 {
                    last_row[0] |= mask;
                }
                if row + 1 == board.height as usize {
                    last_row[1] |= mask;
                }
                let (column, _) = board.column_row(Square(number as u8));
                let from_bottom = board.height as usize - 1 - row;
                let rising = column == from_bottom;
                let falling = column == row;
                if (board.corner && rising) || (!board.corner && falling) {
                    main_road |= mask;
                }
                place += 1;
                bit += 1;
                number += 1;
            }
            if !board.all_squares && !board.shifted(row) {
                bit += 1;
            }
            row += 1;
        }
        let half = per_row as i8;
        let (shift, from) = if board.all_squares {
            Self::full_steps(board)
        } else {
            let up = 2 * half + 1;
            let (left, right) = Self::two_column_masks(board);
            (
                [-half - 1, -half, half, half + 1, -up, up, -1, 1],
                [u128::MAX, u128::MAX, u128::MAX, u128::MAX, u128::MAX, u128::MAX, left, right],
            )
        };
        Geometry { board, squares, shift, from, last_row, bit_of, square_of, main_road }
    }

    const fn full_steps(board: Board) -> ([i8; 8], [u128; 8]) {
        let width = board.width as i8;
        let (mut not_left, mut not_right) = (u128::MAX, u128::MAX);
        let mut row = 0;
        while row < board.height as usize {
            not_left &= !(1u128 << (row * board.width as usize));
            not_right &= !(1u128 << (row * board.width as usize + board.width as usize - 1));
            row += 1;
        }
        let any = u128::MAX;
        (
            [-width - 1, -width + 1, width - 1, width + 1, -width, width, -1, 1],
            [not_left, not_right, not_left, not_right, any, any, not_left, not_right],
        )
    }

    /// Squares that have a square of the same row to their left, and to their right.
    const fn two_column_masks(board: Board) -> (u128, u128) {
        let (mut left, mut right) = (0u128, 0u128);
        let (mut row, mut bit) = (0, 0usize);
        while row < board.height as usize {
            let mut place = 0;
            while place < board.per_row() {
                if place > 0 {
                    left |= 1u128 << bit;
                }
                if place + 1 < board.per_row() {
                    right |= 1u128 << bit;
                }
                place += 1;
                bit += 1;
            }
            if !board.shifted(row) {
                bit += 1;
            }
            row += 1;
        }
        (left, right)
    }

    /// Bit of a square.
    pub const fn bit(&self, square: Square) -> u8 {
        self.bit_of[square.0 as usize]
    }

    /// Square of a bit.
    pub const fn square(&self, bit: u8) -> Square {
        Square(self.square_of[bit as usize])
    }
}
