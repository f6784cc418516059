//! `damka convert`: games and positions from one form into another.
//!
//! Games come out as strict PDN, as positions on their way, or as JSON; positions as any other form of position, or as games that
//! start there. One game or line is held at a time, so memory does not grow with the input. What deviates is told on the standard
//! error; nothing of a game is left out in PDN.

mod emit;
mod json;

use super::Ending;
use super::common::source::{self, Input};
use super::common::{Format, JobError, Numbers, Positions, Results};
use crate::game::rules::Notation;
use crate::notation::pdn::{PdnError, Reader};
use crate::protocol::start::Start;
use emit::Emitter;
use std::path::PathBuf;

/// Words of `damka convert`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files; `-` = the standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub inputs: Vec<PathBuf>,
    /// What comes in; by default told by the file's name or its first line.
    #[arg(long, value_name = "FORM")]
    pub from: Option<Format>,
    /// What goes out.
    #[arg(long, value_name = "FORM")]
    pub to: Target,
    /// How squares are written in FEN, PDN and JSON; by default as the rule set has it.
    #[arg(long, value_name = "HOW")]
    pub squares: Option<Squares>,
    /// Which positions of a game: start, last, all, or the one after so many plies; by default the last. In JSON, with this
    /// word, positions take the place of games.
    #[arg(long, value_name = "WHICH")]
    pub positions: Option<Which>,
    /// How Hub counts squares: as pydraughts does, or natively from White's far left corner.
    #[arg(long, value_name = "HOW", default_value = "pydraughts")]
    pub square_numbering: Numbers,
    /// Write there instead of on the standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Tell only errors, no deviations.
    #[arg(short, long)]
    pub quiet: bool,
}

const EXAMPLES: &str = "\
Rules: --variant NAME, or each game's own (GameType, Variant, FEN, square numbers), also with --variant auto. Positions
without --variant are international; with --variant auto a FEN's squares decide.

Examples:
  damka convert old.pdn --to pdn --out strict.pdn
  damka convert games.pdn --to fen --positions all
  damka convert games.pdn --to json --positions all | damka evaluate --nodes 2000
  damka --variant russian convert --to hub < positions.fen
  damka --variant russian convert games.pdn --to pdn --squares numeric

Exit codes: 0 all converted, 1 something could not be (told on the standard error), 2 bad command line or input that cannot be read.";

/// What goes out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Target {
    /// Games, strictly as PDN 3.0 has it.
    Pdn,
    /// Positions, one FEN a line.
    Fen,
    /// Positions of the Hub protocol, one a line.
    Hub,
    /// Positions of DXP, one a line.
    Dxp,
    /// Games or positions, one JSON object a line.
    Json,
}

/// How squares are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Squares {
    /// 1, 2, 3 …
    Numeric,
    /// a1 … h8.
    Algebraic,
}

impl Squares {
    fn notation(self) -> Notation {
        match self {
            Squares::Numeric => Notation::Numeric,
            Squares::Algebraic => Notation::Algebraic,
        }
    }
}

/// Which positions of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// The one it starts from.
    Start,
    /// The one it ends in.
    Last,
    /// Each, first and last included.
    All,
    /// The one after so many plies; of shorter games none.
    After(usize),
}

impl std::str::FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        match text {
            "start" => Ok(Which::Start),
            "last" => Ok(Which::Last),
            "all" => Ok(Which::All),
            other => {
                other.parse().map(Which::After).map_err(|_| "expected start, last, all or a number of plies".into())
            }
        }
    }
}

/// Converts every input.
pub fn run(args: &Args, start: &Start) -> Result<Ending, JobError> {
    refuse_to_overwrite(args)?;
    let results = Results::create(args.out.as_deref())?;
    let mut emitter = Emitter::new(args, results);
    for path in &args.inputs {
        let mut input = source::open(path)?;
        emitter.begin(&source::name(path));
        let from = match args.from {
            Some(from) => from,
            None => Format::of(path, &mut input).map_err(JobError::file(path))?,
        };
        if from == Format::Pdn {
            games(source::reader(path, input, start.asked()?), &mut emitter)?;
        } else {
            positions(Positions::new(path, input, from, args.square_numbering, start)?, &mut emitter)?;
        }
    }
    emitter.finish()
}

/// A file that is written anew while it is read would be lost.
fn refuse_to_overwrite(args: &Args) -> Result<(), JobError> {
    let place = |path: &PathBuf| std::fs::canonicalize(path).ok();
    match args.out.as_ref().and_then(|out| place(out).map(|place| (out, place))) {
        Some((out, there))
            if there.is_file() && args.inputs.iter().any(|input| place(input) == Some(there.clone())) =>
        {
            Err(JobError::argument("--out", out.display(), "another file than those that are read"))
        }
        _ => Ok(()),
    }
}

fn games(reader: Reader<Input>, emitter: &mut Emitter) -> Result<(), JobError> {
    for read in reader {
        match read {
            Ok(game) => emitter.game(game)?,
            Err(PdnError::Io { file, source, .. }) => {
                return Err(JobError::File { path: file.to_string().into(), source });
            }
            Err(error) => emitter.fault(&error)?,
        }
    }
    Ok(())
}

fn positions(mut lines: Positions, emitter: &mut Emitter) -> Result<(), JobError> {
    while let Some(line) = lines.next_line()? {
        match line.read {
            Ok((variant, setup)) => emitter.position(line.number, &variant, &setup)?,
            Err(error) => emitter.fault(&format!("{}:{}: {error}", lines.name, line.number))?,
        }
    }
    Ok(())
}
