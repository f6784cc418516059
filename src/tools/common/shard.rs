//! One part of a job that several machines share: which part it is, and the manifest beside its file.
//!
//! A part is made in `FILE.part`, gets its name when it lies safely on the disk, and then a manifest, `FILE.shard`, which
//! says what it is a part of, and its length and SHA-256. Parts are put together again by `damka merge`.

use super::JobError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Most parts of a job.
const MOST: u32 = 1_000_000;

/// Part `number` of `of`, from 1; as text `3/10`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    pub number: u32,
    pub of: u32,
}

impl Shard {
    /// Which of `total` units are its own, counted from 0. The parts of a whole follow one another without a gap.
    pub fn range(self, total: u64) -> Range<u64> {
        let bound = |number: u32| (u128::from(total) * u128::from(number) / u128::from(self.of)) as u64;
        bound(self.number - 1)..bound(self.number)
    }
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || format!("expected two numbers as in 3/10, the first from 1 to the second, at most {MOST}");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        match (number.parse(), of.parse()) {
            (Ok(number), Ok(of)) if 1 <= number && number <= of && of <= MOST => Ok(Shard { number, of }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// What a part says about itself.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Manifest {
    /// What made it: `analyse json`, `analyse pdn`, `selfplay` or `match`.
    pub shard: String,
    /// Its number, from 1.
    pub number: u32,
    /// Number of parts.
    pub of: u32,
    /// Its first unit, from 0, and the one behind its last: games, blocks of games, or rounds.
    pub first: u64,
    pub end: u64,
    /// Units of all parts.
    pub total: u64,
    /// Everything that decides the content; the same for all parts.
    pub settings: Value,
    /// The machine that made it.
    pub worker: String,
    /// Of its file.
    pub bytes: u64,
    pub sha256: String,
}

impl Manifest {
    /// What can be said before the file is there.
    pub fn new(kind: &str, shard: Shard, total: u64, settings: Value) -> Manifest {
        let Range { start, end } = shard.range(total);
        Manifest {
            shard: kind.to_string(),
            number: shard.number,
            of: shard.of,
            first: start,
            end,
            total,
            settings,
            worker: worker(),
            bytes: 0,
            sha256: String::new(),
        }
    }

    /// Reads the manifest of a part.
    pub fn of(part: &Path) -> Result<Manifest, JobError> {
        let path = beside(part);
        let text = fs::read_to_string(&path).map_err(JobError::file(&path))?;
        let read: Manifest =
            serde_json::from_str(&text).map_err(|why| JobError::content(&path, "the manifest of a part", why))?;
        let (number, of) = (read.number, read.of);
        let sound = (1..=MOST).contains(&of) && (1..=of).contains(&number);
        if !sound || (Shard { number, of }).range(read.total) != (read.first..read.end) {
            let place = format!("part {number}/{of}, units {} to {} of {}", read.first, read.end, read.total);
            return Err(JobError::content(&path, place, format!("expected a part of at most {MOST} and its share")));
        }
        Ok(read)
    }

    /// Whether the file is the one that the manifest speaks of; if not, why.
    pub fn check(&self, part: &Path) -> Result<(), JobError> {
        let (bytes, sha256) = hash(part).map_err(JobError::file(part))?;
        if bytes != self.bytes {
            return Err(JobError::content(part, format!("{bytes} bytes"), format!("expected {}", self.bytes)));
        }
        if sha256 != self.sha256 {
            let place = format!("sha256 {sha256}");
            return Err(JobError::content(part, place, format!("damaged: expected {}", self.sha256)));
        }
        Ok(())
    }

    /// Whether both belong to the same work, and which of its parts it is.
    pub fn same_part(&self, other: &Manifest) -> bool {
        self.same_work(other) && self.number == other.number
    }

    /// Whether both are parts of the same work.
    pub fn same_work(&self, other: &Manifest) -> bool {
        (&self.shard, self.of, self.total, &self.settings) == (&other.shard, other.of, other.total, &other.settings)
    }

    /// In what the works that two parts belong to differ.
    pub fn differs(&self, other: &Manifest) -> String {
        let flat = |manifest: &Manifest| {
            let mut all = vec![
                ("kind".to_string(), Value::from(manifest.shard.clone())),
                ("parts".to_string(), manifest.of.into()),
                ("units".to_string(), manifest.total.into()),
            ];
            let settings = manifest.settings.as_object().into_iter().flatten();
            all.extend(settings.map(|(name, value)| (name.clone(), value.clone())));
            all
        };
        let (ours, theirs) = (flat(self), flat(other));
        let find = |name: &str| theirs.iter().find(|(other, _)| other == name).map_or(&Value::Null, |(_, value)| value);
        let differing = ours.iter().filter(|(name, value)| find(name) != value);
        let told: Vec<String> =
            differing.map(|(name, value)| format!("{name} is {value}, not {}", find(name))).collect();
        told.join("; ")
    }

    /// Whether the part is there already, finished and sound. One of other work is an error; a damaged one is removed.
    pub fn is_done(&self, part: &Path) -> Result<bool, JobError> {
        if !beside(part).exists() {
            return Ok(false);
        }
        let found = Manifest::of(part);
        if let Ok(found) = &found
            && !self.same_part(found)
        {
            let what = if found.same_work(self) { format!("number is {}", found.number) } else { found.differs(self) };
            return Err(JobError::content(
                part,
                "another part",
                format!("{what}; expected part {}/{} of this work, or a new file", self.number, self.of),
            ));
        }
        if found.and_then(|found| found.check(part)).is_ok() {
            return Ok(true);
        }
        fs::remove_file(beside(part)).map_err(JobError::file(part))?;
        Ok(false)
    }

    /// Gives a finished part its name, and puts its manifest beside it.
    pub fn finish(mut self, part: &Path) -> Result<(), JobError> {
        let made = working(part);
        let name = || -> io::Result<(u64, String)> {
            File::options().write(true).open(&made)?.sync_all()?;
            let hashed = hash(&made)?;
            fs::rename(&made, part)?;
            sync_folder(part);
            Ok(hashed)
        };
        (self.bytes, self.sha256) = name().map_err(JobError::file(part))?;
        let text = serde_json::to_string_pretty(&self).expect("a manifest is plain data") + "\n";
        replace(&beside(part), |out| out.write_all(text.as_bytes()))
    }
}

/// Where the manifest of a part lies.
pub fn beside(part: &Path) -> PathBuf {
    with(part, ".shard")
}

/// Where a part lies while it is made.
pub fn working(part: &Path) -> PathBuf {
    with(part, ".part")
}

/// A path with more behind its name.
pub fn with(path: &Path, more: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(more);
    PathBuf::from(name)
}

/// Length and SHA-256 of a file.
pub fn hash(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let (mut sum, mut length, mut block) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        match file.read(&mut block)? {
            0 => break,
            read => {
                sum.update(&block[..read]);
                length += read as u64;
            }
        }
    }
    Ok((length, hex(&sum.finalize())))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file beside its place, sees to it that it lies on the disk, and moves it there: a reader finds all of it or
/// nothing new. On an error nothing is left.
pub fn replace(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), JobError> {
    let fresh = with(path, &format!(".{}.tmp", std::process::id()));
    let written = File::create(&fresh).and_then(|file| {
        let mut out = io::BufWriter::with_capacity(1 << 16, file);
        fill(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&fresh, path)?;
        sync_folder(path);
        Ok(())
    });
    written.map_err(|error| {
        // What could not be written is of no use, and may not even be there.
        let _ = fs::remove_file(&fresh);
        JobError::file(path)(error)
    })
}

/// A new name is safe when its folder is; some systems cannot be told so.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        log::debug!("{}: {error}", folder.display());
    }
}

