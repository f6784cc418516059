//! Choosing a move. The engine never prints and never parses: it takes [`Limits`], reports through [`Report`], and is
//! stopped by [`Signals`].

pub mod book;
mod busy;
mod clock;
mod door;
mod eval;
mod human;
pub mod net;
mod node;
mod odds;
mod order;
mod params;
mod pool;
mod proof;
mod prune;
mod quiesce;
mod root;
mod score;
mod search;
pub mod table;

use crate::game::plain::PlainMove;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use door::TableChoice;
pub use eval::Evaluation;
pub use human::{FULL_LEVEL, Handicap};
pub use odds::Odds;
pub use params::{Knob, Params};
pub use pool::Engine;
pub use proof::Probe;

/// A score in hundredths of a man, for the side to move. Values beyond [`WIN`] - 2000 in size are proved ends of the game.
pub type Score = i32;

/// A game won at this very node; a win in `n` plies scores `WIN - n`.
pub const WIN: Score = 30_000;

/// What a score means to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Hundredths of a man.
    Cp(i32),
    /// The game ends in that many plies (moves of one side): positive when won, zero or negative when lost.
    End { plies: i32, won: bool },
}

impl Verdict {
    /// Reads a score.
    pub fn of(score: Score) -> Verdict {
        if score.abs() > WIN - 2_000 {
            Verdict::End { plies: WIN - score.abs(), won: score > 0 }
        } else {
            Verdict::Cp(score)
        }
    }
}

/// A chess-style clock, White first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left for White and Black; may be negative when a client counts so.
    pub time_ms: [i64; 2],
    /// Gain a move for White and Black.
    pub increment_ms: [i64; 2],
    /// Moves until the next time control; `None` = the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. All given limits hold at once; none at all = until stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies of nominal depth.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Milliseconds for this move.
    pub movetime_ms: Option<u64>,
    /// Game clock.
    pub clock: Option<Clock>,
    /// Stop when a win in this many own moves is proved.
    pub mate: Option<u32>,
    /// Never stop by itself.
    pub infinite: bool,
    /// Think on the opponent's time: never stop by itself until [`Signals::ponder_hit`].
    pub ponder: bool,
    /// Only these root moves; empty = all.
    pub search_moves: Vec<PlainMove>,
    /// Play below full strength: one thread, no tables, nothing remembered from earlier searches.
    pub handicap: Option<Handicap>,
}

/// Which side of the truth a score lies on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u32,
    pub seldepth: u32,
    /// Rank of the line, from 1.
    pub multipv: u32,
    pub score: Score,
    pub bound: Bound,
    /// Chances in permille: win, draw, loss.
    pub wdl: [u32; 3],
    pub nodes: u64,
    pub time: Duration,
    /// Table load in permille.
    pub hashfull: u32,
    pub tbhits: u64,
    pub pv: Vec<PlainMove>,
}

impl Info {
    /// What can be said of a line without a search: its score.
    pub fn unsearched(score: Score, pv: Vec<PlainMove>) -> Info {
        Info {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            wdl: chances(score),
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv,
        }
    }
}

/// What a search came to.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The move to play; `None` when the game is over or no move is legal.
    pub best: Option<PlainMove>,
    /// The reply to expect, legal after `best`.
    pub ponder: Option<PlainMove>,
    /// The last finished iteration's line for the best move, when there was one.
    pub info: Option<Info>,
}

/// Receives analysis while a search runs. Called from the first search thread.
pub trait Report: Sync {
    fn info(&self, info: &Info);
    /// Something a person may want to know.
    fn note(&self, _text: &str) {}
}

/// How the outside speaks to a running search.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
}

impl Signals {
    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
    /// The opponent played the expected move: the clock of the limits starts now.
    pub fn ponder_hit(&self) {
        self.ponder_hit.store(true, Ordering::Relaxed);
    }
    /// Whether to end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
    /// Whether the expected move came.
    pub fn hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }
}

/// What a user may set about an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Transposition table size in MiB.
    pub hash_mb: usize,
    /// Search threads.
    pub threads: usize,
    /// Number of lines reported.
    pub multi_pv: usize,
    /// Kept back from every clock, in milliseconds.
    pub move_overhead_ms: u64,
    /// What judges positions.
    pub evaluation: net::Choice,
    /// Where endgame tables come from.
    pub tables: TableChoice,
    /// The numbers of the search.
    pub params: Params,
}

impl Default for Settings {
    /// One thread, 64 MiB, one line, nothing kept back.
    fn default() -> Settings {
        Settings {
            hash_mb: 64,
            threads: 1,
            multi_pv: 1,
            move_overhead_ms: 0,
            evaluation: net::Choice::BuiltIn,
            params: Params::default(),
            tables: TableChoice::Off,
        }
    }
}

/// Chances in permille (win, draw, loss) that go with a score when nothing is known of the position.
pub(crate) fn chances(score: Score) -> [u32; 3] {
    Odds::default().chances(score, 1.0)
}
