//! What the user may type while games are played. Nothing that comes over the connection is ever read as one of these.

use super::event::Wish;
use crate::game::board::Color;
use crate::notation::shown;

/// Reads a line; `None` when it is blank.
pub fn parse(line: &str) -> Result<Option<Wish>, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let wish = match word.to_ascii_lowercase().as_str() {
        "" => return Ok(None),
        "chat" if !rest.is_empty() => Wish::Chat(rest.to_string()),
        "back" => back(rest).ok_or_else(|| {
            format!("back {}: expected a move number and white or black, as in back 12 white", shown(rest))
        })?,
        "end" if rest.is_empty() => Wish::End,
        "quit" if rest.is_empty() => Wish::Leave,
        _ => return Err(format!("{} was read, expected chat TEXT, back NUMBER COLOUR, end or quit", shown(line))),
    };
    Ok(Some(wish))
}

fn back(rest: &str) -> Option<Wish> {
    let (number, side) = rest.split_once(char::is_whitespace)?;
    let number = number.parse().ok().filter(|number| (1..=999).contains(number))?;
    let side = match side.trim().to_ascii_lowercase().as_str() {
        "white" | "w" => Color::White,
        "black" | "b" | "z" => Color::Black,
        _ => return None,
    };
    Some(Wish::Back { number, side })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_or_explained() {
        assert_eq!(parse("  "), Ok(None));
        assert_eq!(parse("chat  good luck "), Ok(Some(Wish::Chat("good luck".into()))));
        assert_eq!(parse("back 12 White"), Ok(Some(Wish::Back { number: 12, side: Color::White })));
        assert_eq!(parse("BACK 1 b"), Ok(Some(Wish::Back { number: 1, side: Color::Black })));
        assert_eq!((parse("end"), parse("quit\r")), (Ok(Some(Wish::End)), Ok(Some(Wish::Leave))));
        for line in ["chat", "back", "back 0 w", "back 1000 w", "back 3 red", "end now", "uci"] {
            assert!(parse(line).expect_err(line).contains("expected"), "{line}");
        }
    }
}
