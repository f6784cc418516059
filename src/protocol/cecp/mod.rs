//! The Chess Engine Communication Protocol (version 2), as xboard 4.9 speaks it: draughts as variants that xboard knows
//! nothing of.
//!
//! xboard is told the board and the pieces (`setup`), asks the engine which squares to mark (`lift`, `highlight`), and writes
//! a capture as a move in legs over the captured pieces. It has room for two captured pieces in one move, so a longer
//! capture is played in parts, between which the other side passes (`@@@@`). Whoever moves first is White there.
//!
//! [`command`] reads lines, `view` turns boards, `parts` cuts captures, `table` is the game as both sides know it, and
//! [`Cecp`] is the conversation.

pub mod command;
mod parts;
mod session;
mod table;
mod view;

pub use session::Cecp;
