//! Whether parts belong together and none is missing.

use super::{Args, Part};
use crate::tools::arena;
use crate::tools::common::JobError;
use crate::tools::common::shard::{Manifest, beside};
use crate::tools::learn::shard as records;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Something that is wrong, and the files to be made anew.
pub struct Problem {
    pub text: String,
    pub files: Vec<PathBuf>,
}

impl Problem {
    fn of(path: &Path, text: String) -> Problem {
        Problem { text, files: vec![path.to_path_buf()] }
    }
}

/// Parts that belong together, by their numbers.
pub struct Checked {
    pub parts: Vec<Part>,
    /// Whether they are all.
    pub complete: bool,
}

/// Reads all manifests and looks through all files.
pub fn all(args: &Args) -> Result<(Checked, Vec<Problem>), JobError> {
    let mut problems = Vec::new();
    let read = manifests(&args.parts, &mut problems);
    let mut parts: BTreeMap<u32, Part> = BTreeMap::new();
    if let Some(work) = most_common(&read) {
        for (path, manifest) in read {
            if !manifest.same_work(&work) {
                let text = format!("{}: a part of other work: {}", path.display(), manifest.differs(&work));
                problems.push(Problem::of(&path, text));
            } else if let Some((other, _)) = parts.get(&manifest.number) {
                let text =
                    format!("{}: part {} again, which is {} too", path.display(), manifest.number, other.display());
                problems.push(Problem { text, files: Vec::new() });
            } else {
                parts.insert(manifest.number, (path, manifest));
            }
        }
        for (path, manifest) in parts.values() {
            problems.extend(harm(path, manifest).map(|text| Problem::of(path, text)));
        }
        let last = if args.so_far { parts.keys().copied().max().unwrap_or(0) } else { work.of };
        let missing: Vec<String> = (1..=last).filter(|n| !parts.contains_key(n)).map(|n| n.to_string()).collect();
        if !missing.is_empty() {
            let text = format!("missing of {} parts: {}", work.of, missing.join(", "));
            problems.push(Problem { text, files: Vec::new() });
        }
        audit(&args.audit, &parts, &mut problems);
        let complete = parts.len() as u32 == work.of;
        return Ok((Checked { parts: parts.into_values().collect(), complete }, problems));
    }
    Ok((Checked { parts: Vec::new(), complete: false }, problems))
}

fn manifests(paths: &[PathBuf], problems: &mut Vec<Problem>) -> Vec<Part> {
    let mut read = Vec::new();
    for path in paths {
        match Manifest::of(path) {
            Ok(manifest) => read.push((path.clone(), manifest)),
            Err(_) if !path.exists() => problems.push(Problem::of(path, format!("{}: missing", path.display()))),
            Err(_) if !beside(path).exists() => {
                let text = format!("{}: no manifest {} beside it", path.display(), beside(path).display());
                problems.push(Problem::of(path, text));
            }
            Err(error) => problems.push(Problem::of(path, error.to_string())),
        }
    }
    read
}

/// The work that most parts belong to; of equals, that of the first.
fn most_common(read: &[Part]) -> Option<Manifest> {
    let mut works: Vec<(&Manifest, usize)> = Vec::new();
    for (_, manifest) in read {
        match works.iter_mut().find(|(work, _)| work.same_work(manifest)) {
            Some((_, parts)) => *parts += 1,
            None => works.push((manifest, 1)),
        }
    }
    // The last of equals is taken.
    works.iter().rev().max_by_key(|(_, parts)| parts).map(|(work, _)| (*work).clone())
}

/// What is wrong with a part's file.
fn harm(path: &Path, manifest: &Manifest) -> Option<String> {
    if let Err(error) = manifest.check(path) {
        return Some(error.to_string());
    }
    let content = match manifest.shard.as_str() {
        "selfplay" => blocks(path, manifest),
        "match" => arena::merge::games(path, manifest).map(drop).map_err(|error| error.to_string()),
        _ => Ok(()),
    };
    content.err()
}

/// A part of self-play holds exactly its blocks.
fn blocks(path: &Path, manifest: &Manifest) -> Result<(), String> {
    let contents = records::read(path).map_err(|error| error.to_string())?;
    let (first, end) = (u64::from(contents.first), u64::from(contents.first) + u64::from(contents.blocks));
    let empty = manifest.first == manifest.end && contents.blocks == 0;
    if contents.torn || !empty && (first, end) != (manifest.first, manifest.end) {
        let torn = if contents.torn { ", and is torn behind them" } else { "" };
        return Err(format!(
            "{}: holds blocks {first} to {end}{torn}; expected {} to {}",
            path.display(),
            manifest.first,
            manifest.end
        ));
    }
    Ok(())
}

/// Compares parts with those made a second time.
fn audit(copies: &[PathBuf], parts: &BTreeMap<u32, Part>, problems: &mut Vec<Problem>) {
    for (copy, manifest) in manifests(copies, problems) {
        let same = parts.get(&manifest.number).filter(|(_, part)| part.same_part(&manifest));
        let Some((part, said)) = same else {
            problems.push(Problem::of(&copy, format!("{}: a copy of none of these parts", copy.display())));
            continue;
        };
        if let Err(error) = manifest.check(&copy) {
            problems.push(Problem::of(&copy, error.to_string()));
        } else if (said.bytes, &said.sha256) != (manifest.bytes, &manifest.sha256) {
            let text = format!(
                "{}, made by {}, is not equal to {}, made by {}: one of the two machines is not to be trusted",
                copy.display(),
                manifest.worker,
                part.display(),
                said.worker
            );
            problems.push(Problem { text, files: vec![part.clone(), copy] });
        }
    }
}
