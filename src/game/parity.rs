//! What can be said about a long capture by short jumps without making it: every square on its way is entered as often
//! as it is left.
//!
//! Each captured piece joins the two squares on either side of it. So, counted modulo 2, the joined pairs of all captured
//! pieces add up to the start plus the end: a linear condition over GF(2), in which a piece that can be jumped along
//! several lines leaves a choice. After: Euler's theorem on trails, as used for the Chinese postman problem.

use super::board::{Bits, OPPOSITE, Word};
use super::walk::Walk;

/// The lines along which each piece can be jumped.
pub(super) struct Lines<W> {
    pieces: Vec<Piece<W>>,
}

struct Piece<W> {
    bit: W,
    /// The two squares of its first line.
    first: W,
    /// First line against each other line.
    choices: Vec<W>,
}

impl<W: Word> Lines<W> {
    /// The lines of `prey` for a short jumper.
    pub(super) fn new(walk: &Walk<W>, king: bool, prey: W) -> Lines<W> {
        let directions = walk.directions(king);
        let free = walk.free(W::ZERO);
        let piece = |index: u8| {
            let bit = W::bit(index);
            let lines: Vec<W> = [0, 1, 4, 6]
                .into_iter()
                .filter(|&d| directions.has(d) || directions.has(OPPOSITE[d]))
                .map(|d| (walk.step(bit, d) & free, walk.step(bit, OPPOSITE[d]) & free))
                .filter(|(a, b)| !a.is_empty() && !b.is_empty())
                .map(|(a, b)| a | b)
                .collect();
            let first = *lines.first()?;
            Some(Piece { bit, first, choices: lines[1..].iter().map(|&line| line ^ first).collect() })
        };
        Lines { pieces: Bits(prey).filter_map(piece).collect() }
    }

    /// The squares, among `candidates`, on which a capture of exactly `wanted` from `at` could end.
    pub(super) fn ends(&self, at: W, wanted: W, candidates: W) -> W {
        let mut space = Space { basis: Vec::new() };
        let mut sum = at;
        for piece in self.pieces.iter().filter(|piece| piece.bit.meets(wanted)) {
            sum = sum ^ piece.first;
            piece.choices.iter().for_each(|&choice| space.add(choice));
        }
        let sum = space.reduce(sum);
        Bits(candidates).map(W::bit).filter(|&end| space.reduce(end) == sum).fold(W::ZERO, |all, end| all | end)
    }
}

/// A vector space over GF(2), by a basis whose vectors lack the lowest bits of all vectors before them.
struct Space<W> {
    basis: Vec<W>,
}

impl<W: Word> Space<W> {
    fn reduce(&self, vector: W) -> W {
        self.basis.iter().fold(vector, |rest, &base| if rest.meets(W::bit(base.lowest())) { rest ^ base } else { rest })
    }

    fn add(&mut self, vector: W) {
        let rest = self.reduce(vector);
        if !rest.is_empty() {
            self.basis.push(rest);
        }
    }
}
