//! Which move to try first.

use super::params::MAX_PLY;
use crate::game::board::{Color, Word};
use crate::game::generate::Pieces;
use crate::game::moves::{Move, MoveKey};

const LARGEST: i32 = 16_384;

/// What earlier nodes taught one thread about good moves.
pub(super) struct Order {
    /// Two quiet moves a ply that refuted a sibling.
    killers: Vec<[MoveKey; 2]>,
    /// Success of quiet moves by side, start and end.
    history: Vec<i16>,
}

/// One move with its rank among its siblings.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    rank: i32,
    /// Breaks ties in the same way for a position and its mirror image.
    tie: u16,
    /// Index in the move list.
    pub index: u16,
}

fn history_index<W: Word>(side: Color, mv: &Move<W>) -> usize {
    side.index() << 14 | usize::from(mv.from) << 7 | usize::from(mv.to)
}

/// A number that orders moves in the same way in a position and in its mirror image.
pub(super) fn mirror_tie<W: Word>(side: Color, mv: &Move<W>) -> u16 {
    let ends = u16::from(mv.from) << 7 | u16::from(mv.to);
    if side == Color::White { ends } else { !ends }
}

impl Order {
    pub(super) fn new() -> Order {
        Order { killers: vec![[MoveKey::NONE; 2]; MAX_PLY + 2], history: vec![0; 2 << 14] }
    }

    /// Stands in for one that is lent out.
    pub(super) fn hollow() -> Order {
        Order { killers: Vec::new(), history: Vec::new() }
    }

    /// Halves what was learned, for the next search of the same game.
    pub(super) fn fade(&mut self) {
        self.killers.fill([MoveKey::NONE; 2]);
        self.history.iter_mut().for_each(|value| *value /= 2);
    }

    /// Ranks the moves of a node, best last, so that the next to try is popped off.
    pub(super) fn rank<W: Word>(
        &self,
        ranked: &mut Vec<Ranked>,
        list: &[Move<W>],
        pieces: &Pieces<W>,
        side: Color,
        table_move: MoveKey,
        ply: usize,
    ) {
        ranked.clear();
        for (index, mv) in list.iter().enumerate() {
            let rank = self.worth(mv, pieces, side, table_move, ply);
            ranked.push(Ranked { rank, tie: mirror_tie(side, mv), index: index as u16 });
        }
        ranked.sort_unstable_by_key(|entry| (entry.rank, std::cmp::Reverse(entry.tie)));
    }

    fn worth<W: Word>(&self, mv: &Move<W>, pieces: &Pieces<W>, side: Color, table_move: MoveKey, ply: usize) -> i32 {
        let key = mv.key();
        if key == table_move {
            return i32::MAX;
        }
        if mv.is_capture() {
            let kings = (mv.captured & pieces.kings).count() as i32;
            return 1_000_000 + 100 * mv.captured.count() as i32 + 150 * kings + 50 * i32::from(mv.promotes());
        }
        if mv.promotes() {
            return 500_000;
        }
        let killers = self.killers[ply];
        if key == killers[0] {
            return 200_000;
        }
        if key == killers[1] {
            return 190_000;
        }
        i32::from(self.history[history_index(side, mv)])
    }

    /// Learns that `best` refuted a node after the quiet moves `tried` had failed.
    pub(super) fn learn<W: Word>(&mut self, best: &Move<W>, tried: &[Move<W>], side: Color, depth: i32, ply: usize) {
        if best.is_capture() {
            return;
        }
        let key = best.key();
        if self.killers[ply][0] != key {
            self.killers[ply] = [key, self.killers[ply][0]];
        }
        let bonus = (16 * depth * depth).min(1200);
        self.push(side, best, bonus);
        for mv in tried.iter().filter(|mv| !mv.is_capture() && *mv != best) {
            self.push(side, mv, -bonus);
        }
    }

    /// Moves a history value towards its limit by a bonus, the less the nearer it is.
    fn push<W: Word>(&mut self, side: Color, mv: &Move<W>, bonus: i32) {
        let value = &mut self.history[history_index(side, mv)];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / LARGEST) as i16;
    }
}
