//! The answer as a page that needs nothing else: it draws itself from one line of data a game.
//!
//! The page is written game by game, so that what was cut off still shows the games before; style and script come first.

use super::annotate::eval;
use super::json::rounded;
use super::judge::Sum;
use super::study::{Ply, Study, for_white};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{PlainMove, Setup};
use crate::notation::movetext;
use crate::notation::pdn::Item;
use serde_json::{Value, json};

/// Behind the last game.
pub const END: &str = "</body></html>\n";

/// Longest better line, in plies.
const LINE: usize = 12;

/// What stands before the first game. The page may load nothing from anywhere.
pub fn begin() -> String {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>damka: analysed games</title>\
         <style>\n{}</style><script>\n{}</script></head><body>\n\
         <noscript>This page draws boards and graphs with a script of its own; please allow it.</noscript>\n",
        include_str!("page.css"),
        include_str!("page.js")
    )
}

/// One game's line of data.
pub fn game(study: &Study) -> String {
    // No character of the data can end its element.
    let data = data(study).to_string().replace('<', "\\u003c");
    format!("<script type=\"application/json\" class=\"game\">{data}</script>\n")
}

fn data(study: &Study) -> Value {
    let game = &study.game;
    let board = game.variant.set.board;
    let start = study.plies.first().map(|ply| ply.before.setup()).or(game.start.clone());
    let level = study.plies.first().map_or(0, |ply| for_white(ply.lines[0].score, ply.side()));
    let (number, second) = game.first_number;
    json!({
        "n": game.number,
        "white": game.tag("White"),
        "black": game.tag("Black"),
        "event": game.tag("Event"),
        "date": game.tag("Date"),
        "result": game.outcome(),
        "variant": game.variant.title,
        "board": { "w": board.width, "h": board.height, "all": board.all_squares, "corner": board.corner },
        "names": (1..=board.squares()).map(|n| crate::notation::squares::name(&game.variant, crate::game::board::Square(n as u8))).collect::<Vec<_>>(),
        "start": start.as_ref().map(cells),
        "number": number,
        "second": second,
        "x": rounded(study.plies.first().map_or(0.5, |ply| ply.curve.expected(level)), 3),
        "s": eval(level),
        "sums": study.sums.iter().map(sum).collect::<Vec<_>>(),
        "unread": game.moves().find(|mv| mv.mv.is_none()).map(|mv| mv.text.clone()),
        "moves": (0..study.plies.len()).map(|index| one(study, index)).collect::<Vec<_>>(),
    })
}

fn sum(sum: &Sum) -> Value {
    json!({
        "accuracy": sum.percent().map(|percent| rounded(percent, 1)),
        "loss": sum.mean_loss().map(|loss| rounded(loss / 100.0, 2)),
        "marks": sum.marks,
    })
}

fn one(study: &Study, index: usize) -> Value {
    let ply = &study.plies[index];
    let white = study.white_after(index);
    let mut value = json!({
        "t": movetext::write(&ply.before, &ply.played),
        "m": step(&ply.played),
        "side": ply.side().index(),
        "x": rounded(study.white_points(index), 3),
        "s": eval(white),
    });
    if let Some(mark) = ply.judgement.mark {
        value["mark"] = mark.name().into();
        value["loss"] = rounded(f64::from(ply.judgement.loss) / 100.0, 2).into();
    }
    if ply.forced() {
        value["forced"] = true.into();
    } else if ply.only == Some(true) && ply.found() {
        value["only"] = true.into();
    }
    if !ply.found() {
        value["best"] = better(ply);
    }
    let comments = comments(study, ply);
    if !comments.is_empty() {
        value["c"] = comments.join(" ").into();
    }
    if !continues(study, index) {
        value["set"] = cells(&ply.before.setup()).into();
    }
    value
}

/// The best line with its score for White.
fn better(ply: &Ply) -> Value {
    let line = &ply.lines[0];
    let pv = &line.pv[..line.pv.len().min(LINE)];
    let texts = movetext::write_line(&ply.before, pv);
    let moves: Vec<Value> = texts.iter().zip(pv).map(|(text, mv)| json!({ "t": text, "m": step(mv) })).collect();
    json!({ "s": eval(for_white(line.score, ply.side())), "l": moves })
}

/// From, to, pieces taken off, and whether it promotes: all that a board needs to know.
fn step(mv: &PlainMove) -> Value {
    let off: Vec<u8> = mv.captures.iter().chain(&mv.huffed).map(|square| square.0).collect();
    json!([mv.from.0, mv.to.0, off, u8::from(mv.promotes)])
}

/// A letter a square: `w` and `b` are men, `W` and `B` kings, a dot is nothing.
fn cells(setup: &Setup) -> String {
    let letter = |cell: &Option<crate::game::plain::Piece>| match cell {
        None => '.',
        Some(piece) => {
            let letter = if piece.color == Color::White { 'w' } else { 'b' };
            if piece.king { letter.to_ascii_uppercase() } else { letter }
        }
    };
    setup.cells.iter().map(letter).collect()
}

/// Whether a move is played in the position that the one before it led to.
fn continues(study: &Study, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else { return true };
    let mut game: Game = study.plies[before].before.clone();
    game.play(&study.plies[before].played).is_ok() && game.key() == study.plies[index].before.key()
}

/// What the file says behind a move.
fn comments(study: &Study, ply: &Ply) -> Vec<String> {
    let behind = study.game.main()[ply.item + 1..].iter().take_while(|item| !matches!(item, Item::Move(_)));
    behind
        .filter_map(|item| if let Item::Comment(text) = item { Some(text.trim().to_string()) } else { None })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::study::tests::{GIVEN_AWAY, MARKS, study};
    use super::*;

    fn read(line: &str) -> Value {
        let text = line.trim_end().strip_prefix("<script type=\"application/json\" class=\"game\">");
        let text = text.and_then(|text| text.strip_suffix("</script>")).expect("one element");
        assert!(!text.contains('<'), "{text}");
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn the_data_cannot_leave_their_element() {
        let data = read(&game(&study(GIVEN_AWAY, 500, 2)));
        assert_eq!((&data["white"], &data["black"]), (&json!("Anna"), &json!("<Ben>")));
        assert_eq!(data["start"], "b".repeat(20) + &".".repeat(10) + &"w".repeat(20));
        assert_eq!(data["moves"].as_array().map(Vec::len), Some(10));
        assert_eq!((&data["moves"][1]["c"], &data["moves"][2]["m"]), (&json!("a classic"), &json!([28, 19, [23], 0])));
        let given = &data["moves"][8];
        assert!(MARKS.contains(&given["mark"].as_str().unwrap_or("")), "{given}");
        assert!(given["best"]["l"][0]["m"].is_array(), "{given}");
    }

    #[test]
    fn boards_of_later_positions_are_told() {
        let data = read(&game(&study("[GameType \"20\"] 1. 32-28 /FEN \"W:W28:B22,1\"/ 1. 28x17 *", 100, 1)));
        assert!(data["moves"][1]["set"].as_str().is_some_and(|cells| cells.starts_with("b....")));
        assert!(data["moves"][0]["set"].is_null());
    }

    #[test]
    fn the_page_asks_for_nothing() {
        let page = begin();
        for word in ["http:", "https:", "src=", "url(", "@import", "fetch("] {
            assert!(!page.contains(word) || word == "https:" && !page.contains("https://"), "{word}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}
