//! Tables at hand while playing: asked by many threads, filled by another one at the same time.

use super::build::{Plan, Scope, build_into};
use super::file::TableFile;
use super::folder::Folder;
use super::forward::best;
use super::grid::{Grid, Spots};
use super::index::Index;
use super::material::{MAX_PIECES, Material};
use super::progress::Progress;
use super::solved::{Solved, Values};
use super::value::{Packed, Value};
use super::world::World;
use super::{EXACT_PIECES, TableError};
use crate::game::board::Word;
use crate::game::moves::{Move, MoveList, NOWHERE};
use crate::game::position::{Position, Referee};
use crate::game::rules::{Duty, RuleSet};
use crate::game::variant::Variant;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

/// Tables with distances are unpacked into memory up to this many positions together; beyond that they are read block
/// by block as the larger ones are.
const UNPACKED: u64 = 128 << 20;
/// Captures are played out in positions of so many pieces at most.
const PLAYED_OUT: u32 = 12;
/// Unpacked blocks remembered.
const CACHE: usize = 1024;

/// A table at hand.
enum Shelved {
    Memory(Arc<Solved>),
    File(Index, Box<TableFile>),
}

/// A block, with the slot and number it belongs to.
type Cached = Mutex<Option<(u64, Vec<u8>)>>;

/// The tables of one rule set that are at hand. Reading never waits for those who add to them.
pub struct Tables {
    set: RuleSet,
    grid: Arc<Grid>,
    slots: Vec<OnceLock<Shelved>>,
    cache: Vec<Cached>,
    unpacked: AtomicU64,
    /// For each number of pieces, how many materials are at hand.
    counts: [AtomicUsize; MAX_PIECES + 1],
}

impl Tables {
    /// No tables yet.
    pub fn new(set: &RuleSet) -> Result<Tables, TableError> {
        let mut slots = Vec::new();
        slots.resize_with(Material::SLOTS, OnceLock::new);
        let mut cache = Vec::new();
        cache.resize_with(CACHE, Cached::default);
        let counts = Default::default();
        Ok(Tables { set: *set, grid: Arc::new(Grid::new(set)?), slots, cache, unpacked: AtomicU64::new(0), counts })
    }

    /// Takes in the tables of so many pieces that a folder has. Those that are no good are told and left alone.
    pub fn load(&self, folder: &Folder, pieces: usize, tell: &mut dyn FnMut(TableError)) -> usize {
        let mut found = 0;
        for material in Material::all(pieces).into_iter().filter(|material| !self.has(*material)) {
            match folder.open(&self.grid, material) {
                Ok(None) => {}
                Ok(Some(table)) => match self.shelved(table) {
                    Ok(shelved) => {
                        self.put(material, shelved);
                        found += 1;
                    }
                    Err(error) => tell(error),
                },
                Err(error) => tell(error),
            }
        }
        found
    }

    fn shelved(&self, table: TableFile) -> Result<Shelved, TableError> {
        let entries = table.header.entries;
        let index = Index::new(&self.grid, table.header.material);
        if !table.header.distances || self.unpacked.load(Relaxed) + entries > UNPACKED {
            return Ok(Shelved::File(index, Box::new(table)));
        }
        let values = Values::new(table.values()?);
        self.unpacked.fetch_add(entries, Relaxed);
        Ok(Shelved::Memory(Arc::new(Solved { index, values })))
    }

    fn put(&self, material: Material, shelved: Shelved) {
        if self.slots[material.slot()].set(shelved).is_ok() {
            self.counts[material.pieces()].fetch_add(1, Relaxed);
        }
    }

    /// Solves what is missing up to so many pieces, and takes it in as it gets ready. With a folder, files there are used
    /// and written, unless another process is at it.
    pub fn solve(
        &self,
        variant: &Variant,
        pieces: usize,
        folder: Option<&Folder>,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        let plan = Plan { variant, pieces: pieces.min(EXACT_PIECES), folder, progress };
        build_into(&plan, &Scope::All, false, &mut |solved| self.put(solved.index.material, Shelved::Memory(solved)))
    }

    /// Solves what a position of this material can come to, in memory.
    pub fn solve_family(
        &self,
        variant: &Variant,
        material: Material,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        let plan = Plan { variant, pieces: material.pieces().min(EXACT_PIECES), folder: None, progress };
        let scope = Scope::Family(material);
        build_into(&plan, &scope, false, &mut |solved| self.put(solved.index.material, Shelved::Memory(solved)))
    }

