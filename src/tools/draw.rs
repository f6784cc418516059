//! `damka draw`: a position as a picture.

use super::Ending;
use super::common::{JobError, Results};
use crate::game::Game;
use crate::game::board::{Color, Square};
use crate::game::plain::{Piece, PlainMove};
use crate::game::rules::Notation;
use crate::notation::{fen, movetext, squares};
use crate::protocol::Refused;
use crate::protocol::start::Start;
use std::fmt::Write;
use std::path::PathBuf;

/// Words of `damka draw`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Position; by default the starting position.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves to play from there, between blanks; the last one is marked.
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// Write there instead of on the standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Width in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 480, value_parser = clap::value_parser!(u32).range(40..=10_000))]
    pub size: u32,
    /// Black at the bottom.
    #[arg(long)]
    pub flip: bool,
    /// Leave out numbers and letters of squares.
    #[arg(long)]
    pub bare: bool,
}

const EXAMPLES: &str = "\
The picture is SVG, complete in itself.

Examples:
  damka draw --fen \"W:W31,32,K5:B14,20\" --out board.svg
  damka draw --moves \"32-28 19-23 28x19\" --flip --size 320 --out board.svg
  damka --variant turkish draw --bare > start.svg

Exit codes: 0 drawn, 2 bad command line, position or moves.";

/// Draws a position.
pub fn run(args: &Args, start: &Start) -> Result<Ending, JobError> {
    let variant = start.choices()?.variant;
    let mut game = match &args.fen {
        None => Game::new(variant),
        Some(text) => {
            let setup = fen::read(&variant, text).map_err(Refused::from)?;
            Game::from_setup(variant, &setup).map_err(Refused::from)?
        }
    };
    let mut last = None;
    for (index, text) in args.moves.split_whitespace().enumerate() {
        let mv =
            movetext::read(&game, text).map_err(|error| Refused::Move { what: "draw", number: index + 1, error })?;
        game.play(&mv).expect("a move that was read is legal");
        last = Some(mv);
    }
    let mut results = Results::create(args.out.as_deref())?;
    results.text(&svg(&game, last.as_ref(), &Picture { size: args.size, flip: args.flip, names: !args.bare }))?;
    results.flush()?;
    Ok(Ending::Fine)
}

/// How a position is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Width in pixels.
    pub size: u32,
    /// Black at the bottom.
    pub flip: bool,
    /// With names of squares.
    pub names: bool,
}

/// Side of a square in the picture's own units.
const CELL: usize = 100;
/// Room for letters and ranks.
const EDGE: usize = 44;

/// The position now as an SVG document; `last` is the move that led there.
pub fn svg(game: &Game, last: Option<&PlainMove>, picture: &Picture) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = Board { game, picture }.write(&mut out, last);
    out
}

struct Board<'a> {
    game: &'a Game,
    picture: &'a Picture,
}

