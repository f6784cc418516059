//! The conversation with one client: what is in force now, and what each command does to it.

use super::command::{self, COMMANDS, Command, Position};
use super::diagram::{self, Look};
use super::go::GoWords;
use super::hub;
use super::json;
use super::options::{self, Choices, Effect};
use super::output::Output;
use super::perft::{self, PerftWords};
use super::print::{self, UciVoice};
use super::reader::{Line, Lines};
use super::refused::Refused;
use super::search::{Search, Voice};
use super::shelf::Shelf;
use super::start::{read_net, read_rules, room_for};
use super::worker::Worker;
use crate::engine::net::embedded;
use crate::engine::{Engine, Limits, Signals};
use crate::game::Game;
use crate::game::plain::PlainMove;
use crate::game::variant::Variant;
use crate::notation::{fen, movetext};
use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The benchmark: its depth, when to end early, and where to put its lines. Given by the program, because it lives in a
/// room above this one.
pub type Bench = fn(depth: Option<u32>, signals: &Signals, say: &mut dyn FnMut(&str));

/// How long a search may take to say its last word when the program ends.
const PATIENCE: Duration = Duration::from_millis(700);

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// On to the next line.
    On,
    /// The client has said goodbye.
    Quit,
    /// The client speaks Hub from here on.
    Hub,
}

/// One conversation, in UCI. The Hub protocol speaks over the same one.
pub struct Session {
    pub(super) output: Output,
    /// As at the start: what the answer to `uci` shows.
    pub(super) defaults: Choices,
    pub(super) choices: Choices,
    pub(super) game: Game,
    engine: Option<Arc<Mutex<Engine>>>,
    pub(super) worker: Worker,
    bench: Option<Bench>,
    book: Shelf,
    look: Look,
}

impl Session {
    /// A conversation that starts with these choices, in their starting position.
    pub fn new(choices: Choices, output: Output, bench: Option<Bench>) -> Session {
        let game = Game::new(choices.variant.clone());
        Session {
            output,
            defaults: choices.clone(),
            choices,
            game,
            engine: None,
            worker: Worker::default(),
            bench,
            book: Shelf::default(),
            look: Look::Plain,
        }
    }

    /// Draws boards for people from now on, as well as their place can show them.
    pub fn draw_for(&mut self, look: Look) {
        self.look = look;
    }

    /// Talks until `quit` or the end of input, in Hub from the line `hub` on. Bad input is answered and changes nothing.
    pub fn run(&mut self, input: impl BufRead) {
        let mut lines = Lines::new(input);
        self.talk(&mut lines);
        self.worker.leave(PATIENCE);
    }

    /// Talks in Hub until `quit` or the end of input.
    pub fn run_hub(&mut self, input: impl BufRead) {
        hub::Talk::new(self).run(&mut Lines::new(input));
        self.worker.leave(PATIENCE);
    }

    fn talk(&mut self, lines: &mut Lines<impl BufRead>) {
        // Input that cannot be read any more has ended.
        while let Ok(Some(line)) = lines.next_line() {
            match self.hear(&line) {
                Ok(Flow::On) => {}
                Ok(Flow::Quit) => break,
                Ok(Flow::Hub) => {
                    let mut talk = hub::Talk::new(self);
                    talk.introduce();
                    return talk.run(lines);
                }
                Err(refused) => self.output.error(&refused.to_string()),
            }
        }
    }

    /// Carries out some commands as if the client had sent nothing else, and waits for the last of them. Says whether all
    /// went well; a refusal is told on stderr and, when `told` says so, as the protocol tells it; the rest is then left out.
    pub fn once(&mut self, commands: Vec<Command>, told: bool) -> bool {
        for command in commands {
            if let Err(refused) = self.carry_out(command) {
                complain(&refused);
                if told {
                    self.output.error(&refused.to_string());
                }
                return false;
            }
            self.worker.wait();
        }
        true
    }

    fn hear(&mut self, line: &Line) -> Result<Flow, Refused> {
        match line {
            Line::TooLong { bytes } => Err(Refused::TooLong(*bytes)),
            Line::NotUtf8 { place, byte } => Err(Refused::NotUtf8 { place: *place, byte: *byte }),
            Line::Text(text) => {
                self.output.note(text);
                command::parse(text)?.map_or(Ok(Flow::On), |command| self.carry_out(command))
            }
        }
    }

