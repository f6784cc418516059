//! Positions and moves as DXP writes them, for a board of any rule set.
//!
//! The letters of a position follow the square numbers from the top row. Moves are written with the same numbers, but
//! for rule sets that name their squares by letters: there the numbers count from a1 along the ranks, as the client
//! that extended the protocol to such boards counts them.

use super::message::{Diagram, WireMove};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::board::Square;
use crate::game::plain::{Piece, PlainMove, Setup};
use crate::game::rules::Notation;
use crate::game::variant::Variant;

/// Why a position cannot be played from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPosition {
    #[error("a board of {found} squares was read, expected {expected} for {variant}")]
    Size { found: usize, expected: usize, variant: String },
    #[error(transparent)]
    Setup(#[from] crate::game::plain::SetupError),
    #[error("the position ends the game, expected one with a legal move")]
    Over,
}

/// The game that starts from a position, or from the normal start.
pub fn game(variant: &std::sync::Arc<Variant>, position: Option<&Diagram>) -> Result<Game, BadPosition> {
    let Some(diagram) = position else { return Ok(Game::new(variant.clone())) };
    let game = Game::from_setup(variant.clone(), &setup(variant, diagram)?)?;
    if game.moves().is_empty() { Err(BadPosition::Over) } else { Ok(game) }
}

/// The pieces of a position.
pub fn setup(variant: &Variant, diagram: &Diagram) -> Result<Setup, BadPosition> {
    let expected = variant.set.board.squares();
    if diagram.letters.len() != expected {
        return Err(BadPosition::Size { found: diagram.letters.len(), expected, variant: variant.id.clone() });
    }
    let mut setup = Setup::empty(variant.set.board, diagram.side);
    setup.cells = diagram.letters.bytes().map(piece).collect();
    Ok(setup)
}

fn piece(letter: u8) -> Option<Piece> {
    let color = match letter {
        b'w' | b'W' => Color::White,
        b'z' | b'Z' => Color::Black,
        _ => return None,
    };
    Some(Piece { color, king: letter.is_ascii_uppercase() })
}

/// The start of a variant as an invitation states it: the normal start of the protocol's own board is not drawn.
pub fn start(variant: &Variant) -> Option<Diagram> {
    let setup = Setup::start(variant);
    let normal = setup.cells.len() == 50
        && setup.side == Color::White
        && (0..50).all(|place| setup.cells[place].map(|p| p.color) == normal_at(place));
    (!normal).then(|| diagram(&setup))
}

fn normal_at(place: usize) -> Option<Color> {
    match place {
        0..20 => Some(Color::Black),
        20..30 => None,
        _ => Some(Color::White),
    }
}

/// A position in letters.
pub fn diagram(setup: &Setup) -> Diagram {
    let letter = |cell: &Option<Piece>| match cell {
        None => 'e',
        Some(Piece { color: Color::White, king }) => {
            if *king {
                'W'
            } else {
                'w'
            }
        }
        Some(Piece { color: Color::Black, king }) => {
            if *king {
                'Z'
            } else {
                'z'
            }
        }
    };
    Diagram { side: setup.side, letters: setup.cells.iter().map(letter).collect() }
}

/// The number of a square in a move; its own inverse.
fn number(variant: &Variant, square: u8) -> Option<u8> {
    let board = variant.set.board;
    let index = (square as usize).checked_sub(1).filter(|&index| index < board.squares())?;
    if variant.set.notation == Notation::Numeric {
        return Some(square);
    }
    let (row, place) = (index / board.per_row(), index % board.per_row());
    Some(((board.height as usize - 1 - row) * board.per_row() + place + 1) as u8)
}

/// A move as it is sent.
pub fn wire(variant: &Variant, mv: &PlainMove, seconds: u16) -> WireMove {
    let number = |square: &Square| number(variant, square.0).expect("squares of a move are on the board");
    let captures = mv.captures.iter().map(number).collect();
    WireMove { seconds, from: number(&mv.from), to: number(&mv.to), captures }
}

/// The legal moves that a message can tell apart: no huffs, and of several with the same squares only the first, which
/// is the one that [`find`] finds.
pub fn expressible(game: &Game) -> Vec<PlainMove> {
    let mut out: Vec<PlainMove> = Vec::new();
    for mv in game.moves() {
        if mv.huffed.is_none() && !out.iter().any(|other| same_squares(other, &mv)) {
            out.push(mv);
        }
    }
    out
}

fn same_squares(a: &PlainMove, b: &PlainMove) -> bool {
    (a.from, a.to) == (b.from, b.to) && sorted(a.captures.clone()) == sorted(b.captures.clone())
}

fn sorted(mut squares: Vec<Square>) -> Vec<Square> {
    squares.sort_unstable();
    squares
}

