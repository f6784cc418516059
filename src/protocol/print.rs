//! Writes what goes out: moves in the chosen format, info lines, best moves and states of the game.

use super::output::Output;
use super::search::Voice;
use crate::endgame::Value;
use crate::engine::{Answer, Bound, Info, Probe, Score, Verdict};
use crate::game::Game;
use crate::game::plain::{Outcome, PlainMove, State};
use crate::notation::movetext::{self, Moves};

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFormat {
    /// The shortest PDN that is not ambiguous.
    Pdn,
    /// PDN with every square on the way.
    Full,
    /// As in the Hub protocol: from, to and the captured squares, by number.
    Hub,
}

impl MoveFormat {
    /// All formats.
    pub const ALL: [MoveFormat; 3] = [MoveFormat::Pdn, MoveFormat::Full, MoveFormat::Hub];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            MoveFormat::Pdn => "pdn",
            MoveFormat::Full => "full",
            MoveFormat::Hub => "hub",
        }
    }

    /// The format with that name; case does not matter.
    pub fn find(name: &str) -> Option<MoveFormat> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Writes a legal move of this position.
    pub fn write(self, game: &Game, mv: &PlainMove) -> String {
        match self {
            MoveFormat::Pdn => movetext::write(game, mv),
            MoveFormat::Full => movetext::full(game, mv),
            MoveFormat::Hub => movetext::hub(mv),
        }
    }

    /// Writes all legal moves of this position.
    pub fn all(self, game: &Game) -> Vec<String> {
        let moves = Moves::new(game);
        let write = |mv: &PlainMove| match self {
            MoveFormat::Pdn => moves.write(mv),
            MoveFormat::Full => moves.full(mv),
            MoveFormat::Hub => movetext::hub(mv),
        };
        moves.legal().iter().map(write).collect()
    }

    /// Writes moves played one after the other; ends before the first that is not legal.
    pub fn line(self, game: &Game, moves: &[PlainMove]) -> Vec<String> {
        let mut game = game.clone();
        let mut out = Vec::with_capacity(moves.len());
        for mv in moves {
            let before = game.clone();
            if game.play(mv).is_err() {
                break;
            }
            out.push(self.write(&before, mv));
        }
        out
    }
}

/// What the endgame tables know of a position: each move, doubts, and last the value.
pub fn probe(game: &Game, probe: &Probe, format: MoveFormat) -> Vec<String> {
    let known = |value: &Option<Value>| value.map_or("unknown".to_string(), |value| value.to_string());
    let mut lines: Vec<String> =
        probe.moves.iter().map(|(mv, value)| format!("{}: {}", format.write(game, mv), known(value))).collect();
    if !probe.in_time {
        lines.push("info string a draw by move count or repetition may come first".to_string());
    }
    if probe.same_king && probe.value.is_some() {
        lines.push("info string the limit on moves of the same king is left out of account".to_string());
    }
    lines.push(format!("probe {}", known(&probe.value)));
    lines
}

/// How lines about a search are written.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The format of moves.
    pub format: MoveFormat,
    /// Print chances.
    pub show_wdl: bool,
}

/// Tells of a search in the words of UCI.
pub struct UciVoice {
    /// How to write.
    pub look: Look,
    /// Where to.
    pub output: Output,
}

impl Voice for UciVoice {
    fn info(&self, game: &Game, news: &Info) {
        self.output.line(&info(game, news, self.look));
    }

    fn note(&self, text: &str) {
        self.output.line(&format!("info string {text}"));
    }

    fn ended(&self, game: &Game) {
        let score = if matches!(game.state(), State::Over(Outcome::Draw, _)) { "cp 0" } else { "mate 0" };
        self.output.line(&format!("info depth 0 score {score}"));
        self.drawn(game);
    }

    fn drawn(&self, game: &Game) {
        self.output.line(&format!("info string {}", state(game.state())));
    }

    fn failed(&self) {
        self.output.error("the search failed, expected it never to; this is a fault of the program");
    }

    fn best(&self, game: &Game, answer: &Answer, finish: &dyn Fn()) {
        let line = best(game, answer, self.look.format);
        finish();
        self.output.line(&line);
    }
}

