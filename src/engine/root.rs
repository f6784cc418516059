//! The root of the search: iterative deepening, aspiration windows, several lines.

use super::busy;
use super::clock::Watch;
use super::params::*;
use super::score::PROVED;
use super::search::{NonPv, Pv, Stopped, Worker, wins_within};
use super::{Answer, Bound, Info, Limits, Report, Score, WIN};
use crate::game::board::Word;
use crate::game::moves::Move;
use crate::game::plain::PlainMove;
use crate::game::position::Position;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A legal move at the root with what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<W> {
    pub mv: Move<W>,
    pub score: Score,
    pub pv: Vec<Move<W>>,
}

/// What the root needs beside the thread that searches.
pub(super) struct Task<'a, W: Word> {
    pub position: &'a Position<W>,
    pub moves: Vec<Move<W>>,
    pub limits: &'a Limits,
    pub multi_pv: usize,
    /// What the root is worth, where that is known and the search only chooses.
    pub truth: Option<Score>,
    pub report: &'a dyn Report,
}

/// Runs the first thread's search to its end.
pub(super) fn lead<W: Word>(worker: &mut Worker<W>, task: &Task<W>) -> Answer {
    let mut root = Root::new(worker, task);
    let deepest = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut finished = None;
    for depth in 1..=deepest {
        let before = root.best();
        if root.iterate(depth).is_err() {
            break;
        }
        root.worker.shared.finished.store(depth, Relaxed);
        let info = root.info(0, depth, Bound::Exact);
        let settled = root.settles(depth, &before, &info);
        finished = Some(info);
        if settled {
            break;
        }
    }
    root.worker.shared.done.store(true, Relaxed);
    root.answer(finished)
}

/// Runs a helping thread: it searches the same tree for the sake of the common table, and leaves an iteration that the
/// first thread has finished.
pub(super) fn help<W: Word>(worker: &mut Worker<W>, task: &Task<W>) {
    let mut root = Root::new(worker, task);
    let deepest = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut depth = 1;
    while depth <= deepest {
        if root.iterate(depth).is_err() && (root.worker.over() || root.worker.shared.finished.load(Relaxed) < depth) {
            return;
        }
        depth = (root.worker.shared.finished.load(Relaxed) + 1).max(depth + 1);
    }
}

/// The places of the root moves in the order of their turns; those put off come last.
struct Turns {
    fresh: Range<usize>,
    /// Moves that another thread was searching when their turn came.
    deferred: VecDeque<usize>,
}

impl Iterator for Turns {
    /// The place, and whether its turn comes for the first time.
    type Item = (usize, bool);

    fn next(&mut self) -> Option<(usize, bool)> {
        self.fresh.next().map(|place| (place, true)).or_else(|| self.deferred.pop_front().map(|place| (place, false)))
    }
}

/// A search as its root sees it.
pub(super) struct Root<'r, 'a, W: Word> {
    pub worker: &'r mut Worker<'a, W>,
    pub task: &'r Task<'r, W>,
    pub moves: Vec<RootMove<W>>,
    /// Iterations in a row that ended with the same best move.
    steady: u32,
    last_report: Duration,
}

impl<'r, 'a, W: Word> Root<'r, 'a, W> {
    pub(super) fn new(worker: &'r mut Worker<'a, W>, task: &'r Task<'r, W>) -> Self {
        let mut moves: Vec<_> = task.moves.iter().map(|&mv| RootMove { mv, score: -WIN, pv: vec![mv] }).collect();
        // A position and its mirror image are searched alike.
        moves.sort_by_key(|root| super::order::mirror_tie(task.position.side, &root.mv));
        Root { worker, task, moves, steady: 0, last_report: Duration::ZERO }
    }

    pub(super) fn best(&self) -> Option<Move<W>> {
        self.moves.first().map(|root| root.mv)
    }

