//! A table in a file: a header with totals and checksums, the lengths of the blocks, the blocks.
//!
//! All numbers are little-endian. A file is written under another name and gets its own only when it lies safely on the
//! disk, so that a half-written one is never taken for a table; what is read is believed only with all lengths and checksums.

use super::TableError;
use super::codec::{BLOCK, Coding, pack, unpack};
use super::index::Index;
use super::material::Material;
use super::solved::Totals;
use super::value::Packed;
use mmap_io::MemoryMappedFile;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"damkatab";
const VERSION: u32 = 1;
/// Bytes of the header.
const HEADER: usize = 148;
/// Payloads up to this size are checked when a file is opened, larger ones only by a verification.
const CHECKED: u64 = 64 << 20;

/// What a table says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The rules it was made for.
    pub rules: u64,
    /// What is on the board.
    pub material: Material,
    /// Numbers in use.
    pub entries: u64,
    /// Whether distances are known.
    pub distances: bool,
    /// What it came to.
    pub totals: Totals,
    /// Bytes of the whole file.
    pub bytes: u64,
    pub(super) coding: Coding,
    blocks: u32,
    payload: u64,
    values_sum: u32,
    payload_sum: u32,
    lengths_sum: u32,
}

/// What is written: values by number, and which of them need not be kept.
pub(super) struct Content<'a> {
    pub index: Index,
    pub values: &'a [u16],
    pub free: &'a (dyn Fn(usize) -> bool + Sync),
    pub totals: Totals,
    pub coding: Coding,
}

/// Writes a table and puts it in its place.
pub(super) fn write(path: &Path, rules: u64, content: &Content) -> Result<(), TableError> {
    let Content { index, values, free, totals, coding } = content;
    let per_block = coding.per_block();
    let packed = values.par_chunks(per_block).enumerate().map_init(
        || packer(*coding),
        |packer, (place, values)| {
            let first = place * per_block;
            let raw = coding.encode(values, first, free);
            let sum = crc32fast::hash(&raw);
            packer.as_mut().map_err(|error| io::Error::from(error.kind())).and_then(|p| pack(&raw, p)).map(|b| (b, sum))
        },
    );
    let packed: Vec<(Vec<u8>, u32)> = packed.collect::<io::Result<_>>().map_err(TableError::io(path))?;
    let lengths: Vec<u8> = packed.iter().flat_map(|(block, _)| (block.len() as u16).to_le_bytes()).collect();
    let sums: Vec<u8> = packed.iter().flat_map(|(_, sum)| sum.to_le_bytes()).collect();
    let mut payload_sum = crc32fast::Hasher::new();
    packed.iter().for_each(|(block, _)| payload_sum.update(block));
    let payload = packed.iter().map(|(block, _)| block.len() as u64).sum();
    let header = Header {
        rules,
        material: index.material,
        entries: index.entries,
        distances: *coding != Coding::Trits,
        totals: *totals,
        bytes: HEADER as u64 + lengths.len() as u64 + payload,
        coding: *coding,
        blocks: packed.len() as u32,
        payload,
        values_sum: crc32fast::hash(&sums),
        payload_sum: payload_sum.finalize(),
        lengths_sum: crc32fast::hash(&lengths),
    };
    replace(path, |out| {
        out.write_all(&header.to_bytes())?;
        out.write_all(&lengths)?;
        packed.iter().try_for_each(|(block, _)| out.write_all(block))
    })
    .map_err(TableError::io(path))
}

fn packer(coding: Coding) -> io::Result<zstd::bulk::Compressor<'static>> {
    let mut packer = zstd::bulk::Compressor::new(coding.level())?;
    packer.include_contentsize(false)?;
    packer.include_checksum(false)?;
    Ok(packer)
}

