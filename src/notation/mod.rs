//! Text to game and back: squares, FEN, moves and rule files. Pure functions; what cannot be read is an error that says
//! what was read, where, and what was expected.

pub mod fen;
mod fen_error;
mod fen_extras;
mod fields;
mod move_error;
mod move_scan;
pub mod movetext;
pub mod pdn;
mod rulecheck;
mod ruleerror;
pub mod rulefile;
mod rulevalue;
mod span;
pub mod squares;

/// Longest piece of a user's text that an error repeats, in characters.
const SHOWN: usize = 40;

/// A user's text as an error message shows it: in quotes, on one line, cut when long.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::from("'");
    for (count, c) in text.chars().enumerate() {
        if count == SHOWN {
            out.push('…');
            break;
        }
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out.push('\'');
    out
}
