//! Opening books: moves to play without thinking, each with a weight, what a search thought of it and what became of it in games.
//!
//! A book belongs to one set of rules. It knows positions by what stands on the board and who moves, not by hashes: nothing is mistaken
//! for something else, and every move can be checked ([`file`]).

mod embedded;
mod file;

pub use embedded::embedded;
pub use file::{BookError, MOST_BYTES, rules_of};

use super::{Answer, Info, Score};
use crate::game::board::{Color, Square};
use crate::game::plain::{PlainMove, Setup};
use crate::game::{Game, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The weight of the best move by itself.
const FULL: f64 = 1_000.0;

/// A loss of so many hundredths of a man takes a move's weight down to 37 %.
const FALL: f64 = 20.0;

/// A position: the side to move, then two squares a byte.
pub type Place = Box<[u8]>;

/// One move of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub from: Square,
    pub to: Square,
    /// Captured squares, in ascending order.
    pub captures: Vec<Square>,
    pub promotes: bool,
    pub huffed: Option<Square>,
    /// How often it is to be played, compared with the others; 0 = never.
    pub weight: u16,
    /// What a search thought of it, for the side that plays it.
    pub score: Option<i16>,
    /// Games in which it was played.
    pub games: u32,
    /// Half points that the side that played it made in them.
    pub half_points: u32,
}

impl BookMove {
    /// A move of which nothing is known.
    pub fn new(mv: &PlainMove) -> BookMove {
        let mut captures = mv.captures.clone();
        captures.sort_unstable();
        BookMove {
            from: mv.from,
            to: mv.to,
            captures,
            promotes: mv.promotes,
            huffed: mv.huffed,
            weight: 0,
            score: None,
            games: 0,
            half_points: 0,
        }
    }

    /// Whether it is this move.
    pub fn is(&self, mv: &PlainMove) -> bool {
        let ends = (self.from, self.to, self.promotes, self.huffed) == (mv.from, mv.to, mv.promotes, mv.huffed);
        ends && self.captures.len() == mv.captures.len()
            && mv.captures.iter().all(|square| self.captures.contains(square))
    }
}

/// How a book is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taste {
    /// Plies from the position set up in which it is asked.
    pub depth: usize,
    /// 0 = always the heaviest move, 100 = by weight, between them the heavier ones are preferred.
    pub variety: u8,
}

/// An opening book.
#[derive(Clone, Debug)]
pub struct Book {
    variant: Arc<Variant>,
    positions: BTreeMap<Place, Vec<BookMove>>,
}

impl Book {
    /// An empty book.
    pub fn new(variant: Arc<Variant>) -> Book {
        Book { variant, positions: BTreeMap::new() }
    }

