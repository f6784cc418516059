//! Draws a position for people: the board with the numbering of the variant, then all that the rules say about it.

use super::print::{MoveFormat, state};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{Piece, Setup};
use crate::game::rules::Notation;
use crate::notation::fen;

/// The position with FEN, hash key, state and legal moves, as lines.
pub fn position(game: &Game, format: MoveFormat) -> String {
    let setup = game.setup();
    let variant = game.variant();
    let moves: Vec<String> = format.all(game);
    let mut lines = board(game, &setup);
    lines.push(format!("Variant: {}", variant.id));
    lines.push(format!("FEN: {}", fen::write(variant, &setup)));
    lines.push(format!("Key: {:016x}", game.key()));
    lines.push(format!("Side to move: {}", game.side().name()));
    lines.push(format!("State: {}", state(game.state())));
    lines.push(format!("Legal moves ({}): {}", moves.len(), moves.join(" ")).trim_end().to_string());
    lines.join("\n")
}

/// White men are `w`, White kings `W`, black ones `b` and `B`, empty squares `.`; squares that are not played on stay blank.
fn sign(piece: Option<Piece>) -> char {
    match piece {
        None => '.',
        Some(Piece { color: Color::White, king: false }) => 'w',
        Some(Piece { color: Color::White, king: true }) => 'W',
        Some(Piece { color: Color::Black, king: false }) => 'b',
        Some(Piece { color: Color::Black, king: true }) => 'B',
    }
}

/// Numbered boards show the number beside each sign; lettered ones show ranks and files at the edges.
fn board(game: &Game, setup: &Setup) -> Vec<String> {
    let set = &game.variant().set;
    let (width, height) = (set.board.width as usize, set.board.height as usize);
    let mut lines = Vec::new();
    for row in 0..height {
        let cells = (0..width).map(|column| match (set.board.at(column, row), set.notation) {
            (Some(square), Notation::Numeric) => format!("{}{:<2} ", sign(setup.at(square)), square.0),
            (Some(square), Notation::Algebraic) => format!("{} ", sign(setup.at(square))),
            (None, Notation::Numeric) => " ".repeat(4),
            (None, Notation::Algebraic) => "  ".to_string(),
        });
        let edge = match set.notation {
            Notation::Numeric => " ".to_string(),
            Notation::Algebraic => format!("{:>2} ", height - row),
        };
        lines.push(format!("{edge}{}", cells.collect::<String>()).trim_end().to_string());
    }
    if set.notation == Notation::Algebraic {
        let files: Vec<String> = (b'a'..).take(width).map(|file| char::from(file).to_string()).collect();
        lines.push(format!("   {}", files.join(" ")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variant::Variant;

    fn drawn(name: &str, text: &str) -> String {
        let variant = Variant::find(name).expect("built in");
        let setup = fen::read(&variant, text).expect("a good FEN");
        position(&Game::from_setup(variant, &setup).expect("a good position"), MoveFormat::Pdn)
    }

    #[test]
    fn a_numbered_board_shows_its_numbers() {
        let text = drawn("english", "W:W31,K20:B1,K32");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "     b1      .2      .3      .4");
        assert_eq!(lines[1], " .5      .6      .7      .8");
        assert_eq!(lines[4], "     .17     .18     .19     W20");
        assert_eq!(lines[7], " .29     .30     w31     B32");
        assert_eq!(lines[9], "FEN: W:WK20,31:B1,K32");
        assert_eq!(lines[12], "State: ongoing");
        assert!(lines[13].starts_with("Legal moves ("), "{text}");
    }

    #[test]
    fn a_lettered_board_shows_its_edges() {
        let text = drawn("russian", "W:Wa1,Kh2:Bb8");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " 8   b   .   .   .");
        assert_eq!(lines[7], " 1 w   .   .   .");
        assert_eq!(lines[8], "   a b c d e f g h");
    }
}
