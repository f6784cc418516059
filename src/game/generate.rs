//! The move generator: one kernel for every rule set.
//!
//! It is generic over a [`Rules`] type. For a built-in row that type is zero-sized and its record is a constant, so every
//! test of a rule folds away; for a user's rules the same code reads the record at run time. Sets of pieces move together
//! wherever the rules allow; only captures are followed piece by piece.

use super::board::{Bits, Color, Geometry, OPPOSITE, Word};
use super::careful;
use super::moves::{Move, MoveList};
use super::rules::*;

/// The pieces on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Pieces<W> {
    /// White's and Black's pieces.
    pub sides: [W; 2],
    /// The kings of both.
    pub kings: W,
}

impl<W: Word> Pieces<W> {
    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> W {
        self.sides[0] | self.sides[1]
    }

    /// Men of a side.
    #[inline(always)]
    pub fn men(&self, side: Color) -> W {
        self.sides[side.index()] & !self.kings
    }

    /// Kings of a side.
    #[inline(always)]
    pub fn kings(&self, side: Color) -> W {
        self.sides[side.index()] & self.kings
    }

    /// The pieces after a move of side number `side`.
    #[inline(always)]
    pub fn after(&self, side: usize, mv: &Move<W>) -> Pieces<W> {
        let (from, to) = (W::bit(mv.from), W::bit(mv.to));
        let mut next = *self;
        next.sides[side] = (self.sides[side] & !from) | to;
        next.sides[1 - side] = self.sides[1 - side] & !mv.captured;
        next.kings = self.kings & !mv.captured;
        if mv.king() {
            next.kings = (next.kings & !from) | to;
        } else if mv.promotes() {
            next.kings |= to;
        }
        next
    }
}

/// A rule set as the kernel sees it.
pub trait Rules: Copy {
    /// Machine word that holds the board.
    type Word: Word;
    /// The rules.
    fn set(&self) -> &RuleSet;
    /// The board's bit layout.
    fn geometry(&self) -> &Geometry;
    /// How men and kings step and jump. A kernel that knows it at compile time says so here.
    #[inline(always)]
    fn shape(&self) -> Shape {
        Shape::of(self.set())
    }
}

/// The part of the rules that the innermost loops ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub man_move: Directions,
    pub man_capture: Directions,
    pub king_move: Directions,
    pub king_capture: Directions,
    pub king_flies: bool,
    pub king_captures_afar: bool,
}

impl Shape {
    /// The shape of a rule set.
    #[inline(always)]
    pub const fn of(set: &RuleSet) -> Shape {
        Shape {
            man_move: set.man_move,
            man_capture: set.man_capture,
            king_move: set.king_move,
            king_capture: set.king_capture,
            king_flies: set.king_flies,
            king_captures_afar: set.king_captures_afar,
        }
    }
}

/// The side that moves, as a type.
pub trait Mover: Copy {
    /// The other side.
    type Other: Mover<Other = Self>;
    /// 0 for White, 1 for Black.
    const INDEX: usize;
}

/// White moves.
#[derive(Clone, Copy)]
pub struct White;
/// Black moves.
#[derive(Clone, Copy)]
pub struct Black;
impl Mover for White {
    type Other = Black;
    const INDEX: usize = 0;
}
impl Mover for Black {
    type Other = White;
    const INDEX: usize = 1;
}

/// Runs a block for each of the eight directions in a set, with the direction as a constant.
macro_rules! each_direction {
    ($set:expr, $D:ident => $body:block) => {{
        let set: Directions = $set;
        each_direction!(@one set, $D, 0, $body);
        each_direction!(@one set, $D, 1, $body);
        each_direction!(@one set, $D, 2, $body);
        each_direction!(@one set, $D, 3, $body);
        each_direction!(@one set, $D, 4, $body);
        each_direction!(@one set, $D, 5, $body);
        each_direction!(@one set, $D, 6, $body);
        each_direction!(@one set, $D, 7, $body);
    }};
    (@one $set:ident, $D:ident, $value:literal, $body:block) => {
        if $set.has($value) {
            const $D: usize = $value;
            $body
        }
    };
}

/// Moves a set of squares one step in an absolute direction.
#[inline(always)]
pub fn shift<W: Word>(geometry: &Geometry, b: W, absolute: usize) -> W {
    let from = geometry.from[absolute];
    let b = if from == u128::MAX { b } else { b & W::from_wide(from) };
    let by = geometry.shift[absolute];
    if by > 0 { b << by as u32 } else { b >> -by as u32 }
}

