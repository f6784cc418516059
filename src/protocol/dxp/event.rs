//! What goes into and comes out of the state machine of a [`super::player::Player`].

use super::message::{BadMessage, Message, Minutes};
use super::play::Record;
use crate::engine::Limits;
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::PlainMove;
use crate::game::variant::Variant;
use std::sync::Arc;
use std::time::Duration;

/// What the user wants.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The rules.
    pub variant: Arc<Variant>,
    /// Our name.
    pub name: String,
    /// Whether we ask for the games.
    pub initiator: bool,
    /// Time for each player of the games that we ask for.
    pub minutes: Minutes,
    /// Their length, in moves of each player; 0 = to the end.
    pub moves: u16,
    /// Most milliseconds for a move; `None` = by the clock, or a default where there is none.
    pub movetime_ms: Option<u64>,
    /// Games to play in all; 0 = without end.
    pub games: u32,
}

/// What a user may ask for while the program runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Say something to the other side.
    Chat(String),
    /// Go back to where that side is to make its move of that number.
    Back { number: u16, side: Color },
    /// Break the game off when it is our turn.
    End,
    /// End the program.
    Leave,
}

/// What can happen.
#[derive(Debug)]
pub enum Event {
    Connected,
    Message(Result<Message, BadMessage>),
    /// The search that was started with this ticket has ended.
    Thought {
        ticket: u64,
        best: Option<PlainMove>,
        took: Duration,
    },
    /// The connection is gone; why.
    Lost(String),
    /// [`super::player::Player::patience`] is over.
    Silence,
    User(Wish),
}

/// A position to search.
#[derive(Clone, Debug)]
pub struct Task {
    pub ticket: u64,
    pub game: Game,
    pub limits: Limits,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Act {
    Send(Message),
    /// A new game: forget the last one.
    Forget,
    Think(Box<Task>),
    StopThinking,
    Tell(String),
    Save(Box<Record>),
    Close,
}
