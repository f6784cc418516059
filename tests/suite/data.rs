//! The test data: where it lies and how it is read.

use damka::game::board::{Board, Color, Square};
use damka::game::plain::{Piece, Setup};
use damka::game::variant::Variant;
use damka::notation::rulefile;
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

/// A rule set by its name in the tables: built in, or read from its rule file.
pub fn variant(id: &str) -> Arc<Variant> {
    Variant::find(id).unwrap_or_else(|| {
        let text = text(&format!("rules/{}.toml", id.replace('-', "_")));
        rulefile::read(&text).unwrap_or_else(|error| panic!("{id}: {error}"))
    })
}

/// All rule sets of the test data, built in and custom.
pub fn variants() -> Vec<Arc<Variant>> {
    let custom = tables("perft").into_iter().filter(|id| Variant::find(id).is_none()).map(|id| variant(&id));
    Variant::all().iter().cloned().chain(custom).collect()
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