    /// The rules it is for.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Positions and their moves, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&Place, &Vec<BookMove>)> {
        self.positions.iter()
    }

    /// The entry of a legal move, made when there is none.
    pub fn entry(&mut self, game: &Game, mv: &PlainMove) -> &mut BookMove {
        let moves = self.positions.entry(place(&game.setup())).or_default();
        let found = moves.iter().position(|known| known.is(mv)).unwrap_or_else(|| {
            moves.push(BookMove::new(mv));
            moves.len() - 1
        });
        &mut moves[found]
    }

    /// Positions that its moves lead to from the start, and the number of plies to the farthest.
    pub fn reach(&self) -> (BTreeSet<Place>, usize) {
        let mut level = vec![Game::new(self.variant.clone())];
        let mut seen: BTreeSet<Place> = level.iter().map(|game| place(&game.setup())).collect();
        let mut plies = 0;
        loop {
            let mut next = Vec::new();
            for game in &level {
                for (mv, _) in self.moves(game) {
                    let mut after = game.clone();
                    if after.play(&mv).is_ok() && seen.insert(place(&after.setup())) {
                        next.push(after);
                    }
                }
            }
            if next.is_empty() {
                return (seen, plies);
            }
            plies += 1;
            level = next;
        }
    }

    /// Leaves out what its moves do not lead to any more.
    pub fn prune(&mut self) {
        let (reached, _) = self.reach();
        self.positions.retain(|place, _| reached.contains(place));
    }

    /// Leaves moves out, and positions without any.
    pub fn keep(&mut self, wanted: impl Fn(&BookMove) -> bool) {
        self.positions.values_mut().for_each(|moves| moves.retain(&wanted));
        self.positions.retain(|_, moves| !moves.is_empty());
    }

    /// What it has for a position: the legal moves with their entries, heaviest first.
    pub fn moves(&self, game: &Game) -> Vec<(PlainMove, &BookMove)> {
        let Some(known) = self.positions.get(&place(&game.setup())) else { return Vec::new() };
        let legal = game.moves();
        let found = known.iter().filter_map(|known| legal.iter().find(|mv| known.is(mv)).map(|mv| (mv.clone(), known)));
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|(_, known)| std::cmp::Reverse(known.weight));
        found
    }

    /// Chooses a move by weight and taste; `chance` is any number, the same for the same choice.
    pub fn choose(&self, game: &Game, taste: Taste, chance: u64) -> Option<Answer> {
        if game.plies() >= taste.depth {
            return None;
        }
        let mut moves = self.moves(game);
        moves.retain(|(_, known)| known.weight > 0);
        let most = f64::from(moves.first()?.1.weight);
        let sharpness = 100.0 / f64::from(taste.variety.clamp(1, 100));
        let shares: Vec<f64> =
            moves.iter().map(|(_, known)| (f64::from(known.weight) / most).powf(sharpness)).collect();
        let mut left = (chance >> 11) as f64 / (1u64 << 53) as f64 * shares.iter().sum::<f64>();
        let mut place = 0;
        while taste.variety > 0 && place + 1 < shares.len() && left >= shares[place] {
            left -= shares[place];
            place += 1;
        }
        let (best, known) = moves.swap_remove(place);
        Some(self.answer(game, best, known))
    }

    fn answer(&self, game: &Game, best: PlainMove, known: &BookMove) -> Answer {
        let mut after = game.clone();
        let ponder = after.play(&best).ok().and_then(|()| {
            let reply = self.moves(&after).into_iter().next();
            reply.filter(|(_, known)| known.weight > 0).map(|(mv, _)| mv)
        });
        let score = Score::from(known.score.unwrap_or(0));
        let info = Info::unsearched(score, [best.clone()].into_iter().chain(ponder.clone()).collect());
        Answer { best: Some(best), ponder, info: Some(info) }
    }

    /// Gives every move its weight. Moves that a search thinks lose more than `margin` hundredths of a man are left out.
    ///
    /// The weight falls with what a move loses beside the best one, and with how much less often it was played.
    pub fn weigh(&mut self, margin: i16) {
        for moves in self.positions.values_mut() {
            let best = moves.iter().filter_map(|mv| mv.score).max();
            let most = moves.iter().map(|mv| mv.games).max().unwrap_or(0);
            let loss = |mv: &BookMove| mv.score.and_then(|score| best.map(|best| i32::from(best) - i32::from(score)));
            moves.retain(|mv| loss(mv).is_none_or(|loss| loss <= i32::from(margin)));
            for mv in moves.iter_mut() {
                let by_score = (-f64::from(loss(mv).unwrap_or(0)) / FALL).exp();
                let by_games = (f64::from(mv.games) + 0.5) / (f64::from(most) + 0.5);
                mv.weight = (FULL * by_score * by_games).round().clamp(1.0, 65_535.0) as u16;
            }
            moves.sort_by_key(|mv| (std::cmp::Reverse(mv.weight), mv.from, mv.to, mv.captures.clone(), mv.huffed));
        }
        self.positions.retain(|_, moves| !moves.is_empty());
    }

    /// Takes over another book of the same rules: games are added up, its scores go before those here.
    pub fn merge(&mut self, other: &Book) {
        for (place, moves) in &other.positions {
            let own = self.positions.entry(place.clone()).or_default();
            for mv in moves {
                let same = |known: &&mut BookMove| {
                    (known.from, known.to, known.promotes, known.huffed, &known.captures)
                        == (mv.from, mv.to, mv.promotes, mv.huffed, &mv.captures)
                };
                match own.iter_mut().find(same) {
                    Some(known) => {
                        known.score = mv.score.or(known.score);
                        known.games = known.games.saturating_add(mv.games);
                        known.half_points = known.half_points.saturating_add(mv.half_points);
                    }
                    None => own.push(mv.clone()),
                }
            }
        }
    }
}

/// The place of a position.
pub fn place(setup: &Setup) -> Place {
    let code = |cell: Option<&Option<crate::game::plain::Piece>>| match cell.copied().flatten() {
        None => 0,
        Some(piece) => 1 + u8::from(piece.king) + 2 * piece.color.index() as u8,
    };
    let pairs = setup.cells.chunks(2).map(|pair| code(pair.first()) | code(pair.get(1)) << 4);
    [setup.side.index() as u8].into_iter().chain(pairs).collect()
}

/// The position of a place; `None` when it is none.
pub fn setup(variant: &Variant, place: &[u8]) -> Option<Setup> {
    let side = match place.first()? {
        0 => Color::White,
        1 => Color::Black,
        _ => return None,
    };
    let mut setup = Setup::empty(variant.set.board, side);
    for (index, cell) in setup.cells.iter_mut().enumerate() {
        let code = place.get(1 + index / 2)? >> (index % 2 * 4) & 15;
        *cell = match code {
            0 => None,
            1..=4 => {
                let color = if code < 3 { Color::White } else { Color::Black };
                Some(crate::game::plain::Piece { color, king: code % 2 == 0 })
            }
            _ => return None,
        };
    }
    Some(setup)
}

/// A number that stands for all rules by which moves are made and games are won. Rules that differ in draws and notation alone share it.
pub fn fingerprint(variant: &Variant) -> u64 {
    let set = &variant.set;
    let men = (set.man_move, set.man_capture, set.man_takes_king, set.promotion);
    let kings = (set.king_move, set.king_capture, set.king_flies, set.king_captures_afar, set.landing);
    let captures = (set.removal, set.may_reverse, set.duty, set.choice, set.scope);
    let ends = (set.goal, set.blocked, set.kings_only, set.one_against_one);
    let text = format!("{:?}", ((set.board, set.rows, set.offset, set.first), men, kings, captures, ends));
    text.bytes().fold(0xcbf2_9ce4_8422_2325, file::mix)
}

#[cfg(test)]
mod tests;
