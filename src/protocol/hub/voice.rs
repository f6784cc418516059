//! Tells of a search in the words of Hub.

use super::numbering::Numbering;
use crate::engine::{Answer, Bound, Info, Score, Verdict};
use crate::game::Game;
use crate::game::plain::{Outcome, PlainMove, State};
use crate::protocol::output::Output;
use crate::protocol::search::Voice;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The largest score that is only an opinion; what lies beyond is read as a proved win by clients.
const MOST: i32 = 7_999;

/// A proved win scores from 100 down to this, in hundredths of a man.
const LEAST_WIN: i32 = 9_001;

/// Tells of one search.
pub struct HubVoice {
    /// How squares are written.
    pub numbering: Numbering,
    /// Where to.
    pub output: Output,
    /// Least time before the last line.
    pub gap: Duration,
    /// Print chances.
    pub show_wdl: bool,
    /// When `go` came: what a client calls the time of a search begins there, before any thread has run.
    pub since: Instant,
    /// The last line of the first rank, and whether no other was told after it.
    pub told: Mutex<Option<(String, bool)>>,
}

impl HubVoice {
    fn tell(&self, game: &Game, info: &Info) {
        let line = info_line(&self.numbering, game, info, self.since.elapsed(), self.show_wdl);
        self.output.line(&line);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *told {
            _ if info.multipv == 1 => *told = Some((line, true)),
            Some((_, last)) => *last = false,
            None => {}
        }
    }
}

impl Voice for HubVoice {
    fn info(&self, game: &Game, info: &Info) {
        // The protocol has no word for a bound, and a client would take it for the score.
        if info.bound == Bound::Exact {
            self.tell(game, info);
        }
    }

    fn ended(&self, game: &Game) {
        let score = match game.state() {
            State::Over(Outcome::Win(side), _) if side == game.side() => 10_000,
            State::Over(Outcome::Win(_), _) => -10_000,
            _ => 0,
        };
        let score = hundredths(score);
        self.output.line(&format!("info depth=0 mean-depth=0.0 score={score} nodes=0 time=0.000 nps=0.0 pv=\"\""));
    }

    fn drawn(&self, _: &Game) {}

    fn failed(&self) {
        self.output.line("error message=\"the search failed; this is a fault of the program\"");
    }

    fn best(&self, game: &Game, answer: &Answer, finish: &dyn Fn()) {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (told, &answer.info) {
            // Clients keep the last line as the verdict: it must be the first rank's.
            (Some((line, false)), _) => self.output.line(&line),
            (None, Some(info)) => self.tell(game, info),
            _ => {}
        }
        let moves: Vec<PlainMove> = answer.best.iter().chain(&answer.ponder).cloned().collect();
        let line = match self.numbering.line(game, &moves).as_slice() {
            [] => "done".to_string(),
            [best] => format!("done move={best}"),
            [best, ponder, ..] => format!("done move={best} ponder={ponder}"),
        };
        finish();
        self.output.spaced(&line, self.gap);
    }
}

/// One info line: the fields of Scan in their order, all of them always there. The rank of further lines comes before `pv`.
fn info_line(numbering: &Numbering, game: &Game, info: &Info, time: Duration, show_wdl: bool) -> String {
    let seconds = time.as_secs_f64();
    // Nothing counts leaves by depth here: half-way between the nominal depth and the deepest line is told.
    let mean = f64::from(info.depth + info.seldepth.max(info.depth)) / 2.0;
    let millions = if info.nodes == 0 { 0.0 } else { info.nodes as f64 / seconds.max(1e-6) / 1e6 };
    let mut line = format!(
        "info depth={} mean-depth={mean:.1} score={} nodes={} time={seconds:.3} nps={millions:.1}",
        info.depth,
        hundredths(in_hundredths(info.score)),
        info.nodes,
    );
    if info.multipv > 1 {
        line.push_str(&format!(" multipv={}", info.multipv));
    }
    line.push_str(&format!(" pv=\"{}\"", numbering.line(game, &info.pv).join(" ")));
    if show_wdl {
        let [win, draw, loss] = info.wdl;
        line.push_str(&format!(" wdl=\"{win} {draw} {loss}\""));
    }
    line
}

/// The score in hundredths of a man; a game that ends in n plies is 100 men less n hundredths.
fn in_hundredths(score: Score) -> i32 {
    match Verdict::of(score) {
        Verdict::Cp(value) => value.clamp(-MOST, MOST),
        Verdict::End { plies, won } => {
            let size = (10_000 - plies).max(LEAST_WIN);
            if won { size } else { -size }
        }
    }
}

/// `-0.15` for -15.
fn hundredths(value: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", value.abs() / 100, value.abs() % 100)
}

#[cfg(test)]
mod tests {
    use super::super::numbering::Style;
    use super::*;
    use crate::engine::WIN;
    use crate::game::variant::Variant;

    #[test]
    fn scores_are_in_men_and_wins_count_plies_from_a_hundred() {
        for (score, text) in [
            (0, "0.00"),
            (-5, "-0.05"),
            (-230, "-2.30"),
            (101, "1.01"),
            (25_000, "79.99"),
            (WIN - 3, "99.97"),
            (-WIN, "-100.00"),
            (-(WIN - 2), "-99.98"),
            (WIN - 1_500, "90.01"),
        ] {
            assert_eq!(hundredths(in_hundredths(score)), text, "{score}");
        }
    }

    #[test]
    fn an_info_line_has_the_fields_in_order() {
        let game = Game::new(Variant::find("international").expect("built in"));
        let numbering = Numbering::new(&game.variant().set, Style::Pydraughts);
        let first = game.moves().remove(0);
        let time = Duration::from_millis(214);
        let mut info = Info {
            depth: 14,
            seldepth: 17,
            multipv: 1,
            score: -2,
            bound: Bound::Exact,
            wdl: [200, 500, 300],
            nodes: 851_959,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: vec![first.clone(), first],
        };
        assert_eq!(
            info_line(&numbering, &game, &info, time, false),
            "info depth=14 mean-depth=15.5 score=-0.02 nodes=851959 time=0.214 nps=4.0 pv=\"31-26\""
        );
        info.multipv = 2;
        assert!(
            info_line(&numbering, &game, &info, time, true)
                .ends_with(" nps=4.0 multipv=2 pv=\"31-26\" wdl=\"200 500 300\"")
        );
    }
}
