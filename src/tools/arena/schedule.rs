//! Who plays whom, from which opening, with which colour.

use super::shuffle::Shuffle;
use std::ops::Range;

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Number of the game in the match, from 0. Games `2n` and `2n + 1` are a pair.
    pub game: u64,
    /// Number of the opening's turn, from 0.
    pub round: u64,
    /// Numbers of the engines.
    pub white: usize,
    pub black: usize,
    /// Number of the opening.
    pub opening: usize,
}

/// All games of a match. It is the same for the same seed, whatever was played already.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    openings: Vec<usize>,
    rounds: u64,
}

impl Schedule {
    /// Every pair of engines (or only those with the first engine) plays `rounds` pairs of games.
    pub fn new(engines: usize, openings: usize, rounds: u64, round_robin: bool, seed: u64) -> Schedule {
        let others = |a: usize| (a + 1..engines).map(move |b| (a, b));
        let pairings = if round_robin { (0..engines).flat_map(others).collect() } else { others(0).collect() };
        let mut order: Vec<usize> = (0..openings).collect();
        Shuffle::new(seed).shuffle(&mut order);
        Schedule { pairings, openings: order, rounds }
    }

    /// The pairings, the lower number first.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.rounds.saturating_mul(2).saturating_mul(self.pairings.len() as u64)
    }

    /// Number of openings' turns.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The games of some rounds.
    pub fn games_of(&self, rounds: Range<u64>) -> Range<u64> {
        let each = 2 * self.pairings.len() as u64;
        rounds.start.saturating_mul(each)..rounds.end.saturating_mul(each)
    }

    /// A game. All pairings of a round play the same opening, each twice with colours reversed.
    pub fn fixture(&self, game: u64) -> Fixture {
        let pair = game / 2;
        let (a, b) = self.pairings[(pair % self.pairings.len() as u64) as usize];
        let round = pair / self.pairings.len() as u64;
        let opening = self.openings[(round % self.openings.len() as u64) as usize];
        let (white, black) = if game.is_multiple_of(2) { (a, b) } else { (b, a) };
        Fixture { game, round, white, black, opening }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn everyone_meets_everyone_twice_from_each_opening() {
        let schedule = Schedule::new(4, 5, 5, true, 9);
        assert_eq!(schedule.games(), 6 * 5 * 2);
        let fixtures: Vec<Fixture> = (0..schedule.games()).map(|game| schedule.fixture(game)).collect();
        let all: HashSet<_> = fixtures.iter().map(|f| (f.white, f.black, f.opening)).collect();
        assert_eq!(all.len(), fixtures.len());
        let mut colours = HashMap::new();
        for fixture in &fixtures {
            *colours.entry((fixture.white, 'w')).or_insert(0) += 1;
            *colours.entry((fixture.black, 'b')).or_insert(0) += 1;
        }
        assert!(colours.len() == 8 && colours.values().all(|&games| games == 15));
        for pair in fixtures.chunks(2) {
            assert_eq!(
                (pair[0].white, pair[0].black, pair[0].opening),
                (pair[1].black, pair[1].white, pair[1].opening)
            );
        }
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_rest() {
        assert_eq!(Schedule::new(4, 1, 1, false, 0).pairings(), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn the_seed_decides_the_order_of_openings_and_they_come_again() {
        let openings = |seed| -> Vec<usize> {
            let schedule = Schedule::new(2, 20, 40, false, seed);
            (0..80).step_by(2).map(|game| schedule.fixture(game).opening).collect()
        };
        assert_eq!(openings(1), openings(1));
        assert_ne!(openings(1), openings(2));
        assert_eq!(openings(1)[..20], openings(1)[20..]);
    }
}