/// Moves a set one step in direction `D` of mover `M`.
#[inline(always)]
fn step<R: Rules, M: Mover, const D: usize>(rules: R, b: R::Word) -> R::Word {
    let absolute = const { if M::INDEX == 0 { D } else { OPPOSITE[D] } };
    shift(rules.geometry(), b, absolute)
}

/// Moves a set one step against direction `D` of mover `M`.
#[inline(always)]
fn back<R: Rules, M: Mover, const D: usize>(rules: R, b: R::Word) -> R::Word {
    let absolute = const { if M::INDEX == 0 { OPPOSITE[D] } else { D } };
    shift(rules.geometry(), b, absolute)
}

/// All empty squares that pieces of `b` reach by sliding in direction `D`.
#[inline(always)]
fn slide<R: Rules, M: Mover, const D: usize>(rules: R, b: R::Word, empty: R::Word) -> R::Word {
    let mut front = step::<R, M, D>(rules, b) & empty;
    let mut all = front;
    while !front.is_empty() {
        front = step::<R, M, D>(rules, front) & empty;
        all |= front;
    }
    all
}

/// The board from the mover's side, with the sets that generation asks for again and again.
#[derive(Clone, Copy)]
struct View<R: Rules, M: Mover> {
    rules: R,
    men: R::Word,
    kings: R::Word,
    enemy: R::Word,
    enemy_kings: R::Word,
    empty: R::Word,
    mover: std::marker::PhantomData<M>,
}

impl<R: Rules, M: Mover> View<R, M> {
    #[inline(always)]
    fn new(rules: R, pieces: &Pieces<R::Word>) -> Self {
        let own = pieces.sides[M::INDEX];
        let enemy = pieces.sides[1 - M::INDEX];
        View {
            rules,
            men: own & !pieces.kings,
            kings: own & pieces.kings,
            enemy,
            enemy_kings: enemy & pieces.kings,
            empty: R::Word::from_wide(rules.geometry().squares) & !(own | enemy),
            mover: std::marker::PhantomData,
        }
    }

    /// What a man may capture.
    #[inline(always)]
    fn man_prey(&self) -> R::Word {
        if self.rules.set().man_takes_king { self.enemy } else { self.enemy & !self.enemy_kings }
    }

    /// Men that can make a first jump.
    #[inline(always)]
    fn capturing_men(&self) -> R::Word {
        let prey = self.man_prey();
        let mut found = R::Word::ZERO;
        each_direction!(self.rules.shape().man_capture, D => {
            let over = back::<R, M, D>(self.rules, self.empty) & prey;
            found |= back::<R, M, D>(self.rules, over) & self.men;
        });
        found
    }

    /// Kings that can make a first jump.
    #[inline(always)]
    fn capturing_kings(&self) -> R::Word {
        let mut found = R::Word::ZERO;
        if self.kings.is_empty() {
            return found;
        }
        each_direction!(self.rules.shape().king_capture, D => {
            let over = back::<R, M, D>(self.rules, self.empty) & self.enemy;
            let mut behind = back::<R, M, D>(self.rules, over);
            found |= behind & self.kings;
            if self.rules.shape().king_captures_afar {
                behind &= self.empty;
                while !behind.is_empty() {
                    behind = back::<R, M, D>(self.rules, behind);
                    found |= behind & self.kings;
                    behind &= self.empty;
                }
            }
        });
        found
    }

    /// Number of quiet moves.
    #[inline(always)]
    fn count_quiet(&self) -> u64 {
        let mut count = 0;
        each_direction!(self.rules.shape().man_move, D => {
            count += (step::<R, M, D>(self.rules, self.men) & self.empty).count();
        });
        if !self.kings.is_empty() {
            each_direction!(self.rules.shape().king_move, D => {
                count += if self.rules.shape().king_flies {
                    slide::<R, M, D>(self.rules, self.kings, self.empty).count()
                } else {
                    (step::<R, M, D>(self.rules, self.kings) & self.empty).count()
                };
            });
        }
        count as u64
    }

    /// Whether no first jump of a man can be followed by a second, so that all men's captures are of one piece and, by the
    /// rules, equal. May say no where yes were true.
    #[inline(always)]
    fn only_single_jumps(&self) -> bool {
        let set = self.rules.set();
        let by_number_at_most = matches!(set.choice, [None, ..] | [Some(Criterion::Count), None, ..]);
        if !by_number_at_most || set.removal == Removal::Immediate {
            return false;
        }
        let prey = self.man_prey();
        let mut second = R::Word::ZERO;
        let mut landed = R::Word::ZERO;
        each_direction!(self.rules.shape().man_capture, D => {
            let land = self.first_landings::<D>(prey);
            landed |= land;
            second |= self.second_landings::<D>(land, prey);
        });
        let last_row = R::Word::from_wide(self.rules.geometry().last_row[M::INDEX]);
        second.is_empty() && (set.promotion != Promotion::InPassing || !landed.meets(last_row))
    }