    /// Does what a command asks for.
    pub fn carry_out(&mut self, command: Command) -> Result<Flow, Refused> {
        match command {
            Command::Quit => return Ok(Flow::Quit),
            Command::Hub => return self.idle("hub").map(|_| Flow::Hub),
            Command::Stop => self.worker.stop(),
            Command::PonderHit => self.worker.hit(),
            Command::IsReady => self.ready(),
            Command::Uci => self.introduce(),
            Command::Help => self.help(),
            Command::Variants { json } => self.variants(json),
            Command::Draw => self.output.line(&diagram::position(&self.game, self.choices.format, self.look)),
            Command::Legal { json } => self.legal(json),
            Command::NewGame => self.idle("ucinewgame")?.clear(),
            Command::SetOption { name, value } => {
                let session = self.idle("setoption")?;
                let idle = |choices: &Choices| choices.engine.evaluation.is_idle(&choices.variant.set);
                let before = idle(&session.choices);
                session.set_option(&name, value.as_deref())?;
                if idle(&session.choices) && !before {
                    session
                        .output
                        .line("info string the network of EvalFile is for other rules and not used for these");
                }
            }
            Command::Position(position) => self.idle("position")?.set_position(&position)?,
            Command::Probe { json } => self.idle("probe")?.probe(json)?,
            Command::Eval => self.idle("eval")?.eval(),
            Command::Go(words) => self.idle("go")?.go(words)?,
            Command::Perft(words) => self.idle("perft")?.perft(words),
            Command::Bench(depth) => self.idle("bench")?.run_bench(depth)?,
        }
        Ok(Flow::On)
    }

    /// Refuses what cannot be done beside a search. After `stop` the search is waited for.
    pub(super) fn idle(&mut self, what: &'static str) -> Result<&mut Session, Refused> {
        if self.worker.busy() { Err(Refused::Busy(what)) } else { Ok(self) }
    }

    /// The engine, made when it is first needed, so that the program starts at once.
    fn engine(&mut self) -> Arc<Mutex<Engine>> {
        let settings = &self.choices.engine;
        self.engine.get_or_insert_with(|| Arc::new(Mutex::new(Engine::new(settings.clone())))).clone()
    }

