//! What can be wrong with a move.

use super::shown;

/// Why a text is not a move that can be played. `read` is the text as it was given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Longer than any move.
    #[error("move: {bytes} bytes read, expected at most {limit}")]
    TooLong { bytes: usize, limit: usize },
    /// Nothing but blanks.
    #[error("move: nothing read, expected two squares such as {example}")]
    Empty { example: String },
    /// A sign that has no place in a move; `at` is counted in characters from 1.
    #[error("move {}, character {at}: {found} read, expected {expected}", shown(.read))]
    Text { read: String, at: usize, found: String, expected: String },
    /// Fewer than two squares.
    #[error("move {}: one square read, expected two or more such as {example}", shown(.read))]
    OneSquare { read: String, example: String },
    /// No legal move is meant by this.
    #[error("move {} is not legal; {}", shown(.read), legal(.place, .moves, *.more))]
    Illegal {
        read: String,
        /// The square from which `moves` start; `None` when they are moves of any piece.
        place: Option<String>,
        /// Some legal moves.
        moves: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// Several legal moves can be meant by this.
    #[error("move {} is ambiguous; expected one of {}", shown(.read), list(.candidates, *.more))]
    Ambiguous {
        read: String,
        /// The moves that can be meant, in words that are not ambiguous.
        candidates: Vec<String>,
        /// How many more there are.
        more: usize,
    },
}

fn legal(place: &Option<String>, moves: &[String], more: usize) -> String {
    match place {
        _ if moves.is_empty() => "there is no legal move".to_string(),
        Some(square) => format!("legal from {square}: {}", list(moves, more)),
        None => format!("no move starts there; legal: {}", list(moves, more)),
    }
}

fn list(moves: &[String], more: usize) -> String {
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", moves.join(" "))
}
