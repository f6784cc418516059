//! CheckerBoard's boards, moves and FEN to damka's and back.

use crate::game_type::{self, GameType, dark};
use crate::layout::{BLACK, CbMove, Cells, Coor, KING, LIGHT, MAN, MOST_JUMPS, WHITE};
use damka::game::Game;
use damka::game::board::{Color, Square};
use damka::game::plain::{Piece, PlainMove, Setup};
use std::ffi::c_int;

/// Why a board or a text is no position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPosition(pub String);

/// The side that a colour code names.
pub fn side(color: c_int) -> Result<Color, BadPosition> {
    match color {
        WHITE => Ok(Color::White),
        BLACK => Ok(Color::Black),
        _ => Err(BadPosition(format!("colour {color} was read, expected 1 (white) or 2 (black)"))),
    }
}

/// The code of a piece.
pub fn code(piece: Piece) -> c_int {
    let color = if piece.color == Color::White { WHITE } else { BLACK };
    color + if piece.king { KING } else { MAN }
}

fn piece(code: c_int) -> Option<Piece> {
    let color = match code & 3 {
        WHITE => Color::White,
        BLACK => Color::Black,
        _ => return None,
    };
    match code & !3 {
        MAN => Some(Piece { color, king: false }),
        KING => Some(Piece { color, king: true }),
        _ => None,
    }
}

/// Reads a board.
pub fn read(game: GameType, cells: &Cells, side: Color) -> Result<Setup, BadPosition> {
    let rules = game.rules();
    let mut setup = Setup::empty(rules.set.board, side);
    for (x, column) in cells.iter().enumerate() {
        for (y, &code) in column.iter().enumerate() {
            if code == 0 || code == LIGHT {
                continue;
            }
            let place = Coor { x: x as c_int, y: y as c_int };
            let square = dark(place).then(|| game_type::square(&rules, place)).flatten();
            match (square, piece(code)) {
                (Some(square), Some(piece)) => setup.cells[usize::from(square.0) - 1] = Some(piece),
                _ => {
                    let expected = if square.is_some() { "0, 5, 6, 9 or 10" } else { "a free light square" };
                    return Err(BadPosition(format!("board[{x}][{y}] is {code}, expected {expected}")));
                }
            }
        }
    }
    Ok(setup)
}

/// Writes the dark squares of a board; the light ones stay as they are.
pub fn write(game: GameType, setup: &Setup, cells: &mut Cells) {
    let rules = game.rules();
    for (index, cell) in setup.cells.iter().enumerate() {
        let place = game_type::place(&rules, Square(index as u8 + 1));
        cells[place.x as usize][place.y as usize] = cell.map_or(0, code);
    }
}

/// Reads a FEN that numbers the squares as CheckerBoard does: `B:W21-32:B1-11,K12`. Any piece may stand anywhere: whether
/// the rules allow it is asked later.
pub fn read_fen(game: GameType, text: &str) -> Result<Setup, BadPosition> {
    let bad = |part: &str, expected: &str| BadPosition(format!("FEN: '{part}' was read, expected {expected}"));
    let mut fields = text.trim().trim_end_matches('.').split(':');
    let turn = fields.next().unwrap_or_default();
    let side = color(turn).ok_or_else(|| bad(turn, "W or B"))?;
    let rules = game.rules();
    let mut setup = Setup::empty(rules.set.board, side);
    for field in fields {
        let (letter, list) = field.split_at_checked(1).unwrap_or((field, ""));
        let color = color(letter).ok_or_else(|| bad(field, "a list of pieces that starts with W or B"))?;
        for item in list.split(',').filter(|item| !item.is_empty()) {
            let (king, squares) = item.strip_prefix(['K', 'k']).map_or((false, item), |rest| (true, rest));
            let (first, last) = squares.split_once('-').unwrap_or((squares, squares));
            for number in whole(first).zip(whole(last)).map(|(a, b)| a..=b).ok_or_else(|| bad(item, "1 to 32"))? {
                let place = game.place_of(number).ok_or_else(|| bad(item, "squares from 1 to 32"))?;
                let square = game_type::square(&rules, place).expect("numbered places are played on");
                setup.cells[usize::from(square.0) - 1] = Some(Piece { color, king });
            }
        }
    }
    Ok(setup)
}

fn whole(text: &str) -> Option<i32> {
    text.parse().ok().filter(|number| (1..=32).contains(number))
}

fn color(letter: &str) -> Option<Color> {
    match letter {
        "W" | "w" => Some(Color::White),
        "B" | "b" => Some(Color::Black),
        _ => None,
    }
}

