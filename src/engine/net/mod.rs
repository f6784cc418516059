//! The learned evaluation: a small network for one set of rules, with whole numbers only.
//!
//! Both sides' views of the board (own and enemy men and kings by square, the board turned so that the owner of the view
//! plays up) go through one shared layer; the two results, clipped and squared, are weighed by one of several output
//! rows, chosen by the number of pieces. After: Nasu, efficiently updatable neural networks for shogi (2018).

mod accumulators;
mod embedded;
mod file;
mod rules;
mod simd;
#[cfg(test)]
mod tests;
mod view;

pub(super) use accumulators::Accumulators;
pub use embedded::embedded;
pub use file::BadNet;
pub use rules::fingerprint;
pub use view::View;

use super::{Odds, Score};
use simd::Kernels;
use std::fmt;
use std::sync::Arc;

/// What 1 is in the first layer.
pub const INNER: i32 = 255;
/// What 1 is in the output weights.
pub const OUTER: i32 = 64;
/// Largest weight of the first layer, so that a sum of 72 pieces' weights stays inside 16 bits.
pub const MOST_INNER: i16 = 400;
/// Largest weight of an output row: times [`INNER`] it stays inside 16 bits.
pub const MOST_OUTER: i16 = 127;
/// Sizes of the first layer that there are kernels for.
pub const HIDDEN: [usize; 4] = [32, 64, 128, 256];

/// The measures of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Playable squares of the board.
    pub squares: usize,
    /// Width of the first layer, one of [`HIDDEN`].
    pub hidden: usize,
    /// Output rows.
    pub buckets: usize,
    /// Pieces at the start of a game: the last output row serves this many and more.
    pub pieces: usize,
}

impl Shape {
    /// Inputs of one view.
    pub fn inputs(&self) -> usize {
        4 * self.squares
    }

    /// The output row for a number of pieces.
    #[inline(always)]
    pub fn bucket(&self, count: u32) -> usize {
        (count.max(1) as usize - 1).min(self.pieces - 1) * self.buckets / self.pieces
    }
}

/// A network's numbers, as they are trained and kept in files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// First layer: for each input a row of `hidden` numbers.
    pub first: Vec<i16>,
    /// What the first layer starts from.
    pub bias: Vec<i16>,
    /// For each output row `hidden` numbers for the mover's view, then as many for the other.
    pub output: Vec<i16>,
    /// One number for each output row, in units of 1 / (`INNER` * `OUTER`).
    pub output_bias: Vec<i32>,
    /// Hundredths of a man for an output of 1.
    pub scale: i32,
}

/// A network for one set of rules.
pub struct Net {
    /// Its measures.
    pub shape: Shape,
    /// The [`fingerprint`] of the rules it was trained for.
    pub rules: u64,
    /// How it came about, for people.
    pub text: String,
    /// What its scores mean for the result.
    pub odds: Odds,
    weights: Weights,
    kernels: Kernels,
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net").field("shape", &self.shape).field("text", &self.text).finish_non_exhaustive()
    }
}

impl Net {
    /// Puts a network together; checks sizes and bounds.
    pub fn new(shape: Shape, rules: u64, text: String, odds: Odds, weights: Weights) -> Result<Net, BadNet> {
        file::check(&shape, &weights)?;
        let kernels = Kernels::best(shape.hidden).ok_or(BadNet::Hidden(shape.hidden))?;
        Ok(Net { shape, rules, text, odds, weights, kernels })
    }

    /// Its numbers.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The score for the side to move, from the first layer's sums of its own view and of the other.
    #[inline(always)]
    fn output(&self, own: &[i16], other: &[i16], count: u32) -> Score {
        let bucket = self.shape.bucket(count);
        let hidden = self.shape.hidden;
        let row = &self.weights.output[bucket * 2 * hidden..(bucket + 1) * 2 * hidden];
        let (mine, theirs) = row.split_at(hidden);
        let sum = (self.kernels.output)(own, mine) + (self.kernels.output)(other, theirs);
        let output = sum / i64::from(INNER) + i64::from(self.weights.output_bias[bucket]);
        (output * i64::from(self.weights.scale) / i64::from(INNER * OUTER)) as Score
    }
}

/// Which evaluation an engine uses.
#[derive(Clone, Debug, Default)]
pub enum Choice {
    /// The network inside the program for the rules played; without one the hand-made evaluation.
    #[default]
    BuiltIn,
    /// The hand-made evaluation.
    HandMade,
    /// This network where it fits the rules played, otherwise as [`Choice::BuiltIn`].
    Given(Arc<Net>),
}

impl PartialEq for Choice {
    fn eq(&self, other: &Choice) -> bool {
        match (self, other) {
            (Choice::BuiltIn, Choice::BuiltIn) | (Choice::HandMade, Choice::HandMade) => true,
            (Choice::Given(one), Choice::Given(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }
}

impl Choice {
    /// Whether a network was given that is of no use under these rules.
    pub fn is_idle(&self, set: &crate::game::rules::RuleSet) -> bool {
        matches!(self, Choice::Given(net) if net.fits(set).is_err())
    }

    /// The network to use under these rules, if any.
    pub fn net(&self, set: &crate::game::rules::RuleSet) -> Option<Arc<Net>> {
        match self {
            Choice::HandMade => None,
            Choice::Given(net) if net.fits(set).is_ok() => Some(net.clone()),
            _ => embedded(set),
        }
    }
}
