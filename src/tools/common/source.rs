//! Where a job's input comes from.

use super::JobError;
use crate::game::variant::Variant;
use crate::notation::pdn::{Options, Reader};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

/// Bytes that are read at once.
const BUFFER: usize = 1 << 16;

/// Input that may be handed from thread to thread.
pub type Input = Box<dyn BufRead + Send>;

/// Opens a file, or the standard input for `-`.
pub fn open(path: impl AsRef<Path>) -> Result<Input, JobError> {
    let path = path.as_ref();
    if path.as_os_str() == "-" {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, std::io::stdin())));
    }
    let file = File::open(path).map_err(JobError::file(path))?;
    Ok(Box::new(BufReader::with_capacity(BUFFER, file)))
}

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "stdin".to_string() } else { path.display().to_string() }
}

/// The games of a PDN file, or of the standard input for `-`. Without rules, each game's own are found out.
pub fn games(path: impl AsRef<Path>, variant: Option<Arc<Variant>>) -> Result<Reader<Input>, JobError> {
    Ok(reader(path.as_ref(), open(&path)?, variant))
}

/// An open input as games.
pub fn reader(path: &Path, input: Input, variant: Option<Arc<Variant>>) -> Reader<Input> {
    Reader::new(&name(path), input, Options { variant, ..Options::default() })
}
