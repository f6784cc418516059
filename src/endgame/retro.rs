//! Backwards: from the positions that are decided to those whose quiet moves lead there.
//!
//! Each position counts its quiet moves. A loss makes winners of all positions before it; a win takes one from the count of
//! each, and where nothing is left and no move out of the table helps, the position is lost. Going through the distances in
//! rising order, each position is reached first by its best move, or last by its longest defence. After: Thompson, Retrograde
//! analysis of certain endgames (1986).

use super::TableError;
use super::grid::{Grid, OFF, Spots};
use super::index::{Index, squeezed};
use super::material::Material;
use super::progress::Progress;
use super::solved::{Shelf, Totals};
use super::value::Packed;
use super::world::{CAPTURE, HOLDS, NOTHING, OVER, World};
use crate::game::board::{OPPOSITE, Word};
use crate::game::moves::MoveList;
use crate::game::rules::{Directions, RuleSet};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// One side's half of a pair of materials when it is done.
pub(super) struct Half {
    pub index: Index,
    pub values: Vec<u16>,
    /// A number of moves, or why there is none; see [`super::world`].
    pub kinds: Vec<u8>,
}

impl Half {
    /// Whether a value need not be kept, because the rules give it: no position, a capture, the end of the game.
    pub fn is_free(&self, number: usize) -> bool {
        self.kinds[number] >= OVER
    }

    /// What the half came to.
    pub fn totals(&self) -> Totals {
        let part = |(values, kinds): (&[u16], &[u8])| {
            let mut totals = Totals::default();
            for (value, kind) in values.iter().zip(kinds).filter(|(_, kind)| **kind != NOTHING) {
                totals.count(Packed(*value), *kind == CAPTURE);
            }
            totals
        };
        let parts = self.values.par_chunks(1 << 16).zip(self.kinds.par_chunks(1 << 16)).map(part);
        parts.reduce(Totals::default, |mut all, some| {
            all.add(&some);
            all
        })
    }
}

/// Positions to look back from at one distance, for each half.
#[derive(Default)]
struct Level {
    /// Settled.
    ready: [Vec<u32>; 2],
    /// Won by a move out of the table, unless settled sooner.
    pending: [Vec<u32>; 2],
}

struct Work {
    index: Index,
    values: Vec<AtomicU16>,
    kinds: Vec<AtomicU8>,
}

/// Solves a material and its mirror; one half when they are the same. `shelf` holds what captures and promotions lead to.
pub(super) fn solve<W: Word>(
    world: &World<W>,
    material: Material,
    shelf: &Shelf,
    progress: &dyn Progress,
) -> Result<Vec<Half>, TableError> {
    let materials = if material.is_even() { vec![material] } else { vec![material, material.mirror()] };
    let mut levels = Vec::new();
    let mut halves = Vec::new();
    for (side, material) in materials.into_iter().enumerate() {
        let index = Index::new(&world.grid, material);
        if index.entries > u64::from(u32::MAX) {
            return Err(TableError::TooLarge { material, entries: index.entries });
        }
        let mut work = Work {
            values: (0..index.entries).map(|_| AtomicU16::new(Packed::NONE.0)).collect(),
            kinds: (0..index.entries).map(|_| AtomicU8::new(NOTHING)).collect(),
            index,
        };
        begin(world, &mut work, side, shelf, &mut levels, progress)?;
        halves.push(work);
    }
    let mut distance = 0;
    while distance < levels.len() {
        progress.check()?;
        let level = std::mem::take(&mut levels[distance]);
        look_back(world, &halves, distance as u16, level, &mut levels);
        distance += 1;
    }
    Ok(halves.into_iter().map(Work::done).collect())
}

impl Work {
    fn done(self) -> Half {
        let values = self.values.into_iter().map(|v| Packed(v.into_inner()));
        // What nobody could decide is drawn; so is what only a move out of the table could lose.
        let last = |value: Packed| match value {
            value if value.is_none() => value.0,
            value if value.is_settled() => value.plain().0,
            _ => Packed::DRAW.0,
        };
        Half {
            index: self.index,
            values: values.map(last).collect(),
            kinds: self.kinds.into_iter().map(AtomicU8::into_inner).collect(),
        }
    }
}

/// Numbers with the distance at which to look back from them.
#[derive(Default)]
struct Found {
    ready: Vec<(u16, u32)>,
    pending: Vec<(u16, u32)>,
}

fn enter(levels: &mut Vec<Level>, side: usize, found: Vec<Found>) {
    let all = found.iter().flat_map(|part| part.ready.iter().chain(&part.pending));
    let needed = all.map(|(distance, _)| usize::from(*distance) + 1).max().unwrap_or(0);
    if levels.len() < needed {
        levels.resize_with(needed, Level::default);
    }
    for part in found {
        part.ready.into_iter().for_each(|(distance, n)| levels[distance as usize].ready[side].push(n));
        part.pending.into_iter().for_each(|(distance, n)| levels[distance as usize].pending[side].push(n));
    }
}

