//! What a line asks for.

use crate::game::Game;
use crate::game::plain::SetupError;
use crate::game::variant::Variant;
use crate::notation::fen::{self, FenError};
use crate::notation::movetext::{self, MoveError};
use crate::protocol::reader::{Line, MAX_LINE};
use serde_json::Value;
use std::sync::Arc;

/// A line as it is meant.
pub struct Request {
    /// The name that the user gave it.
    pub id: Option<Value>,
    /// The position, or why it is none.
    pub game: Result<Game, BadRequest>,
}

/// Why a line is no position.
#[derive(Debug, thiserror::Error)]
pub enum BadRequest {
    #[error("the line has {0} bytes, expected at most {MAX_LINE}")]
    TooLong(usize),
    #[error("byte {place} is {byte:#04x}, expected UTF-8 text")]
    NotUtf8 { place: usize, byte: u8 },
    #[error("JSON: {0}")]
    Json(serde_json::Error),
    #[error("JSON: {read} was read for \"{key}\", expected {expected}")]
    Field { key: &'static str, read: String, expected: &'static str },
    #[error("unknown rule set {}, expected a name or alias that `damka variants` lists", crate::notation::shown(.0))]
    Variant(String),
    #[error("fen: {0}")]
    Fen(#[from] FenError),
    #[error("fen: {0}")]
    Setup(#[from] SetupError),
    #[error("move {number}: {error}")]
    Move { number: usize, error: MoveError },
}

impl Request {
    /// Reads a line: a FEN, or a JSON object. `variant` is meant where the line names none.
    pub fn read(line: &Line, variant: &Arc<Variant>) -> Request {
        let text = match line {
            Line::Text(text) => text.trim(),
            Line::TooLong { bytes } => return Request { id: None, game: Err(BadRequest::TooLong(*bytes)) },
            Line::NotUtf8 { place, byte } => {
                return Request { id: None, game: Err(BadRequest::NotUtf8 { place: *place, byte: *byte }) };
            }
        };
        if !text.starts_with('{') {
            return Request { id: None, game: position(variant, text) };
        }
        match serde_json::from_str::<Value>(text) {
            Ok(object) => Request { game: described(&object, variant), id: object.get("id").cloned() },
            Err(error) => Request { id: None, game: Err(BadRequest::Json(error)) },
        }
    }
}

fn position(variant: &Arc<Variant>, text: &str) -> Result<Game, BadRequest> {
    let setup = fen::read(variant, text)?;
    Ok(Game::from_setup(variant.clone(), &setup)?)
}

/// The position that an object describes. Without a FEN it is the starting position. Other keys are left alone.
fn described(object: &Value, variant: &Arc<Variant>) -> Result<Game, BadRequest> {
    let variant = match text(object, "variant", "a name")? {
        Some(name) if name != variant.id => Variant::find(name).ok_or_else(|| BadRequest::Variant(name.to_string()))?,
        _ => variant.clone(),
    };
    let mut game = match text(object, "fen", "a FEN")? {
        Some(text) => position(&variant, text)?,
        None => Game::new(variant),
    };
    let moves: Vec<&str> = match object.get("moves") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(text)) => text.split_whitespace().collect(),
        Some(Value::Array(list)) if list.iter().all(Value::is_string) => {
            list.iter().filter_map(Value::as_str).collect()
        }
        Some(other) => return Err(field("moves", other, "a text or a list of texts")),
    };
    for (index, text) in moves.into_iter().enumerate() {
        let mv = movetext::read(&game, text).map_err(|error| BadRequest::Move { number: index + 1, error })?;
        game.play(&mv).expect("a move that was read is legal");
    }
    Ok(game)
}

fn text<'v>(object: &'v Value, key: &'static str, expected: &'static str) -> Result<Option<&'v str>, BadRequest> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(field(key, other, expected)),
    }
}

fn field(key: &'static str, read: &Value, expected: &'static str) -> BadRequest {
    BadRequest::Field { key, read: crate::notation::shown(&read.to_string()), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<String, String> {
        let variant = Variant::find("russian").expect("built in");
        let request = Request::read(&Line::Text(line.to_string()), &variant);
        let told = |game: Game| format!("{} {}", game.variant().id, fen::write(game.variant(), &game.setup()));
        request.game.map(told).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_a_fen_or_an_object() {
        assert_eq!(read("W:Wa1:Bh8\r"), Ok("russian W:Wa1:Bh8".to_string()));
        assert_eq!(read(r#"{"fen": "W:W31:B1", "variant": "Draughts"}"#).is_err(), Variant::find("Draughts").is_none());
        let turkish = read(r#"{"id":[1],"variant":"turkish","fen":"W:Wa1:Bh8","moves":"a1-a2 h8-h7"}"#);
        assert!(turkish.clone().is_ok_and(|text| text.starts_with("turkish W:Wa2:B")), "{turkish:?}");
        assert_eq!(read(r#"{"moves":["a3-b4"]}"#).map(|text| text.starts_with("russian B:")), Ok(true));
    }

    #[test]
    fn what_is_no_position_says_why() {
        for (line, said) in [
            ("", "fen: "),
            ("nonsense", "fen: "),
            ("{", "JSON: "),
            (r#"{"fen": 1}"#, "JSON: '1' was read for \"fen\", expected a FEN"),
            (r#"{"moves": [1]}"#, "JSON: '[1]' was read for \"moves\", expected a text or a list of texts"),
            (r#"{"variant": "chess"}"#, "unknown rule set 'chess'"),
            (r#"{"moves": "a3-b4 a1-h8"}"#, "move 2: "),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.starts_with(said), "{line}: {error}");
        }
        let variant = Variant::find("russian").expect("built in");
        let long = Request::read(&Line::TooLong { bytes: 9_999_999 }, &variant);
        assert!(long.game.is_err_and(|error| error.to_string().contains("9999999 bytes")));
        let deep = format!("{{\"fen\":{}", "[".repeat(100_000));
        assert!(read(&deep).is_err_and(|error| error.starts_with("JSON: ")));
    }
}
