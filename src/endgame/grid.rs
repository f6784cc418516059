//! The board as the tables see it: squares counted from 0, neighbours, and the turn of the board that swaps the sides.
//!
//! Tables hold positions with White to move. A position with Black to move is turned round and its colours swapped: since
//! all directions of a rule set are seen by the player who moves, that is the same position.

use super::TableError;
use crate::game::board::{Bits, Board, Color, Geometry, Square, Word};
use crate::game::generate::Pieces;
use crate::game::rules::{Directions, RuleSet};

/// No square.
pub(super) const OFF: u8 = 0xff;

/// Up to six squares in rising order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Few {
    len: u8,
    at: [u8; 6],
}

impl Few {
    /// The first `len` numbers.
    pub fn first(len: u8) -> Few {
        Few { len, at: [0, 1, 2, 3, 4, 5] }
    }

    /// The numbers, lowest first.
    #[inline(always)]
    pub fn list(&self) -> &[u8] {
        &self.at[..self.len as usize]
    }

    /// Room for the numbers, for those who keep them in order.
    #[inline(always)]
    pub fn list_mut(&mut self) -> &mut [u8] {
        &mut self.at[..self.len as usize]
    }

    /// Adds a number that is not a member; there must be room.
    #[inline(always)]
    pub fn insert(&mut self, square: u8) {
        let mut place = self.len as usize;
        while place > 0 && self.at[place - 1] > square {
            self.at[place] = self.at[place - 1];
            place -= 1;
        }
        self.at[place] = square;
        self.len += 1;
    }

    /// The members but the one at a place.
    #[inline(always)]
    pub fn without(&self, place: usize) -> Few {
        let mut rest = *self;
        rest.at.copy_within(place + 1.., place);
        rest.len -= 1;
        rest
    }

    /// How many members are lower than a number.
    #[inline(always)]
    pub fn below(&self, square: u8) -> u8 {
        self.list().iter().map(|&s| u8::from(s < square)).sum()
    }
}

/// Where the pieces stand, the side to move first and drawn as White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Spots {
    pub men: [Few; 2],
    pub kings: [Few; 2],
}

/// The board.
#[derive(Debug)]
pub(super) struct Grid {
    /// Number of squares.
    pub squares: usize,
    /// Squares of one row: men do not stand on the last row.
    pub row: usize,
    /// The square next to each in the eight absolute directions, or [`OFF`].
    pub next: [[u8; 128]; 8],
    /// The square where each comes to lie when the sides are swapped.
    pub turned: [u8; 128],
    bit_of: [u8; 128],
    square_of: [u8; 128],
}

impl Grid {
    /// Lays out the board of a rule set.
    pub fn new(set: &RuleSet) -> Result<Grid, TableError> {
        let geometry = Geometry::new(set.board);
        let squares = set.board.squares();
        let mut grid = Grid {
            squares,
            row: set.board.per_row(),
            next: [[OFF; 128]; 8],
            turned: [OFF; 128],
            bit_of: [OFF; 128],
            square_of: [OFF; 128],
        };
        for index in 0..squares {
            let bit = geometry.bit(Square(index as u8 + 1));
            grid.bit_of[index] = bit;
            grid.square_of[bit as usize] = index as u8;
        }
        for index in 0..squares {
            for (direction, next) in grid.next.iter_mut().enumerate() {
                next[index] =
                    neighbour(&geometry, grid.bit_of[index], direction).map_or(OFF, |bit| grid.square_of[bit as usize]);
            }
            grid.turned[index] = turn(set, index)?;
        }
        Ok(grid)
    }

    /// Bit of a square in the layout of the game.
    #[inline(always)]
    pub fn bit(&self, square: u8) -> u8 {
        self.bit_of[square as usize]
    }

    /// The pieces of a position, seen by a side to move.
    #[inline]
    pub fn spots<W: Word>(&self, pieces: &Pieces<W>, side: Color) -> Spots {
        let mut spots = Spots::default();
        for (place, color) in [side, side.other()].into_iter().enumerate() {
            for bit in Bits(pieces.sides[color.index()]) {
                let mut square = self.square_of[bit as usize];
                if side == Color::Black {
                    square = self.turned[square as usize];
                }
                let kind = if pieces.kings.meets(W::bit(bit)) { &mut spots.kings } else { &mut spots.men };
                kind[place].insert(square);
            }
        }
        spots
    }

