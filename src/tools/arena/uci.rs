//! The UCI dialect, from the client's side.

use super::clock::{Clocks, TimeControl};
use super::dialect::{Course, Declared, Dialect, Ground, Said, Thoughts, known_options};
use super::spec::EngineSpec;
use crate::engine::{Score, WIN};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{PlainMove, Setup};
use crate::notation::{fen, movetext};

/// The dialect; it has no state.
#[derive(Clone, Copy, Debug)]
pub struct Uci;

impl Dialect for Uci {
    fn hello(&self) -> &'static str {
        "uci"
    }

    fn introduced(&self) -> &'static str {
        "uciok"
    }

    fn declared(&self, line: &str) -> Option<Declared> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["option", "name", rest @ ..] = words.as_slice() else {
            return None;
        };
        let end = rest.iter().position(|word| *word == "type").unwrap_or(rest.len());
        let values = rest.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1].to_string()).collect();
        Some(Declared { name: rest[..end].join(" "), values })
    }

    fn configure(&mut self, spec: &EngineSpec, ground: Ground, declared: &[Declared]) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let knows = |name: &str| declared.iter().any(|option| option.name.eq_ignore_ascii_case(name));
        match ground.rules {
            Some(_) if !knows("RulesFile") => return Err("it has no option 'RulesFile' for your own rules".to_string()),
            Some(path) => lines.push(format!("setoption name RulesFile value {}", path.display())),
            None if knows("UCI_Variant") => {
                lines.push(format!("setoption name UCI_Variant value {}", ground.variant.id));
            }
            None => {}
        }
        let options = known_options(spec, declared)?;
        lines.extend(options.iter().map(|(name, value)| format!("setoption name {name} value {value}")));
        Ok(lines)
    }

    fn ready(&self) -> (&'static str, &'static str) {
        ("isready", "readyok")
    }

    fn new_game(&self) -> &'static str {
        "ucinewgame"
    }

    fn ping(&self) -> (&'static str, &'static str) {
        ("isready", "readyok")
    }

    fn complaint(&self, line: &str) -> Option<String> {
        line.trim().strip_prefix("info string error:").map(|why| why.trim().to_string())
    }

    fn go(&self, ground: Ground, course: Course, clocks: &Clocks) -> Vec<String> {
        let mut position = match *course.start == Setup::start(ground.variant) {
            true => "position startpos".to_string(),
            false => format!("position fen {}", fen::write(ground.variant, course.start)),
        };
        if !course.moves.is_empty() {
            position = position + " moves " + &course.moves.join(" ");
        }
        vec![position, limits(course.now.side(), clocks)]
    }

    fn listen(&self, line: &str, thoughts: &mut Thoughts) -> Said {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["bestmove", mv, ..] => return Said::Move(mv.to_string()),
            ["info", "string", ..] => {}
            ["info", rest @ ..] => info(rest, thoughts),
            _ => {}
        }
        Said::Nothing
    }

    fn write(&self, game: &Game, mv: &PlainMove) -> String {
        movetext::write(game, mv)
    }

    fn read(&self, game: &Game, word: &str) -> Result<PlainMove, String> {
        movetext::read(game, word).map_err(|error| error.to_string())
    }
}

fn limits(side: Color, clocks: &Clocks) -> String {
    match clocks.control(side) {
        TimeControl::MoveTime(ms) => format!("go movetime {ms}"),
        TimeControl::Nodes(nodes) => format!("go nodes {nodes}"),
        TimeControl::Depth(depth) => format!("go depth {depth}"),
        TimeControl::Clock { increment_ms, .. } => {
            // An opponent without a clock is told as if it had the same.
            let own = clocks.left_ms(side).unwrap_or(0);
            let left = [Color::White, Color::Black].map(|color| clocks.left_ms(color).unwrap_or(own));
            let gain = [Color::White, Color::Black].map(|color| match clocks.control(color) {
                TimeControl::Clock { increment_ms, .. } => increment_ms,
                _ => increment_ms,
            });
            let to_go = clocks.moves_to_go(side).map_or(String::new(), |moves| format!(" movestogo {moves}"));
            format!("go wtime {} btime {} winc {} binc {}{to_go}", left[0], left[1], gain[0], gain[1])
        }
    }
}

