//! Books: there and back, damaged, foreign, and what is chosen.

use super::*;
use proptest::prelude::*;

fn variant(name: &str) -> Arc<Variant> {
    Variant::find(name).expect("built in")
}

/// A book of the first two plies, the moves scored 0, -10, -20 … in their order.
fn small(name: &str) -> Book {
    let mut book = Book::new(variant(name));
    let start = Game::new(variant(name));
    for (index, mv) in start.moves().iter().enumerate() {
        book.entry(&start, mv).score = Some(-10 * index as i16);
        let mut after = start.clone();
        after.play(mv).expect("legal");
        let reply = after.moves().remove(0);
        let known = book.entry(&after, &reply);
        (known.games, known.half_points) = (7, 9);
    }
    book.weigh(45);
    book
}

#[test]
fn a_book_comes_back_as_it_was() {
    for name in ["international", "english", "turkish", "canadian", "frisian"] {
        let book = small(name);
        let read = Book::read(&book.write(name), &variant(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read.positions, book.positions, "{name}");
        assert_eq!(read.write(name), book.write(name));
    }
}

#[test]
fn weights_fall_with_the_loss() {
    let book = small("international");
    let start = Game::new(variant("international"));
    let weights: Vec<u16> = book.moves(&start).iter().map(|(_, mv)| mv.weight).collect();
    assert_eq!(weights.len(), 5, "what loses more than the margin is left out");
    assert_eq!(weights[0], 1_000);
    assert!(weights.windows(2).all(|pair| pair[0] > pair[1] && pair[1] > 0));
}

#[test]
fn a_choice_keeps_to_depth_and_taste() {
    let book = small("international");
    let mut game = Game::new(variant("international"));
    let chances = (0..200u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let different = |variety| {
        let taste = Taste { depth: 2, variety };
        let moves = chances.clone().filter_map(|chance| book.choose(&game, taste, chance)?.best);
        let mut moves: Vec<(Square, Square)> = moves.map(|mv| (mv.from, mv.to)).collect();
        assert_eq!(moves.len(), 200);
        moves.sort_unstable();
        let most = moves.iter().map(|mv| moves.iter().filter(|other| *other == mv).count()).max();
        moves.dedup();
        (moves.len(), most.expect("some moves"))
    };
    let [(strict, all), (mixed, many), (wide, fewer)] = [0, 30, 100].map(different);
    assert!(strict == 1 && all == 200 && mixed > 1 && wide >= mixed && fewer < many, "{mixed} {many} {wide} {fewer}");
    let answer = book.choose(&game, Taste { depth: 1, variety: 0 }, 5).expect("a move");
    assert!(answer.ponder.is_some() && answer.info.is_some_and(|info| info.pv.len() == 2 && info.score == 0));
    game.play(&answer.best.expect("a move")).expect("legal");
    assert!(book.choose(&game, Taste { depth: 1, variety: 0 }, 5).is_none());
    assert!(book.choose(&game, Taste { depth: 2, variety: 0 }, 5).is_some());
}

#[test]
fn a_foreign_book_is_refused() {
    let russian = small("russian").write("russian");
    let error = Book::read(&russian, &variant("international")).expect_err("another game").to_string();
    assert!(error.contains("a book of 'russian', expected one of the rules"), "{error}");
    let same = |a: &str, b: &str| fingerprint(&variant(a)) == fingerprint(&variant(b));
    for (a, b) in [
        ("russian", "brazilian"),
        ("international", "losing"),
        ("international", "breakthrough"),
        ("english", "italian"),
    ] {
        assert!(!same(a, b), "{a} {b}");
    }
    let variants = Variant::all();
    let shared = variants.iter().filter(|v| fingerprint(v) == fingerprint(&variant("brazilian")));
    assert!(shared.count() < 4, "books are shared by games that differ in draws alone");
}

#[test]
fn an_illegal_move_is_refused() {
    let mut book = small("english");
    book.positions.values_mut().next().expect("a position")[0].to = Square(1);
    let error = Book::read(&book.write("english"), &variant("english")).expect_err("an illegal move").to_string();
    assert!(error.starts_with("position 1, byte ") && error.ends_with("a move that is not legal"), "{error}");
}

#[test]
fn books_are_added_up() {
    let mut book = small("english");
    let other = book.clone();
    let games: u32 = book.positions.values().flatten().map(|mv| mv.games).sum();
    book.merge(&other);
    assert_eq!(book.positions.values().flatten().map(|mv| mv.games).sum::<u32>(), 2 * games);
    assert_eq!(book.len(), other.len());
}

#[test]
fn every_seed_has_a_book_that_makes_games_differ() {
    for name in ["international", "english", "russian", "brazilian", "polish8", "turkish", "junior"] {
        let variant = variant(name);
        let book = embedded(&variant).unwrap_or_else(|| panic!("no book of {name}"));
        assert!(book.len() >= 30, "{name}: {}", book.len());
        let mut seen = std::collections::BTreeSet::new();
        for chance in 0..100u64 {
            let mut game = Game::new(variant.clone());
            let mut random = chance.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            while let Some(mv) = book.choose(&game, Taste { depth: 20, variety: 50 }, random).and_then(|a| a.best) {
                game.play(&mv).expect("legal");
                random = random.rotate_left(17).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            }
            assert!(game.plies() > 0, "{name}");
            seen.insert(place(&game.setup()));
        }
        assert!(seen.len() >= 10, "{name}: {} games", seen.len());
    }
}

proptest! {
    #[test]
    fn damage_never_panics(cut in 0usize..2_000, change in 0usize..2_000, to in any::<u8>()) {
        let mut bytes = small("english").write("english");
        let place = change % bytes.len();
        let changed = bytes[place] != to;
        bytes[place] = to;
        prop_assert!(!changed || Book::read(&bytes, &variant("english")).is_err());
        bytes.truncate(cut.min(bytes.len() - 1));
        prop_assert!(Book::read(&bytes, &variant("english")).is_err());
        // With a right checksum the content is looked at.
        if bytes.len() > 8 {
            let sum = file::checksum_of(&bytes[..bytes.len() - 8]).to_le_bytes();
            let end = bytes.len() - 8;
            bytes[end..].copy_from_slice(&sum);
            let _ = Book::read(&bytes, &variant("english"));
        }
    }
}
