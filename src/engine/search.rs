//! One search thread: the tree below the root.

use super::eval::Evaluator;
use super::order::{Order, Ranked};
use super::params::*;
use super::score::{PROVED, from_table, of_end, to_table};
use super::table::{Entry, Table};
use super::{Bound, Score, Signals, WIN};
use crate::game::board::Word;
use crate::game::moves::{Move, MoveKey, MoveList};
use crate::game::plain::Outcome;
use crate::game::position::{Position, Referee};
use crate::game::rules::Duty;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The search was told to end: the tree unwinds, and no half-searched score can be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The kind of a node, known when the search is compiled.
pub(super) trait Kind {
    /// On the principal variation: searched with an open window.
    const PV: bool;
}

/// A node on the principal variation.
pub(super) struct Pv;
/// Any other node: searched with a null window.
pub(super) struct NonPv;
impl Kind for Pv {
    const PV: bool = true;
}
impl Kind for NonPv {
    const PV: bool = false;
}

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub signals: &'a Signals,
    /// Set by the first thread when it is done.
    pub done: AtomicBool,
    /// Nodes of all threads, brought up to date now and then.
    pub nodes: AtomicU64,
    /// No more nodes than this; `u64::MAX` = no limit.
    pub node_limit: u64,
    /// Whether the limit must be kept to the node.
    pub exact_nodes: bool,
}

/// Nodes between two looks at the clock.
const POLL: u64 = 256;

/// One thread's search.
pub(super) struct Worker<'a, W: Word> {
    pub referee: Referee<'a, W>,
    pub eval: &'a Evaluator<W>,
    pub shared: &'a Shared<'a>,
    /// Looks at the clock; only the first thread has one.
    pub watch: Option<super::clock::Watch>,
    pub order: Order,
    /// Full keys of the positions before the one searched, the game's own first.
    pub keys: Vec<u64>,
    /// Principal variation by ply.
    pub pv: Vec<Vec<Move<W>>>,
    pub(super) lists: Vec<(MoveList<W>, Vec<Ranked>)>,
    tried: Vec<MoveList<W>>,
    pub nodes: u64,
    counted: u64,
    pub deepest: usize,
    reductions: Vec<[i8; 64]>,
    pub(super) params: &'a Params,
}

impl<'a, W: Word> Worker<'a, W> {
    /// A thread ready to search; `keys` are the game's earlier positions.
    pub(super) fn new(
        referee: Referee<'a, W>,
        eval: &'a Evaluator<W>,
        shared: &'a Shared<'a>,
        params: &'a Params,
        order: Order,
        keys: Vec<u64>,
    ) -> Self {
        Worker {
            referee,
            eval,
            shared,
            watch: None,
            order,
            keys,
            pv: vec![Vec::new(); MAX_PLY + 2],
            lists: vec![Default::default(); MAX_PLY + 2],
            tried: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            counted: 0,
            deepest: 0,
            reductions: params.late_reductions(),
            params,
        }
    }

