//! Reads what follows `go`.

use super::command::{BadLine, Command, number};
use super::perft::PerftWords;
use crate::engine::{Clock, Limits};

/// Deepest nominal depth that may be asked for, in plies.
pub const MAX_DEPTH: i64 = 200;

/// Most milliseconds that may be given: about 31 years.
const MAX_TIME: i64 = 1_000_000_000_000;

/// A search as a client asks for it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GoWords {
    /// All limits; `search_moves` is still empty.
    pub limits: Limits,
    /// The moves after `searchmoves`, as text.
    pub search_moves: Vec<String>,
}

const EXPECTED: &str =
    "one of: searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite perft";

/// What was read of the clock so far.
#[derive(Default)]
struct Times {
    time: [Option<i64>; 2],
    increment: [Option<i64>; 2],
    moves_to_go: Option<i64>,
}

/// Reads the words after `go`.
pub fn parse(words: &[&str]) -> Result<Command, BadLine> {
    if let [first, rest @ ..] = words
        && first.eq_ignore_ascii_case("perft")
    {
        return Ok(Command::Perft(PerftWords { divide: true, ..PerftWords::parse("go perft", rest)? }));
    }
    let mut go = GoWords::default();
    let mut times = Times::default();
    let mut seen: Vec<String> = Vec::new();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let key = word.to_ascii_lowercase();
        if seen.contains(&key) {
            return Err(BadLine::Twice(format!("go {key}")));
        }
        rest = match key.as_str() {
            "searchmoves" => search_moves(&mut go, after)?,
            "infinite" => {
                go.limits.infinite = true;
                after
            }
            "ponder" => {
                go.limits.ponder = true;
                after
            }
            _ => limit(&mut go.limits, &mut times, &key, after)?,
        };
        seen.push(key);
    }
    go.limits.clock = clock(&times)?;
    Ok(Command::Go(go))
}

/// Reads one limit with its number; returns the words after it.
fn limit<'a>(
    limits: &mut Limits,
    times: &mut Times,
    key: &str,
    after: &'a [&'a str],
) -> Result<&'a [&'a str], BadLine> {
    let (min, max) = match key {
        "depth" => (1, MAX_DEPTH),
        "nodes" => (1, i64::MAX),
        "mate" => (1, 1_000),
        "movetime" => (0, MAX_TIME),
        "wtime" | "btime" | "winc" | "binc" => (-MAX_TIME, MAX_TIME),
        "movestogo" => (0, 10_000),
        _ => return Err(BadLine::Unexpected("go".into(), EXPECTED.into(), key.to_string())),
    };
    let what = format!("go {key}");
    let Some((read, rest)) = after.split_first() else {
        return Err(BadLine::Missing(what, format!("a whole number from {min} to {max}")));
    };
    let value = number(&what, read, min, max)?;
    match key {
        "depth" => limits.depth = Some(value as u32),
        "nodes" => limits.nodes = Some(value as u64),
        "mate" => limits.mate = Some(value as u32),
        "movetime" => limits.movetime_ms = Some(value as u64),
        "wtime" => times.time[0] = Some(value),
        "btime" => times.time[1] = Some(value),
        "winc" => times.increment[0] = Some(value),
        "binc" => times.increment[1] = Some(value),
        _ => times.moves_to_go = Some(value),
    }
    Ok(rest)
}

/// Takes words up to the next that is a keyword of `go`; such a word is never a move.
fn search_moves<'a>(go: &mut GoWords, after: &'a [&'a str]) -> Result<&'a [&'a str], BadLine> {
    let keyword = |w: &&str| EXPECTED.split_whitespace().skip(2).any(|k| w.eq_ignore_ascii_case(k));
    let end = after.iter().position(keyword).unwrap_or(after.len());
    if end == 0 {
        return Err(BadLine::Missing("go searchmoves".into(), "one or more moves".into()));
    }
    go.search_moves = after[..end].iter().map(|w| w.to_string()).collect();
    Ok(&after[end..])
}

/// The clock, when any time was given. One time alone counts for both sides; an increment or `movestogo` alone is refused,
/// because the search would have no end.
fn clock(times: &Times) -> Result<Option<Clock>, BadLine> {
    let time = match times.time {
        [None, None] => {
            let needs = |name: &str| Err(BadLine::Alone(format!("go {name}"), "wtime or btime".into()));
            return match (times.increment, times.moves_to_go) {
                ([Some(_), _], _) => needs("winc"),
                ([_, Some(_)], _) => needs("binc"),
                (_, Some(_)) => needs("movestogo"),
                _ => Ok(None),
            };
        }
        [white, black] => [white.or(black), black.or(white)].map(Option::unwrap_or_default),
    };
    Ok(Some(Clock {
        time_ms: time,
        increment_ms: times.increment.map(Option::unwrap_or_default),
        // 0 is how some clients say "the rest of the game".
        moves_to_go: times.moves_to_go.filter(|&n| n > 0).map(|n| n as u32),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::command::parse as line;
    use super::*;

    fn go(text: &str) -> GoWords {
        match line(text) {
            Ok(Some(Command::Go(words))) => words,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn error(text: &str) -> String {
        line(text).expect_err("a bad line").to_string()
    }

    #[test]
    fn every_limit_is_read() {
        let read = go("go depth 7 NODES 1000 movetime 250 mate 3 infinite ponder").limits;
        let expected = Limits {
            depth: Some(7),
            nodes: Some(1000),
            movetime_ms: Some(250),
            mate: Some(3),
            infinite: true,
            ponder: true,
            ..Limits::default()
        };
        assert_eq!(read, expected);
        assert_eq!(go("go").limits, Limits::default());
    }

    #[test]
    fn the_clock_is_read_by_colour() {
        let clock = go("go wtime 300 btime 500 winc -5 binc 7 movestogo 3").limits.clock.expect("a clock");
        assert_eq!(clock, Clock { time_ms: [300, 500], increment_ms: [-5, 7], moves_to_go: Some(3) });
        let clock = go("go btime -20 movestogo 0").limits.clock.expect("a clock");
        assert_eq!(clock, Clock { time_ms: [-20, -20], increment_ms: [0, 0], moves_to_go: None });
    }

    #[test]
    fn search_moves_end_at_the_next_keyword() {
        let read = go("go searchmoves 31-26 31-27 depth 4");
        assert_eq!(read.search_moves, ["31-26", "31-27"]);
        assert_eq!(read.limits.depth, Some(4));
        assert_eq!(error("go searchmoves depth 4"), "go searchmoves: nothing follows, expected one or more moves");
    }

    #[test]
    fn perft_comes_with_the_counts_of_each_move() {
        let Ok(Some(Command::Perft(words))) = line("go perft 5") else { panic!("perft expected") };
        assert!(words.divide && words.depth == 5);
    }

    #[test]
    fn bad_limits_are_refused() {
        assert_eq!(error("go depth x"), "go depth: 'x' is not a whole number from 1 to 200");
        assert_eq!(error("go depth"), "go depth: nothing follows, expected a whole number from 1 to 200");
        assert_eq!(error("go depth 0"), "go depth: '0' is not a whole number from 1 to 200");
        assert_eq!(error("go depth 3 depth 4"), "go depth: given twice, expected once");
        assert!(error("go nodes 99999999999999999999").starts_with("go nodes: '99999999999999999999' is not"));
        assert!(error("go fast").starts_with("go: 'fast' was read, expected one of: searchmoves"));
        assert_eq!(error("go winc 5"), "go winc was given without wtime or btime, expected both");
        assert_eq!(error("go movestogo 5"), "go movestogo was given without wtime or btime, expected both");
    }
}
