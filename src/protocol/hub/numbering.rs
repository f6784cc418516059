//! Position strings and move texts of Hub, and the squares they name.
//!
//! The protocol defines 10x10 only. For other boards there are two styles: the numbers of PDN throughout, or what pydraughts
//! does, the one client that plays other variants. There, where Black begins, the position is turned round and the colours are
//! exchanged, so that the side that begins is called white; and where squares have letters, moves count from the bottom row, a1
//! being 1, while positions are still read from the top row.

use super::trouble::Trouble;
use crate::game::Game;
use crate::game::board::{Board, Color, Square};
use crate::game::plain::{Piece, PlainMove, Setup};
use crate::game::rules::{Notation, RuleSet};
use crate::notation::movetext::{self, MoveError};

/// Most moves that an error lists.
const LISTED: usize = 12;

/// How squares are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// As the client library pydraughts does.
    #[default]
    Pydraughts,
    /// From the top row, White at the bottom, in positions and moves.
    Native,
}

impl Style {
    /// All styles, in the order they are listed.
    pub const ALL: [Style; 2] = [Style::Pydraughts, Style::Native];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Style::Pydraughts => "pydraughts",
            Style::Native => "native",
        }
    }
}

/// How one rule set's squares are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbering {
    board: Board,
    /// Positions are turned round and colours exchanged.
    turned: bool,
    /// The square of each number in moves, from 1.
    squares: Vec<Square>,
}

impl Numbering {
    /// The numbering of a rule set's board.
    pub fn new(set: &RuleSet, style: Style) -> Numbering {
        let board = set.board;
        let (count, row) = (board.squares(), board.per_row());
        let from_below = style == Style::Pydraughts && set.notation == Notation::Algebraic;
        let square = |index: usize| {
            let above = if from_below { (count - row) / row * row - index / row * row + index % row } else { index };
            Square(above as u8 + 1)
        };
        let turned = style == Style::Pydraughts && set.first == Color::Black;
        Numbering { board, turned, squares: (0..count).map(square).collect() }
    }

    /// Reads a position string.
    pub fn position(&self, text: &str) -> Result<Setup, Trouble> {
        let letters: Vec<char> = text.chars().take(1_000).collect();
        let count = self.board.squares();
        if letters.len() != count + 1 {
            return Err(Trouble::Length { found: text.chars().count(), expected: count + 1 });
        }
        let side = match letters[0] {
            'W' => Color::White,
            'B' => Color::Black,
            found => return Err(Trouble::Letter { at: 1, found, expected: "W or B" }),
        };
        let mut setup = Setup::empty(self.board, self.color(side));
        for (index, &letter) in letters[1..].iter().enumerate() {
            let piece = |color, king| Some(Piece { color: self.color(color), king });
            setup.cells[self.cell(index)] = match letter {
                'e' => None,
                'w' => piece(Color::White, false),
                'W' => piece(Color::White, true),
                'b' => piece(Color::Black, false),
                'B' => piece(Color::Black, true),
                found => return Err(Trouble::Letter { at: index + 2, found, expected: "one of w b W B e" }),
            };
        }
        Ok(setup)
    }

    /// Writes a position string.
    pub fn text(&self, setup: &Setup) -> String {
        let letter = |index: usize| match setup.cells[self.cell(index)] {
            None => 'e',
            Some(Piece { color, king: true }) => self.color(color).letter(),
            Some(Piece { color, king: false }) => self.color(color).letter().to_ascii_lowercase(),
        };
        let side = self.color(setup.side).letter();
        [side].into_iter().chain((0..setup.cells.len()).map(letter)).collect()
    }

    fn color(&self, color: Color) -> Color {
        if self.turned { color.other() } else { color }
    }

    fn cell(&self, index: usize) -> usize {
        if self.turned { self.board.squares() - 1 - index } else { index }
    }

    /// Writes a move: from, to and the captured squares.
    pub fn write(&self, mv: &PlainMove) -> String {
        let number = |square: u8| self.squares.iter().position(|s| s.0 == square).map(|index| index as u8 + 1);
        let text = movetext::hub(mv);
        renumbered(&text, |square| number(square as u8)).unwrap_or(text)
    }

    /// Writes moves played one after the other; ends before the first that is not legal.
    pub fn line(&self, game: &Game, moves: &[PlainMove]) -> Vec<String> {
        let mut game = game.clone();
        moves.iter().take_while(|mv| game.play(mv).is_ok()).map(|mv| self.write(mv)).collect()
    }

    /// Reads a legal move, the `number`th of a line: from, to and captured squares as the protocol has it, else any other way
    /// of writing it that means one move only.
    pub fn read(&self, game: &Game, number: usize, text: &str) -> Result<PlainMove, Trouble> {
        let bad = || Trouble::Move { number, read: text.to_string(), example: self.example() };
        let square = |n: usize| n.checked_sub(1).and_then(|index| self.squares.get(index)).map(|square| square.0);
        let native = renumbered(text, square).ok_or_else(bad)?;
        if let Some(mv) = listed(game, &native) {
            return Ok(mv);
        }
        movetext::read(game, &native).map_err(|error| {
            let read = text.to_string();
            let some = |wanted: &dyn Fn(&PlainMove) -> bool| {
                let moves: Vec<String> =
                    game.moves().iter().filter(|mv| wanted(mv)).take(LISTED).map(|mv| self.write(mv)).collect();
                if moves.is_empty() { "no move at all".to_string() } else { moves.join(" ") }
            };
            match error {
                MoveError::Ambiguous { candidates, .. } => {
                    let means = |mv: &PlainMove| candidates.contains(&movetext::full(game, mv));
                    Trouble::Ambiguous { number, read, candidates: some(&means) }
                }
                MoveError::Illegal { .. } => Trouble::Illegal { number, read, legal: some(&|_| true) },
                _ => bad(),
            }
        })
    }

    fn example(&self) -> String {
        let half = self.board.squares() / 2;
        format!("{}-{half} or {half}x{}x{}", half + 1, half - 7, half - 4)
    }
}

/// The move with these ends and captured squares, when three or more squares are listed.
fn listed(game: &Game, native: &str) -> Option<PlainMove> {
    let squares: Option<Vec<Square>> =
        native.split(['x', 'X', '-', ':']).map(|part| part.parse().ok().map(Square)).collect();
    let squares = squares?;
    let [from, to, taken @ ..] = squares.as_slice() else { return None };
    if taken.is_empty() {
        return None;
    }
    let sorted = |squares: &[Square]| {
        let mut squares = squares.to_vec();
        squares.sort_unstable();
        squares
    };
    let taken = sorted(taken);
    let means =
        |mv: &PlainMove| mv.from == *from && mv.to == *to && mv.huffed.is_none() && sorted(&mv.captures) == taken;
    game.moves().into_iter().find(means)
}

/// The text with every number replaced; digits behind a letter of the board (`c3`) stay. `None` when a number has no other.
fn renumbered(text: &str, other: impl Fn(usize) -> Option<u8>) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |length| start + length);
        out.push_str(&rest[..start]);
        let digits = &rest[start..end];
        if out.ends_with(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'x' | 'X')) {
            out.push_str(digits);
        } else {
            out.push_str(&other(digits.parse().ok()?)?.to_string());
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
#[path = "numbering_tests.rs"]
mod tests;
