//! What is common to the languages of engines: what is asked, and what is understood of an answer.

use super::clock::Clocks;
use super::spec::{EngineSpec, Protocol};
use super::{hub, uci};
use crate::engine::Score;
use crate::game::Game;
use crate::game::plain::{PlainMove, Setup};
use crate::game::variant::Variant;
use std::path::Path;

/// The rules that a match is played by.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// The file that engines read it from, when it is not built in.
    pub rules: Option<&'a Path>,
}

/// An option that an engine declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    pub name: String,
    /// The values of a choice.
    pub values: Vec<String>,
}

/// A game as an engine is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// The position the game started from.
    pub start: &'a Setup,
    /// The moves since, in the engine's own spelling.
    pub moves: &'a [String],
    /// The position now.
    pub now: &'a Game,
}

/// What an engine says of its search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Thoughts {
    /// Hundredths of a man for the side to move; ends of the game as in [`crate::engine::WIN`].
    pub score: Option<Score>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// What a line of an engine that searches means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// Nothing that ends the search.
    Nothing,
    /// The move.
    Move(String),
}

/// A language. All of it is text in and text out.
pub trait Dialect: Send {
    /// Opens the conversation.
    fn hello(&self) -> &'static str;
    /// The first word of the line that ends the engine's introduction.
    fn introduced(&self) -> &'static str;
    /// An option declared by a line of the introduction.
    fn declared(&self, line: &str) -> Option<Declared>;
    /// Lines that choose rules and options, or why that cannot be done.
    fn configure(&mut self, spec: &EngineSpec, ground: Ground, declared: &[Declared]) -> Result<Vec<String>, String>;
    /// Asks to finish the setting-up, and the first word of the answer.
    fn ready(&self) -> (&'static str, &'static str);
    /// Announces a game.
    fn new_game(&self) -> &'static str;
    /// Asks whether the engine is there, and the first word of the answer.
    fn ping(&self) -> (&'static str, &'static str);
    /// An engine's complaint about what it was told.
    fn complaint(&self, line: &str) -> Option<String>;
    /// Lines that set the position and start a search.
    fn go(&self, ground: Ground, course: Course, clocks: &Clocks) -> Vec<String>;
    /// Takes what a line says about a search.
    fn listen(&self, line: &str, thoughts: &mut Thoughts) -> Said;
    /// A move as the engine is told of it.
    fn write(&self, game: &Game, mv: &PlainMove) -> String;
    /// The legal move that an engine's word means.
    fn read(&self, game: &Game, word: &str) -> Result<PlainMove, String>;
}

/// The language of a protocol.
pub fn dialect(protocol: Protocol) -> Box<dyn Dialect> {
    match protocol {
        Protocol::Uci => Box::new(uci::Uci),
        Protocol::Hub => Box::new(hub::Hub),
    }
}

/// Matches the options asked for with those declared; the names come back as the engine spells them.
pub fn known_options(spec: &EngineSpec, declared: &[Declared]) -> Result<Vec<(String, String)>, String> {
    let found = |(name, value): &(String, String)| {
        let known = declared.iter().find(|known| known.name.eq_ignore_ascii_case(name));
        known.map(|known| (known.name.clone(), value.clone())).ok_or_else(|| {
            let names: Vec<&str> = declared.iter().map(|known| known.name.as_str()).collect();
            format!("it has no option '{name}'; it declares {}", names.join(", "))
        })
    };
    spec.options.iter().map(found).collect()
}

/// Limits a number of men to what scores can hold short of an end of the game.
pub fn centimen(men: f64) -> Score {
    (men * 100.0).clamp(-20_000.0, 20_000.0).round() as Score
}
