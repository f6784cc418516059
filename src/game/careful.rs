//! Captures in positions where the plain search would visit the same squares with the same captured pieces again and again.
//!
//! Each state (square, captured pieces) is entered once, and a branch is cut when even all pieces it could still reach
//! would not match the best capture known. Slow for one position, safe for all; the kernel turns to it when its budget is
//! spent.

use super::board::{Bits, Geometry, OPPOSITE, Word};
use super::generate::{Pieces, Trail, shift, worth};
use super::moves::{Move, MoveList};
use super::rules::*;
use rustc_hash::FxHashSet;

/// States remembered at most; beyond that the search goes on without remembering, so memory stays bounded.
const REMEMBERED: usize = 1 << 19;

/// A capturing piece in mid-capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stop<W> {
    taken: W,
    kings_met: u64,
    at: u8,
    king: bool,
    /// Direction of arrival, kept only where turning back is forbidden; 8 = none.
    came: u8,
}

struct Careful<'a, W> {
    set: &'a RuleSet,
    geometry: &'a Geometry,
    mover: usize,
    enemy: W,
    enemy_kings: W,
    empty: W,
    last_row: W,
    from: u8,
    king: bool,
    start: usize,
    best: u64,
    seen: FxHashSet<Stop<W>>,
    found: FxHashSet<(u8, W, bool)>,
    list: &'a mut MoveList<W>,
}

/// Appends all captures of side number `mover` that the priority rules leave.
pub(super) fn captures<W: Word>(
    set: &RuleSet,
    geometry: &Geometry,
    pieces: &Pieces<W>,
    mover: usize,
    list: &mut MoveList<W>,
) {
    let enemy = pieces.sides[1 - mover];
    let mut search = Careful {
        set,
        geometry,
        mover,
        enemy,
        enemy_kings: enemy & pieces.kings,
        empty: W::from_wide(geometry.squares) & !pieces.occupied(),
        last_row: W::from_wide(geometry.last_row[mover]),
        from: 0,
        king: false,
        start: list.len(),
        best: 0,
        seen: FxHashSet::default(),
        found: FxHashSet::default(),
        list,
    };
    for from in Bits(pieces.sides[mover]) {
        search.from = from;
        search.king = pieces.kings.meets(W::bit(from));
        search.seen.clear();
        search.found.clear();
        if set.scope == Scope::Piece {
            search.start = search.list.len();
            search.best = 0;
        }
        let stop = Stop { taken: W::ZERO, kings_met: 0, at: from, king: search.king, came: 8 };
        search.follow(stop, Trail::default());
    }
}

