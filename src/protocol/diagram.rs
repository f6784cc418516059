//! Draws a position for people: the board with the numbering of the variant, then all that the rules say about it.

use super::print::{MoveFormat, state};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::plain::{Piece, Setup};
use crate::game::rules::Notation;
use crate::notation::fen;
use std::io::IsTerminal;

/// How much the place it is drawn for can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Look {
    /// Letters: what programs get.
    #[default]
    Plain,
    /// The draughtsmen of Unicode.
    Unicode,
    /// A coloured board, by ANSI escapes.
    Colour,
}

impl Look {
    /// What the standard output can show: plain text unless it is a terminal, no colours where `NO_COLOR` is set, signs beyond ASCII
    /// only where the locale has them.
    pub fn of_stdout() -> Look {
        Look::of(std::io::stdout().is_terminal(), cfg!(windows), |name| std::env::var(name).ok())
    }

    fn of(terminal: bool, windows: bool, variable: impl Fn(&str) -> Option<String>) -> Look {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        let modern = set("WT_SESSION").is_some();
        let unicode = if windows { modern } else { locale.contains("utf-8") || locale.contains("utf8") };
        let dumb = !windows && set("TERM").is_none_or(|term| term == "dumb");
        match (terminal && unicode && !dumb, set("NO_COLOR").is_some()) {
            (false, _) => Look::Plain,
            (true, true) => Look::Unicode,
            (true, false) => Look::Colour,
        }
    }
}

/// The position with FEN, hash key, state and legal moves, as lines.
pub fn position(game: &Game, format: MoveFormat, look: Look) -> String {
    let setup = game.setup();
    let variant = game.variant();
    let moves: Vec<String> = format.all(game);
    let mut lines = board(game, &setup, look);
    lines.push(format!("Variant: {}", variant.id));
    lines.push(format!("FEN: {}", fen::write(variant, &setup)));
    lines.push(format!("Key: {:016x}", game.key()));
    lines.push(format!("Side to move: {}", game.side().name()));
    lines.push(format!("State: {}", state(game.state())));
    lines.push(format!("Legal moves ({}): {}", moves.len(), moves.join(" ")).trim_end().to_string());
    lines.join("\n")
}

/// Plain, White men are `w`, White kings `W`, black ones `b` and `B`, empty squares `.`; squares that are not played on stay blank.
fn sign(piece: Option<Piece>, look: Look) -> char {
    let Some(Piece { color, king }) = piece else {
        return if look == Look::Colour { ' ' } else { '.' };
    };
    match (look, color, king) {
        (Look::Plain, Color::White, false) => 'w',
        (Look::Plain, Color::White, true) => 'W',
        (Look::Plain, Color::Black, false) => 'b',
        (Look::Plain, Color::Black, true) => 'B',
        (Look::Unicode, Color::White, false) => '⛀',
        (Look::Unicode, Color::White, true) => '⛁',
        (Look::Unicode, Color::Black, false) => '⛂',
        (Look::Unicode, Color::Black, true) => '⛃',
        (Look::Colour, _, false) => '●',
        (Look::Colour, _, true) => '♛',
    }
}

/// Numbered boards show the number beside each sign; lettered ones show ranks and files at the edges.
fn board(game: &Game, setup: &Setup, look: Look) -> Vec<String> {
    let set = &game.variant().set;
    let (width, height) = (set.board.width as usize, set.board.height as usize);
    let mut lines = Vec::new();
    for row in 0..height {
        let cells = (0..width).map(|column| {
            let square = set.board.at(column, row);
            let piece = square.and_then(|square| setup.at(square));
            let text = match (square, set.notation) {
                (Some(square), Notation::Numeric) => format!("{}{:<2} ", sign(piece, look), square.0),
                (Some(_), Notation::Algebraic) => format!("{} ", sign(piece, look)),
                (None, Notation::Numeric) => " ".repeat(4),
                (None, Notation::Algebraic) => "  ".to_string(),
            };
            let played_on = square.is_some() && (!set.board.all_squares || (column + row) % 2 == 1);
            if look == Look::Colour { coloured(&text, piece, played_on) } else { text }
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

/// A cell on its ground; numbers stand back behind pieces.
fn coloured(text: &str, piece: Option<Piece>, dark: bool) -> String {
    let ground = if dark { 95 } else { 223 };
    let (sign, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    let ink = match piece {
        Some(Piece { color: Color::White, .. }) => 231,
        Some(Piece { color: Color::Black, .. }) => 16,
        None => 144,
    };
    format!("\x1b[48;5;{ground}m\x1b[38;5;{ink}m{sign}\x1b[38;5;144m{rest}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variant::Variant;

    fn drawn(name: &str, text: &str) -> String {
        let variant = Variant::find(name).expect("built in");
        let setup = fen::read(&variant, text).expect("a good FEN");
        position(&Game::from_setup(variant, &setup).expect("a good position"), MoveFormat::Pdn, Look::Plain)
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

    #[test]
    fn a_terminal_gets_what_it_can_show() {
        let look = |terminal, windows, set: &[(&str, &str)]| {
            Look::of(terminal, windows, |name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
            })
        };
        let utf = [("LANG", "en_GB.UTF-8"), ("TERM", "xterm")];
        assert_eq!(look(true, false, &utf), Look::Colour);
        assert_eq!(look(false, false, &utf), Look::Plain);
        assert_eq!(look(true, false, &[("NO_COLOR", "1"), utf[0], utf[1]]), Look::Unicode);
        assert_eq!(look(true, false, &[("LC_ALL", "C"), utf[0], utf[1]]), Look::Plain);
        assert_eq!(look(true, false, &[utf[0], ("TERM", "dumb")]), Look::Plain);
        assert_eq!(look(true, true, &[]), Look::Plain);
        assert_eq!(look(true, true, &[("WT_SESSION", "x")]), Look::Colour);
    }

    #[test]
    fn a_coloured_board_has_the_same_shape() {
        for variant in Variant::all() {
            let game = Game::new(variant.clone());
            let setup = game.setup();
            let plain = board(&game, &setup, Look::Plain);
            let unicode = board(&game, &setup, Look::Unicode);
            let coloured = board(&game, &setup, Look::Colour);
            assert_eq!((plain.len(), plain.len()), (unicode.len(), coloured.len()));
            let bare = |line: &str| {
                let parts = line.split('\x1b').enumerate();
                let text =
                    parts.map(|(place, part)| if place == 0 { part } else { part.split_once('m').map_or("", |p| p.1) });
                text.collect::<String>()
            };
            for ((plain, unicode), coloured) in plain.iter().zip(&unicode).zip(&coloured) {
                assert_eq!(plain.chars().count(), unicode.chars().count(), "{unicode}");
                let same = |c: char| {
                    if matches!(c, 'w' | 'b') {
                        '●'
                    } else if c == '.' {
                        ' '
                    } else {
                        c
                    }
                };
                let is_files = !coloured.contains('\x1b');
                let expected: String = if is_files { plain.clone() } else { plain.chars().map(same).collect() };
                assert_eq!(bare(coloured).trim_end(), expected.trim_end());
                assert!(is_files || coloured.ends_with("\x1b[0m"));
            }
        }
    }
}
