//! One side of the conversation as a state machine without I/O: what happens goes in, what to do comes out.
//!
//! Who connected to whom does not matter here. The initiator asks for games, the follower answers; then both play by the
//! same rules. The side to move ends the game when the rules say so, and the other side confirms.

mod turns;

use super::board::{self, BadPosition};
use super::event::{Act, Event, Terms, Wish};
use super::message::{Acceptance, BadMessage, Ending, Message, Minutes, Request};
use super::play::{self, Play};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::Outcome;
use std::time::Duration;

/// Bad messages on one connection before it is given up.
const MOST_BAD: u32 = 100;

/// A game and what is going on in it.
struct Table {
    play: Play,
    /// Ticket of the search that runs.
    thinking: Option<u64>,
    /// We have asked to go back to this ply.
    back: Option<usize>,
    /// The user wants it broken off.
    end: bool,
}

enum Phase {
    /// Nobody is there.
    Off,
    /// Between games.
    Idle,
    /// We have asked for a game.
    Asked {
        request: Request,
        start: Game,
    },
    Playing(Box<Table>),
    /// We have ended the game and wait for the other side to say so too.
    Ending {
        play: Box<Play>,
        outcome: Option<Outcome>,
        reason: String,
    },
}

/// One side of the conversation.
pub struct Player {
    terms: Terms,
    phase: Phase,
    acts: Vec<Act>,
    ticket: u64,
    /// Games that are over, and those of them that came to a result.
    played: u32,
    complete: u32,
    bad: u32,
    leaving: bool,
}

impl Player {
    /// A player before any connection.
    pub fn new(terms: Terms) -> Player {
        Player { terms, phase: Phase::Off, acts: Vec::new(), ticket: 0, played: 0, complete: 0, bad: 0, leaving: false }
    }

    /// Takes in what happened; gives what to do, in order.
    pub fn hear(&mut self, event: Event) -> Vec<Act> {
        match event {
            Event::Connected => self.connected(),
            Event::Message(Ok(message)) => self.message(message),
            Event::Message(Err(error)) => self.bad_message(&error),
            Event::Thought { ticket, best, took } => self.thought(ticket, best, took),
            Event::Lost(why) => self.lost(&why),
            Event::Silence => self.silence(),
            Event::User(wish) => self.wish(wish),
        }
        std::mem::take(&mut self.acts)
    }

    /// Whether all games are played, or the user wants no more.
    pub fn finished(&self) -> bool {
        matches!(self.phase, Phase::Off) && (self.leaving || self.enough())
    }

    /// Whether a game is being played or agreed upon.
    pub fn busy(&self) -> bool {
        !matches!(self.phase, Phase::Off | Phase::Idle)
    }

    /// Games that are over, and those of them that came to a result.
    pub fn played(&self) -> (u32, u32) {
        (self.played, self.complete)
    }

    /// How long the other side may keep silent now.
    pub fn patience(&self) -> Option<Duration> {
        Some(match &self.phase {
            Phase::Off => return None,
            Phase::Idle => Duration::from_secs(600),
            Phase::Asked { .. } => Duration::from_secs(60),
            Phase::Ending { .. } if self.leaving => Duration::from_secs(1),
            Phase::Ending { .. } => Duration::from_secs(10),
            Phase::Playing(table) if table.thinking.is_some() => return None,
            Phase::Playing(table) if table.back.is_some() => Duration::from_secs(60),
            Phase::Playing(table) => match table.play.minutes.millis() {
                0 => Duration::from_secs(3_600),
                ms => Duration::from_millis(ms as u64) + Duration::from_secs(60),
            },
        })
    }

    fn enough(&self) -> bool {
        self.terms.games > 0 && self.played >= self.terms.games
    }

    /// Whether the game now being played is our last.
    fn last(&self) -> bool {
        self.leaving || self.terms.games > 0 && self.played + 1 >= self.terms.games
    }

    fn tell(&mut self, text: impl Into<String>) {
        self.acts.push(Act::Tell(text.into()));
    }

    fn send(&mut self, message: Message) {
        self.acts.push(Act::Send(message));
    }

    fn close(&mut self) {
        self.acts.push(Act::Close);
        self.phase = Phase::Off;
    }

