//! A game in progress: a set-up position, the moves played, and the questions that clients ask. Free of word widths.

use super::board::{Color, Square, Word};
use super::kernels::AnyKernel;
use super::moves::{Move, MoveList};
use super::paths;
use super::perft::{self, PerftOptions};
use super::plain::{Outcome, PlainMove, Setup, SetupError, State};
use super::position::{self, Position};
use super::variant::Variant;
use std::sync::Arc;

/// A move that is not legal in the position it was to be played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move is not legal here")]
pub struct IllegalMove;

/// The positions of one game, for boards of one word width.
#[derive(Clone, Debug)]
pub struct Line<W> {
    /// The position now.
    pub now: Position<W>,
    /// Keys of all earlier positions, first to last.
    pub keys: Vec<u64>,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    variant: Arc<Variant>,
    width: Width,
    /// Number of the move to be played now, when the set-up stated one.
    move_number: Option<u32>,
}

/// The line of a game, by word width.
#[derive(Clone, Debug)]
pub enum Width {
    /// Boards of up to 64 bits.
    Narrow(Line<u64>),
    /// Larger boards.
    Wide(Line<u128>),
}

impl From<Line<u64>> for Width {
    fn from(line: Line<u64>) -> Width {
        Width::Narrow(line)
    }
}

impl From<Line<u128>> for Width {
    fn from(line: Line<u128>) -> Width {
        Width::Wide(line)
    }
}

/// Runs an expression with `$referee` and `$line` of the game's own word width.
macro_rules! with {
    ($game:expr, |$referee:ident, $line:ident| $body:expr) => {
        match (&$game.width, &$game.variant.kernel) {
            (Width::Narrow($line), AnyKernel::Narrow(kernel)) => {
                let $referee = position::Referee { variant: &$game.variant, kernel };
                $body
            }
            (Width::Wide($line), AnyKernel::Wide(kernel)) => {
                let $referee = position::Referee { variant: &$game.variant, kernel };
                $body
            }
            _ => unreachable!("a game's line has its kernel's width"),
        }
    };
}

impl<W: Word> Line<W> {
    /// How often the position now has stood on the board with the same side to move, itself included.
    pub fn occurrences(&self, full_key: u64) -> u32 {
        let back = (self.now.reversible as usize).min(self.keys.len());
        let recent = &self.keys[self.keys.len() - back..];
        1 + recent.iter().rev().skip(1).step_by(2).filter(|&&key| key == full_key).count() as u32
    }
}

impl Game {
    /// The starting position.
    pub fn new(variant: Arc<Variant>) -> Game {
        let setup = Setup::start(&variant);
        Game::from_setup(variant, &setup).expect("starting positions are sound")
    }

    /// A game from a position set up.
    pub fn from_setup(variant: Arc<Variant>, setup: &Setup) -> Result<Game, SetupError> {
        fn line<W: Word>(referee: position::Referee<W>, setup: &Setup) -> Result<Line<W>, SetupError> {
            Ok(Line { now: referee.position(setup)?, keys: Vec::new() })
        }
        let width = match variant.kernel {
            AnyKernel::Narrow(kernel) => Width::Narrow(line(position::Referee { variant: &variant, kernel }, setup)?),
            AnyKernel::Wide(kernel) => Width::Wide(line(position::Referee { variant: &variant, kernel }, setup)?),
        };
        Ok(Game { variant, width, move_number: setup.move_number })
    }

    /// The rules played.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The line in its own word width, for the engine.
    pub fn width(&self) -> &Width {
        &self.width
    }

    /// The position now, in plain values.
    pub fn setup(&self) -> Setup {
        with!(self, |referee, line| referee.setup(&line.now, self.move_number))
    }

    /// The game from the position now on, as if nothing had been counted or repeated before: how a game that is drawn by
    /// its history can be played on.
    pub fn counted_anew(&self) -> Game {
        let mut setup = self.setup();
        setup.memory.quiet_plies = 0;
        setup.memory.ending_plies = 0;
        Game::from_setup(self.variant().clone(), &setup).unwrap_or_else(|_| self.clone())
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        with!(self, |_referee, line| line.now.side)
    }

    /// Hash of the position now.
    pub fn key(&self) -> u64 {
        with!(self, |referee, line| line.now.full_key(referee.set()))
    }

    /// Hash of the position now, computed from scratch: the slow truth beside the incremental one.
    pub fn fresh_key(&self) -> u64 {
        with!(self, |referee, line| {
            let now = Position { key: super::hash::board(&line.now.pieces, line.now.side), ..line.now };
            now.full_key(referee.set())
        })
    }

    /// Moves played since the set-up.
    pub fn plies(&self) -> usize {
        with!(self, |_referee, line| line.keys.len())
    }

    /// Whether the game goes on, and if not, how and why it ended.
    pub fn state(&self) -> State {
        with!(self, |referee, line| referee.state(&line.now, line.occurrences(line.now.full_key(referee.set()))))
    }

    /// Legal moves in a stable order. None when the game is won; still given after a draw, since a client may play on.
    pub fn moves(&self) -> Vec<PlainMove> {
        with!(self, |referee, line| referee.plain_all(&line.now, &legal(&referee, line)))
    }

