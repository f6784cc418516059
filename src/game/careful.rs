//! Captures in positions where the plain search would visit the same squares with the same captured pieces again and again.
//!
//! Each state (square, captured pieces) is entered once, and a branch is cut when even all pieces it could still reach
//! would not match the best capture known. Slow for one position, safe for all; the kernel turns to it when its budget is
//! spent.

use super::board::{Bits, Geometry, OPPOSITE, Word};
use super::generate::{Pieces, Trail, worth};
use super::moves::{Move, MoveList};
use super::rules::*;
use super::walk::{Jump, Stop, Walk};
use rustc_hash::FxHashSet;

/// States remembered at most; beyond that the search goes on without remembering, so memory stays bounded.
const REMEMBERED: usize = 1 << 19;

struct Careful<'a, W> {
    walk: Walk<'a, W>,
    /// The order of jumps matters for the choice between captures.
    ordered: bool,
    king: bool,
    start: usize,
    best: u64,
    /// Stops entered before, with the kings met on the way where that matters.
    seen: FxHashSet<(Stop<W>, u64)>,
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
    let mut search = Careful {
        walk: Walk::new(set, geometry, pieces, mover, 0),
        ordered: set.choice.contains(&Some(Criterion::KingEarly)),
        king: false,
        start: list.len(),
        best: 0,
        seen: FxHashSet::default(),
        found: FxHashSet::default(),
        list,
    };
    for from in Bits(pieces.sides[mover]) {
        search.walk.from = from;
        search.king = pieces.kings.meets(W::bit(from));
        search.seen.clear();
        search.found.clear();
        if set.scope == Scope::Piece {
            search.start = search.list.len();
            search.best = 0;
        }
        search.follow(search.walk.start(search.king), Trail::default());
    }
}

impl<W: Word> Careful<'_, W> {
    /// Follows all continuations of a stop.
    fn follow(&mut self, stop: Stop<W>, trail: Trail) {
        if self.been_here(stop, trail) || self.hopeless(stop, trail) {
            return;
        }
        for direction in 0..8 {
            if let Some(jump) = self.walk.jump(stop, direction) {
                self.land(stop, jump, trail.then(jump.over.meets(self.walk.enemy_kings)));
            }
        }
    }

    fn been_here(&mut self, stop: Stop<W>, trail: Trail) -> bool {
        let key = (stop, if self.ordered { trail.kings_met() } else { 0 });
        if self.seen.len() < REMEMBERED { !self.seen.insert(key) } else { self.seen.contains(&key) }
    }

    fn land(&mut self, stop: Stop<W>, jump: Jump<W>, trail: Trail) {
        let walk = self.walk;
        let mut goes_on = false;
        for land in walk.landings(stop, jump) {
            if let Some(next) = walk.after(stop, jump, land)
                && walk.can_jump(next)
            {
                goes_on = true;
                self.follow(next, trail);
            }
        }
        if !goes_on {
            for land in walk.ends(stop, jump) {
                self.finish(land, stop.taken | jump.over, stop.king || land.meets(walk.last_row), trail);
            }
        }
    }

    fn finish(&mut self, at: W, taken: W, king_after: bool, trail: Trail) {
        let worth = worth(self.walk.set, taken, self.walk.enemy_kings, self.king, trail);
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
            self.list.push(Move::new(self.walk.from, at.lowest(), taken, self.king, promotes));
        }
    }

    /// Whether nothing that can still be captured would make this capture one of the best.
    fn hopeless(&self, stop: Stop<W>, trail: Trail) -> bool {
        if self.walk.set.choice[0].is_none() || self.best == 0 {
            return false;
        }
        let all = stop.taken | self.reachable(stop);
        worth(self.walk.set, all, self.walk.enemy_kings, self.king, trail.at_most()) < self.best
    }

    /// A superset of the pieces that can still be captured.
    fn reachable(&self, stop: Stop<W>) -> W {
        let (walk, set) = (&self.walk, self.walk.set);
        let mut king = stop.king;
        let mut squares = W::bit(stop.at);
        let mut prey = W::ZERO;
        loop {
            let before = (squares, prey, king);
            king |= set.promotion == Promotion::InPassing && squares.meets(walk.last_row);
            let directions = walk.directions(king);
            let vanishing = if set.removal == Removal::Immediate { prey } else { W::ZERO };
            let free = walk.free(stop.taken) | vanishing;
            let targets = walk.prey(king) & !stop.taken;
            let far = king && set.king_captures_afar;
            for direction in (0..8).filter(|&d| directions.has(d)) {
                let reach = if far { squares | walk.slide(squares, direction, free) } else { squares };
                let over = walk.step(reach, direction) & targets;
                let land = walk.step(over, direction) & free;
                prey |= over & walk.step(land, OPPOSITE[direction]);
                squares |= land;
                if far && set.landing != Landing::Behind {
                    squares |= walk.slide(land, direction, free);
                }
            }
            if (squares, prey, king) == before {
                return prey;
            }
        }
    }
}
