//! Small engines for tests. The test binary starts itself again with one of the ignored tests below, which then speaks
//! a protocol over its standard input and output.

use super::journal::fingerprint;
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{Piece, Setup};
use crate::game::variant::Variant;
use crate::notation::{fen, movetext, rulefile};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// How a fake engine plays from its third move on.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Steady,
    Crash,
    Illegal,
    Sleep,
    /// Steady, and sure to win.
    Boast,
}

/// The `--engine` text of a fake.
pub fn spec(name: &str, fake: &str, more: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let test = format!("{}::{fake}", module_path!().split_once("::").unwrap().1);
    format!("name={name},cmd={},args=\"--ignored --exact {test} --nocapture\"{more}", program.display())
}

struct Fake {
    mood: Mood,
    salt: u64,
    variant: Arc<Variant>,
    game: Game,
    line: String,
    searches: u32,
}

impl Fake {
    fn new(mood: Mood, salt: u64) -> Fake {
        let variant = Variant::find("international").unwrap();
        let game = Game::new(variant.clone());
        Fake { mood, salt, variant, game, line: String::new(), searches: 0 }
    }

    /// A move that depends on the line played alone, and the score to claim.
    fn choose(&mut self) -> (Option<usize>, i32) {
        self.searches += 1;
        if self.searches >= 3 {
            match self.mood {
                Mood::Crash => {
                    eprintln!("out of memory, or so");
                    std::process::exit(3);
                }
                Mood::Illegal => return (None, 0),
                Mood::Sleep => std::thread::sleep(Duration::from_secs(5)),
                _ => {}
            }
        }
        let count = self.game.moves().len() as u64;
        let chance = fingerprint(self.line.as_bytes()) ^ self.salt;
        let score = if self.mood == Mood::Boast { 900 } else { (chance % 7) as i32 - 3 };
        ((chance % 1_000_003 % count.max(1)).try_into().ok(), score)
    }

    fn start_from(&mut self, setup: &Setup, moves: &[&str]) {
        self.game = Game::from_setup(self.variant.clone(), setup).unwrap();
        for mv in moves {
            let mv = movetext::read(&self.game, mv).unwrap();
            self.game.play(&mv).unwrap();
        }
    }

    fn uci(&mut self, line: &str) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(match words.as_slice() {
            ["uci"] => "id name Fake\noption name UCI_Variant type combo default international\n\
                       option name RulesFile type string\nuciok"
                .to_string(),
            ["setoption", "name", "UCI_Variant", "value", id] => {
                self.variant = Variant::find(id).unwrap();
                return None;
            }
            ["setoption", "name", "RulesFile", "value", path] => {
                self.variant = rulefile::read(&std::fs::read_to_string(path).unwrap()).unwrap();
                return None;
            }
            ["isready"] => "readyok".to_string(),
            ["ucinewgame"] => {
                self.searches = 0;
                return None;
            }
            ["position", rest @ ..] => {
                self.line = line.to_string();
                let cut = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
                let setup = match rest[0] {
                    "startpos" => Setup::start(&self.variant),
                    _ => fen::read(&self.variant, &rest[1..cut].join(" ")).unwrap(),
                };
                self.start_from(&setup, rest.get(cut + 1..).unwrap_or(&[]));
                return None;
            }
            ["go", ..] => {
                let (choice, score) = self.choose();
                let mv =
                    choice.map_or("1-1".to_string(), |choice| movetext::write(&self.game, &self.game.moves()[choice]));
                format!("info depth 5 score cp {score} nodes 1000 pv {mv}\nbestmove {mv}")
            }
            _ => return None,
        })
    }

    fn hub(&mut self, line: &str) -> Option<String> {
        let words: Vec<&str> = line.split(' ').collect();
        Some(match words.as_slice() {
            ["hub"] => {
                "id name=Fake\nparam name=variant value=normal type=enum values=\"normal russian\"\nwait".to_string()
            }
            ["set-param", "name=variant", value] => {
                let name = value.strip_prefix("value=").unwrap();
                self.variant = Variant::find(if name == "normal" { "international" } else { name }).unwrap();
                return None;
            }
            ["init"] => "ready".to_string(),
            ["ping"] => "pong".to_string(),
            ["pos", position, rest @ ..] => {
                self.line = line.to_string();
                let cells = position.strip_prefix("pos=").unwrap();
                let moves = rest.join(" ");
                let moves = moves.strip_prefix("moves=\"").and_then(|moves| moves.strip_suffix('"')).unwrap_or("");
                let setup = hub_setup(&self.variant, cells);
                self.start_from(&setup, &moves.split_whitespace().collect::<Vec<_>>());
                return None;
            }
            ["go", ..] => {
                let (choice, score) = self.choose();
                let mv = choice.map_or("1-1".to_string(), |choice| movetext::hub(&self.game.moves()[choice]));
                format!("info depth=5 score={} nodes=1000 pv=\"{mv}\"\ndone move={mv}", f64::from(score) / 100.0)
            }
            _ => return None,
        })
    }
}

fn hub_setup(variant: &Variant, cells: &str) -> Setup {
    let side = if cells.starts_with('W') { Color::White } else { Color::Black };
    let mut setup = Setup::empty(variant.set.board, side);
    for (cell, letter) in setup.cells.iter_mut().zip(cells[1..].chars()) {
        let color = if letter.eq_ignore_ascii_case(&'w') { Color::White } else { Color::Black };
        *cell = (letter != 'e').then_some(Piece { color, king: letter.is_ascii_uppercase() });
    }
    setup
}

fn speak(mut fake: Fake, hear: fn(&mut Fake, &str) -> Option<String>) {
    for line in std::io::stdin().lines().map_while(Result::ok).take_while(|line| line != "quit") {
        if let Some(answer) = hear(&mut fake, &line) {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{answer}").and_then(|()| out.flush());
        }
    }
}

macro_rules! fakes {
    ($($name:ident: $mood:expr, $salt:literal, $language:ident;)*) => {
        $(
            #[test]
            #[ignore = "an engine that other tests start"]
            fn $name() {
                speak(Fake::new($mood, $salt), Fake::$language);
            }
        )*
    };
}

fakes! {
    steady: Mood::Steady, 1, uci;
    other: Mood::Steady, 77, uci;
    crasher: Mood::Crash, 2, uci;
    cheat: Mood::Illegal, 3, uci;
    sleeper: Mood::Sleep, 4, uci;
    boaster: Mood::Boast, 5, uci;
    hubber: Mood::Steady, 6, hub;
}
