//! The move generator: one kernel for every rule set.
//!
//! It is generic over a [`Rules`] type. For a built-in row that type is zero-sized and its record is a constant, so every
//! test of a rule folds away; for a user's rules the same code reads the record at run time. Sets of pieces move together
//! wherever the rules allow; only captures are followed piece by piece.

use super::board::{Bits, Color, OPPOSITE, Word};
use super::careful;
use super::chain::{CHAIN_BUDGET, Chain, Trail};
use super::moves::{Move, MoveList};
use super::rules::*;
use super::steps::{Mover, Rules, back, each_direction, slide, step};

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
