//! One node of the tree: what settles it without looking at its moves, and the loop over them.

use super::busy::{self, Busy, Mark};
use super::score::{PROVED, from_table, to_table};
use super::search::{Kind, NO_STATIC, NonPv, Pv, Room, Stopped, Worker};
use super::table::Entry;
use super::{Bound, Score, WIN};
use crate::game::board::Word;
use crate::game::moves::{Move, MoveKey};
use crate::game::position::Position;
use crate::game::rules::Duty;

/// What is known of a node before its moves are tried.
pub(super) struct Node<'n, W> {
    pub position: &'n Position<W>,
    pub key: u64,
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    /// What the table has.
    pub known: Option<Entry>,
    /// Evaluation as it was made, for the table; [`NO_STATIC`] where captures are due.
    pub raw: Score,
    /// The best estimate without searching.
    pub estimate: Score,
    /// Whether a move captures.
    pub capture: bool,
    /// Plies by which the table's move is searched deeper.
    pub singular: i32,
}

impl<'s, W: Word> Worker<'s, W> {
    /// Searches a position; returns its score for the side to move, fail-soft.
    pub(super) fn node<K: Kind>(
        &mut self,
        position: &Position<W>,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if depth <= 0 || ply >= self.horizon {
            return self.quiesce::<K>(position, alpha, beta, ply, self.params.threat_plies);
        }
        self.enter(ply)?;
        if K::PV {
            self.pv[ply].clear();
        }
        let key = position.full_key(self.referee.set());
        if let Some(score) = self.settled(position, key, ply) {
            return Ok(score);
        }
        if let Some(score) = self.table_score(position, alpha, beta, depth, ply) {
            return Ok(score);
        }

        // No line from here can be better than ending the game at once, or worse than losing it at once.
        alpha = alpha.max(-WIN + ply as Score);
        beta = beta.min(WIN - ply as Score);
        if alpha >= beta {
            return Ok(alpha);
        }

        let known = self.shared.table.probe(key);
        if !K::PV
            && self.excluded[ply] == MoveKey::NONE
            && let Some(score) = known.and_then(|entry| cut(&entry, alpha, beta, depth, ply))
            && !self.draw_near(position, depth)
        {
            return Ok(score);
        }

        let mut room = self.room();
        self.referee.generate(position, &mut room.list);
        let result = if room.list.is_empty() {
            Ok(self.stuck(position, ply))
        } else {
            let capture = self.has_capture(&room.list);
            let mut node = Node {
                position,
                key,
                alpha,
                beta,
                depth,
                ply,
                known,
                raw: NO_STATIC,
                estimate: NO_STATIC,
                capture,
                singular: 0,
            };
            self.expand::<K>(&mut node, &mut room)
        };
        self.leave(room);
        result
    }

    /// Prunes or searches a node that has moves.
    fn expand<K: Kind>(&mut self, node: &mut Node<W>, room: &mut Room<W>) -> Result<Score, Stopped> {
        self.judge(node);
        if let Some(score) = self.pruned::<K>(node)? {
            return Ok(score);
        }
        let table_move = node.known.map_or(MoveKey::NONE, |entry| entry.best);
        if table_move == MoveKey::NONE && node.depth >= self.params.unknown_depth {
            node.depth -= 1;
        }
        if room.list.len() > 1
            && let Some(score) = self.singular(node)?
        {
            return Ok(score);
        }
        let (position, ply) = (node.position, node.ply);
        let before = self.trail[ply];
        self.order.rank(&mut room.ranked, &room.list, &position.pieces, position.side, table_move, (ply, before));
        self.moves::<K>(node, room)
    }

    /// What an evaluation is worth here: put right by what searches have shown about it, and less the longer nothing
    /// irreversible has happened, so that an advantage is put to use.
    pub(super) fn assess(&self, position: &Position<W>, raw: Score) -> Score {
        let params = self.params;
        let mut score = raw;
        if params.correction > 0 {
            score += self.order.correction(&position.pieces, position.side) * params.correction / 100;
        }
        let quiet = i32::from(position.quiet_plies).min(100);
        score - score * quiet * params.fade / 10_000
    }