impl Board<'_> {
    fn write(&self, out: &mut String, last: Option<&PlainMove>) -> std::fmt::Result {
        let board = self.game.variant().set.board;
        let (width, height) = (board.width as usize, board.height as usize);
        let (across, down) = (width * CELL + 2 * self.edge(), height * CELL + 2 * self.edge());
        let pixels = self.picture.size as usize;
        let setup = self.game.setup();
        let title = format!("{}: {}", self.game.variant().title, fen::write(self.game.variant(), &setup));
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {across} {down}\" width=\"{pixels}\" height=\"{}\" role=\"img\">",
            pixels * down / across
        )?;
        writeln!(out, "<title>{}</title>", escaped(&title))?;
        out.push_str(STYLE);
        writeln!(out, "<rect class=\"frame\" width=\"{across}\" height=\"{down}\" rx=\"8\"/>")?;
        for row in 0..height {
            for column in 0..width {
                let square = board.at(column, row);
                let dark = square.is_some() && (!board.all_squares || (column + row) % 2 == 1);
                let (x, y) = self.corner(column, row);
                let class = if dark { "dark" } else { "light" };
                writeln!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>")?;
            }
        }
        self.mark(out, last)?;
        if self.picture.names {
            self.names(out)?;
        }
        for number in 1..=board.squares() as u8 {
            if let Some(piece) = setup.at(Square(number)) {
                let (column, row) = board.column_row(Square(number));
                self.piece(out, piece, self.corner(column, row))?;
            }
        }
        out.push_str("</svg>\n");
        Ok(())
    }

    /// Room around the squares.
    fn edge(&self) -> usize {
        if self.picture.names && self.game.variant().set.notation == Notation::Algebraic { EDGE } else { EDGE / 4 }
    }

    /// The top left corner of a square.
    fn corner(&self, column: usize, row: usize) -> (usize, usize) {
        let board = self.game.variant().set.board;
        let (column, row) = match self.picture.flip {
            true => (board.width as usize - 1 - column, board.height as usize - 1 - row),
            false => (column, row),
        };
        (self.edge() + column * CELL, self.edge() + row * CELL)
    }

    /// Shades the squares between which the last move went.
    fn mark(&self, out: &mut String, last: Option<&PlainMove>) -> std::fmt::Result {
        let board = self.game.variant().set.board;
        for square in last.iter().flat_map(|mv| [mv.from, mv.to]) {
            let (column, row) = board.column_row(square);
            let (x, y) = self.corner(column, row);
            writeln!(out, "<rect class=\"last\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>")?;
        }
        Ok(())
    }

    /// Numbers in the squares, or letters and ranks around them.
    fn names(&self, out: &mut String) -> std::fmt::Result {
        let variant = self.game.variant();
        let board = variant.set.board;
        if variant.set.notation == Notation::Numeric {
            for number in 1..=board.squares() as u8 {
                let (column, row) = board.column_row(Square(number));
                let (x, y) = self.corner(column, row);
                let name = squares::name(variant, Square(number));
                writeln!(out, "<text class=\"number\" x=\"{}\" y=\"{}\">{name}</text>", x + 3, y + 17)?;
            }
            return Ok(());
        }
        let (width, height) = (board.width as usize, board.height as usize);
        let foot = height * CELL + self.edge() + EDGE * 3 / 4;
        for column in 0..width {
            let (x, _) = self.corner(column, 0);
            let letter = char::from(b'a' + column as u8);
            writeln!(out, "<text class=\"edge\" x=\"{}\" y=\"{foot}\">{letter}</text>", x + CELL / 2)?;
        }
        for row in 0..height {
            let (_, y) = self.corner(0, row);
            let (x, y) = (EDGE / 2, y + CELL / 2 + EDGE / 4);
            writeln!(out, "<text class=\"edge\" x=\"{x}\" y=\"{y}\">{}</text>", height - row)?;
        }
        Ok(())
    }

    /// A man is a disc with two rings, a king two discs on each other and a crown.
    fn piece(&self, out: &mut String, piece: Piece, (x, y): (usize, usize)) -> std::fmt::Result {
        let (x, y) = (x + CELL / 2, y + CELL / 2);
        let class = if piece.color == Color::White { "white" } else { "black" };
        if !piece.king {
            write!(out, "<g class=\"{class}\"><circle cx=\"{x}\" cy=\"{y}\" r=\"38\"/>")?;
            return writeln!(
                out,
                "<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"27\"/><circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"15\"/></g>"
            );
        }
        write!(out, "<g class=\"{class}\"><circle cx=\"{x}\" cy=\"{}\" r=\"38\"/>", y + 5)?;
        write!(out, "<circle cx=\"{x}\" cy=\"{}\" r=\"38\"/>", y - 5)?;
        writeln!(
            out,
            "<path class=\"crown\" d=\"M{} {} l-5 -30 l15 14 l10 -20 l10 20 l15 -14 l-5 30 z\"/></g>",
            x - 20,
            y + 12
        )
    }
}

const STYLE: &str = "<style>.frame{fill:#6b4a2f}.light{fill:#f2dfbd}.dark{fill:#a9754b}.last{fill:#f5d442;fill-opacity:.45}\
.number{font:17px sans-serif;fill:#fff;fill-opacity:.75}.edge{font:26px sans-serif;fill:#f2dfbd;text-anchor:middle}\
.white circle{fill:#fffaf0;stroke:#8a7a62;stroke-width:3}.black circle{fill:#33302e;stroke:#0d0c0b;stroke-width:3}\
.white .ring{fill:none;stroke:#d3c4a8}.black .ring{fill:none;stroke:#5d5753}\
.white .crown{fill:#c8962d}.black .crown{fill:#f0c75a}</style>\n";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    fn drawn(name: &str, text: &str, picture: Picture) -> String {
        let variant = Variant::find(name).expect("built in");
        let setup = fen::read(&variant, text).expect("a good FEN");
        svg(&Game::from_setup(variant, &setup).expect("a good position"), None, &picture)
    }

    const PLAIN: Picture = Picture { size: 480, flip: false, names: true };

    #[test]
    fn every_piece_stands_where_it_should() {
        let text = drawn("international", "W:W46,K5:B1", PLAIN);
        assert_eq!(text.matches("<circle").count(), 3 + 2 + 3);
        assert_eq!(text.matches("<path class=\"crown\"").count(), 1);
        // Square 46 is the bottom left corner, 1 the second of the top row.
        assert!(text.contains("<g class=\"white\"><circle cx=\"61\" cy=\"961\" r=\"38\"/>"), "{text}");
        assert!(text.contains("<g class=\"black\"><circle cx=\"161\" cy=\"61\" r=\"38\"/>"), "{text}");
        let flipped = drawn("international", "W:W46,K5:B1", Picture { flip: true, ..PLAIN });
        assert!(flipped.contains("<g class=\"white\"><circle cx=\"961\" cy=\"61\" r=\"38\"/>"), "{flipped}");
    }

    #[test]
    fn every_variant_is_drawn_whole() {
        for variant in Variant::all() {
            let game = Game::new(variant.clone());
            for names in [true, false] {
                let text = svg(&game, game.moves().first(), &Picture { names, ..PLAIN });
                assert!(text.starts_with("<svg xmlns") && text.ends_with("</svg>\n"));
                let board = variant.set.board;
                assert_eq!(text.matches("<rect").count(), 1 + board.width as usize * board.height as usize + 2);
                let men = game.setup().cells.iter().flatten().count();
                assert_eq!(text.matches("class=\"ring\"").count(), 2 * men, "{}", variant.id);
                assert_eq!(text.contains("<text"), names);
                assert_eq!(text.matches("<g ").count(), text.matches("</g>").count());
            }
        }
    }
}
