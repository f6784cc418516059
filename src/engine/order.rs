//! Which move to try first.

use super::Score;
use super::params::MAX_PLY;
use crate::game::board::{Color, Word};
use crate::game::generate::Pieces;
use crate::game::moves::{Move, MoveKey};

const LARGEST: i32 = 16_384;

/// What earlier nodes taught one thread about good moves.
#[derive(Default)]
pub(super) struct Order {
    /// Two quiet moves a ply that refuted a sibling.
    killers: Vec<[MoveKey; 2]>,
    /// Success of quiet moves by side, start and end.
    history: Vec<i16>,
    /// Success of quiet moves by the square the opponent's last move came to, start and end.
    replies: Vec<i16>,
    /// How far searched scores lay above static ones, by arrangement of the men and side, in sixteenths of a point.
    mistakes: Vec<i16>,
    /// Weight of `replies` in percent.
    pub(super) reply_weight: i32,
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

/// Slots for the evaluation's mistakes.
const MISTAKES: usize = 1 << 14;
/// Points of a score in the table of mistakes.
const GRAIN: i32 = 16;
/// No mistake is taken to be larger than that, in points.
const WORST_MISTAKE: i32 = 100;

fn reply_index<W: Word>(before: u8, mv: &Move<W>) -> usize {
    usize::from(before & 63) << 12 | usize::from(mv.from & 63) << 6 | usize::from(mv.to & 63)
}

fn mistake_index<W: Word>(pieces: &Pieces<W>, side: Color) -> usize {
    let men = |color| pieces.men(color).fold();
    let mixed =
        men(Color::White).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ men(Color::Black).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    ((mixed ^ mixed >> 29) as usize & (MISTAKES - 1)) << 1 | side.index()
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
        Order {
            killers: vec![[MoveKey::NONE; 2]; MAX_PLY + 2],
            history: vec![0; 2 << 14],
            replies: vec![0; 64 << 12],
            mistakes: vec![0; MISTAKES << 1],
            reply_weight: 0,
        }
    }

    /// Halves what was learned, for the next search of the same game.
    pub(super) fn fade(&mut self) {
        self.killers.fill([MoveKey::NONE; 2]);
        self.history.iter_mut().for_each(|value| *value /= 2);
        if self.reply_weight != 0 {
            self.replies.iter_mut().for_each(|value| *value /= 2);
        }
    }

    /// Ranks the moves of a node, best last, so that the next to try is popped off.
    pub(super) fn rank<W: Word>(
        &self,
        ranked: &mut Vec<Ranked>,
        list: &[Move<W>],
        pieces: &Pieces<W>,
        side: Color,
        table_move: MoveKey,
        (ply, before): (usize, u8),
    ) {
        ranked.clear();
        for (index, mv) in list.iter().enumerate() {
            let rank = self.worth(mv, pieces, table_move, ply).unwrap_or_else(|| self.past(mv, side, before));
            ranked.push(Ranked { rank, tie: mirror_tie(side, mv), index: index as u16 });
        }
        ranked.sort_unstable_by_key(|entry| (entry.rank, std::cmp::Reverse(entry.tie)));
    }

    /// What history says about a quiet move.
    fn past<W: Word>(&self, mv: &Move<W>, side: Color, before: u8) -> i32 {
        let own = i32::from(self.history[history_index(side, mv)]);
        if self.reply_weight == 0 {
            return own;
        }
        own + i32::from(self.replies[reply_index(before, mv)]) * self.reply_weight / 100
    }

    /// The rank of a move that need not be looked up in history.
    fn worth<W: Word>(&self, mv: &Move<W>, pieces: &Pieces<W>, table_move: MoveKey, ply: usize) -> Option<i32> {
        let key = mv.key();
        if key == table_move {
            return Some(i32::MAX);
        }
        if mv.is_capture() {
            let kings = (mv.captured & pieces.kings).count() as i32;
            return Some(1_000_000 + 100 * mv.captured.count() as i32 + 150 * kings + 50 * i32::from(mv.promotes()));
        }
        if mv.promotes() {
            return Some(500_000);
        }
        let killers = self.killers[ply];
        if key == killers[0] {
            return Some(200_000);
        }
        (key == killers[1]).then_some(190_000)
    }

    /// By how many points searches have corrected the evaluation where the men stand like this.
    pub(super) fn correction<W: Word>(&self, pieces: &Pieces<W>, side: Color) -> Score {
        Score::from(self.mistakes[mistake_index(pieces, side)]) / GRAIN
    }

    /// Learns that a search of that depth came to a score so far above the static one.
    pub(super) fn correct<W: Word>(&mut self, pieces: &Pieces<W>, side: Color, above: Score, depth: i32) {
        let value = &mut self.mistakes[mistake_index(pieces, side)];
        let target = above.clamp(-WORST_MISTAKE, WORST_MISTAKE) * GRAIN;
        let weight = (depth + 1).min(16);
        *value = ((i32::from(*value) * (256 - weight) + target * weight) / 256) as i16;
    }

    /// Learns that `best` refuted a node after the quiet moves `tried` had failed.
    pub(super) fn learn<W: Word>(
        &mut self,
        best: &Move<W>,
        tried: &[Move<W>],
        side: Color,
        depth: i32,
        (ply, before): (usize, u8),
    ) {
        if best.is_capture() {
            return;
        }
        let key = best.key();
        if self.killers[ply][0] != key {
            self.killers[ply] = [key, self.killers[ply][0]];
        }
        let bonus = (16 * depth * depth).min(1200);
        self.push(side, best, before, bonus);
        for mv in tried.iter().filter(|mv| !mv.is_capture() && *mv != best) {
            self.push(side, mv, before, -bonus);
        }
    }

    /// Moves the history values of a move towards their limit by a bonus, the less the nearer they are.
    fn push<W: Word>(&mut self, side: Color, mv: &Move<W>, before: u8, bonus: i32) {
        drift(&mut self.history[history_index(side, mv)], bonus);
        if self.reply_weight != 0 {
            drift(&mut self.replies[reply_index(before, mv)], bonus);
        }
    }
}

fn drift(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LARGEST) as i16;
}
