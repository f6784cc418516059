//! Totals of every table against lists made by an independent generator, whose 10x10 distances are those of a third program
//! and whose English results are those of a fourth.

use super::{make, root_with, variant};
use crate::data;
use damka::endgame::{Folder, Material, Quiet, verify};

/// Compares the tables of up to so many pieces with a list; gives how many rows were compared.
fn compare(name: &str, list: &str, pieces: usize) -> usize {
    let variant = variant(name);
    let root = root_with(&variant, pieces);
    let folder = Folder::new(&root, &variant.set);
    let text = data::text(&format!("egdb/{list}.csv"));
    let mut compared = 0;
    for line in text.lines().skip(1) {
        let words: Vec<&str> = line.split(',').collect();
        let number = |place: usize| words[place].parse::<u64>().expect("a number");
        if number(1) as usize > pieces {
            continue;
        }
        let [men, kings, other_men, other_kings] = [2, 3, 4, 5].map(|place| number(place) as u8);
        let material = Material { men: [men, other_men], kings: [kings, other_kings] };
        let totals = folder.header(material).expect("a sound table").expect("it is there").totals;
        let found = [totals.positions].into_iter().chain(totals.results).chain([totals.captures]).chain(totals.quiet);
        let longest = [u64::from(totals.longest_win), totals.longest_wins, u64::from(totals.longest_loss)];
        let found: Vec<u64> = found.chain(longest).collect();
        let listed: Vec<u64> = (6..17).map(number).collect();
        assert_eq!(found, listed, "{name} {material}: {line}");
        compared += 1;
    }
    compared
}

/// With `DAMKA_DEEP=1` the larger tables too: minutes instead of seconds.
fn deep() -> bool {
    std::env::var_os("DAMKA_DEEP").is_some()
}

#[test]
fn totals_on_the_small_board() {
    let five = deep();
    let rows = |pieces: usize| if pieces == 5 { 85 } else { 41 };
    for (name, most) in [("english", 5), ("russian", 5), ("brazilian", 5), ("pool", 4)] {
        let pieces = if five { most } else { 4 };
        assert_eq!(compare(name, &format!("{name}_2-{most}"), pieces), rows(pieces));
    }
}

#[test]
fn totals_on_the_large_board() {
    let pieces = if deep() { 4 } else { 3 };
    assert_eq!(compare("international", "international_2-4", pieces), if deep() { 41 } else { 16 });
}

#[test]
fn totals_of_turkish() {
    assert_eq!(compare("turkish-official", "turkish-official_2-3", 3), 16);
}

/// Every value is the best of what the moves lead to: two pieces of every rule set, three of some; with `DAMKA_DEEP=1` four
/// of all.
#[test]
fn values_are_the_best_of_what_moves_lead_to() {
    let folder = tempfile::tempdir().expect("a folder");
    for variant in data::variants() {
        let quick = ["english", "junior", "russian-lose", "italian", "breakthrough", "slovak", "thai"];
        let pieces = if deep() { 4 } else { 2 + usize::from(quick.contains(&variant.id.as_str())) };
        let tables = make(&variant, pieces, folder.path());
        let mut positions = 0;
        let checked = verify(&variant, &tables, pieces, &Quiet, &mut |report| {
            assert!(report.is_sound(), "{}: {report:?}", variant.id);
            positions += report.totals.positions;
        });
        checked.expect("all tables are there");
        assert!(positions > 900, "{}: {positions}", variant.id);
    }
}
