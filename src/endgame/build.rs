//! Makes all tables of a rule set up to a number of pieces, from those of two pieces on, as far as they are not there yet.

use super::folder::Folder;
use super::grid::Grid;
use super::index::Index;
use super::material::{MAX_PIECES, Material};
use super::progress::Progress;
use super::retro::{self, Half};
use super::solved::{Shelf, Solved, Totals, Values};
use super::world::World;
use super::{EXACT_PIECES, TableError, forward};
use crate::game::board::Word;
use crate::game::kernels::AnyKernel;
use crate::game::position::Referee;
use crate::game::rules::{Duty, RuleSet};
use crate::game::variant::Variant;
use std::sync::Arc;

/// What to make.
pub struct Plan<'a> {
    /// The rules.
    pub variant: &'a Variant,
    /// Up to so many pieces.
    pub pieces: usize,
    /// Where files lie and go; `None` = in memory only.
    pub folder: Option<&'a Folder>,
    /// Who hears of it.
    pub progress: &'a dyn Progress,
}

/// Which tables to make.
pub(super) enum Scope {
    /// All of them.
    All,
    /// Those that play can come to from a material. Several processes may make families in the same folder.
    Family(Material),
}

/// What is told of each table that is ready.
type Ready<'a> = dyn FnMut(Arc<Solved>) + 'a;

/// Makes what is missing. With a folder the lock is taken first: another process that has it is waited for.
pub fn build(plan: &Plan) -> Result<(), TableError> {
    build_into(plan, &Scope::All, true, &mut |_| ())
}

/// Makes the tables of a material and its mirror, and what is missing of those that play can come to from there. Other
/// processes may do the same for other materials of the folder.
pub fn build_slice(plan: &Plan, material: Material) -> Result<(), TableError> {
    build_into(&Plan { pieces: material.pieces(), ..*plan }, &Scope::Family(material), true, &mut |_| ())
}

/// As [`build`], and hands over each table as it gets ready. Without `wait`, a lock held by others is an error.
pub(super) fn build_into(plan: &Plan, scope: &Scope, wait: bool, ready: &mut Ready) -> Result<(), TableError> {
    if !(2..=MAX_PIECES).contains(&plan.pieces) {
        return Err(TableError::Pieces(plan.pieces));
    }
    let _lock = plan.folder.map(|folder| locked(folder, scope, wait, plan.progress)).transpose();
    let _lock = match _lock {
        Ok(lock) => lock,
        Err(error @ TableError::Io { .. }) if plan.progress.cannot_write(&error) => None,
        Err(error) => return Err(error),
    };
    match plan.variant.kernel {
        AnyKernel::Narrow(kernel) => levels(Referee { variant: plan.variant, kernel }, plan, scope, ready),
        AnyKernel::Wide(kernel) => levels(Referee { variant: plan.variant, kernel }, plan, scope, ready),
    }
}

fn locked(
    folder: &Folder,
    scope: &Scope,
    wait: bool,
    progress: &dyn Progress,
) -> Result<super::folder::Lock, TableError> {
    folder.create()?;
    if let Scope::Family(_) = scope {
        return folder.share_lock();
    }
    let lock = match folder.lock() {
        Err(TableError::Locked(path)) if wait => {
            progress.waits(&path);
            folder.wait_for_lock()?
        }
        lock => lock?,
    };
    folder.sweep(&lock);
    Ok(lock)
}

fn levels<W: Word>(referee: Referee<W>, plan: &Plan, scope: &Scope, ready: &mut Ready) -> Result<(), TableError> {
    let world = World::new(referee)?;
    let memory = memory_needed(referee.set(), plan.pieces)?;
    plan.progress.begin(plan.pieces, entries(&world.grid, 2..=plan.pieces), memory);
    let family = match scope {
        Scope::All => None,
        Scope::Family(material) => Some(material.family()),
    };
    let writes = plan.folder.is_some();
    let mut maker = Maker { world: &world, plan, family, shelf: Shelf::default(), writes };
    for pieces in 2..=plan.pieces {
        maker.level(pieces, ready)?;
    }
    Ok(())
}

fn entries(grid: &Grid, pieces: std::ops::RangeInclusive<usize>) -> u64 {
    pieces.flat_map(Material::all).map(|material| Index::new(grid, material).entries).sum()
}

/// Bytes that making tables of up to so many pieces takes at most: finished ones in a byte a position, the pair at work
/// with its counters and lists.
pub fn memory_needed(set: &RuleSet, pieces: usize) -> Result<u64, TableError> {
    let grid = Grid::new(set)?;
    let of = |material: &Material| Index::new(&grid, *material).entries;
    let below = if pieces > 2 { entries(&grid, 2..=pieces - 1) } else { 0 };
    let with_men = |men: usize| -> u64 { Material::all(pieces).iter().filter(|m| m.all_men() == men).map(of).sum() };
    let own = (0..=pieces).map(|men| with_men(men) + if men > 0 { with_men(men - 1) } else { 0 }).max().unwrap_or(0);
    let pair = Material::pairs(pieces).iter().map(|m| of(m) * if m.is_even() { 1 } else { 2 }).max().unwrap_or(0);
    Ok(below + own + 12 * pair)
}

struct Maker<'a, 'w, W: Word> {
    world: &'a World<'w, W>,
    plan: &'a Plan<'a>,
    /// Only these; `None` = all.
    family: Option<Vec<Material>>,
    shelf: Shelf,
    writes: bool,
}

