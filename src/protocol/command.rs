//! Reads one line of the text protocol. Pure: no engine, no game, no I/O, so every rule of protocol.md about single lines
//! is a unit test on strings.

use super::go::{self, GoWords};
use super::perft::PerftWords;
use super::words::{split_at_word, words};
use crate::notation::shown;

/// What a client may ask for. Moves and positions are still text here: only the session knows the variant.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `uci`: who are you, what are your options.
    Uci,
    /// `isready`: answer `readyok`.
    IsReady,
    /// `ucinewgame`: forget earlier searches.
    NewGame,
    /// `setoption name N [value V]`.
    SetOption { name: String, value: Option<String> },
    /// `position startpos|fen F [moves …]`.
    Position(Position),
    /// `go …`: search.
    Go(GoWords),
    /// `perft N …`: count moves.
    Perft(PerftWords),
    /// `stop`: end the search and answer.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `hub`: the Hub protocol from here on.
    Hub,
    /// `d`: draw the position.
    Draw,
    /// `eval`: the static evaluation, term by term.
    Eval,
    /// `legal`: the legal moves; as one JSON object with `json`.
    Legal { json: bool },
    /// `probe`: what the endgame tables know; as one JSON object with `json`.
    Probe { json: bool },
    /// `bench [depth]`: the fixed benchmark.
    Bench(Option<u32>),
    /// `variants`: the rule sets; as JSON with `json`.
    Variants { json: bool },
    /// `help`.
    Help,
}

/// A position as a client names it.
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    /// A FEN; `None` is the starting position of the variant.
    pub fen: Option<String>,
    /// Moves played from there.
    pub moves: Vec<String>,
}

/// Why a line is not a command. The text says what was read and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLine {
    #[error("unknown command {}, expected one of: {}", shown(.0), names())]
    Unknown(String),
    #[error("{what}: {} is not a whole number from {min} to {max}", shown(.read))]
    Number { what: String, read: String, min: i64, max: i64 },
    #[error("{0}: nothing follows, expected {1}")]
    Missing(String, String),
    #[error("{0}: {read} was read, expected {1}", read = shown(.2))]
    Unexpected(String, String, String),
    #[error("{0}: given twice, expected once")]
    Twice(String),
    #[error("{0} was given without {1}, expected both")]
    Alone(String, String),
}

/// A command as `help` shows it.
pub struct CommandRow {
    /// Its first word.
    pub name: &'static str,
    /// The whole line.
    pub usage: &'static str,
    /// What it does.
    pub help: &'static str,
}

const fn row(name: &'static str, usage: &'static str, help: &'static str) -> CommandRow {
    CommandRow { name, usage, help }
}

/// Every command, for `help` and for the message about an unknown one.
pub const COMMANDS: [CommandRow; 18] = [
    row("uci", "uci", "name, options and uciok"),
    row("isready", "isready", "answers readyok at once, also during a search"),
    row("ucinewgame", "ucinewgame", "forgets earlier searches"),
    row("setoption", "setoption name N [value V]", "sets an option"),
    row("position", "position startpos|fen F [moves M…]", "sets up a position and plays moves"),
    row(
        "go",
        "go [LIMIT…]",
        "searches: depth nodes movetime mate wtime btime winc binc movestogo searchmoves infinite ponder",
    ),
    row("perft", "perft N [divide] [json] [count C] [ends E] [threads T]", "counts moves N plies deep"),
    row("stop", "stop", "ends the search"),
    row("ponderhit", "ponderhit", "the expected move was played"),
    row("quit", "quit", "ends the program"),
    row("d", "d", "draws the position, with FEN, key, state and legal moves"),
    row("eval", "eval", "the static evaluation, term by term"),
    row("legal", "legal [json]", "the legal moves"),
    row("probe", "probe [json]", "what the endgame tables know of the position"),
    row("bench", "bench [DEPTH]", "the fixed benchmark"),
    row("variants", "variants [json]", "the rule sets"),
    row("hub", "hub", "speaks the Hub protocol from here on"),
    row("help", "help", "this list"),
];

