//! Small-material truth: tables of all positions with few pieces, made here from the rules alone.
//!
//! A table holds one [`Material`]: men and kings of the side to move and of the other, numbered without gaps ([`index`]).
//! Tables are solved backwards from decided positions ([`retro`]), checked forwards ([`forward`]), kept in files
//! ([`file`], [`folder`]) and asked through [`Tables`]. Values do not depend on a game's history: repetitions and move
//! counts are no part of them, whatever the rules say of those; the ends that the pieces themselves show (first king, only
//! kings left, one against one) are.

mod build;
mod codec;
mod file;
mod folder;
mod forward;
mod grid;
mod index;
mod material;
mod progress;
mod retro;
mod route;
mod rules;
mod solved;
mod tables;
#[cfg(test)]
mod tests;
mod value;
mod verify;
mod world;

pub use build::{Plan, build, build_slice, memory_needed};
pub use file::Header;
pub use folder::{Folder, default_root};
pub use material::{BadMaterial, MAX_PIECES, Material};
pub use progress::{Progress, Quiet};
pub use route::Route;
pub use rules::rules_hash;
pub use solved::Totals;
pub use tables::Tables;
pub use value::Value;
pub use verify::{Report, verify, verify_slice};

use std::io;
use std::path::PathBuf;

/// Tables of up to so many pieces know the distance to the end; larger ones only the result.
pub const EXACT_PIECES: usize = 4;

/// Why there is no table. The text says which file or material it is about, what was found and what was expected.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: not a table: {what}", .path.display())]
    NotATable { path: PathBuf, what: &'static str },
    #[error("{}: a table of format {found}, expected format {expected}", .path.display())]
    Version { path: PathBuf, found: u32, expected: u32 },
    #[error("{}: made for other rules ({found:016x}), expected those in force ({expected:016x})", .path.display())]
    Rules { path: PathBuf, found: u64, expected: u64 },
    #[error("{}: holds {found}, expected {expected}", .path.display())]
    Material { path: PathBuf, found: String, expected: Material },
    #[error("{}: {found} bytes, expected {expected}: the file is cut off or torn", .path.display())]
    Length { path: PathBuf, found: u64, expected: u64 },
    #[error("{}: the {part} does not fit its checksum: the file is damaged", .path.display())]
    Damaged { path: PathBuf, part: &'static str },
    #[error("{material} has {entries} positions, expected at most 4294967295 on this board")]
    TooLarge { material: Material, entries: u64 },
    #[error("{0} pieces, expected 2 to {MAX_PIECES}")]
    Pieces(usize),
    #[error(
        "no tables for these rules: left and right differ, and the board of an odd number of rows does not look the same to both sides"
    )]
    LeftAndRight,
    #[error("{}: another process is making these tables", .0.display())]
    Locked(PathBuf),
    #[error("{material}: no table in {}, expected it before the larger ones", .folder.display())]
    Missing { material: Material, folder: PathBuf },
    #[error("stopped")]
    Stopped,
}

impl TableError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> TableError {
        let path = path.into();
        move |error| TableError::Io { path, error }
    }

    /// What the disk said, if it is about that.
    pub fn disk(&self) -> Option<&io::Error> {
        if let TableError::Io { error, .. } = self { Some(error) } else { None }
    }

    /// Whether the file is one of ours that came to harm, so that it may be made anew; anything else in its place is kept.
    pub fn is_harm(&self) -> bool {
        matches!(self, TableError::Length { .. } | TableError::Damaged { .. })
    }
}
