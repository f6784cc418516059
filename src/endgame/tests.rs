//! Tables as a whole: against published totals, against themselves, and against the slow way.

use super::build::{Plan, Scope, build_into};
use super::material::Material;
use super::progress::Quiet;
use super::retro;
use super::solved::{Shelf, Solved, Totals, Values};
use super::world::World;
use super::{TableError, forward};
use crate::game::board::Word;
use crate::game::kernels::AnyKernel;
use crate::game::position::Referee;
use crate::game::rules::*;
use crate::game::table::*;
use crate::game::variant::Variant;
use std::sync::Arc;

fn custom(set: RuleSet) -> Arc<Variant> {
    Variant::custom("test", "test", "test", set)
}

/// Solves up to so many pieces both ways and compares everything.
fn both_ways<W: Word>(referee: Referee<W>, pieces: usize) -> Result<u64, TableError> {
    let world = World::new(referee)?;
    let mut shelf = Shelf::default();
    let mut seen = 0;
    for material in (2..=pieces).flat_map(Material::pairs) {
        let fast = retro::solve(&world, material, &shelf, &Quiet)?;
        let slow = forward::solve(&world, material, &shelf, &Quiet)?;
        for (fast, slow) in fast.into_iter().zip(slow) {
            assert_eq!(fast.index, slow.index);
            let differs = (0..fast.values.len()).find(|&n| fast.values[n] != slow.values[n]);
            if let Some(number) = differs {
                let values = [fast.values[number], slow.values[number]].map(super::value::Packed);
                panic!("{} {number}: {values:?} {:?}", fast.index.material, fast.index.unrank(number as u64));
            }
            assert_eq!(fast.totals(), slow.totals());
            seen += fast.totals().positions;
            shelf.put(Arc::new(Solved { index: fast.index, values: Values::new(fast.values) }));
        }
    }
    Ok(seen)
}

fn agree(set: RuleSet, pieces: usize) -> u64 {
    let variant = custom(set);
    let done = match variant.kernel {
        AnyKernel::Narrow(kernel) => both_ways(Referee { variant: &variant, kernel }, pieces),
        AnyKernel::Wide(kernel) => both_ways(Referee { variant: &variant, kernel }, pieces),
    };
    done.expect("solved")
}

/// The way back and the way through all positions give the same, in games with all kinds of ends and duties.
#[test]
fn both_ways_agree() {
    let small = RuleSet { board: crate::game::board::Board::dark(6, 6, true), rows: 2, ..BRAZILIAN };
    let short = RuleSet { king_flies: false, king_captures_afar: false, ..small };
    let sets = [
        small,
        short,
        RuleSet { goal: Goal::Lose, ..small },
        RuleSet { goal: Goal::FirstKing, ..small },
        RuleSet { kings_only: KingsOnly::MoreWins, landing: Landing::Behind, ..small },
        RuleSet { kings_only: KingsOnly::MoreWinsEqualPlaysOn, ..short },
        RuleSet { one_against_one: true, ..short },
        RuleSet { blocked: Blocked::Draws, ..short },
        RuleSet { duty: Duty::Optional, ..short },
        RuleSet { duty: Duty::Optional, ..small },
        RuleSet { man_move: Directions::DIAGONAL, ..short },
        RuleSet { promotion: Promotion::InPassing, choice: [None; 5], ..small },
        RuleSet { board: crate::game::board::Board::dark(6, 7, true), rows: 2, ..short },
        RuleSet {
            board: crate::game::board::Board { width: 5, height: 4, all_squares: true, corner: true },
            rows: 1,
            offset: 0,
            ..TURKISH
        },
    ];
    for set in sets {
        assert!(agree(set, 3) > 4_000, "{set:?}");
    }
}

/// The totals of all tables of so many pieces.
fn totals(name: &str, pieces: usize) -> Totals {
    let variant = Variant::find(name).expect("built in");
    let mut all = Totals::default();
    let plan = Plan { variant: &variant, pieces, folder: None, progress: &Quiet };
    build_into(&plan, &Scope::All, true, &mut |solved| {
        if solved.index.material.pieces() == pieces {
            for number in 0..solved.values.len() as u64 {
                let value = solved.values.get(number);
                if !value.is_none() {
                    all.count(value, false);
                }
            }
        }
    })
    .expect("solved");
    all
}

/// Totals that independent programs have found too.
#[test]
fn totals_are_the_published_ones() {
    let three = totals("english", 3);
    assert_eq!((three.positions, three.results), (196_032, [100_250, 8_477, 87_305]));
    assert_eq!((three.longest_win, three.longest_loss), (61, 62));
    let three = totals("russian", 3);
    assert_eq!((three.results, three.longest_win, three.longest_loss), ([67_475, 95_144, 33_413], 25, 24));
    let two = totals("international", 2);
    assert_eq!((two.results, two.longest_win, two.longest_loss), ([3_205, 3_678, 1_962], 17, 16));
}
