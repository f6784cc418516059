//! A finished game as the journal keeps it, and as PDN.

use super::client::Fault;
use super::play::{Played, Ply};
use super::schedule::Fixture;
use crate::engine::Verdict;
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{Outcome, Setup};
use crate::game::variant::Variant;
use crate::notation::fen;
use serde::{Deserialize, Serialize};

/// What an engine spent in a game.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    pub moves: u64,
    pub milliseconds: u64,
    /// Nodes of the moves that told them, and the time of those.
    pub nodes: u64,
    pub node_milliseconds: u64,
    /// Sum of depths, and the number of moves that told one.
    pub depths: u64,
    pub depth_moves: u64,
}

impl Effort {
    /// Adds another game's.
    pub fn add(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.milliseconds += other.milliseconds;
        self.nodes += other.nodes;
        self.node_milliseconds += other.node_milliseconds;
        self.depths += other.depths;
        self.depth_moves += other.depth_moves;
    }

    fn add_ply(&mut self, ply: &Ply) {
        let milliseconds = ply.took.as_millis() as u64;
        self.moves += 1;
        self.milliseconds += milliseconds;
        if let Some(nodes) = ply.thoughts.nodes {
            self.nodes += nodes;
            self.node_milliseconds += milliseconds;
        }
        if let Some(depth) = ply.thoughts.depth {
            self.depths += u64::from(depth);
            self.depth_moves += 1;
        }
    }
}

/// A fault and the engine it belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultOf {
    pub engine: usize,
    #[serde(flatten)]
    pub fault: Fault,
}

/// A finished game. Engines and openings are told by their numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub game: u64,
    pub white: usize,
    pub black: usize,
    pub opening: usize,
    /// Half points of White: 0, 1 or 2.
    pub white_half_points: u8,
    pub reason: String,
    pub plies: usize,
    pub fault: Option<FaultOf>,
    /// White's and Black's.
    pub effort: [Effort; 2],
    pub pdn: String,
}

/// What the heading of a game tells.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    pub variant: &'a Variant,
    pub names: [&'a str; 2],
    pub controls: [&'a str; 2],
    pub start: &'a Game,
    /// `YYYY.MM.DD`.
    pub date: &'a str,
}

impl Record {
    /// Puts a finished game on record.
    pub fn new(fixture: &Fixture, played: &Played, heading: &Heading) -> Record {
        let engines = [fixture.white, fixture.black];
        let mut effort = [Effort::default(); 2];
        let first = heading.start.side().index();
        for (index, ply) in played.plies.iter().enumerate() {
            effort[(first + index) % 2].add_ply(ply);
        }
        let fault = played.fault.as_ref();
        Record {
            game: fixture.game,
            white: fixture.white,
            black: fixture.black,
            opening: fixture.opening,
            white_half_points: match played.outcome {
                Outcome::Win(Color::White) => 2,
                Outcome::Draw => 1,
                Outcome::Win(Color::Black) => 0,
            },
            reason: played.reason.clone(),
            plies: played.plies.len(),
            fault: fault.map(|(side, fault)| FaultOf { engine: engines[side.index()], fault: fault.clone() }),
            effort,
            pdn: pdn(fixture, played, heading),
        }
    }
}

/// The game in PDN 3.0. Results give the points of the side that moves first in the starting position of the rules
/// first, as PDN does; the Termination tag says in words who won.
fn pdn(fixture: &Fixture, played: &Played, heading: &Heading) -> String {
    let variant = heading.variant;
    let start = heading.start.setup();
    let result = result(variant, played.outcome);
    let winner = match played.outcome {
        Outcome::Win(color) => format!("{} wins", heading.names[color.index()]),
        Outcome::Draw => "draw".to_string(),
    };
    let detail = played.fault.as_ref().map_or(String::new(), |(_, fault)| format!(" ({})", fault.detail));
    let mut tags = vec![
        ("Event", format!("{} match", variant.title)),
        ("Date", heading.date.to_string()),
        ("Round", format!("{}.{}", fixture.round + 1, fixture.game + 1)),
        ("White", heading.names[0].to_string()),
        ("Black", heading.names[1].to_string()),
        ("Result", result.to_string()),
        ("Variant", variant.id.clone()),
        ("TimeControlWhite", heading.controls[0].to_string()),
        ("TimeControlBlack", heading.controls[1].to_string()),
        ("Termination", format!("{winner}: {}{detail}", played.reason)),
    ];
    if variant.set.game_type > 0 {
        tags.insert(6, ("GameType", variant.set.game_type.to_string()));
    }
    if start != Setup::start(variant) {
        tags.push(("FEN", fen::write(variant, &start)));
    }
    let mut text = String::new();
    for (name, value) in tags {
        text += &format!("[{name} \"{}\"]\n", value.replace(['"', '\n', '\r', '\\'], "'"));
    }
    text + "\n" + &wrapped(&movetext(variant, &start, &played.plies, result)) + "\n\n"
}

/// PDN GameTypes whose results are counted in points, 2 for a win.
const POINTS_TYPES: [u8; 2] = [20, 27];

/// The result as the game's type writes it.
fn result(variant: &Variant, outcome: Outcome) -> &'static str {
    match (outcome, POINTS_TYPES.contains(&variant.set.game_type)) {
        (Outcome::Draw, true) => "1-1",
        (Outcome::Draw, false) => "1/2-1/2",
        (Outcome::Win(color), true) if color == variant.set.first => "2-0",
        (Outcome::Win(_), true) => "0-2",
        (Outcome::Win(color), false) if color == variant.set.first => "1-0",
        (Outcome::Win(_), false) => "0-1",
    }
}

