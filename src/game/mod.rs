//! What draughts is: boards, rule sets as data, moves, positions, history and perft.
//!
//! Only [`generate`] is specialised by rule set; everything else reads the [`rules::RuleSet`] record.

pub mod board;
mod careful;
mod chain;
mod ending;
pub mod generate;
mod hash;
pub mod kernels;
pub mod line;
pub mod moves;
mod parity;
pub mod paths;
pub mod perft;
pub mod plain;
pub mod position;
pub mod rules;
mod steps;
pub mod table;
pub mod variant;
mod walk;

pub use line::{Game, IllegalMove};
pub use perft::{Counting, PerftOptions};
pub use variant::Variant;
