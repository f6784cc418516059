//! The JSON of an answer. Scripts rely on it: keys and their order are stable.

use super::request::BadRequest;
use crate::endgame::Value as TableValue;
use crate::engine::{Evaluation, Info};
use crate::game::Game;
use crate::notation::fen;
use crate::notation::movetext::{self, Moves};
use crate::protocol::json;
use crate::tools::common::score;
use serde_json::{Value, json};

/// The answer to one line.
pub struct Answer {
    /// A JSON object on one line.
    pub text: String,
    /// The line was no position.
    pub is_error: bool,
}

impl Answer {
    /// The answer to a line that is no position.
    pub fn error(line: usize, id: Option<Value>, error: &BadRequest) -> Answer {
        let mut object = begin(line, id);
        object["error"] = error.to_string().into();
        Answer { text: object.to_string(), is_error: true }
    }
}

fn begin(line: usize, id: Option<Value>) -> Value {
    let mut object = json!({"line": line});
    if let Some(id) = id {
        object["id"] = id;
    }
    object
}

/// What every answer says of its position.
pub fn position(line: usize, id: Option<Value>, game: &Game) -> Value {
    let mut object = begin(line, id);
    let (state, reason) = json::state(game);
    object["variant"] = game.variant().id.as_str().into();
    object["fen"] = fen::write(game.variant(), &game.setup()).into();
    object["side"] = game.side().name().into();
    object["state"] = state.into();
    object["reason"] = reason.into();
    object
}

/// What a search found; `None` when the game is over.
pub fn add_search(object: &mut Value, game: &Game, found: Option<&[Info]>, several: bool) {
    let lines = found.unwrap_or_default();
    let first = lines.first();
    let pv = first.map_or(Vec::new(), |info| movetext::write_line(game, &info.pv));
    object["best"] = pv.first().cloned().into();
    object["score"] = first.map_or_else(|| over_score(&object["state"]), |info| score::json(info.score));
    object["wdl"] = match (first, object["state"].as_str()) {
        (Some(info), _) => json!(info.wdl),
        (None, Some("win")) => json!([1000, 0, 0]),
        (None, Some("loss")) => json!([0, 0, 1000]),
        (None, _) => json!([0, 1000, 0]),
    };
    object["depth"] = first.map_or(0, |info| info.depth).into();
    object["nodes"] = first.map_or(0, |info| info.nodes).into();
    object["pv"] = pv.into();
    object["table"] = Value::Null;
    if several {
        let line = |info: &Info| {
            let pv = movetext::write_line(game, &info.pv);
            json!({"move": pv.first(), "score": score::json(info.score), "wdl": info.wdl, "depth": info.depth, "pv": pv})
        };
        object["lines"] = lines.iter().map(line).collect();
    }
}

/// What the endgame tables say: the result for the side to move, and the plies to the end where they know them.
pub fn add_table(object: &mut Value, value: Option<TableValue>) {
    object["table"] = value.map_or(Value::Null, |value| json!({"value": value.name(), "plies": value.plies()}));
}

fn over_score(state: &Value) -> Value {
    match state.as_str() {
        Some("win") => json!({"win": 0}),
        Some("loss") => json!({"loss": 0}),
        _ => json!({"cp": 0}),
    }
}

/// The static evaluation, in hundredths of a man for the side to move.
pub fn add_static(object: &mut Value, evaluation: &Evaluation) {
    let parts: serde_json::Map<String, Value> =
        evaluation.parts.iter().map(|(name, score)| (name.to_string(), json!(score))).collect();
    object["static"] = json!({"cp": evaluation.total, "parts": parts});
}

/// The legal moves in their shortest form.
pub fn add_legal(object: &mut Value, game: &Game) {
    let moves = Moves::new(game);
    object["legal"] = moves.legal().iter().map(|mv| Value::String(moves.write(mv))).collect();
}
