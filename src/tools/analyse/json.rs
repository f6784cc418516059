//! The answer as NDJSON: for each game a line about it, a line a move, and a line with the players' sums.

use super::judge::Sum;
use super::study::{Ply, Study};
use crate::engine::Info;
use crate::game::Game;
use crate::notation::fen;
use crate::notation::movetext;
use crate::notation::pdn::PdnError;
use crate::tools::common::score;
use serde_json::{Map, Value, json};

/// All lines of a game.
pub fn lines(study: &Study) -> String {
    let mut out = format!("{}\n", head(study));
    for (index, ply) in study.plies.iter().enumerate() {
        out += &format!("{}\n", one(study, index, ply));
    }
    let [white, black] = &study.sums;
    let sums = json!({ "type": "summary", "game": study.game.number, "white": sum(white), "black": sum(black) });
    out + &format!("{sums}\n")
}

/// The line of a game that could not be kept.
pub fn error(number: usize, error: &PdnError) -> String {
    format!("{}\n", json!({ "type": "error", "game": number, "message": error.to_string() }))
}

fn head(study: &Study) -> Value {
    let game = &study.game;
    let mut tags = Map::new();
    for tag in &game.tags {
        tags.insert(tag.name.clone(), Value::from(tag.value.clone()));
    }
    let unread = game.moves().find(|mv| mv.mv.is_none()).map(|mv| mv.text.clone());
    json!({
        "type": "game",
        "game": game.number,
        "line": game.line,
        "variant": game.variant.id,
        "white": game.tag("White"),
        "black": game.tag("Black"),
        "result": game.outcome(),
        "fen": game.start.as_ref().map(|start| fen::write(&game.variant, start)),
        "plies": study.plies.len(),
        "unread": unread,
        "tags": tags,
        "warnings": game.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn one(study: &Study, index: usize, ply: &Ply) -> Value {
    let before = &ply.before;
    let best = &ply.lines[0];
    let mut value = json!({
        "type": "move",
        "game": study.game.number,
        "ply": index + 1,
        "side": ply.side().name(),
        "fen": fen::write(before.variant(), &before.setup()),
        "played": movetext::write(before, &ply.played),
        "best": ply.best().map(|best| movetext::write(before, best)),
        "score": score::json(best.score),
        "wdl": best.wdl,
        "played_score": score::json(ply.score),
        "played_wdl": ply.curve.chances(ply.score),
        "loss": ply.judgement.loss,
        "drop": rounded(ply.judgement.drop, 4),
        "mark": ply.judgement.mark.map(|mark| mark.name()),
        "only": ply.only,
        "forced": ply.forced(),
        "legal": ply.legal,
        "pv": movetext::write_line(before, &best.pv),
        "depth": best.depth,
        "nodes": best.nodes,
        "table": ply.table.map(|value| json!({ "value": value.name(), "plies": value.plies() })),
    });
    if ply.lines.len() > 1 {
        value["lines"] = ply.lines.iter().map(|line| other(before, line)).collect();
    }
    value
}

fn other(before: &Game, line: &Info) -> Value {
    json!({ "score": score::json(line.score), "wdl": line.wdl, "pv": movetext::write_line(before, &line.pv) })
}

fn sum(sum: &Sum) -> Value {
    json!({
        "moves": sum.moves,
        "accuracy": sum.percent().map(|percent| rounded(percent, 1)),
        "mean_loss": sum.mean_loss().map(|loss| rounded(loss, 1)),
        "inaccuracies": sum.marks[0],
        "mistakes": sum.marks[1],
        "blunders": sum.marks[2],
    })
}

/// Rounded to so many digits, the same on every machine.
pub fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::super::study::tests::{GIVEN_AWAY, MARKS, study};
    use super::*;

    #[test]
    fn the_lines_have_the_promised_keys() {
        let text = lines(&study(GIVEN_AWAY, 1_000, 2));
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
        assert_eq!(lines.len(), 12);
        assert_eq!(
            keys(&lines[0]),
            [
                "type", "game", "line", "variant", "white", "black", "result", "fen", "plies", "unread", "tags",
                "warnings"
            ]
        );
        let expected = [
            "type",
            "game",
            "ply",
            "side",
            "fen",
            "played",
            "best",
            "score",
            "wdl",
            "played_score",
            "played_wdl",
            "loss",
            "drop",
            "mark",
            "only",
            "forced",
            "legal",
            "pv",
            "depth",
            "nodes",
            "table",
        ];
        assert_eq!(keys(&lines[3]), expected, "one legal move, one line");
        assert_eq!(keys(&lines[1]), [&expected[..], &["lines"]].concat());
        assert_eq!(
            keys(&lines[11]["white"]),
            ["moves", "accuracy", "mean_loss", "inaccuracies", "mistakes", "blunders"]
        );
        assert_eq!((&lines[0]["white"], &lines[0]["tags"]["Black"]), (&json!("Anna"), &json!("<Ben>")));
        assert_eq!(lines[9]["played"], json!("28-22"));
        assert!(MARKS.contains(&lines[9]["mark"].as_str().unwrap_or("")), "{}", lines[9]);
        assert_eq!(lines[1]["best"], lines[1]["pv"][0]);
        assert_eq!(lines[1]["lines"][0]["score"], lines[1]["score"]);
    }

    #[test]
    fn what_is_not_legal_is_named() {
        let text = lines(&study("[GameType \"20\"] 1. 32-28 19-23 2. 1-2 3-4 *", 100, 1));
        let head: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
        assert_eq!((&head["plies"], &head["unread"]), (&json!(2), &json!("1-2")));
        assert!(head["warnings"].as_array().is_some_and(|warnings| !warnings.is_empty()));
    }
}
