//! The rules at the generator's hand: where a position stands before any of its quiet moves is known.

use super::TableError;
use super::grid::{Grid, Spots};
use super::material::Material;
use super::solved::Shelf;
use super::value::Packed;
use crate::game::board::{Color, Word};
use crate::game::generate::Pieces;
use crate::game::moves::{Move, MoveList};
use crate::game::plain::Outcome;
use crate::game::position::{Position, Referee};
use crate::game::rules::Duty;
use std::sync::Arc;

/// In place of a number of moves: no position.
pub(super) const NOTHING: u8 = 254;
/// The side to move must capture.
pub(super) const CAPTURE: u8 = 255;
/// The pieces themselves end the game.
pub(super) const OVER: u8 = 253;

/// Draws by a move out of the table: no loss any more, but still no win.
pub(super) const HOLDS: Packed = Packed(1);

/// The rules of one variant and its board.
pub(super) struct World<'a, W: 'static> {
    pub referee: Referee<'a, W>,
    pub grid: Arc<Grid>,
}

/// A position without a history.
pub(super) fn bare<W: Word>(pieces: Pieces<W>, side: Color) -> Position<W> {
    Position {
        pieces,
        key: 0,
        huffable: W::ZERO,
        side,
        ending: 0,
        ending_plies: 0,
        quiet_plies: 0,
        reversible: 0,
        king_run: Default::default(),
    }
}

/// The end of a game, seen by the side to move.
pub(super) fn end(outcome: Outcome, side: Color) -> Packed {
    match outcome {
        Outcome::Draw => Packed::DRAW,
        Outcome::Win(winner) if winner == side => Packed::win(0),
        Outcome::Win(_) => Packed::loss(0),
    }
}

impl<'a, W: Word> World<'a, W> {
    /// Refuses boards that do not look the same to both sides.
    pub fn new(referee: Referee<'a, W>) -> Result<World<'a, W>, TableError> {
        Ok(World { grid: Arc::new(Grid::new(referee.set())?), referee })
    }

    /// What a position without moves, or one that is over, is worth to the side to move; `None` when play goes on.
    pub fn over(&self, position: &Position<W>) -> Option<Packed> {
        if let Some((outcome, _)) = self.referee.settled(position) {
            return Some(end(outcome, position.side));
        }
        let gone = position.pieces.sides[position.side.index()].is_empty();
        gone.then(|| end(self.referee.stuck(position).0, position.side))
    }

    /// The position before its quiet moves: what is known of it already, and how many quiet moves stay in its table. A
    /// settled value is final.
    pub fn start(&self, spots: &Spots, shelf: &Shelf, list: &mut MoveList<W>) -> (Packed, u8) {
        let pieces = self.grid.pieces::<W>(spots);
        let position = bare(pieces, Color::White);
        if let Some(value) = self.over(&position) {
            return (value.settled(), OVER);
        }
        let captures = !self.referee.capturers(&pieces, Color::White).is_empty();
        if captures && self.referee.set().duty == Duty::Mandatory {
            return (self.best_capture(&position, shelf, list).settled(), CAPTURE);
        }
        let mobility = self.referee.mobility(&pieces, Color::White);
        if mobility == 0 && !captures {
            return (end(self.referee.stuck(&position).0, Color::White).settled(), 0);
        }
        // A step ahead may be two rows long.
        let promotes = spots.men[0].list().iter().any(|&square| usize::from(square) < 3 * self.grid.row);
        if !captures && !promotes {
            return (Packed::DRAW, mobility as u8);
        }
        list.clear();
        self.referee.generate(&position, list);
        let leaves = |mv: &&Move<W>| mv.is_capture() || mv.promotes();
        let outside = list.iter().filter(leaves).map(|mv| self.outside(&pieces, mv, shelf));
        let best = outside.reduce(Packed::best);
        let stays = list.iter().filter(|mv| !leaves(mv)).count() as u8;
        let known = match best {
            Some(value) if stays == 0 => value.settled(),
            Some(value) if value.is_draw() => HOLDS,
            Some(value) => value,
            None => Packed::DRAW,
        };
        (known, stays)
    }

    /// The worth of the best capture in a position that has one.
    pub fn best_capture(&self, position: &Position<W>, shelf: &Shelf, list: &mut MoveList<W>) -> Packed {
        list.clear();
        self.referee.generate_captures(position, list);
        let worth = list.iter().map(|mv| self.outside(&position.pieces, mv, shelf));
        worth.reduce(Packed::best).expect("somebody can capture")
    }

    /// What a move out of the table is worth to White, who makes it.
    fn outside(&self, pieces: &Pieces<W>, mv: &Move<W>, shelf: &Shelf) -> Packed {
        let after = pieces.after(Color::White.index(), mv);
        if after.sides[Color::Black.index()].is_empty() {
            let position = bare(after, Color::Black);
            return self.over(&position).expect("nobody is left to move").before();
        }
        let material = Material::of(&after, Color::Black);
        let value = shelf.value(material, &self.grid.spots(&after, Color::Black));
        value.expect("smaller tables are solved first").before()
    }
}
