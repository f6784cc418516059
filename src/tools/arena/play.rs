//! One game between two engines.

use super::adjudicate::{Judge, Rules};
use super::client::{Client, Fault, Trouble};
use super::clock::{Clocks, TimeControl};
use super::dialect::{Course, Ground, Thoughts};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{Outcome, Setup, State};
use crate::notation::movetext;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a game is played under.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    pub ground: Ground<'a>,
    /// The position to start from.
    pub start: &'a Game,
    /// Time controls of White and Black.
    pub controls: [TimeControl; 2],
    /// Overrun of the clock that is forgiven.
    pub margin: Duration,
    /// What a search without a clock may take.
    pub patience: Duration,
    pub rules: Rules,
    /// A game this long is a draw.
    pub most_plies: usize,
}

/// A move as it was played.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move in the variant's own notation.
    pub text: String,
    pub thoughts: Thoughts,
    pub took: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    pub outcome: Outcome,
    pub reason: String,
    /// The fault that lost the game, and whose it was.
    pub fault: Option<(Color, Fault)>,
    pub plies: Vec<Ply>,
}

/// Plays a game to its end. `None` when the match is to end first.
pub fn play(clients: [&mut Client; 2], terms: &Terms, stop: &AtomicBool) -> Option<Played> {
    let mut table = Table::new(clients, terms);
    match table.play(stop) {
        Ok((outcome, reason)) => Some(Played { outcome, reason, fault: None, plies: table.plies }),
        Err((_, Trouble::Stopped)) => None,
        Err((side, Trouble::Fault(fault))) => Some(Played {
            outcome: Outcome::Win(side.other()),
            reason: fault.kind.name().to_string(),
            fault: Some((side, fault)),
            plies: table.plies,
        }),
    }
}

struct Table<'a> {
    clients: [&'a mut Client; 2],
    terms: &'a Terms<'a>,
    game: Game,
    start: Setup,
    /// The moves in each engine's own spelling.
    told: [Vec<String>; 2],
    plies: Vec<Ply>,
}

impl<'a> Table<'a> {
    fn new(clients: [&'a mut Client; 2], terms: &'a Terms<'a>) -> Table<'a> {
        let game = terms.start.clone();
        let start = game.setup();
        Table { clients, terms, game, start, told: [Vec::new(), Vec::new()], plies: Vec::new() }
    }

    fn play(&mut self, stop: &AtomicBool) -> Result<(Outcome, String), (Color, Trouble)> {
        for side in [Color::White, Color::Black] {
            self.clients[side.index()].new_game(stop).map_err(|trouble| (side, trouble))?;
        }
        let mut clocks = Clocks::new(self.terms.controls, self.terms.margin);
        let mut judge = Judge::new(self.terms.rules);
        loop {
            if let State::Over(outcome, reason) = self.game.state() {
                return Ok((outcome, reason.to_string()));
            }
            if self.plies.len() >= self.terms.most_plies {
                return Ok((Outcome::Draw, format!("{} plies played", self.plies.len())));
            }
            let side = self.game.side();
            let score = self.play_ply(side, &mut clocks, stop).map_err(|trouble| (side, trouble))?.score;
            match judge.hear(side, score) {
                Some(outcome) if self.game.state() == State::Ongoing => {
                    return Ok((outcome, "adjudication".to_string()));
                }
                _ => {}
            }
        }
    }

    fn play_ply(&mut self, side: Color, clocks: &mut Clocks, stop: &AtomicBool) -> Result<Thoughts, Trouble> {
        let course = Course { start: &self.start, moves: &self.told[side.index()], now: &self.game };
        let client = &mut self.clients[side.index()];
        let thought = client.think(self.terms.ground, course, clocks, self.terms.patience, stop)?;
        for (told, client) in self.told.iter_mut().zip(&self.clients) {
            told.push(client.write(&self.game, &thought.mv));
        }
        let text = movetext::write(&self.game, &thought.mv);
        self.game.play(&thought.mv).expect("the move was found among the legal ones");
        self.plies.push(Ply { text, thoughts: thought.thoughts, took: thought.took });
        Ok(thought.thoughts)
    }
}