    /// Whether a man can make a first jump.
    #[inline(always)]
    fn man_captures(&self) -> bool {
        let prey = self.man_prey();
        let mut landed = R::Word::ZERO;
        each_direction!(self.rules.shape().man_capture, D => {
            landed |= self.first_landings::<D>(prey);
        });
        !landed.is_empty()
    }

    /// Squares on which men land after a first jump in direction `D`.
    #[inline(always)]
    fn first_landings<const D: usize>(&self, prey: R::Word) -> R::Word {
        let over = step::<R, M, D>(self.rules, self.men) & prey;
        step::<R, M, D>(self.rules, over) & self.empty
    }

    /// Squares on which a second jump would land after a first in direction `D` to `land`.
    #[inline(always)]
    fn second_landings<const D: usize>(&self, land: R::Word, prey: R::Word) -> R::Word {
        let mut second = R::Word::ZERO;
        each_direction!(self.rules.shape().man_capture, E => {
            if E != OPPOSITE[D] {
                let over = step::<R, M, E>(self.rules, land) & prey;
                second |= step::<R, M, E>(self.rules, over) & self.empty;
            }
        });
        second
    }

    fn single_jumps(&self, list: &mut MoveList<R::Word>) {
        let prey = self.man_prey();
        let last_row = R::Word::from_wide(self.rules.geometry().last_row[M::INDEX]);
        each_direction!(self.rules.shape().man_capture, D => {
            for to in Bits(self.first_landings::<D>(prey)) {
                let land = R::Word::bit(to);
                let over = back::<R, M, D>(self.rules, land);
                let from = back::<R, M, D>(self.rules, over).lowest();
                list.push(Move::new(from, to, over, false, land.meets(last_row)));
            }
        });
    }

    #[inline(always)]
    fn count_single_jumps(&self) -> u64 {
        let prey = self.man_prey();
        let mut count = 0;
        each_direction!(self.rules.shape().man_capture, D => {
            count += self.first_landings::<D>(prey).count();
        });
        count as u64
    }

    fn quiet_moves(&self, list: &mut MoveList<R::Word>) {
        let last_row = R::Word::from_wide(self.rules.geometry().last_row[M::INDEX]);
        each_direction!(self.rules.shape().man_move, D => {
            let absolute = const { if M::INDEX == 0 { D } else { OPPOSITE[D] } };
            let by = self.rules.geometry().shift[absolute];
            for to in Bits(step::<R, M, D>(self.rules, self.men) & self.empty) {
                let promotes = last_row.meets(R::Word::bit(to));
                list.push(Move::new(to.wrapping_sub(by as u8), to, R::Word::ZERO, false, promotes));
            }
        });
        for from in Bits(self.kings) {
            let king = R::Word::bit(from);
            let mut reach = R::Word::ZERO;
            each_direction!(self.rules.shape().king_move, D => {
                reach |= if self.rules.shape().king_flies {
                    slide::<R, M, D>(self.rules, king, self.empty)
                } else {
                    step::<R, M, D>(self.rules, king) & self.empty
                };
            });
            for to in Bits(reach) {
                list.push(Move::new(from, to, R::Word::ZERO, true, false));
            }
        }
    }

    /// Appends all captures that the priority rules leave. `kings`: those that can make a first jump.
    #[inline(always)]
    fn captures(&self, pieces: &Pieces<R::Word>, kings: R::Word, list: &mut MoveList<R::Word>) {
        if kings.is_empty() && self.only_single_jumps() {
            self.single_jumps(list);
        } else {
            self.chains(pieces, self.capturing_men(), kings, list);
        }
    }