/// Writes a file beside its place, sees to it that it lies on the disk, and moves it there. On an error nothing is left.
pub(super) fn replace(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    let result = File::create(&beside).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        fill(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    if result.is_err() {
        // What could not be written is of no use, and may be gone already.
        let _ = fs::remove_file(&beside);
    }
    result
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend((HEADER as u32).to_le_bytes());
        out.extend(self.rules.to_le_bytes());
        let Material { men, kings } = self.material;
        out.extend([men[0], kings[0], men[1], kings[1], self.coding.number(), 0, 0, 0]);
        out.extend(self.entries.to_le_bytes());
        out.extend((self.coding.per_block() as u32).to_le_bytes());
        out.extend(self.blocks.to_le_bytes());
        out.extend(self.payload.to_le_bytes());
        let t = &self.totals;
        let numbers = [t.positions].into_iter().chain(t.results).chain([t.captures]).chain(t.quiet);
        numbers.chain([t.longest_wins]).for_each(|n| out.extend(n.to_le_bytes()));
        out.extend(t.longest_win.to_le_bytes());
        out.extend(t.longest_loss.to_le_bytes());
        [self.values_sum, self.payload_sum, self.lengths_sum].iter().for_each(|sum| out.extend(sum.to_le_bytes()));
        let sum = crc32fast::hash(&out);
        out.extend(sum.to_le_bytes());
        debug_assert_eq!(out.len(), HEADER);
        out
    }

    fn read(path: &Path, bytes: &[u8]) -> Result<Header, TableError> {
        let not = |what| TableError::NotATable { path: path.to_path_buf(), what };
        if bytes.len() >= HEADER && bytes[..HEADER].iter().all(|&byte| byte == 0) {
            return Err(TableError::Damaged { path: path.to_path_buf(), part: "header" });
        }
        if !MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]) {
            return Err(not("it does not begin with 'damkatab'"));
        }
        let mut at = Reader { bytes, place: MAGIC.len() };
        let short =
            || TableError::Length { path: path.to_path_buf(), found: bytes.len() as u64, expected: HEADER as u64 };
        let version = at.u32().ok_or_else(short)?;
        if version != VERSION {
            return Err(TableError::Version { path: path.to_path_buf(), found: version, expected: VERSION });
        }
        if bytes.len() < HEADER {
            return Err(short());
        }
        let sum = u32::from_le_bytes(bytes[HEADER - 4..HEADER].try_into().expect("four bytes"));
        if crc32fast::hash(&bytes[..HEADER - 4]) != sum {
            return Err(TableError::Damaged { path: path.to_path_buf(), part: "header" });
        }
        at.header().ok_or_else(|| not("its header makes no sense"))
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.place..self.place + N)?;
        self.place += N;
        taken.try_into().ok()
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    /// The rest of a header behind its version.
    fn header(&mut self) -> Option<Header> {
        let size = self.u32()?;
        let rules = self.u64()?;
        let [a, b, c, d, coding, ..] = self.take::<8>()?;
        let coding = Coding::find(coding)?;
        let (entries, per_block, blocks, payload) = (self.u64()?, self.u32()?, self.u32()?, self.u64()?);
        let mut numbers = [0; 9];
        for number in &mut numbers {
            *number = self.u64()?;
        }
        let [positions, win, draw, loss, captures, quiet_win, quiet_draw, quiet_loss, longest_wins] = numbers;
        let totals = Totals {
            positions,
            results: [win, draw, loss],
            captures,
            quiet: [quiet_win, quiet_draw, quiet_loss],
            longest_win: self.u16()?,
            longest_wins,
            longest_loss: self.u16()?,
        };
        let header = Header {
            rules,
            material: Material { men: [a, c], kings: [b, d] },
            entries,
            distances: coding != Coding::Trits,
            totals,
            bytes: (HEADER as u64).checked_add(2 * u64::from(blocks))?.checked_add(payload)?,
            coding,
            blocks,
            payload,
            values_sum: self.u32()?,
            payload_sum: self.u32()?,
            lengths_sum: self.u32()?,
        };
        let sound = size as usize == HEADER
            && per_block as usize == coding.per_block()
            && u64::from(blocks) == entries.div_ceil(u64::from(per_block));
        sound.then_some(header)
    }
}

/// A table open for reading, mapped into memory.
pub(super) struct TableFile {
    pub header: Header,
    path: PathBuf,
    file: MemoryMappedFile,
    /// Where each block begins in the payload, and where the last ends.
    starts: Vec<u64>,
}

fn mapped(file: &MemoryMappedFile) -> &[u8] {
    file.as_slice_bytes(0, file.len()).expect("a mapping for reading reaches as far as it says")
}

