//! What draughts is: boards, rule sets as data, moves, positions, history and perft.
//!
//! Only [`generate`] is specialised by rule set; everything else reads the [`rules::RuleSet`] record.

pub mod board;
mod careful;
pub mod generate;
pub mod kernels;
pub mod moves;
pub mod plain;
pub mod rules;
pub mod table;
pub mod variant;
