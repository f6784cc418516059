//! Positions in which captures branch without end: kings among lattices of pieces, boards full of kings.
//!
//! Every rule set must list its moves at once and in bounded memory, however many ways there are to play them.

use crate::data;
use crate::random::{Dice, huffing};
use damka::game::Game;
use damka::game::board::{Color, Square};
use damka::game::plain::{Piece, Setup};
use damka::game::rules::RuleSet;
use damka::game::variant::Variant;
use rayon::prelude::*;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The longest a position may take.
const LIMIT: Duration = Duration::from_millis(50);

/// How long a position is waited for before it is reported as worse than slow.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time that this thread has spent computing, where the system tells; other threads of a busy machine do not count.
fn clock() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Time to list the moves: the best of up to three tries.
fn time(game: &Game) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let (began, wall) = (clock(), Instant::now());
        std::hint::black_box(game.moves());
        let taken = clock().zip(began).map_or(wall.elapsed(), |(ended, began)| ended - began);
        best = best.min(taken);
        if best < LIMIT / 10 {
            break;
        }
    }
    best
}

fn timed(variant: &Arc<Variant>, setup: &Setup) -> Duration {
    time(&Game::from_setup(variant.clone(), setup).expect("a sound set-up"))
}

fn written(setup: &Setup) -> String {
    let list = |color| {
        let numbered = setup.cells.iter().enumerate();
        let own = numbered.filter_map(|(i, cell)| cell.filter(|p| p.color == color).map(|p| (i + 1, p.king)));
        let words: Vec<String> = own.map(|(n, king)| format!("{}{n}", if king { "K" } else { "" })).collect();
        words.join(",")
    };
    format!("{}:W{}:B{}", setup.side.letter(), list(Color::White), list(Color::Black))
}

/// A piece that may stand there: a man on its last row is a king.
fn sound(set: &RuleSet, square: Square, color: Color, king: bool) -> Piece {
    let (_, row) = set.board.column_row(square);
    let last = if color == Color::White { 0 } else { set.board.height as usize - 1 };
    Piece { color, king: king || row == last }
}

/// Enemy pieces wherever column and row fall on a lattice, one or more kings of the mover, and some holes.
fn lattice(set: &RuleSet, dice: &mut Dice) -> Setup {
    let mut setup = Setup::empty(set.board, Color::White);
    let (step_c, step_r) = (2 + dice.below(2), 1 + dice.below(3));
    let (off_c, off_r) = (dice.below(step_c), dice.below(step_r));
    let (holes, kings) = (dice.below(6), dice.below(10));
    for number in 1..=setup.cells.len() {
        let square = Square(number as u8);
        let (column, row) = set.board.column_row(square);
        if column % step_c == off_c && row % step_r == off_r && dice.below(10) >= holes {
            setup.cells[number - 1] = Some(sound(set, square, Color::Black, dice.below(10) < kings));
        }
    }
    for _ in 0..1 + dice.below(3) {
        let square = dice.below(setup.cells.len());
        setup.cells[square] = Some(Piece { color: Color::White, king: true });
    }
    setup
}

/// Many kings of both sides at random.
fn crowd(set: &RuleSet, dice: &mut Dice) -> Setup {
    let mut setup = Setup::empty(set.board, Color::White);
    let filled = 10 + dice.below(50);
    let own = 1 + dice.below(40);
    let men = dice.below(40);
    for number in 1..=setup.cells.len() {
        if dice.below(100) < filled {
            let color = if dice.below(100) < own { Color::White } else { Color::Black };
            setup.cells[number - 1] = Some(sound(set, Square(number as u8), color, dice.below(100) >= men));
        }
    }
    let king = dice.below(setup.cells.len());
    setup.cells[king] = Some(Piece { color: Color::White, king: true });
    setup
}

/// One square changed at random.
fn changed(set: &RuleSet, setup: &Setup, dice: &mut Dice) -> Setup {
    let mut next = setup.clone();
    for _ in 0..1 + dice.below(2) {
        let index = dice.below(next.cells.len());
        let color = if dice.below(6) == 0 { Color::White } else { Color::Black };
        let piece = sound(set, Square(index as u8 + 1), color, color == Color::White || dice.below(2) == 0);
        next.cells[index] = if next.cells[index].is_some() || dice.below(2) == 0 { None } else { Some(piece) };
    }
    next
}

