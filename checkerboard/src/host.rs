//! What is remembered between the calls of CheckerBoard, and the two calls about moves.

use crate::clock;
use crate::game_type::GameType;
use crate::layout::{CbMove, Cells, Verdict};
use crate::position::{self, BadPosition};
use crate::status::Status;
use damka::engine::{self, Answer, Engine, Info, Limits, Report, Settings, Signals};
use damka::game::Game;
use damka::game::board::Color;
use damka::game::plain::{Outcome, PlainMove, Setup, State};
use std::ffi::c_int;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often a search looks whether the user wants the move now.
const GLANCE: Duration = Duration::from_millis(10);

/// Stack of the search thread, in bytes.
const STACK: usize = 8 << 20;

/// CheckerBoard's side of a running search.
pub trait Gui {
    /// Shows a line of text.
    fn show(&mut self, text: &str);
    /// Whether the move is wanted now.
    fn play_now(&mut self) -> bool;
}

/// What `getmove` is asked.
#[derive(Clone, Debug)]
pub struct Question {
    pub cells: Cells,
    pub color: c_int,
    /// Seconds.
    pub maxtime: f64,
    pub info: c_int,
    pub moreinfo: c_int,
}

/// What `getmove` answers: the board and the move only when there is one.
#[derive(Clone, Debug)]
pub struct Reply {
    pub verdict: Verdict,
    pub played: Option<(Cells, CbMove)>,
}

const NOTHING: Reply = Reply { verdict: Verdict::Unknown, played: None };

/// The choices of the user and the game so far.
pub struct Desk {
    pub game: GameType,
    pub settings: Settings,
    /// Show a score for every move.
    pub all_scores: bool,
    /// The game as CheckerBoard told it, for the next move.
    pub told: Option<Game>,
    /// The game after the last move played here, for callers that tell nothing.
    seen: Option<Game>,
}

/// Everything that lives as long as the library is loaded.
pub struct Host {
    desk: Mutex<Desk>,
    /// Apart from the desk, so that questions are answered while it thinks.
    engine: Mutex<Option<Engine>>,
}

/// The settings before the user changes any. One thread: it is gone when a call returns, and the library may be unloaded
/// between calls.
pub fn settings() -> Settings {
    Settings {
        hash_mb: 64,
        threads: 1,
        multi_pv: 1,
        move_overhead_ms: 5,
        tables: engine::TableChoice::Cache,
        ..Settings::default()
    }
}

impl Host {
    /// Plays a game.
    pub fn new(game: GameType) -> Host {
        let desk = Desk { game, settings: settings(), all_scores: false, told: None, seen: None };
        Host { desk: Mutex::new(desk), engine: Mutex::new(None) }
    }

    /// The choices; held for moments only.
    pub fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the move between two squares, by CheckerBoard's numbers, is legal. Of several captures between the same
    /// squares the first is given: the interface has no way to tell which one is meant.
    pub fn is_legal(&self, cells: &Cells, color: c_int, from: c_int, to: c_int) -> Option<CbMove> {
        let game_type = self.desk().game;
        let setup = position::read(game_type, cells, position::side(color).ok()?).ok()?;
        let game = Game::from_setup(game_type.rules(), &setup).ok()?;
        let mv = position::between(&game, game_type, from, to).into_iter().next()?;
        Some(position::record(&setup, game_type, &mv))
    }

    /// Chooses a move.
    pub fn get_move(&self, question: &Question, gui: &mut dyn Gui) -> Reply {
        let (game_type, settings, all_scores, found) = {
            let mut desk = self.desk();
            let found = desk.game_for(question);
            (desk.game, desk.settings.clone(), desk.all_scores, found)
        };
        let game = match found {
            Ok(game) => game,
            Err(BadPosition(message)) => {
                gui.show(&message);
                return NOTHING;
            }
        };
        let moves = game.moves();
        if moves.is_empty() {
            gui.show("the game is over");
            return Reply { verdict: verdict(game.state(), game.side(), 0), played: None };
        }
        let multi_pv = if all_scores { moves.len() } else { 1 };
        let settings = Settings { multi_pv, ..settings };
        let limits = clock::limits(question.maxtime, question.info, question.moreinfo);
        let forget = question.info & clock::NEW_GAME != 0;
        let mut status = Status::new(game_type, all_scores);
        let answer = self.think(&game, &limits, settings, forget, &mut status, gui);
        let score = answer.info.as_ref().map_or(0, |info| info.score);
        let mv = answer.best.unwrap_or_else(|| moves[0].clone());
        self.finish(game, game_type, &mv, score, question)
    }

