//! Positions as numbers without gaps: for each material, place n is one arrangement of its pieces and back.
//!
//! `((men * other men) * kings) * other kings`, each set of squares as the sum of binomials of its members; kings are
//! counted on the squares that men leave free, the other side's kings on those that all leave free. The two sides' men may
//! stand on the same square in this count: those numbers are no positions.

use super::grid::{Few, Grid, Spots};
use super::material::{MAX_PIECES, Material};
use std::ops::Range;
use std::sync::OnceLock;

/// Squares a board may have, plus one.
const N: usize = 73;

/// `CHOOSE[n][k]`.
static CHOOSE: [[u32; MAX_PIECES + 1]; N] = choose();

const fn choose() -> [[u32; MAX_PIECES + 1]; N] {
    let mut table = [[0; MAX_PIECES + 1]; N];
    let mut n = 0;
    while n < N {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MAX_PIECES && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Number of a set among those of its size.
#[inline(always)]
fn rank(numbers: &[u8]) -> u32 {
    numbers.iter().enumerate().map(|(place, &n)| CHOOSE[n as usize][place + 1]).sum()
}

/// Sets by number, for sizes whose sets are few.
const LISTED: u32 = 1 << 17;

fn listed(size: usize) -> &'static [Few] {
    static LISTS: [OnceLock<Vec<Few>>; MAX_PIECES + 1] = [const { OnceLock::new() }; MAX_PIECES + 1];
    LISTS[size].get_or_init(|| {
        let all = CHOOSE[N - 1][size].min(LISTED);
        let mut set = Few::first(size as u8);
        let mut list = Vec::with_capacity(all as usize);
        for _ in 0..all {
            list.push(set);
            step(&mut set, N as u8);
        }
        list
    })
}

/// The set with a number.
fn unrank(mut number: u32, size: u8) -> Few {
    if let Some(set) = listed(size as usize).get(number as usize) {
        return *set;
    }
    let mut set = Few::first(size);
    for place in (0..size as usize).rev() {
        let n = (0..N).rev().find(|&n| CHOOSE[n][place + 1] <= number).expect("0 is small enough");
        set.list_mut()[place] = n as u8;
        number -= CHOOSE[n][place + 1];
    }
    set
}

/// Goes on to the next set of numbers below `end`; `false`, and back at the first, after the last.
fn step(set: &mut Few, end: u8) -> bool {
    let list = set.list_mut();
    for place in 0..list.len() {
        let limit = list.get(place + 1).copied().unwrap_or(end);
        if list[place] + 1 < limit {
            list[place] += 1;
            (0..place).for_each(|i| list[i] = i as u8);
            return true;
        }
    }
    (0..list.len()).for_each(|i| list[i] = i as u8);
    false
}

/// The numbering of one material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Index {
    /// What is on the board.
    pub material: Material,
    /// Numbers in use, those without a position included.
    pub entries: u64,
    row: u8,
    /// Squares open to men; to our kings; to theirs.
    open: [u8; 3],
    /// Sets of our men, their men, our kings, their kings.
    sets: [u32; 4],
}

impl Index {
    /// Numbers the positions of a material on a board.
    pub fn new(grid: &Grid, material: Material) -> Index {
        let Material { men, kings } = material;
        let men_open = grid.squares - grid.row;
        let kings_open = grid.squares.saturating_sub(material.all_men());
        let rest = kings_open.saturating_sub(usize::from(kings[0]));
        let sets = [
            CHOOSE[men_open][usize::from(men[0])],
            CHOOSE[men_open][usize::from(men[1])],
            CHOOSE[kings_open][usize::from(kings[0])],
            CHOOSE[rest][usize::from(kings[1])],
        ];
        let entries = sets.iter().map(|&n| u64::from(n)).product();
        Index { material, entries, row: grid.row as u8, open: [men_open as u8, kings_open as u8, rest as u8], sets }
    }

    /// Number of the arrangements of all but the other side's kings.
    pub fn rows(&self) -> u64 {
        if self.sets[3] == 0 { 0 } else { self.entries / u64::from(self.sets[3]) }
    }

    /// Arrangements in a row.
    pub fn row_length(&self) -> usize {
        self.sets[3] as usize
    }

    /// The number of a position of this material.
    #[inline]
    pub fn rank(&self, spots: &Spots) -> u64 {
        let men = self.rank_men(spots);
        let ours = squeezed(&spots.kings[0], &spots.men);
        let theirs = squeezed(&spots.kings[1], &spots.men);
        self.rank_with(men, &ours, &theirs)
    }

    /// The part of the number that the men make.
    #[inline]
    pub fn rank_men(&self, spots: &Spots) -> u64 {
        let mut ours = spots.men[0];
        ours.list_mut().iter_mut().for_each(|square| *square -= self.row);
        u64::from(rank(ours.list())) * u64::from(self.sets[1]) + u64::from(rank(spots.men[1].list()))
    }

    /// The number, from the part of the men and the kings of both, counted on the squares that men leave free.
    #[inline(always)]
    pub fn rank_with(&self, men: u64, ours: &Few, theirs: &Few) -> u64 {
        let mut theirs = *theirs;
        theirs.list_mut().iter_mut().for_each(|square| *square -= ours.below(*square));
        let kings = men * u64::from(self.sets[2]) + u64::from(rank(ours.list()));
        kings * u64::from(self.sets[3]) + u64::from(rank(theirs.list()))
    }

