//! Offline jobs of the command line. Each reads its arguments and runs; only results go to the standard output.

pub mod analyse;
pub mod arena;
pub mod bench;
pub mod book;
pub mod common;
pub mod convert;
pub mod draw;
pub mod evaluate;
pub mod learn;
pub mod manual;
pub mod merge;
pub mod stats;
pub mod tables;
pub mod validate;

use crate::protocol::start::Start;
use common::JobError;

/// How a job ended that could do its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All went well.
    Fine,
    /// The work is done, but parts of the input were wrong; each was told.
    Faults,
    /// A signal ended it; what was finished is kept.
    Stopped,
}

/// The jobs that take files or streams and give answers.
#[derive(clap::Subcommand)]
pub enum Tool {
    /// Evaluate positions: one FEN a line in, one JSON object a line out.
    Evaluate(evaluate::Args),
    /// Convert games and positions: PDN, FEN, Hub, DXP, JSON.
    Convert(convert::Args),
    /// List what is wrong in games and positions, and where.
    Validate(validate::Args),
    /// Count games, results and lengths by rule set, opening, player and more.
    Stats(stats::Args),
    /// Analyse the games of a PDN file.
    Analyse(analyse::Args),
    /// Make and read opening books.
    Book(book::Args),
    /// Draw a position as a picture (SVG).
    Draw(draw::Args),
    /// Write the man pages.
    Man(manual::ManArgs),
    /// Write the completions of a shell.
    Completions(manual::CompletionArgs),
}

impl Tool {
    /// Does the job. `words` describes the whole command line.
    pub fn run(&self, start: &Start, words: impl FnOnce() -> clap::Command) -> Result<Ending, JobError> {
        match self {
            Tool::Evaluate(args) => evaluate::run(args, start),
            Tool::Convert(args) => convert::run(args, start),
            Tool::Validate(args) => validate::run(args, start),
            Tool::Stats(args) => stats::run(args, start),
            Tool::Analyse(args) => analyse::run(args, start),
            Tool::Book(args) => book::run(args, start),
            Tool::Draw(args) => draw::run(args, start),
            Tool::Man(args) => manual::man(args, words()),
            Tool::Completions(args) => manual::completions(args, words()),
        }
    }
}