impl<W: Word> Careful<'_, W> {
    fn step(&self, b: W, direction: usize) -> W {
        shift(self.geometry, b, if self.mover == 0 { direction } else { OPPOSITE[direction] })
    }

    fn free(&self, taken: W) -> W {
        let free = self.empty | W::bit(self.from);
        if self.set.removal == Removal::Immediate { free | taken } else { free }
    }

    fn prey(&self, king: bool) -> W {
        if king || self.set.man_takes_king { self.enemy } else { self.enemy & !self.enemy_kings }
    }

    /// Follows all continuations of a stop; enters it into the list when there is none and it may end here.
    fn follow(&mut self, stop: Stop<W>, trail: Trail) {
        let order = self.order_matters();
        let key = Stop { kings_met: if order { trail.kings_met() } else { 0 }, ..stop };
        if self.seen.len() < REMEMBERED {
            if !self.seen.insert(key) {
                return;
            }
        } else if self.seen.contains(&key) {
            return;
        }
        if self.hopeless(stop, trail) {
            return;
        }
        for direction in 0..8 {
            if let Some(jump) = self.jump(stop, direction) {
                self.land(stop, jump, direction, trail);
            }
        }
    }

    fn order_matters(&self) -> bool {
        self.set.choice.contains(&Some(Criterion::KingEarly))
    }

    /// The piece jumped in a direction and the first square behind it.
    fn jump(&self, stop: Stop<W>, direction: usize) -> Option<(W, W)> {
        let directions = if stop.king { self.set.king_capture } else { self.set.man_capture };
        let turns_back = stop.came < 8 && OPPOSITE[direction] == stop.came as usize;
        if !directions.has(direction) || turns_back {
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
        let land = self.step(over, direction) & free;
        (!land.is_empty()).then_some((over, land))
    }

    fn can_jump(&self, stop: Stop<W>) -> bool {
        (0..8).any(|direction| self.jump(stop, direction).is_some())
    }

    fn land(&mut self, stop: Stop<W>, (over, first): (W, W), direction: usize, trail: Trail) {
        let taken = stop.taken | over;
        let trail = trail.then(over.meets(self.enemy_kings));
        let came = if self.set.may_reverse { 8 } else { direction as u8 };
        let far = stop.king && self.set.king_captures_afar && self.set.landing != Landing::Behind;
        let crowned = !stop.king && self.set.promotion != Promotion::AtRest && first.meets(self.last_row);
        let ends = crowned && self.set.promotion == Promotion::EndsMove;
        let next = |at: W| Stop { taken, kings_met: 0, at: at.lowest(), king: stop.king || crowned, came };
        let mut goes_on = false;
        let mut land = first;
        let free = self.free(taken);
        while !land.is_empty() && !ends {
            if self.can_jump(next(land)) {
                goes_on = true;
                self.follow(next(land), trail);
            }
            land = if far { self.step(land, direction) & free } else { W::ZERO };
        }
        if goes_on {
            return;
        }
        let short_end = stop.king
            && over.meets(self.enemy_kings)
            && match self.set.landing {
                Landing::BehindLastKing => true,
                Landing::BehindLastKingMulti => taken != over,
                Landing::Any | Landing::Behind => false,
            };
        let mut land = first;
        while !land.is_empty() {
            self.finish(land, taken, stop.king || land.meets(self.last_row), trail);
            land = if far && !short_end { self.step(land, direction) & free } else { W::ZERO };
        }
    }

    fn finish(&mut self, at: W, taken: W, king_after: bool, trail: Trail) {
        let worth = worth(self.set, taken, self.enemy_kings, self.king, trail);
        if worth < self.best {
            return;
        }
        if worth > self.best {
            self.list.truncate(self.start);
            self.found.clear();
            self.best = worth;
        }
        let promotes = king_after && !self.king;
        if self.found.insert((at.lowest(), taken, promotes)) {
            self.list.push(Move::new(self.from, at.lowest(), taken, self.king, promotes));
        }
    }

    /// Whether nothing that can still be captured would make this capture one of the best.
    fn hopeless(&self, stop: Stop<W>, trail: Trail) -> bool {
        if self.set.choice[0].is_none() || self.best == 0 {
            return false;
        }
        let all = stop.taken | self.reachable(stop);
        worth(self.set, all, self.enemy_kings, self.king, trail.at_most()) < self.best
    }

    /// A superset of the pieces that can still be captured.
    fn reachable(&self, stop: Stop<W>) -> W {
        let mut king = stop.king;
        let mut squares = W::bit(stop.at);
        let mut prey = W::ZERO;
        loop {
            let before = (squares, prey, king);
            king |= self.set.promotion == Promotion::InPassing && squares.meets(self.last_row);
            let directions = if king { self.set.king_capture } else { self.set.man_capture };
            let vanishing = if self.set.removal == Removal::Immediate { prey } else { W::ZERO };
            let free = self.free(stop.taken) | vanishing;
            let targets = self.prey(king) & !stop.taken;
            for direction in (0..8).filter(|&d| directions.has(d)) {
                let far = king && self.set.king_captures_afar;
                let reach = if far { squares | self.slide(squares, direction, free) } else { squares };
                let over = self.step(reach, direction) & targets;
                let land = self.step(over, direction) & free;
                let over = over & self.step(land, OPPOSITE[direction]);
                prey |= over;
                squares |= land;
                if far && self.set.landing != Landing::Behind {
                    squares |= self.slide(land, direction, free);
                }
            }
            if (squares, prey, king) == before {
                return prey;
            }
        }
    }

    fn slide(&self, b: W, direction: usize, free: W) -> W {
        let mut front = self.step(b, direction) & free;
        let mut all = front;
        while !front.is_empty() {
            front = self.step(front, direction) & free;
            all |= front;
        }
        all
    }
}