/// Takes score, depth and nodes of the first line of analysis.
fn info(words: &[&str], thoughts: &mut Thoughts) {
    let fields = &words[..words.iter().position(|word| *word == "pv").unwrap_or(words.len())];
    let after = |name: &str| fields.iter().position(|word| *word == name).and_then(|at| fields.get(at + 1)).copied();
    if after("multipv").is_some_and(|rank| rank != "1") {
        return;
    }
    let number = |name: &str| after(name).and_then(|word| word.parse::<u64>().ok());
    if let Some(depth) = number("depth") {
        thoughts.depth = u32::try_from(depth).ok();
    }
    if let Some(nodes) = number("nodes") {
        thoughts.nodes = Some(nodes);
    }
    if let Some(at) = fields.iter().position(|word| *word == "score") {
        thoughts.score = fields.get(at + 1).zip(fields.get(at + 2)).and_then(|(kind, value)| score(kind, value));
    }
}

fn score(kind: &str, value: &str) -> Option<Score> {
    let value: i32 = value.parse().ok()?;
    match kind {
        "cp" => Some(value.clamp(-20_000, 20_000)),
        "mate" if value > 0 => Some(WIN - value.saturating_mul(2).min(1000) + 1),
        "mate" => Some(-WIN + value.saturating_mul(-2).clamp(0, 1000)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variant::Variant;
    use std::time::Duration;

    #[test]
    fn options_are_understood() {
        let option = Uci.declared("option name Move Overhead type spin default 30 min 0 max 5000").unwrap();
        assert_eq!((option.name.as_str(), option.values.len()), ("Move Overhead", 0));
        let option = Uci.declared("option name UCI_Variant type combo default a var a var b").unwrap();
        assert_eq!(option.values, ["a", "b"]);
        assert!(Uci.declared("id name x").is_none());
    }

    #[test]
    fn rules_and_options_are_set_and_unknown_ones_named() {
        let variant = Variant::find("russian").unwrap();
        let declared =
            [Declared { name: "Hash".into(), values: vec![] }, Declared { name: "UCI_Variant".into(), values: vec![] }];
        let ground = Ground { variant: &variant, rules: None };
        let spec = EngineSpec::read("cmd=x,option.hash=16").unwrap();
        let lines = Uci.configure(&spec, ground, &declared).unwrap();
        assert_eq!(lines, ["setoption name UCI_Variant value russian", "setoption name Hash value 16"]);
        let spec = EngineSpec::read("cmd=x,option.Hsh=16").unwrap();
        assert!(Uci.configure(&spec, ground, &declared).unwrap_err().contains("'Hsh'"));
        let own = Ground { variant: &variant, rules: Some(std::path::Path::new("mine.toml")) };
        assert!(Uci.configure(&spec, own, &declared).unwrap_err().contains("RulesFile"));
    }

    #[test]
    fn searches_are_asked_for() {
        let variant = Variant::find("international").unwrap();
        let game = Game::new(variant.clone());
        let start = game.setup();
        let moves = ["32-28".to_string()];
        let course = Course { start: &start, moves: &moves, now: &game };
        let ground = Ground { variant: &variant, rules: None };
        let ask = |control: &str| {
            let clocks = Clocks::new([control.parse().unwrap(); 2], Duration::ZERO);
            Uci.go(ground, course, &clocks).join(" | ")
        };
        assert_eq!(ask("nodes=5"), "position startpos moves 32-28 | go nodes 5");
        assert_eq!(
            ask("40/60+1"),
            "position startpos moves 32-28 | go wtime 61000 btime 61000 winc 1000 binc 1000 movestogo 40"
        );
        let mut later = start.clone();
        later.cells[30] = None;
        let course = Course { start: &later, moves: &[], now: &game };
        let clocks = Clocks::new(["depth=3".parse().unwrap(); 2], Duration::ZERO);
        assert!(Uci.go(ground, course, &clocks)[0].starts_with("position fen W:W32,33"));
    }

    #[test]
    fn answers_are_understood() {
        let mut thoughts = Thoughts::default();
        let line = "info depth 9 seldepth 12 multipv 1 score cp -35 nodes 4000 time 7 pv 32-28 19-23";
        assert_eq!(Uci.listen(line, &mut thoughts), Said::Nothing);
        assert_eq!(thoughts, Thoughts { score: Some(-35), depth: Some(9), nodes: Some(4000) });
        Uci.listen("info depth 10 multipv 2 score cp 99 nodes 5000", &mut thoughts);
        Uci.listen("info string score cp 77", &mut thoughts);
        assert_eq!(thoughts.score, Some(-35));
        Uci.listen("info depth 11 score mate 3", &mut thoughts);
        assert_eq!(thoughts.score, Some(WIN - 5));
        Uci.listen("info depth 11 score mate -2", &mut thoughts);
        assert_eq!(thoughts.score, Some(-WIN + 4));
        Uci.listen("info score cp", &mut thoughts);
        assert_eq!(Uci.listen("bestmove 32-28 ponder 19-23", &mut thoughts), Said::Move("32-28".into()));
    }
}