fn names() -> String {
    COMMANDS.map(|row| row.name).join(" ")
}

/// Reads one line; `None` for a blank line or a comment (`# …`).
pub fn parse(line: &str) -> Result<Option<Command>, BadLine> {
    let all = words(line);
    let Some((first, rest)) = all.split_first() else { return Ok(None) };
    let command = match (first.to_ascii_lowercase().as_str(), rest) {
        (word, _) if word.starts_with('#') => return Ok(None),
        ("uci", []) => Command::Uci,
        ("hub", []) => Command::Hub,
        ("isready", []) => Command::IsReady,
        ("ucinewgame", []) => Command::NewGame,
        ("stop", []) => Command::Stop,
        ("ponderhit", []) => Command::PonderHit,
        ("quit" | "exit", []) => Command::Quit,
        ("d", []) => Command::Draw,
        ("eval", []) => Command::Eval,
        ("help", []) => Command::Help,
        ("legal", rest) => Command::Legal { json: only_json("legal", rest)? },
        ("probe", rest) => Command::Probe { json: only_json("probe", rest)? },
        ("variants", rest) => Command::Variants { json: only_json("variants", rest)? },
        ("bench", []) => Command::Bench(None),
        ("bench", [depth]) => Command::Bench(Some(number("bench", depth, 1, go::MAX_DEPTH)? as u32)),
        ("setoption", _) => set_option(line)?,
        ("position", rest) => Command::Position(position(rest)?),
        ("go", rest) => go::parse(rest)?,
        ("perft", rest) => Command::Perft(PerftWords::parse("perft", rest)?),
        (word, [extra, ..]) if COMMANDS.iter().any(|row| row.name == word) => {
            return Err(BadLine::Unexpected(word.into(), "the end of the line".into(), extra.to_string()));
        }
        _ => return Err(BadLine::Unknown(first.to_string())),
    };
    Ok(Some(command))
}

/// Reads a whole number in bounds.
pub(super) fn number(what: &str, read: &str, min: i64, max: i64) -> Result<i64, BadLine> {
    match read.parse::<i64>() {
        Ok(value) if (min..=max).contains(&value) => Ok(value),
        _ => Err(BadLine::Number { what: what.to_string(), read: read.to_string(), min, max }),
    }
}

/// `json` or `--json` or nothing.
fn only_json(command: &str, rest: &[&str]) -> Result<bool, BadLine> {
    match rest {
        [] => Ok(false),
        [word] if flag(word) == "json" => Ok(true),
        [word, ..] => {
            Err(BadLine::Unexpected(command.into(), "'json' or the end of the line".into(), word.to_string()))
        }
    }
}

/// A flag without its leading dashes, in lower case: the loop takes `divide` and `--divide` alike.
pub(super) fn flag(word: &str) -> String {
    word.trim_start_matches('-').to_ascii_lowercase()
}

fn set_option(line: &str) -> Result<Command, BadLine> {
    let (_, text) = split_at_word(line, "setoption").unwrap_or_default();
    let (before, named) = split_at_word(text, "name")
        .ok_or_else(|| BadLine::Unexpected("setoption".into(), "name N [value V]".into(), text.to_string()))?;
    if !before.is_empty() {
        return Err(BadLine::Unexpected("setoption".into(), "name N [value V]".into(), before.to_string()));
    }
    let (name, value) = match split_at_word(named, "value") {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (named, None),
    };
    if name.is_empty() {
        return Err(BadLine::Missing("setoption name".into(), "the name of an option".into()));
    }
    Ok(Command::SetOption { name: words(name).join(" "), value })
}

