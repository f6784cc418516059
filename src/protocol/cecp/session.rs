//! The conversation with xboard.

use super::command::{self, Command};
use super::table::{PASS, Played, Table};
use super::view::{View, shows};
use crate::engine::{Clock, Engine, Info, Limits, Report, Score, Signals, Verdict};
use crate::game::Game;
use crate::game::variant::Variant;
use crate::notation::movetext;
use crate::protocol::options::Choices;
use crate::protocol::output::Output;
use crate::protocol::reader::{Line, Lines};
use crate::protocol::start::room_for;
use crate::protocol::worker::Worker;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a search may take to end with the program.
const PATIENCE: Duration = Duration::from_millis(700);

/// Proved wins are told as this plus the moves to go.
const MATE: Score = 100_000;

/// What the engine does when a move comes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Nothing: the user plays both sides.
    Force,
    /// It answers.
    Play,
    /// It analyses.
    Analyze,
}

/// The times that xboard has set.
#[derive(Clone, Debug, Default)]
struct Times {
    moves: u32,
    gain_ms: i64,
    own_ms: i64,
    other_ms: i64,
    movetime_ms: Option<u64>,
    depth: Option<u32>,
}

/// One conversation.
pub struct Cecp {
    output: Output,
    choices: Choices,
    table: Arc<Mutex<Table>>,
    engine: Arc<Mutex<Engine>>,
    worker: Worker,
    mode: Mode,
    post: bool,
    times: Times,
    /// Counts what makes a running search worthless, so that it does not play its move.
    turn: Arc<AtomicU64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cecp {
    /// A conversation that starts with these choices.
    pub fn new(choices: Choices, output: Output) -> Cecp {
        Cecp {
            table: Arc::new(Mutex::new(Table::new(choices.variant.clone()))),
            engine: Arc::new(Mutex::new(Engine::new(choices.engine.clone()))),
            output,
            choices,
            worker: Worker::default(),
            mode: Mode::Play,
            post: false,
            times: Times { own_ms: 300_000, other_ms: 300_000, ..Times::default() },
            turn: Arc::default(),
        }
    }

    /// Talks until `quit` or the end of input.
    pub fn run(&mut self, input: impl BufRead) {
        let mut lines = Lines::new(input);
        while let Ok(Some(line)) = lines.next_line() {
            let Line::Text(text) = line else {
                self.output.line("Error (not a line of text): ?");
                continue;
            };
            self.output.note(&text);
            match command::parse(&text) {
                Ok(None) => {}
                Ok(Some(Command::Quit)) => break,
                Ok(Some(command)) => self.carry_out(command),
                Err(bad) => self.refuse(bad.reason(), text.trim()),
            }
        }
        self.abort();
        self.worker.leave(PATIENCE);
    }

    fn refuse(&self, reason: &str, text: &str) {
        let text: String = text.chars().filter(|c| !c.is_control()).take(80).collect();
        self.output.line(&format!("Error ({reason}): {text}"));
    }

    fn carry_out(&mut self, command: Command) {
        match command {
            Command::Features => self.features(),
            Command::Ping(id) => self.output.line(&format!("pong {id}")),
            Command::Lift(square) => self.output.line(&lock(&self.table).lift(&square)),
            Command::Put(square) => {
                if lock(&self.table).put(&square) {
                    self.output.line(&format!("choice {}", View::king_letter()));
                }
            }
            Command::Post(post) => self.post = post,
            Command::MoveNow => self.worker.stop(),
            Command::MoveTime(ms) => self.times.movetime_ms = Some(ms),
            Command::Depth(depth) => self.times.depth = Some(depth.max(1)),
            Command::Time(ms) => self.times.own_ms = ms,
            Command::OtherTime(ms) => self.times.other_ms = ms,
            Command::Level { moves, base_ms, gain_ms } => {
                let depth = self.times.depth;
                self.times = Times { moves, gain_ms, own_ms: base_ms, other_ms: base_ms, movetime_ms: None, depth };
            }
            Command::Ignored | Command::Quit => {}
            other => {
                // Whatever follows makes a running search worthless.
                self.abort();
                self.change(other);
            }
        }
    }

    fn change(&mut self, command: Command) {
        match command {
            Command::New => {
                self.mode = Mode::Play;
                self.times.depth = None;
                lock(&self.engine).clear();
                self.start(self.choices.variant.clone());
            }
            Command::Variant(name) => self.variant(&name),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Force | Command::Result => self.force(),
            Command::Exit => self.force(),
            Command::PlayOther => self.mode = Mode::Play,
            Command::Go => {
                self.mode = Mode::Play;
                self.reply();
            }
            Command::Analyze => {
                self.mode = Mode::Analyze;
                self.reply();
            }
            Command::Move(text) => self.user_move(&text),
            Command::Undo => self.take_back(1, "undo"),
            Command::Remove => self.take_back(2, "remove"),
            // More than the machine can give is not asked for again: the table stays as it is.
            Command::Memory(mb) if mb > 0 && room_for(mb).is_ok() => {
                self.choices.engine.hash_mb = mb;
                lock(&self.engine).configure(&self.choices.engine);
            }
            Command::Cores(cores) => {
                self.choices.engine.threads = cores.clamp(1, crate::protocol::options::MAX_THREADS as usize);
                lock(&self.engine).configure(&self.choices.engine);
            }
            _ => {}
        }
    }

    fn features(&self) {
        let names: Vec<&str> =
            Variant::all().iter().filter(|rules| shows(rules)).map(|rules| rules.id.as_str()).collect();
        let lines = [
            "feature done=0".to_string(),
            format!("feature myname=\"damka {}\"", env!("CARGO_PKG_VERSION")),
            format!("feature variants=\"{}\"", names.join(",")),
            "feature setboard=1 usermove=1 ping=1 playother=1 colors=0 sigint=0 sigterm=0 reuse=1 analyze=1"
                .to_string(),
            "feature highlight=1 memory=1 smp=1 debug=1 draw=0 name=0".to_string(),
            "feature done=1".to_string(),
        ];
        self.output.line(&lines.join("\n"));
    }

    /// Ends a search without a move.
    fn abort(&mut self) {
        {
            let _table = lock(&self.table);
            self.turn.fetch_add(1, Ordering::SeqCst);
        }
        self.worker.stop();
        self.worker.wait();
    }

    fn start(&mut self, rules: Arc<Variant>) {
        *lock(&self.table) = Table::new(rules);
    }

    fn force(&mut self) {
        self.mode = Mode::Force;
        lock(&self.table).hand_over();
    }

    fn variant(&mut self, name: &str) {
        match Variant::find(name).filter(|rules| shows(rules)) {
            None => self.refuse("unknown variant", &format!("variant {name}")),
            Some(rules) => {
                // Keep a user's own rules when xboard names what is in force.
                if rules.id != self.choices.variant.id {
                    self.choices.variant = rules;
                }
                let rules = self.choices.variant.clone();
                self.start(rules.clone());
                let setup = lock(&self.table).game().setup();
                self.output.line(&View::new(&rules).setup_line(&setup));
            }
        }
    }

    fn set_board(&mut self, fen: &str) {
        let rules = self.choices.variant.clone();
        let table = View::new(&rules).read(fen).and_then(|setup| Table::from_setup(rules.clone(), &setup).ok());
        match table {
            Some(table) => *lock(&self.table) = table,
            None => self.output.line("tellusererror Illegal position"),
        }
    }

    fn take_back(&mut self, count: usize, what: &str) {
        if !lock(&self.table).take_back(count) {
            self.refuse("no move to take back", what);
        } else if self.mode == Mode::Analyze {
            self.reply();
        }
    }

    fn user_move(&mut self, text: &str) {
        let played = lock(&self.table).play(text);
        match (played, self.mode) {
            (Err(reason), _) => {
                let text: String = text.chars().take(80).collect();
                self.output.line(&format!("Illegal move ({reason}): {text}"));
            }
            (Ok(Played::Part), Mode::Play) => {
                lock(&self.table).pass();
                self.output.line(&format!("move {PASS}"));
            }
            (Ok(Played::Passed), Mode::Play) => go_on(&mut lock(&self.table), &self.output),
            (Ok(Played::Whole), Mode::Play | Mode::Analyze) => self.reply(),
            (Ok(_), _) => {}
        }
    }

    /// Searches and plays, or analyses.
    fn reply(&mut self) {
        let game = {
            let table = lock(&self.table);
            if let Some(result) = table.result().filter(|_| self.mode == Mode::Play) {
                return self.output.line(&result);
            }
            if table.halfway() {
                return;
            }
            table.game().clone()
        };
        let analysing = self.mode == Mode::Analyze;
        let limits = if analysing { Limits { infinite: true, ..Limits::default() } } else { self.limits(&game) };
        let thought = Thought {
            game,
            limits,
            output: self.output.clone(),
            show: self.post || analysing,
            plays: !analysing,
            table: self.table.clone(),
            turn: (self.turn.load(Ordering::SeqCst), self.turn.clone()),
        };
        let (engine, settings) = (self.engine.clone(), self.choices.engine.clone());
        self.worker.start(move |control| {
            let mut engine = lock(&engine);
            let run = catch_unwind(AssertUnwindSafe(|| thought.run(&mut engine, control.signals())));
            if run.is_err() {
                *engine = Engine::new(settings);
                thought.output.line("tellusererror The search failed; this is a fault of the engine");
            }
        });
    }

    fn limits(&self, game: &Game) -> Limits {
        let times = &self.times;
        let own = game.side().index();
        let mut clock = Clock { increment_ms: [times.gain_ms; 2], ..Clock::default() };
        clock.time_ms[own] = times.own_ms;
        clock.time_ms[1 - own] = times.other_ms;
        clock.moves_to_go = (times.moves > 0).then(|| times.moves - (game.plies() / 2 % times.moves as usize) as u32);
        let limits = Limits {
            movetime_ms: times.movetime_ms,
            clock: times.movetime_ms.is_none().then_some(clock),
            depth: times.depth,
            ..Limits::default()
        };
        Limits { handicap: self.choices.handicap(&limits), ..limits }
    }
}

/// One search: what it needs, and where its move goes.
struct Thought {
    game: Game,
    limits: Limits,
    output: Output,
    show: bool,
    plays: bool,
    table: Arc<Mutex<Table>>,
    turn: (u64, Arc<AtomicU64>),
}

impl Thought {
    fn run(&self, engine: &mut Engine, signals: &Signals) {
        let answer = engine.go(&self.game, &self.limits, signals, self);
        let mut table = lock(&self.table);
        if !self.plays || self.turn.1.load(Ordering::SeqCst) != self.turn.0 {
            return;
        }
        let Some(mv) = answer.best.or_else(|| self.game.moves().into_iter().next()) else { return };
        let part = table.begin(&mv);
        say(&table, part, &self.output);
    }
}

impl Report for Thought {
    fn info(&self, info: &Info) {
        if self.show {
            let centis = info.time.as_millis() / 10;
            let pv = movetext::write_line(&self.game, &info.pv).join(" ");
            let score = match Verdict::of(info.score) {
                Verdict::Cp(score) => score,
                Verdict::End { plies, won: true } => MATE + (plies + 1) / 2,
                Verdict::End { plies, won: false } => -MATE - (plies + 1) / 2,
            };
            self.output.line(&format!("{} {score} {centis} {} {pv}", info.depth, info.nodes));
        }
    }
}

/// The next part of the engine's capture, after the user has passed.
fn go_on(table: &mut Table, output: &Output) {
    let part = table.go_on();
    say(table, part, output);
}

/// Sends a part, and the result when it ends the game.
fn say(table: &Table, part: Option<super::parts::Part>, output: &Output) {
    let Some(part) = part else { return };
    let mut lines = vec![format!("move {}", part.text(View::new(table.rules())))];
    if table.halfway() {
        lines.push(format!("telluser The capture goes on: type {PASS} to pass"));
    }
    lines.extend(table.result().filter(|_| !table.halfway()));
    output.line(&lines.join("\n"));
}
