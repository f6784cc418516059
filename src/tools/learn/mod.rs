//! Learning an evaluation: games of the program against itself (`damka selfplay`), networks out of them (`damka train`),
//! and what scores mean (`damka wdl`).

mod auto;
mod curve;
mod error;
mod fit;
mod game;
mod gate;
mod known;
mod model;
mod random;
mod record;
pub mod selfplay;
pub(super) mod shard;
pub mod train;
pub mod wdl;

pub use error::LearnError;
