//! Captures followed jump by jump, by one piece at a time, with their rank among each other.

use super::board::{OPPOSITE, Word};
use super::moves::{Move, MoveList};
use super::rules::*;
use super::steps::{Mover, Rules, each_direction, step};

/// Jumps that the plain search may look at in one position before the careful one takes over.
pub(super) const CHAIN_BUDGET: i32 = 3_000;

/// What the order of jumps matters for: the Italian rule that the capture which meets a king first goes before.
#[derive(Clone, Copy, Default)]
pub(super) struct Trail {
    /// Jumps made.
    jumps: u32,
    /// Bit `KING_EARLY_BITS - 1 - i` is set when jump `i` took a king.
    kings_met: u64,
}

/// Jumps in which the order between kings and men can matter.
const KING_EARLY_BITS: u32 = 36;

impl Trail {
    /// The trail after one more jump.
    #[inline(always)]
    pub(super) fn then(self, king: bool) -> Trail {
        let place = KING_EARLY_BITS.saturating_sub(1 + self.jumps);
        Trail { jumps: self.jumps + 1, kings_met: self.kings_met | (king as u64) << place }
    }

    /// The best that this trail can become: kings from now on.
    pub(super) fn at_most(self) -> Trail {
        let left = KING_EARLY_BITS.saturating_sub(self.jumps);
        Trail { kings_met: self.kings_met | ((1 << left) - 1), ..self }
    }

    /// The part that tells trails with the same captured pieces apart.
    pub(super) fn kings_met(self) -> u64 {
        self.kings_met
    }
}

/// Ranks a capture by the criteria of a rule set, first criterion in the highest bits. Larger goes before smaller.
#[inline(always)]
pub(super) fn worth<W: Word>(set: &RuleSet, taken: W, enemy_kings: W, king: bool, trail: Trail) -> u64 {
    let mut worth = 0u64;
    let mut i = 0;
    while i < set.choice.len() {
        let Some(criterion) = set.choice[i] else {
            break;
        };
        worth = match criterion {
            Criterion::Count => worth << 7 | taken.count() as u64,
            Criterion::ByKing => worth << 1 | king as u64,
            Criterion::KingsTaken => worth << 7 | (taken & enemy_kings).count() as u64,
            Criterion::KingEarly => worth << KING_EARLY_BITS | trail.kings_met,
            Criterion::FrisianValue => {
                let kings = (taken & enemy_kings).count() as u64;
                worth << 13 | ((taken.count() as u64 - kings) * 100 + kings * 199)
            }
        };
        i += 1;
    }
    worth
}

/// A capture in the making.
pub(super) struct Chain<'l, R: Rules, M: Mover> {
    pub(super) rules: R,
    /// Empty squares, the start of the capturing piece among them.
    pub(super) empty: R::Word,
    pub(super) enemy: R::Word,
    pub(super) enemy_kings: R::Word,
    pub(super) man_prey: R::Word,
    pub(super) list: &'l mut MoveList<R::Word>,
    /// Where in the list the captures that compete with each other begin.
    pub(super) start: usize,
    /// Highest worth found so far.
    pub(super) best: u64,
    pub(super) from: u8,
    pub(super) king: bool,
    /// Jumps left to look at before the careful search takes over.
    pub(super) budget: i32,
    pub(super) mover: std::marker::PhantomData<M>,
}

