//! The folder that tables of one rule set lie in, and who may write there.

use super::TableError;
use super::codec::Coding;
use super::file::{self, Content, Header, TableFile};
use super::grid::Grid;
use super::index::Index;
use super::material::Material;
use super::retro::Half;
use super::rules::rules_hash;
use super::solved::Totals;
use crate::game::rules::RuleSet;
use etcetera::BaseStrategy;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Where tables lie unless the user says otherwise: in the user's cache folder. `None` for a user without a home.
pub fn default_root() -> Option<PathBuf> {
    let strategy = etcetera::base_strategy::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("damka").join("tables"))
}

/// Tables of one rule set on the disk: `<root>/<number of the rules>/<material>.tab`.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    rules: u64,
    set: RuleSet,
}

/// The right to write into a folder; others wait or go without until it is dropped.
pub struct Lock(#[allow(dead_code, reason = "held for its drop")] File);

impl Folder {
    /// The folder for a rule set under a root. Nothing is created yet.
    pub fn new(root: &Path, set: &RuleSet) -> Folder {
        let rules = rules_hash(set);
        Folder { path: root.join(format!("{rules:016x}")), rules, set: *set }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a material's table lies.
    pub fn table(&self, material: Material) -> PathBuf {
        self.path.join(format!("{material}.tab"))
    }

    /// Where a large table's distances lie while their level is being made.
    fn scratch(&self, material: Material) -> PathBuf {
        self.path.join(format!("{material}.part"))
    }

    /// Creates the folder.
    pub fn create(&self) -> Result<(), TableError> {
        fs::create_dir_all(&self.path).map_err(TableError::io(&self.path))
    }

    /// Takes the lock, or says that another process has it. The folder must exist.
    pub fn lock(&self) -> Result<Lock, TableError> {
        let (file, path) = self.lock_file()?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(TableError::Locked(path)),
            Err(TryLockError::Error(error)) => Err(TableError::Io { path, error }),
        }
    }

    /// Takes the lock, as soon as others have done with it.
    pub fn wait_for_lock(&self) -> Result<Lock, TableError> {
        let (file, path) = self.lock_file()?;
        file.lock().map_err(TableError::io(path))?;
        Ok(Lock(file))
    }

    /// Takes the right to write beside others that take it so, as soon as nobody has the folder alone.
    pub(super) fn share_lock(&self) -> Result<Lock, TableError> {
        let (file, path) = self.lock_file()?;
        file.lock_shared().map_err(TableError::io(path))?;
        Ok(Lock(file))
    }

    fn lock_file(&self) -> Result<(File, PathBuf), TableError> {
        let path = self.path.join("lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        file.map(|file| (file, path.clone())).map_err(TableError::io(path))
    }

    /// What a material's table says about itself; `None` when there is no file.
    pub fn header(&self, material: Material) -> Result<Option<Header>, TableError> {
        Ok(self.open(&Grid::new(&self.set)?, material)?.map(|table| table.header))
    }

    pub(super) fn open(&self, grid: &Grid, material: Material) -> Result<Option<TableFile>, TableError> {
        TableFile::open(&self.table(material), self.rules, &Index::new(grid, material))
    }

    pub(super) fn open_scratch(&self, grid: &Grid, material: Material) -> Result<Option<TableFile>, TableError> {
        TableFile::open(&self.scratch(material), self.rules, &Index::new(grid, material))
    }

    /// Writes a solved half: with distances, or results only and the distances beside them for the larger ones to come.
    pub(super) fn write(&self, half: &Half, totals: Totals, distances: bool) -> Result<PathBuf, TableError> {
        let path = self.table(half.index.material);
        let free = |number: usize| half.is_free(number);
        let exact = Coding::exact(&half.values, free);
        let content = |coding| Content { index: half.index, values: &half.values, free: &free, totals, coding };
        if distances {
            file::write(&path, self.rules, &content(exact))?;
        } else {
            file::write(&self.scratch(half.index.material), self.rules, &content(exact))?;
            file::write(&path, self.rules, &content(Coding::Trits))?;
        }
        Ok(path)
    }

    /// Removes what was only needed while a level was made.
    pub(super) fn tidy(&self, pieces: usize) {
        for material in Material::all(pieces) {
            // It may not be there.
            let _ = fs::remove_file(self.scratch(material));
        }
    }

    /// Removes what processes left that ended while they wrote. Only for the holder of the lock.
    pub(super) fn sweep(&self, _lock: &Lock) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        let stale = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "tmp");
        for path in entries.flatten().map(|entry| entry.path()).filter(stale) {
            let _ = fs::remove_file(path);
        }
    }
}