    /// Appends the captures of these men and kings, followed jump by jump.
    fn chains(&self, pieces: &Pieces<R::Word>, men: R::Word, kings: R::Word, list: &mut MoveList<R::Word>) {
        let start = list.len();
        let mut chain = Chain::<R, M> {
            rules: self.rules,
            empty: self.empty,
            enemy: self.enemy,
            enemy_kings: self.enemy_kings,
            man_prey: self.man_prey(),
            list,
            start,
            best: 0,
            from: 0,
            king: false,
            budget: CHAIN_BUDGET,
            mover: std::marker::PhantomData,
        };
        for from in Bits(kings) {
            chain.start_from(from, true);
            chain.king_jumps(R::Word::bit(from), R::Word::ZERO, 8, Trail::default());
        }
        for from in Bits(men) {
            chain.start_from(from, false);
            chain.man_jumps(R::Word::bit(from), R::Word::ZERO, Trail::default());
        }
        if chain.budget < 0 {
            list.truncate(start);
            careful::captures(self.rules.set(), self.rules.geometry(), pieces, M::INDEX, list);
        }
    }
}

/// Jumps that the plain search may look at in one position before the careful one takes over.
const CHAIN_BUDGET: i32 = 3_000;

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
struct Chain<'l, R: Rules, M: Mover> {
    rules: R,
    /// Empty squares, the start of the capturing piece among them.
    empty: R::Word,
    enemy: R::Word,
    enemy_kings: R::Word,
    man_prey: R::Word,
    list: &'l mut MoveList<R::Word>,
    /// Where in the list the captures that compete with each other begin.
    start: usize,
    /// Highest worth found so far.
    best: u64,
    from: u8,
    king: bool,
    /// Jumps left to look at before the careful search takes over.
    budget: i32,
    mover: std::marker::PhantomData<M>,
}

impl<R: Rules, M: Mover> Chain<'_, R, M> {
    #[inline(always)]
    fn start_from(&mut self, from: u8, king: bool) {
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
    fn man_jumps(&mut self, at: R::Word, taken: R::Word, trail: Trail) -> bool {
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
    fn king_jumps(&mut self, at: R::Word, taken: R::Word, came: usize, trail: Trail) -> bool {
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

/// Appends the legal moves: with compulsory capture, only captures when there are any. With `only_captures`, no quiet move
/// is made even where captures are optional.
#[inline(always)]
pub(super) fn generate<R: Rules, M: Mover>(
    rules: R,
    pieces: &Pieces<R::Word>,
    list: &mut MoveList<R::Word>,
    only_captures: bool,
) {
    let view = View::<R, M>::new(rules, pieces);
    let kings = view.capturing_kings();
    if !kings.is_empty() || view.man_captures() {
        view.captures(pieces, kings, list);
        if rules.set().duty == Duty::Mandatory {
            return;
        }
    }
    if !only_captures {
        view.quiet_moves(list);
    }
}

/// Pieces that could make a first jump now.
#[inline(always)]
pub(super) fn capturers<R: Rules, M: Mover>(rules: R, pieces: &Pieces<R::Word>) -> R::Word {
    let view = View::<R, M>::new(rules, pieces);
    view.capturing_men() | view.capturing_kings()
}

/// Number of quiet moves, whatever captures there are.
#[inline(always)]
pub(super) fn mobility<R: Rules, M: Mover>(rules: R, pieces: &Pieces<R::Word>) -> u32 {
    View::<R, M>::new(rules, pieces).count_quiet() as u32
}

/// Number of legal moves, counted in bulk. `scratch` is emptied.
#[inline(always)]
pub(super) fn count<R: Rules, M: Mover>(rules: R, pieces: &Pieces<R::Word>, scratch: &mut MoveList<R::Word>) -> u64 {
    let view = View::<R, M>::new(rules, pieces);
    let kings = view.capturing_kings();
    if kings.is_empty() && !view.man_captures() {
        return view.count_quiet();
    }
    let captures = if kings.is_empty() && view.only_single_jumps() {
        view.count_single_jumps()
    } else {
        scratch.clear();
        view.chains(pieces, view.capturing_men(), kings, scratch);
        scratch.len() as u64
    };
    if rules.set().duty == Duty::Mandatory { captures } else { captures + view.count_quiet() }
}

/// Leaves of the move tree at `depth` >= 1, unique moves, ends of the game ignored, huffs not offered. `lists` holds at
/// least `depth` move lists.
pub(super) fn perft<R: Rules, M: Mover>(
    rules: R,
    pieces: &Pieces<R::Word>,
    depth: u32,
    lists: &mut [MoveList<R::Word>],
) -> u64 {
    let (list, rest) = lists.split_first_mut().expect("one list a ply");
    if depth <= 1 {
        return count::<R, M>(rules, pieces, list);
    }
    list.clear();
    generate::<R, M>(rules, pieces, list, false);
    list.iter().map(|mv| perft::<R, M::Other>(rules, &pieces.after(M::INDEX, mv), depth - 1, rest)).sum()
}
