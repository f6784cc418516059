//! The line of text that CheckerBoard shows while a search runs.

use crate::game_type::GameType;
use crate::position;
use damka::engine::{Info, Score, Verdict};

/// Longest line, in bytes; one more ends it.
pub const LONGEST: usize = 1023;

/// What a search has reported so far.
pub struct Status {
    game: GameType,
    /// The newest line of each rank.
    lines: Vec<Info>,
    /// One line a move, as `allscores` asks for.
    all: bool,
}

impl Status {
    /// Nothing reported yet.
    pub fn new(game: GameType, all: bool) -> Status {
        Status { game, lines: Vec::new(), all }
    }

    /// Takes a report and gives the new text.
    pub fn take(&mut self, info: Info) -> String {
        self.lines.retain(|line| line.multipv != info.multipv);
        self.lines.push(info);
        self.lines.sort_by_key(|line| line.multipv);
        shortened(if self.all { self.scores() } else { self.line() })
    }

    fn line(&self) -> String {
        let Some(info) = self.lines.first() else { return String::new() };
        let seconds = info.time.as_secs_f64();
        let speed = info.nodes as f64 / seconds.max(0.001) / 1000.0;
        let moves: Vec<String> = info.pv.iter().map(|mv| position::name(self.game, mv)).collect();
        format!(
            "depth {}/{}  value {}  time {seconds:.2}  nodes {}  speed {speed:.0} kN/s  pv {}",
            info.depth,
            info.seldepth,
            value(info.score),
            info.nodes,
            moves.join(" ")
        )
    }

    fn scores(&self) -> String {
        let depth = self.lines.first().map_or(0, |info| info.depth);
        let score = |info: &Info| {
            let mv = info.pv.first().map(|mv| position::name(self.game, mv)).unwrap_or_default();
            format!("{mv} {}", value(info.score))
        };
        let scores: Vec<String> = self.lines.iter().map(score).collect();
        format!("depth {depth}: {}", scores.join(", "))
    }
}

/// A score in men, for the side to move, or how many of the winner's moves are left.
pub fn value(score: Score) -> String {
    match Verdict::of(score) {
        Verdict::Cp(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Verdict::End { plies, won } => format!("{} in {}", if won { "win" } else { "loss" }, (plies + 1) / 2),
    }
}

/// A text that fits the caller's buffer: cut at the last blank that does.
pub fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        let end = text.as_bytes()[..LONGEST].iter().rposition(|&byte| byte == b' ').unwrap_or(0);
        text.truncate(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_type::GAMES;
    use damka::engine::{Bound, WIN};
    use damka::game::Game;
    use std::time::Duration;

    fn info(multipv: u32, score: Score) -> Info {
        let game = Game::new(GAMES[0].rules());
        Info {
            depth: 9,
            seldepth: 15,
            multipv,
            score,
            bound: Bound::Exact,
            wdl: [0; 3],
            nodes: 250_000,
            time: Duration::from_millis(500),
            hashfull: 0,
            tbhits: 0,
            pv: vec![game.moves()[multipv as usize - 1].clone()],
        }
    }

    #[test]
    fn the_line_tells_depth_value_and_moves() {
        let text = Status::new(GAMES[0], false).take(info(1, 12));
        assert!(text.starts_with("depth 9/15  value +0.12  time 0.50  nodes 250000  speed 500 kN/s  pv "), "{text}");
    }

    #[test]
    fn all_scores_are_listed_by_rank() {
        let mut status = Status::new(GAMES[0], true);
        status.take(info(2, -5));
        let text = status.take(info(1, WIN - 3));
        assert_eq!(text.matches(", ").count(), 1);
        assert!(text.starts_with("depth 9: ") && text.contains(" win in 2, ") && text.ends_with("-0.05"), "{text}");
    }

    #[test]
    fn long_texts_are_cut_between_words() {
        let text = shortened("12-16 ".repeat(400));
        assert!(text.len() <= LONGEST && text.ends_with("12-16"));
        assert_eq!(shortened("short".into()), "short");
    }
}