    /// Calls the engine, when there is one yet. Only while nothing searches.
    fn with_engine(&self, act: impl FnOnce(&mut Engine)) {
        if let Some(engine) = &self.engine {
            act(&mut engine.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    pub(super) fn clear(&mut self) {
        self.with_engine(Engine::clear);
    }

    fn ready(&mut self) {
        self.prepare();
        self.output.line("readyok");
    }

    /// Makes tables and threads ready, unless a search has them.
    pub(super) fn prepare(&mut self) {
        if !self.worker.busy() {
            self.engine();
            self.with_engine(|engine| engine.prepare_for(&self.game));
        }
    }

    fn introduce(&self) {
        let mut lines =
            vec![format!("id name damka {}", env!("CARGO_PKG_VERSION")), "id author the damka developers".to_string()];
        lines.extend(options::listings(&self.defaults));
        lines.push("uciok".to_string());
        self.output.line(&lines.join("\n"));
    }

    fn help(&self) {
        let width = COMMANDS.iter().map(|row| row.usage.len()).max().unwrap_or(0);
        let lines: Vec<String> = COMMANDS.iter().map(|row| format!("{:width$}  {}", row.usage, row.help)).collect();
        self.output.line(&lines.join("\n"));
    }

    fn variants(&self, json: bool) {
        if json {
            return self.output.line(&format!("{:#}", json::variants()));
        }
        let row = |v: &Arc<Variant>| {
            let judged = if embedded(&v.set).is_some() { "" } else { "; hand-made evaluation" };
            format!("{:18} {} ({}){judged}", v.id, v.title, v.aliases.join(", "))
        };
        let lines: Vec<String> = Variant::all().iter().map(row).collect();
        self.output.line(&lines.join("\n").replace(" ()", ""));
    }

    fn legal(&self, json: bool) {
        if json {
            return self.output.line(&json::position(&self.game).to_string());
        }
        let mut lines = self.choices.format.all(&self.game);
        lines.push(format!("legal {} state {}", lines.len(), print::state(self.game.state())));
        self.output.line(&lines.join("\n"));
    }

    /// All or nothing: what an option brings with it is done first, and only then is the choice kept.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Refused> {
        let mut choices = self.choices.clone();
        let effect = options::set(&mut choices, name, value)?;
        match effect {
            Effect::None => {}
            Effect::Clear => self.clear(),
            Effect::Engine => self.configure(&choices)?,
            Effect::LogFile => self
                .output
                .keep_log(&choices.log_file)
                .map_err(|error| Refused::Log { path: choices.log_file.clone(), error })?,
            Effect::BookFile => self.book = Shelf::open(&choices)?,
            Effect::Variant => choices.rules_file.clear(),
            Effect::RulesFile => {}
            Effect::EvalFile => {
                choices.engine.evaluation = read_net(&choices.eval_file, &choices.variant)?;
                self.configure(&choices)?;
            }
        }
        if matches!(effect, Effect::Variant | Effect::RulesFile) {
            // A book is for its own rules.
            (self.book, choices.book_file) = (Shelf::default(), String::new());
            choices.variant = match choices.rules_file.as_str() {
                "" => choices.named.clone(),
                path => read_rules(path)?,
            };
            self.game = Game::new(choices.variant.clone());
        }
        self.choices = choices;
        Ok(())
    }

    fn configure(&mut self, choices: &Choices) -> Result<(), Refused> {
        if choices.engine.hash_mb > self.choices.engine.hash_mb {
            room_for(choices.engine.hash_mb)?;
        }
        self.with_engine(|engine| engine.configure(&choices.engine));
        Ok(())
    }

    fn set_position(&mut self, position: &Position) -> Result<(), Refused> {
        let variant = self.choices.variant.clone();
        let mut game = match &position.fen {
            None => Game::new(variant),
            Some(text) => {
                let setup = fen::read(&variant, text)?;
                Game::from_setup(variant, &setup)?
            }
        };
        for (index, text) in position.moves.iter().enumerate() {
            let mv = read_move(&game, "position", index, text)?;
            game.play(&mv).expect("a move that was read is legal");
        }
        self.game = game;
        Ok(())
    }

    fn eval(&mut self) {
        let engine = self.engine();
        let evaluation = engine.lock().unwrap_or_else(PoisonError::into_inner).evaluate(&self.game);
        let mut lines: Vec<String> =
            evaluation.parts.iter().map(|(name, score)| format!("eval {name} {score:+}")).collect();
        lines.push(format!(
            "eval total {:+} for {}, in hundredths of a man",
            evaluation.total,
            self.game.side().name()
        ));
        self.output.line(&lines.join("\n"));
    }

    fn probe(&mut self, json: bool) -> Result<(), Refused> {
        let engine = self.engine();
        let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
        let probe = engine.probe(&self.game).ok_or(Refused::NoTables)?;
        if json {
            self.output.line(&json::probe(&self.game, &probe).to_string());
        } else {
            let notes = engine.notes().into_iter().map(|note| format!("info string {note}"));
            let lines: Vec<String> = notes.chain(print::probe(&self.game, &probe, self.choices.format)).collect();
            self.output.line(&lines.join("\n"));
        }
        Ok(())
    }

    fn go(&mut self, words: GoWords) -> Result<(), Refused> {
        let mut limits = words.limits;
        let read = |(index, text): (usize, &String)| read_move(&self.game, "go searchmoves", index, text);
        limits.search_moves = words.search_moves.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        limits.handicap = self.choices.handicap(&limits);
        let look = print::Look { format: self.choices.format, show_wdl: self.choices.show_wdl };
        self.search(limits, Box::new(UciVoice { look, output: self.output.clone() }));
        Ok(())
    }

    /// Starts a search of the position now.
    pub(super) fn search(&mut self, limits: Limits, voice: Box<dyn Voice>) {
        let search = Search {
            game: self.game.clone(),
            limits,
            voice,
            engine: self.engine(),
            settings: self.choices.engine.clone(),
            book: self.book.for_search(&self.choices),
        };
        self.worker.start(move |control| search.run(control));
    }

    fn perft(&mut self, words: PerftWords) {
        let (game, output, format) = (self.game.clone(), self.output.clone(), self.choices.format);
        let threads = words.threads.unwrap_or(self.choices.engine.threads);
        self.worker.start(move |control| {
            let since = Instant::now();
            let rows = perft::count(&game, &words, threads, &|| control.signals().stopped());
            let lines = match rows {
                Some(rows) => perft::report(&game, &words, &rows, since.elapsed(), format),
                None => "info string perft stopped".to_string(),
            };
            control.finish();
            output.line(&lines);
        });
    }

    fn run_bench(&mut self, depth: Option<u32>) -> Result<(), Refused> {
        let bench = self.bench.ok_or(Refused::NoBench)?;
        let output = self.output.clone();
        self.worker.start(move |control| bench(depth, control.signals(), &mut |line| output.line(line)));
        Ok(())
    }
}

fn read_move(game: &Game, what: &'static str, index: usize, text: &str) -> Result<PlainMove, Refused> {
    movetext::read(game, text).map_err(|error| Refused::Move { what, number: index + 1, error })
}

/// Tells a person at a terminal what is wrong.
pub fn complain(refused: &Refused) {
    // Nobody may be reading there either.
    let _ = writeln!(std::io::stderr(), "damka: {}", super::words::shortened(&refused.to_string(), 1_000));
}
