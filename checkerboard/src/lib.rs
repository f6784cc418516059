//! damka as an engine library of CheckerBoard: a program that loads its engines and calls four C functions in them.
//!
//! - `abi`: the exported functions. The only `unsafe` code; everything it calls is safe.
//! - `layout`: the C structures and piece codes.
//! - `game_type`: the games CheckerBoard knows, how they number their squares, which one this library plays.
//! - `position`: CheckerBoard's board to damka's game and back.
//! - `clock`: its clock bits to damka's limits.
//! - `host`: what is remembered between calls; `getmove` and `islegal`.
//! - `command`: `enginecommand`.
//! - `status`: the line of text a search shows.
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod abi;
mod clock;
mod command;
mod game_type;
mod host;
mod layout;
mod position;
mod status;
