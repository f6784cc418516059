//! The conversation with a Hub client, over the session of the program.

use super::command::{self, Command, Level, Mode};
use super::numbering::Numbering;
use super::params::{self, Manners, Setting};
use super::trouble::Trouble;
use super::voice::HubVoice;
use crate::game::Game;
use crate::protocol::Refused;
use crate::protocol::reader::{Line, Lines};
use crate::protocol::session::{Flow, Session};
use crate::protocol::words::shortened;
use std::io::BufRead;
use std::sync::Mutex;
use std::time::Instant;

/// Longest message of an error line, in characters.
const MAX_MESSAGE: usize = 1_000;

/// A conversation in Hub.
pub struct Talk<'s> {
    session: &'s mut Session,
    manners: Manners,
    /// The limits given since the last `pos` or `go`.
    level: Level,
}

impl<'s> Talk<'s> {
    /// A conversation over that session. Nothing is said before the client has spoken.
    pub fn new(session: &'s mut Session) -> Talk<'s> {
        Talk { session, manners: Manners::default(), level: Level::default() }
    }

    /// Talks until `quit` or the end of input. Whatever is wrong is answered and changes nothing.
    pub fn run(&mut self, lines: &mut Lines<impl BufRead>) {
        while let Ok(Some(line)) = lines.next_line() {
            match self.hear(&line) {
                Ok(Flow::Quit) => break,
                Ok(_) => {}
                Err(trouble) => {
                    let message = shortened(&trouble.to_string(), MAX_MESSAGE).replace('"', "'");
                    self.session.output.line(&format!("error message=\"{message}\""));
                }
            }
        }
    }

    /// Says who speaks and declares the parameters.
    pub fn introduce(&mut self) {
        let output = &self.session.output;
        let id = format!("id name=damka version={} author=\"the damka developers\"", env!("CARGO_PKG_VERSION"));
        for line in [id].into_iter().chain(params::listing(&self.session.defaults)) {
            output.spaced(&line, self.manners.gap());
        }
        output.spaced("wait", self.manners.before_wait());
    }

    fn hear(&mut self, line: &Line) -> Result<Flow, Trouble> {
        match line {
            Line::TooLong { bytes } => Err(Refused::TooLong(*bytes).into()),
            Line::NotUtf8 { place, byte } => Err(Refused::NotUtf8 { place: *place, byte: *byte }.into()),
            Line::Text(text) => {
                self.session.output.note(text);
                command::parse(text)?.map_or(Ok(Flow::On), |command| self.carry_out(command))
            }
        }
    }

    fn carry_out(&mut self, command: Command) -> Result<Flow, Trouble> {
        match command {
            Command::Hub => self.introduce(),
            Command::SetParam { name, value } => self.set_param(&name, &value)?,
            Command::Init => {
                self.session.prepare();
                self.session.output.spaced("ready", self.manners.gap());
            }
            Command::NewGame => {
                self.end_search();
                self.session.clear();
            }
            Command::Pos { pos, moves } => self.set_position(pos.as_deref(), &moves)?,
            Command::Level(level) => self.level.add(&level),
            Command::Go(mode) => self.go(mode),
            Command::PonderHit => self.session.worker.hit(),
            Command::Stop => self.session.worker.stop(),
            Command::Ping => self.session.output.line("pong"),
            Command::Quit => return Ok(Flow::Quit),
        }
        Ok(Flow::On)
    }

    fn numbering(&self) -> Numbering {
        Numbering::new(&self.session.choices.variant.set, self.manners.style)
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), Trouble> {
        match params::set(&self.session.choices, &self.manners, name, value)? {
            Setting::Nothing => {}
            Setting::Manners(manners) => self.manners = manners,
            Setting::Option { name, value } => self.session.idle("set-param")?.set_option(name, Some(&value))?,
        }
        Ok(())
    }

    /// The search that runs, if any, has the position of its own: this one is for the next.
    fn set_position(&mut self, pos: Option<&str>, moves: &[String]) -> Result<(), Trouble> {
        self.level = Level::default();
        let variant = self.session.choices.variant.clone();
        let numbering = self.numbering();
        let mut game = match pos {
            None => Game::new(variant),
            Some(text) => Game::from_setup(variant, &numbering.position(text)?)?,
        };
        for (index, text) in moves.iter().enumerate() {
            let mv = numbering.read(&game, index + 1, text)?;
            game.play(&mv).expect("a move that was read is legal");
        }
        self.session.game = game;
        Ok(())
    }

    /// A search that still runs is ended first: there is one answer to each `go`, in their order.
    fn go(&mut self, mode: Mode) {
        self.end_search();
        let mut limits = std::mem::take(&mut self.level).limits();
        limits.ponder = mode == Mode::Ponder;
        // Without a move there is nothing to wait for.
        limits.infinite &= !self.session.game.moves().is_empty();
        let mut choices = self.session.choices.clone();
        choices.analyse |= mode == Mode::Analyze;
        limits.handicap = choices.handicap(&limits);
        let voice = HubVoice {
            numbering: self.numbering(),
            output: self.session.output.clone(),
            gap: self.manners.before_done(&limits),
            show_wdl: choices.show_wdl,
            since: Instant::now(),
            told: Mutex::default(),
        };
        self.session.search(limits, Box::new(voice));
    }

    fn end_search(&mut self) {
        self.session.worker.stop();
        self.session.worker.wait();
    }
}
