//! Whole games of the engine against itself, in every rule set of the first order: each move legal by the engine's own
//! generator and by the reference, each game with an end that can be named.
//!
//! A few short games a rule set as a rule; with `DAMKA_DEEP=1` a thousand at 2,000 nodes a move. `DAMKA_GAMES` and
//! `DAMKA_NODES` set other numbers. With `--nocapture` the tests print how the games ended.

use crate::client::beside_others;
use crate::fast::{Pair, named};
use damka::engine::{Engine, Info, Limits, Report, Settings, Signals};
use damka::game::board::Color;
use damka::game::plain::{Outcome, PlainMove, Setup, State};
use damka::game::{Game, Variant};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Plies after which a game without end is broken off. Only for rule sets in which play can go on for ever: those without
/// a draw by moves that change nothing. In the others reaching it is an error.
const PLY_LIMIT: usize = 600;

/// Plies played at random before the engine takes over, so that no two games are alike: this many or one more.
const OPENING: usize = 6;

/// Nobody listens.
struct Deaf;

impl Report for Deaf {
    fn info(&self, _: &Info) {}
}

/// A small repeatable source of numbers. After: Marsaglia, Xorshift RNGs, 2003.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a whole number"))
}

/// The moves of a game, told when it ends in a panic.
struct Story {
    variant: String,
    moves: Vec<PlainMove>,
}

impl Drop for Story {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let moves: Vec<String> = self.moves.iter().map(|mv| format!("{:?}", mv.path)).collect();
            eprintln!("{}, after {}", self.variant, moves.join(" "));
        }
    }
}

/// The next move of a game, chosen by the engine or, in the opening, by chance.
fn choose(game: &Game, engine: &mut Engine, dice: &mut Dice, nodes: u64, opening: usize) -> PlainMove {
    let legal = game.moves();
    assert!(!legal.is_empty(), "a game that goes on has a move: {:?}", game.setup());
    if game.plies() < opening {
        return legal[dice.below(legal.len())].clone();
    }
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let answer = engine.go(game, &limits, &Signals::default(), &Deaf);
    let best = answer.best.unwrap_or_else(|| panic!("no move in {:?}", game.setup()));
    assert!(legal.contains(&best), "{best:?} is not legal in {:?}", game.setup());
    best
}

/// Plays one game; says how it ended.
fn play(variant: &std::sync::Arc<Variant>, engine: &mut Engine, number: u64, nodes: u64) -> (String, usize) {
    let set = &variant.set;
    let endless = set.quiet_plies == 0;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (number + 1).wrapping_mul(0xd134_2543_de82_ef95));
    let mut pair = Pair::new(variant, &Setup::start(variant));
    let mut story = Story { variant: variant.id.clone(), moves: Vec::new() };
    let opening = OPENING + number as usize % 2;
    loop {
        // The reference may find a capture too long to follow: then only the engine's generator has a say.
        let _ = pair.compare().unwrap_or_else(|error| panic!("{}, game {number}: {error}", variant.id));
        let game = &pair.game;
        if let State::Over(outcome, reason) = game.state() {
            let result = match outcome {
                Outcome::Win(Color::White) => "white wins",
                Outcome::Win(Color::Black) => "black wins",
                Outcome::Draw => "draw",
            };
            return (format!("{result}: {reason}"), game.plies());
        }
        if game.plies() >= PLY_LIMIT {
            assert!(endless, "{}, game {number}: no end after {PLY_LIMIT} plies", variant.id);
            return (format!("broken off after {PLY_LIMIT} plies, the rules set no limit"), game.plies());
        }
        let mv = choose(game, engine, &mut dice, nodes, opening);
        story.moves.push(mv.clone());
        pair.play(&named(&mv)).expect("legal for both");
    }
}

/// Plays the games of a rule set and prints a table of their ends.
fn games(name: &str) {
    let _turn = beside_others();
    let deep = std::env::var_os("DAMKA_DEEP").is_some();
    let (games, nodes) = if deep { (1_000, 2_000) } else { (12, 300) };
    let (games, nodes) = (number("DAMKA_GAMES", games), number("DAMKA_NODES", nodes));
    let variant = Variant::find(name).expect("built in");
    let settings = Settings { hash_mb: 4, threads: 1, multi_pv: 1, move_overhead_ms: 0, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    let mut plies = 0;
    for number in 0..games {
        engine.clear();
        let (end, length) = play(&variant, &mut engine, number, nodes);
        *ends.entry(end).or_default() += 1;
        plies += length;
    }
    assert_eq!(ends.values().sum::<u64>(), games);
    let mut table =
        format!("{name}: {games} games at {nodes} nodes a move, {} plies each\n", plies as u64 / games.max(1));
    for (end, count) in &ends {
        writeln!(table, "{count:6}  {end}").expect("a string takes all");
    }
    println!("{table}");
}

macro_rules! rule_sets {
    ($($test:ident $name:literal)*) => { $(#[test] fn $test() { games($name); })* };
}

rule_sets! {
    international "international"
    english "english"
    russian "russian"
    brazilian "brazilian"
    polish8 "polish8"
    junior "junior"
    turkish "turkish"
}
