//! The way from a won position of a large table to a smaller one that is won too.
//!
//! Large tables know no distances, and a player who only keeps the value may go in circles for ever. So when such a position
//! is on the board, its material alone is solved again: how far it is, against the best defence, to a capture, a promotion
//! or the end that keeps the win. That number falls with every pair of moves, and what lies behind it has fewer pieces or men.

use super::TableError;
use super::build::halves;
use super::folder::Folder;
use super::forward;
use super::grid::Grid;
use super::index::Index;
use super::material::Material;
use super::progress::Progress;
use super::retro;
use super::solved::{Shelf, Solved, Values};
use super::value::Packed;
use super::world::World;
use crate::game::board::Word;
use crate::game::kernels::AnyKernel;
use crate::game::moves::Move;
use crate::game::position::{Position, Referee};
use crate::game::variant::Variant;
use std::sync::Arc;

/// Positions that may have to be held at once; beyond that no way is looked for.
const MOST: u64 = 64 << 20;

/// Distances within one material and its mirror.
pub struct Route {
    grid: Grid,
    shelf: Shelf,
}

impl Route {
    /// Solves a material by its distance to what it leads to. All tables that it leads to must be in the folder.
    pub fn find(
        variant: &Variant,
        folder: &Folder,
        material: Material,
        progress: &dyn Progress,
    ) -> Result<Route, TableError> {
        match variant.kernel {
            AnyKernel::Narrow(kernel) => find(Referee { variant, kernel }, folder, material, progress),
            AnyKernel::Wide(kernel) => find(Referee { variant, kernel }, folder, material, progress),
        }
    }

    /// Whether it leads on from this material.
    pub fn has(&self, material: Material) -> bool {
        self.shelf.get(material).is_some()
    }

    /// Of some winning moves the one that is nearest to a smaller win.
    pub fn next<W: Word>(&self, referee: &Referee<W>, position: &Position<W>, winning: &[Move<W>]) -> Option<Move<W>> {
        let distance = |mv: &&Move<W>| {
            if mv.is_capture() || mv.promotes() {
                return 0;
            }
            let child = referee.play(position, mv);
            let material = Material::of(&child.pieces, child.side);
            let value = self.shelf.value(material, &self.grid.spots(&child.pieces, child.side));
            value.filter(|value| value.is_loss()).map_or(u16::MAX, Packed::plies)
        };
        winning.iter().min_by_key(distance).copied()
    }
}

/// What captures can make of a material, each step for the side that then moves.
fn captures(material: Material) -> Vec<Material> {
    let mut found = Vec::new();
    for men in 0..=material.men[1] {
        for kings in 0..=material.kings[1] {
            let lost = material.men[1] + material.kings[1] - men - kings;
            for promoted in 0..=material.men[0].min(1) {
                let left =
                    Material { men: [material.men[0] - promoted, men], kings: [material.kings[0] + promoted, kings] };
                if lost > 0 && men + kings > 0 {
                    found.push(left.mirror());
                }
            }
        }
    }
    found
}

/// What quiet promotions make of a material, for the side that then moves.
fn promoted(material: Material) -> Option<Material> {
    let Material { mut men, mut kings } = material;
    men[0] = men[0].checked_sub(1)?;
    kings[0] += 1;
    Some(Material { men, kings }.mirror())
}

/// Everything whose values are asked for, smaller ones first.
fn needed(pair: Material) -> Vec<Material> {
    let own = halves(pair);
    let mut all: Vec<Material> = own.iter().flat_map(|m| captures(*m).into_iter().chain(promoted(*m))).collect();
    let mut next = 0;
    while next < all.len() {
        for child in captures(all[next]) {
            if !all.contains(&child) {
                all.push(child);
            }
        }
        next += 1;
    }
    all.sort_by_key(|m| (m.pieces(), *m));
    all.dedup();
    all
}

fn find<W: Word>(
    referee: Referee<W>,
    folder: &Folder,
    material: Material,
    progress: &dyn Progress,
) -> Result<Route, TableError> {
    let world = World::new(referee)?;
    let needed = needed(material);
    let held = needed.iter().copied().chain(halves(material));
    let entries: u64 = held.map(|m| Index::new(&world.grid, m).entries).sum();
    if entries > MOST {
        return Err(TableError::TooLarge { material, entries });
    }
    let mut shelf = Shelf::default();
    for material in needed {
        progress.check()?;
        let missing = || TableError::Missing { material, folder: folder.path().to_path_buf() };
        let mut values = folder.open(&world.grid, material)?.ok_or_else(missing)?.values()?;
        let index = Index::new(&world.grid, material);
        forward::complete(&world, &mut values, &index, &shelf);
        // Any win that it leads to is as near as any other.
        shelf.put(Arc::new(Solved { index, values: Values::new(coarse(values)) }));
    }
    let solved = retro::solve(&world, material, &shelf, progress)?;
    let mut own = Shelf::default();
    for half in solved {
        own.put(Arc::new(Solved { index: half.index, values: Values::new(half.values) }));
    }
    Ok(Route { grid: Grid::new(referee.set())?, shelf: own })
}

/// Results only; what is no position stays none.
fn coarse(values: Vec<u16>) -> Vec<u16> {
    let result = |value: u16| if Packed(value).is_none() { value } else { Packed(value).coarse().0 };
    values.into_iter().map(result).collect()
}
