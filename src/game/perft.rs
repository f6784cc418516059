//! Counting the leaves of the move tree.

use super::board::Word;
use super::moves::{Move, MoveList};
use super::paths::Ways;
use super::position::{Position, Referee};
use super::rules::Duty;

/// What counts as one leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Counting {
    /// A move: captures with the same ends and the same captured pieces are one.
    #[default]
    Unique,
    /// A path: the order and directions of the jumps count, landing squares that change nothing else do not.
    Paths,
    /// A sequence of landing squares.
    Landings,
}

/// How to count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerftOptions {
    /// What counts as one leaf.
    pub counting: Counting,
    /// Positions whose pieces end the game (first king, kings only, one against one) have no moves.
    pub ends: bool,
}

/// Ways to play one move are counted up to this many.
const MOST_WAYS: usize = 1 << 20;

/// Leaves at a depth; depth 0 has one. Draw rules with a history and the same-king limit are not applied.
pub fn perft<W: Word>(referee: &Referee<W>, position: &Position<W>, depth: u32, options: PerftOptions) -> u64 {
    if depth == 0 {
        return 1;
    }
    if options == PerftOptions::default() && referee.set().duty != Duty::Huffing {
        let mut lists = vec![MoveList::new(); depth as usize];
        let (set, geometry) = (referee.set(), &referee.variant.geometry);
        return (referee.kernel.perft)(set, geometry, &position.pieces, position.side, depth, &mut lists);
    }
    divide(referee, position, depth, options).into_iter().map(|(_, leaves)| leaves).sum()
}

/// Leaves behind each move; `depth` is at least 1.
pub fn divide<W: Word>(
    referee: &Referee<W>,
    position: &Position<W>,
    depth: u32,
    options: PerftOptions,
) -> Vec<(Move<W>, u64)> {
    let mut list = MoveList::new();
    if options.ends && referee.settled(position).is_some() {
        return Vec::new();
    }
    let free = Position { king_run: Default::default(), ..*position };
    referee.generate(&free, &mut list);
    let leaves = |mv: &Move<W>| {
        let ways = match options.counting {
            Counting::Paths => referee.ways(position, mv, Ways::Paths, MOST_WAYS).len() as u64,
            Counting::Landings => referee.ways(position, mv, Ways::Landings, MOST_WAYS).len() as u64,
            Counting::Unique => 1,
        };
        ways * perft(referee, &referee.play(&free, mv), depth.saturating_sub(1), options)
    };
    list.iter().map(|mv| (*mv, leaves(mv))).collect()
}
