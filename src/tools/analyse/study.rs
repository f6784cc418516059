//! One game thought through, from its last move to its first: what the engine learned about later positions helps it with earlier
//! ones.

use super::judge::{Curve, Judgement, Sum};
use crate::endgame::Value;
use crate::engine::{Info, Limits, Score, Signals, WIN};
use crate::game::Game;
use crate::game::board::{Color, Square};
use crate::game::plain::{PlainMove, State};
use crate::notation::pdn::{PdnGame, Position};
use crate::tools::common::think::Thinker;

/// Most plies of one game that are analysed; what is longer was not played by people.
const MOST_PLIES: usize = 2_000;

/// One move that was played.
pub struct Ply {
    /// Place of the move among the items of the main line.
    pub item: usize,
    /// The game before it.
    pub before: Game,
    pub played: PlainMove,
    /// Legal moves there.
    pub legal: usize,
    /// The best lines, best first; at least one.
    pub lines: Vec<Info>,
    /// The score of the move played, for the side that played it.
    pub score: Score,
    /// What scores mean here.
    pub curve: Curve,
    /// What the endgame tables know of the position.
    pub table: Option<Value>,
    pub judgement: Judgement,
    /// Whether the best move is the only good one; `None` when only one of several moves was looked at.
    pub only: Option<bool>,
}

impl Ply {
    /// The best move.
    pub fn best(&self) -> Option<&PlainMove> {
        self.lines[0].pv.first()
    }

    /// Whether the best move was played.
    pub fn found(&self) -> bool {
        self.best().is_some_and(|best| same(best, &self.played))
    }

    /// Whether there was no choice.
    pub fn forced(&self) -> bool {
        self.legal == 1
    }

    /// The side that moved.
    pub fn side(&self) -> Color {
        self.before.side()
    }
}

/// A game and what was found about it.
pub struct Study {
    pub game: PdnGame,
    pub plies: Vec<Ply>,
    /// White's moves and Black's.
    pub sums: [Sum; 2],
}

impl Study {
    /// Thinks a game through; `None` when a signal ended it.
    pub fn of(game: PdnGame, thinker: &mut Thinker, limits: &Limits, signals: &Signals) -> Option<Study> {
        thinker.forget();
        let positions: Vec<Position> = game.positions().take(MOST_PLIES).collect();
        let mut plies = Vec::with_capacity(positions.len());
        let mut next: Option<Next> = None;
        for position in positions.into_iter().rev() {
            let ply = one(position, next, thinker, limits, signals)?;
            next = Some(Next { key: ply.before.key(), line: ply.lines[0].clone() });
            plies.push(ply);
        }
        plies.reverse();
        let mut sums = [Sum::default(), Sum::default()];
        for ply in &plies {
            sums[ply.side().index()].add(&ply.judgement, ply.forced());
        }
        Some(Study { game, plies, sums })
    }

    /// The score for White after each ply: that of the next position, or of the move itself where the game ends.
    pub fn white_after(&self, index: usize) -> Score {
        let ply = &self.plies[index];
        let next = self.plies.get(index + 1).filter(|next| next.item > ply.item && follows(ply, &next.before));
        match next {
            Some(next) => for_white(next.lines[0].score, next.side()),
            None => for_white(ply.score, ply.side()),
        }
    }

    /// White's expected points after each ply.
    pub fn white_points(&self, index: usize) -> f64 {
        self.plies[index].curve.expected(self.white_after(index))
    }
}

/// A score of `side` seen by White.
pub fn for_white(score: Score, side: Color) -> Score {
    if side == Color::White { score } else { -score }
}

/// Whether two moves are the same, whatever path they tell.
pub fn same(a: &PlainMove, b: &PlainMove) -> bool {
    let sorted = |squares: &[Square]| {
        let mut squares = squares.to_vec();
        squares.sort_unstable();
        squares
    };
    let ends = |mv: &PlainMove| (mv.huffed, mv.from, mv.to, mv.promotes);
    ends(a) == ends(b) && sorted(&a.captures) == sorted(&b.captures)
}

fn follows(ply: &Ply, next: &Game) -> bool {
    after(&ply.before, &ply.played).is_some_and(|after| after.key() == next.key())
}

fn after(before: &Game, mv: &PlainMove) -> Option<Game> {
    let mut after = before.clone();
    after.play(mv).ok().map(|()| after)
}

/// A score one ply earlier, for the other side: ends of the game are a ply further away.
fn back(score: Score) -> Score {
    let proved = score.abs() > WIN - 2_000;
    -(score - if proved { score.signum() } else { 0 })
}

/// The position after a move, and the best line there.
struct Next {
    key: u64,
    line: Info,
}

/// A win that was proved after the move played is a win before it too, even where the search there did not see so far.
fn overlooked(before: &Game, played: &PlainMove, next: &Next, lines: &mut Vec<Info>, curve: &Curve) {
    let score = back(next.line.score);
    if score < WIN - 2_000 || score <= lines[0].score || after(before, played).is_none_or(|game| game.key() != next.key)
    {
        return;
    }
    let mut line = lines[0].clone();
    lines.retain(|line| line.pv.first().is_none_or(|first| !same(first, played)));
    line.score = score;
    line.wdl = curve.chances(score);
    line.pv = [played].into_iter().chain(&next.line.pv).cloned().collect();
    lines.insert(0, line);
}

