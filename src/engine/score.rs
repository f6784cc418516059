//! Scores in the tree: ends of the game are counted in plies from the root there, from the position itself in the table.

use super::{Score, WIN};
use crate::game::board::Color;
use crate::game::plain::Outcome;

/// Beyond this a score is a proved end of the game.
pub(super) const PROVED: Score = WIN - 2_000;

/// No evaluation goes beyond this.
pub(super) const MOST_STATIC: Score = 20_000;

/// The score of an ended game, `ply` plies from the root, for `side`.
pub(super) fn of_end(outcome: Outcome, side: Color, ply: usize) -> Score {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == side => WIN - ply as Score,
        Outcome::Win(_) => -WIN + ply as Score,
    }
}

/// From the root's count of plies to the position's own.
pub(super) fn to_table(score: Score, ply: usize) -> Score {
    if score > PROVED {
        score + ply as Score
    } else if score < -PROVED {
        score - ply as Score
    } else {
        score
    }
}

/// From the position's own count of plies to the root's.
pub(super) fn from_table(score: Score, ply: usize) -> Score {
    if score > PROVED {
        score - ply as Score
    } else if score < -PROVED {
        score + ply as Score
    } else {
        score
    }
}
