//! One game in progress, as one of its players sees it.

use super::board;
use super::message::{Ending, Minutes, WireMove};
use crate::engine::{Clock, Limits};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{Outcome, PlainMove, Setup, State};
use std::time::Duration;

/// Thinking time for a move when nobody stated any, in milliseconds.
pub const DEFAULT_MOVE_MS: u64 = 1_000;

/// What is left of a game when it is over.
#[derive(Clone, Debug)]
pub struct Record {
    /// Count of the game, from 1.
    pub round: u32,
    /// Names of White and Black.
    pub names: [String; 2],
    /// Where it began.
    pub start: Game,
    /// The moves played.
    pub moves: Vec<PlainMove>,
    /// `None`: broken off.
    pub outcome: Option<Outcome>,
    /// Why it ended, for people.
    pub reason: String,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Play {
    /// The side we play.
    pub us: Color,
    /// Names of White and Black.
    pub names: [String; 2],
    /// Time for each player; 0 = none stated.
    pub minutes: Minutes,
    /// Moves of each player after which the game is broken off; 0 = none.
    pub limit: u16,
    start: Game,
    setup: Setup,
    game: Game,
    moves: Vec<PlainMove>,
    used: Duration,
}

impl Play {
    /// A game before its first move.
    pub fn new(start: Game, us: Color, names: [String; 2], minutes: Minutes, limit: u16) -> Play {
        let (setup, game) = (start.setup(), start.clone());
        Play { us, names, minutes, limit, start, setup, game, moves: Vec::new(), used: Duration::ZERO }
    }

    /// The position now, with what led to it.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether we are to move.
    pub fn our_turn(&self) -> bool {
        self.game.side() == self.us
    }

    /// The name of the other side.
    pub fn peer(&self) -> &str {
        &self.names[self.us.other().index()]
    }

    /// Plays a legal move; says how it is written, with its number.
    pub fn play(&mut self, mv: &PlainMove, took: Duration) -> String {
        let (number, side) = self.place(self.moves.len());
        let dots = if side == self.start.variant().set.first { "." } else { "..." };
        let text = format!("{number}{dots} {}", crate::notation::movetext::write(&self.game, mv));
        if self.our_turn() {
            self.used += took;
        }
        self.game.play(mv).expect("only legal moves are played");
        self.moves.push(mv.clone());
        text
    }

    /// The legal move that a message means.
    pub fn find(&self, wire: &WireMove) -> Option<PlainMove> {
        board::find(&self.game, wire)
    }

    /// How the game stands by its rules; `None` = it goes on.
    pub fn verdict(&self) -> Option<(Outcome, String)> {
        match self.game.state() {
            State::Ongoing => None,
            State::Over(outcome, reason) => Some((outcome, reason.to_string())),
        }
    }

    /// Whether both sides have made all the moves agreed upon.
    pub fn at_limit(&self) -> bool {
        self.limit > 0 && self.moves.len() >= 2 * usize::from(self.limit)
    }

    /// How long to think now; `per_move` is the user's wish.
    pub fn limits(&self, per_move: Option<u64>, search_moves: Vec<PlainMove>) -> Limits {
        let mut limits = Limits { movetime_ms: per_move, search_moves, ..Limits::default() };
        if self.minutes.0 == 0 {
            limits.movetime_ms = Some(per_move.unwrap_or(DEFAULT_MOVE_MS));
        } else {
            let left = self.minutes.millis() - self.used.as_millis() as i64;
            let own = self.moves.len() as u32 / 2;
            let to_go = (self.limit > 0).then(|| u32::from(self.limit).saturating_sub(own).max(1));
            limits.clock = Some(Clock { time_ms: [left; 2], increment_ms: [0; 2], moves_to_go: to_go });
        }
        limits
    }

    /// Number and side of the move at a ply of this game.
    fn place(&self, ply: usize) -> (usize, Color) {
        let first = self.start.variant().set.first;
        let ply = ply + usize::from(self.setup.side != first);
        (ply / 2 + 1, if ply.is_multiple_of(2) { first } else { first.other() })
    }

    /// The ply at which a side made, or is to make, its move of that number; `None` when this game has no such place.
    pub fn ply(&self, number: u16, side: Color) -> Option<usize> {
        (0..=self.moves.len()).find(|&ply| self.place(ply) == (usize::from(number), side))
    }

    /// Takes back all moves from a ply on.
    pub fn back_to(&mut self, ply: usize) {
        self.moves.truncate(ply);
        self.game = self.start.clone();
        for mv in &self.moves {
            self.game.play(mv).expect("it was legal before");
        }
    }

    /// What to keep of it.
    pub fn record(&self, round: u32, outcome: Option<Outcome>, reason: &str) -> Record {
        Record {
            round,
            names: self.names.clone(),
            start: self.start.clone(),
            moves: self.moves.clone(),
            outcome,
            reason: reason.to_string(),
        }
    }

    /// What comes of it when the other side ends it: the rules come first; then it may give up or offer a draw, but only
    /// the rules make it a winner.
    pub fn judge(&self, ending: Ending) -> (Option<Outcome>, String) {
        if let Some((outcome, reason)) = self.verdict() {
            return (Some(outcome), reason);
        }
        let (outcome, reason) = match ending {
            Ending::Lost => (Some(Outcome::Win(self.us)), "the other side gives up"),
            Ending::Drawn => (Some(Outcome::Draw), "the other side says it is a draw"),
            Ending::Won => (None, "the other side says it has won, the rules do not"),
            Ending::Unknown if self.at_limit() => (None, "move limit reached"),
            Ending::Unknown => (None, "the other side ends the game"),
        };
        (outcome, reason.to_string())
    }
}

/// A name to call a player by.
pub fn named(name: &str) -> &str {
    if name.is_empty() { "a player without a name" } else { name }
}