    /// The position with a number; `None` where men would stand on each other.
    pub fn unrank(&self, number: u64) -> Option<Spots> {
        let [_, c, b, d] = self.sets.map(u64::from);
        let (rest, theirs) = (number / d, number % d);
        let (rest, ours) = (rest / b, rest % b);
        let (men, their_men) = (rest / c, rest % c);
        let Material { men: m, kings: k } = self.material;
        let mut spots = Spots { men: [unrank(men as u32, m[0]), unrank(their_men as u32, m[1])], ..Spots::default() };
        spots.men[0].list_mut().iter_mut().for_each(|square| *square += self.row);
        if overlap(&spots.men) {
            return None;
        }
        let mut taken = Few::default();
        spots.men.iter().flat_map(|few| few.list()).for_each(|&square| taken.insert(square));
        spots.kings[0] = spread(&unrank(ours as u32, k[0]), &taken);
        spots.kings[0].list().iter().for_each(|&square| taken.insert(square));
        spots.kings[1] = spread(&unrank(theirs as u32, k[1]), &taken);
        Some(spots)
    }

    /// Calls `visit` with every position of some rows and its number, in rising order.
    pub fn visit(&self, rows: Range<u64>, mut visit: impl FnMut(u64, &Spots)) {
        let Material { men: m, kings: k } = self.material;
        let (c, b, d) = (u64::from(self.sets[1]), u64::from(self.sets[2]), self.sets[3]);
        if rows.is_empty() || d == 0 {
            return;
        }
        let mut men = unrank((rows.start / b / c) as u32, m[0]);
        let mut their_men = unrank((rows.start / b % c) as u32, m[1]);
        let mut ours = unrank((rows.start % b) as u32, k[0]);
        for row in rows {
            let mut spots = Spots { men: [men, their_men], ..Spots::default() };
            spots.men[0].list_mut().iter_mut().for_each(|square| *square += self.row);
            if !overlap(&spots.men) {
                let mut taken = Few::default();
                spots.men.iter().flat_map(|few| few.list()).for_each(|&square| taken.insert(square));
                spots.kings[0] = spread(&ours, &taken);
                spots.kings[0].list().iter().for_each(|&square| taken.insert(square));
                let mut theirs = Few::first(k[1]);
                for place in 0..d {
                    spots.kings[1] = spread(&theirs, &taken);
                    visit(row * u64::from(d) + u64::from(place), &spots);
                    step(&mut theirs, self.open[2]);
                }
            }
            if !step(&mut ours, self.open[1]) && !step(&mut their_men, self.open[0]) {
                step(&mut men, self.open[0]);
            }
        }
    }
}

fn overlap(men: &[Few; 2]) -> bool {
    men[0].list().iter().any(|square| men[1].list().contains(square))
}

/// Squares counted on those that men leave free.
#[inline(always)]
pub(super) fn squeezed(kings: &Few, men: &[Few; 2]) -> Few {
    let mut out = *kings;
    out.list_mut().iter_mut().for_each(|square| *square -= men[0].below(*square) + men[1].below(*square));
    out
}

/// The squares that numbers on the squares left free stand for.
fn spread(numbers: &Few, taken: &Few) -> Few {
    let mut out = *numbers;
    for number in out.list_mut() {
        // Every taken square at or before it moves it one on; they come in rising order.
        for &square in taken.list() {
            *number += u8::from(square <= *number);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::RuleSet;
    use crate::game::table::*;

    fn check(set: &RuleSet, pieces: usize, every: u64) -> u64 {
        let grid = Grid::new(set).expect("a board with a turn");
        let mut total = 0;
        for material in Material::all(pieces) {
            let index = Index::new(&grid, material);
            let mut last = None;
            index.visit(0..index.rows(), |number, spots| {
                assert!(last.is_none_or(|last| last < number) && number < index.entries, "{material} {number}");
                last = Some(number);
                total += 1;
                if number % every == 0 {
                    assert_eq!(index.rank(spots), number, "{material} {spots:?}");
                    assert_eq!(index.unrank(number).as_ref(), Some(spots), "{material} {number}");
                }
            });
            // A part of the rows gives the same as the whole.
            let (from, mut seen) = (index.rows() / 3, Vec::new());
            index.visit(from..(from + 2).min(index.rows()), |number, spots| seen.push((number, *spots)));
            assert!(seen.iter().all(|(number, spots)| index.rank(spots) == *number));
        }
        total
    }

    /// The numbers of positions are those of combinatorics.
    #[test]
    fn every_position_has_one_number() {
        assert_eq!(check(&ENGLISH, 2, 1), 3_488);
        assert_eq!(check(&ENGLISH, 3, 1), 196_032);
        assert_eq!(check(&INTERNATIONAL, 2, 1), 8_845);
        assert_eq!(check(&INTERNATIONAL, 3, 3), 806_300);
        assert_eq!(check(&CANADIAN, 3, 11), 2_518_980);
        assert_eq!(check(&TURKISH, 2, 1), 4_032 + 2 * 3_528 + 3_088);
    }

    #[test]
    fn four_pieces_on_the_small_board() {
        assert_eq!(check(&ENGLISH, 4, 7), 6_209_316);
    }

    #[test]
    fn sets_that_are_not_listed_are_found_too() {
        for (size, number) in [(4u8, LISTED + 5), (5, 8_000_000), (6, 100_000_000), (3, 59_000)] {
            let set = unrank(number, size);
            assert_eq!(rank(set.list()), number, "{set:?}");
        }
    }
}
