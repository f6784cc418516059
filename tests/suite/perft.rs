//! Leaf counts of the data tables.

use crate::data;
use crate::reference::{Count, Reference};
use damka::game::plain::Setup;
use damka::game::variant::Variant;
use damka::game::{Counting, Game, PerftOptions};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// One published or recomputed leaf count.
#[derive(Clone)]
pub struct Row {
    pub variant: Arc<Variant>,
    pub name: String,
    pub fen: String,
    pub depth: u32,
    pub count: Count,
    pub ends: bool,
    pub nodes: u64,
}

/// All rows of all tables. A row on which the two ways of counting agree gives one row for each.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for table in data::tables("perft") {
        let variant = data::variant(&table);
        for cells in data::rows(&format!("perft/{table}.tsv")) {
            let [name, fen, counts, ..] = &cells[..] else { panic!("{table}: {cells:?}") };
            for word in counts.split(' ') {
                let (key, nodes) = word.trim_end_matches('?').split_once('=').expect("KIND DEPTH=LEAVES");
                let depth = key[1..].parse().expect("a depth");
                let (counts, ends): (&[Count], bool) = match &key[..1] {
                    "b" => (&[Count::Unique, Count::Paths], false),
                    "u" => (&[Count::Unique], false),
                    "p" => (&[Count::Paths], false),
                    "l" => (&[Count::Landings], false),
                    "e" => (&[Count::Unique], true),
                    other => panic!("{table}: unknown kind of count {other}"),
                };
                rows.extend(counts.iter().map(|&count| Row {
                    variant: variant.clone(),
                    name: name.clone(),
                    fen: fen.clone(),
                    depth,
                    count,
                    ends,
                    nodes: nodes.parse().expect("a number of leaves"),
                }));
            }
        }
    }
    rows
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Row { variant, name, fen, depth, count, nodes, .. } = self;
        let ends = if self.ends { ", ends applied" } else { "" };
        write!(f, "{} '{name}' {fen} depth {depth} {count:?}{ends}: expected {nodes}", variant.id)
    }
}

/// Rows the reference leaves to the fast generator: more than this many leaves.
const REFERENCE_LEAVES: u64 = 20_000;

/// Positions with more capture walks than the reference is willing to list; the fast generator counts them all the same.
const TOO_MANY_WALKS: [&str; 1] = ["extreme king 1"];

#[test]
fn the_reference_counts_what_the_tables_say() {
    let few = |row: &Row| row.nodes <= REFERENCE_LEAVES && !TOO_MANY_WALKS.contains(&row.name.as_str());
    let rows: Vec<Row> = rows().into_iter().filter(few).collect();
    let wrong: Vec<String> = rows
        .par_iter()
        .filter_map(|row| {
            let position = Reference::new(row.variant.set, &data::setup(row.variant.set.board, &row.fen));
            let found = position.perft(row.depth, row.count, row.ends).expect("few enough walks");
            (found != row.nodes).then(|| format!("{row}, found {found}"))
        })
        .collect();
    println!("{} rows of at most {REFERENCE_LEAVES} leaves", rows.len());
    assert!(rows.len() > 10_000, "{} rows", rows.len());
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Leaves of the largest rows of a normal run, counted in moves and in paths (which are not counted in bulk).
const NORMAL: (u64, u64) = (20_000_000, 200_000);
/// The same with `DAMKA_DEEP=1`; `DAMKA_DEEP=2` has no bound.
const DEEP: (u64, u64) = (2_000_000_000, 200_000_000);

/// The bounds on rows of moves and of paths for a run.
fn bounds() -> (u64, u64) {
    match std::env::var("DAMKA_DEEP").as_deref() {
        Ok("1") => DEEP,
        Ok("2") => (u64::MAX, u64::MAX),
        _ => NORMAL,
    }
}

fn count(row: &Row) -> u64 {
    let setup = data::setup(row.variant.set.board, &row.fen);
    let game = Game::from_setup(row.variant.clone(), &setup).expect("a sound set-up");
    let counting = match row.count {
        Count::Unique => Counting::Unique,
        Count::Paths => Counting::Paths,
        Count::Landings => Counting::Landings,
    };
    game.perft(row.depth, PerftOptions { counting, ends: row.ends })
}

#[test]
fn the_engine_counts_what_the_tables_say() {
    let (moves, paths) = bounds();
    let all = rows();
    let within = |row: &&Row| row.nodes <= if row.count == Count::Unique && !row.ends { moves } else { paths };
    let mut rows: Vec<&Row> = all.iter().filter(within).collect();
    // The longest first, so that no thread is left alone with one at the end.
    rows.sort_by_key(|row| std::cmp::Reverse(row.nodes));
    let began = Instant::now();
    let check = |row: &&Row| {
        let found = count(row);
        (found != row.nodes).then(|| format!("{row}, found {found}"))
    };
    let wrong: Vec<String> = rows.par_iter().with_max_len(1).filter_map(check).collect();
    let (left, leaves) = (all.len() - rows.len(), rows.iter().map(|row| row.nodes).sum::<u64>());
    println!(
        "{} rows, {leaves} leaves in {:.1} s; {left} rows left for DAMKA_DEEP=1 or 2",
        rows.len(),
        began.elapsed().as_secs_f64()
    );
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Huffing is in no table: the engine's counts against the reference's, from the starting position of each such rule set.
#[test]
fn huffs_are_counted_as_the_reference_counts_them() {
    for variant in crate::random::huffing() {
        let setup = Setup::start(&variant);
        let slow = Reference::new(variant.set, &setup);
        let fast = Game::new(variant.clone());
        for depth in 1..=if variant.set.board.all_squares { 4 } else { 6 } {
            let expected = slow.perft(depth, Count::Unique, false).expect("few captures this early");
            assert_eq!(fast.perft(depth, PerftOptions::default()), expected, "{} depth {depth}", variant.id);
        }
    }
}
