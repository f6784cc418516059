//! A book from the engine's own analysis: the position that is likeliest to be met is analysed next.
//!
//! After: T. R. Lincke, Strategies for the automatic construction of opening books (2000). Every position analysed is a node whose moves
//! have scores; scores of moves that lead to other nodes are backed up from them. How far a position is from the book's first is counted in
//! plies and in what the moves to it lose: of those not yet analysed, the nearest are next. So best play goes deep, and doubtful moves
//! are answered too.

use crate::engine::book::{Book, Place, place};
use crate::engine::{Limits, Score, Signals};
use crate::game::Game;
use crate::game::plain::PlainMove;
use crate::tools::common::ordered;
use crate::tools::common::think::{Thinker, hash_for};
use indicatif::ProgressBar;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// A ply is as far as so many hundredths of a man.
const PLY: i64 = 12;

/// Positions analysed before distances are counted anew. The same for any number of threads, so that the book is too.
const ROUND: usize = 8;

/// How far and how well to analyse.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: usize,
    pub nodes: u64,
    /// Moves looked at in each position.
    pub lines: usize,
    /// Plies from the start.
    pub plies: u32,
    /// Moves that lose more are not followed.
    pub margin: i16,
    pub threads: usize,
}

struct Edge {
    mv: PlainMove,
    to: Place,
    /// By the search, for the side that moves.
    score: Score,
}

struct Node {
    game: Game,
    ply: u32,
    edges: Vec<Edge>,
}

/// A growing book.
pub struct Expander {
    plan: Plan,
    nodes: BTreeMap<Place, Node>,
    /// To be analysed before all others.
    first: Vec<(Game, u32)>,
}

/// A position to analyse.
struct Leaf {
    game: Game,
    ply: u32,
}

impl Expander {
    /// Nothing yet.
    pub fn new(plan: Plan) -> Expander {
        Expander { plan, nodes: BTreeMap::new(), first: Vec::new() }
    }

    /// Begins at a position.
    pub fn add(&mut self, game: &Game) {
        self.first.push((game.clone(), 0));
    }

    /// Analyses the positions of a book from games first, the most often met before the others.
    pub fn follow(&mut self, book: &Book) {
        let mut seen = BTreeSet::new();
        let mut found: Vec<(u32, Place, Game, u32)> = Vec::new();
        let mut open: Vec<(Game, u32)> = self.first.clone();
        while let Some((game, ply)) = open.pop() {
            for (mv, known) in book.moves(&game) {
                let mut after = game.clone();
                if after.play(&mv).is_err() || ply + 1 >= self.plan.plies || !seen.insert(place(&after.setup())) {
                    continue;
                }
                found.push((known.games, place(&after.setup()), after.clone(), ply + 1));
                open.push((after, ply + 1));
            }
        }
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        self.first.extend(found.into_iter().map(|(_, _, game, ply)| (game, ply)));
    }

    /// Analyses until the plan is fulfilled or nothing is left; false when a signal ended it.
    pub fn run(&mut self, signals: &Signals) -> bool {
        let bar = ProgressBar::new(self.plan.positions as u64);
        while self.nodes.len() < self.plan.positions && !signals.stopped() {
            let leaves = self.next();
            if leaves.is_empty() {
                break;
            }
            self.analyse(leaves, signals);
            bar.set_position(self.nodes.len() as u64);
        }
        bar.finish_and_clear();
        !signals.stopped()
    }

