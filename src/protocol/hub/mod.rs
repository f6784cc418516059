//! The Hub protocol, version 2, over the session that UCI uses too.
//!
//! `scan` cuts a line into a word and its arguments, [`command::parse`] makes a command of them, [`Talk`] carries it out, and
//! `voice` tells of searches. [`numbering`] knows how positions and squares are written, [`params`] which of the options there
//! are and under what name.

pub mod command;
mod numbering;
pub mod params;
mod scan;
mod talk;
mod trouble;
mod voice;

pub use numbering::{Numbering, Style};
pub use talk::Talk;
pub use trouble::Trouble;
