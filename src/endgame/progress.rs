//! How a long generation tells of itself and is told to stop.

use super::TableError;
use super::material::Material;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Hears of a generation while it goes on, from several threads.
pub trait Progress: Sync {
    /// All pieces, entries to come, and bytes of memory that will be needed at most.
    fn begin(&self, _pieces: usize, _entries: u64, _memory: u64) {}
    /// So many more entries are done.
    fn advance(&self, _entries: u64) {}
    /// A material is solved; the file it was written to, if any.
    fn solved(&self, _material: Material, _file: Option<&Path>) {}
    /// Somebody else builds the same tables; this one waits.
    fn waits(&self, _lock: &Path) {}
    /// A file in the folder is no good and will be made anew.
    fn distrusts(&self, _error: &TableError) {}
    /// A file could not be written; whether to go on without files.
    fn cannot_write(&self, _error: &TableError) -> bool {
        false
    }
    /// Whether to give up.
    fn stopped(&self) -> bool {
        false
    }

    /// [`TableError::Stopped`] when it is time to give up.
    fn check(&self) -> Result<(), TableError> {
        if self.stopped() { Err(TableError::Stopped) } else { Ok(()) }
    }
}

/// Says nothing and never stops.
pub struct Quiet;

impl Progress for Quiet {}

impl Progress for AtomicBool {
    fn stopped(&self) -> bool {
        self.load(Relaxed)
    }
}
