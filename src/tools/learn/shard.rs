//! Files of records: a header that says how they came about, then blocks of whole games, each with a checksum. A file that
//! ends in the middle of a block is good up to there, and work goes on behind its last whole block.

use super::error::LearnError;
use super::record::{RECORD, Record};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"DAMKAREC";
/// Bytes before the first block.
pub const HEADER: usize = 48;
const BLOCK: usize = 16;

/// What made a file of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Fingerprint of the rules.
    pub rules: u64,
    /// Squares of the board.
    pub squares: u32,
    /// Nodes of each search.
    pub nodes: u32,
    /// Where the games' random choices come from.
    pub seed: u64,
    /// Checksum of the network that played; 0 = the hand-made evaluation.
    pub net: u32,
    /// Games in a block.
    pub block: u32,
    /// Pieces of the endgame tables that were used; 0 = none.
    pub tables: u32,
}

impl Origin {
    fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&self.rules.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.squares.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.seed.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.net.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.block.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.tables.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..HEADER - 4]);
        bytes[HEADER - 4..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8; HEADER]) -> Option<Origin> {
        let half = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let sound = bytes[..8] == *MAGIC && half(HEADER - 4) == crc32fast::hash(&bytes[..HEADER - 4]);
        sound.then(|| Origin {
            rules: word(8),
            squares: half(16),
            nodes: half(20),
            seed: word(24),
            net: half(32),
            block: half(36),
            tables: half(40),
        })
    }
}

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Contents {
    /// What made it.
    pub origin: Origin,
    /// Its positions.
    pub records: Vec<Record>,
    /// Number of the first block; 0 without any.
    pub first: u32,
    /// Whole blocks read.
    pub blocks: u32,
    /// Bytes up to the end of the last whole block.
    pub good: u64,
    /// Whether something is behind it.
    pub torn: bool,
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Contents, LearnError> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(LearnError::io(path))?;
    let header: Option<&[u8; HEADER]> = bytes.first_chunk();
    let Some(origin) = header.and_then(Origin::read) else {
        let expected = "a file of damka selfplay".to_string();
        return Err(LearnError::Data { path: path.to_path_buf(), what: "something else".to_string(), expected });
    };
    let mut rest = &bytes[HEADER..];
    let first = rest.first_chunk().map_or(0, |number| u32::from_le_bytes(*number));
    let mut contents = Contents { origin, records: Vec::new(), first, blocks: 0, good: HEADER as u64, torn: false };
    while let Some((records, behind)) = first.checked_add(contents.blocks).and_then(|number| block(rest, number)) {
        contents.records.extend(records);
        contents.blocks += 1;
        rest = behind;
    }
    contents.good = (bytes.len() - rest.len()) as u64;
    contents.torn = !rest.is_empty();
    Ok(contents)
}

/// The records of the block at the front, if it is whole, and what follows.
fn block(bytes: &[u8], number: u32) -> Option<(Vec<Record>, &[u8])> {
    let (head, rest) = bytes.split_at_checked(BLOCK)?;
    let part = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
    if part(0) != number {
        return None;
    }
    let (body, behind) = rest.split_at_checked((part(4) as usize).checked_mul(RECORD)?)?;
    if crc32fast::hash(body) != part(8) || crc32fast::hash(&head[..12]) != part(12) {
        return None;
    }
    let read = |bytes: &[u8]| Record::read(bytes.try_into().expect("a whole record"));
    Some((body.chunks_exact(RECORD).map(read).collect::<Option<_>>()?, behind))
}

/// A file that blocks are added to, in order.
pub struct Writer {
    file: File,
    next: u32,
}

