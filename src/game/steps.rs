//! What the kernel is made of: rules as a type, the mover as a type, and steps of whole sets in a direction known when
//! the kernel is compiled.

use super::board::{Geometry, OPPOSITE, Word};
use super::rules::*;

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

pub(super) use each_direction;

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
pub(super) fn step<R: Rules, M: Mover, const D: usize>(rules: R, b: R::Word) -> R::Word {
    let absolute = const { if M::INDEX == 0 { D } else { OPPOSITE[D] } };
    shift(rules.geometry(), b, absolute)
}

/// Moves a set one step against direction `D` of mover `M`.
#[inline(always)]
pub(super) fn back<R: Rules, M: Mover, const D: usize>(rules: R, b: R::Word) -> R::Word {
    let absolute = const { if M::INDEX == 0 { OPPOSITE[D] } else { D } };
    shift(rules.geometry(), b, absolute)
}

/// All empty squares that pieces of `b` reach by sliding in direction `D`.
#[inline(always)]
pub(super) fn slide<R: Rules, M: Mover, const D: usize>(rules: R, b: R::Word, empty: R::Word) -> R::Word {
    let mut front = step::<R, M, D>(rules, b) & empty;
    let mut all = front;
    while !front.is_empty() {
        front = step::<R, M, D>(rules, front) & empty;
        all |= front;
    }
    all
}