    /// Evaluates a quiet node, and learns from the table and from earlier mistakes of the evaluation.
    fn judge(&mut self, node: &mut Node<W>) {
        let ply = node.ply;
        if node.capture {
            self.statics[ply] = NO_STATIC;
            return;
        }
        let position = node.position;
        node.raw = match node.known {
            Some(entry) if entry.static_score != NO_STATIC => entry.static_score,
            _ => self.static_score(position, ply),
        };
        let corrected =
            node.raw + self.order.correction(&position.pieces, position.side) * self.params.correction / 100;
        self.statics[ply] = corrected;
        node.estimate = corrected;
        if let Some(entry) = node.known {
            let score = from_table(entry.score, ply);
            let better = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score > corrected,
                Bound::Upper => score < corrected,
            };
            if better && score.abs() < PROVED {
                node.estimate = score;
            }
        }
    }

    /// Whether any move captures. Where captures are compulsory the first move tells.
    fn has_capture(&self, list: &[Move<W>]) -> bool {
        match self.referee.set().duty {
            Duty::Mandatory => list[0].is_capture(),
            Duty::Optional | Duty::Huffing => list.iter().any(|mv| mv.is_capture()),
        }
    }

    /// Tries the moves of a node in their order.
    fn moves<K: Kind>(&mut self, node: &mut Node<W>, room: &mut Room<W>) -> Result<Score, Stopped> {
        let (position, ply, depth) = (node.position, node.ply, node.depth);
        let first_alpha = node.alpha;
        let mut best = -WIN;
        let mut best_move = None;
        let forced = i32::from(room.list.len() == 1);
        let table_move = node.known.map_or(MoveKey::NONE, |entry| entry.best);
        let excluded = self.excluded[ply];
        self.keys.push(node.key);
        let mut stopped = false;
        let mut place = 0;
        while let Some((next, place, first_look)) = room.next(&mut place) {
            let mv = room.list[next.index as usize];
            if excluded != MoveKey::NONE && mv.key() == excluded {
                continue;
            }
            let mark = self.mark(node.key, depth, &mv, place);
            if first_look && mark.is_some_and(|(busy, mark)| busy.has(mark)) {
                room.deferred.push((next, place));
                continue;
            }
            if !first_look && let Some(score) = self.settled_elsewhere::<K>(node) {
                self.keys.pop();
                return Ok(score);
            }
            let child = self.referee.play(position, &mv);
            if !K::PV && place > 0 && best > -PROVED && self.hopeless(node, &child, &mv) {
                best = best.max(node.estimate);
                continue;
            }
            self.trail[ply + 1] = mv.to;
            let extension = forced.max(if mv.key() == table_move { node.singular } else { 0 });
            let searched = busy::seen(mark, || self.one_move::<K>(node, &child, &mv, depth - 1 + extension, place));
            let Ok(score) = searched else {
                stopped = true;
                break;
            };
            room.tried.push(mv);
            if score > best {
                best = score;
                if score > node.alpha {
                    node.alpha = score;
                    best_move = Some(mv);
                    if K::PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= node.beta {
                        let before = self.trail[ply];
                        self.order.learn(&mv, &room.tried, position.side, depth, (ply, before));
                        break;
                    }
                }
            }
        }
        self.keys.pop();
        if stopped {
            return Err(Stopped);
        }
        if excluded == MoveKey::NONE {
            let bound = if best >= node.beta {
                Bound::Lower
            } else if best > first_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.remember(node, best, best_move, bound);
        }
        Ok(best)
    }

    /// How other threads see that this one searches a move; `None` where it would not pay.
    pub(super) fn mark(&self, key: u64, depth: i32, mv: &Move<W>, place: usize) -> Option<(&'s Busy, Mark)> {
        let busy = self.shared.busy?;
        (place > 0 && depth >= self.params.defer_depth).then(|| (busy, Mark::new(key, mv.key(), depth)))
    }

    /// The score that another thread has found for the node since this one came to it, if that settles it.
    fn settled_elsewhere<K: Kind>(&self, node: &Node<W>) -> Option<Score> {
        if K::PV || self.excluded[node.ply] != MoveKey::NONE || self.draw_near(node.position, node.depth) {
            return None;
        }
        let entry = self.shared.table.probe(node.key)?;
        cut(&entry, node.alpha, node.beta, node.depth, node.ply)
    }

    /// Enters a finished node in the table, and the evaluation's mistake where the score shows one.
    fn remember(&mut self, node: &Node<W>, best: Score, best_move: Option<Move<W>>, bound: Bound) {
        let best_key = best_move.map_or(MoveKey::NONE, |mv| mv.key());
        let score = to_table(best, node.ply);
        self.shared
            .table
            .store(node.key, Entry { best: best_key, score, static_score: node.raw, depth: node.depth, bound });
        let shows = match bound {
            Bound::Exact => true,
            Bound::Lower => best > self.statics[node.ply],
            Bound::Upper => best < self.statics[node.ply],
        };
        let quiet = !node.capture && best_move.is_none_or(|mv| !mv.is_capture());
        if quiet && shows && best.abs() < PROVED && self.params.correction > 0 {
            let position = node.position;
            self.order.correct(&position.pieces, position.side, best - node.raw, node.depth);
        }
    }

    /// Searches one move: the first with the open window, later ones with a null window and, when quiet, less deep; again
    /// in full when they turn out better than expected.
    fn one_move<K: Kind>(
        &mut self,
        node: &Node<W>,
        child: &Position<W>,
        mv: &Move<W>,
        below: i32,
        place: usize,
    ) -> Result<Score, Stopped> {
        let (alpha, beta, ply) = (node.alpha, node.beta, node.ply);
        if place == 0 {
            return Ok(-self.node::<K>(child, -beta, -alpha, below, ply + 1)?);
        }
        let reduction = self.reduction::<K>(node, child, mv, place).clamp(0, below.max(0));
        let mut score = -self.node::<NonPv>(child, -alpha - 1, -alpha, below - reduction, ply + 1)?;
        if reduction > 0 && score > alpha {
            score = -self.node::<NonPv>(child, -alpha - 1, -alpha, below, ply + 1)?;
        }
        if K::PV && score > alpha {
            if score < beta {
                score = -self.node::<Pv>(child, -beta, -alpha, below, ply + 1)?;
            } else {
                // The null window left no line: what stands there belongs to another move.
                self.pv[ply + 1].clear();
            }
        }
        Ok(score)
    }
}

/// The score that a table entry settles the node with, if it does.
pub(super) fn cut(entry: &Entry, alpha: Score, beta: Score, depth: i32, ply: usize) -> Option<Score> {
    if entry.depth < depth {
        return None;
    }
    let score = from_table(entry.score, ply);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    settles.then_some(score)
}