    /// Searches all lines to a depth. When stopped, a better move that was already proved so has its place.
    fn iterate(&mut self, depth: u32) -> Result<(), Stopped> {
        let lines = self.task.multi_pv.clamp(1, self.moves.len());
        for line in 0..lines {
            self.worker.deepest = 0;
            self.worker.root_depth = depth;
            let result = self.aspire(depth, line);
            self.moves[line..].sort_by_key(|root| std::cmp::Reverse(root.score));
            result?;
        }
        self.moves[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
        if self.worker.watch.is_some() {
            for line in 0..lines {
                let info = self.info(line, depth, Bound::Exact);
                self.task.report.info(&info);
            }
        }
        Ok(())
    }

    /// Searches one line with a window around its last score, widened until the score lies inside.
    fn aspire(&mut self, depth: u32, line: usize) -> Result<(), Stopped> {
        let guess = self.moves[line].score;
        let mut width = self.worker.params.aspiration;
        let (mut alpha, mut beta) = (-WIN, WIN);
        if depth as i32 >= self.worker.params.aspiration_depth && guess.abs() < PROVED {
            (alpha, beta) = ((guess - width).max(-WIN), (guess + width).min(WIN));
        }
        loop {
            let score = self.search(depth, line, alpha, beta)?;
            let bound = if score <= alpha && alpha > -WIN {
                Bound::Upper
            } else if score >= beta && beta < WIN {
                Bound::Lower
            } else {
                return Ok(());
            };
            self.moves[line..].sort_by_key(|root| std::cmp::Reverse(root.score));
            self.report_bound(depth, line, bound);
            width *= 3;
            match bound {
                Bound::Upper => alpha = if width > WIDEST_WINDOW { -WIN } else { (score - width).max(-WIN) },
                _ => beta = if width > WIDEST_WINDOW { WIN } else { (score + width).min(WIN) },
            }
        }
    }

    fn report_bound(&mut self, depth: u32, line: usize, bound: Bound) {
        let Some(watch) = &self.worker.watch else { return };
        let now = watch.elapsed();
        if now > Duration::from_millis(500) && now - self.last_report > Duration::from_millis(200) {
            self.last_report = now;
            let info = self.info(line, depth, bound);
            self.task.report.info(&info);
        }
    }

    /// One pass over the root moves from `line` on; earlier ones have lines of their own.
    fn search(&mut self, depth: u32, line: usize, mut alpha: Score, beta: Score) -> Result<Score, Stopped> {
        let mut best = -WIN;
        let key = self.task.position.full_key(self.worker.referee.set());
        let extension = i32::from(self.task.moves.len() == 1);
        let below = depth as i32 - 1 + extension;
        let mut turns = Turns { fresh: line..self.moves.len(), deferred: VecDeque::new() };
        while let Some((place, first_look)) = turns.next() {
            let mv = self.moves[place].mv;
            let mark = self.worker.mark(key, depth as i32, &mv, place - line);
            if first_look && mark.is_some_and(|(busy, mark)| busy.has(mark)) {
                turns.deferred.push_back(place);
                continue;
            }
            let child = self.worker.referee.play(self.task.position, &mv);
            self.worker.keys.push(key);
            self.worker.trail[1] = mv.to;
            let score = busy::seen(mark, || self.root_move(&child, &mv, (alpha, beta), below, place - line));
            self.worker.keys.pop();
            let score = score?;
            let root = &mut self.moves[place];
            if place > line && score <= alpha {
                root.score = -WIN;
                continue;
            }
            root.score = score;
            self.worker.extend_pv(0, mv);
            root.pv.clone_from(&self.worker.pv[0]);
            best = best.max(score);
            if score > alpha {
                alpha = score;
                if score >= beta {
                    turns.for_each(|(place, _)| self.moves[place].score = -WIN);
                    break;
                }
            }
        }
        Ok(best)
    }

    fn root_move(
        &mut self,
        child: &Position<W>,
        mv: &Move<W>,
        (alpha, beta): (Score, Score),
        below: i32,
        place: usize,
    ) -> Result<Score, Stopped> {
        let worker = &mut *self.worker;
        if place == 0 {
            return Ok(-worker.node::<Pv>(child, -beta, -alpha, below, 1)?);
        }
        let reduction = i32::from(place >= 3 && below >= 3 && !mv.is_capture() && !mv.promotes());
        let mut score = -worker.node::<NonPv>(child, -alpha - 1, -alpha, below - reduction, 1)?;
        if score > alpha {
            score = -worker.node::<Pv>(child, -beta, -alpha, below, 1)?;
        }
        Ok(score)
    }

    /// Whether the search may end after a finished iteration.
    pub(super) fn settles(&mut self, depth: u32, before: &Option<Move<W>>, info: &Info) -> bool {
        let limits = self.task.limits;
        self.steady = if *before == self.best() { self.steady + 1 } else { 0 };
        if limits.infinite {
            return false;
        }
        if let Some(moves) = limits.mate
            && wins_within(info.score, moves.saturating_mul(2))
        {
            return true;
        }
        let proved = info.score.abs() > PROVED && depth as i32 > 2 * (WIN - info.score.abs()) + 8;
        let alone = self.moves.len() == 1;
        let signals = self.worker.shared.signals;
        let ponder = limits.ponder && !signals.hit();
        let Some(watch) = &mut self.worker.watch else { return false };
        if ponder {
            return false;
        }
        let bound_by_time = limits.clock.is_some() || limits.movetime_ms.is_some();
        if bound_by_time && proved || watch.on_clock() && alone {
            return true;
        }
        let ease = match self.steady {
            0 => 1.8,
            1 | 2 => 1.2,
            3..=6 => 1.0,
            _ => 0.75,
        };
        watch.enough(signals, ease)
    }

    fn plain_line(&self, line: &[Move<W>]) -> Vec<PlainMove> {
        let referee = self.worker.referee;
        let mut position = *self.task.position;
        let write = |mv: &Move<W>| {
            let plain = referee.plain(&position, mv);
            position = referee.play(&position, mv);
            plain
        };
        line.iter().map(write).collect()
    }

    pub(super) fn info(&mut self, line: usize, depth: u32, bound: Bound) -> Info {
        let root = &self.moves[line];
        let pv = self.plain_line(&root.pv);
        let score = self.task.truth.unwrap_or(root.score);
        let nodes = self.worker.count_nodes();
        Info {
            depth,
            seldepth: self.worker.deepest as u32 + 1,
            multipv: line as u32 + 1,
            score,
            bound,
            wdl: self.worker.eval.chances(score, self.task.position.count()),
            nodes,
            time: self.worker.watch.as_ref().map_or(Duration::ZERO, Watch::elapsed),
            hashfull: self.worker.shared.table.load(),
            tbhits: self.worker.shared.door.map_or(0, |door| door.hits.load(Relaxed)),
            pv,
        }
    }

    pub(super) fn answer(self, finished: Option<Info>) -> Answer {
        let line = self.plain_line(&self.moves[0].pv.clone());
        let mut line = line.into_iter();
        let best = line.next();
        let ponder = line.next();
        let nodes = self.worker.count_nodes();
        let time = self.worker.watch.as_ref().map_or(Duration::ZERO, Watch::elapsed);
        let info = finished.map(|info| Info { nodes, time, ..info });
        Answer { best, ponder, info }
    }
}
