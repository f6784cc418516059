//! Captures in positions where the plain search would visit the same squares with the same captured pieces again and again.
//!
//! Each state (landing squares, captured pieces) is entered once, and a branch is cut when even all pieces it could still reach
//! would not match the best capture known. Slow for one position, safe for all; the kernel turns to it when its budget is
//! spent.

use super::board::{Bits, Geometry, OPPOSITE, Word};
use super::chain::{Trail, worth};
use super::generate::Pieces;
use super::moves::{Move, MoveList};
use super::parity::Lines;
use super::paths::Way;
use super::rules::*;
use super::walk::{Jump, NO_DIRECTION, Stop, Walk};
use rustc_hash::FxHashSet;

/// States remembered at most; beyond that the search goes on without remembering, so memory stays bounded.
const REMEMBERED: usize = 1 << 19;

/// A capturing piece behind the piece it jumped, on one of the squares where it may land: they all lead on from here.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Arrival<W> {
    landings: W,
    taken: W,
    king: bool,
    /// As in [`Stop`].
    came: u8,
}

impl<W: Word> Arrival<W> {
    fn stop(self, at: u8) -> Stop<W> {
        Stop { taken: self.taken, at, king: self.king, came: self.came }
    }
}

/// One jump of a way.
#[derive(Clone, Copy)]
struct Leg<W> {
    jump: Jump<W>,
    land: W,
}

struct Careful<'a, W> {
    walk: Walk<'a, W>,
    /// The order of jumps matters for the choice between captures.
    ordered: bool,
    king: bool,
    start: usize,
    best: u64,
    /// Captures worth less are not followed for now.
    wanted: u64,
    /// The highest worth among those not followed.
    next: u64,
    /// For the parity test, where it holds.
    lines: Option<Lines<W>>,
    /// Arrivals entered before, with the kings met on the way where that matters.
    seen: FxHashSet<(Arrival<W>, u64)>,
    found: FxHashSet<(u8, W, bool)>,
    /// Jumps made on the way to the stop that is followed.
    legs: Vec<Leg<W>>,
    /// A way for each capture in the list from place `base` on, when asked for.
    ways: Option<Vec<Way>>,
    base: usize,
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
    search(set, geometry, pieces, mover, list, false);
}

/// All captures, each with a way to carry it out.
pub(super) fn captures_with_ways<W: Word>(
    set: &RuleSet,
    geometry: &Geometry,
    pieces: &Pieces<W>,
    mover: usize,
) -> Vec<(Move<W>, Way)> {
    let mut list = MoveList::new();
    let ways = search(set, geometry, pieces, mover, &mut list, true);
    list.into_iter().zip(ways).collect()
}

fn search<W: Word>(
    set: &RuleSet,
    geometry: &Geometry,
    pieces: &Pieces<W>,
    mover: usize,
    list: &mut MoveList<W>,
    record: bool,
) -> Vec<Way> {
    let mut search = Careful {
        walk: Walk::new(set, geometry, pieces, mover, 0),
        ordered: set.choice.contains(&Some(Criterion::KingEarly)),
        king: false,
        start: list.len(),
        best: 0,
        wanted: 0,
        next: 0,
        lines: None,
        seen: FxHashSet::default(),
        found: FxHashSet::default(),
        legs: Vec::new(),
        ways: record.then(Vec::new),
        base: list.len(),
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
        search.deepen();
    }
    search.ways.unwrap_or_default()
}

