//! Scores and deviations as scripts get them: keys and their order are stable.

use crate::engine::{Score, Verdict};
use crate::notation::pdn::{PdnError, Warning};
use serde_json::{Value, json};

/// The score for the side to move: `{"cp":35}` in hundredths of a man, or `{"win":7}` and `{"loss":8}`, the plies (moves of one side)
/// to the proved end of the game.
pub fn json(score: Score) -> Value {
    match Verdict::of(score) {
        Verdict::Cp(cp) => json!({ "cp": cp }),
        Verdict::End { plies, won: true } => json!({ "win": plies }),
        Verdict::End { plies, won: false } => json!({ "loss": plies }),
    }
}

/// A deviation: where it stood, how bad it is, and what was read and assumed.
pub fn warning(warning: &Warning) -> Value {
    json!({
        "file": &*warning.file,
        "line": warning.line,
        "game": warning.game,
        "ply": warning.ply,
        "severity": if warning.kind.is_error() { "error" } else { "warning" },
        "message": warning.kind.to_string(),
    })
}

/// A game that cannot be kept, in the same shape.
pub fn unreadable(error: &PdnError) -> Value {
    let (file, line, game) = match error {
        PdnError::TooLarge { file, line, game, .. }
        | PdnError::TooMany { file, line, game, .. }
        | PdnError::TooDeep { file, line, game, .. } => (file, line, Some(game)),
        PdnError::Io { file, line, .. } => (file, line, None),
    };
    json!({
        "file": &**file,
        "line": line,
        "game": game,
        "ply": null,
        "severity": "error",
        "message": error.to_string(),
    })
}

/// Expected points of a game with these chances in permille (win, draw, loss): 1 for a win, a half for a draw.
pub fn points(wdl: [u32; 3]) -> f64 {
    (f64::from(wdl[0]) + f64::from(wdl[1]) / 2.0) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::WIN;

    #[test]
    fn a_score_says_what_kind_it_is() {
        for (score, text) in
            [(-35, r#"{"cp":-35}"#), (WIN - 7, r#"{"win":7}"#), (8 - WIN, r#"{"loss":8}"#), (-WIN, r#"{"loss":0}"#)]
        {
            assert_eq!(json(score).to_string(), text);
        }
        assert_eq!(points([1000, 0, 0]), 1.0);
        assert_eq!(points([200, 500, 300]), 0.45);
    }
}