fn movetext(variant: &Variant, start: &Setup, plies: &[Ply], result: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut number, mut side) = (start.move_number.unwrap_or(1), start.side);
    for (index, ply) in plies.iter().enumerate() {
        if side == variant.set.first {
            words.push(format!("{number}."));
        } else if index == 0 {
            words.push(format!("{number}..."));
        }
        words.push(ply.text.clone());
        words.push(comment(ply));
        number += u32::from(side != variant.set.first);
        side = side.other();
    }
    words.push(result.to_string());
    words
}

/// Score in men for the mover (or plies to the end), depth and seconds: `{+0.35/12 0.101s}`.
fn comment(ply: &Ply) -> String {
    let score = ply.thoughts.score.map_or("?".to_string(), |score| match Verdict::of(score) {
        Verdict::Cp(score) => format!("{:+.2}", f64::from(score) / 100.0),
        Verdict::End { plies, won } => format!("{}M{plies}", if won { '+' } else { '-' }),
    });
    let depth = ply.thoughts.depth.map_or(String::new(), |depth| format!("/{depth}"));
    format!("{{{score}{depth} {:.3}s}}", ply.took.as_secs_f64())
}

/// Words in lines of at most 80 characters.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > 80 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::movetext;
    use crate::tools::arena::dialect::Thoughts;
    use std::time::Duration;

    fn record(variant: &str, outcome: Outcome) -> Record {
        let variant = Variant::find(variant).unwrap();
        let start = Game::new(variant.clone());
        let mut game = start.clone();
        let mut plies = Vec::new();
        for index in 0..30 {
            let Some(mv) = game.moves().first().cloned() else { break };
            let thoughts =
                Thoughts { score: Some(35 - index), depth: Some(12), nodes: (index % 2 == 0).then_some(500) };
            plies.push(Ply { text: movetext::write(&game, &mv), thoughts, took: Duration::from_millis(101) });
            game.play(&mv).unwrap();
        }
        let played = Played { outcome, reason: "no legal move".into(), fault: None, plies };
        let fixture = Fixture { game: 4, round: 2, white: 1, black: 0, opening: 7 };
        let heading = Heading {
            variant: &variant,
            names: ["A \"x\"", "B"],
            controls: ["nodes=5", "10+0.1"],
            start: &start,
            date: "2026.01.02",
        };
        Record::new(&fixture, &played, &heading)
    }

    #[test]
    fn a_game_is_written_as_pdn() {
        let record = record("international", Outcome::Win(Color::White));
        let text = &record.pdn;
        for part in [
            "[White \"A 'x'\"]",
            "[Result \"2-0\"]",
            "[GameType \"20\"]",
            "[Round \"3.5\"]",
            "[TimeControlBlack \"10+0.1\"]",
            "wins: no legal move",
            "\n\n1. ",
            " {+0.35/12 0.101s} ",
            "\n2. ",
        ] {
            assert!(text.contains(part) || text.replace('\n', " ").contains(part.trim_start()), "{part} in {text}");
        }
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(text.trim_end().ends_with("2-0") && text.ends_with("\n\n") && !text.contains("FEN"));
        assert_eq!(record.effort[0].moves + record.effort[1].moves, record.plies as u64);
        assert_eq!(record.effort[0].nodes, 500 * record.effort[0].moves);
        assert_eq!((record.effort[1].nodes, record.white_half_points), (0, 2));
    }

    #[test]
    fn results_are_those_of_the_first_mover_first() {
        assert!(record("english", Outcome::Win(Color::Black)).pdn.contains("[Result \"1-0\"]"));
        assert!(record("russian", Outcome::Win(Color::Black)).pdn.contains("[Result \"0-1\"]"));
        assert!(record("russian", Outcome::Draw).pdn.contains("[Result \"1/2-1/2\"]"));
        assert!(record("canadian", Outcome::Draw).pdn.contains("[Result \"1-1\"]"));
    }

    #[test]
    fn a_record_survives_its_journal_line() {
        let mut record = record("turkish", Outcome::Draw);
        let fault =
            Fault { kind: super::super::client::Kind::TimeLoss, detail: "x".into(), transcript: vec!["> go".into()] };
        record.fault = Some(FaultOf { engine: 1, fault });
        let line = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }
}
