//! Checks tables on the disk against the rules: every value is the best of what the moves lead to.

use super::build::halves;
use super::folder::Folder;
use super::forward::{self, complete};
use super::index::Index;
use super::material::{MAX_PIECES, Material};
use super::progress::Progress;
use super::solved::{Shelf, Solved, Totals, Values};
use super::world::World;
use super::{EXACT_PIECES, TableError};
use crate::game::board::{Color, Word};
use crate::game::kernels::AnyKernel;
use crate::game::plain::Setup;
use crate::game::position::Referee;
use crate::game::variant::Variant;
use std::sync::Arc;

/// What a check of one table came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// The table.
    pub material: Material,
    /// Counted from its values, not taken from its header.
    pub totals: Totals,
    /// Whether the header says the same.
    pub totals_agree: bool,
    /// Positions whose value is not the best of what their moves lead to.
    pub errors: u64,
    /// One of them.
    pub example: Option<Setup>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.errors == 0 && self.totals_agree
    }
}

/// Checks all tables of up to so many pieces; each report is handed to `tell`. A table that is missing is an error.
pub fn verify(
    variant: &Variant,
    folder: &Folder,
    pieces: usize,
    progress: &dyn Progress,
    tell: &mut dyn FnMut(&Report),
) -> Result<(), TableError> {
    if !(2..=MAX_PIECES).contains(&pieces) {
        return Err(TableError::Pieces(pieces));
    }
    let pairs: Vec<Material> = (2..=pieces).flat_map(Material::pairs).collect();
    by_width(variant, folder, &pairs, &pairs, progress, tell)
}

/// Checks the tables of a material and its mirror. All that play can come to from there must be there, and is believed.
pub fn verify_slice(
    variant: &Variant,
    folder: &Folder,
    material: Material,
    progress: &dyn Progress,
    tell: &mut dyn FnMut(&Report),
) -> Result<(), TableError> {
    let family = material.family();
    let pairs = (2..=material.pieces()).flat_map(Material::pairs).filter(|pair| family.contains(pair));
    by_width(variant, folder, &pairs.collect::<Vec<_>>(), &[material.pair()], progress, tell)
}

/// Reads `pairs` in their order and checks those that are `asked` for.
fn by_width(
    variant: &Variant,
    folder: &Folder,
    pairs: &[Material],
    asked: &[Material],
    progress: &dyn Progress,
    tell: &mut dyn FnMut(&Report),
) -> Result<(), TableError> {
    match variant.kernel {
        AnyKernel::Narrow(kernel) => run(Referee { variant, kernel }, folder, pairs, asked, progress, tell),
        AnyKernel::Wide(kernel) => run(Referee { variant, kernel }, folder, pairs, asked, progress, tell),
    }
}

fn run<W: Word>(
    referee: Referee<W>,
    folder: &Folder,
    pairs: &[Material],
    asked: &[Material],
    progress: &dyn Progress,
    tell: &mut dyn FnMut(&Report),
) -> Result<(), TableError> {
    let world = World::new(referee)?;
    let entries = |pairs: &[Material]| -> u64 {
        pairs.iter().flat_map(|pair| halves(*pair)).map(|material| Index::new(&world.grid, material).entries).sum()
    };
    progress.begin(pairs.last().map_or(0, |pair| pair.pieces()), entries(asked), entries(pairs));
    let mut shelf = Shelf::default();
    for &pair in pairs {
        let mut tables = Vec::new();
        for material in halves(pair) {
            let missing = || TableError::Missing { material, folder: folder.path().to_path_buf() };
            let table = folder.open(&world.grid, material)?.ok_or_else(missing)?;
            let mut values = table.values()?;
            let index = Index::new(&world.grid, material);
            complete(&world, &mut values, &index, &shelf);
            tables.push((table.header, Arc::new(Solved { index, values: Values::new(values) })));
        }
        tables.iter().for_each(|(_, solved)| shelf.put(solved.clone()));
        if !asked.contains(&pair) {
            continue;
        }
        for (header, solved) in tables {
            let coarse = pair.pieces() > EXACT_PIECES;
            let check = forward::check(&world, &solved, &shelf, coarse, progress)?;
            let counted = if coarse { check.totals.coarse() } else { check.totals };
            let said = if coarse { header.totals.coarse() } else { header.totals };
            let setup = |number| {
                let spots = solved.index.unrank(number).expect("only positions are checked");
                let position = super::world::bare(world.grid.pieces::<W>(&spots), Color::White);
                referee.setup(&position, None)
            };
            tell(&Report {
                material: header.material,
                totals: counted,
                totals_agree: counted == said,
                errors: check.errors,
                example: check.example.map(setup),
            });
        }
    }
    Ok(())
}
