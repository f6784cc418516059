//! What can be wrong with a line of Hub.

use crate::game::plain::SetupError;
use crate::notation::shown;
use crate::protocol::Refused;

/// Why a line was not carried out. The text begins as Scan's does, then says what was read and what was expected.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// Signs that do not make arguments; `at` is counted in characters from 1.
    #[error("bad line: {found} was read at character {at}, expected {expected}")]
    Text { at: usize, found: String, expected: &'static str },
    /// No such command.
    #[error("bad command: {} was read, expected one of: {}", shown(.0), super::command::WORDS.join(" "))]
    Command(String),
    /// Something that must be given was not.
    #[error("missing {what}: expected {expected}")]
    Missing { what: &'static str, expected: &'static str },
    /// A parameter that does not exist.
    #[error("bad parameter: {} was read, expected one of: {known}", shown(.read))]
    Parameter { read: String, known: String },
    /// A value that a parameter of this protocol alone cannot have.
    #[error("bad parameter {name}: {} was read, expected {expected}", shown(.read))]
    Value { name: &'static str, read: String, expected: String },
    /// A number of `level` or a word of `go`.
    #[error("bad {what}: {} was read, expected {expected}", shown(.read))]
    Argument { what: String, read: String, expected: &'static str },
    /// A position string of the wrong length.
    #[error("bad position: {found} characters were read, expected {expected}: W or B, and one of w b W B e a square")]
    Length { found: usize, expected: usize },
    /// A sign in a position string that has no meaning there; `at` from 1.
    #[error("bad position: {} was read at character {at}, expected {expected}", shown(&.found.to_string()))]
    Letter { at: usize, found: char, expected: &'static str },
    /// A position that cannot be.
    #[error("bad position: {0}")]
    Setup(#[from] SetupError),
    /// Text that is no move; `number` from 1.
    #[error("bad move: move {number}: {} was read, expected squares such as {example}", shown(.read))]
    Move { number: usize, read: String, example: String },
    /// A move that cannot be played.
    #[error("illegal move: move {number}: {} was read, expected one of: {legal}", shown(.read))]
    Illegal { number: usize, read: String, legal: String },
    /// A move that can mean several.
    #[error("ambiguous move: move {number}: {} was read, expected one of: {candidates}", shown(.read))]
    Ambiguous { number: usize, read: String, candidates: String },
    /// What the session refuses in any protocol.
    #[error(transparent)]
    Refused(#[from] Refused),
}
