//! One engine on one thread, asked about one position after the other.

use crate::endgame::{MAX_PIECES, Value};
use crate::engine::{Bound, Engine, Info, Limits, Report, Settings, Signals, TableChoice};
use crate::game::Game;
use crate::game::plain::{Outcome, PlainMove, State};
use std::sync::{Mutex, PoisonError};

/// Bytes that a position takes in the engine's table.
const ENTRY: u64 = 16;

/// MiB of table for searches of these limits: as small as serves them, since a small table is quickly emptied.
pub fn hash_for(limits: &Limits) -> usize {
    /// About as many nodes as a thread searches in a millisecond.
    const SPEED: u64 = 2_000;
    let nodes = match (limits.nodes, limits.movetime_ms, limits.depth) {
        (Some(nodes), ..) => nodes,
        (None, Some(time), _) => time.saturating_mul(SPEED),
        (None, None, Some(depth)) if depth <= 8 => 50_000,
        (None, None, Some(depth)) if depth <= 12 => 500_000,
        _ => u64::MAX,
    };
    ((nodes.min(1 << 40) * 2 * ENTRY) >> 20).next_power_of_two().clamp(1, 64) as usize
}

/// Thinks on one thread. At fixed nodes or depth its answers depend on nothing but what it was asked since it last forgot.
pub struct Thinker {
    engine: Engine,
}

impl Thinker {
    /// With a table of `hash_mb` MiB, finding the best `multi_pv` moves.
    pub fn new(hash_mb: usize, multi_pv: usize) -> Thinker {
        Thinker::with(Settings { hash_mb, multi_pv: multi_pv.max(1), ..Settings::default() })
    }

    /// With these settings, on one thread.
    pub fn with(settings: Settings) -> Thinker {
        Thinker { engine: Engine::new(Settings { threads: 1, ..settings }) }
    }

    /// The same with endgame tables.
    pub fn with_tables(hash_mb: usize, multi_pv: usize, tables: TableChoice) -> Thinker {
        let multi_pv = multi_pv.max(1);
        Thinker { engine: Engine::new(Settings { hash_mb, threads: 1, multi_pv, tables, ..Settings::default() }) }
    }

    /// What the endgame tables say of a position, when they are in use and know it.
    pub fn table_value(&mut self, game: &Game) -> Option<Value> {
        let pieces = game.setup().cells.iter().flatten().count();
        if pieces > MAX_PIECES { None } else { self.engine.probe(game)?.value }
    }

    /// Forgets all positions before.
    pub fn forget(&mut self) {
        self.engine.clear();
    }

    /// The engine itself.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// The best moves, best first, as the last finished iteration has them. Without a legal move there is one line, without moves
    /// and with the score of the game's end. `None` when a signal ended the search.
    ///
    /// A game that is drawn by its history is searched as if the counts began with this position: whoever asks knows.
    pub fn think(&mut self, game: &Game, limits: &Limits, signals: &Signals) -> Option<Vec<Info>> {
        let listener = Listener::default();
        let game =
            if matches!(game.state(), State::Over(Outcome::Draw, _)) { game.counted_anew() } else { game.clone() };
        let answer = self.engine.go(&game, limits, signals, &listener);
        if signals.stopped() {
            return None;
        }
        let mut lines = listener.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        match answer.info {
            Some(info) if lines.is_empty() => lines.push(info),
            Some(info) => lines[0].nodes = info.nodes,
            None => lines = vec![self.at_a_glance(&game, answer.best.clone())],
        }
        let nodes = lines[0].nodes;
        lines.iter_mut().for_each(|line| line.nodes = nodes);
        promote(&mut lines, answer.best, answer.ponder);
        Some(lines)
    }

    /// What can be said when not even one ply was finished.
    fn at_a_glance(&self, game: &Game, best: Option<PlainMove>) -> Info {
        let score = self.engine.evaluate(game).total;
        Info::unsearched(score, best.into_iter().collect())
    }
}

/// Where a move proved better after the last finished iteration, it and its reply go before that iteration's first line, or take
/// its place where they had no line, and its score stands for them: so the first line always begins with the move that the engine would play.
fn promote(lines: &mut Vec<Info>, best: Option<PlainMove>, reply: Option<PlainMove>) {
    let Some(best) = best.filter(|best| lines.first().is_some_and(|line| line.pv.first() != Some(best))) else {
        return;
    };
    let mut first = lines[0].clone();
    // A line of its own, further down, is the same line; else it takes the place of the first.
    let place = lines.iter().position(|line| line.pv.first() == Some(&best)).unwrap_or(0);
    lines.remove(place);
    first.pv = [best].into_iter().chain(reply).collect();
    lines.insert(0, first);
}

/// Keeps the lines of the last finished iteration.
#[derive(Default)]
struct Listener(Mutex<Vec<Info>>);

impl Report for Listener {
    fn info(&self, info: &Info) {
        if info.bound != Bound::Exact {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if info.multipv == 1 {
            lines.clear();
        }
        lines.push(info.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use crate::notation::fen;

    fn game(variant: &str, text: &str) -> Game {
        let variant = Variant::find(variant).expect("built in");
        let setup = fen::read(&variant, text).expect("a good FEN");
        Game::from_setup(variant, &setup).expect("a good position")
    }

    #[test]
    fn lines_come_best_first_and_the_same_after_forgetting() {
        let game = Game::new(Variant::find("russian").expect("built in"));
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let mut thinker = Thinker::new(1, 3);
        let told = |lines: &[Info]| lines.iter().map(|l| (l.score, l.depth, l.nodes, l.pv.clone())).collect::<Vec<_>>();
        let first = thinker.think(&game, &limits, &Signals::default()).expect("not stopped");
        assert_eq!(first.len(), 3);
        assert!(first.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].depth == pair[1].depth));
        assert!(first[0].nodes >= 2_900 && first[0].nodes <= 3_000, "{}", first[0].nodes);
        thinker.forget();
        assert_eq!(told(&thinker.think(&game, &limits, &Signals::default()).expect("not stopped")), told(&first));
    }

    #[test]
    fn ended_games_have_a_score_and_no_line() {
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        let mut thinker = Thinker::new(1, 2);
        let lost = thinker.think(&game("international", "B:W50:B"), &limits, &Signals::default()).expect("a line");
        assert_eq!((lost.len(), lost[0].pv.len(), lost[0].wdl), (1, 0, [0, 0, 1000]));
        // King against king is drawn at once there, and still has moves.
        let drawn = thinker.think(&game("international", "W:WK50:BK1"), &limits, &Signals::default());
        assert!(!drawn.expect("a line")[0].pv.is_empty());
    }

    #[test]
    fn one_node_is_enough_for_a_move() {
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let start = Game::new(Variant::find("english").expect("built in"));
        let lines = Thinker::new(1, 1).think(&start, &limits, &Signals::default()).expect("a line");
        assert_eq!((lines.len(), lines[0].pv.len()), (1, 1));
    }

    #[test]
    fn a_signal_leaves_no_answer() {
        let signals = Signals::default();
        signals.stop();
        let start = Game::new(Variant::find("english").expect("built in"));
        assert!(Thinker::new(1, 1).think(&start, &Limits::default(), &signals).is_none());
    }

    #[test]
    fn tables_grow_with_the_search() {
        let hash = |nodes, depth| hash_for(&Limits { nodes, depth, ..Limits::default() });
        assert_eq!(
            [hash(Some(1_000), None), hash(Some(2_000_000), None), hash(None, Some(6)), hash(None, None)],
            [1, 64, 1, 64]
        );
        assert_eq!(hash(Some(u64::MAX), None), 64);
    }
}
