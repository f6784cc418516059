//! What can go wrong while learning.

use crate::engine::net::BadNet;
use crate::tools::common::{Failure, JobError, Trouble};
use std::io;
use std::path::{Path, PathBuf};

/// Why a job of learning ended.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: {error}", path.display())]
    Net { path: PathBuf, error: BadNet },
    #[error("{}: {what} was read, expected {expected}", path.display())]
    Data { path: PathBuf, what: String, expected: String },
    #[error("option {option}: {read} was read, expected {expected}")]
    Option { option: &'static str, read: String, expected: &'static str },
    #[error("boards of more than 64 squares cannot be learned yet: this one has {0}")]
    Board(usize),
    #[error("no positions to learn from: {0} were read, expected 1000 and more")]
    TooFew(usize),
    #[error("the network cannot be kept: {0}")]
    Unsound(#[from] BadNet),
    #[error(transparent)]
    Part(#[from] JobError),
}

impl Failure for LearnError {
    fn trouble(&self) -> Trouble {
        match self {
            LearnError::Io { error, .. } => error.trouble(),
            LearnError::Part(error) => error.trouble(),
            _ => Trouble::GiveUp,
        }
    }
}

impl LearnError {
    /// Says of an I/O error where it happened.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> LearnError + '_ {
        |error| LearnError::Io { path: path.to_path_buf(), error }
    }
}
