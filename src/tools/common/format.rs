//! Positions as one line of text, in each of the forms that programs use.

use crate::game::board::Color;
use crate::game::plain::{Setup, SetupError};
use crate::game::rules::{Notation, RuleSet};
use crate::game::variant::Variant;
use crate::notation::fen::{self, FenError};
use crate::notation::pdn;
use crate::protocol::dxp::board::{self, BadPosition};
use crate::protocol::dxp::message::Diagram;
use crate::protocol::hub::{Numbering, Style, Trouble};
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

/// A form of games or positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Format {
    /// Games.
    Pdn,
    /// Positions, one FEN a line.
    Fen,
    /// Positions of the Hub protocol, one a line.
    Hub,
    /// Positions of DXP, one a line.
    Dxp,
}

/// Why a line is no position.
#[derive(Debug, thiserror::Error)]
pub enum BadPositionLine {
    #[error("fen: {0}")]
    Fen(#[from] FenError),
    #[error("hub position: {0}")]
    Hub(#[from] Trouble),
    #[error("dxp position: {0}")]
    Dxp(#[from] BadPosition),
    #[error("dxp position: {} was read, expected W or Z and a letter w z W Z e for each square", crate::notation::shown(.0))]
    Letters(String),
    #[error("{0}")]
    Setup(#[from] SetupError),
}

impl Format {
    /// The form of an input: by the end of its name, or else by its first line.
    pub fn of(path: &Path, input: &mut dyn BufRead) -> io::Result<Format> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("pdn") => return Ok(Format::Pdn),
            Some("fen") => return Ok(Format::Fen),
            _ => {}
        }
        let start = String::from_utf8_lossy(input.fill_buf()?).into_owned();
        let first = start.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let letters = |signs: &str| first.len() > 20 && first.chars().all(|c| signs.contains(c));
        Ok(if letters("wWzZe") && first.contains(['z', 'Z']) {
            Format::Dxp
        } else if letters("wWbBe") {
            Format::Hub
        } else if first.starts_with("W:") || first.starts_with("B:") {
            Format::Fen
        } else {
            Format::Pdn
        })
    }

    /// Reads a position. Not for games.
    pub fn read(self, variant: &Arc<Variant>, style: Style, text: &str) -> Result<Setup, BadPositionLine> {
        Ok(match self {
            Format::Pdn | Format::Fen => fen::read(variant, text)?,
            Format::Hub => Numbering::new(&variant.set, style).position(text)?,
            Format::Dxp => board::setup(variant, &diagram(text)?)?,
        })
    }

    /// Writes a position. Not for games.
    pub fn write(self, variant: &Variant, style: Style, setup: &Setup) -> String {
        match self {
            Format::Pdn | Format::Fen => fen::write(variant, setup),
            Format::Hub => Numbering::new(&variant.set, style).text(setup),
            Format::Dxp => {
                let Diagram { side, letters } = board::diagram(setup);
                format!("{}{letters}", if side == Color::White { 'W' } else { 'Z' })
            }
        }
    }
}

fn diagram(text: &str) -> Result<Diagram, BadPositionLine> {
    let side = match text.chars().next() {
        Some('W') => Color::White,
        Some('Z') => Color::Black,
        _ => return Err(BadPositionLine::Letters(text.to_string())),
    };
    let letters = &text[1..];
    if letters.chars().all(|c| "wzWZe".contains(c)) {
        Ok(Diagram { side, letters: letters.to_string() })
    } else {
        Err(BadPositionLine::Letters(text.to_string()))
    }
}

/// The same rules with squares written in another way.
pub fn with_notation(variant: &Arc<Variant>, notation: Notation) -> Arc<Variant> {
    if variant.set.notation == notation {
        return variant.clone();
    }
    Variant::custom(&variant.id, &variant.title, &variant.source, RuleSet { notation, ..variant.set })
}

/// The rules that the squares of a FEN suggest.
pub fn guessed(text: &str) -> Option<Arc<Variant>> {
    let game = format!("[FEN \"{}\"]\n*\n", text.replace(['"', '\n', '\r'], ""));
    let mut games = pdn::Reader::new("", game.as_bytes(), pdn::Options::default());
    games.next()?.ok().map(|game| game.variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_comes_back() {
        for variant in Variant::all() {
            let start = Setup::start(variant);
            for format in [Format::Fen, Format::Hub, Format::Dxp] {
                for style in Style::ALL {
                    let text = format.write(variant, style, &start);
                    let again = format.read(variant, style, &text);
                    assert!(again.is_ok_and(|again| again == start), "{} {format:?} {text}", variant.id);
                }
            }
        }
    }

    #[test]
    fn a_form_is_known_by_its_first_line() {
        let of = |name: &str, text: &str| Format::of(Path::new(name), &mut text.as_bytes()).expect("from memory");
        let international = Variant::find("international").expect("built in");
        let start = Setup::start(&international);
        for format in [Format::Fen, Format::Hub, Format::Dxp] {
            let text = format!("\n  {}\n", format.write(&international, Style::Native, &start));
            assert_eq!(of("-", &text), format);
            assert_eq!(of("x.pdn", &text), Format::Pdn);
        }
        assert_eq!(of("-", "[Event \"x\"]\n"), Format::Pdn);
        assert_eq!(of("-", "1. 32-28 *"), Format::Pdn);
        assert_eq!(of("-", ""), Format::Pdn);
        assert_eq!(of("a.FEN", "?"), Format::Fen);
    }

    #[test]
    fn what_is_no_position_says_so() {
        let russian = Variant::find("russian").expect("built in");
        let error = |format: Format, text: &str| match format.read(&russian, Style::Native, text) {
            Err(error) => error.to_string(),
            Ok(setup) => panic!("{setup:?}"),
        };
        assert!(error(Format::Fen, "W:Wa2:B").starts_with("fen: "));
        assert!(error(Format::Hub, "Wee").starts_with("hub position: "));
        assert!(error(Format::Dxp, "Zee").starts_with("dxp position: a board of 2 squares was read, expected 32"));
        assert!(error(Format::Dxp, "é").starts_with("dxp position: 'é' was read, expected W or Z"));
    }

    #[test]
    fn squares_can_be_written_in_the_other_way() {
        let russian = Variant::find("russian").expect("built in");
        let numeric = with_notation(&russian, Notation::Numeric);
        let setup = fen::read(&russian, "W:Wa1:BKb8").expect("a good FEN");
        assert_eq!(fen::write(&numeric, &setup), "W:W29:BK1");
        assert!(Arc::ptr_eq(&with_notation(&russian, Notation::Algebraic), &russian));
        assert_eq!(guessed("W:W33:B1").map(|v| v.id.clone()), Some("international".to_string()));
    }
}
