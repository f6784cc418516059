//! A user's own rules on their way to the engines: a file that lasts as long as the match.

use super::error::ArenaError;
use crate::game::variant::Variant;
use crate::notation::rulefile;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary rule file; dropping it removes it.
#[derive(Debug)]
pub struct RuleFile(PathBuf);

impl RuleFile {
    /// Writes the rules out, unless they are built in: the file a user gave may be overlaid with single rules.
    pub fn of(variant: &Variant) -> Result<Option<RuleFile>, ArenaError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if !variant.custom {
            return Ok(None);
        }
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("damka-match-{}-{count}.toml", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(ArenaError::file(&path))?;
        let rules = RuleFile(path);
        file.write_all(rulefile::to_toml(variant).as_bytes()).map_err(ArenaError::file(&rules.0))?;
        Ok(Some(rules))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for RuleFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
