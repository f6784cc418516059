//! Text in, text out: a dialect of UCI, the Hub protocol, their options, the session behind it, and the shapes of the command line.
//!
//! The way of one line: `reader` cuts it out of the input, [`command::parse`] makes a [`command::Command`] of it,
//! [`session::Session`] carries that out, searches and counts run beside it on a `worker`, and [`output`] is the one way
//! out. [`dxp`] is a protocol of its own, between programs. protocol.md describes all of it for users.

pub mod cecp;
pub mod command;
pub mod diagram;
pub mod dxp;
mod go;
pub mod hub;
pub mod json;
pub mod options;
pub mod output;
pub mod perft;
mod print;
pub mod reader;
mod refused;
mod search;
pub mod session;
mod shelf;
pub mod start;
mod words;
mod worker;

pub use go::GoWords;
pub use refused::Refused;