fn position(rest: &[&str]) -> Result<Position, BadLine> {
    let cut = rest.iter().position(|w| w.eq_ignore_ascii_case("moves")).unwrap_or(rest.len());
    let moves = rest.iter().skip(cut + 1).map(|w| w.to_string()).collect();
    let expected = || "startpos or fen F, then [moves M…]".to_string();
    let fen = match &rest[..cut] {
        [] => return Err(BadLine::Missing("position".into(), expected())),
        [word] if word.eq_ignore_ascii_case("startpos") => None,
        [word, extra, ..] if word.eq_ignore_ascii_case("startpos") => {
            return Err(BadLine::Unexpected(
                "position startpos".into(),
                "moves or the end of the line".into(),
                extra.to_string(),
            ));
        }
        [word] if word.eq_ignore_ascii_case("fen") => {
            return Err(BadLine::Missing("position fen".into(), "a position such as W:W31,32:B1,K2".into()));
        }
        [word, fen @ ..] if word.eq_ignore_ascii_case("fen") => Some(fen.join(" ")),
        [word, ..] => return Err(BadLine::Unexpected("position".into(), expected(), word.to_string())),
    };
    Ok(Position { fen, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse(line).expect("a good line").expect("not blank")
    }

    fn error(line: &str) -> String {
        parse(line).expect_err("a bad line").to_string()
    }

    #[test]
    fn blank_lines_and_comments_are_nothing() {
        for line in ["", "   ", "\t", "\r", "# go depth 3", "#x"] {
            assert_eq!(parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn case_tabs_and_carriage_returns_do_not_matter() {
        for line in ["isready", "ISREADY", "\t isready  ", "IsReady\r"] {
            assert_eq!(read(line), Command::IsReady, "{line:?}");
        }
        assert_eq!(read("exit"), Command::Quit);
    }

    #[test]
    fn every_listed_name_is_known() {
        for name in COMMANDS.map(|row| row.name) {
            if let Err(BadLine::Unknown(word)) = parse(name) {
                panic!("{word} is listed but not read");
            }
        }
    }

    #[test]
    fn option_names_and_values_may_contain_blanks() {
        let name = |n: &str, v: Option<&str>| Command::SetOption { name: n.into(), value: v.map(str::to_string) };
        assert_eq!(read("setoption name Move   Overhead value 50"), name("Move Overhead", Some("50")));
        assert_eq!(read("SetOption NAME Hash VALUE 16\r"), name("Hash", Some("16")));
        assert_eq!(read("setoption name Clear Hash"), name("Clear Hash", None));
        assert_eq!(read("setoption name RulesFile value /a  b/c.toml"), name("RulesFile", Some("/a  b/c.toml")));
        assert_eq!(read("setoption name RulesFile value"), name("RulesFile", Some("")));
        assert_eq!(error("setoption Hash 5"), "setoption: 'Hash 5' was read, expected name N [value V]");
        assert_eq!(error("setoption name value 3"), "setoption name: nothing follows, expected the name of an option");
    }

    #[test]
    fn a_fen_reaches_up_to_the_word_moves() {
        let expected = Position { fen: Some("W:W 31, 32 :B 1".into()), moves: vec!["31-27".into()] };
        assert_eq!(read("position FEN W:W 31, 32 :B 1  MOVES 31-27"), Command::Position(expected));
        let start = Position { fen: None, moves: vec![] };
        assert_eq!(read("position startpos moves"), Command::Position(start.clone()));
        assert_eq!(read("position startpos"), Command::Position(start));
        assert_eq!(error("position"), "position: nothing follows, expected startpos or fen F, then [moves M…]");
        assert_eq!(
            error("position fen moves 3-4"),
            "position fen: nothing follows, expected a position such as W:W31,32:B1,K2"
        );
        assert_eq!(
            error("position startpos 3-4"),
            "position startpos: '3-4' was read, expected moves or the end of the line"
        );
        assert_eq!(error("position W:W1"), "position: 'W:W1' was read, expected startpos or fen F, then [moves M…]");
    }

    #[test]
    fn unknown_and_overlong_commands_are_named() {
        assert!(error("xyzzy 3").starts_with("unknown command 'xyzzy', expected one of: uci isready"));
        assert_eq!(error("stop now"), "stop: 'now' was read, expected the end of the line");
        assert_eq!(error("legal xml"), "legal: 'xml' was read, expected 'json' or the end of the line");
        assert_eq!(error("bench 0"), "bench: '0' is not a whole number from 1 to 200");
        assert!(error("bench 5 6").starts_with("bench: '5' was read"));
    }
}