impl Writer {
    /// Opens a file to go on with, or begins it with block `first`. Says how many records are there already.
    pub fn open(path: &Path, origin: Origin, first: u32) -> Result<(Writer, u64), LearnError> {
        if path.exists() {
            let contents = read(path)?;
            if contents.origin != origin {
                let (what, expected) = (format!("{:?}", contents.origin), format!("{origin:?}"));
                return Err(LearnError::Data { path: path.to_path_buf(), what, expected });
            }
            if contents.blocks > 0 && contents.first != first {
                let (what, expected) = (format!("block {} at its start", contents.first), format!("block {first}"));
                return Err(LearnError::Data { path: path.to_path_buf(), what, expected });
            }
            let mut file = OpenOptions::new().write(true).open(path).map_err(LearnError::io(path))?;
            file.set_len(contents.good).map_err(LearnError::io(path))?;
            file.seek(SeekFrom::End(0)).map_err(LearnError::io(path))?;
            return Ok((Writer { file, next: first + contents.blocks }, contents.records.len() as u64));
        }
        let mut file = File::create(path).map_err(LearnError::io(path))?;
        file.write_all(&origin.bytes()).map_err(LearnError::io(path))?;
        Ok((Writer { file, next: first }, 0))
    }

    /// Number of the next block.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Sees to it that all of it lies on the disk.
    pub fn sync(&self, path: &Path) -> Result<(), LearnError> {
        self.file.sync_all().map_err(LearnError::io(path))
    }

    /// Adds the next block.
    pub fn add(&mut self, path: &Path, records: &[Record]) -> Result<(), LearnError> {
        let body: Vec<u8> = records.iter().flat_map(Record::bytes).collect();
        let mut bytes = Vec::with_capacity(BLOCK + body.len());
        bytes.extend(self.next.to_le_bytes());
        bytes.extend((records.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(body);
        self.file.write_all(&bytes).map_err(LearnError::io(path))?;
        self.next += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Color;

    fn origin() -> Origin {
        Origin { rules: 7, squares: 32, nodes: 300, seed: 1, net: 0, block: 4, tables: 0 }
    }

    fn some(count: u32) -> Vec<Record> {
        let record = |n: u32| Record {
            sides: [1 << (n % 30), 1 << 31],
            kings: 0,
            score: n as i16,
            result: 1,
            ply: 9,
            side: Color::White,
            game: n,
        };
        (0..count).map(record).collect()
    }

    #[test]
    fn a_torn_file_goes_on_behind_its_last_whole_block() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("a.rec");
        let (mut writer, _) = Writer::open(&path, origin(), 0).expect("a new file");
        writer.add(&path, &some(10)).expect("written");
        writer.add(&path, &some(7)).expect("written");
        let whole = std::fs::read(&path).expect("there");
        for lost in [1, 40, 7 * 32, 7 * 32 + 15] {
            std::fs::write(&path, &whole[..whole.len() - lost]).expect("written");
            let contents = read(&path).expect("a header");
            assert_eq!((contents.blocks, contents.records.len(), contents.torn), (1, 10, true), "{lost}");
        }
        let (mut writer, records) = Writer::open(&path, origin(), 0).expect("the same origin");
        assert_eq!((writer.next(), records), (1, 10));
        writer.add(&path, &some(7)).expect("written");
        assert_eq!(std::fs::read(&path).expect("there"), whole);
    }

    #[test]
    fn a_part_begins_with_a_later_block() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("b.rec");
        let (mut writer, _) = Writer::open(&path, origin(), 5).expect("a new file");
        writer.add(&path, &some(3)).expect("written");
        drop(writer);
        let contents = read(&path).expect("a header");
        assert_eq!((contents.first, contents.blocks, contents.torn), (5, 1, false));
        assert_eq!(Writer::open(&path, origin(), 5).expect("the same").0.next(), 6);
        let error = Writer::open(&path, origin(), 4).err().expect("another part").to_string();
        assert!(error.contains("block 5 at its start was read, expected block 4"), "{error}");
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("a.rec");
        std::fs::write(&path, b"DAMKAREC and so on, but not with a checksum that fits it").expect("written");
        assert!(read(&path).expect_err("no header").to_string().contains("expected a file of damka selfplay"));
        let other = folder.path().join("b.rec");
        Writer::open(&other, origin(), 0).expect("a new file");
        let error = Writer::open(&other, Origin { nodes: 500, ..origin() }, 0).err().expect("another origin");
        assert!(error.to_string().contains("nodes: 500"), "{error}");
    }
}
