//! The games to analyse, in the order of the file; those that an earlier run has done are passed over and compared.

use super::keep::Done;
use crate::notation::pdn::{PdnError, PdnGame, Reader};
use crate::tools::common::JobError;
use crate::tools::common::source::Input;

/// One game to analyse.
pub struct Task {
    /// Its number in the file.
    pub number: usize,
    /// A fingerprint of it and of those before it.
    pub sum: u64,
    pub game: Result<Box<PdnGame>, PdnError>,
}

/// Gives out the games of a range.
pub struct Games {
    reader: Reader<Input>,
    range: (u64, u64),
    /// The file, for messages.
    file: String,
    done: Done,
    number: u64,
    taken: u64,
    sum: u64,
    ended: bool,
}

impl Games {
    /// Games from the first to the last number of `range`, without the first `done` of them.
    pub fn new(reader: Reader<Input>, range: (u64, u64), done: Done, file: &str) -> Games {
        Games { reader, range, file: file.to_string(), done, number: 0, taken: 0, sum: 0, ended: false }
    }

    fn end(&mut self, error: JobError) -> Option<Result<Task, JobError>> {
        self.ended = true;
        Some(Err(error))
    }
}

impl Iterator for Games {
    type Item = Result<Task, JobError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended && self.number < self.range.1 {
            let game = match self.reader.next() {
                None => break,
                Some(Err(PdnError::Io { source, .. })) => {
                    let error = JobError::file(&self.file)(source);
                    return self.end(error);
                }
                Some(game) => game.map(Box::new),
            };
            self.number += 1;
            if self.number < self.range.0 {
                continue;
            }
            self.sum = match &game {
                Ok(game) => sum(self.sum, game),
                Err(error) => fingerprint(self.sum, error.to_string().as_bytes()),
            };
            self.taken += 1;
            if self.taken == self.done.games && self.sum != self.done.sum {
                let place = format!("game {}", self.number);
                let why =
                    "it is not the game analysed before the break, or one before it is not; expected the same file";
                let error = JobError::content(&self.file, place, why);
                return self.end(error);
            }
            if self.taken > self.done.games {
                return Some(Ok(Task { number: self.number as usize, sum: self.sum, game }));
            }
        }
        if !self.ended && self.taken < self.done.games {
            let place = format!("{} games in it", self.taken);
            let error =
                JobError::content(&self.file, place, format!("expected the {} analysed before", self.done.games));
            return self.end(error);
        }
        None
    }
}

fn sum(before: u64, game: &PdnGame) -> u64 {
    let tags = game.tags.iter().flat_map(|tag| [tag.name.as_str(), tag.value.as_str()]);
    let moves = game.moves().map(|mv| mv.text.as_str());
    tags.chain(moves).fold(before, |sum, text| fingerprint(fingerprint(sum, text.as_bytes()), b"\n"))
}

/// A fingerprint of what it was before and of these bytes. After: Fowler, Noll and Vo, FNV-1a.
pub fn fingerprint(before: u64, bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(before ^ 0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