/// One info line about a search from that position.
pub fn info(game: &Game, info: &Info, look: Look) -> String {
    let millis = info.time.as_millis() as u64;
    let seconds = info.time.as_secs_f64().max(0.000_001);
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.seldepth,
        info.multipv,
        score(info.score)
    );
    line.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if look.show_wdl {
        let [win, draw, loss] = info.wdl;
        line.push_str(&format!(" wdl {win} {draw} {loss}"));
    }
    line.push_str(&format!(
        " nodes {} nps {:.0} hashfull {} tbhits {} time {millis}",
        info.nodes,
        info.nodes as f64 / seconds,
        info.hashfull,
        info.tbhits
    ));
    let pv = look.format.line(game, &info.pv);
    if !pv.is_empty() {
        line.push_str(" pv ");
        line.push_str(&pv.join(" "));
    }
    line
}

/// `cp C` in hundredths of a man, or `mate M`: moves of the winner to the end of the game, negative for a loss.
fn score(score: Score) -> String {
    match Verdict::of(score) {
        Verdict::Cp(value) => format!("cp {value}"),
        Verdict::End { plies, won: true } => format!("mate {}", (plies + 1) / 2),
        Verdict::End { plies, won: false } => format!("mate {}", -((plies + 1) / 2)),
    }
}

/// The line that ends a search.
pub fn best(game: &Game, answer: &Answer, format: MoveFormat) -> String {
    let moves: Vec<PlainMove> = answer.best.iter().chain(&answer.ponder).cloned().collect();
    match format.line(game, &moves).as_slice() {
        [] => "bestmove (none)".to_string(),
        [best] => format!("bestmove {best}"),
        [best, ponder, ..] => format!("bestmove {best} ponder {ponder}"),
    }
}

/// The state of a game with its reason: `ongoing`, `white wins: no legal move`, `draw: threefold repetition`.
pub fn state(state: State) -> String {
    match state {
        State::Ongoing => "ongoing".to_string(),
        State::Over(Outcome::Win(side), reason) => format!("{} wins: {reason}", side.name()),
        State::Over(Outcome::Draw, reason) => format!("draw: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::WIN;
    use crate::game::variant::Variant;
    use std::time::Duration;

    fn sample(game: &Game) -> Info {
        let first = game.moves().remove(0);
        Info {
            depth: 7,
            seldepth: 12,
            multipv: 1,
            score: -15,
            bound: Bound::Exact,
            wdl: [200, 500, 300],
            nodes: 5_000,
            time: Duration::from_millis(250),
            hashfull: 31,
            tbhits: 2,
            pv: vec![first.clone(), first],
        }
    }

    #[test]
    fn an_info_line_has_every_field_in_its_place() {
        let game = Game::new(Variant::find("english").expect("built in"));
        let mut shown = sample(&game);
        let look = Look { format: MoveFormat::Pdn, show_wdl: false };
        let first = movetext::write(&game, &shown.pv[0]);
        assert_eq!(
            info(&game, &shown, look),
            format!(
                "info depth 7 seldepth 12 multipv 1 score cp -15 nodes 5000 nps 20000 hashfull 31 tbhits 2 time 250 pv {first}"
            )
        );
        shown.bound = Bound::Lower;
        shown.pv.clear();
        assert_eq!(
            info(&game, &shown, Look { show_wdl: true, ..look }),
            "info depth 7 seldepth 12 multipv 1 score cp -15 lowerbound wdl 200 500 300 nodes 5000 nps 20000 hashfull 31 tbhits 2 time 250"
        );
    }

    #[test]
    fn mate_counts_moves_to_the_end() {
        for (plies, value, text) in
            [(1, 1, "mate 1"), (2, -1, "mate -1"), (5, 1, "mate 3"), (4, -1, "mate -2"), (0, -1, "mate 0")]
        {
            assert_eq!(score(value * (WIN - plies)), text);
        }
        assert_eq!(score(123), "cp 123");
    }

    #[test]
    fn a_best_move_comes_with_a_legal_reply_only() {
        let game = Game::new(Variant::find("international").expect("built in"));
        let best_move = game.moves().remove(0);
        let mut after = game.clone();
        after.play(&best_move).expect("a legal move");
        let reply = after.moves().remove(0);
        let mut answer = Answer { best: Some(best_move.clone()), ponder: Some(reply), info: None };
        assert!(best(&game, &answer, MoveFormat::Pdn).contains(" ponder "));
        answer.ponder = Some(best_move);
        assert!(!best(&game, &answer, MoveFormat::Pdn).contains("ponder"));
        assert_eq!(best(&game, &Answer::default(), MoveFormat::Pdn), "bestmove (none)");
    }
}
