//! What can go wrong with a match as a whole. What goes wrong in one game is a lost game, not an error.

use crate::tools::common::{Failure, JobError, Trouble};
use std::path::{Path, PathBuf};

/// Why a match cannot be played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A word of the command line.
    #[error("{option}: read '{read}', expected {expected}")]
    Argument { option: &'static str, read: String, expected: String },
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    /// A line or game of a file that makes no sense.
    #[error("{}, {place}: {why}", path.display())]
    Content { path: PathBuf, place: String, why: String },
    /// No opening is left to play.
    #[error("no opening to play: {0}")]
    NoOpenings(String),
    /// An engine that does not come up.
    #[error("engine '{name}' does not start: {why}{}", tail(transcript))]
    Start { name: String, why: String, transcript: Vec<String> },
    /// A journal of another match.
    #[error("{} is the journal of another match: {differs}; expected the same, or a new file", path.display())]
    OtherMatch { path: PathBuf, differs: String },
    /// A part of a match that several machines share.
    #[error(transparent)]
    Part(#[from] JobError),
}

impl Failure for ArenaError {
    fn trouble(&self) -> Trouble {
        match self {
            ArenaError::File { source, .. } => source.trouble(),
            ArenaError::Part(error) => error.trouble(),
            _ => Trouble::GiveUp,
        }
    }
}

impl ArenaError {
    pub(super) fn argument(option: &'static str, read: &str, expected: impl Into<String>) -> ArenaError {
        ArenaError::Argument { option, read: read.to_string(), expected: expected.into() }
    }

    pub(super) fn content(path: &Path, place: impl Into<String>, why: impl ToString) -> ArenaError {
        ArenaError::Content { path: path.to_path_buf(), place: place.into(), why: why.to_string() }
    }

    /// For `map_err`: an input or output error of a file.
    pub(super) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> ArenaError {
        move |source| ArenaError::File { path: path.to_path_buf(), source }
    }
}

fn tail(transcript: &[String]) -> String {
    transcript.iter().fold(String::new(), |text, line| text + "\n  " + line)
}
