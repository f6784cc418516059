//! Openings out of the rules: every position after some plies whose material stays level.

use super::shuffle::Shuffle;
use crate::game::board::{Color, Word};
use crate::game::kernels::AnyKernel;
use crate::game::line::{Game, Width};
use crate::game::moves::MoveList;
use crate::game::plain::{Outcome, Setup};
use crate::game::position::{Position, Referee};
use crate::game::rules::{Duty, RuleSet};
use crate::game::variant::Variant;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Most positions kept of one ply; of more, a random choice goes on.
const MOST: usize = 20_000;

/// A won game, in men.
const WON: i32 = 1000;

/// Plies that material must stay level. In games with flying kings shots are deep; in the others a longer look would
/// bar openings that are played, in which a man is given for a while.
pub fn usual_depth(set: &RuleSet) -> u32 {
    if set.king_flies { 4 } else { 2 }
}

/// All distinct positions after `plies` plies in which neither side wins material within `depth` plies of best play,
/// captures not counted.
pub fn level_positions(variant: &Arc<Variant>, plies: u32, depth: u32, seed: u64) -> Vec<Setup> {
    let game = Game::new(variant.clone());
    match (game.width(), &variant.kernel) {
        (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
            Search { referee: Referee { variant, kernel } }.all(line.now, plies, depth, seed)
        }
        (Width::Wide(line), AnyKernel::Wide(kernel)) => {
            Search { referee: Referee { variant, kernel } }.all(line.now, plies, depth, seed)
        }
        _ => unreachable!("a game's line has its kernel's width"),
    }
}

struct Search<'a, W: 'static> {
    referee: Referee<'a, W>,
}

impl<W: Word> Search<'_, W> {
    fn all(&self, start: Position<W>, plies: u32, depth: u32, seed: u64) -> Vec<Setup> {
        let mut shuffle = Shuffle::new(seed);
        let mut positions = vec![start];
        for _ in 0..plies {
            positions = self.after(&positions);
            if positions.len() > MOST {
                shuffle.shuffle(&mut positions);
                positions.truncate(MOST);
            }
        }
        let level: Vec<bool> = positions.par_iter().map(|position| self.is_level(position, depth)).collect();
        let kept = positions.iter().zip(level).filter(|(_, level)| *level);
        kept.map(|(position, _)| self.referee.setup(position, None)).collect()
    }

    /// The distinct positions one ply on.
    fn after(&self, positions: &[Position<W>]) -> Vec<Position<W>> {
        let (mut seen, mut next) = (FxHashSet::default(), Vec::new());
        for position in positions.iter().filter(|position| self.referee.settled(position).is_none()) {
            let mut moves = MoveList::new();
            self.referee.generate(position, &mut moves);
            for mv in moves.iter() {
                let reached = self.referee.play(position, mv);
                if seen.insert(reached.full_key(self.referee.set())) {
                    next.push(reached);
                }
            }
        }
        next
    }

    fn is_level(&self, position: &Position<W>, depth: u32) -> bool {
        self.referee.settled(position).is_none() && self.search(position, depth, -1, 1) == 0
    }

    /// Material for the side to move after best play, captures followed to their end.
    fn search(&self, position: &Position<W>, depth: u32, mut low: i32, high: i32) -> i32 {
        if let Some((outcome, _)) = self.referee.settled(position) {
            return worth(outcome, position.side);
        }
        let mut moves = MoveList::new();
        self.referee.generate(position, &mut moves);
        if moves.is_empty() {
            return worth(self.referee.stuck(position).0, position.side);
        }
        let mut best = -WON - 1;
        let quiet = !moves.iter().any(|mv| mv.is_capture());
        if depth == 0 && (quiet || self.referee.set().duty != Duty::Mandatory) {
            best = self.material(position);
            if quiet || best >= high {
                return best;
            }
            low = low.max(best);
        }
        for mv in moves.iter().filter(|mv| depth > 0 || mv.is_capture()) {
            // Captures are not counted: pieces leave the board, so they end by themselves.
            let left = if mv.is_capture() { depth } else { depth - 1 };
            let score = -self.search(&self.referee.play(position, mv), left, -high, -low);
            best = best.max(score);
            low = low.max(score);
            if low >= high {
                break;
            }
        }
        best
    }

    fn material(&self, position: &Position<W>) -> i32 {
        let king = if self.referee.set().king_flies { 3 } else { 2 };
        let worth = |side: Color| {
            let own = position.pieces.sides[side.index()];
            let kings = (own & position.pieces.kings).count() as i32;
            own.count() as i32 + (king - 1) * kings
        };
        worth(position.side) - worth(position.side.other())
    }
}

fn worth(outcome: Outcome, side: Color) -> i32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == side => WON,
        Outcome::Win(_) => -WON,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(variant: &str, plies: u32) -> usize {
        let variant = Variant::find(variant).unwrap();
        level_positions(&variant, plies, usual_depth(&variant.set), 1).len()
    }

    /// The official ballots: 174 of three moves in the English game, 79 of two moves on 100 squares.
    #[test]
    fn the_official_ballots_are_found() {
        assert_eq!(count("english", 3), 174);
        assert_eq!(count("international", 2), 79);
    }

    #[test]
    fn other_counts_are_near_the_sets_in_use() {
        assert_eq!(count("english", 2), 47);
        assert!((331..=333).contains(&count("international", 3)));
    }

    #[test]
    fn every_built_in_variant_has_openings() {
        for variant in Variant::all() {
            let positions = level_positions(variant, 2, 1, 1);
            assert!(positions.len() > 10, "{} has {}", variant.id, positions.len());
        }
    }
}
