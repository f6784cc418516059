//! Counting moves on request: the words of `perft`, and a count that uses several threads and can be stopped.

use super::command::{BadLine, flag, number};
use super::json;
use super::options::MAX_THREADS;
use super::print::MoveFormat;
use crate::game::plain::PlainMove;
use crate::game::{Counting, Game, PerftOptions};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Deepest count that may be asked for, in plies.
pub const MAX_DEPTH: i64 = 60;

/// A count as a client asks for it.
#[derive(Clone, PartialEq, Debug)]
pub struct PerftWords {
    /// Plies.
    pub depth: u32,
    /// Also print the count of each move.
    pub divide: bool,
    /// What counts as one move.
    pub counting: Counting,
    /// Positions that end the game have no moves.
    pub ends: bool,
    /// Threads; `None` = as many as the search uses.
    pub threads: Option<usize>,
    /// Also print one JSON object.
    pub json: bool,
}

impl PerftWords {
    /// A count of that depth with everything else at its default.
    pub fn new(depth: u32) -> PerftWords {
        PerftWords { depth, divide: false, counting: Counting::Unique, ends: false, threads: None, json: false }
    }

    /// Reads `N [divide] [json] [count unique|paths|landings] [ends applied|ignored] [threads N]`.
    pub fn parse(what: &str, words: &[&str]) -> Result<PerftWords, BadLine> {
        let [depth, rest @ ..] = words else {
            return Err(BadLine::Missing(what.into(), format!("a depth from 0 to {MAX_DEPTH}")));
        };
        let mut read = PerftWords::new(number(what, depth, 0, MAX_DEPTH)? as u32);
        let mut rest = rest;
        while let [word, after @ ..] = rest {
            rest = match (flag(word).as_str(), after) {
                ("divide", _) => {
                    read.divide = true;
                    after
                }
                ("json", _) => {
                    read.json = true;
                    after
                }
                ("count", [value, after @ ..]) => {
                    read.counting = counting(what, value)?;
                    after
                }
                ("ends", [value, after @ ..]) => {
                    read.ends = ends(what, value)?;
                    after
                }
                ("threads", [value, after @ ..]) => {
                    read.threads = Some(number(&format!("{what} threads"), value, 1, MAX_THREADS)? as usize);
                    after
                }
                _ => {
                    let expected = "divide, json, count unique|paths|landings, ends applied|ignored or threads N";
                    return Err(BadLine::Unexpected(what.into(), expected.into(), word.to_string()));
                }
            };
        }
        Ok(read)
    }

    /// The options for the game's own counter.
    pub fn options(&self) -> PerftOptions {
        PerftOptions { counting: self.counting, ends: self.ends }
    }
}

/// Reads a way of counting.
pub fn counting(what: &str, word: &str) -> Result<Counting, BadLine> {
    Ok(match flag(word).as_str() {
        "unique" => Counting::Unique,
        "paths" => Counting::Paths,
        "landings" => Counting::Landings,
        _ => {
            return Err(BadLine::Unexpected(
                format!("{what} count"),
                "unique, paths or landings".into(),
                word.to_string(),
            ));
        }
    })
}

/// Reads whether ends of the game are applied.
pub fn ends(what: &str, word: &str) -> Result<bool, BadLine> {
    match flag(word).as_str() {
        "applied" => Ok(true),
        "ignored" => Ok(false),
        _ => Err(BadLine::Unexpected(format!("{what} ends"), "applied or ignored".into(), word.to_string())),
    }
}

/// One part of a count: a position below the root.
struct Part {
    /// Which root move leads there.
    root: usize,
    /// How many times it counts: more than once where paths count separately.
    weight: u64,
    game: Game,
    /// Plies still to count.
    depth: u32,
}

/// Counts below each root move on `threads` threads; `None` when `stopped` said so first.
pub fn count(
    game: &Game,
    words: &PerftWords,
    threads: usize,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<(PlainMove, u64)>> {
    if words.depth == 0 {
        return Some(Vec::new());
    }
    if words.depth == 1 {
        return Some(game.divide(1, words.options()));
    }
    let (moves, parts) = split(game, words, 8 * threads.max(8));
    let next = AtomicUsize::new(0);
    let totals = Mutex::new(vec![0u64; moves.len()]);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(parts.len()) {
            scope.spawn(|| {
                while !stopped()
                    && let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let nodes = leaves(part, words, stopped);
                    totals.lock().expect("no counting thread panics while it adds")[part.root] += nodes;
                }
            });
        }
    });
    if stopped() {
        return None;
    }
    Some(moves.into_iter().zip(totals.into_inner().expect("all counting threads have ended")).collect())
}

/// Leaves of a part. Those that may take long are cut once more, so that `stopped` is asked often enough.
fn leaves(part: &Part, words: &PerftWords, stopped: &(dyn Fn() -> bool + Sync)) -> u64 {
    if stopped() {
        return 0;
    }
    let small = part.depth <= SMALL || part.depth <= 7 && estimate(part) <= 1e8;
    if small {
        return part.weight * part.game.perft(part.depth, words.options());
    }
    children(part, words).iter().map(|child| leaves(child, words, stopped)).sum()
}

