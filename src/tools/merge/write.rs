//! The whole out of its parts.

use super::{Args, MergeError, Part};
use crate::tools::arena::{self, sprt::Sprt};
use crate::tools::common::JobError;
use crate::tools::common::shard::{hash, replace};
use crate::tools::learn::shard::HEADER;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Seek, SeekFrom};

/// Writes the whole; what it came to, as a value and in words.
pub fn whole(args: &Args, parts: &[Part], complete: bool) -> Result<(Value, String), MergeError> {
    let first = &parts[0].1;
    if first.shard == "match" {
        return played(args, parts, complete);
    }
    if args.sprt.is_some() || args.pdn.is_some() {
        return Err(JobError::argument("--sprt or --pdn", &first.shard, "parts of a match").into());
    }
    // Every part of self-play begins with the same header.
    let header = if first.shard == "selfplay" { HEADER as u64 } else { 0 };
    replace(&args.out, |out| {
        for (place, (path, _)) in parts.iter().enumerate() {
            let mut file = File::open(path)?;
            if place > 0 {
                file.seek(SeekFrom::Start(header))?;
            }
            io::copy(&mut file, out)?;
        }
        Ok(())
    })?;
    let (bytes, sha256) = hash(&args.out).map_err(JobError::file(&args.out))?;
    let units = parts.last().map_or(0, |(_, last)| last.end);
    let text = format!("{}: {} parts, {bytes} bytes, sha256 {sha256}\n", args.out.display(), parts.len());
    let summary = json!({
        "kind": first.shard, "parts": parts.len(), "of": first.of, "units": units, "complete": complete,
        "audited": args.audit.len(), "bytes": bytes, "sha256": sha256, "settings": first.settings,
        "shards": parts.iter().map(|(path, part)| json!({
            "file": path.display().to_string(), "number": part.number, "first": part.first, "end": part.end,
            "worker": part.worker, "bytes": part.bytes, "sha256": part.sha256,
        })).collect::<Vec<_>>(),
    });
    Ok((summary, text))
}

fn played(args: &Args, parts: &[Part], complete: bool) -> Result<(Value, String), MergeError> {
    if !args.audit.is_empty() {
        return Err(JobError::argument(
            "--audit",
            "a match",
            "parts of analyse or selfplay: no two games take the same time",
        )
        .into());
    }
    let sprt = args.sprt.as_deref().map(Sprt::read).transpose()?;
    let mut all = Vec::with_capacity(parts.len());
    for (path, part) in parts {
        all.push((part.clone(), arena::merge::games(path, part)?));
    }
    let merged = arena::merge::merge(&all, complete, sprt)?;
    replace(&args.out, |out| out.write_all(merged.journal.as_bytes()))?;
    if let Some(path) = &args.pdn {
        replace(path, |out| out.write_all(merged.pdn.as_bytes()))?;
    }
    Ok((merged.summary, merged.text))
}
