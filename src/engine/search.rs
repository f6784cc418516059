//! One search thread: the tree below the root.

use super::busy::Busy;
use super::eval::Evaluator;
use super::net::Accumulators;
use super::order::{Order, Ranked};
use super::params::*;
use super::score::{PROVED, of_end};
use super::table::Table;
use super::{Score, Signals, WIN};
use crate::game::board::Word;
use crate::game::moves::{Move, MoveKey, MoveList};
use crate::game::plain::Outcome;
use crate::game::position::{Position, Referee};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

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
    /// The way to the endgame tables.
    pub door: Option<&'a super::door::Door>,
    /// Tables are asked about positions of so many pieces and fewer.
    pub table_pieces: u32,
    /// The moves that threads are searching now; `None` with one thread.
    pub busy: Option<&'a Busy>,
    /// Depth of the first thread's last finished iteration: nobody need search it any more.
    pub finished: AtomicU32,
}

/// The static score of a position in which captures are due: nobody has asked for it.
pub(super) const NO_STATIC: Score = -32_000;

/// Buffers of one node.
#[derive(Default)]
pub(super) struct Room<W> {
    pub list: MoveList<W>,
    pub ranked: Vec<Ranked>,
    pub tried: MoveList<W>,
    /// Moves put off because another thread is searching them, with their places.
    pub deferred: Vec<(Ranked, usize)>,
}

impl<W> Room<W> {
    /// The next move to try with its place in the order, and whether it comes for the first time; those put off come last.
    pub(super) fn next(&mut self, place: &mut usize) -> Option<(Ranked, usize, bool)> {
        match self.ranked.pop() {
            Some(ranked) => {
                *place += 1;
                Some((ranked, *place - 1, true))
            }
            None => self.deferred.pop().map(|(ranked, place)| (ranked, place, false)),
        }
    }
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
    /// Whether this is the first thread.
    pub leads: bool,
    pub order: Order,
    /// Full keys of the positions before the one searched, the game's own first.
    pub keys: Vec<u64>,
    /// Principal variation by ply.
    pub pv: Vec<Vec<Move<W>>>,
    /// Buffers of nodes that are not in use.
    rooms: Vec<Room<W>>,
    /// Squares that the moves on the way to a ply came to, by ply.
    pub(super) trail: Vec<u8>,
    /// A move left out of the search at a ply, to see how the others do without it.
    pub(super) excluded: Vec<MoveKey>,
    /// Static scores by ply; [`NO_STATIC`] where captures are due.
    pub(super) statics: Vec<Score>,
    pub nodes: u64,
    counted: u64,
    pub deepest: usize,
    /// Positions found in tables.
    pub table_hits: u64,
    sums: Accumulators<W>,
    /// Depth of the iteration.
    pub(super) root_depth: u32,
    /// From this ply on only captures are looked at; never beyond [`MAX_PLY`].
    pub(super) horizon: usize,
    pub(super) reductions: &'a [[i16; 64]],
    pub(super) params: &'a Params,
}

impl<'a, W: Word> Worker<'a, W> {
    /// A thread ready to search; `keys` are the game's earlier positions.
    pub(super) fn new(
        referee: Referee<'a, W>,
        eval: &'a Evaluator<W>,
        shared: &'a Shared<'a>,
        (params, reductions): (&'a Params, &'a [[i16; 64]]),
        order: Order,
        keys: Vec<u64>,
    ) -> Self {
        Worker {
            referee,
            eval,
            shared,
            watch: None,
            leads: false,
            order,
            keys,
            pv: vec![Vec::new(); MAX_PLY + 2],
            rooms: Vec::new(),
            trail: vec![0; MAX_PLY + 2],
            excluded: vec![MoveKey::NONE; MAX_PLY + 2],
            statics: vec![NO_STATIC; MAX_PLY + 2],
            nodes: 0,
            counted: 0,
            deepest: 0,
            table_hits: 0,
            sums: eval.accumulators(),
            root_depth: 0,
            horizon: MAX_PLY,
            reductions,
            params,
        }
    }

    /// Static score for the side to move.
    #[inline]
    pub(super) fn static_score(&mut self, position: &Position<W>, ply: usize) -> Score {
        self.eval.evaluate(&self.referee, position, &mut self.sums, ply)
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
        let late = !self.leads && shared.finished.load(Relaxed) >= self.root_depth;
        if late || self.over() || all >= shared.node_limit || timed_out {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Whether the whole search is to end, by a signal or because the first thread is done.
    pub(super) fn over(&self) -> bool {
        self.shared.signals.stopped() || self.shared.done.load(Relaxed)
    }

    /// Adds this thread's nodes to the common count and gives that.
    pub(super) fn count_nodes(&mut self) -> u64 {
        let fresh = self.nodes - self.counted;
        self.counted = self.nodes;
        if let Some(door) = self.shared.door {
            door.hits.fetch_add(std::mem::take(&mut self.table_hits), Relaxed);
        }
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
            let mut room = self.room();
            self.referee.generate(position, &mut room.list);
            let stuck = room.list.is_empty();
            self.leave(room);
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
    pub(super) fn draw_near(&self, position: &Position<W>, depth: i32) -> bool {
        let set = self.referee.set();
        let ahead = depth + self.params.draw_near;
        let near = |plies: u16, limit: u16| i32::from(limit) - i32::from(plies) <= ahead;
        set.quiet_plies > 0 && position.quiet_plies > 4 && near(position.quiet_plies, set.quiet_plies)
            || position.ending > 0
                && set.endings[position.ending as usize - 1]
                    .is_some_and(|limit| position.ending_plies > 2 && near(position.ending_plies, limit.plies))
    }

    /// Makes a move and the line below it the principal variation of this ply.
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move<W>) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Empty buffers for a node, to be given back with [`Worker::leave`].
    pub(super) fn room(&mut self) -> Room<W> {
        let mut room = self.rooms.pop().unwrap_or_default();
        room.list.clear();
        room.tried.clear();
        room.deferred.clear();
        room
    }

    /// Gives buffers back.
    pub(super) fn leave(&mut self, room: Room<W>) {
        self.rooms.push(room);
    }
}

/// Whether an outcome ends a search for `mate`: a proved win of at most that many plies.
pub(super) fn wins_within(score: Score, plies: u32) -> bool {
    score > PROVED && WIN - score <= plies as Score
}

/// The score of a position whose game is over, for the side to move at the root.
pub(super) fn end_score(outcome: Outcome, side: crate::game::board::Color) -> Score {
    of_end(outcome, side, 0)
}