    /// The pieces as White to move sees them.
    #[inline]
    pub fn pieces<W: Word>(&self, spots: &Spots) -> Pieces<W> {
        let set = |few: &Few| few.list().iter().fold(W::ZERO, |set, &square| set | W::bit(self.bit(square)));
        let kings = [set(&spots.kings[0]), set(&spots.kings[1])];
        Pieces { sides: [set(&spots.men[0]) | kings[0], set(&spots.men[1]) | kings[1]], kings: kings[0] | kings[1] }
    }

    /// The same position as the other side sees it.
    #[inline]
    pub fn turn(&self, spots: &Spots) -> Spots {
        let turned = |few: &Few| {
            let mut out = Few::default();
            few.list().iter().rev().for_each(|&square| out.insert(self.turned[square as usize]));
            out
        };
        Spots {
            men: [turned(&spots.men[1]), turned(&spots.men[0])],
            kings: [turned(&spots.kings[1]), turned(&spots.kings[0])],
        }
    }
}

fn neighbour(geometry: &Geometry, bit: u8, direction: usize) -> Option<u8> {
    if geometry.from[direction] >> bit & 1 == 0 {
        return None;
    }
    let next = i16::from(bit) + i16::from(geometry.shift[direction]);
    let on_board = (0..128).contains(&next) && geometry.squares >> next & 1 != 0;
    on_board.then_some(next as u8)
}

/// A dark-square board of an odd number of rows does not look the same after half a turn, but it does in a mirror, and so
/// does a game that knows no difference between left and right.
fn turn(set: &RuleSet, index: usize) -> Result<u8, TableError> {
    let board = set.board;
    if board.all_squares || board.height.is_multiple_of(2) {
        return Ok((board.squares() - 1 - index) as u8);
    }
    if ![set.man_move, set.man_capture, set.king_move, set.king_capture].into_iter().all(same_in_a_mirror) {
        return Err(TableError::LeftAndRight);
    }
    Ok(mirrored(board, index))
}

fn mirrored(board: Board, index: usize) -> u8 {
    let (column, row) = board.column_row(Square(index as u8 + 1));
    let square = board.at(column, board.height as usize - 1 - row);
    square.expect("an odd number of rows: the mirror keeps the dark squares").0 - 1
}

fn same_in_a_mirror(directions: Directions) -> bool {
    [(0, 1), (2, 3), (6, 7)].into_iter().all(|(left, right)| directions.has(left) == directions.has(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::table::*;

    #[test]
    fn neighbours_are_those_of_the_board() {
        let grid = Grid::new(&INTERNATIONAL).expect("a plain board");
        // Up-left, up-right, down-left, down-right of square 28.
        assert_eq!([0, 1, 2, 3].map(|d| grid.next[d][27]), [22 - 1, 23 - 1, 32 - 1, 33 - 1]);
        assert_eq!([0, 1, 2, 3].map(|d| grid.next[d][5 - 1]), [OFF, OFF, 10 - 1, OFF]);
        // Two cells away on a dark board.
        assert_eq!([4, 5, 6, 7].map(|d| grid.next[d][27]), [18 - 1, 38 - 1, 27 - 1, 29 - 1]);
        let grid = Grid::new(&TURKISH).expect("a plain board");
        assert_eq!([4, 5, 6, 7].map(|d| grid.next[d][8]), [0, 16, OFF, 9]);
    }

    #[test]
    fn turning_twice_changes_nothing() {
        let odd = RuleSet { board: Board::dark(8, 7, true), rows: 2, ..ENGLISH };
        for set in [INTERNATIONAL, ENGLISH, TURKISH, CANADIAN, odd] {
            let grid = Grid::new(&set).expect("a board with a turn");
            for square in 0..grid.squares {
                let turned = grid.turned[square];
                assert_eq!(grid.turned[turned as usize] as usize, square);
                // The row next to the player becomes the row next to the other.
                assert_eq!(square < grid.row, turned as usize >= grid.squares - grid.row);
            }
        }
    }

    #[test]
    fn a_game_of_left_and_right_on_an_odd_board_is_refused() {
        let set = RuleSet { board: Board::dark(8, 7, true), rows: 2, man_move: Directions(1), ..ENGLISH };
        assert!(matches!(Grid::new(&set), Err(TableError::LeftAndRight)));
    }

    #[test]
    fn few_keeps_its_order() {
        let mut few = Few::default();
        for n in [9, 3, 70, 5] {
            few.insert(n);
        }
        assert_eq!(few.list(), [3, 5, 9, 70]);
        assert_eq!(few.without(1).list(), [3, 9, 70]);
        assert_eq!([few.below(3), few.below(9), few.below(71)], [0, 2, 4]);
    }
}