/// A move as a record, seen from the position it is played in.
pub fn record(setup: &Setup, game: GameType, mv: &PlainMove) -> CbMove {
    let rules = game.rules();
    let place = |square: Square| game_type::place(&rules, square);
    let oldpiece = setup.at(mv.from).map_or(0, code);
    let newpiece = if mv.promotes { oldpiece - MAN + KING } else { oldpiece };
    let jumps = mv.captures.len();
    let mut record = CbMove {
        jumps: jumps as c_int,
        newpiece,
        oldpiece,
        from: place(mv.from),
        to: place(mv.to),
        ..CbMove::default()
    };
    record.path[0] = record.from;
    for (slot, &stop) in record.path.iter_mut().zip(&mv.path).skip(1) {
        *slot = place(stop);
    }
    for (index, &taken) in mv.captures.iter().enumerate().take(MOST_JUMPS) {
        record.del[index] = place(taken);
        record.delpiece[index] = setup.at(taken).map_or(0, code);
    }
    if let Some(end) = record.del.get_mut(jumps) {
        *end = Coor { x: -1, y: -1 };
    }
    record
}

/// A move between CheckerBoard's square numbers: `11-15`, `24x15`.
pub fn name(game: GameType, mv: &PlainMove) -> String {
    let rules = game.rules();
    let number = |square| game.number_of(game_type::place(&rules, square));
    let sign = if mv.is_capture() { 'x' } else { '-' };
    format!("{}{sign}{}", number(mv.from), number(mv.to))
}

/// The legal moves between two of CheckerBoard's square numbers.
pub fn between(game: &Game, game_type: GameType, from: c_int, to: c_int) -> Vec<PlainMove> {
    let rules = game.variant();
    let number = |square| game_type.number_of(game_type::place(rules, square));
    game.moves().into_iter().filter(|mv| number(mv.from) == from && number(mv.to) == to).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_type::GAMES;

    #[test]
    fn starting_boards_have_black_at_the_bottom_and_come_back_as_they_were() {
        for game in GAMES {
            let setup = Setup::start(&game.rules());
            let mut cells = [[LIGHT; 8]; 8];
            write(game, &setup, &mut cells);
            for (x, column) in cells.iter().enumerate() {
                for (y, &cell) in column.iter().enumerate() {
                    let expected = match (x + y) % 2 {
                        0 if y < 3 => BLACK + MAN,
                        0 if y > 4 => WHITE + MAN,
                        0 => 0,
                        _ => LIGHT,
                    };
                    assert_eq!(cell, expected, "{} {x} {y}", game.variant);
                }
            }
            assert_eq!(read(game, &cells, setup.side), Ok(setup));
        }
    }

    #[test]
    fn wrong_codes_are_named() {
        let english = GAMES[0];
        let mut cells = [[0; 8]; 8];
        cells[2][0] = 7;
        let error = read(english, &cells, Color::White).expect_err("7 is no piece");
        assert_eq!(error.0, "board[2][0] is 7, expected 0, 5, 6, 9 or 10");
        cells[2][0] = 0;
        cells[1][0] = 5;
        let error = read(english, &cells, Color::White).expect_err("a light square");
        assert_eq!(error.0, "board[1][0] is 5, expected a free light square");
        assert!(side(3).is_err());
    }

    #[test]
    fn spanish_numbers_are_turned_round() {
        let spanish = GameType::find("24").expect("a game");
        let setup = read_fen(spanish, "W:W1-12:B21-32").expect("the starting position");
        assert_eq!(setup, Setup::start(&spanish.rules()));
    }

    #[test]
    fn what_is_no_fen_is_told() {
        for text in ["", "x", "B:", "B:X1", "B:W0", "B:W33", "B:W1-99999999999", "B:Wfoo", "B:é1", "W:W-", "W:W3-K5"] {
            let _ = read_fen(GAMES[0], text);
        }
        let error = read_fen(GAMES[0], "B:W1,33").expect_err("33 is no square");
        assert_eq!(error.0, "FEN: '33' was read, expected 1 to 32");
        assert!(read_fen(GAMES[0], "B:W1:B").is_ok());
    }

    #[test]
    fn records_tell_the_whole_capture() {
        let english = GAMES[0];
        let setup = read_fen(english, "B:W6,7,15:B2,9").expect("a position");
        let game = Game::from_setup(english.rules(), &setup).expect("sound");
        let mv = between(&game, english, 2, 18).pop().or_else(|| between(&game, english, 2, 9).pop());
        let mv = mv.unwrap_or_else(|| game.moves().remove(0));
        let record = record(&setup, english, &mv);
        assert_eq!(record.jumps as usize, mv.captures.len());
        assert!(record.jumps > 0, "{mv:?}");
        assert_eq!((record.oldpiece, record.newpiece), (BLACK + MAN, BLACK + MAN));
        assert_eq!(record.path[record.jumps as usize], record.to);
        assert_eq!(record.delpiece[0], WHITE + MAN);
        assert_eq!(record.del[record.jumps as usize].x, -1);
    }
}