fn one(
    position: Position,
    next: Option<Next>,
    thinker: &mut Thinker,
    limits: &Limits,
    signals: &Signals,
) -> Option<Ply> {
    let Position { game: before, item, mv: played } = position;
    let curve = Curve::new(thinker.engine().odds(&before));
    let mut lines = thinker.think(&before, limits, signals)?;
    if let Some(next) = &next {
        overlooked(&before, &played, next, &mut lines, &curve);
    }
    let listed = lines.iter().find(|line| line.pv.first().is_some_and(|first| same(first, &played)));
    let score = match listed {
        Some(line) => line.score,
        None => back(score_after(&before, &played, next, thinker, limits, signals)?),
    };
    let legal = before.moves().len();
    let only = match &lines[..] {
        [best, second, ..] => Some(curve.only(best.score, second.score)),
        _ if legal < 2 => Some(false),
        _ => None,
    };
    let judgement = curve.judge(lines[0].score, score);
    let table = thinker.engine().probe(&before).and_then(|probe| probe.value);
    Some(Ply { item, before, played, legal, lines, score, curve, table, judgement, only })
}

/// The score of the position after a move, for the side to move there.
fn score_after(
    before: &Game,
    played: &PlainMove,
    next: Option<Next>,
    thinker: &mut Thinker,
    limits: &Limits,
    signals: &Signals,
) -> Option<Score> {
    let after = after(before, played).expect("moves of a game read are legal");
    match next {
        Some(next) if next.key == after.key() => Some(next.line.score),
        // The end of the game: a draw is one, even where one could play on.
        _ if matches!(after.state(), State::Over(crate::game::plain::Outcome::Draw, _)) => Some(0),
        _ => Some(thinker.think(&after, limits, signals)?[0].score),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::notation::pdn::{Options, Reader};

    /// A game studied at a few nodes a move.
    pub fn study(text: &str, nodes: u64, multi_pv: usize) -> Study {
        let game =
            Reader::new("test", text.as_bytes(), Options::default()).next().expect("a game").expect("a good game");
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Study::of(game, &mut Thinker::new(1, multi_pv), &limits, &Signals::default()).expect("not stopped")
    }

    /// White gives a man away with 33-29 and Black does not miss it.
    pub const GIVEN_AWAY: &str = "[White \"Anna\"] [Black \"<Ben>\"] [Result \"0-2\"] [GameType \"20\"]\n\n\
        1. 32-28 19-23 {a classic} 2. 28x19 14x23 3. 33-28 $5 23x32 4. 37x28 20-24 5. 28-22 17x28 0-2\n";

    /// What it may be called: how bad it is depends on the network.
    pub const MARKS: [&str; 3] = ["inaccuracy", "mistake", "blunder"];

    #[test]
    fn a_man_given_away_is_found() {
        let study = study(GIVEN_AWAY, 3_000, 2);
        assert_eq!(study.plies.len(), 10);
        let given = &study.plies[8];
        // Which mark depends on what the evaluation gives for a man here.
        assert!(given.judgement.mark.is_some(), "{:?}", given.judgement);
        assert!(!given.found() && given.score < -40 && given.only.is_some());
        assert!(study.sums[0].percent() < study.sums[1].percent());
        assert_eq!((study.sums[0].moves, study.sums[1].moves), (5, 5));
        assert!(study.white_after(9) < -40 && study.white_after(0).abs() < 60);
    }

    #[test]
    fn forced_moves_are_told() {
        let study = study(GIVEN_AWAY, 500, 1);
        let forced: Vec<bool> = study.plies.iter().map(Ply::forced).collect();
        assert!(forced[2] && !forced[0] && !forced[4]);
        assert_eq!((study.plies[2].only, study.plies[0].only), (Some(false), None));
        assert!(study.plies[2].found() && study.plies[2].judgement.loss == 0);
    }

    #[test]
    fn the_end_of_the_game_is_its_score() {
        let study = study("[FEN \"W:W28,50:B22\"] [GameType \"20\"] 1. 28x17 2-0", 500, 1);
        assert_eq!(study.plies[0].score, WIN - 1);
        assert_eq!(study.white_after(0), WIN - 1);
    }

    #[test]
    fn a_score_is_a_ply_further_away_a_move_earlier() {
        assert_eq!([back(30), back(-30), back(WIN), back(-WIN), back(WIN - 4)], [-30, 30, 1 - WIN, WIN - 1, 5 - WIN]);
    }

    #[test]
    fn a_win_proved_later_is_known_before() {
        // With two nodes nothing is seen ahead, and the end of the game is all that is known.
        let study = study("[FEN \"W:W28,33:B22,24\"] [GameType \"20\"] 1. 28x17 24-29 2. 33x24 2-0", 2, 2);
        assert_eq!(study.plies[2].lines[0].score, WIN - 1);
        assert_eq!(study.plies[2].judgement.loss, 0);
        assert!(study.plies.iter().all(|ply| ply.judgement.loss == 0 || ply.side() == Color::Black));
    }

    #[test]
    fn a_position_set_up_in_mid_game_is_no_successor() {
        let text = "[GameType \"20\"] 1. 32-28 /FEN \"W:W28:B22,1\"/ 1. 28x17 *";
        let study = study(text, 300, 1);
        assert_eq!(study.plies.len(), 2);
        assert!(study.white_after(0).abs() < 100, "{}", study.white_after(0));
    }
}
