//! Forwards: the worth of a position as the best of what its moves lead to.
//!
//! It asks the referee for moves as any player does and shares nothing with the way back of [`super::retro`]: it checks
//! tables, values positions in which somebody must capture or may huff, and makes tables by itself, slowly, for the rule
//! sets whose moves depend on more than the pieces.

use super::TableError;
use super::grid::Spots;
use super::index::Index;
use super::material::Material;
use super::progress::Progress;
use super::retro::Half;
use super::solved::{Shelf, Solved, Totals};
use super::value::Packed;
use super::world::{CAPTURE, NOTHING, OVER, World, bare};
use crate::game::board::{Color, Word};
use crate::game::moves::{MoveList, NOWHERE};
use crate::game::position::Position;
use crate::game::rules::Duty;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Values positions by their moves. `look` gives what is known of a position without captures or huffs; when it does not
/// know one, what depends on it is not known either, but for wins that need no better.
pub(super) struct Forward<'a, 'w, W: 'static, L> {
    pub world: &'a World<'w, W>,
    pub look: L,
}

impl<W: Word, L: Fn(Material, &Spots) -> Option<Packed>> Forward<'_, '_, W, L> {
    /// The worth of a position by its moves.
    pub fn by_moves(&self, position: &Position<W>) -> Option<Packed> {
        if let Some(value) = self.world.over(position) {
            return Some(value);
        }
        let mut list = MoveList::new();
        self.world.referee.generate(position, &mut list);
        if list.is_empty() {
            return Some(super::world::end(self.world.referee.stuck(position).0, position.side));
        }
        best(list.iter().map(|mv| self.after(position, mv)))
    }

    /// What a move is worth to the player who makes it.
    pub fn after(&self, position: &Position<W>, mv: &crate::game::moves::Move<W>) -> Option<Packed> {
        let child = self.world.referee.play(position, mv);
        self.worth(&child).map(Packed::before)
    }

    /// The worth of a position: as the table has it, or better where the side to move may huff.
    pub fn worth(&self, position: &Position<W>) -> Option<Packed> {
        if let Some(value) = self.world.over(position) {
            return Some(value);
        }
        let material = Material::of(&position.pieces, position.side);
        let plain = (self.look)(material, &self.world.grid.spots(&position.pieces, position.side));
        if position.huffable.is_empty() {
            return plain;
        }
        let mut list = MoveList::new();
        self.world.referee.generate(position, &mut list);
        // A huff takes a piece off: there is an end to it.
        let huffs = list.iter().filter(|mv| mv.huffed != NOWHERE).map(|mv| self.after(position, mv));
        best(huffs.chain([plain]))
    }
}

/// The best of some worths. Where one is not known a win stands for itself, anything else says nothing.
pub(super) fn best(worths: impl Iterator<Item = Option<Packed>>) -> Option<Packed> {
    let (mut best, mut all_known) = (None::<Packed>, true);
    for worth in worths {
        match worth {
            Some(worth) => best = Some(best.map_or(worth, |best| best.best(worth))),
            None => all_known = false,
        }
    }
    best.filter(|best| all_known || best.is_win())
}

/// Solves a material and its mirror by going through all positions once for each distance.
pub(super) fn solve<W: Word>(
    world: &World<W>,
    material: Material,
    shelf: &Shelf,
    progress: &dyn Progress,
) -> Result<Vec<Half>, TableError> {
    let materials = if material.is_even() { vec![material] } else { vec![material, material.mirror()] };
    let halves: Vec<Slow> = materials.into_iter().map(|material| Slow::new(world, material)).collect();
    // No value taken from smaller tables lies further away than this.
    let horizon = shelf.longest() + 1;
    for distance in 0..=Packed::MOST {
        let changed = AtomicBool::new(false);
        for half in &halves {
            half.pass(world, &halves, shelf, distance, &changed, progress)?;
        }
        if !changed.into_inner() && distance > horizon {
            break;
        }
    }
    progress.advance(halves.iter().map(|half| half.index.entries).sum());
    Ok(halves.into_iter().map(|half| half.done(world)).collect())
}

struct Slow {
    index: Index,
    values: Vec<AtomicU16>,
}

/// Not decided.
const OPEN: Packed = Packed::DRAW;

/// Rows that one thread takes at once.
const ROWS: u64 = 64;

impl Slow {
    fn new<W: Word>(world: &World<W>, material: Material) -> Slow {
        let index = Index::new(&world.grid, material);
        let values: Vec<AtomicU16> = (0..index.entries).map(|_| AtomicU16::new(Packed::NONE.0)).collect();
        index.visit(0..index.rows(), |number, _| values[number as usize].store(OPEN.0, Relaxed));
        Slow { index, values }
    }