impl<W: Word> Careful<'_, W> {
    /// Searches for captures of at least a worth that begins where no capture could do better and comes down, to the best
    /// that was cut off, until some are found. After: Korf, Depth-first iterative-deepening (1985).
    fn deepen(&mut self) {
        let start = Arrival { landings: W::bit(self.walk.from), taken: W::ZERO, king: self.king, came: NO_DIRECTION };
        if self.walk.set.choice[0].is_none() {
            return self.follow(start, Trail::default());
        }
        let (prey, _) = self.walk.reachable(start.landings, start.taken, start.king);
        self.lines = self.short_jumper().then(|| Lines::new(&self.walk, self.king, prey));
        self.wanted = self.potential(prey, Trail::default());
        while self.wanted >= self.best && self.wanted > 0 {
            self.seen.clear();
            self.next = 0;
            self.follow(start, Trail::default());
            self.wanted = self.next;
        }
    }

    /// Whether the parity test holds for this piece: it jumps over neighbours only, pieces stay until the end, and a
    /// capture is worth what it takes.
    fn short_jumper(&self) -> bool {
        let set = self.walk.set;
        let short = if self.king { !set.king_captures_afar } else { set.promotion != Promotion::InPassing };
        short && set.removal == Removal::AfterMove && !self.ordered
    }

    /// Follows all continuations of a jump.
    fn follow(&mut self, arrival: Arrival<W>, trail: Trail) {
        if self.been_here(arrival, trail) || self.hopeless(arrival, trail) {
            return;
        }
        for at in Bits(arrival.landings) {
            if let Some(leg) = self.legs.last_mut() {
                leg.land = W::bit(at);
            }
            for direction in 0..8 {
                let stop = arrival.stop(at);
                if let Some(jump) = self.walk.jump(stop, direction) {
                    self.jump(stop, jump, trail.then(jump.over.meets(self.walk.enemy_kings)));
                }
            }
        }
    }

    fn been_here(&mut self, arrival: Arrival<W>, trail: Trail) -> bool {
        let key = (arrival, if self.ordered { trail.kings_met() } else { 0 });
        if self.seen.len() < REMEMBERED { !self.seen.insert(key) } else { self.seen.contains(&key) }
    }

    fn jump(&mut self, stop: Stop<W>, jump: Jump<W>, trail: Trail) {
        let walk = self.walk;
        self.legs.push(Leg { jump, land: jump.first });
        match walk.after(stop, jump, jump.first) {
            Some(next) if walk.goes_on(stop, jump) => {
                let landings = walk.landings(stop, jump).fold(W::ZERO, |all, land| all | land);
                self.follow(Arrival { landings, taken: next.taken, king: next.king, came: next.came }, trail);
            }
            _ => {
                for land in walk.ends(stop, jump) {
                    self.legs.last_mut().expect("pushed above").land = land;
                    self.finish(land, stop.taken | jump.over, stop.king || land.meets(walk.last_row), trail);
                }
            }
        }
        self.legs.pop();
    }

    fn finish(&mut self, at: W, taken: W, king_after: bool, trail: Trail) {
        let worth = worth(self.walk.set, taken, self.walk.enemy_kings, self.king, trail);
        if worth < self.wanted {
            self.next = self.next.max(worth);
        }
        if worth < self.best.max(self.wanted) {
            return;
        }
        if worth > self.best {
            self.list.truncate(self.start);
            if let Some(ways) = &mut self.ways {
                ways.truncate(self.start - self.base);
            }
            self.found.clear();
            self.best = worth;
        }
        let promotes = king_after && !self.king;
        if self.found.insert((at.lowest(), taken, promotes)) {
            self.list.push(Move::new(self.walk.from, at.lowest(), taken, self.king, promotes));
            let way = self.ways.is_some().then(|| self.way());
            self.ways.as_mut().zip(way).into_iter().for_each(|(ways, way)| ways.push(way));
        }
    }

    /// The jumps made, written as a way: a jump that goes straight on, or straight back, stops right
    /// behind the piece before.
    fn way(&self) -> Way {
        let geometry = self.walk.geometry;
        let mut stops = vec![geometry.square(self.walk.from)];
        for (index, leg) in self.legs.iter().enumerate() {
            let in_line = self
                .legs
                .get(index + 1)
                .is_some_and(|next| [leg.jump.direction, OPPOSITE[leg.jump.direction]].contains(&next.jump.direction));
            stops.push(geometry.square(if in_line { leg.jump.first } else { leg.land }.lowest()));
        }
        Way { captures: self.legs.iter().map(|leg| geometry.square(leg.jump.over.lowest())).collect(), stops }
    }

    /// Whether nothing that can still be captured would make this capture one of those wanted.
    fn hopeless(&mut self, arrival: Arrival<W>, trail: Trail) -> bool {
        if self.walk.set.choice[0].is_none() {
            return false;
        }
        let (left, squares) = self.walk.reachable(arrival.landings, arrival.taken, arrival.king);
        let potential = self.potential(arrival.taken | left, trail);
        if potential < self.wanted.max(self.best) {
            self.next = self.next.max(potential);
            return true;
        }
        if self.lines.is_some()
            && let Some(next) = self.unpromising(arrival, left, squares)
        {
            self.next = self.next.max(next);
            return true;
        }
        false
    }

    /// No capture of at most these pieces is worth more.
    fn potential(&self, all: W, trail: Trail) -> u64 {
        worth(self.walk.set, all, self.walk.enemy_kings, self.king, trail.at_most())
    }

    /// When no capture that is wanted and not yet found passes the parity test: a bound on what the captures from here
    /// are worth at most. Leaves out at most two of the pieces `left`; where more would have to go, it does not decide.
    fn unpromising(&self, arrival: Arrival<W>, left: W, squares: W) -> Option<u64> {
        let worth = |rest: W| self.potential(arrival.taken | rest, Trail::default());
        let mut tried = vec![left];
        tried.extend(Bits(left).map(|first| left & !W::bit(first)));
        for first in Bits(left).filter(|&first| worth(left & !W::bit(first)) > self.wanted) {
            let rest = left & !W::bit(first);
            let pairs = Bits(rest).filter(|&second| second > first).map(|second| rest & !W::bit(second));
            for pair in pairs {
                if worth(pair) > self.wanted {
                    return None;
                }
                tried.push(pair);
            }
        }
        let mut below = 0;
        for rest in tried {
            match worth(rest).cmp(&self.wanted) {
                std::cmp::Ordering::Equal if self.may_end(arrival, rest, squares) => return None,
                // Leaving out one piece more may come close below.
                std::cmp::Ordering::Equal => below = self.wanted - 1,
                std::cmp::Ordering::Less => below = below.max(worth(rest)),
                std::cmp::Ordering::Greater => {}
            }
        }
        Some(below)
    }

    /// Whether the parity test lets a capture of exactly `rest` from here end anywhere that is not found yet.
    fn may_end(&self, arrival: Arrival<W>, rest: W, squares: W) -> bool {
        let lines = self.lines.as_ref().expect("asked for short jumpers only");
        let new = |end: u8| {
            let promotes = !self.king && self.walk.last_row.meets(W::bit(end));
            !self.found.contains(&(end, arrival.taken | rest, promotes))
        };
        Bits(lines.ends(arrival.landings, rest, squares)).any(new)
    }
}