/// The name of this machine, for reports: `DAMKA_WORKER`, or what the system calls it.
pub fn worker() -> String {
    let said = ["DAMKA_WORKER", "SLURMD_NODENAME", "HOSTNAME", "COMPUTERNAME"];
    let said = said.iter().filter_map(|name| std::env::var(name).ok()).find(|name| !name.is_empty());
    let known = || fs::read_to_string("/proc/sys/kernel/hostname").ok();
    said.or_else(known).map_or_else(|| "unknown".to_string(), |name| name.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_follow_one_another() {
        for (total, of) in [(10, 3), (2, 5), (0, 2), (1_000_003, 1000)] {
            let mut next = 0;
            for number in 1..=of {
                let range = Shard { number, of }.range(total);
                assert!(range.start == next && range.end - range.start <= total / u64::from(of) + 1);
                next = range.end;
            }
            assert_eq!(next, total);
        }
    }

    #[test]
    fn numbers_are_read() {
        assert_eq!("3/10".parse(), Ok(Shard { number: 3, of: 10 }));
        for bad in ["", "3", "0/2", "3/2", "1/0", "1/9999999", "-1/2", "a/b"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_part_is_known_again_and_its_harm_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = folder.path().join("a.rec");
        let manifest =
            |seed: u64, number| Manifest::new("selfplay", Shard { number, of: 2 }, 9, json!({ "seed": seed }));
        assert!(!manifest(1, 1).is_done(&part).expect("nothing there"));
        fs::write(working(&part), "abc").expect("room");
        manifest(1, 1).finish(&part).expect("room");
        let read = Manifest::of(&part).expect("it is there");
        assert_eq!(read.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(manifest(1, 1).is_done(&part).expect("sound") && !working(&part).exists());
        let refused = |manifest: Manifest| manifest.is_done(&part).expect_err("another").to_string();
        assert!(refused(manifest(2, 1)).contains("seed is 1, not 2"));
        assert!(refused(manifest(1, 2)).contains("number is 1"));
        for (what, other) in
            [("\"of\": 2", "\"of\": 4000000000"), ("\"of\": 2", "\"of\": 0"), ("\"end\": 4", "\"end\": 5")]
        {
            let text = fs::read_to_string(beside(&part)).expect("it is there");
            assert!(text.contains(what), "{text}");
            fs::write(beside(&part), text.replace(what, other)).expect("room");
            assert!(Manifest::of(&part).expect_err("not sound").to_string().contains("its share"));
            fs::write(beside(&part), text).expect("room");
        }
        fs::write(&part, "abd").expect("room");
        assert!(read.check(&part).expect_err("damaged").to_string().contains("damaged"));
        assert!(!manifest(1, 1).is_done(&part).expect("made anew") && !beside(&part).exists());
    }
}
