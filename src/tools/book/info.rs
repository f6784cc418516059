//! What is in a book.

use crate::engine::book::Book;
use crate::game::Game;
use crate::notation::movetext;
use crate::tools::common::{JobError, Results};
use serde_json::{Value, json};

/// Prints it.
pub fn run(book: &Book, json: bool) -> Result<(), JobError> {
    let told = describe(book);
    let text = if json { format!("{told}\n") } else { plain(&told) };
    let mut out = Results::stdout();
    out.text(&text)?;
    out.flush()
}

/// Sums, and the moves of the starting position.
pub fn describe(book: &Book) -> Value {
    let start = Game::new(book.variant().clone());
    let moves = || book.iter().flat_map(|(_, moves)| moves);
    let first = book.moves(&start).into_iter().map(|(mv, known)| {
        json!({
            "move": movetext::write(&start, &mv),
            "weight": known.weight,
            "score": known.score,
            "games": known.games,
            "points": f64::from(known.half_points) / 2.0,
        })
    });
    let (reached, deepest) = book.reach();
    let reached = book.iter().filter(|(place, _)| reached.contains(*place)).count();
    json!({
        "variant": book.variant().id,
        "positions": book.len(),
        "reached": reached,
        "moves": moves().count(),
        "analysed": moves().filter(|mv| mv.score.is_some()).count(),
        "played": moves().filter(|mv| mv.games > 0).count(),
        "plies": deepest,
        "bytes": book.write(&book.variant().id).len(),
        "first": first.collect::<Vec<_>>(),
    })
}

fn plain(told: &Value) -> String {
    let mut out = String::new();
    for key in ["variant", "positions", "reached", "moves", "analysed", "played", "plies", "bytes"] {
        out += &format!("{key:10} {}\n", told[key].as_str().map_or_else(|| told[key].to_string(), str::to_string));
    }
    for mv in told["first"].as_array().into_iter().flatten() {
        let text = mv["move"].as_str().unwrap_or_default();
        let score = mv["score"].as_i64().map_or("-".to_string(), |score| score.to_string());
        out += &format!("{text:8} weight {:5} score {score:>4} games {}\n", mv["weight"].to_string(), mv["games"]);
    }
    out
}
