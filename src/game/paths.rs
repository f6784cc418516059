//! The ways in which one and the same capture can be carried out.

use super::board::{Geometry, Square, Word};
use super::chain::Trail;
use super::generate::Pieces;
use super::moves::Move;
use super::rules::{Criterion, RuleSet};
use super::walk::{Jump, Stop, Walk};
use rustc_hash::FxHashSet;

/// What counts as a way of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ways {
    /// Another order or direction of jumps; landing squares that change nothing else do not matter.
    Paths,
    /// Any other sequence of landing squares.
    Landings,
}

/// Ways of equal order that are looked at before the search for a better order is given up.
const MOST_ORDERED: usize = 1 << 12;

/// One way to carry out a capture.
#[derive(Clone, Debug)]
pub struct Way {
    /// Captured squares in order.
    pub captures: Vec<Square>,
    /// From, every stop, to. A stop is where the capture turns, or right behind the captured piece when it goes
    /// straight on.
    pub stops: Vec<Square>,
}

/// Finds at most `limit` ways to play a move; a quiet move has one.
pub fn ways<W: Word>(
    set: &RuleSet,
    geometry: &Geometry,
    pieces: &Pieces<W>,
    mover: usize,
    mv: &Move<W>,
    kind: Ways,
    limit: usize,
) -> Vec<Way> {
    let (from, to) = (geometry.square(mv.from), geometry.square(mv.to));
    if !mv.is_capture() {
        return vec![Way { captures: Vec::new(), stops: vec![from, to] }];
    }
    let walk = Walk::new(set, geometry, pieces, mover, mv.from);
    let ordered = set.choice.contains(&Some(Criterion::KingEarly));
    // Where one way is enough, a stop that led nowhere is not tried again; counting all ways must try it again.
    let dead = (limit == 1).then(FxHashSet::default);
    let mut finder = Finder {
        walk,
        hunt: Walk { enemy: mv.captured, ..walk },
        target: *mv,
        kind,
        limit,
        ordered,
        best: 0,
        dead,
        stops: vec![mv.from],
        over: Vec::new(),
        found: Vec::new(),
    };
    finder.follow(walk.start(mv.king()), Trail::default());
    finder.found.truncate(limit);
    finder.found
}

/// A stop with the direction of arrival, whether it is the first landing square, and the kings met.
type Tried<W> = (Stop<W>, usize, bool, u64);

struct Finder<'a, W> {
    walk: Walk<'a, W>,
    /// The same with no other prey than the target's.
    hunt: Walk<'a, W>,
    target: Move<W>,
    kind: Ways,
    limit: usize,
    ordered: bool,
    best: u64,
    /// Stops that led nowhere.
    dead: Option<FxHashSet<Tried<W>>>,
    stops: Vec<u8>,
    over: Vec<u8>,
    found: Vec<Way>,
}

impl<W: Word> Finder<'_, W> {
    /// Whether some piece of the target can no longer be captured from here.
    fn lost(&self, stop: Stop<W>) -> bool {
        let left = self.target.captured & !stop.taken;
        left.count() > 2 && !(left & !self.hunt.reachable(W::bit(stop.at), stop.taken, stop.king).0).is_empty()
    }

    fn follow(&mut self, stop: Stop<W>, trail: Trail) {
        for direction in 0..8 {
            self.try_direction(stop, direction, trail);
        }
    }

    fn try_direction(&mut self, stop: Stop<W>, direction: usize, trail: Trail) {
        // Where the order of jumps decides, the first way found need not be a legal one: a better order may follow.
        let enough = if self.ordered { self.limit.max(MOST_ORDERED) } else { self.limit };
        if self.found.len() >= enough {
            return;
        }
        let Some(jump) = self.hunt.jump(stop, direction) else {
            return;
        };
        let trail = trail.then(jump.over.meets(self.walk.enemy_kings));
        self.over.push(jump.over.lowest());
        if stop.taken | jump.over == self.target.captured {
            self.end(stop, jump, trail);
        } else {
            self.go_on(stop, jump, trail);
        }
        self.over.pop();
    }

    /// Whether the stop was met before and led nowhere; only looked at where one way is enough.
    fn tried_before(&mut self, stop: Stop<W>, direction: usize, first: bool, trail: Trail) -> bool {
        let kings_met = if self.ordered { trail.kings_met() } else { 0 };
        self.dead.as_mut().is_some_and(|dead| !dead.insert((stop, direction, first, kings_met)))
    }

    fn go_on(&mut self, stop: Stop<W>, jump: Jump<W>, trail: Trail) {
        let walk = self.walk;
        for (nth, land) in walk.landings(stop, jump).enumerate() {
            let Some(next) = walk.after(stop, jump, land) else {
                return;
            };
            if self.lost(next) || self.tried_before(next, jump.direction, nth == 0, trail) {
                continue;
            }
            self.stops.push(next.at);
            for direction in 0..8 {
                let straight = direction == jump.direction;
                let opposite = super::board::OPPOSITE[direction] == jump.direction;
                // From every landing square the way straight on, or straight back, is the same: the first one stands for all.
                if self.kind == Ways::Landings || nth == 0 || !(straight || opposite) {
                    self.try_direction(next, direction, trail);
                }
            }
            self.stops.pop();
        }
    }

    fn end(&mut self, stop: Stop<W>, jump: Jump<W>, trail: Trail) {
        let to = W::bit(self.target.to);
        if self.walk.goes_on(stop, jump) || !self.walk.ends(stop, jump).any(|land| land == to) {
            return;
        }
        let king_after = stop.king || to.meets(self.walk.last_row);
        if king_after != (self.target.king() || self.target.promotes()) {
            return;
        }
        if self.ordered && trail.kings_met() != self.best {
            if trail.kings_met() < self.best {
                return;
            }
            self.best = trail.kings_met();
            self.found.clear();
        }
        let geometry = self.walk.geometry;
        let mut stops: Vec<Square> = self.stops.iter().map(|&bit| geometry.square(bit)).collect();
        stops.push(geometry.square(self.target.to));
        self.found.push(Way { captures: self.over.iter().map(|&bit| geometry.square(bit)).collect(), stops });
    }
}

/// Whether a capture can be carried out so that its landing squares, first to last, contain `wanted` in this order.
pub fn passes<W: Word>(
    set: &RuleSet,
    geometry: &Geometry,
    pieces: &Pieces<W>,
    mover: usize,
    mv: &Move<W>,
    wanted: &[Square],
) -> bool {
    let walk = Walk::new(set, geometry, pieces, mover, mv.from);
    let mut budget = 100_000u32;
    let wanted: Vec<u8> = wanted.iter().map(|&square| geometry.bit(square)).collect();
    visits(&walk, walk.start(mv.king()), mv, &wanted, &mut budget)
}

fn visits<W: Word>(walk: &Walk<W>, stop: Stop<W>, mv: &Move<W>, wanted: &[u8], budget: &mut u32) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    for direction in 0..8 {
        let Some(jump) = walk.jump(stop, direction) else {
            continue;
        };
        if !jump.over.meets(mv.captured) {
            continue;
        }
        let last = stop.taken | jump.over == mv.captured;
        for land in walk.landings(stop, jump) {
            let at = land.lowest();
            let rest = if wanted.first() == Some(&at) { &wanted[1..] } else { wanted };
            if last {
                if at == mv.to && rest.is_empty() && walk.ends(stop, jump).any(|end| end == land) {
                    return true;
                }
            } else if let Some(next) = walk.after(stop, jump, land)
                && visits(walk, next, mv, rest, budget)
            {
                return true;
            }
        }
    }
    false
}
