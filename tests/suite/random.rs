//! Random games and random placements of every rule set, seen by the engine's generator and by the reference.

use crate::data;
use crate::fast::{Pair, named};
use crate::reference::Legal;
use damka::game::board::{Color, Square};
use damka::game::plain::{Piece, Setup};
use damka::game::rules::{Duty, RuleSet};
use damka::game::variant::Variant;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A small repeatable source of numbers. After: Steele, Lea and Flood, SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

/// Huffing with the choice of captures free, as in the old English game, and with the house rules that go with it.
pub fn huffing() -> Vec<Arc<Variant>> {
    ["english", "russian", "german", "gothic", "house-all", "house-back-fly"]
        .into_iter()
        .map(|id| {
            let set = RuleSet { duty: Duty::Huffing, ..data::variant(id).set };
            Variant::custom(&format!("{id}-huffing"), id, "a test", set)
        })
        .collect()
}

/// A random placement: up to `most` pieces a side, a share of them kings.
pub fn placement(set: &RuleSet, dice: &mut Dice, most: usize) -> Setup {
    let side = if dice.below(2) == 0 { Color::White } else { Color::Black };
    let mut setup = Setup::empty(set.board, side);
    let squares = setup.cells.len();
    let kings_of_ten = [1 + dice.below(10), 1 + dice.below(10)];
    for color in [Color::White, Color::Black] {
        for _ in 0..1 + dice.below(most) {
            let square = Square(dice.below(squares) as u8 + 1);
            let (_, row) = set.board.column_row(square);
            let last = row == if color == Color::White { 0 } else { set.board.height as usize - 1 };
            let king = last || dice.below(10) < kings_of_ten[color.index()];
            setup.cells[square.0 as usize - 1].get_or_insert(Piece { color, king });
        }
    }
    setup
}

/// A man or king of White among Black's pieces on squares that it can jump in turn: captures that go round and meet the
/// same pieces in another order.
fn ring(set: &RuleSet, dice: &mut Dice) -> Setup {
    let mut setup = Setup::empty(set.board, Color::White);
    let squares = setup.cells.len();
    let (column, row) = set.board.column_row(Square(dice.below(squares) as u8 + 1));
    let density = 3 + dice.below(6);
    for index in 0..squares {
        let (other_column, other_row) = set.board.column_row(Square(index as u8 + 1));
        let between = (other_column.abs_diff(column) % 2, other_row.abs_diff(row) % 2);
        let king = dice.below(2) == 0 || other_row + 1 == set.board.height as usize;
        if between != (0, 0) && (between == (1, 1) || dice.below(8) == 0) && dice.below(10) < density {
            setup.cells[index] = Some(Piece { color: Color::Black, king });
        }
    }
    let at = set.board.at(column, row).expect("the square it came from");
    setup.cells[at.0 as usize - 1] = Some(Piece { color: Color::White, king: row == 0 || dice.below(3) > 0 });
    setup
}

/// Whether landing lists are followed as the reference says: the squares of a walk in order are accepted with any of them
/// left out, another square among them is refused.
fn check_follows(pair: &Pair, legal: &[Legal], dice: &mut Dice) -> Result<(), String> {
    let captures: Vec<&Legal> = legal.iter().filter(|legal| !legal.landings.is_empty()).collect();
    if captures.is_empty() {
        return Ok(());
    }
    let chosen = captures[dice.below(captures.len())];
    let Some(mv) = pair.game.moves().into_iter().find(|mv| named(mv) == chosen.mv) else {
        return Ok(());
    };
    let walk = &chosen.landings[dice.below(chosen.landings.len())];
    let mut some: Vec<Square> = walk.iter().copied().filter(|_| dice.below(3) > 0).collect();
    if !pair.game.follows(&mv, &some) {
        return Err(format!("{:?} does not follow {some:?}", chosen.mv));
    }
    let squares = pair.slow.cells().len();
    some.insert(dice.below(some.len() + 1), Square(dice.below(squares) as u8 + 1));
    let within = |walk: &Vec<Square>| {
        let mut rest = walk.iter();
        some.iter().all(|stop| rest.any(|square| square == stop))
    };
    let expected = chosen.landings.iter().any(within);
    if pair.game.follows(&mv, &some) != expected {
        return Err(format!("{:?} follows {some:?}: expected {expected}", chosen.mv));
    }
    Ok(())
}

/// Positions compared, and positions that the reference gave up.
#[derive(Default)]
struct Tally {
    compared: AtomicUsize,
    given_up: AtomicUsize,
}

fn play_out(mut pair: Pair, plies: usize, dice: &mut Dice, tally: &Tally) -> Result<(), String> {
    for _ in 0..plies {
        let place = |error: String| format!("{:?}\n{error}", pair.game.setup());
        let Ok(legal) = pair.compare().map_err(place)? else {
            tally.given_up.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        };
        check_follows(&pair, &legal, dice).map_err(place)?;
        tally.compared.fetch_add(1, Ordering::Relaxed);
        if pair.game.moves().is_empty() {
            return Ok(());
        }
        let chosen = legal[dice.below(legal.len())].mv.clone();
        pair.play(&chosen).map_err(|error| format!("{chosen:?}: {error}"))?;
    }
    Ok(())
}

fn try_variant(variant: &Arc<Variant>, tally: &Tally) -> Result<(), String> {
    let mut dice = Dice(variant.id.bytes().fold(20_240, |seed, byte| seed * 31 + u64::from(byte)));
    for _ in 0..5 {
        play_out(Pair::new(variant, &Setup::start(variant)), 90, &mut dice, tally)?;
    }
    let squares = variant.set.board.squares();
    let deep = std::env::var("DAMKA_DEEP").is_ok();
    for round in 0..if deep { 3000 } else { 140 } {
        let setup = match round % 4 {
            0 => placement(&variant.set, &mut dice, 1 + squares / 4),
            1 => ring(&variant.set, &mut dice),
            _ => placement(&variant.set, &mut dice, 1 + squares / 8),
        };
        play_out(Pair::new(variant, &setup), 5, &mut dice, tally)?;
    }
    Ok(())
}

#[test]
fn random_positions_have_the_moves_of_the_reference() {
    let mut variants: Vec<Arc<Variant>> = data::variants().into_iter().chain(huffing()).collect();
    // One rule set by its name, to look at it alone.
    let only = std::env::var("DAMKA_ONLY").ok();
    variants.retain(|variant| only.as_ref().is_none_or(|only| *only == variant.id));
    let tally = Tally::default();
    let wrong: Vec<String> = variants
        .par_iter()
        .filter_map(|variant| try_variant(variant, &tally).err().map(|error| format!("{}: {error}", variant.id)))
        .collect();
    let (compared, given_up) = (tally.compared.into_inner(), tally.given_up.into_inner());
    println!("{} rule sets, {compared} positions compared, {given_up} left out (too many walks)", variants.len());
    assert!(wrong.is_empty(), "{} rule sets differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        only.is_some() || compared > 40_000 && given_up * 100 < compared,
        "{compared} compared, {given_up} left out"
    );
}
