//! Inputs: which row of the first layer a piece stands for, seen by either side.

use crate::game::board::{Color, Geometry, Square};

/// Number of an input by view, colour of the piece, man or king, and bit.
pub struct View {
    rows: [[[[u16; 128]; 2]; 2]; 2],
}

impl View {
    /// The inputs of a board.
    pub fn new(geometry: &Geometry) -> View {
        let squares = geometry.board.squares();
        let mut rows = [[[[0; 128]; 2]; 2]; 2];
        for number in 1..=squares {
            let bit = geometry.bit(Square(number as u8)) as usize;
            for (view, colors) in rows.iter_mut().enumerate() {
                for (color, kinds) in colors.iter_mut().enumerate() {
                    for (king, row) in kinds.iter_mut().enumerate() {
                        row[bit] = View::input(squares, view, color, king, number - 1) as u16;
                    }
                }
            }
        }
        View { rows }
    }

    /// The input for a piece on square number `place` + 1, seen by side number `view`. Black sees the board turned by
    /// half a circle, as its directions of movement are.
    pub const fn input(squares: usize, view: usize, color: usize, king: usize, place: usize) -> usize {
        let place = if view == Color::White as usize { place } else { squares - 1 - place };
        let kind = 2 * king + (view != color) as usize;
        kind * squares + place
    }

    /// The same by bit of the board's layout.
    #[inline(always)]
    pub fn row(&self, view: usize, color: usize, king: usize, bit: u8) -> u16 {
        self.rows[view][color][king][(bit & 127) as usize]
    }
}