    /// Decides the positions at one distance from those that are nearer.
    fn pass<W: Word>(
        &self,
        world: &World<W>,
        halves: &[Slow],
        shelf: &Shelf,
        distance: u16,
        changed: &AtomicBool,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        let nearer = |value: Packed| !value.is_draw() && value.plies() < distance;
        let look = |material: Material, spots: &Spots| {
            let own = halves.iter().find(|half| half.index.material == material);
            let value = match own {
                Some(half) => Packed(half.values[half.index.rank(spots) as usize].load(Relaxed)).plain(),
                None => shelf.value(material, spots).expect("smaller tables are solved first"),
            };
            nearer(value).then_some(value)
        };
        let forward = Forward { world, look };
        let rows = self.index.rows();
        (0..rows.div_ceil(ROWS)).into_par_iter().try_for_each(|part| {
            progress.check()?;
            self.index.visit(part * ROWS..((part + 1) * ROWS).min(rows), |number, spots| {
                let value = &self.values[number as usize];
                if Packed(value.load(Relaxed)).is_settled() {
                    return;
                }
                let position = bare(world.grid.pieces(spots), Color::White);
                if let Some(found) = forward.by_moves(&position)
                    && (!found.is_draw() || world.over(&position).is_some())
                {
                    value.store(found.settled().0, Relaxed);
                    changed.store(true, Relaxed);
                }
            });
            Ok(())
        })
    }

    fn done<W: Word>(self, world: &World<W>) -> Half {
        let mut kinds = vec![NOTHING; self.values.len()];
        let mandatory = world.referee.set().duty == Duty::Mandatory;
        self.index.visit(0..self.index.rows(), |number, spots| {
            let position = bare(world.grid.pieces::<W>(spots), Color::White);
            kinds[number as usize] = if world.over(&position).is_some() {
                OVER
            } else if mandatory && !world.referee.capturers(&position.pieces, Color::White).is_empty() {
                CAPTURE
            } else {
                0
            };
        });
        let plain = |value: AtomicU16| match Packed(value.into_inner()) {
            value if value.is_none() => value.0,
            value => value.plain().0,
        };
        Half { index: self.index, values: self.values.into_iter().map(plain).collect(), kinds }
    }
}

/// What a check of one table found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Check {
    /// Counted afresh.
    pub totals: Totals,
    /// Positions whose value is not the best of what their moves lead to.
    pub errors: u64,
    /// The number of one of them.
    pub example: Option<u64>,
}

/// Compares every value of a table with the best of what the moves lead to. With `coarse`, distances do not count.
pub(super) fn check<W: Word>(
    world: &World<W>,
    solved: &Solved,
    shelf: &Shelf,
    coarse: bool,
    progress: &dyn Progress,
) -> Result<Check, TableError> {
    let look = |material: Material, spots: &Spots| shelf.value(material, spots);
    let forward = Forward { world, look };
    let mandatory = world.referee.set().duty == Duty::Mandatory;
    let (errors, example) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let rows = solved.index.rows();
    let part = |part: u64| -> Result<Totals, TableError> {
        progress.check()?;
        let mut totals = Totals::default();
        let mut seen = 0;
        solved.index.visit(part * ROWS..((part + 1) * ROWS).min(rows), |number, spots| {
            let position = bare(world.grid.pieces(spots), Color::White);
            let expected = forward.by_moves(&position);
            let found = solved.values.get(number);
            let result = |value: Packed| if coarse { value.coarse() } else { value.plain() };
            if found.is_none() || expected.map(result) != Some(result(found)) {
                errors.fetch_add(1, Relaxed);
                example.fetch_min(number, Relaxed);
            }
            let over = world.over(&position).is_some();
            let capture = mandatory && !over && !world.referee.capturers(&position.pieces, Color::White).is_empty();
            totals.count(found, capture);
            seen += 1;
        });
        progress.advance(seen);
        Ok(totals)
    };
    let totals = (0..rows.div_ceil(ROWS)).into_par_iter().map(part).try_reduce(Totals::default, |mut all, some| {
        all.add(&some);
        Ok(all)
    })?;
    let example = example.into_inner();
    Ok(Check { totals, errors: errors.into_inner(), example: (example < u64::MAX).then_some(example) })
}

/// Gives the positions whose values a file leaves out, captures and ends of the game, their values again.
pub(super) fn complete<W: Word>(world: &World<W>, values: &mut [u16], index: &Index, shelf: &Shelf) {
    let length = index.row_length().max(1);
    let rows_at_once = ((1 << 14) / length).max(1);
    let mandatory = world.referee.set().duty == Duty::Mandatory;
    values.par_chunks_mut(rows_at_once * length).enumerate().for_each(|(part, values)| {
        let first = (part * rows_at_once) as u64;
        let mut list = MoveList::new();
        let start = part * rows_at_once * length;
        let mut next = start;
        index.visit(first..(first + rows_at_once as u64).min(index.rows()), |number, spots| {
            (next..number as usize).for_each(|place| values[place - start] = Packed::NONE.0);
            next = number as usize + 1;
            let position = bare(world.grid.pieces::<W>(spots), Color::White);
            let value = &mut values[number as usize - start];
            if let Some(over) = world.over(&position) {
                *value = over.0;
            } else if mandatory && !world.referee.capturers(&position.pieces, Color::White).is_empty() {
                *value = world.best_capture(&position, shelf, &mut list).0;
            }
        });
        (next - start..values.len()).for_each(|place| values[place] = Packed::NONE.0);
    });
}
