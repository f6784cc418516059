//! Lines of positions.

use super::JobError;
use super::format::{BadPositionLine, Format, guessed};
use super::source::{self, Input};
use crate::game::Game;
use crate::game::plain::Setup;
use crate::game::variant::Variant;
use crate::protocol::hub::Style;
use crate::protocol::reader::{Line, Lines};
use crate::protocol::start::Start;
use std::path::Path;
use std::sync::Arc;

/// How Hub counts squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Numbers {
    /// As the client library does.
    Pydraughts,
    /// From White's far left corner everywhere.
    Native,
}

impl Numbers {
    /// The same for the protocol.
    pub fn style(self) -> Style {
        match self {
            Numbers::Pydraughts => Style::Pydraughts,
            Numbers::Native => Style::Native,
        }
    }
}

/// A position and its rules, or what is wrong with its line.
pub struct PositionLine {
    /// Number of the line, from 1.
    pub number: usize,
    /// What it says.
    pub read: Result<(Arc<Variant>, Setup), String>,
}

/// Reads an input as positions, one a line. Blank lines and those behind `#` are passed over.
pub struct Positions {
    /// Name of the input.
    pub name: String,
    lines: Lines<Input>,
    number: usize,
    format: Format,
    style: Style,
    /// The rules; without them each FEN's squares decide.
    asked: Option<Arc<Variant>>,
}

impl Positions {
    /// Positions of a form. Without `--variant` they are international; with `--variant auto` the squares of each FEN decide.
    pub fn new(
        path: &Path,
        input: Input,
        format: Format,
        numbers: Numbers,
        start: &Start,
    ) -> Result<Positions, JobError> {
        let auto = start.variant.as_ref().is_some_and(|name| name.eq_ignore_ascii_case("auto"));
        let asked = if auto { start.asked()? } else { Some(start.choices()?.variant) };
        if asked.is_none() && format != Format::Fen {
            let expected = "the name of a rule set for positions without names of squares";
            return Err(JobError::argument("--variant", "auto", expected));
        }
        let (name, lines) = (source::name(path), Lines::new(input));
        Ok(Positions { name, lines, number: 0, format, style: numbers.style(), asked })
    }

    /// The next position; `None` at the end of input.
    pub fn next_line(&mut self) -> Result<Option<PositionLine>, JobError> {
        loop {
            let line = self.lines.next_line().map_err(JobError::file(&self.name))?;
            let Some(line) = line else { return Ok(None) };
            self.number += 1;
            let read = match line {
                Line::Text(text) if text.trim().is_empty() || text.trim().starts_with('#') => continue,
                Line::Text(text) => self.position(text.trim()).map_err(|error| error.to_string()),
                Line::TooLong { bytes } => Err(format!("a line of {bytes} bytes was read, expected a position")),
                Line::NotUtf8 { place, byte } => Err(format!("byte {place} is {byte:#04x}, expected UTF-8 text")),
            };
            return Ok(Some(PositionLine { number: self.number, read }));
        }
    }

    fn position(&self, text: &str) -> Result<(Arc<Variant>, Setup), BadPositionLine> {
        let known = self.asked.clone().or_else(|| guessed(text));
        let variant = known.unwrap_or_else(|| Variant::all()[0].clone());
        let setup = self.format.read(&variant, self.style, text)?;
        Game::from_setup(variant.clone(), &setup)?;
        Ok((variant, setup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variant: Option<&str>, format: Format, text: &str) -> Vec<(usize, Result<String, String>)> {
        let start = Start { variant: variant.map(str::to_string), ..Start::default() };
        let input: Input = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        let mut positions =
            Positions::new(Path::new("x"), input, format, Numbers::Native, &start).expect("a good start");
        let next = || positions.next_line().expect("from memory");
        std::iter::from_fn(next).map(|line| (line.number, line.read.map(|(variant, _)| variant.id.clone()))).collect()
    }

    #[test]
    fn lines_are_numbered_and_bad_ones_stop_nothing() {
        let read = read(None, Format::Fen, "# remark\n\nW:W31:B20\nW:W99:B1\r\n  B:WK1:B20\n");
        let numbers: Vec<usize> = read.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [3, 4, 5]);
        assert_eq!((read[0].1.as_deref(), read[2].1.as_deref()), (Ok("international"), Ok("international")));
        assert!(read[1].1.as_ref().is_err_and(|error| error.starts_with("fen: ")), "{read:?}");
    }

    #[test]
    fn squares_decide_when_asked_to() {
        let read = read(Some("auto"), Format::Fen, "W:W50:B1\nW:W70:B1\nW:Wa1:Bh8\n");
        let ids: Vec<&str> = read.iter().filter_map(|(_, id)| id.as_deref().ok()).collect();
        assert_eq!(ids, ["international", "canadian", "russian"]);
        let start = Start { variant: Some("auto".to_string()), ..Start::default() };
        let input = Box::new(std::io::empty());
        assert!(Positions::new(Path::new("x"), input, Format::Hub, Numbers::Native, &start).is_err());
    }
}