    fn connected(&mut self) {
        self.bad = 0;
        self.phase = Phase::Idle;
        self.next();
    }

    /// Between games: asks for the next one, waits for it, or says goodbye.
    fn next(&mut self) {
        self.phase = Phase::Idle;
        if self.leaving || self.enough() {
            return self.close();
        }
        if !self.terms.initiator {
            return;
        }
        let start = Game::new(self.terms.variant.clone());
        // We begin with White, and change sides from game to game.
        let follower = if self.played.is_multiple_of(2) { Color::Black } else { Color::White };
        let request = Request {
            name: self.terms.name.clone(),
            follower,
            minutes: self.terms.minutes,
            moves: self.terms.moves,
            position: board::start(&self.terms.variant),
        };
        self.send(Message::GameReq(request.clone()));
        self.phase = Phase::Asked { request, start };
    }

    fn message(&mut self, message: Message) {
        match message {
            Message::Chat(text) => self.tell(format!("the other side says: {text}")),
            Message::GameReq(request) => self.asked(request),
            Message::GameAcc { name, answer } => self.answered(name, answer),
            Message::Move(wire) => self.moved(&wire),
            Message::GameEnd { ending, stop } => self.ended(ending, stop),
            Message::BackReq { number, side } => self.asked_back(number, side),
            Message::BackAcc(answer) => self.back_answered(answer),
        }
    }

    fn bad_message(&mut self, error: &BadMessage) {
        self.tell(error.to_string());
        self.bad += 1;
        let waits = matches!(&self.phase, Phase::Playing(table) if !table.play.our_turn());
        if self.bad > MOST_BAD {
            self.lost("too many bad messages");
            self.close();
        } else if matches!(error, BadMessage::Version(_)) {
            self.refuse(Acceptance::WrongVersion);
        } else if error.is_request() {
            self.refuse(Acceptance::NotThisGame);
        } else if error.is_move() && waits {
            self.break_off(&format!("bad message: {error}"));
        }
    }

    fn refuse(&mut self, answer: Acceptance) {
        let name = self.terms.name.clone();
        self.send(Message::GameAcc { name, answer });
    }

    // --- agreeing on a game ---

    fn asked(&mut self, request: Request) {
        match &self.phase {
            Phase::Playing(table) => {
                let play = table.play.clone();
                self.stop_thinking();
                self.finish(&play, None, "the other side asks for another game");
            }
            Phase::Ending { play, outcome, reason } => {
                let (play, outcome, reason) = (play.clone(), *outcome, reason.clone());
                self.finish(&play, outcome, &reason);
            }
            Phase::Off | Phase::Idle | Phase::Asked { .. } => {}
        }
        if self.terms.initiator || self.leaving || self.enough() {
            self.tell("a game request was refused: we are the initiator, or all games are played");
            self.refuse(Acceptance::NoGame);
            if !matches!(self.phase, Phase::Asked { .. }) {
                self.next();
            }
            return;
        }
        self.phase = Phase::Idle;
        match board::game(&self.terms.variant, request.position.as_ref()) {
            Ok(start) => {
                self.refuse(Acceptance::Accepted);
                self.begin(start, request.follower, request.name, request.minutes, request.moves);
            }
            Err(error) => self.not_this_game(&error),
        }
    }

    fn not_this_game(&mut self, error: &BadPosition) {
        self.tell(format!("a game request was refused: {error}"));
        self.refuse(Acceptance::NotThisGame);
    }

    fn answered(&mut self, name: String, answer: Acceptance) {
        let Phase::Asked { request, start } = &self.phase else {
            return self.tell("an answer to no question was ignored");
        };
        let (request, start) = (request.clone(), start.clone());
        match answer {
            Acceptance::Accepted => {
                self.begin(start, request.follower.other(), name, request.minutes, request.moves);
            }
            _ => {
                let why = match answer {
                    Acceptance::WrongVersion => "it speaks another version of the protocol",
                    Acceptance::NotThisGame => "it does not want this game",
                    _ => "it wants no game",
                };
                self.tell(format!("{} refuses: {why}", play::named(&name)));
                self.close();
            }
        }
    }

