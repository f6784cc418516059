//! Games as text: PDN 3.0, written strictly and read tolerantly.
//!
//! [`Reader`] takes bytes and gives one [`PdnGame`] at a time, in memory that does not grow with the file. One bad game never
//! stops a file: what deviates is a [`Warning`] that says where it stood, what was read and what was taken for it; a game
//! that cannot be kept at all is a [`PdnError`], and reading goes on at the next tag section.
//!
//! What is read beyond the standard, each with a warning:
//!
//! * moves with any sign or padding (`10x14` for a quiet move, `1- 7`, `06-11`), in capitals, in either notation, with needless
//!   paths, or split into single jumps; squares count, the rules decide;
//! * ambiguous captures: each reading is followed until the later moves leave one. When they leave several, the line is
//!   kept as text from there on;
//! * words, stray signs and dashes among the moves, kept as text; a move that is not legal ends the checked part of its line,
//!   what follows is kept as it stands;
//! * results of every kind, also a trailing match score such as `4-6`; a result that contradicts the `Result` tag;
//! * games without a result, without tags or without moves, a second `Event` tag, tags without quotes or brackets;
//! * comments, tags and variations that are never closed: they end with their line or with the game, and the next game is found;
//! * Latin-1 bytes, a byte order mark, `[pdn]` wrappers, all line ends, `;` comments.
//!
//! A star that touches a move (`1-6*`) marks it as forced; a star alone ends the game. A comment ends at its first `}`. When a
//! tag is given twice, both are kept and the later one counts. Numbers of moves are not believed, except the first.

mod attempt;
mod chunk;
mod detect;
mod lex;
mod model;
mod parse;
mod reader;
mod resolve;
mod scan;
mod settle;
mod warning;
mod write;

pub use model::{Item, LineId, MoveItem, PdnGame, Position, Tag};
pub use reader::{Options, Reader};
pub use warning::{Kind, PdnError, Warning};
pub use write::write;

#[cfg(test)]
mod tests;