/// The legal move that a message means.
pub fn find(game: &Game, wire: &WireMove) -> Option<PlainMove> {
    let square = |n: u8| number(game.variant(), n).map(Square);
    let (from, to) = (square(wire.from)?, square(wire.to)?);
    let captures = sorted(wire.captures.iter().map(|&n| square(n)).collect::<Option<_>>()?);
    let meant = |mv: &PlainMove| {
        mv.huffed.is_none() && (mv.from, mv.to) == (from, to) && sorted(mv.captures.clone()) == captures
    };
    game.moves().into_iter().find(meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn variant(name: &str) -> Arc<Variant> {
        Variant::find(name).expect("built in")
    }

    fn diagram_of(side: Color, letters: &str) -> Diagram {
        Diagram { side, letters: letters.to_string() }
    }

    #[test]
    fn only_other_starts_are_drawn() {
        assert_eq!(start(&variant("international")), None);
        assert_eq!(start(&variant("frisian")), None);
        let dark = format!("{}{}{}", "z".repeat(12), "e".repeat(8), "w".repeat(12));
        assert_eq!(start(&variant("english")), Some(diagram_of(Color::Black, &dark)));
        assert_eq!(start(&variant("russian")), Some(diagram_of(Color::White, &dark)));
        let (z, w, e) = ("z".repeat(16), "w".repeat(16), "e".repeat(8));
        assert_eq!(start(&variant("turkish")), Some(diagram_of(Color::White, &format!("{e}{z}{e}{e}{w}{e}"))));
    }

    #[test]
    fn every_start_comes_back() {
        for variant in Variant::all() {
            let drawn = diagram(&Setup::start(variant));
            let game = game(variant, Some(&drawn)).unwrap_or_else(|error| panic!("{}: {error}", variant.id));
            assert_eq!(game.setup().cells, Setup::start(variant).cells);
            for mv in expressible(&game) {
                assert_eq!(find(&game, &wire(variant, &mv, 0)).as_ref(), Some(&mv), "{}", variant.id);
            }
        }
    }

    /// Numbers seen from the client: c3-b4 in Russian, a2-a3 … c3-c4 in Turkish, plain ones elsewhere.
    #[test]
    fn moves_are_numbered_as_the_client_does() {
        let played = |name: &str, from, to| {
            let game = Game::new(variant(name));
            let wire = WireMove { seconds: 0, from, to, captures: vec![] };
            find(&game, &wire).map(|mv| crate::notation::movetext::write(&game, &mv))
        };
        assert_eq!(played("russian", 10, 13).as_deref(), Some("c3-b4"));
        assert_eq!(played("turkish", 19, 27).as_deref(), Some("c3-c4"));
        assert_eq!(played("english", 11, 16).as_deref(), Some("11-16"));
        assert_eq!(played("italian", 21, 18).as_deref(), Some("21-18"));
        assert_eq!(played("international", 32, 28).as_deref(), Some("32-28"));
        for (from, to) in [(0, 0), (99, 28), (32, 99), (255, 1), (28, 32)] {
            assert_eq!(played("international", from, to), None);
        }
    }

    #[test]
    fn captures_in_any_order_and_only_the_right_ones() {
        // 5x25 over 23, 22, 12 and 20, as the protocol page has it.
        let mut letters = vec![b'e'; 50];
        [22, 12, 23, 20].iter().for_each(|&square: &usize| letters[square - 1] = b'w');
        letters[4] = b'Z';
        let letters = String::from_utf8(letters).expect("ASCII");
        let game = game(&variant("international"), Some(&diagram_of(Color::Black, &letters))).expect("a position");
        let taking =
            |captures: &[u8]| find(&game, &WireMove { seconds: 12, from: 5, to: 25, captures: captures.to_vec() });
        if let Some(mv) = game.moves().iter().find(|mv| (mv.from.0, mv.to.0) == (5, 25)) {
            assert_eq!(taking(&[22, 12, 23, 20]).as_ref(), Some(mv));
            assert_eq!(taking(&[12, 20, 22, 23]).as_ref(), Some(mv));
        }
        assert_eq!(taking(&[]), None);
        assert_eq!(taking(&[22, 12, 23]), None);
        assert_eq!(taking(&[22, 12, 23, 23]), None);
    }

    #[test]
    fn bad_positions_are_refused() {
        let refused = |letters: String| {
            game(&variant("international"), Some(&diagram_of(Color::White, &letters))).expect_err("bad").to_string()
        };
        assert_eq!(refused("e".repeat(32)), "a board of 32 squares was read, expected 50 for international");
        assert!(refused(format!("w{}", "e".repeat(49))).contains("promotion row"));
        assert_eq!(refused("e".repeat(50)), "the position ends the game, expected one with a legal move");
    }
}
