//! An engine at the board: started, told of games, asked for moves, and held to the rules and the clock.

use super::clock::{Clocks, Overrun, TimeControl};
use super::dialect::{Course, Dialect, Ground, Said, Thoughts, dialect};
use super::process::{Heard, Process};
use super::spec::EngineSpec;
use crate::game::Game;
use crate::game::plain::PlainMove;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long an engine may take to come up or to get ready for a game.
const READY: Duration = Duration::from_secs(60);

/// What an engine did that loses a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It ended, or closed its output.
    Crash,
    /// It gave no answer.
    Silence,
    /// It thought too long.
    TimeLoss,
    /// It played a move that is not legal, or none.
    IllegalMove,
}

impl Kind {
    /// As reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Crash => "crash",
            Kind::Silence => "no answer",
            Kind::TimeLoss => "time loss",
            Kind::IllegalMove => "illegal move",
        }
    }
}

/// A fault of an engine, with the last lines that went to and fro.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    pub kind: Kind,
    pub detail: String,
    pub transcript: Vec<String>,
}

/// Why an engine gave no move.
#[derive(Debug)]
pub enum Trouble {
    Fault(Fault),
    /// The match is to end.
    Stopped,
}

/// A move and the thinking behind it.
#[derive(Clone, Debug)]
pub struct Thought {
    pub mv: PlainMove,
    pub thoughts: Thoughts,
    pub took: Duration,
}

/// A running engine.
pub struct Client {
    process: Process,
    dialect: Box<dyn Dialect>,
}

impl Client {
    /// Starts an engine and sets it up.
    pub fn start(spec: &EngineSpec, ground: Ground, stop: &AtomicBool) -> Result<Client, Trouble> {
        let process = Process::start(&spec.command, &spec.arguments).map_err(|error| {
            let detail = format!("'{}' cannot be run: {error}", spec.command);
            Trouble::Fault(Fault { kind: Kind::Crash, detail, transcript: Vec::new() })
        })?;
        let mut client = Client { process, dialect: dialect(spec.protocol) };
        client.process.send(client.dialect.hello());
        let introduction = client.read_to(client.dialect.introduced(), stop)?;
        let declared: Vec<_> = introduction.iter().filter_map(|line| client.dialect.declared(line)).collect();
        match client.dialect.configure(spec, ground, &declared) {
            Ok(lines) => lines.iter().for_each(|line| client.process.send(line)),
            Err(why) => return Err(client.fault(Kind::Silence, why)),
        }
        let (question, answer) = client.dialect.ready();
        client.process.send(question);
        let said = client.read_to(answer, stop)?;
        match said.iter().find_map(|line| client.dialect.complaint(line)) {
            Some(complaint) => Err(client.fault(Kind::Silence, format!("it complains: {complaint}"))),
            None => Ok(client),
        }
    }

    /// Tells the engine that a game begins, and waits until it is ready.
    pub fn new_game(&mut self, stop: &AtomicBool) -> Result<(), Trouble> {
        self.process.send(self.dialect.new_game());
        let (question, answer) = self.dialect.ping();
        self.process.send(question);
        self.read_to(answer, stop).map(|_| ())
    }

    /// Lets the engine find a move and takes the time from its clock. `patience` ends searches that have no clock.
    pub fn think(
        &mut self,
        ground: Ground,
        course: Course,
        clocks: &mut Clocks,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<Thought, Trouble> {
        let side = course.now.side();
        let lines = self.dialect.go(ground, course, clocks);
        let asked = Instant::now();
        lines.iter().for_each(|line| self.process.send(line));
        let until = asked + clocks.patience(side).unwrap_or(patience);
        let mut thoughts = Thoughts::default();
        let mut complaint = None;
        loop {
            match self.process.hear(until, stop) {
                Heard::Line(line, at) => {
                    complaint = self.dialect.complaint(&line).or(complaint);
                    let Said::Move(word) = self.dialect.listen(&line, &mut thoughts) else { continue };
                    let took = at.saturating_duration_since(asked);
                    clocks.spend(side, took).map_err(|overrun| self.late(clocks.control(side), overrun))?;
                    let mv = self.dialect.read(course.now, &word).map_err(|why| self.illegal(&why, complaint))?;
                    return Ok(Thought { mv, thoughts, took });
                }
                Heard::Nothing => {
                    let Some(allowed) = clocks.allowed(side) else {
                        return Err(self.fault(Kind::Silence, format!("no move within {} s", patience.as_secs_f64())));
                    };
                    let overrun = Overrun { took: asked.elapsed(), allowed };
                    return Err(self.late(clocks.control(side), overrun));
                }
                Heard::Closed => return Err(self.fault(Kind::Crash, "it was gone while it had to move")),
                Heard::Stopped => return Err(Trouble::Stopped),
            }
        }
    }

    /// A move as this engine is told of it.
    pub fn write(&self, game: &Game, mv: &PlainMove) -> String {
        self.dialect.write(game, mv)
    }

    /// Reads up to a line that begins with a word; gives the lines before it.
    fn read_to(&mut self, word: &str, stop: &AtomicBool) -> Result<Vec<String>, Trouble> {
        /// Most lines of an introduction that are kept.
        const MOST: usize = 10_000;
        let until = Instant::now() + READY;
        let mut lines = Vec::new();
        loop {
            match self.process.hear(until, stop) {
                Heard::Line(line, _) if line.split_whitespace().next() == Some(word) => return Ok(lines),
                Heard::Line(line, _) if lines.len() < MOST => lines.push(line),
                Heard::Line(..) => {}
                Heard::Nothing => {
                    return Err(self.fault(Kind::Silence, format!("no '{word}' within {} s", READY.as_secs())));
                }
                Heard::Closed => return Err(self.fault(Kind::Crash, format!("it was gone before it said '{word}'"))),
                Heard::Stopped => return Err(Trouble::Stopped),
            }
        }
    }

    fn late(&mut self, control: TimeControl, overrun: Overrun) -> Trouble {
        let [took, allowed] = [overrun.took, overrun.allowed].map(|time| time.as_millis());
        self.fault(Kind::TimeLoss, format!("{took} ms for a move that could take {allowed} ms ({control})"))
    }

    fn illegal(&mut self, why: &str, complaint: Option<String>) -> Trouble {
        let said = complaint.map_or(String::new(), |complaint| format!("; it had complained: {complaint}"));
        self.fault(Kind::IllegalMove, format!("{why}{said}"))
    }

    fn fault(&mut self, kind: Kind, detail: impl Into<String>) -> Trouble {
        Trouble::Fault(Fault { kind, detail: detail.into(), transcript: self.process.transcript() })
    }
}