    fn begin(&mut self, start: Game, us: Color, peer: String, minutes: Minutes, limit: u16) {
        let ours = self.terms.name.clone();
        let peer = play::named(&peer).to_string();
        let names = if us == Color::White { [ours, peer] } else { [peer, ours] };
        let round = self.played + 1;
        let [white, black] = &names;
        self.tell(format!("game {round}: {white} (white) - {black} (black), {}", self.terms.variant.id));
        self.acts.push(Act::Forget);
        let play = Play::new(start, us, names, minutes, limit);
        self.phase = Phase::Playing(Box::new(Table { play, thinking: None, back: None, end: false }));
        self.turn();
    }

    // --- ending a game ---

    /// Ends the game; the other side is to confirm.
    fn end(&mut self, ending: Ending, outcome: Option<Outcome>, reason: &str) {
        self.stop_thinking();
        let stop = self.last();
        let Phase::Playing(table) = &self.phase else { return };
        self.phase = Phase::Ending { play: Box::new(table.play.clone()), outcome, reason: reason.to_string() };
        self.send(Message::GameEnd { ending, stop });
    }

    /// Ends a game that cannot go on, and says why.
    fn break_off(&mut self, why: &str) {
        self.tell(why.to_string());
        self.end(Ending::Unknown, None, why);
        self.send(Message::Chat(why.to_string()));
    }

    fn ended(&mut self, ending: Ending, stop: bool) {
        match &self.phase {
            Phase::Playing(table) => {
                let play = table.play.clone();
                let (outcome, reason) = play.judge(ending);
                self.stop_thinking();
                let last = self.last();
                self.send(Message::GameEnd { ending: Ending::Unknown, stop: last });
                self.finish(&play, outcome, &reason);
            }
            Phase::Ending { play, outcome, reason } => {
                let (play, outcome, reason) = (play.clone(), *outcome, reason.clone());
                self.finish(&play, outcome, &reason);
            }
            _ if !stop => return self.tell("the end of no game was ignored"),
            _ => {}
        }
        if stop {
            self.tell("the other side wants no further game");
            return self.close();
        }
        self.next();
    }

    /// Puts a game on record.
    fn finish(&mut self, play: &Play, outcome: Option<Outcome>, reason: &str) {
        self.played += 1;
        self.complete += u32::from(outcome.is_some());
        let result = match outcome {
            Some(Outcome::Win(side)) => format!("{} wins", play.names[side.index()]),
            Some(Outcome::Draw) => "draw".to_string(),
            None => "no result".to_string(),
        };
        self.tell(format!("game {} over: {result} ({reason})", self.played));
        self.acts.push(Act::Save(Box::new(play.record(self.played, outcome, reason))));
        self.phase = Phase::Idle;
    }

    fn lost(&mut self, why: &str) {
        match &self.phase {
            Phase::Playing(table) => {
                let play = table.play.clone();
                self.stop_thinking();
                self.finish(&play, None, why);
            }
            Phase::Ending { play, outcome, reason } => {
                let (play, outcome, reason) = (play.clone(), *outcome, reason.clone());
                self.finish(&play, outcome, &reason);
            }
            _ => self.tell(why.to_string()),
        }
        self.phase = Phase::Off;
    }

    fn silence(&mut self) {
        if let Phase::Playing(table) = &mut self.phase {
            if table.back.take().is_some() {
                self.tell("the wish to go back was not answered");
                return self.turn();
            }
            self.send(Message::GameEnd { ending: Ending::Unknown, stop: true });
        }
        self.lost("the other side keeps silent");
        self.close();
    }

    // --- the user ---

    fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Chat(_) if matches!(self.phase, Phase::Off) => self.tell("nobody is there to hear it"),
            Wish::Chat(text) => self.send(Message::Chat(text)),
            Wish::Back { number, side } => self.wish_back(number, side),
            Wish::End => {
                match &mut self.phase {
                    Phase::Playing(table) => table.end = true,
                    _ => return self.tell("there is no game to end"),
                }
                self.stop_thinking();
                self.turn();
            }
            Wish::Leave => {
                self.leaving = true;
                match &self.phase {
                    Phase::Off | Phase::Ending { .. } => {}
                    Phase::Playing(_) => self.end(Ending::Unknown, None, "broken off by the user"),
                    Phase::Idle | Phase::Asked { .. } => self.close(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
