//! The second truth: a slow, plain move generator over columns and rows that follows the rule record word for word.
//!
//! It shares nothing with the engine's generator but the record itself, the board's numbering and the plain types.
//! Captures are walked jump by jump and landing by landing; every finished walk is kept, so the three ways of counting
//! are read off the same list.

mod captures;

use captures::Walks;
use damka::game::board::{Color, Square};
use damka::game::plain::{Piece, Setup};
use damka::game::rules::*;
use std::collections::{BTreeMap, BTreeSet};

/// Steps of the eight directions for White, who moves up: (columns, rows).
const STEPS: [(i32, i32); 8] = [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1), (-1, 0), (1, 0)];

/// The position has more capture walks than the reference is willing to list.
#[derive(Debug)]
pub struct TooMany;

/// A position with the memory that the move rules need.
#[derive(Clone, Debug)]
pub struct Reference {
    set: RuleSet,
    side: Color,
    cells: Vec<Option<Piece>>,
    king_run: [Option<(Square, u8)>; 2],
    huffable: Vec<Square>,
}

/// A legal move: what makes it a move of its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RefMove {
    pub huffed: Option<u8>,
    pub from: u8,
    pub to: u8,
    /// Captured squares, sorted.
    pub captured: Vec<u8>,
    /// The piece is a king after the move.
    pub king_after: bool,
}

/// A legal move and in how many ways it is played.
#[derive(Clone, Debug)]
pub struct Legal {
    pub mv: RefMove,
    /// Distinct lists of (direction, captured square).
    pub paths: u64,
    /// Every list of landing squares that plays it, its start not included; empty for a quiet move.
    pub landings: Vec<Vec<Square>>,
    /// The lists of stops that write it: start, where it turns or else right behind the captured piece, end.
    pub stops: BTreeSet<Vec<Square>>,
}

/// Ways of counting leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    Unique,
    Paths,
    Landings,
}

impl Reference {
    /// The position of a set-up.
    pub fn new(set: RuleSet, setup: &Setup) -> Reference {
        Reference {
            set,
            side: setup.side,
            cells: setup.cells.clone(),
            king_run: setup.memory.king_run,
            huffable: setup.memory.huffable.clone(),
        }
    }

