//! One jump at a time, with rules and board read at run time: the ground that the careful capture search and the path
//! finder share.

use super::board::{Geometry, OPPOSITE, Word};
use super::generate::Pieces;
use super::rules::*;
use super::steps::shift;

/// No direction of arrival: the capture just starts, or turning back is allowed.
pub(super) const NO_DIRECTION: u8 = 8;

/// A capturing piece in mid-capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Stop<W> {
    pub taken: W,
    pub at: u8,
    pub king: bool,
    /// Direction of arrival where turning back is forbidden, else [`NO_DIRECTION`].
    pub came: u8,
}

/// One jump: the piece jumped and the first square behind it, as sets of one.
#[derive(Clone, Copy)]
pub(super) struct Jump<W> {
    pub over: W,
    pub first: W,
    pub direction: usize,
}

/// A position seen by one capturing piece.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a, W> {
    pub set: &'a RuleSet,
    pub geometry: &'a Geometry,
    pub mover: usize,
    pub enemy: W,
    pub enemy_kings: W,
    pub empty: W,
    pub last_row: W,
    pub from: u8,
}

impl<'a, W: Word> Walk<'a, W> {
    /// The view of the piece on bit `from` of side number `mover`.
    pub fn new(set: &'a RuleSet, geometry: &'a Geometry, pieces: &Pieces<W>, mover: usize, from: u8) -> Self {
        let enemy = pieces.sides[1 - mover];
        Walk {
            set,
            geometry,
            mover,
            enemy,
            enemy_kings: enemy & pieces.kings,
            empty: W::from_wide(geometry.squares) & !pieces.occupied(),
            last_row: W::from_wide(geometry.last_row[mover]),
            from,
        }
    }

    /// Where the piece starts.
    pub fn start(&self, king: bool) -> Stop<W> {
        Stop { taken: W::ZERO, at: self.from, king, came: NO_DIRECTION }
    }

    pub fn step(&self, b: W, direction: usize) -> W {
        shift(self.geometry, b, if self.mover == 0 { direction } else { OPPOSITE[direction] })
    }

    /// All empty squares reached by sliding.
    pub fn slide(&self, b: W, direction: usize, free: W) -> W {
        let mut front = self.step(b, direction) & free;
        let mut all = front;
        while !front.is_empty() {
            front = self.step(front, direction) & free;
            all |= front;
        }
        all
    }

    /// Squares free to land on when `taken` has been captured.
    pub fn free(&self, taken: W) -> W {
        let free = self.empty | W::bit(self.from);
        if self.set.removal == Removal::Immediate { free | taken } else { free }
    }

    /// What may be captured.
    pub fn prey(&self, king: bool) -> W {
        if king || self.set.man_takes_king { self.enemy } else { self.enemy & !self.enemy_kings }
    }

    /// Capture directions.
    pub fn directions(&self, king: bool) -> Directions {
        if king { self.set.king_capture } else { self.set.man_capture }
    }

    /// The jump in a direction, if there is one.
    pub fn jump(&self, stop: Stop<W>, direction: usize) -> Option<Jump<W>> {
        let turns_back = stop.came != NO_DIRECTION && OPPOSITE[direction] == stop.came as usize;
        if !self.directions(stop.king).has(direction) || turns_back {
            return None;
        }
        let free = self.free(stop.taken);
        let mut over = self.step(W::bit(stop.at), direction);
        if stop.king && self.set.king_captures_afar {
            while over.meets(free) {
                over = self.step(over, direction);
            }
        }
        let over = over & self.prey(stop.king) & !stop.taken;
        let first = self.step(over, direction) & free;
        (!first.is_empty()).then_some(Jump { over, first, direction })
    }

    /// Whether the capture can go on.
    pub fn can_jump(&self, stop: Stop<W>) -> bool {
        (0..8).any(|direction| self.jump(stop, direction).is_some())
    }

    /// The squares a jump may land on, nearest first.
    pub fn landings(&self, stop: Stop<W>, jump: Jump<W>) -> impl Iterator<Item = W> + use<'a, W> {
        let walk = *self;
        let far = stop.king && self.set.king_captures_afar && self.set.landing != Landing::Behind;
        let free = self.free(stop.taken | jump.over);
        std::iter::successors(Some(jump.first), move |&land| {
            let next = if far { walk.step(land, jump.direction) & free } else { W::ZERO };
            (!next.is_empty()).then_some(next)
        })
    }

    /// Where the piece stands after a jump that landed on `land`; `None` when the move ends there by promotion.
    pub fn after(&self, stop: Stop<W>, jump: Jump<W>, land: W) -> Option<Stop<W>> {
        let crowned = !stop.king && self.set.promotion != Promotion::AtRest && land.meets(self.last_row);
        let came = if self.set.may_reverse { NO_DIRECTION } else { jump.direction as u8 };
        let next = Stop { taken: stop.taken | jump.over, at: land.lowest(), king: stop.king || crowned, came };
        (!crowned || self.set.promotion == Promotion::InPassing).then_some(next)
    }

    /// Whether the capture goes on from some square that the jump may land on.
    pub fn goes_on(&self, stop: Stop<W>, jump: Jump<W>) -> bool {
        self.landings(stop, jump).any(|land| self.after(stop, jump, land).is_some_and(|next| self.can_jump(next)))
    }

    /// The squares on which a capture may end after this last jump, nearest first.
    pub fn ends(&self, stop: Stop<W>, jump: Jump<W>) -> impl Iterator<Item = W> + use<'a, W> {
        let short = stop.king
            && jump.over.meets(self.enemy_kings)
            && match self.set.landing {
                Landing::BehindLastKing => true,
                Landing::BehindLastKingMulti => !stop.taken.is_empty(),
                Landing::Any | Landing::Behind => false,
            };
        self.landings(stop, jump).take(if short { 1 } else { usize::MAX })
    }

    /// A superset of the pieces that can still be captured, and of the squares stood on.
    pub fn reachable(&self, mut squares: W, taken: W, mut king: bool) -> (W, W) {
        let set = self.set;
        let mut prey = W::ZERO;
        loop {
            let before = (squares, prey, king);
            king |= set.promotion == Promotion::InPassing && squares.meets(self.last_row);
            let directions = self.directions(king);
            let vanishing = if set.removal == Removal::Immediate { prey } else { W::ZERO };
            let free = self.free(taken) | vanishing;
            let targets = self.prey(king) & !taken;
            let far = king && set.king_captures_afar;
            for direction in (0..8).filter(|&d| directions.has(d)) {
                let reach = if far { squares | self.slide(squares, direction, free) } else { squares };
                let over = self.step(reach, direction) & targets;
                let land = self.step(over, direction) & free;
                prey |= over & self.step(land, OPPOSITE[direction]);
                squares |= land;
                if far && set.landing != Landing::Behind {
                    squares |= self.slide(land, direction, free);
                }
            }
            if (squares, prey, king) == before {
                return (prey, squares);
            }
        }
    }
}
