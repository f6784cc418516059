//! The journal of a match: one line about the match, then one line a finished game. It is only ever added to, so that a
//! match that was cut off can go on; a last line that was only half written is dropped.

use super::error::ArenaError;
use super::record::Record;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a journal's first line says it is.
const TITLE: &str = "damka match";

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal, or begins one, and reads the games in it. `settings` is everything that decides the games; a
    /// journal of other settings is refused.
    pub fn open(path: &Path, settings: &Value) -> Result<(Journal, Vec<Record>), ArenaError> {
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(ArenaError::file(path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(ArenaError::file(path))?;
        // What stands behind the last line end was cut off while it was written.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| not_ours(path))?;
        let mut lines = text.lines().enumerate();
        let first = lines.next().map(|(_, first)| first);
        match first {
            Some(first) => check(path, first, settings)?,
            None if !begins_a_journal(&bytes) => return Err(not_ours(path)),
            None => {}
        }
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(ArenaError::file(path))?;
        let mut journal = Journal { path: path.to_path_buf(), file };
        if first.is_none() {
            journal.write(&head(settings))?;
        }
        let records = lines.map(|(index, line)| {
            serde_json::from_str(line).map_err(|why| ArenaError::content(path, format!("line {}", index + 1), why))
        });
        let records = records.collect::<Result<Vec<Record>, _>>()?;
        Ok((journal, records))
    }

    /// Adds a finished game; it is on the disk when this returns.
    pub fn add(&mut self, record: &Record) -> Result<(), ArenaError> {
        self.write(&serde_json::to_value(record).expect("a record is plain data"))
    }

    fn write(&mut self, value: &Value) -> Result<(), ArenaError> {
        let line = format!("{value}\n");
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        // Some file systems cannot be told to write through; the line is written all the same.
        written.or_else(|error| match error.kind() {
            ErrorKind::Unsupported | ErrorKind::InvalidInput => Ok(()),
            _ => Err(ArenaError::file(&self.path)(error)),
        })
    }
}

/// The first line of a journal.
pub fn head(settings: &Value) -> Value {
    json!({ "journal": TITLE, "hash": hash(settings), "settings": settings })
}

/// The games of a finished journal; nothing in it may be half written.
pub fn read(path: &Path) -> Result<Vec<Record>, ArenaError> {
    let text = std::fs::read_to_string(path).map_err(ArenaError::file(path))?;
    let record = |(index, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|why| ArenaError::content(path, format!("line {}", index + 1), why))
    };
    text.lines().enumerate().skip(1).map(record).collect()
}

/// Whether a file without a whole line can be the beginning of a journal, or is empty.
fn begins_a_journal(bytes: &[u8]) -> bool {
    let head = format!("{{\"journal\":\"{TITLE}\"");
    bytes.starts_with(head.as_bytes()) || head.as_bytes().starts_with(bytes)
}

fn not_ours(path: &Path) -> ArenaError {
    ArenaError::content(path, "line 1", "not the journal of a match; expected one, or a new file")
}

/// Compares the settings of a journal with those of the match to be played.
fn check(path: &Path, first: &str, settings: &Value) -> Result<(), ArenaError> {
    let head: Value = serde_json::from_str(first).map_err(|_| not_ours(path))?;
    if head["journal"] != TITLE {
        return Err(not_ours(path));
    }
    if head["hash"] == hash(settings) {
        return Ok(());
    }
    let old = &head["settings"];
    let names = settings.as_object().into_iter().flatten().map(|(name, _)| name);
    let differs: Vec<String> = names
        .filter(|name| old[name.as_str()] != settings[name.as_str()])
        .map(|name| format!("{name} was {}, now {}", old[name.as_str()], settings[name.as_str()]))
        .collect();
    Err(ArenaError::OtherMatch { path: path.to_path_buf(), differs: differs.join("; ") })
}

/// A fingerprint of settings.
fn hash(settings: &Value) -> String {
    format!("{:016x}", fingerprint(settings.to_string().as_bytes()))
}

/// A fingerprint that stays the same from version to version. After: Fowler, Noll and Vo, FNV-1a.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::super::standings::tests::record;
    use super::*;

    #[test]
    fn games_come_back_and_a_half_written_line_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("match.jsonl");
        let settings = json!({ "seed": 1, "engines": ["a", "b"] });
        let (mut journal, records) = Journal::open(&path, &settings).unwrap();
        assert!(records.is_empty());
        let games = [record(0, 0, 1, 2), record(1, 1, 0, 1)];
        games.iter().for_each(|game| journal.add(game).unwrap());
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], b"{\"game\":2,\"whi"].concat()).unwrap();
        let (mut journal, records) = Journal::open(&path, &settings).unwrap();
        assert_eq!(records, games);
        journal.add(&record(2, 0, 1, 0)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, &settings).unwrap().1.len(), 3);
        // Cut anywhere, what is left is read.
        for end in 0..whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let found = Journal::open(&path, &settings);
            assert!(found.unwrap().1.len() <= 2);
        }
    }

    #[test]
    fn another_match_is_refused_by_name() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("match.jsonl");
        Journal::open(&path, &json!({ "seed": 1, "variant": "russian" })).unwrap();
        let error = Journal::open(&path, &json!({ "seed": 2, "variant": "russian" })).unwrap_err().to_string();
        assert!(error.contains("seed was 1, now 2") && !error.contains("variant was"), "{error}");
        std::fs::write(&path, "my diary\n").unwrap();
        let error = Journal::open(&path, &json!({})).unwrap_err().to_string();
        assert!(error.contains("not the journal"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my diary\n");
    }

    #[test]
    fn a_file_without_a_whole_line_that_is_not_ours_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("notes.txt");
        std::fs::write(&path, "no line end").unwrap();
        assert!(Journal::open(&path, &json!({})).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "no line end");
    }
}
