//! The Hub protocol, version 2, from the client's side.

use super::clock::{Clocks, TimeControl};
use super::dialect::{Course, Declared, Dialect, Ground, Said, Thoughts, centimen, known_options};
use super::spec::EngineSpec;
use crate::engine::{Score, WIN};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{PlainMove, Setup};
use crate::game::variant::Variant;
use crate::notation::movetext;

/// The name that only Hub engines use for a rule set, and the one known here.
const NORMAL: (&str, &str) = ("normal", "international");

/// The protocol.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hub;

impl Dialect for Hub {
    fn hello(&self) -> &'static str {
        "hub"
    }

    fn introduced(&self) -> &'static str {
        "wait"
    }

    fn declared(&self, line: &str) -> Option<Declared> {
        let (command, fields) = fields(line);
        let value = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let name = value("name").filter(|_| command == "param")?;
        let values = value("values").unwrap_or_default().split_whitespace().map(str::to_string).collect();
        Some(Declared { name, values })
    }

    fn configure(&mut self, spec: &EngineSpec, ground: Ground, declared: &[Declared]) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let mut set =
            |name: &str, value: &str| lines.push(format!("set-param name={} value={}", quoted(name), quoted(value)));
        let known = |name: &str| declared.iter().find(|option| option.name == name);
        match (ground.rules, known("RulesFile"), known("variant")) {
            (Some(path), Some(_), _) => set("RulesFile", &path.display().to_string()),
            (Some(_), None, _) => return Err("it has no parameter 'RulesFile' for your own rules".to_string()),
            (None, _, Some(choice)) => set("variant", name_of(ground.variant, &choice.values)?),
            _ => {}
        }
        // Squares go in the order of their own numbers, whatever convention other clients of 8x8 games use.
        if known("square-numbering").is_some_and(|choice| choice.values.iter().any(|value| value == "native")) {
            set("square-numbering", "native");
        }
        known_options(spec, declared)?.iter().for_each(|(name, value)| set(name, value));
        Ok(lines)
    }

    fn ready(&self) -> (&'static str, &'static str) {
        ("init", "ready")
    }

    fn new_game(&self) -> &'static str {
        "new-game"
    }

    fn ping(&self) -> (&'static str, &'static str) {
        ("ping", "pong")
    }

    fn complaint(&self, line: &str) -> Option<String> {
        let (command, fields) = fields(line);
        let message = fields.into_iter().find(|(key, _)| key == "message").map(|(_, value)| value);
        (command == "error").then(|| message.unwrap_or_else(|| line.to_string()))
    }

    fn go(&self, _ground: Ground, course: Course, clocks: &Clocks) -> Vec<String> {
        let mut position = format!("pos pos={}", position(course.start));
        if !course.moves.is_empty() {
            position += &format!(" moves=\"{}\"", course.moves.join(" "));
        }
        vec![position, level(course.now.side(), clocks), "go think".to_string()]
    }

    fn listen(&self, line: &str, thoughts: &mut Thoughts) -> Said {
        let (command, fields) = fields(line);
        let value = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        match command.as_str() {
            "done" => return Said::Move(value("move").unwrap_or_default().to_string()),
            "info" if value("multipv").is_none_or(|rank| rank == "1") => {
                let number = |name: &str| value(name).and_then(|text| text.parse::<f64>().ok());
                if let Some(depth) = number("depth") {
                    thoughts.depth = Some(depth as u32);
                }
                if let Some(nodes) = number("nodes") {
                    thoughts.nodes = Some(nodes as u64);
                }
                if let Some(men) = number("score") {
                    thoughts.score = Some(score(men));
                }
            }
            _ => {}
        }
        Said::Nothing
    }

    fn write(&self, _game: &Game, mv: &PlainMove) -> String {
        movetext::hub(mv)
    }

    /// Square numbers: ends and captured squares first, then whatever else can be read.
    fn read(&self, game: &Game, word: &str) -> Result<PlainMove, String> {
        let wanted = sorted_captures(word);
        let exact = game.moves().into_iter().find(|mv| sorted_captures(&movetext::hub(mv)) == wanted);
        match exact {
            Some(mv) if wanted.is_some() => Ok(mv),
            _ => movetext::read(game, word).map_err(|error| error.to_string()),
        }
    }
}

