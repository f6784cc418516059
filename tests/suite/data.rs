//! The test data: where it lies and how it is read.

use damka::game::board::{Board, Color, Square};
use damka::game::plain::{Piece, Setup};
use damka::game::rules::*;
use damka::game::variant::Variant;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// Path of a file of the test data.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A file of the test data as text.
pub fn text(name: &str) -> String {
    let path = path(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a table that are not comments, cut at tabs.
pub fn rows(name: &str) -> Vec<Vec<String>> {
    let lines = text(name);
    let lines = lines.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('\t').map(String::from).collect()).collect()
}

/// The objects of a file with one JSON object a line.
pub fn objects(name: &str) -> Vec<Value> {
    text(name).lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

/// The names of the variants that have a table in a folder.
pub fn tables(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(path(folder)).expect("the folder of the tables");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a folder entry").path().file_stem().expect("a name").to_string_lossy().into())
        .collect();
    names.sort();
    names
}

/// The rule record of that name as data, before it is a rule set.
pub fn record(id: &str) -> Value {
    let found = objects("records.jsonl").into_iter().find(|record| record["id"] == id);
    found.unwrap_or_else(|| panic!("no record {id}"))
}

/// A rule set by its name: built in, or made from its record.
pub fn variant(id: &str) -> Arc<Variant> {
    Variant::find(id).unwrap_or_else(|| Variant::custom(id, id, "a test record", from_record(&record(id), base(id))))
}

/// All rule sets of the test data, built in and custom.
pub fn variants() -> Vec<Arc<Variant>> {
    let custom = objects("records.jsonl").into_iter().map(|r| r["id"].as_str().expect("a name").to_string());
    let custom = custom.filter(|id| Variant::find(id).is_none()).map(|id| variant(&id));
    Variant::all().iter().cloned().chain(custom).collect()
}

/// The built-in rules that lend a custom record what it does not say: draw rules and notation.
fn base(id: &str) -> RuleSet {
    let base = match id {
        "int6x6" | "spantsireti-dctl" => "international",
        _ if id.starts_with("gothic") => "gothic",
        _ if id.starts_with("kids") => "junior",
        _ if id.starts_with("turkish") => "turkish-official",
        _ if id.starts_with("thai") => "thai",
        _ => "english",
    };
    Variant::find(base).expect("a built-in variant").set
}

fn directions(names: &Value) -> Directions {
    let names: Vec<&str> = names.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let bits = (0..8).filter(|&bit| names.contains(&Directions::NAMES[bit])).fold(0, |bits, bit| bits | 1 << bit);
    Directions(bits)
}

fn one_of<T: Copy>(value: &Value, choices: &[(&str, T)]) -> T {
    let choice = choices.iter().find(|(name, _)| value == *name);
    choice.unwrap_or_else(|| panic!("unknown value {value}")).1
}

fn choice(names: &Value) -> Choice {
    let mut choice = [None; 5];
    for (place, name) in names.as_array().expect("a list").iter().enumerate() {
        choice[place] = Some(one_of(
            name,
            &[
                ("count", Criterion::Count),
                ("by_king", Criterion::ByKing),
                ("kings_taken", Criterion::KingsTaken),
                ("king_early", Criterion::KingEarly),
                ("frisian", Criterion::FrisianValue),
            ],
        ));
    }
    choice
}

/// The rules of a record; what it does not say comes from `base`.
pub fn from_record(record: &Value, base: RuleSet) -> RuleSet {
    let number = |key: &str| record[key].as_u64().unwrap_or_else(|| panic!("{key} is a number")) as u8;
    let flag = |key: &str| record[key].as_bool().unwrap_or_else(|| panic!("{key} is true or false"));
    RuleSet {
        board: Board {
            width: number("w"),
            height: number("h"),
            all_squares: one_of(&record["squares"], &[("dark", false), ("all", true)]),
            corner: number("corner") == 1,
        },
        rows: number("rows"),
        offset: number("offset"),
        first: one_of(&record["first"], &[("W", Color::White), ("B", Color::Black)]),
        man_move: directions(&record["man_move"]),
        man_capture: directions(&record["man_cap"]),
        king_move: directions(&record["king_move"]),
        king_capture: directions(&record["king_cap"]),
        king_flies: flag("fly_move"),
        king_captures_afar: flag("fly_cap"),
        landing: one_of(
            &record["landing"],
            &[
                ("any", Landing::Any),
                ("adjacent", Landing::Behind),
                ("adjacent_if_king", Landing::BehindLastKing),
                ("adjacent_if_king_multi", Landing::BehindLastKingMulti),
            ],
        ),
        man_takes_king: flag("man_takes_king"),
        removal: one_of(&record["removal"], &[("after", Removal::AfterMove), ("immediate", Removal::Immediate)]),
        may_reverse: !flag("no_reverse"),
        promotion: one_of(
            &record["promo"],
            &[("man", Promotion::AtRest), ("king", Promotion::InPassing), ("stop", Promotion::EndsMove)],
        ),
        duty: one_of(&record["must"], &[("yes", Duty::Mandatory), ("optional", Duty::Optional)]),
        choice: choice(&record["priority"]),
        scope: one_of(&record["scope"], &[("all", Scope::All), ("piece", Scope::Piece)]),
        goal: one_of(
            &record["goal"],
            &[("normal", Goal::Normal), ("lose", Goal::Lose), ("breakthrough", Goal::FirstKing)],
        ),
        kings_only: one_of(
            &record["kings_only"],
            &[("none", KingsOnly::PlayOn), ("more_kings_wins", KingsOnly::MoreWins)],
        ),
        one_against_one: flag("one_v_one"),
        ..base
    }
}

/// A position written as `W:WK1,2:B3`, squares numeric from the top row or as a1.
pub fn setup(board: Board, fen: &str) -> Setup {
    let mut fields = fen.trim_end_matches('.').split(':');
    let colour = |letter: Option<char>| {
        if letter == Some('W') { Color::White } else { Color::Black }
    };
    let mut setup = Setup::empty(board, colour(fields.next().and_then(|field| field.chars().next())));
    for field in fields {
        let color = colour(field.chars().next());
        for piece in field[1..].split(',').filter(|piece| !piece.is_empty()) {
            let king = piece.starts_with('K');
            for square in span(board, piece.trim_start_matches('K')) {
                setup.cells[square.0 as usize - 1] = Some(Piece { color, king });
            }
        }
    }
    setup
}

fn span(board: Board, text: &str) -> Vec<Square> {
    let square = |text: &str| match text.parse::<u8>() {
        Ok(number) => Square(number),
        Err(_) => algebraic(board, text),
    };
    match text.split_once('-') {
        Some((first, last)) => (square(first).0..=square(last).0).map(Square).collect(),
        None => vec![square(text)],
    }
}

/// The square written as a1, h8 …
pub fn algebraic(board: Board, text: &str) -> Square {
    let column = text.as_bytes()[0] - b'a';
    let rank: u8 = text[1..].parse().expect("a rank");
    board.at(column as usize, (board.height - rank) as usize).unwrap_or_else(|| panic!("{text} is not played on"))
}
