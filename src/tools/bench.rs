//! The benchmark: fixed positions, fixed depth, one thread. Its node count is the signature of the engine's behaviour: a
//! change that is not meant to alter play must not alter it.

use crate::engine::{Engine, Info, Limits, Report, Settings, Signals};
use crate::game::{Game, Variant};
use crate::notation::fen;
use std::time::Instant;

/// Depth when none is given, in plies.
const DEPTH: u32 = 10;

/// Table size in MiB. The signature depends on it.
const HASH_MB: usize = 16;

/// Rule set and position; an empty text is the starting position. Openings, middle games and endgames from own play.
const POSITIONS: [(&str, &str); 13] = [
    ("international", ""),
    ("international", "B:W16,27,28,32,33,34,35,37,38,44,45,46,47,48,49,50:B1,2,3,4,5,7,8,14,17,18,19,20,21,23,24"),
    ("international", "B:W25,33,34,36,38,39,42,44,48:B1,2,3,4,5,12,14,17,19,24,26,27"),
    ("english", "W:W14,19,23,25,28,29,30,31,32:B1,2,3,4,6,8,11,17,20"),
    ("english", "W:W12,18,20,27:B2,3,11,K26:H1"),
    ("russian", "B:Wf4,h4,c3,d2,f2,h2,c1,e1,g1:Bb8,d8,f8,c7,e7,f6,h6,c5"),
    ("russian", "B:WKa7,c3,e3:Be5,Kg1:E1"),
    ("brazilian", "B:Wd4,f4,a3,e3,g3,d2,a1,c1,e1,g1:Bb8,d8,h8,e7,g7,f6,h6,a5,c5,b4"),
    ("polish8", "B:Wd4,f4,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,c7,e7,f6,a5,b4"),
    ("junior", "B:Wa5,a3,c3,b2,f2,e1,g1:Bb8,d8,f8,h8,a7,c7,c5,e5"),
    ("turkish", ""),
    ("turkish", "B:Wb4,e4,f4,h4,b3,d3,f3,g3,h3,a2,c2,e2,h2:Bb7,e7,g7,h7,a6,d6,e6,f6,h6,a5,c5,g5,h5"),
    ("turkish", "B:Wc4,f4,h4,f3,h3,c2,f2:Bg7,h7,h6,e5,g5,Ka1"),
];

/// Nobody listens to the single searches.
struct Deaf;

impl Report for Deaf {
    fn info(&self, _: &Info) {}
}

/// Searches every position to `depth` plies and says how many nodes each took; at the end their sum, the speed, and the
/// signature `Bench: <sum>`. A signal ends it early, without a signature.
pub fn run(depth: Option<u32>, signals: &Signals, say: &mut dyn FnMut(&str)) {
    let limits = Limits { depth: Some(depth.unwrap_or(DEPTH)), ..Limits::default() };
    let settings = Settings { hash_mb: HASH_MB, threads: 1, multi_pv: 1, move_overhead_ms: 0, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let since = Instant::now();
    let mut total = 0;
    for (index, (name, text)) in POSITIONS.iter().enumerate() {
        engine.clear();
        let answer = engine.go(&position(name, text), &limits, signals, &Deaf);
        if signals.stopped() {
            return say("info string bench stopped");
        }
        let nodes = answer.info.map_or(0, |info| info.nodes);
        say(&format!("position {}/{} {name} nodes {nodes}", index + 1, POSITIONS.len()));
        total += nodes;
    }
    let seconds = since.elapsed().as_secs_f64().max(1e-9);
    say(&format!("Nodes searched: {total}"));
    say(&format!("Nodes/second: {:.0}", total as f64 / seconds));
    say(&format!("Bench: {total}"));
}

fn position(name: &str, text: &str) -> Game {
    let variant = Variant::find(name).expect("a built-in rule set");
    if text.is_empty() {
        return Game::new(variant);
    }
    let setup = fen::read(&variant, text).expect("a sound position");
    Game::from_setup(variant, &setup).expect("a sound position")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::plain::State;

    fn lines(depth: u32) -> Vec<String> {
        let mut lines = Vec::new();
        run(Some(depth), &Signals::default(), &mut |line| lines.push(line.to_string()));
        lines
    }

    fn without_speed(lines: Vec<String>) -> Vec<String> {
        lines.into_iter().filter(|line| !line.starts_with("Nodes/second")).collect()
    }

    #[test]
    fn the_same_run_gives_the_same_counts() {
        assert_eq!(without_speed(lines(5)), without_speed(lines(5)));
    }

    #[test]
    fn the_sum_is_that_of_the_positions() {
        let lines = lines(4);
        let last = |line: &String| line.rsplit(' ').next().and_then(|word| word.parse::<u64>().ok()).expect("a count");
        let (positions, end) = lines.split_at(POSITIONS.len());
        let [searched, speed, signature] = end else { panic!("{end:?}") };
        let sum: u64 = positions.iter().map(last).sum();
        assert_eq!(*searched, format!("Nodes searched: {sum}"));
        assert_eq!(*signature, format!("Bench: {sum}"));
        assert!(speed.starts_with("Nodes/second: "), "{speed}");
    }

    #[test]
    fn every_position_is_one_to_search() {
        for (name, text) in POSITIONS {
            let game = position(name, text);
            assert!(game.state() == State::Ongoing && game.moves().len() > 1, "{name} {text}");
        }
    }

    #[test]
    fn a_signal_ends_it_without_a_signature() {
        let signals = Signals::default();
        signals.stop();
        let mut lines = Vec::new();
        run(None, &signals, &mut |line| lines.push(line.to_string()));
        assert_eq!(lines, ["info string bench stopped"]);
    }
}