    /// The nearest positions that are not analysed.
    fn next(&mut self) -> Vec<Leaf> {
        let room = ROUND.min(self.plan.positions - self.nodes.len());
        let mut leaves: Vec<Leaf> = Vec::new();
        while leaves.len() < room && !self.first.is_empty() {
            let (game, ply) = self.first.remove(0);
            leaves.push(Leaf { game, ply });
        }
        if !leaves.is_empty() {
            return leaves;
        }
        let values = self.values();
        let roots = self.nodes.iter().filter(|(_, node)| node.ply == 0);
        // Distance, position, and the node and move that lead to it.
        let mut queue: BinaryHeap<Reverse<(i64, Place, Place, usize)>> =
            roots.map(|(root, _)| Reverse((0, root.clone(), root.clone(), 0))).collect();
        let mut seen = BTreeSet::new();
        while let Some(Reverse((distance, at, parent, index))) = queue.pop() {
            if !seen.insert(at.clone()) {
                continue;
            }
            let Some(node) = self.nodes.get(&at) else {
                leaves.extend(self.leaf(&parent, index));
                if leaves.len() == room {
                    break;
                }
                continue;
            };
            if node.ply + 1 < self.plan.plies {
                let losses = self.losses(node, &values).into_iter();
                queue.extend(losses.map(|(index, loss)| {
                    Reverse((distance + PLY + i64::from(loss), node.edges[index].to.clone(), at.clone(), index))
                }));
            }
        }
        leaves
    }

    fn leaf(&self, parent: &Place, index: usize) -> Option<Leaf> {
        let node = self.nodes.get(parent)?;
        let mut game = node.game.clone();
        game.play(&node.edges[index].mv).ok()?;
        (!game.moves().is_empty()).then_some(Leaf { game, ply: node.ply + 1 })
    }

    /// Moves that may be followed, with what they lose beside the best one.
    fn losses(&self, node: &Node, values: &BTreeMap<&Place, Score>) -> Vec<(usize, Score)> {
        let value = |edge: &Edge| values.get(&edge.to).map_or(edge.score, |&value| -value);
        let best = node.edges.iter().map(value).max().unwrap_or(0);
        let all = node.edges.iter().enumerate().map(|(index, edge)| (index, best - value(edge)));
        all.filter(|(_, loss)| *loss <= Score::from(self.plan.margin)).collect()
    }

    /// The value of every node for the side to move there: its best move's, backed up from the last plies to the first.
    fn values(&self) -> BTreeMap<&Place, Score> {
        let mut order: Vec<(&Place, &Node)> = self.nodes.iter().collect();
        order.sort_by_key(|(_, node)| Reverse(node.ply));
        let mut values: BTreeMap<&Place, Score> = BTreeMap::new();
        for (place, node) in order {
            let value = |edge: &Edge| values.get(&edge.to).map_or(edge.score, |&value| -value);
            if let Some(best) = node.edges.iter().map(value).max() {
                values.insert(place, best);
            }
        }
        values
    }

    fn analyse(&mut self, leaves: Vec<Leaf>, signals: &Signals) {
        let limits = Limits { nodes: Some(self.plan.nodes), ..Limits::default() };
        let (hash, lines, threads) = (hash_for(&limits), self.plan.lines, self.plan.threads.min(ROUND));
        let nodes = &mut self.nodes;
        let worker = || {
            let mut thinker = Thinker::new(hash, lines);
            let limits = &limits;
            move |leaf: Leaf| {
                thinker.forget();
                let lines = thinker.think(&leaf.game, limits, signals)?;
                let edges =
                    lines.into_iter().filter_map(|line| edge(&leaf.game, line.pv.into_iter().next()?, line.score));
                Some(Node { edges: edges.collect(), ply: leaf.ply, game: leaf.game })
            }
        };
        let kept: Result<(), std::convert::Infallible> =
            ordered::run(threads, leaves.into_iter(), worker, |node: Node| {
                nodes.entry(place(&node.game.setup())).or_insert(node);
                Ok(())
            });
        kept.expect("keeping a node does not fail");
    }

    /// Puts what was found into a book.
    pub fn tell(&self, book: &mut Book) {
        let values = self.values();
        for node in self.nodes.values() {
            for edge in &node.edges {
                let value = values.get(&edge.to).map_or(edge.score, |&value| -value);
                book.entry(&node.game, &edge.mv).score = Some(value.clamp(-32_000, 32_000) as i16);
            }
        }
    }
}

fn edge(game: &Game, mv: PlainMove, score: Score) -> Option<Edge> {
    let mut after = game.clone();
    after.play(&mv).ok()?;
    Some(Edge { mv, to: place(&after.setup()), score })
}
