//! One search on behalf of a client: whatever happens, it ends with exactly one best move.

use super::output::Output;
use super::print::{self, Look};
use super::worker::Control;
use crate::engine::{Answer, Engine, Info, Limits, Report, Settings};
use crate::game::Game;
use crate::game::plain::{Outcome, State};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// A search and all it needs.
pub struct Search {
    /// The position, with the moves that led to it.
    pub game: Game,
    /// When to end.
    pub limits: Limits,
    /// How to print.
    pub look: Look,
    /// Where to print.
    pub output: Output,
    /// Who thinks. Only one search at a time holds it.
    pub engine: Arc<Mutex<Engine>>,
    /// For a new engine, should this one fail.
    pub settings: Settings,
}

/// Prints what the engine reports.
struct Printer<'a> {
    game: &'a Game,
    look: Look,
    output: &'a Output,
}

impl Report for Printer<'_> {
    fn info(&self, info: &Info) {
        self.output.line(&print::info(self.game, info, self.look));
    }
}

impl Search {
    /// Searches, waits for the client where the protocol says so, and prints the best move.
    pub fn run(self, control: &Control) {
        let answer = if self.game.moves().is_empty() {
            self.say_why_not();
            Answer::default()
        } else {
            self.think(control)
        };
        if self.limits.infinite || self.limits.ponder {
            control.wait_for_client(!self.limits.infinite);
        }
        let line = print::best(&self.game, &answer, self.look.format);
        control.finish();
        self.output.line(&line);
    }

    /// There is no move: says how the game stands.
    fn say_why_not(&self) {
        let state = self.game.state();
        let score = if matches!(state, State::Over(Outcome::Draw, _)) { "cp 0" } else { "mate 0" };
        self.output.line(&format!("info depth 0 score {score}"));
        self.output.line(&format!("info string {}", print::state(state)));
    }

    fn think(&self, control: &Control) -> Answer {
        let game = self.played_on();
        let printer = Printer { game: &game, look: self.look, output: &self.output };
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let thinking = catch_unwind(AssertUnwindSafe(|| engine.go(&game, &self.limits, control.signals(), &printer)));
        let mut answer = thinking.unwrap_or_else(|_| {
            self.output.error("the search failed, expected it never to; this is a fault of the program");
            *engine = Engine::new(self.settings.clone());
            Answer::default()
        });
        if answer.best.is_none() {
            let first = self.limits.search_moves.first().cloned();
            answer.best = first.or_else(|| game.moves().into_iter().next());
        }
        answer
    }

    /// The game to search. A game drawn by its history is searched as if the counts began here: the client knows that it
    /// is drawn and asks for a move all the same.
    fn played_on(&self) -> Game {
        if self.game.state() == State::Ongoing {
            return self.game.clone();
        }
        self.output.line(&format!("info string {}", print::state(self.game.state())));
        let mut setup = self.game.setup();
        setup.memory.quiet_plies = 0;
        setup.memory.ending_plies = 0;
        Game::from_setup(self.game.variant().clone(), &setup).unwrap_or_else(|_| self.game.clone())
    }
}
