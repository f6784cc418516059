//! The first layer's sums, kept from one position to the next.
//!
//! Each ply of the search has a slot with the sums of the position evaluated there last and its pieces. A new position
//! starts from the slot that differs least from it: its parent's, an elder brother's, or one further up; so sums are
//! brought up to date only when an evaluation is asked for, and no move ever has to be taken back.

use super::{Net, View};
use crate::engine::Score;
use crate::game::board::{Bits, Color, Word};
use crate::game::generate::Pieces;

/// Slots; deeper plies share the last.
const SLOTS: usize = 128;
/// How many plies up a slot may be started from.
const REACH: usize = 3;
/// Most changes that are made one by one; from farther away the sums are made afresh.
const MOST_CHANGES: u32 = 24;

/// Rows to add and to take off, for one view.
#[derive(Clone, Copy)]
struct Changes {
    added: [u16; 32],
    removed: [u16; 32],
    counts: [usize; 2],
}

impl Changes {
    const NONE: Changes = Changes { added: [0; 32], removed: [0; 32], counts: [0; 2] };
}

/// Sums of the first layer by ply.
pub(in crate::engine) struct Accumulators<W> {
    pieces: Vec<Option<Pieces<W>>>,
    /// Two views a slot.
    sums: Vec<i16>,
    hidden: usize,
}

impl<W: Word> Accumulators<W> {
    /// Empty ones, for a network or none.
    pub(in crate::engine) fn new(net: Option<&Net>) -> Self {
        let hidden = net.map_or(0, |net| net.shape.hidden);
        let slots = if hidden == 0 { 0 } else { SLOTS };
        Accumulators { pieces: vec![None; slots], sums: vec![0; slots * 2 * hidden], hidden }
    }

    /// The network's score for the side to move, at a ply of the search.
    #[inline]
    pub(in crate::engine) fn score(
        &mut self,
        net: &Net,
        view: &View,
        pieces: &Pieces<W>,
        side: Color,
        ply: usize,
    ) -> Score {
        let slot = ply.min(SLOTS - 1);
        self.reach(net, view, pieces, slot);
        debug_assert_eq!(self.sums(slot), fresh(net, view, pieces), "kept sums are those made afresh");
        let (white, black) = self.sums(slot).split_at(self.hidden);
        let (own, other) = if side == Color::White { (white, black) } else { (black, white) };
        net.output(own, other, pieces.occupied().count())
    }

    fn sums(&self, slot: usize) -> &[i16] {
        &self.sums[slot * 2 * self.hidden..(slot + 1) * 2 * self.hidden]
    }

    /// Brings a slot to a position.
    fn reach(&mut self, net: &Net, view: &View, pieces: &Pieces<W>, slot: usize) {
        let (mut nearest, mut least) = (slot, MOST_CHANGES);
        for candidate in (slot.saturating_sub(REACH)..=slot).rev() {
            let Some(known) = &self.pieces[candidate] else { continue };
            let distance = distance(known, pieces);
            if distance < least {
                (nearest, least) = (candidate, distance);
                if distance <= 2 {
                    break;
                }
            }
        }
        let known = self.pieces[nearest];
        self.pieces[slot] = Some(*pieces);
        match known {
            Some(_) if least == 0 && nearest == slot => {}
            Some(known) if least < MOST_CHANGES.min(pieces.occupied().count()) => {
                self.change(net, view, (&known, pieces), (nearest, slot));
            }
            _ => {
                let sums = &mut self.sums[slot * 2 * self.hidden..(slot + 1) * 2 * self.hidden];
                refresh(net, view, pieces, sums);
            }
        }
    }

    /// Takes the sums of one slot over into another, with the rows of what is different.
    fn change(&mut self, net: &Net, view: &View, (old, new): (&Pieces<W>, &Pieces<W>), (from, to): (usize, usize)) {
        let mut changes = [Changes::NONE; 2];
        for color in 0..2 {
            for king in 0..2 {
                let (before, after) = (kind(old, color, king), kind(new, color, king));
                for bit in Bits(after & !before) {
                    for (side, changes) in changes.iter_mut().enumerate() {
                        changes.added[changes.counts[0] & 31] = view.row(side, color, king, bit);
                        changes.counts[0] += 1;
                    }
                }
                for bit in Bits(before & !after) {
                    for (side, changes) in changes.iter_mut().enumerate() {
                        changes.removed[changes.counts[1] & 31] = view.row(side, color, king, bit);
                        changes.counts[1] += 1;
                    }
                }
            }
        }
        let hidden = self.hidden;
        let first = &net.weights.first;
        for (side, changes) in changes.iter().enumerate() {
            let (source, target) = ((2 * from + side) * hidden, (2 * to + side) * hidden);
            let [added, removed] = changes.counts;
            let (added, removed) = (&changes.added[..added], &changes.removed[..removed]);
            if from == to {
                // Sums cannot be read and written in one call: hand over a copy.
                let mut copy = [0; 256];
                copy[..hidden].copy_from_slice(&self.sums[source..source + hidden]);
                (net.kernels.update)(&mut self.sums[target..target + hidden], &copy[..hidden], first, added, removed);
            } else {
                // Plies above lie before those below.
                let (above, below) = self.sums.split_at_mut(target);
                (net.kernels.update)(&mut below[..hidden], &above[source..source + hidden], first, added, removed);
            }
        }
    }
}

#[inline(always)]
fn kind<W: Word>(pieces: &Pieces<W>, color: usize, king: usize) -> W {
    if king == 0 { pieces.sides[color] & !pieces.kings } else { pieces.sides[color] & pieces.kings }
}

/// How far apart two positions are: no more rows are to be added than this, and no more to be taken off.
#[inline(always)]
fn distance<W: Word>(one: &Pieces<W>, two: &Pieces<W>) -> u32 {
    let sides = (one.sides[0] ^ two.sides[0]).count() + (one.sides[1] ^ two.sides[1]).count();
    sides + (one.kings ^ two.kings).count()
}

/// Both views' sums from the pieces alone.
fn refresh<W: Word>(net: &Net, view: &View, pieces: &Pieces<W>, sums: &mut [i16]) {
    let hidden = net.shape.hidden;
    for side in 0..2 {
        let mut rows = [0u16; 160];
        let mut count = 0;
        for color in 0..2 {
            for king in 0..2 {
                for bit in Bits(kind(pieces, color, king)) {
                    rows[count] = view.row(side, color, king, bit);
                    count += 1;
                }
            }
        }
        let sums = &mut sums[side * hidden..(side + 1) * hidden];
        (net.kernels.update)(sums, &net.weights.bias, &net.weights.first, &rows[..count], &[]);
    }
}

/// Both views' sums from the pieces alone: the slow truth beside the kept ones.
pub(super) fn fresh<W: Word>(net: &Net, view: &View, pieces: &Pieces<W>) -> Vec<i16> {
    let mut sums = vec![0; 2 * net.shape.hidden];
    refresh(net, view, pieces, &mut sums);
    sums
}
