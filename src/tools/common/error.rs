//! What can go wrong with a job as a whole. What is wrong with one game or one line of its input is part of its answer.

use super::{Failure, Trouble};
use crate::protocol::Refused;
use std::path::PathBuf;

/// Why a job cannot be done, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A word of the command line.
    #[error("{option}: read '{read}', expected {expected}")]
    Argument { option: &'static str, read: String, expected: String },
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    /// A file that holds something else than it should.
    #[error("{}, {place}: {why}", path.display())]
    Content { path: PathBuf, place: String, why: String },
    /// What the conversation refuses too: a rule set, a position, a move.
    #[error(transparent)]
    Refused(#[from] Refused),
}

impl Failure for JobError {
    fn trouble(&self) -> Trouble {
        match self {
            JobError::File { source, .. } => source.trouble(),
            _ => Trouble::GiveUp,
        }
    }
}

impl JobError {
    /// A word of the command line that makes no sense.
    pub fn argument(option: &'static str, read: impl ToString, expected: impl Into<String>) -> JobError {
        JobError::Argument { option, read: read.to_string(), expected: expected.into() }
    }

    /// For `map_err`: an input or output error of a file.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> JobError {
        let path = path.into();
        move |source| JobError::File { path, source }
    }

    /// A file whose content is not what was expected.
    pub fn content(path: impl Into<PathBuf>, place: impl Into<String>, why: impl ToString) -> JobError {
        JobError::Content { path: path.into(), place: place.into(), why: why.to_string() }
    }
}
