//! Parts of a job that several machines shared, put together: `damka merge`.
//!
//! Every part has a manifest beside it ([`shard`]). All of them are checked before anything is written: whether each part is
//! there once, belongs to the same work, and is what it was when it was made. The result is what one machine would have made.

mod check;
mod write;

use crate::tools::Ending;
use crate::tools::arena::ArenaError;
use crate::tools::common::shard::{self, Manifest, replace};
use crate::tools::common::{Failure, JobError, Trouble};
use check::{Checked, Problem};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Puts together what parts of a job made with --shard.
///
/// Parts of `analyse`, `selfplay` and `match` are known by the manifests beside them. A part that is missing, there twice, damaged
/// or of other work is refused, and nothing is written then. The result is the file that one machine would have made, byte for byte
/// (of a match: apart from times and dates).
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  damka merge parts/*.ndjson --out analysed.ndjson
  damka merge parts/*.rec --out games.rec --audit elsewhere/7.rec
  damka merge parts/*.jsonl --out match.jsonl --sprt elo0=0,elo1=5 --json result.json

Exit codes: 0 put together, 2 bad command line or files that cannot be used, 3 parts have to be made anew: the message names them, 75 no
room for the result: try again.")]
pub struct Args {
    /// The parts, in any order.
    #[arg(value_name = "PART", required = true)]
    pub parts: Vec<PathBuf>,
    /// Where the whole goes.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Parts that were made a second time elsewhere; each must be equal to the first, byte for byte. Not for matches.
    #[arg(long, value_name = "COPY", num_args = 1..)]
    pub audit: Vec<PathBuf>,
    /// Takes the first parts when later ones are not there yet.
    #[arg(long)]
    pub so_far: bool,
    /// Renames parts that are refused to PART.bad, so that they are made anew.
    #[arg(long)]
    pub discard: bool,
    /// Of a match: what the test says of all pairs in their order, up to the first that decides: elo0=0,elo1=5[,alpha=0.05,beta=0.05].
    #[arg(long, value_name = "BOUNDS")]
    pub sprt: Option<String>,
    /// Writes what was put together here, as one JSON object.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Of a match: writes the games here.
    #[arg(long, value_name = "FILE")]
    pub pdn: Option<PathBuf>,
}

/// Why parts could not be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Each problem is a line.
    #[error("{} cannot be put together:\n  {}", out.display(), problems.join("\n  "))]
    Parts { out: PathBuf, problems: Vec<String> },
    #[error(transparent)]
    Job(#[from] JobError),
    #[error(transparent)]
    Match(#[from] ArenaError),
}

impl Failure for MergeError {
    fn trouble(&self) -> Trouble {
        match self {
            MergeError::Parts { .. } => Trouble::Anew,
            MergeError::Job(error) => error.trouble(),
            MergeError::Match(error) => error.trouble(),
        }
    }
}

/// Checks the parts and puts them together.
pub fn run(args: &Args) -> Result<Ending, MergeError> {
    let (checked, problems) = check::all(args)?;
    if !problems.is_empty() {
        if args.discard {
            problems.iter().flat_map(|problem| &problem.files).try_for_each(|part| discard(part))?;
        }
        let problems = problems.into_iter().map(|problem: Problem| problem.text).collect();
        return Err(MergeError::Parts { out: args.out.clone(), problems });
    }
    let Checked { parts, complete } = checked;
    let (summary, text) = write::whole(args, &parts, complete)?;
    if let Some(path) = &args.json {
        replace(path, |out| out.write_all(format!("{summary:#}\n").as_bytes()))?;
    }
    // Nobody may listen any more; the files are written.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(Ending::Fine)
}

/// Moves a refused part out of the way.
fn discard(part: &Path) -> Result<(), JobError> {
    for path in [part.to_path_buf(), shard::beside(part)] {
        if path.exists() {
            std::fs::rename(&path, shard::with(&path, ".bad")).map_err(JobError::file(&path))?;
        }
    }
    Ok(())
}

/// A part and what it says about itself.
type Part = (PathBuf, Manifest);