    /// What stands on the squares, in order of their numbers.
    pub fn cells(&self) -> &[Option<Piece>] {
        &self.cells
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Enemy pieces that the side to move may huff, sorted.
    pub fn huffable(&self) -> &[Square] {
        &self.huffable
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.cells[square.0 as usize - 1]
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.cells[square.0 as usize - 1] = piece;
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        (1..=self.cells.len()).map(|number| Square(number as u8))
    }

    fn own(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.squares().filter_map(|s| Some((s, self.at(s)?))).filter(|(_, piece)| piece.color == self.side)
    }

    /// The next square in a direction seen by the side to move. On boards with dark squares only, a straight step is two
    /// cells long: the cell between is not played on.
    fn step(&self, square: Square, direction: usize) -> Option<Square> {
        let (column, row) = self.set.board.column_row(square);
        let (columns, rows) = STEPS[direction];
        let long = if !self.set.board.all_squares && direction >= 4 { 2 } else { 1 };
        let turn = if self.side == Color::White { long } else { -long };
        let (column, row) = (column as i32 + columns * turn, row as i32 + rows * turn);
        if column < 0 || row < 0 {
            return None;
        }
        self.set.board.at(column as usize, row as usize)
    }

    fn on_last_row(&self, square: Square) -> bool {
        let (_, row) = self.set.board.column_row(square);
        row == if self.side == Color::White { 0 } else { self.set.board.height as usize - 1 }
    }

    fn quiet_moves(&self) -> Vec<RefMove> {
        let mut moves = Vec::new();
        for (from, piece) in self.own() {
            let directions = if piece.king { self.set.king_move } else { self.set.man_move };
            for direction in (0..8).filter(|&d| directions.has(d)) {
                let mut to = self.step(from, direction);
                while let Some(square) = to.filter(|&s| self.at(s).is_none()) {
                    let king_after = piece.king || self.on_last_row(square);
                    moves.push(RefMove { huffed: None, from: from.0, to: square.0, captured: Vec::new(), king_after });
                    to = if piece.king && self.set.king_flies { self.step(square, direction) } else { None };
                }
            }
        }
        moves.retain(|mv| !self.run_out(mv));
        moves
    }

    /// Whether the limit of moves in a row with the same king forbids this quiet move.
    fn run_out(&self, mv: &RefMove) -> bool {
        let limit = self.set.same_king_moves;
        let has_men = self.own().any(|(_, piece)| !piece.king);
        let run = self.king_run[self.side.index()];
        limit > 0 && has_men && run.is_some_and(|(square, moves)| square.0 == mv.from && moves >= limit)
    }

    /// The ordinary moves: all but huffs.
    fn ordinary(&self) -> Result<Vec<Legal>, TooMany> {
        let walks = self.captures()?;
        let mut found: BTreeMap<RefMove, Walks> = BTreeMap::new();
        for walk in &walks {
            let mut captured: Vec<u8> = walk.jumps.iter().map(|jump| jump.1.0).collect();
            captured.sort();
            let king_after = walk.king || self.at(walk.from).is_some_and(|p| p.king) || self.on_last_row(walk.at);
            let mv = RefMove { huffed: None, from: walk.from.0, to: walk.at.0, captured, king_after };
            found.entry(mv).or_default().push(walk);
        }
        let mut moves: Vec<Legal> = found.into_iter().map(|(mv, walks)| self.legal(mv, &walks)).collect();
        if walks.is_empty() || self.set.duty != Duty::Mandatory {
            moves.extend(self.quiet_moves().into_iter().map(|mv| {
                let stops = BTreeSet::from([vec![Square(mv.from), Square(mv.to)]]);
                Legal { mv, paths: 1, landings: Vec::new(), stops }
            }));
        }
        Ok(moves)
    }

    /// All legal moves, whether or not the position ends the game.
    pub fn moves(&self) -> Result<Vec<Legal>, TooMany> {
        let mut moves = self.ordinary()?;
        for &huffed in &self.huffable {
            let mut without = self.clone();
            without.put(huffed, None);
            moves.extend(without.ordinary()?.into_iter().map(|mut legal| {
                legal.mv.huffed = Some(huffed.0);
                legal
            }));
        }
        Ok(moves)
    }

    /// The position after a legal move.
    pub fn play(&self, mv: &RefMove) -> Result<Reference, TooMany> {
        let (mut next, from, to) = (self.clone(), Square(mv.from), Square(mv.to));
        if let Some(huffed) = mv.huffed {
            next.put(Square(huffed), None);
        }
        next.huffable = if mv.captured.is_empty() { next.missed(from, to)? } else { Vec::new() };
        let piece = self.at(from).expect("a legal move starts on a piece");
        next.put(from, None);
        for &square in &mv.captured {
            next.put(Square(square), None);
        }
        next.put(to, Some(Piece { color: self.side, king: mv.king_after }));
        let run = self.king_run[self.side.index()].filter(|(square, _)| *square == from);
        let quiet_king = piece.king && mv.captured.is_empty();
        next.king_run[self.side.index()] =
            quiet_king.then(|| (to, run.map_or(1, |(_, moves)| moves.saturating_add(1))));
        let enemy = &mut next.king_run[self.side.other().index()];
        *enemy = enemy.filter(|(square, _)| next.cells[square.0 as usize - 1].is_some_and(|p| p.color != self.side));
        next.side = self.side.other();
        Ok(next)
    }

    /// The pieces that could capture now, on the squares where they stand after a quiet move.
    fn missed(&self, from: Square, to: Square) -> Result<Vec<Square>, TooMany> {
        if self.set.duty != Duty::Huffing {
            return Ok(Vec::new());
        }
        let mut squares: Vec<Square> =
            self.captures()?.iter().map(|walk| if walk.from == from { to } else { walk.from }).collect();
        squares.sort();
        squares.dedup();
        Ok(squares)
    }

    fn tally(&self, color: Color) -> (usize, usize) {
        let pieces = self.cells.iter().flatten().filter(|piece| piece.color == color);
        pieces.fold((0, 0), |(men, kings), piece| if piece.king { (men, kings + 1) } else { (men + 1, kings) })
    }

    /// Whether the position itself ends the game, apart from a player who has no move.
    pub fn ends(&self) -> bool {
        let (white_men, white_kings) = self.tally(Color::White);
        let (black_men, black_kings) = self.tally(Color::Black);
        let first_king = self.set.goal == Goal::FirstKing && white_kings + black_kings > 0;
        let only_kings = white_men + black_men == 0 && white_kings > 0 && black_kings > 0;
        let kings_end = match self.set.kings_only {
            KingsOnly::PlayOn => false,
            KingsOnly::MoreWins => only_kings,
            KingsOnly::MoreWinsEqualPlaysOn => only_kings && white_kings != black_kings,
        };
        let one_each = white_men + white_kings == 1 && black_men + black_kings == 1;
        let at_once = |limit: &EndingLimit| limit.ending == Ending::KingKing && limit.plies == 0;
        let king_king = only_kings && one_each && self.set.endings.iter().flatten().any(at_once);
        first_king || kings_end || (one_each && self.set.one_against_one) || (king_king && self.king_king_is_drawn())
    }

    /// King against king is drawn unless the side to move captures, or every move of its lets the other capture.
    fn king_king_is_drawn(&self) -> bool {
        let captures = |position: &Reference| position.captures().map(|walks| !walks.is_empty()).unwrap_or(true);
        if captures(self) {
            return false;
        }
        let turn = |mv: &RefMove| self.play(mv).expect("a lone king has few walks");
        !self.quiet_moves().iter().all(|mv| captures(&turn(mv)))
    }

    /// Leaves of the tree of legal moves; with `ends`, positions that end the game have no moves.
    pub fn perft(&self, depth: u32, count: Count, ends: bool) -> Result<u64, TooMany> {
        if ends && self.ends() {
            return Ok(0);
        }
        let mut leaves = 0;
        for legal in self.moves()? {
            let ways = match count {
                Count::Unique => 1,
                Count::Paths => legal.paths,
                Count::Landings => legal.landings.len().max(1) as u64,
            };
            leaves += ways * if depth == 1 { 1 } else { self.play(&legal.mv)?.perft(depth - 1, count, ends)? };
        }
        Ok(leaves)
    }
}