impl<R: Rules, M: Mover> Chain<'_, R, M> {
    #[inline(always)]
    pub(super) fn start_from(&mut self, from: u8, king: bool) {
        self.from = from;
        self.king = king;
        if self.rules.set().scope == Scope::Piece {
            self.start = self.list.len();
            self.best = 0;
        }
    }

    /// Squares free to land on when `taken` has been captured.
    #[inline(always)]
    fn free(&self, taken: R::Word) -> R::Word {
        let free = self.empty | R::Word::bit(self.from);
        if self.rules.set().removal == Removal::Immediate { free | taken } else { free }
    }

    /// Follows the jumps of a man that stands on `at`; tells whether there was one.
    pub(super) fn man_jumps(&mut self, at: R::Word, taken: R::Word, trail: Trail) -> bool {
        self.budget -= 1;
        if self.budget < 0 {
            return true;
        }
        let free = self.free(taken);
        let prey = self.man_prey & !taken;
        let last_row = R::Word::from_wide(self.rules.geometry().last_row[M::INDEX]);
        let mut jumped = false;
        each_direction!(self.rules.shape().man_capture, D => {
            let over = step::<R, M, D>(self.rules, at) & prey;
            let land = step::<R, M, D>(self.rules, over) & free;
            if !land.is_empty() {
                jumped = true;
                let next = taken | over;
                let trail = trail.then(over.meets(self.enemy_kings));
                let goes_on = if self.rules.set().promotion != Promotion::AtRest && land.meets(last_row) {
                    self.rules.set().promotion == Promotion::InPassing && self.king_jumps(land, next, D, trail)
                } else {
                    self.man_jumps(land, next, trail)
                };
                if !goes_on {
                    self.finish(land, next, land.meets(last_row), trail);
                }
            }
        });
        jumped
    }

    /// Follows the jumps of a king that stands on `at` and came there in direction `came` (8: it just starts); tells
    /// whether there was one.
    pub(super) fn king_jumps(&mut self, at: R::Word, taken: R::Word, came: usize, trail: Trail) -> bool {
        self.king_jumps_from(at, taken, came, true, true, trail)
    }

    /// As [`Self::king_jumps`]; `ahead` and `reverse` say whether to look straight on and straight back. From several
    /// landing squares of one jump both lead to the same continuations, so one of them does.
    fn king_jumps_from(
        &mut self,
        at: R::Word,
        taken: R::Word,
        came: usize,
        ahead: bool,
        reverse: bool,
        trail: Trail,
    ) -> bool {
        self.budget -= 1;
        if self.budget < 0 {
            return true;
        }
        let free = self.free(taken);
        let prey = self.enemy & !taken;
        let mut jumped = false;
        each_direction!(self.rules.shape().king_capture, D => {
            let back_again = came < 8 && OPPOSITE[D] == came;
            let straight_on = D == came;
            let looked = !(straight_on && !ahead || back_again && !(reverse && self.rules.set().may_reverse));
            if looked {
                let mut next = step::<R, M, D>(self.rules, at);
                if self.rules.shape().king_captures_afar {
                    while next.meets(free) {
                        next = step::<R, M, D>(self.rules, next);
                    }
                }
                let over = next & prey;
                let land = step::<R, M, D>(self.rules, over) & free;
                if !land.is_empty() {
                    jumped = true;
                    let trail = trail.then(over.meets(self.enemy_kings));
                    self.king_lands::<D>(land, over, taken | over, free, trail);
                }
            }
        });
        jumped
    }

    /// Goes on from every square where a king may land after it jumped `over` in direction `D`.
    #[inline(always)]
    fn king_lands<const D: usize>(
        &mut self,
        first: R::Word,
        over: R::Word,
        taken: R::Word,
        free: R::Word,
        trail: Trail,
    ) {
        let far = self.rules.shape().king_captures_afar && self.rules.set().landing != Landing::Behind;
        let mut goes_on = false;
        let mut land = first;
        loop {
            let beyond = if far { step::<R, M, D>(self.rules, land) & free } else { R::Word::ZERO };
            goes_on |= self.king_jumps_from(land, taken, D, beyond.is_empty(), land == first, trail);
            if beyond.is_empty() {
                break;
            }
            land = beyond;
        }
        if goes_on {
            return;
        }
        let short_end = over.meets(self.enemy_kings)
            && match self.rules.set().landing {
                Landing::BehindLastKing => true,
                Landing::BehindLastKingMulti => taken != over,
                Landing::Any | Landing::Behind => false,
            };
        land = first;
        while !land.is_empty() {
            self.finish(land, taken, true, trail);
            if !far || short_end {
                break;
            }
            land = step::<R, M, D>(self.rules, land) & free;
        }
    }

    /// Enters a finished capture into the list when no better one is known.
    #[inline(always)]
    fn finish(&mut self, at: R::Word, taken: R::Word, king_after: bool, trail: Trail) {
        let worth = worth(self.rules.set(), taken, self.enemy_kings, self.king, trail);
        if worth != self.best {
            if worth < self.best {
                return;
            }
            self.list.truncate(self.start);
            self.best = worth;
        }
        let mv = Move::new(self.from, at.lowest(), taken, self.king, king_after && !self.king);
        if taken.count() < 2 || !self.list[self.start..].contains(&mv) {
            self.list.push(mv);
        }
    }
}