    fn think(
        &self,
        game: &Game,
        limits: &Limits,
        settings: Settings,
        forget: bool,
        status: &mut Status,
        gui: &mut dyn Gui,
    ) -> Answer {
        let mut slot = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let mut engine = slot.take().unwrap_or_else(|| Engine::new(settings.clone()));
        engine.configure(&settings);
        if forget {
            engine.clear();
        }
        let game = afresh(game);
        let signals = Signals::default();
        let (sender, reports) = mpsc::channel();
        thread::scope(|scope| {
            let search = || {
                let answer = engine.go(&game, limits, &signals, &Wire(sender));
                (engine, answer)
            };
            // Without a thread, or after a fault of the search, any legal move has to do; the next call starts anew.
            let Ok(thread) = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search) else {
                return Answer::default();
            };
            loop {
                match reports.recv_timeout(GLANCE) {
                    Ok(info) => gui.show(&status.take(info)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if gui.play_now() {
                    signals.stop();
                }
            }
            thread.join().map_or_else(
                |_| Answer::default(),
                |(engine, answer)| {
                    *slot = Some(engine);
                    answer
                },
            )
        })
    }

    fn finish(&self, mut game: Game, game_type: GameType, mv: &PlainMove, score: i32, question: &Question) -> Reply {
        let record = position::record(&game.setup(), game_type, mv);
        let side = game.side();
        if game.play(mv).is_err() {
            return NOTHING;
        }
        let mut cells = question.cells;
        position::write(game_type, &game.setup(), &mut cells);
        let verdict = verdict(game.state(), side, score);
        let mut desk = self.desk();
        if desk.game == game_type {
            desk.seen = Some(game);
        }
        Reply { verdict, played: Some((cells, record)) }
    }
}

impl Desk {
    /// Changes the game; what was told of another one is void.
    pub fn choose(&mut self, game: GameType) {
        self.game = game;
        self.told = None;
        self.seen = None;
    }

    /// The game that a question is about: the one told just before, or the one seen last with one more move, or only the
    /// board.
    fn game_for(&mut self, question: &Question) -> Result<Game, BadPosition> {
        let side = position::side(question.color)?;
        let setup = position::read(self.game, &question.cells, side)?;
        let (told, seen) = (self.told.take(), self.seen.take());
        if let Some(game) = told.filter(|game| same(&game.setup(), &setup)) {
            return Ok(game);
        }
        if question.info & clock::NEW_GAME == 0
            && let Some(game) = seen.and_then(|game| one_more(&game, &setup))
        {
            return Ok(game);
        }
        Game::from_setup(self.game.rules(), &setup).map_err(|error| BadPosition(error.to_string()))
    }
}

fn same(one: &Setup, other: &Setup) -> bool {
    one.side == other.side && one.cells == other.cells
}

/// The game with the one move more that leads to a position, if there is one.
fn one_more(game: &Game, to: &Setup) -> Option<Game> {
    game.moves().iter().find_map(|mv| {
        let mut next = game.clone();
        next.play(mv).ok()?;
        same(&next.setup(), to).then_some(next)
    })
}

/// The game to search: one that its history has drawn goes on as if the counts began here.
fn afresh(game: &Game) -> Game {
    if game.state() == State::Ongoing {
        return game.clone();
    }
    let mut setup = game.setup();
    setup.memory.quiet_plies = 0;
    setup.memory.ending_plies = 0;
    Game::from_setup(game.variant().clone(), &setup).unwrap_or_else(|_| game.clone())
}

/// The result as `side` sees it, from the rules or from a proved score.
fn verdict(state: State, side: Color, score: i32) -> Verdict {
    match state {
        State::Over(Outcome::Draw, _) => Verdict::Draw,
        State::Over(Outcome::Win(winner), _) if winner == side => Verdict::Win,
        State::Over(..) => Verdict::Loss,
        State::Ongoing => match engine::Verdict::of(score) {
            engine::Verdict::Cp(_) => Verdict::Unknown,
            engine::Verdict::End { won: true, .. } => Verdict::Win,
            engine::Verdict::End { won: false, .. } => Verdict::Loss,
        },
    }
}

/// Carries reports from the search to the calling thread, which alone may touch the caller's memory.
struct Wire(Sender<Info>);

impl Report for Wire {
    fn info(&self, info: &Info) {
        // Nobody listens any more when the call is over.
        let _ = self.0.send(info.clone());
    }
}
