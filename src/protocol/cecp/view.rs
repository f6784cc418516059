//! The board as xboard draws it: whoever moves first is White, at the bottom. Pure.

use crate::game::board::{Color, Square};
use crate::game::plain::{Piece, Setup};
use crate::game::variant::Variant;

/// Letters of the pieces of White; Black's are small.
const MAN: char = 'M';
const KING: char = 'Q';

/// xboard's letters for pieces, in the order of its own list: a man looks like its third piece, a king like its fifth.
const PIECES: &str = "(..M.Q...m.q.)";

/// Names of xboard's own variants inside a name make it take the name for that game.
const TAKEN: [&str; 1] = ["gothic"];

/// Turns squares, pieces and positions of one rule set.
#[derive(Clone, Copy)]
pub struct View<'v> {
    rules: &'v Variant,
}

/// Whether xboard can show the rules: it has up to ten rows, and the name must be free.
pub fn shows(rules: &Variant) -> bool {
    rules.set.board.height <= 10 && !TAKEN.iter().any(|taken| rules.id.contains(taken))
}

impl<'v> View<'v> {
    /// The view of a game.
    pub fn new(rules: &'v Variant) -> View<'v> {
        View { rules }
    }

    fn turned(self) -> bool {
        self.rules.set.first == Color::Black
    }

    /// File from the left and rank from the bottom, both from 0.
    fn file_rank(self, square: Square) -> (usize, usize) {
        let board = self.rules.set.board;
        let (column, row) = board.column_row(square);
        let (width, height) = (usize::from(board.width), usize::from(board.height));
        if self.turned() { (width - 1 - column, row) } else { (column, height - 1 - row) }
    }

    /// A square's name. Boards of ten rows count them from 0.
    pub fn name(self, square: Square) -> String {
        let (file, rank) = self.file_rank(square);
        let first = usize::from(self.rules.set.board.height != 10);
        format!("{}{}", (b'a' + file as u8) as char, rank + first)
    }

    /// The square of that name.
    pub fn square(self, name: &str) -> Option<Square> {
        (1..=self.rules.set.board.squares() as u8).map(Square).find(|&square| self.name(square) == name)
    }

    /// The letter that promotes a man.
    pub fn king_letter() -> char {
        KING.to_ascii_lowercase()
    }

    fn letter(self, piece: Piece) -> char {
        let letter = if piece.king { KING } else { MAN };
        if piece.color == self.rules.set.first { letter } else { letter.to_ascii_lowercase() }
    }

    fn rows(self, at: impl Fn(Square) -> Option<char>) -> String {
        let board = self.rules.set.board;
        let (width, height) = (usize::from(board.width), usize::from(board.height));
        let mut grid = vec![vec![None; width]; height];
        for square in (1..=board.squares() as u8).map(Square) {
            let (file, rank) = self.file_rank(square);
            grid[height - 1 - rank][file] = at(square);
        }
        let rows: Vec<String> = grid.iter().map(|row| packed(row)).collect();
        rows.join("/")
    }

    /// The position as the FEN that xboard reads.
    pub fn fen(self, setup: &Setup) -> String {
        let side = if setup.side == self.rules.set.first { 'w' } else { 'b' };
        format!("{} {side} - - 0 1", self.rows(|square| setup.at(square).map(|piece| self.letter(piece))))
    }

    /// Reads xboard's FEN. `None` when it is no position of this board.
    pub fn read(self, fen: &str) -> Option<Setup> {
        let mut words = fen.split_whitespace();
        let (rows, side) = (words.next()?, words.next().unwrap_or("w"));
        let board = self.rules.set.board;
        let first = self.rules.set.first;
        let side = if side == "b" { first.other() } else { first };
        let mut setup = Setup::empty(board, side);
        let height = usize::from(board.height);
        let texts: Vec<&str> = rows.split('/').collect();
        if texts.len() != height {
            return None;
        }
        for (from_top, text) in texts.iter().enumerate() {
            let mut file = 0;
            for (place, letter) in unpacked(text, board.width.into())?.into_iter().enumerate() {
                file = place + 1;
                let Some(letter) = letter else { continue };
                let king = match letter.to_ascii_uppercase() {
                    MAN => false,
                    KING => true,
                    _ => return None,
                };
                let color = if letter.is_ascii_uppercase() { first } else { first.other() };
                let square = self.at(place, height - 1 - from_top)?;
                setup.cells[usize::from(square.0) - 1] = Some(Piece { color, king });
            }
            if file != usize::from(board.width) {
                return None;
            }
        }
        Some(setup)
    }

    fn at(self, file: usize, rank: usize) -> Option<Square> {
        (1..=self.rules.set.board.squares() as u8).map(Square).find(|&square| self.file_rank(square) == (file, rank))
    }

    /// The line that tells xboard the board, the pieces and the position. Of the games it knows, Lion chess is the one in which
    /// it tells the engine that a player passes.
    pub fn setup_line(self, setup: &Setup) -> String {
        let board = self.rules.set.board;
        format!("setup {PIECES} {}x{}+0_lion {}", board.width, board.height, self.fen(setup))
    }

    /// The line that marks squares: cyan for one to go on from, blue where a man is crowned, red for the end of a capture,
    /// yellow for a quiet move.
    pub fn marks(self, marks: &[(Square, char)]) -> String {
        let mark = |square| marks.iter().find(|(marked, _)| *marked == square).map(|(_, letter)| *letter);
        format!("highlight {}", self.rows(mark))
    }
}

fn packed(row: &[Option<char>]) -> String {
    let mut out = String::new();
    let mut free = 0;
    for cell in row.iter().chain([&Some('/')]) {
        match cell {
            None => free += 1,
            Some(letter) => {
                if free > 0 {
                    out.push_str(&free.to_string());
                }
                free = 0;
                out.push(*letter);
            }
        }
    }
    out.pop();
    out
}

fn unpacked(text: &str, width: usize) -> Option<Vec<Option<char>>> {
    let mut row = Vec::new();
    let mut number = String::new();
    for letter in text.chars().chain(['/']) {
        if letter.is_ascii_digit() {
            number.push(letter);
            continue;
        }
        if !number.is_empty() {
            let free: usize = number.parse().ok().filter(|free| *free <= width)?;
            row.resize(row.len() + free, None);
            number.clear();
        }
        row.push(Some(letter));
        if row.len() > width + 1 {
            return None;
        }
    }
    row.pop();
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_movers_are_white_at_the_bottom() {
        for rules in Variant::all().iter().filter(|rules| shows(rules)) {
            let view = View::new(rules);
            let setup = Setup::start(rules);
            let fen = view.fen(&setup);
            let (black, white) = fen.split_once('/').expect("rows");
            assert!(!black.contains('M') && white.contains('M') && fen.contains(" w "), "{}: {fen}", rules.id);
            assert_eq!(view.read(&fen), Some(setup), "{}", rules.id);
        }
    }

    #[test]
    fn squares_have_the_names_that_xboard_prints() {
        let russian = Variant::find("russian").expect("built in");
        let view = View::new(&russian);
        assert_eq!((view.name(Square(29)), view.name(Square(4))), ("a1".into(), "h8".into()));
        let international = Variant::find("international").expect("built in");
        let view = View::new(&international);
        assert_eq!((view.name(Square(46)), view.name(Square(5))), ("a0".into(), "j9".into()));
        let english = Variant::find("english").expect("built in");
        let view = View::new(&english);
        assert_eq!((view.name(Square(4)), view.name(Square(1))), ("a1".into(), "g1".into()));
        for number in 1..=32 {
            assert_eq!(view.square(&view.name(Square(number))), Some(Square(number)));
        }
        assert_eq!(view.square("a2"), None);
        assert_eq!(view.square("é"), None);
    }

    #[test]
    fn bad_positions_are_refused() {
        let russian = Variant::find("russian").expect("built in");
        let view = View::new(&russian);
        for fen in ["", "8/8", "8/8/8/8/8/8/8/9 w", "8/8/8/8/8/8/8/M7M w", "M7/8/8/8/8/8/8/8 w", "8/8/8/8/8/8/8/K7 w"] {
            assert_eq!(view.read(fen), None, "{fen}");
        }
        assert_eq!(view.read("99999999999999999999999/8/8/8/8/8/8/8 w"), None);
        assert!(view.read("8/8/8/8/8/8/8/Q7 b - - 0 1").is_some());
    }
}
