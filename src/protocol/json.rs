//! The JSON shapes of the command line. Scripts rely on them: keys and their order are stable.

use super::perft::PerftWords;
use super::print::MoveFormat;
use crate::engine::Probe;
use crate::game::Counting;
use crate::game::Game;
use crate::game::board::Square;
use crate::game::plain::{Outcome, PlainMove, State};
use crate::game::variant::Variant;
use crate::notation::movetext::Moves;
use crate::notation::{fen, rulefile, squares};
use serde_json::{Value, json};
use std::time::Duration;

/// A position with its state, seen by the side to move, and its legal moves.
pub fn position(game: &Game) -> Value {
    let (state, reason) = state(game);
    let legal = Moves::new(game);
    let moves: Vec<Value> = legal.legal().iter().map(|mv| one_move(game, &legal, mv)).collect();
    json!({
        "variant": game.variant().id,
        "fen": fen::write(game.variant(), &game.setup()),
        "side": game.side().name(),
        "state": state,
        "reason": reason,
        "moves": moves,
    })
}

/// Whether the game goes on, seen by the side to move (`ongoing`, `win`, `loss`, `draw`), and why not.
pub fn state(game: &Game) -> (&'static str, Option<String>) {
    match game.state() {
        State::Ongoing => ("ongoing", None),
        State::Over(Outcome::Draw, reason) => ("draw", Some(reason.to_string())),
        State::Over(Outcome::Win(side), reason) if side == game.side() => ("win", Some(reason.to_string())),
        State::Over(Outcome::Win(_), reason) => ("loss", Some(reason.to_string())),
    }
}

fn one_move(game: &Game, legal: &Moves, mv: &PlainMove) -> Value {
    let name = |square: &Square| squares::name(game.variant(), *square);
    let names = |list: &[Square]| list.iter().map(name).collect::<Vec<_>>();
    json!({
        "move": legal.write(mv),
        "full": whole(game, mv, &names(&mv.path)),
        "from": name(&mv.from),
        "to": name(&mv.to),
        "captures": names(&mv.captures),
        "path": names(&mv.path),
        "promotes": mv.promotes,
    })
}

/// A move with every stop of its path, behind its huff.
fn whole(game: &Game, mv: &PlainMove, path: &[String]) -> String {
    let sign = if mv.is_capture() { game.variant().set.capture_sign } else { '-' };
    let huff = mv.huffed.map_or(String::new(), |square| format!("@{}/", squares::name(game.variant(), square)));
    huff + &path.join(&sign.to_string())
}

/// What the endgame tables know of a position, seen by the side to move.
pub fn probe(game: &Game, probe: &Probe) -> Value {
    let moves = probe.moves.iter().map(|(mv, value)| {
        json!({
            "move": MoveFormat::Pdn.write(game, mv),
            "value": value.map(|value| value.name()),
            "plies": value.and_then(|value| value.plies()),
        })
    });
    json!({
        "variant": game.variant().id,
        "fen": fen::write(game.variant(), &game.setup()),
        "side": game.side().name(),
        "value": probe.value.map(|value| value.name()),
        "plies": probe.value.and_then(|value| value.plies()),
        "in_time": probe.in_time,
        "same_king": probe.same_king,
        "moves": moves.collect::<Vec<_>>(),
    })
}

/// Every built-in rule set with all its fields and aliases.
pub fn variants() -> Value {
    Variant::all().iter().map(|variant| rulefile::describe(variant)).collect()
}

/// A count of moves; `rows` are the counts of each move.
pub fn perft(game: &Game, words: &PerftWords, rows: &[(PlainMove, u64)], nodes: u64, time: Duration) -> Value {
    let mut object = json!({
        "variant": game.variant().id,
        "fen": fen::write(game.variant(), &game.setup()),
        "depth": words.depth,
        "count": match words.counting {
            Counting::Unique => "unique",
            Counting::Paths => "paths",
            Counting::Landings => "landings",
        },
        "ends": if words.ends { "applied" } else { "ignored" },
        "nodes": nodes,
        "time_ms": time.as_millis() as u64,
    });
    if words.divide {
        let row = |(mv, nodes): &(PlainMove, u64)| json!({"move": MoveFormat::Pdn.write(game, mv), "nodes": nodes});
        object["moves"] = rows.iter().map(row).collect();
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, text: &str) -> Value {
        let variant = Variant::find(name).expect("built in");
        let setup = fen::read(&variant, text).expect("a good FEN");
        position(&Game::from_setup(variant, &setup).expect("a good position"))
    }

    #[test]
    fn a_position_has_exactly_the_promised_keys() {
        // The men on c5 and c7 are taken on the way d4-b6-d8.
        let value = object("russian", "W:Wd4:Bc5,c7,h8");
        let text = value.to_string();
        let expected = r#"{"variant":"russian","fen":"W:Wd4:Bh8,c7,c5","side":"white","state":"ongoing","reason":null,"moves":[{"move":"d4:d8","full":"d4:b6:d8","from":"d4","to":"d8","captures":["c5","c7"],"path":["d4","b6","d8"],"promotes":true}]}"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn ends_are_seen_by_the_side_to_move() {
        let lost = object("international", "B:W50:B");
        assert_eq!((&lost["state"], &lost["reason"]), (&json!("loss"), &json!("no pieces")));
        assert_eq!(lost["moves"], json!([]));
        let won = object("losing", "B:W50:B");
        assert_eq!((&won["state"], &won["reason"]), (&json!("win"), &json!("no pieces")));
    }

    #[test]
    fn every_variant_is_described() {
        let all = variants();
        assert_eq!(all.as_array().map(Vec::len), Some(Variant::all().len()));
        assert!(all[0]["aliases"].is_array(), "{}", all[0]);
    }
}