/// Huffed piece and ends in order, captured squares sorted.
fn sorted_captures(word: &str) -> Option<(String, Vec<u8>)> {
    let (huffed, squares) = word.rsplit_once('/').unwrap_or(("", word));
    let numbers: Option<Vec<u8>> = squares.split(['x', '-']).map(|square| square.parse().ok()).collect();
    let mut numbers = numbers.filter(|numbers| numbers.len() >= 2)?;
    numbers[2..].sort_unstable();
    Some((huffed.to_string(), numbers))
}

/// The engine's name for a variant.
fn name_of<'a>(variant: &Variant, values: &'a [String]) -> Result<&'a str, String> {
    let means = |name: &str| {
        let known = if name == NORMAL.0 { NORMAL.1 } else { name };
        Variant::find(known).is_some_and(|found| found.id == variant.id)
    };
    let found = values.iter().find(|value| means(value));
    found.map(String::as_str).ok_or_else(|| format!("it does not play {}; it plays {}", variant.id, values.join(", ")))
}

fn position(setup: &Setup) -> String {
    let cell = |index: usize| match setup.cells[index] {
        None => 'e',
        Some(piece) if piece.king => piece.color.letter(),
        Some(piece) => piece.color.letter().to_ascii_lowercase(),
    };
    std::iter::once(setup.side.letter()).chain((0..setup.cells.len()).map(cell)).collect()
}

fn level(side: Color, clocks: &Clocks) -> String {
    let seconds = |ms: f64| ms / 1000.0;
    match clocks.control(side) {
        TimeControl::MoveTime(ms) => format!("level move-time={}", seconds(ms as f64)),
        TimeControl::Nodes(nodes) => format!("level nodes={nodes}"),
        TimeControl::Depth(depth) => format!("level depth={depth}"),
        TimeControl::Clock { increment_ms, .. } => {
            // The protocol adds the increment before the move; the clocks here have it in already.
            let left = clocks.left_ms(side).unwrap_or(0) - increment_ms as i64;
            let moves = clocks.moves_to_go(side).map_or(String::new(), |moves| format!("moves={moves} "));
            let gain = if increment_ms > 0 { format!(" inc={}", seconds(increment_ms as f64)) } else { String::new() };
            format!("level {moves}time={}{gain}", seconds(left as f64))
        }
    }
}

/// Hundredths of a man. Beyond 90 men a score tells the plies to an end of the game, or to a won ending.
fn score(men: f64) -> Score {
    if men.abs() > 90.0 && men.abs() <= 100.0 {
        let plies = ((100.0 - men.abs()) * 100.0).round() as Score;
        return if men > 0.0 { WIN - plies } else { plies - WIN };
    }
    centimen(men)
}

fn quoted(text: &str) -> String {
    let bare =
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '=' || c == '"');
    if bare { text.to_string() } else { format!("\"{}\"", text.replace('"', "")) }
}

/// A line's command and its `name=value` fields; blanks around `=` do not matter.
fn fields(line: &str) -> (String, Vec<(String, String)>) {
    let mut tokens = tokens(line).into_iter().peekable();
    let command = tokens.next().unwrap_or_default();
    let mut fields = Vec::new();
    while let Some(name) = tokens.next() {
        let value = match tokens.next_if(|token| token == "=") {
            Some(_) => tokens.next().unwrap_or_default(),
            None => String::new(),
        };
        fields.push((name, value));
    }
    (command, fields)
}

/// Words, quoted values without their quotes, and signs `=` on their own.
fn tokens(line: &str) -> Vec<String> {
    let (mut tokens, mut word, mut quoted) = (Vec::new(), String::new(), false);
    let end = |word: &mut String, tokens: &mut Vec<String>| {
        if !word.is_empty() {
            tokens.push(std::mem::take(word));
        }
    };
    for c in line.chars() {
        match c {
            '"' if quoted => {
                tokens.push(std::mem::take(&mut word));
                quoted = false;
            }
            '"' => quoted = true,
            c if quoted => word.push(c),
            '=' => {
                end(&mut word, &mut tokens);
                tokens.push("=".to_string());
            }
            c if c.is_whitespace() => end(&mut word, &mut tokens),
            c => word.push(c),
        }
    }
    end(&mut word, &mut tokens);
    tokens
}

#[cfg(test)]
#[path = "hub_tests.rs"]
mod tests;
