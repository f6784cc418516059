//! What several jobs of the command line share: opening their input, thinking about positions, working on a stream in parallel.

mod effort;
mod error;
mod format;
pub mod ordered;
mod positions;
mod results;
pub mod score;
pub mod shard;
pub mod source;
pub mod stop;
pub mod think;
mod trouble;

pub use effort::Effort;
pub use error::JobError;
pub use format::{Format, with_notation};
pub use positions::{Numbers, Positions};
pub use results::{Results, say};
pub use trouble::{Failure, Trouble};
