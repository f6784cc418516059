//! A part of an analysis that several machines share.

use super::keep::{Format, Target};
use crate::game::variant::Variant;
use crate::notation::pdn::PdnError;
use crate::tools::common::shard::{self, Manifest, Shard, working};
use crate::tools::common::{JobError, source};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which games are its own, and the manifests of its outputs.
pub struct Part {
    shard: Shard,
    games: u64,
    outputs: Vec<(PathBuf, Manifest)>,
}

impl Part {
    /// Counts the games of the file and takes its share of them.
    pub fn new(
        shard: Shard,
        file: &str,
        variant: Option<Arc<Variant>>,
        settings: &Value,
        targets: &[Target],
    ) -> Result<Part, JobError> {
        let outputs = targets.iter().find(|target| target.path.as_os_str() == "-");
        if file == "-" || outputs.is_some() {
            return Err(JobError::argument("--shard", "-", "files to read and to write"));
        }
        let games = count(file, variant)?;
        let (_, input) = shard::hash(Path::new(file)).map_err(JobError::file(file))?;
        let settings = shared(settings, &input);
        let manifest = |target: &Target| {
            let kind = match target.format {
                Format::Json => "analyse json",
                Format::Pdn => "analyse pdn",
                Format::Html => "analyse html",
            };
            (target.path.clone(), Manifest::new(kind, shard, games, settings.clone()))
        };
        Ok(Part { shard, games, outputs: targets.iter().map(manifest).collect() })
    }

    /// Its first game and its last, counted from 1; without any, the last is the one before the first.
    pub fn range(&self) -> (u64, u64) {
        let range = self.shard.range(self.games);
        (range.start + 1, range.end)
    }

    /// How the progress of its work knows it.
    pub fn name(&self) -> Value {
        json!(self.shard.to_string())
    }

    /// Whether nothing is left to be done.
    pub fn is_done(&self) -> Result<bool, JobError> {
        let mut done = true;
        for (path, manifest) in &self.outputs {
            done &= manifest.is_done(path)?;
        }
        Ok(done)
    }

    /// Gives the outputs their names.
    pub fn finish(self) -> Result<(), JobError> {
        for (path, manifest) in self.outputs {
            // One that an earlier run got to name lies there already.
            if working(&path).exists() || !manifest.is_done(&path)? {
                manifest.finish(&path)?;
            }
        }
        Ok(())
    }
}

/// What all parts have in common, wherever their files lie.
fn shared(settings: &Value, input: &str) -> Value {
    let mut shared = settings.clone();
    if let Some(fields) = shared.as_object_mut() {
        for own in ["file", "games", "outputs"] {
            fields.remove(own);
        }
    }
    shared["input"] = json!(input);
    shared
}

fn count(file: &str, variant: Option<Arc<Variant>>) -> Result<u64, JobError> {
    let mut games = 0;
    for game in source::games(file, variant)? {
        if let Err(PdnError::Io { source, .. }) = game {
            return Err(JobError::file(file)(source));
        }
        games += 1;
    }
    Ok(games)
}
