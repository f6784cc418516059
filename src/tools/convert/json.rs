//! The JSON of games and positions. Scripts rely on it: keys and their order are stable.

use crate::game::plain::Setup;
use crate::game::variant::Variant;
use crate::notation::fen;
use crate::notation::pdn::{MoveItem, PdnGame};
use crate::tools::common::score::warning;
use serde_json::{Map, Value, json};

/// A position with its place: the line it came from, or the number of its game and the plies before it.
pub fn position(id: &str, variant: &Variant, setup: &Setup, played: Option<String>) -> Value {
    json!({"id": id, "variant": variant.id, "fen": fen::write(variant, setup), "played": played})
}

/// A game: tags, the moves of its main line, its result and what deviated. Comments and variations are left to PDN.
pub fn game(file: &str, game: &PdnGame) -> Value {
    let mut tags = Map::new();
    for tag in &game.tags {
        // Of a tag that is given twice the later one counts.
        tags.insert(tag.name.clone(), tag.value.clone().into());
    }
    let text = |legal: bool| {
        let of_kind = move |mv: &&MoveItem| mv.mv.is_some() == legal;
        game.moves().filter(of_kind).map(|mv| Value::String(mv.text.clone())).collect::<Vec<_>>()
    };
    let last = game.last().map(|last| fen::write(&game.variant, &last.setup()));
    json!({
        "file": file,
        "game": game.number,
        "line": game.line,
        "variant": game.variant.id,
        "tags": tags,
        "start": game.start.as_ref().map(|start| fen::write(&game.variant, start)),
        "moves": text(true),
        "unread": text(false),
        "plies": game.plies(),
        "end": last,
        "result": game.outcome(),
        "warnings": game.warnings.iter().map(warning).collect::<Vec<_>>(),
    })
}
