//! Whether one evaluation plays better than another: pairs of games at fixed nodes inside the program, with a sequential test.

use super::game::{Deaf, MOST_PLIES};
use super::random::Random;
use crate::engine::net::Choice;
use crate::engine::{Engine, Limits, Settings, Signals};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{Outcome, Setup, State};
use crate::game::variant::Variant;
use crate::tools::arena::generate::{level_positions, usual_depth};
use crate::tools::arena::sprt::{Decision, Sprt};
use crate::tools::arena::stats::Pentanomial;
use crate::tools::common::ordered;
use std::sync::Arc;

/// Table of each player in MiB; emptied before each game.
const HASH_MB: usize = 2;
/// Plies of the openings.
const OPENING_PLIES: u32 = 3;

/// A match between two evaluations.
pub struct Gate {
    /// The rules.
    pub variant: Arc<Variant>,
    /// Nodes of each search.
    pub nodes: u64,
    /// Decides the order of the openings.
    pub seed: u64,
    /// Most pairs of games.
    pub pairs: u32,
    /// Pairs at the same time.
    pub threads: usize,
}

impl Gate {
    /// Plays until the test decides, the pairs are used up, or it is enough. Gives the first one's pairs and the decision.
    pub fn play(
        &self,
        first: &Choice,
        second: &Choice,
        test: &Sprt,
        enough: &(dyn Fn() -> bool + Sync),
    ) -> (Pentanomial, Decision) {
        let openings = self.openings();
        let player = || {
            let engine = |evaluation: &Choice| {
                Engine::new(Settings { hash_mb: HASH_MB, evaluation: evaluation.clone(), ..Settings::default() })
            };
            let mut engines = [engine(first), engine(second)];
            let openings = &openings;
            move |pair: u32| {
                let opening = &openings[pair as usize % openings.len()];
                let mut points = 0;
                for white in 0..2 {
                    if enough() {
                        return None;
                    }
                    points += self.game(opening, &mut engines, white);
                }
                Some(points)
            }
        };
        let mut pairs = Pentanomial::default();
        // The only "error" is that the test has decided.
        let decided = ordered::run(self.threads, 0..self.pairs, player, |points: usize| {
            pairs.add(points);
            match test.decide(&pairs) {
                Decision::Continue => Ok(()),
                decision => Err(decision),
            }
        });
        (pairs, decided.err().unwrap_or(Decision::Continue))
    }

    fn openings(&self) -> Vec<Setup> {
        let depth = usual_depth(&self.variant.set);
        let mut openings = level_positions(&self.variant, OPENING_PLIES, depth, self.seed);
        if openings.is_empty() {
            openings.push(Setup::start(&self.variant));
        }
        let mut random = Random::new(self.seed, 0x6f70_656e);
        for last in (1..openings.len()).rev() {
            openings.swap(last, random.below(last + 1));
        }
        openings
    }

    /// Half points of the first engine; engine number `white` has White.
    fn game(&self, opening: &Setup, engines: &mut [Engine; 2], white: usize) -> usize {
        engines.iter_mut().for_each(Engine::clear);
        let mut game = Game::from_setup(self.variant.clone(), opening).expect("openings are sound");
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let outcome = loop {
            if let State::Over(outcome, _) = game.state() {
                break outcome;
            }
            if game.plies() >= MOST_PLIES {
                break Outcome::Draw;
            }
            let mover = if game.side() == Color::White { white } else { 1 - white };
            let answer = engines[mover].go(&game, &limits, &Signals::default(), &Deaf);
            game.play(&answer.best.expect("the game goes on")).expect("a legal move");
        };
        match outcome {
            Outcome::Draw => 1,
            Outcome::Win(winner) => 2 * usize::from((winner == Color::White) == (white == 0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Engine against itself: every pair is even, since both play the same moves with either colour.
    #[test]
    fn an_evaluation_is_as_good_as_itself() {
        let variant = Variant::find("english").expect("built in");
        let gate = Gate { variant, nodes: 60, seed: 1, pairs: 6, threads: 2 };
        let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        let (pairs, decision) = gate.play(&Choice::HandMade, &Choice::HandMade, &test, &|| false);
        assert_eq!(pairs.0, [0, 0, 6, 0, 0]);
        assert_eq!(decision, Decision::Continue);
    }
}
