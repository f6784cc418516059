//! What several jobs of the command line share: opening their input, thinking about positions, working on a stream in parallel.

mod error;
pub mod ordered;
pub mod score;
pub mod source;
pub mod stop;
pub mod think;

pub use error::JobError;
