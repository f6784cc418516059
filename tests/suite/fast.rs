//! The engine's own game beside the reference: the same position seen by both.

use crate::reference::{Legal, RefMove, Reference, TooMany};
use damka::game::Game;
use damka::game::board::Square;
use damka::game::plain::{Outcome, PlainMove, Reason, Setup, State};
use damka::game::rules::Ending;
use damka::game::variant::Variant;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Moves with more stop lists than this are not compared list by list.
const MOST_PATHS: usize = 300;

/// Moves of one position whose ways are compared: where kings fly in eight directions there can be thousands.
const MOST_MOVES: usize = 100;

/// A move of the engine as the reference names it.
pub fn named(mv: &PlainMove) -> RefMove {
    let mut captured: Vec<u8> = mv.captures.iter().map(|square| square.0).collect();
    captured.sort();
    RefMove {
        huffed: mv.huffed.map(|square| square.0),
        from: mv.from.0,
        to: mv.to.0,
        captured,
        king_after: mv.king || mv.promotes,
    }
}

/// The same game in both generators.
#[derive(Clone)]
pub struct Pair {
    pub game: Game,
    pub slow: Reference,
}

impl Pair {
    /// A position set up.
    pub fn new(variant: &Arc<Variant>, setup: &Setup) -> Pair {
        let game = Game::from_setup(variant.clone(), setup).expect("a sound set-up");
        Pair { game, slow: Reference::new(variant.set, setup) }
    }

    /// Compares all that can be seen of the position and gives the legal moves, or says what differs.
    pub fn compare(&self) -> Result<Result<Vec<Legal>, TooMany>, String> {
        let setup = self.game.setup();
        if setup.cells != self.slow.cells() || setup.side != self.slow.side() {
            return Err("the pieces or the side to move differ".into());
        }
        if self.game.key() != self.game.fresh_key() {
            return Err("the key kept and the key computed afresh differ".into());
        }
        let mut huffable = setup.memory.huffable;
        huffable.sort();
        if huffable != self.slow.huffable() {
            return Err(format!("huffable {huffable:?}, reference {:?}", self.slow.huffable()));
        }
        let legal = match self.slow.moves() {
            Ok(legal) => legal,
            Err(too_many) => return Ok(Err(too_many)),
        };
        self.compare_ends(&legal)?;
        self.compare_moves(&legal)?;
        Ok(Ok(legal))
    }

    fn compare_ends(&self, legal: &[Legal]) -> Result<(), String> {
        let state = self.game.state();
        let by_pieces = match state {
            State::Over(_, Reason::FirstKing | Reason::KingsOnly | Reason::OneAgainstOne) => true,
            State::Over(_, Reason::Ending(limit)) => limit.ending == Ending::KingKing,
            _ => false,
        };
        let stuck = matches!(state, State::Over(_, Reason::NoMoves | Reason::NoPieces));
        let settled = self.slow.ends();
        let consistent = if settled { by_pieces || stuck } else { !by_pieces && stuck == legal.is_empty() };
        if consistent { Ok(()) } else { Err(format!("state {state:?}, the reference says settled: {settled}")) }
    }

    fn compare_moves(&self, legal: &[Legal]) -> Result<(), String> {
        let moves = self.game.moves();
        let found: BTreeSet<RefMove> = moves.iter().map(named).collect();
        if found.len() != moves.len() {
            return Err("the same move is listed twice".into());
        }
        let won = matches!(self.game.state(), State::Over(Outcome::Win(_), Reason::FirstKing | Reason::KingsOnly));
        let expected: BTreeSet<RefMove> = legal.iter().filter(|_| !won).map(|l| l.mv.clone()).collect();
        if found != expected {
            let missing: Vec<_> = expected.difference(&found).collect();
            let wrong: Vec<_> = found.difference(&expected).collect();
            return Err(format!("missing {missing:?}, wrong {wrong:?}"));
        }
        for mv in moves.iter().take(MOST_MOVES) {
            let name = named(mv);
            let legal = legal.iter().find(|l| l.mv == name).expect("the lists are equal");
            self.compare_paths(mv, legal).map_err(|error| format!("{name:?}: {error}"))?;
        }
        Ok(())
    }

    fn compare_paths(&self, mv: &PlainMove, legal: &Legal) -> Result<(), String> {
        if !legal.stops.contains(&mv.path) {
            return Err(format!("written with the path {:?}, reference {:?}", mv.path, legal.stops));
        }
        if mv.is_capture() && mv.captures.len() + 1 != mv.path.len() {
            return Err(format!("{} captures on the path {:?}", mv.captures.len(), mv.path));
        }
        if legal.stops.len() > MOST_PATHS {
            return Ok(());
        }
        let found: BTreeSet<Vec<Square>> = self.game.paths(mv, 4 * MOST_PATHS).into_iter().collect();
        if found != legal.stops {
            return Err(format!("paths {found:?}, reference {:?}", legal.stops));
        }
        Ok(())
    }

    /// Plays a move of the reference in both.
    pub fn play(&mut self, mv: &RefMove) -> Result<(), String> {
        let moves = self.game.moves();
        let plain = moves.iter().find(|plain| named(plain) == *mv).ok_or("no such move")?;
        self.game.play(plain).map_err(|error| error.to_string())?;
        self.slow = self.slow.play(mv).map_err(|_| "too many walks to know who may be huffed")?;
        Ok(())
    }
}