/// What a searching thread is at, for the watcher: the position and since when.
type Desk = Mutex<Option<(Instant, Setup)>>;

/// The slowest position found: `tries` random ones, then as many changes of the worst, kept when slower.
fn worst(variant: &Arc<Variant>, tries: usize, seed: u64, desk: &Desk) -> (Duration, Setup) {
    let mut dice = Dice(variant.id.bytes().fold(seed, |seed, byte| seed * 31 + u64::from(byte)));
    let mut worst = (Duration::ZERO, Setup::start(variant));
    for round in 0..2 * tries {
        let setup = match round {
            _ if round >= tries => changed(&variant.set, &worst.1, &mut dice),
            _ if round % 2 == 0 => lattice(&variant.set, &mut dice),
            _ => crowd(&variant.set, &mut dice),
        };
        *desk.lock().expect("no thread panics here") = Some((Instant::now(), setup.clone()));
        let taken = timed(variant, &setup);
        if taken > worst.0 {
            worst = (taken, setup);
        }
        if worst.0 > 4 * LIMIT {
            break;
        }
    }
    *desk.lock().expect("no thread panics here") = None;
    worst
}

/// As [`worst`], but a position that takes seconds is reported instead of waited for.
fn watched(variant: &Arc<Variant>, tries: usize, seed: u64) -> (Duration, Setup) {
    let desk = Arc::new(Desk::default());
    let (theirs, searched) = (desk.clone(), variant.clone());
    let search = std::thread::spawn(move || worst(&searched, tries, seed, &theirs));
    while !search.is_finished() {
        std::thread::sleep(Duration::from_millis(5));
        if let Some((since, setup)) = desk.lock().expect("no thread panics here").as_ref() {
            if since.elapsed() > PATIENCE {
                return (since.elapsed(), setup.clone());
            }
        }
    }
    search.join().expect("the search ends")
}

fn every_rule_set() -> Vec<Arc<Variant>> {
    data::variants().into_iter().chain(huffing()).collect()
}

#[test]
fn known_explosions_answer_at_once() {
    for cells in data::rows("explosions.tsv") {
        let [id, fen, count] = &cells[..] else { panic!("{cells:?}") };
        let variant = data::variant(id);
        let setup = data::setup(variant.set.board, fen);
        let game = Game::from_setup(variant, &setup).expect("a sound set-up");
        let taken = time(&game);
        assert!(taken < LIMIT, "{id} {fen}: {taken:?}");
        if !count.is_empty() {
            assert_eq!(game.moves().len().to_string(), *count, "{id} {fen}");
        }
    }
}

/// How hard to look: `DAMKA_DEEP` looks a hundred times as long and prints the worst position of every rule set.
#[test]
#[ignore = "slow positions are known in some rule sets; run with --ignored to list the worst of each"]
fn no_position_explodes() {
    let deep: usize = std::env::var("DAMKA_DEEP").ok().and_then(|v| v.parse().ok()).unwrap_or(0);
    let tries = if deep > 0 { 20_000 } else { 200 };
    let mut found: Vec<(Duration, String)> = every_rule_set()
        .par_iter()
        .map(|variant| {
            let (taken, setup) = watched(variant, tries, deep as u64);
            let game = Game::from_setup(variant.clone(), &setup).expect("a sound set-up");
            let moves = if taken < PATIENCE { game.moves().len() } else { 0 };
            (taken, format!("{} {} ({moves} moves)", variant.id, written(&setup)))
        })
        .collect();
    found.sort();
    found.reverse();
    for (taken, position) in found.iter().take(if deep > 0 { found.len() } else { 3 }) {
        println!("{taken:?} {position}");
    }
    let slow: Vec<_> = found.iter().filter(|(taken, _)| *taken > LIMIT).collect();
    assert!(slow.is_empty(), "{slow:#?}");
}