    /// Counts a node and looks, now and then, whether to end.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if self.nodes.is_multiple_of(POLL) || self.shared.exact_nodes && self.nodes >= self.shared.node_limit {
            self.poll()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        let all = self.count_nodes();
        let shared = self.shared;
        let timed_out = self.watch.as_mut().is_some_and(|watch| watch.expired(shared.signals));
        if shared.signals.stopped() || shared.done.load(Relaxed) || all >= shared.node_limit || timed_out {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Adds this thread's nodes to the common count and gives that.
    pub(super) fn count_nodes(&mut self) -> u64 {
        let fresh = self.nodes - self.counted;
        self.counted = self.nodes;
        self.shared.nodes.fetch_add(fresh, Relaxed) + fresh
    }

    /// The score of a position that ends the game or repeats, if it does. Draws by count need a legal move to exist, since
    /// a win on the last ply stands.
    pub(super) fn settled(&mut self, position: &Position<W>, key: u64, ply: usize) -> Option<Score> {
        if let Some((outcome, _)) = self.referee.settled(position) {
            return Some(of_end(outcome, position.side, ply));
        }
        if self.repeats(position, key) {
            return Some(0);
        }
        if self.referee.limit_reached(position).is_some() {
            let (list, _) = &mut self.lists[ply];
            list.clear();
            self.referee.generate(position, list);
            let stuck = list.is_empty();
            return Some(if stuck { self.stuck(position, ply) } else { 0 });
        }
        None
    }

    /// Whether the position has stood on the board before with the same side to move: in the tree once is enough.
    fn repeats(&self, position: &Position<W>, key: u64) -> bool {
        let back = (position.reversible as usize).min(self.keys.len());
        self.keys[self.keys.len() - back..].iter().rev().skip(1).step_by(2).any(|&earlier| earlier == key)
    }

    pub(super) fn stuck(&self, position: &Position<W>, ply: usize) -> Score {
        let (outcome, _) = self.referee.stuck(position);
        of_end(outcome, position.side, ply)
    }

    /// Whether a draw by move count is so near that table scores from elsewhere may be wrong.
    fn draw_near(&self, position: &Position<W>, depth: i32) -> bool {
        let set = self.referee.set();
        let ahead = depth + self.params.draw_near;
        let near = |plies: u16, limit: u16| i32::from(limit) - i32::from(plies) <= ahead;
        set.quiet_plies > 0 && position.quiet_plies > 4 && near(position.quiet_plies, set.quiet_plies)
            || position.ending > 0
                && set.endings[position.ending as usize - 1]
                    .is_some_and(|limit| position.ending_plies > 2 && near(position.ending_plies, limit.plies))
    }

    /// Searches a position; returns its score for the side to move, fail-soft.
    pub(super) fn node<K: Kind>(
        &mut self,
        position: &Position<W>,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if depth <= 0 {
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
        if ply >= MAX_PLY {
            return Ok(self.eval.evaluate(&self.referee, position));
        }

        // No line from here can be better than ending the game at once, or worse than losing it at once.
        alpha = alpha.max(-WIN + ply as Score);
        beta = beta.min(WIN - ply as Score);
        if alpha >= beta {
            return Ok(alpha);
        }

        let known = self.shared.table.probe(key);
        if let Some(score) = known.and_then(|entry| cut(&entry, alpha, beta, depth, ply))
            && !K::PV
            && !self.draw_near(position, depth)
        {
            return Ok(score);
        }
        let table_move = known.map_or(MoveKey::NONE, |entry| entry.best);

        let (mut list, mut ranked) = std::mem::take(&mut self.lists[ply]);
        list.clear();
        self.referee.generate(position, &mut list);
        let result = if list.is_empty() {
            Ok(self.stuck(position, ply))
        } else {
            let capture = self.has_capture(&list);
            let static_score = match known {
                Some(entry) => entry.static_score,
                None => self.eval.evaluate(&self.referee, position),
            };
            if !K::PV && !capture && self.probed(position, beta, depth, ply, static_score, &mut list, &mut ranked)? {
                Ok(beta)
            } else {
                if table_move == MoveKey::NONE && depth >= self.params.unknown_depth {
                    depth -= 1;
                }
                self.order.rank(&mut ranked, &list, &position.pieces, position.side, table_move, ply);
                self.moves::<K>(position, key, (alpha, beta), depth, ply, static_score, (&list, &mut ranked))
            }
        };
        self.lists[ply] = (list, ranked);
        result
    }

    /// Whether any move captures. Where captures are compulsory the first move tells.
    fn has_capture(&self, list: &[Move<W>]) -> bool {
        match self.referee.set().duty {
            Duty::Mandatory => list[0].is_capture(),
            Duty::Optional | Duty::Huffing => list.iter().any(|mv| mv.is_capture()),
        }
    }

    /// Whether a shallow search fails high so clearly that the deep one would too. After: Buro's ProbCut, in the form
    /// that Scan uses.
    #[allow(clippy::too_many_arguments)]
    fn probed(
        &mut self,
        position: &Position<W>,
        beta: Score,
        depth: i32,
        ply: usize,
        static_score: Score,
        list: &mut MoveList<W>,
        ranked: &mut Vec<Ranked>,
    ) -> Result<bool, Stopped> {
        let bound = beta + self.params.probe_margin * depth + self.params.probe_base;
        if depth < self.params.probe_depth || beta.abs() > PROVED || bound > PROVED || static_score < beta {
            return Ok(false);
        }
        // The shallow search of the same position uses the same buffers: lend it these.
        self.lists[ply] = (std::mem::take(list), std::mem::take(ranked));
        let score = self.node::<NonPv>(position, bound - 1, bound, depth * self.params.probe_share / 100, ply)?;
        let lent = std::mem::take(&mut self.lists[ply]);
        (*list, *ranked) = lent;
        if score >= bound {
            return Ok(true);
        }
        list.clear();
        self.referee.generate(position, list);
        Ok(false)
    }

    /// Tries the moves of a node in their order.
    #[allow(clippy::too_many_arguments)]
    fn moves<K: Kind>(
        &mut self,
        position: &Position<W>,
        key: u64,
        (mut alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
        static_score: Score,
        (list, ranked): (&MoveList<W>, &mut Vec<Ranked>),
    ) -> Result<Score, Stopped> {
        let first_alpha = alpha;
        let mut best = -WIN;
        let mut best_move = None;
        let extension = i32::from(list.len() == 1);
        let mut tried = std::mem::take(&mut self.tried[ply]);
        tried.clear();
        self.keys.push(key);
        let mut stopped = false;
        while let Some(next) = ranked.pop() {
            let mv = list[next.index as usize];
            let child = self.referee.play(position, &mv);
            let below = depth - 1 + extension;
            let searched = self.one_move::<K>(&child, &mv, (alpha, beta), (depth, below), ply, tried.len());
            let Ok(score) = searched else {
                stopped = true;
                break;
            };
            tried.push(mv);
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if K::PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        self.order.learn(&mv, &tried, position.side, depth, ply);
                        break;
                    }
                }
            }
        }
        self.keys.pop();
        self.tried[ply] = tried;
        if stopped {
            return Err(Stopped);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best_key = best_move.map_or(MoveKey::NONE, |mv| mv.key());
        self.shared.table.store(key, Entry { best: best_key, score: to_table(best, ply), static_score, depth, bound });
        Ok(best)
    }

    /// Searches one move: the first with the open window, later ones with a null window and, when quiet, less deep; again
    /// in full when they turn out better than expected.
    fn one_move<K: Kind>(
        &mut self,
        child: &Position<W>,
        mv: &Move<W>,
        (alpha, beta): (Score, Score),
        (depth, below): (i32, i32),
        ply: usize,
        place: usize,
    ) -> Result<Score, Stopped> {
        if place == 0 {
            return Ok(-self.node::<K>(child, -beta, -alpha, below, ply + 1)?);
        }
        let mut reduction = 0;
        if depth >= self.params.late_depth
            && place >= self.params.late_first as usize
            && !mv.is_capture()
            && !mv.promotes()
        {
            reduction = i32::from(self.reductions[depth.min(63) as usize][place.min(63)]);
            reduction = if K::PV { reduction - 1 } else { reduction }.clamp(0, below.max(0));
        }
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

    /// Makes a move and the line below it the principal variation of this ply.
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move<W>) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }
}

/// The score that a table entry settles the node with, if it does.
fn cut(entry: &Entry, alpha: Score, beta: Score, depth: i32, ply: usize) -> Option<Score> {
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

/// Whether an outcome ends a search for `mate`: a proved win of at most that many plies.
pub(super) fn wins_within(score: Score, plies: u32) -> bool {
    score > PROVED && WIN - score <= plies as Score
}

/// The score of a position whose game is over, for the side to move at the root.
pub(super) fn end_score(outcome: Outcome, side: crate::game::board::Color) -> Score {
    of_end(outcome, side, 0)
}