/// A guess from above at the leaves of a part.
fn estimate(part: &Part) -> f64 {
    (part.game.moves().len() as f64).powi(part.depth as i32)
}

/// Parts of this depth and less are not cut any further.
const SMALL: u32 = 4;

/// Cuts a count into at least `wanted` parts, where there are so many, to share.
fn split(game: &Game, words: &PerftWords, wanted: usize) -> (Vec<PlainMove>, Vec<Part>) {
    let moves = game.divide(1, words.options()).into_iter().map(|(mv, _)| mv).collect();
    let root = Part { root: 0, weight: 1, game: game.clone(), depth: words.depth };
    let first = children(&root, words);
    let mut parts: Vec<Part> = first.into_iter().enumerate().map(|(root, part)| Part { root, ..part }).collect();
    for _ in 0..words.depth {
        if parts.len() >= wanted {
            break;
        }
        parts = parts
            .into_iter()
            .flat_map(|part| if part.depth > SMALL { children(&part, words) } else { vec![part] })
            .collect();
    }
    (moves, parts)
}

/// The parts one ply deeper.
fn children(part: &Part, words: &PerftWords) -> Vec<Part> {
    let cut = part.game.successors(words.options()).into_iter();
    cut.map(|(ways, game)| Part { root: part.root, weight: part.weight * ways, game, depth: part.depth - 1 }).collect()
}

/// What is printed about a count: each move's own count when asked for, the object when asked for, and always last the
/// line that scripts read.
pub fn report(
    game: &Game,
    words: &PerftWords,
    rows: &[(PlainMove, u64)],
    time: Duration,
    format: MoveFormat,
) -> String {
    // The empty count: the position itself.
    let nodes = if words.depth == 0 { 1 } else { rows.iter().map(|row| row.1).sum() };
    let mut lines = Vec::new();
    if words.json {
        lines.push(json::perft(game, words, rows, nodes, time).to_string());
    } else if words.divide {
        lines.extend(rows.iter().map(|(mv, nodes)| format!("{}: {nodes}", format.write(game, mv))));
    }
    let speed = nodes as f64 / time.as_secs_f64().max(0.000_001);
    lines.push(format!("nodes {nodes} time {} nps {speed:.0}", time.as_millis()));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variant::Variant;

    #[test]
    fn words_are_read_with_and_without_dashes() {
        let read = |text: &str| PerftWords::parse("perft", &text.split(' ').collect::<Vec<_>>());
        let expected = PerftWords {
            divide: true,
            json: true,
            counting: Counting::Paths,
            ends: true,
            threads: Some(2),
            ..PerftWords::new(6)
        };
        assert_eq!(read("6 --divide --count paths --ends applied --threads 2 --json"), Ok(expected.clone()));
        assert_eq!(read("6 divide count PATHS ends applied threads 2 json"), Ok(expected));
        let error = |text: &str| read(text).expect_err("bad words").to_string();
        assert_eq!(error("x"), "perft: 'x' is not a whole number from 0 to 60");
        assert!(error("6 count some").starts_with("perft count: 'some' was read, expected unique"));
        assert!(error("6 ends").starts_with("perft: 'ends' was read, expected divide"));
    }

    #[test]
    fn shared_counts_agree_with_the_games_own() {
        for (name, depth) in [("english", 8), ("turkish", 5), ("international", 6)] {
            let game = Game::new(Variant::find(name).expect("a known name"));
            for counting in [Counting::Unique, Counting::Paths, Counting::Landings] {
                let words = PerftWords { counting, ..PerftWords::new(depth) };
                let rows = count(&game, &words, 2, &|| false).expect("nobody stops it");
                assert_eq!(rows.iter().map(|row| row.1).sum::<u64>(), game.perft(depth, words.options()), "{name}");
                assert_eq!(rows.len(), game.moves().len());
            }
        }
    }

    #[test]
    fn counts_go_on_behind_the_end_of_a_game_when_told_to() {
        let variant = Variant::find("breakthrough").expect("a known name");
        let setup = crate::notation::fen::read(&variant, "W:W6,7,31,32:B20,26,27").expect("a good FEN");
        let game = Game::from_setup(variant, &setup).expect("a good position");
        for ends in [false, true] {
            let words = PerftWords { ends, ..PerftWords::new(7) };
            let rows = count(&game, &words, 2, &|| false).expect("nobody stops it");
            assert_eq!(rows.iter().map(|row| row.1).sum::<u64>(), game.perft(7, words.options()), "{ends}");
        }
    }

    #[test]
    fn a_count_can_be_stopped() {
        let game = Game::new(Variant::find("english").expect("a known name"));
        assert!(count(&game, &PerftWords::new(30), 1, &|| true).is_none());
    }
}