impl<W: Word> Maker<'_, '_, W> {
    fn level(&mut self, pieces: usize, ready: &mut Ready) -> Result<(), TableError> {
        let last = pieces == self.plan.pieces;
        let distances = pieces <= EXACT_PIECES;
        if !distances && self.is_complete(pieces)? {
            if let Some(folder) = self.plan.folder.filter(|_| self.family.is_none()) {
                folder.tidy(pieces);
            }
            return if last { self.pass_over(pieces) } else { self.take_results(pieces, ready) };
        }
        let wanted = |material: &Material| self.family.as_ref().is_none_or(|family| family.contains(material));
        let pairs: Vec<Material> = Material::pairs(pieces).into_iter().filter(wanted).collect();
        for material in pairs {
            self.plan.progress.check()?;
            if last && pieces > EXACT_PIECES {
                self.forget(pieces, material.all_men());
            }
            if !self.read_pair(material, distances, ready)? {
                self.solve_pair(material, distances, ready)?;
            }
        }
        // Other members of the level may still need them when only a family is made.
        if let Some(folder) = self.plan.folder.filter(|_| !distances && self.family.is_none()) {
            folder.tidy(pieces);
        }
        Ok(())
    }

    /// Whether all tables of a level are there.
    fn is_complete(&self, pieces: usize) -> Result<bool, TableError> {
        let Some(folder) = self.plan.folder else { return Ok(false) };
        for material in Material::all(pieces) {
            if self.sound(folder.open(&self.world.grid, material))?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn pass_over(&self, pieces: usize) -> Result<(), TableError> {
        self.plan.progress.advance(entries(&self.world.grid, pieces..=pieces));
        Ok(())
    }

    /// Takes what a file gives; one that came to harm counts as missing.
    fn sound<T>(&self, read: Result<Option<T>, TableError>) -> Result<Option<T>, TableError> {
        match read {
            Err(error) if error.is_harm() => {
                self.plan.progress.distrusts(&error);
                Ok(None)
            }
            Err(error @ TableError::Io { .. }) if self.plan.progress.cannot_write(&error) => Ok(None),
            read => read,
        }
    }

    /// Puts a whole level of results on the shelf.
    fn take_results(&mut self, pieces: usize, ready: &mut Ready) -> Result<(), TableError> {
        for material in Material::all(pieces) {
            let folder = self.plan.folder.expect("complete levels lie in a folder");
            let missing = || TableError::Missing { material, folder: folder.path().to_path_buf() };
            let table = folder.open(&self.world.grid, material)?.ok_or_else(missing)?;
            let values = table.values()?;
            self.shelve(material, values, ready);
        }
        Ok(())
    }

    fn shelve(&mut self, material: Material, mut values: Vec<u16>, ready: &mut Ready) {
        let index = Index::new(&self.world.grid, material);
        forward::complete(self.world, &mut values, &index, &self.shelf);
        self.plan.progress.advance(index.entries);
        self.put(Solved { index, values: Values::new(values) }, ready);
    }

    fn put(&mut self, solved: Solved, ready: &mut Ready) {
        let solved = Arc::new(solved);
        ready(solved.clone());
        self.shelf.put(solved);
    }

    /// Takes a pair from its files; `false` when they are not there or no good.
    fn read_pair(&mut self, material: Material, distances: bool, ready: &mut Ready) -> Result<bool, TableError> {
        let Some(folder) = self.plan.folder else { return Ok(false) };
        let mut found = Vec::new();
        for material in halves(material) {
            let grid = &self.world.grid;
            let Some(table) = self.sound(folder.open(grid, material))? else { return Ok(false) };
            let table = if distances { Some(table) } else { self.sound(folder.open_scratch(grid, material))? };
            let Some(table) = table.filter(|table| table.header.distances) else { return Ok(false) };
            let Some(values) = self.sound(table.values().map(Some))? else { return Ok(false) };
            found.push((material, values));
        }
        found.into_iter().for_each(|(material, values)| self.shelve(material, values, ready));
        Ok(true)
    }

    fn solve_pair(&mut self, material: Material, distances: bool, ready: &mut Ready) -> Result<(), TableError> {
        let solved = if needs_history(self.world.referee.set()) {
            forward::solve(self.world, material, &self.shelf, self.plan.progress)?
        } else {
            retro::solve(self.world, material, &self.shelf, self.plan.progress)?
        };
        for half in solved {
            let totals = totals(&half);
            let file = self.write(&half, totals, distances)?;
            self.plan.progress.solved(half.index.material, file.as_deref());
            self.put(Solved { index: half.index, values: Values::new(half.values) }, ready);
        }
        Ok(())
    }

    fn write(
        &mut self,
        half: &Half,
        totals: Totals,
        distances: bool,
    ) -> Result<Option<std::path::PathBuf>, TableError> {
        let Some(folder) = self.plan.folder.filter(|_| self.writes) else { return Ok(None) };
        match folder.write(half, totals, distances) {
            Err(error) if self.plan.progress.cannot_write(&error) => {
                self.writes = false;
                Ok(None)
            }
            written => written.map(Some),
        }
    }

    /// Takes off the shelf what no table with so many men needs any more.
    fn forget(&mut self, pieces: usize, men: usize) {
        let done = Material::all(pieces).into_iter().filter(|material| material.all_men() + 1 < men);
        done.for_each(|material| self.shelf.remove(material));
    }
}

/// Whether the moves of a position depend on how it arose, so that it cannot be left backwards by its pieces alone.
fn needs_history(set: &RuleSet) -> bool {
    set.duty == Duty::Huffing
}

/// A material and, unless it is the same, its mirror.
pub(super) fn halves(material: Material) -> Vec<Material> {
    if material.is_even() { vec![material] } else { vec![material, material.mirror()] }
}

/// Distances are exact as long as those of the smaller tables are.
fn totals(half: &Half) -> Totals {
    let totals = half.totals();
    if half.index.material.pieces() <= EXACT_PIECES + 1 { totals } else { totals.coarse() }
}