impl TableFile {
    /// Opens a table of these rules and this material. `Ok(None)`: there is no such file.
    pub fn open(path: &Path, rules: u64, index: &Index) -> Result<Option<TableFile>, TableError> {
        let length = match fs::metadata(path) {
            Ok(facts) => facts.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TableError::Io { path: path.to_path_buf(), error }),
        };
        if length == 0 {
            return Header::read(path, &[]).map(|_| None);
        }
        let file = MemoryMappedFile::open_ro(path)
            .map_err(|error| TableError::Io { path: path.to_path_buf(), error: io::Error::other(error.to_string()) })?;
        let map = mapped(&file);
        let header = Header::read(path, map)?;
        if header.rules != rules {
            return Err(TableError::Rules { path: path.to_path_buf(), found: header.rules, expected: rules });
        }
        if header.material != index.material || header.entries != index.entries {
            let found = format!("{} in {} entries", header.material, header.entries);
            return Err(TableError::Material { path: path.to_path_buf(), found, expected: index.material });
        }
        if map.len() as u64 != header.bytes {
            let (found, expected) = (map.len() as u64, header.bytes);
            return Err(TableError::Length { path: path.to_path_buf(), found, expected });
        }
        let damaged = |part| TableError::Damaged { path: path.to_path_buf(), part };
        let lengths = &map[HEADER..HEADER + 2 * header.blocks as usize];
        if crc32fast::hash(lengths) != header.lengths_sum {
            return Err(damaged("list of blocks"));
        }
        let mut starts = vec![0];
        let mut end = 0;
        for length in lengths.chunks_exact(2) {
            end += u64::from(u16::from_le_bytes([length[0], length[1]]));
            starts.push(end);
        }
        if end != header.payload {
            return Err(damaged("list of blocks"));
        }
        let table = TableFile { header, path: path.to_path_buf(), file, starts };
        if table.header.payload <= CHECKED && crc32fast::hash(table.payload()) != table.header.payload_sum {
            return Err(damaged("content"));
        }
        Ok(Some(table))
    }

    fn payload(&self) -> &[u8] {
        &mapped(&self.file)[HEADER + 2 * self.header.blocks as usize..]
    }

    /// One block, unpacked.
    pub fn block(&self, number: usize) -> Result<Vec<u8>, TableError> {
        let per_block = self.header.coding.per_block() as u64;
        let entries = (self.header.entries - number as u64 * per_block).min(per_block);
        let length = match self.header.coding {
            Coding::Trits => entries.div_ceil(5),
            Coding::Bytes { .. } => entries,
            Coding::Words => 2 * entries,
        };
        debug_assert!(length as usize <= BLOCK);
        let packed = &self.payload()[self.starts[number] as usize..self.starts[number + 1] as usize];
        unpack(packed, length as usize).ok_or_else(|| TableError::Damaged { path: self.path.clone(), part: "content" })
    }

    /// All values, with those left out still to be completed. Checks every checksum there is.
    pub fn values(&self) -> Result<Vec<u16>, TableError> {
        let damaged = || TableError::Damaged { path: self.path.clone(), part: "content" };
        if crc32fast::hash(self.payload()) != self.header.payload_sum {
            return Err(damaged());
        }
        let coding = self.header.coding;
        let per_block = coding.per_block();
        let mut values = vec![0u16; self.header.entries as usize];
        let fill = |(number, out): (usize, &mut [u16])| -> Result<u32, TableError> {
            let block = self.block(number)?;
            for (place, value) in out.iter_mut().enumerate() {
                let found = coding.value(&block, place).ok_or_else(damaged)?;
                *value = if coding == Coding::Trits { found.coarse().0 } else { found.0 };
            }
            Ok(crc32fast::hash(&block))
        };
        let sums: Vec<u32> =
            values.par_chunks_mut(per_block).enumerate().map(fill).collect::<Result<_, TableError>>()?;
        let sums: Vec<u8> = sums.into_iter().flat_map(u32::to_le_bytes).collect();
        if crc32fast::hash(&sums) != self.header.values_sum {
            return Err(damaged());
        }
        Ok(values)
    }

    /// One value in an unpacked block.
    pub fn value(&self, block: &[u8], number: u64) -> Option<Packed> {
        let per_block = self.header.coding.per_block() as u64;
        self.header.coding.value(block, (number % per_block) as usize)
    }

    /// The block that holds a value.
    pub fn block_of(&self, number: u64) -> usize {
        (number / self.header.coding.per_block() as u64) as usize
    }
}