/// Fills a half with what is known before any quiet move.
fn begin<W: Word>(
    world: &World<W>,
    work: &mut Work,
    side: usize,
    shelf: &Shelf,
    levels: &mut Vec<Level>,
    progress: &dyn Progress,
) -> Result<(), TableError> {
    let index = work.index;
    let length = index.row_length().max(1);
    let rows_at_once = ((1 << 14) / length).max(1);
    let chunk = rows_at_once * length;
    let parts = work.values.par_chunks_mut(chunk).zip(work.kinds.par_chunks_mut(chunk)).enumerate();
    let found = parts.map(|(part, (values, kinds))| {
        progress.check()?;
        let first = (part * rows_at_once) as u64;
        let rows = first..(first + rows_at_once as u64).min(index.rows());
        let mut found = Found::default();
        let mut list = MoveList::new();
        index.visit(rows, |number, spots| {
            let (value, kind) = world.start(spots, shelf, &mut list);
            let place = number as usize - part * chunk;
            *values[place].get_mut() = value.0;
            *kinds[place].get_mut() = kind;
            let entry = (value.plies(), number as u32);
            match value {
                value if value.is_draw() => {}
                value if value.is_settled() => found.ready.push(entry),
                value if value.is_win() => found.pending.push(entry),
                _ => {}
            }
        });
        progress.advance(values.len() as u64);
        Ok(found)
    });
    let found = found.collect::<Result<Vec<_>, TableError>>()?;
    enter(levels, side, found);
    Ok(())
}

/// Looks back from everything that is decided at a distance.
fn look_back<W: Word>(world: &World<W>, halves: &[Work], distance: u16, level: Level, levels: &mut Vec<Level>) {
    let steps = Steps::of(world.referee.set(), &world.grid);
    let Level { mut ready, pending } = level;
    for (side, work) in halves.iter().enumerate() {
        let claim = |number: &u32| {
            let value = &work.values[*number as usize];
            let known = Packed(value.load(Relaxed));
            // Nobody else writes between two levels.
            let open = !known.is_settled();
            if open {
                value.store(known.settled().0, Relaxed);
            }
            open
        };
        ready[side].extend(pending[side].iter().copied().filter(claim));
    }
    for (side, work) in halves.iter().enumerate() {
        let before = halves.len() - 1 - side;
        let target = &halves[before];
        let found: Vec<Found> = ready[side]
            .par_chunks(1 << 11)
            .map(|numbers| {
                let mut found = Found::default();
                for &number in numbers {
                    let won = Packed(work.values[number as usize].load(Relaxed)).is_win();
                    let spots = work.index.unrank(u64::from(number)).expect("only positions are settled");
                    let turned = world.grid.turn(&spots);
                    steps.before(&turned, &target.index, |earlier| {
                        target.hear(earlier, won, distance, &mut found.ready);
                    });
                }
                found
            })
            .collect();
        enter(levels, before, found);
    }
}

impl Work {
    /// A position with a quiet move to one that is decided at `distance`.
    #[inline]
    fn hear(&self, number: u64, won: bool, distance: u16, found: &mut Vec<(u16, u32)>) {
        let place = number as usize;
        let value = &self.values[place];
        let mut known = Packed(value.load(Relaxed));
        if known.is_settled() {
            return;
        }
        if won {
            if known.is_win() || known == HOLDS || self.kinds[place].fetch_sub(1, Relaxed) != 1 {
                return;
            }
            let longest = if known.is_loss() { known.plies().max(distance + 1) } else { distance + 1 };
            value.store(Packed::loss(longest).settled().0, Relaxed);
            found.push((longest, number as u32));
            return;
        }
        let win = Packed::win(distance + 1).settled();
        while !(known.is_settled() || known.is_win() && known.plies() <= distance + 1) {
            match value.compare_exchange(known.0, win.0, Relaxed, Relaxed) {
                Ok(_) => {
                    found.push((distance + 1, number as u32));
                    return;
                }
                Err(now) => known = Packed(now),
            }
        }
    }
}

/// Quiet moves backwards, for the side drawn as White.
struct Steps<'a> {
    grid: &'a Grid,
    man: Vec<usize>,
    king: Vec<usize>,
    flies: bool,
}

impl<'a> Steps<'a> {
    fn of(set: &RuleSet, grid: &'a Grid) -> Steps<'a> {
        let back = |directions: Directions| (0..8).filter(|&d| directions.has(d)).map(|d| OPPOSITE[d]).collect();
        Steps { grid, man: back(set.man_move), king: back(set.king_move), flies: set.king_flies }
    }

    /// Calls `visit` with the number of each position from which a quiet move of the side drawn as White leads to `spots`.
    #[inline]
    fn before(&self, spots: &Spots, index: &Index, mut visit: impl FnMut(u64)) {
        let everything = spots.men.iter().chain(&spots.kings).flat_map(|few| few.list());
        let occupied = everything.fold(0u128, |set, &square| set | 1 << square);
        let free = |square: u8| square != OFF && occupied >> square & 1 == 0;
        let men = index.rank_men(spots);
        let ours = squeezed(&spots.kings[0], &spots.men);
        let theirs = squeezed(&spots.kings[1], &spots.men);
        for (place, &king) in spots.kings[0].list().iter().enumerate() {
            let others = ours.without(place);
            for &direction in &self.king {
                let next = &self.grid.next[direction];
                let mut from = next[king as usize];
                while free(from) {
                    let mut moved = others;
                    moved.insert(from - spots.men[0].below(from) - spots.men[1].below(from));
                    visit(index.rank_with(men, &moved, &theirs));
                    if !self.flies {
                        break;
                    }
                    from = next[from as usize];
                }
            }
        }
        for (place, &man) in spots.men[0].list().iter().enumerate() {
            for &direction in &self.man {
                let from = self.grid.next[direction][man as usize];
                if free(from) && usize::from(from) >= self.grid.row {
                    let mut earlier = *spots;
                    earlier.men[0] = spots.men[0].without(place);
                    earlier.men[0].insert(from);
                    visit(index.rank(&earlier));
                }
            }
        }
    }
}
