//! One search on behalf of a client: whatever happens, it ends with exactly one best move.

use super::worker::Control;
use crate::engine::book::{Book, Taste};
use crate::engine::{Answer, Engine, Info, Limits, Report, Settings};
use crate::game::Game;
use crate::game::plain::State;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// How one protocol tells of a search.
pub trait Voice: Send + Sync {
    /// News while the search runs.
    fn info(&self, game: &Game, info: &Info);
    /// Something a person may want to know.
    fn note(&self, _text: &str) {}
    /// There is nothing to search: the position has no move.
    fn ended(&self, game: &Game);
    /// The game is drawn by its history and searched all the same.
    fn drawn(&self, game: &Game);
    /// The search broke down.
    fn failed(&self);
    /// The answer; `finish` is called before its last line, from which on the next search is welcome.
    fn best(&self, game: &Game, answer: &Answer, finish: &dyn Fn());
}

/// A search and all it needs.
pub struct Search {
    /// The position, with the moves that led to it.
    pub game: Game,
    /// When to end.
    pub limits: Limits,
    /// Who tells of it.
    pub voice: Box<dyn Voice>,
    /// Who thinks. Only one search at a time holds it.
    pub engine: Arc<Mutex<Engine>>,
    /// For a new engine, should this one fail.
    pub settings: Settings,
    /// A book to play from.
    pub book: Option<(Arc<Book>, Taste)>,
}

/// Passes on what the engine reports.
struct Teller<'a> {
    game: &'a Game,
    voice: &'a dyn Voice,
}

impl Report for Teller<'_> {
    fn info(&self, info: &Info) {
        self.voice.info(self.game, info);
    }

    fn note(&self, text: &str) {
        self.voice.note(text);
    }
}

impl Search {
    /// Searches, waits for the client where the protocol says so, and tells the best move.
    pub fn run(self, control: &Control) {
        let answer = if self.game.moves().is_empty() {
            self.voice.ended(&self.game);
            Answer::default()
        } else {
            self.book_answer().unwrap_or_else(|| self.think(control))
        };
        if self.limits.infinite || self.limits.ponder {
            control.wait_for_client(!self.limits.infinite);
        }
        self.voice.best(&self.game, &answer, &|| control.finish());
    }

    /// A move of the book, when there is one and the client wants just a move.
    fn book_answer(&self) -> Option<Answer> {
        let limits = &self.limits;
        let analysis = limits.infinite || limits.ponder || limits.mate.is_some() || self.settings.multi_pv > 1;
        if analysis || !limits.search_moves.is_empty() {
            return None;
        }
        let (book, taste) = self.book.as_ref()?;
        let answer = book.choose(&self.game, *taste, RandomState::new().build_hasher().finish())?;
        if let Some(info) = &answer.info {
            self.voice.info(&self.game, info);
        }
        Some(answer)
    }

    fn think(&self, control: &Control) -> Answer {
        let game = self.played_on();
        let teller = Teller { game: &game, voice: &*self.voice };
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let thinking = catch_unwind(AssertUnwindSafe(|| engine.go(&game, &self.limits, control.signals(), &teller)));
        let mut answer = thinking.unwrap_or_else(|_| {
            self.voice.failed();
            *engine = Engine::new(self.settings.clone());
            Answer::default()
        });
        if answer.best.is_none() {
            let first = self.limits.search_moves.first().cloned();
            answer.best = first.or_else(|| game.moves().into_iter().next());
        }
        if answer.info.is_none() {
            answer.info = Some(at_a_glance(&engine, &game, &answer));
        }
        answer
    }

    /// The game to search. A game drawn by its history is searched as if the counts began here: the client knows that it
    /// is drawn and asks for a move all the same.
    fn played_on(&self) -> Game {
        if self.game.state() == State::Ongoing {
            return self.game.clone();
        }
        self.voice.drawn(&self.game);
        self.game.counted_anew()
    }
}

/// What can be said of a search that was stopped before it had finished one ply.
fn at_a_glance(engine: &Engine, game: &Game, answer: &Answer) -> Info {
    let score = engine.evaluate(game).total;
    Info::unsearched(score, answer.best.iter().cloned().collect())
}
