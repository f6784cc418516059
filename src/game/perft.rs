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
    if options.ends || referee.set().duty == Duty::Huffing {
        return divide(referee, position, depth, options).into_iter().map(|(_, leaves)| leaves).sum();
    }
    let mut lists = vec![MoveList::new(); depth as usize];
    match options.counting {
        Counting::Unique => {
            let (set, geometry) = (referee.set(), &referee.variant.geometry);
            (referee.kernel.perft)(set, geometry, &position.pieces, position.side, depth, &mut lists)
        }
        Counting::Paths => weighted(referee, position, depth, Ways::Paths, &mut lists),
        Counting::Landings => weighted(referee, position, depth, Ways::Landings, &mut lists),
    }
}

/// Leaves at a depth of at least 1, each move as often as there are ways to play it.
fn weighted<W: Word>(
    referee: &Referee<W>,
    position: &Position<W>,
    depth: u32,
    kind: Ways,
    lists: &mut [MoveList<W>],
) -> u64 {
    let (list, rest) = lists.split_first_mut().expect("one list a ply");
    list.clear();
    let (set, geometry) = (referee.set(), &referee.variant.geometry);
    (referee.kernel.generate)(set, geometry, &position.pieces, position.side, list, false);
    let leaves = |mv: &Move<W>| {
        let below = if depth == 1 {
            1
        } else {
            let pieces = position.pieces.after(position.side.index(), mv);
            let next = Position { pieces, side: position.side.other(), ..*position };
            weighted(referee, &next, depth - 1, kind, rest)
        };
        below * number_of_ways(referee, position, mv, kind)
    };
    list.iter().map(leaves).sum()
}

/// Ways to play a move; one piece can be captured in one way only.
fn number_of_ways<W: Word>(referee: &Referee<W>, position: &Position<W>, mv: &Move<W>, kind: Ways) -> u64 {
    if mv.captured.count() < 2 { 1 } else { referee.ways(position, mv, kind, MOST_WAYS).len() as u64 }
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
            Counting::Paths => number_of_ways(referee, position, mv, Ways::Paths),
            Counting::Landings => number_of_ways(referee, position, mv, Ways::Landings),
            Counting::Unique => 1,
        };
        ways * perft(referee, &referee.play(&free, mv), depth.saturating_sub(1), options)
    };
    list.iter().map(|mv| (*mv, leaves(mv))).collect()
}
