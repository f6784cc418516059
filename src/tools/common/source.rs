//! Where a job's input comes from.

use super::JobError;
use crate::game::variant::Variant;
use crate::notation::pdn::{Options, Reader};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

/// Bytes that are read at once.
const BUFFER: usize = 1 << 16;

/// Input that may be handed from thread to thread.
pub type Input = Box<dyn BufRead + Send>;

/// Opens a file, or the standard input for `-`.
pub fn open(path: &str) -> Result<Input, JobError> {
    if path == "-" {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, std::io::stdin())));
    }
    let file = File::open(path).map_err(JobError::file(path))?;
    Ok(Box::new(BufReader::with_capacity(BUFFER, file)))
}

/// The games of a PDN file, or of the standard input for `-`. Without rules, each game's own are found out.
pub fn games(path: &str, variant: Option<Arc<Variant>>) -> Result<Reader<Input>, JobError> {
    let name = if path == "-" { "stdin" } else { path };
    Ok(Reader::new(name, open(path)?, Options { variant, ..Options::default() }))
}
