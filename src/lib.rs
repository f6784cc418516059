//! damka: one engine for the whole family of draughts and checkers games.
//!
//! The rooms, from the ground up; each may call those before it, never one after it:
//!
//! - [`game`]: what draughts is. Boards, rule sets as data, moves, positions, draw rules, perft. No I/O, no clock, no threads.
//! - [`notation`]: text to game and back. FEN, move text, rule files. Pure functions.
//! - [`endgame`]: small-material truth. Tables of all positions with few pieces: made, kept, checked, asked.
//! - [`engine`]: choosing a move. Search, transposition table, evaluation, time.
//! - [`protocol`]: text in, text out. UCI dialect, options, session.
//! - [`tools`]: offline jobs of the command line; each `run(args) -> Result`.
#![deny(unsafe_code)]

pub mod endgame;
pub mod engine;
pub mod game;
pub mod notation;
pub mod protocol;
pub mod tools;
