//! The search beyond its depth: captures, and one answer to a threat, until the position is quiet.

use super::order::mirror_tie;
use super::params::MAX_PLY;
use super::score::of_end;
use super::search::{Kind, Stopped, Worker};
use super::{Score, WIN};
use crate::game::board::Word;
use crate::game::moves::MoveList;
use crate::game::position::Position;
use crate::game::rules::Duty;

impl<W: Word> Worker<'_, W> {
    /// Searches on until nobody can capture, and looks one quiet move further when the opponent threatens to.
    pub(super) fn quiesce<K: Kind>(
        &mut self,
        position: &Position<W>,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        threats: i32,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        if K::PV {
            self.pv[ply].clear();
        }
        if let Some((outcome, _)) = self.referee.settled(position) {
            return Ok(of_end(outcome, position.side, ply));
        }
        if self.referee.limit_reached(position).is_some() {
            let key = position.full_key(self.referee.set());
            return Ok(self.settled(position, key, ply).unwrap_or(0));
        }
        if let Some(score) = self.table_score(position, alpha, beta, 0, ply) {
            return Ok(score);
        }
        if ply >= MAX_PLY {
            let raw = self.static_score(position, ply);
            return Ok(self.assess(position, raw));
        }
        let mut room = self.room();
        let result = self.quiesce_moves::<K>(position, (&mut alpha, beta), ply, threats, &mut room.list);
        self.leave(room);
        result
    }

    fn quiesce_moves<K: Kind>(
        &mut self,
        position: &Position<W>,
        (alpha, beta): (&mut Score, Score),
        ply: usize,
        threats: i32,
        list: &mut MoveList<W>,
    ) -> Result<Score, Stopped> {
        let forced = self.referee.set().duty == Duty::Mandatory;
        let mut best = -WIN;
        let mut left = threats;
        self.referee.generate_captures(position, list);
        if list.is_empty() || !forced {
            let threatened =
                list.is_empty() && !self.referee.capturers(&position.pieces, position.side.other()).is_empty();
            if threatened && threats > 0 {
                left -= 1;
                self.referee.generate(position, list);
                if list.is_empty() {
                    return Ok(self.stuck(position, ply));
                }
            } else {
                if self.referee.mobility(&position.pieces, position.side) == 0 && list.is_empty() {
                    return Ok(self.stuck(position, ply));
                }
                let raw = self.static_score(position, ply);
                best = self.assess(position, raw);
                if best >= beta || list.is_empty() {
                    return Ok(best);
                }
                *alpha = best.max(*alpha);
            }
        }
        let kings = position.pieces.kings;
        list.sort_unstable_by_key(|mv| {
            let gain = mv.captured.count() + 2 * (mv.captured & kings).count();
            (std::cmp::Reverse(gain), mirror_tie(position.side, mv))
        });
        for &mv in list.iter() {
            let child = self.referee.play(position, &mv);
            let score = -self.quiesce::<K>(&child, -beta, -*alpha, ply + 1, left)?;
            if score > best {
                best = score;
                if score > *alpha {
                    *alpha = score;
                    if K::PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        Ok(best)
    }
}