    /// Whether a material is at hand.
    pub fn has(&self, material: Material) -> bool {
        material.pieces() <= MAX_PIECES && self.slots[material.slot()].get().is_some()
    }

    /// Whether all materials of so many pieces are at hand.
    pub fn complete(&self, pieces: usize) -> bool {
        pieces <= MAX_PIECES && self.counts[pieces].load(Relaxed) == Material::all(pieces).len()
    }

    /// The most pieces of any material at hand; 0 = none.
    pub fn largest(&self) -> usize {
        (2..=MAX_PIECES).rev().find(|&pieces| self.counts[pieces].load(Relaxed) > 0).unwrap_or(0)
    }

    /// Whether values of a material hold under the rule that a king may move only so often in a row: it binds sides that
    /// have men beside kings, or may come to have them, and tables know nothing of it.
    pub fn holds(&self, material: Material) -> bool {
        let free = |side: usize| material.men[side] == 0 || material.men[side] == 1 && material.kings[side] == 0;
        self.set.same_king_moves == 0 || free(0) && free(1)
    }

    /// The value of a position in which nobody must capture, nobody may huff and the pieces do not end the game; `None`
    /// when its table is not at hand.
    #[inline]
    pub fn quiet<W: Word>(&self, position: &Position<W>) -> Option<Value> {
        let material = Material::of(&position.pieces, position.side);
        if !self.has(material) {
            return None;
        }
        let spots = self.grid.spots(&position.pieces, position.side);
        self.look(material, &spots).map(Packed::value)
    }

    fn look(&self, material: Material, spots: &Spots) -> Option<Packed> {
        match self.slots[material.slot()].get()? {
            Shelved::Memory(solved) => Some(solved.values.get(solved.index.rank(spots))),
            Shelved::File(index, table) => self.in_file(table, material, index.rank(spots)),
        }
    }

    fn in_file(&self, table: &TableFile, material: Material, number: u64) -> Option<Packed> {
        let block = table.block_of(number);
        let key = (material.slot() as u64) << 32 | block as u64;
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % CACHE;
        let mut cached = self.cache[place].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((found, bytes)) = cached.as_ref()
            && *found == key
        {
            return table.value(bytes, number);
        }
        let bytes = table.block(block).map_err(|error| log::warn!("{error}")).ok()?;
        let value = table.value(&bytes, number);
        *cached = Some((key, bytes));
        value
    }

    /// The value of any position, captures and huffs played out; `None` when a table that it needs is not at hand.
    pub fn value<W: Word>(&self, referee: Referee<W>, position: &Position<W>) -> Option<Value> {
        let world = World { referee, grid: self.grid.clone() };
        self.worth(&world, position).map(Packed::value)
    }

    /// The worth of each move to the player who makes it, in the order given.
    pub fn moves<W: Word>(&self, referee: Referee<W>, position: &Position<W>, list: &[Move<W>]) -> Option<Vec<Value>> {
        let world = World { referee, grid: self.grid.clone() };
        let worth = |mv: &Move<W>| {
            let child = referee.play(position, mv);
            self.worth(&world, &child).map(|value| value.before().value())
        };
        list.iter().map(worth).collect()
    }

    fn worth<W: Word>(&self, world: &World<W>, position: &Position<W>) -> Option<Packed> {
        if let Some(value) = world.over(position) {
            return Some(value);
        }
        if position.count() > PLAYED_OUT {
            return None;
        }
        let referee = &world.referee;
        let captures = || !referee.capturers(&position.pieces, position.side).is_empty();
        let forced = referee.set().duty == Duty::Mandatory && captures();
        let look = || {
            let material = Material::of(&position.pieces, position.side);
            let spots = || world.grid.spots(&position.pieces, position.side);
            if self.has(material) { self.look(material, &spots()) } else { None }
        };
        if !forced && position.huffable.is_empty() {
            return look();
        }
        // Each capture or huff takes a piece off: there is an end to it.
        let mut list = MoveList::new();
        referee.generate(position, &mut list);
        let after = |mv: &Move<W>| self.worth(world, &referee.play(position, mv)).map(Packed::before);
        if forced {
            return best(list.iter().map(after));
        }
        best(list.iter().filter(|mv| mv.huffed != NOWHERE).map(after).chain([look()]))
    }
}