    /// The legal moves from one square to another, without a huff. Cheaper than [`Game::moves`], which writes out all of them.
    pub fn between(&self, from: Square, to: Square) -> Vec<PlainMove> {
        let geometry = &self.variant.geometry;
        let on_board = |square: Square| (1..=geometry.board.squares()).contains(&(square.0 as usize));
        if !on_board(from) || !on_board(to) {
            return Vec::new();
        }
        let (from, to) = (geometry.bit(from), geometry.bit(to));
        let wanted = |mv: &(u8, u8, u8)| *mv == (from, to, super::moves::NOWHERE);
        with!(self, |referee, line| {
            let legal = legal(&referee, line);
            let found = legal.iter().filter(|mv| wanted(&(mv.from, mv.to, mv.huffed)));
            found.map(|mv| referee.plain(&line.now, mv)).collect()
        })
    }

    /// Plays a legal move, matched by its ends, captured squares, promotion and huff.
    pub fn play(&mut self, mv: &PlainMove) -> Result<(), IllegalMove> {
        let variant = self.variant.clone();
        match (&mut self.width, &variant.kernel) {
            (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
                advance(&position::Referee { variant: &variant, kernel }, line, mv)?
            }
            (Width::Wide(line), AnyKernel::Wide(kernel)) => {
                advance(&position::Referee { variant: &variant, kernel }, line, mv)?
            }
            _ => unreachable!("a game's line has its kernel's width"),
        }
        if self.side() == self.variant.set.first {
            self.move_number = self.move_number.map(|number| number.saturating_add(1));
        }
        Ok(())
    }

    /// At most `limit` stop lists, shaped as [`PlainMove::path`], that give this same move.
    pub fn paths(&self, mv: &PlainMove, limit: usize) -> Vec<Vec<Square>> {
        with!(self, |referee, line| {
            let Some(mv) = find(&referee, line, mv) else {
                return Vec::new();
            };
            let ways = referee.ways(&line.now, &mv, paths::Ways::Paths, limit);
            ways.into_iter().map(|way| way.stops).collect()
        })
    }

    /// Whether a move can be played so that it lands, among other squares, on `stops` in this order.
    pub fn follows(&self, mv: &PlainMove, stops: &[Square]) -> bool {
        with!(self, |referee, line| {
            let Some(mv) = find(&referee, line, mv) else {
                return false;
            };
            let pieces = referee.pieces_before(&line.now, &mv);
            let geometry = &self.variant.geometry;
            paths::passes(referee.set(), geometry, &pieces, line.now.side.index(), &mv, stops)
        })
    }

    /// Leaves of the move tree.
    pub fn perft(&self, depth: u32, options: PerftOptions) -> u64 {
        with!(self, |referee, line| perft::perft(&referee, &line.now, depth, options))
    }

    /// Leaves behind each legal move; `depth` is at least 1.
    pub fn divide(&self, depth: u32, options: PerftOptions) -> Vec<(PlainMove, u64)> {
        with!(self, |referee, line| {
            let split = perft::divide(&referee, &line.now, depth, options);
            let (moves, leaves): (Vec<_>, Vec<_>) = split.into_iter().unzip();
            referee.plain_all(&line.now, &moves).into_iter().zip(leaves).collect()
        })
    }

    /// For each move that [`Self::divide`] lists, in its order: how many leaves it is at depth 1, and the game after it.
    pub fn successors(&self, options: PerftOptions) -> Vec<(u64, Game)> {
        with!(self, |referee, line| {
            let split = perft::divide(&referee, &line.now, 1, options);
            let after = |mv: &Move<_>| Width::from(Line { now: referee.play(&line.now, mv), keys: Vec::new() });
            let game = |mv| Game { variant: self.variant.clone(), width: after(mv), move_number: None };
            split.iter().map(|(mv, leaves)| (*leaves, game(mv))).collect()
        })
    }
}

/// Legal moves of the position now; none when the game is won.
pub fn legal<W: Word>(referee: &position::Referee<W>, line: &Line<W>) -> MoveList<W> {
    let mut list = MoveList::new();
    if !matches!(referee.settled(&line.now), Some((Outcome::Win(_), _))) {
        referee.generate(&line.now, &mut list);
    }
    list
}

/// The legal move that a plain one stands for.
pub fn find<W: Word>(referee: &position::Referee<W>, line: &Line<W>, wanted: &PlainMove) -> Option<Move<W>> {
    let geometry = &referee.variant.geometry;
    let on_board = |square: &Square| (1..=geometry.board.squares()).contains(&(square.0 as usize));
    if !wanted.captures.iter().chain([&wanted.from, &wanted.to]).chain(&wanted.huffed).all(on_board) {
        return None;
    }
    let captured = wanted.captures.iter().fold(W::ZERO, |set, &square| set | W::bit(geometry.bit(square)));
    let huffed = wanted.huffed.map_or(super::moves::NOWHERE, |square| geometry.bit(square));
    legal(referee, line).into_iter().find(|mv| {
        mv.from == geometry.bit(wanted.from)
            && mv.to == geometry.bit(wanted.to)
            && mv.captured == captured
            && mv.promotes() == wanted.promotes
            && mv.huffed == huffed
    })
}

fn advance<W: Word>(referee: &position::Referee<W>, line: &mut Line<W>, mv: &PlainMove) -> Result<(), IllegalMove> {
    let mv = find(referee, line, mv).ok_or(IllegalMove)?;
    line.keys.push(line.now.full_key(referee.set()));
    line.now = referee.play(&line.now, &mv);
    Ok(())
}
