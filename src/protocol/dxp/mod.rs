//! DXP, the protocol by which draughts programs play each other over TCP.
//!
//! [`message`] and [`framing`] turn bytes into messages and back, [`player::Player`] is either role as a state machine,
//! both without I/O. Around them: a `door` where connections come from, a `link` that is one of them, a `thinker` with
//! the engine, a `console` for the user, and [`run`] that holds them together.

pub mod board;
mod console;
mod door;
pub mod event;
pub mod framing;
mod link;
pub mod message;
mod pdn;
pub mod play;
pub mod player;
mod run;
mod thinker;

pub use door::{Address, DoorError};
pub use run::{Plan, run};
