//! Books made, added up and written out.

use super::*;
use crate::engine::Signals;
use crate::engine::book::{Taste, place};
use crate::game::Game;
use crate::notation::pdn::{Options, Reader};
use expand::{Expander, Plan};

fn variant(name: &str) -> Arc<Variant> {
    Variant::find(name).expect("built in")
}

fn analysed(name: &str, positions: usize, threads: usize) -> Book {
    let plan = Plan { positions, nodes: 400, lines: 4, plies: 8, margin: 60, threads };
    let mut expander = Expander::new(plan);
    expander.add(&Game::new(variant(name)));
    assert!(expander.run(&Signals::default()));
    let mut book = Book::new(variant(name));
    expander.tell(&mut book);
    book.weigh(60);
    book.prune();
    book
}

#[test]
fn analysis_goes_on_where_it_matters() {
    let book = analysed("english", 40, 2);
    let told = info::describe(&book);
    assert!((30..=40).contains(&book.len()) && told["reached"] == book.len(), "{told}");
    assert!(told["plies"].as_u64().is_some_and(|plies| (3..=8).contains(&plies)), "{told}");
    let best = book.choose(&Game::new(variant("english")), Taste { depth: 10, variety: 0 }, 0).expect("a move");
    assert!(best.ponder.is_some());
    // The same for any number of threads.
    assert_eq!(book.write(""), analysed("english", 40, 1).write(""));
}

#[test]
fn scores_are_backed_up() {
    let book = analysed("russian", 60, 2);
    let start = Game::new(variant("russian"));
    for (mv, known) in book.moves(&start) {
        let mut after = start.clone();
        after.play(&mv).expect("legal");
        let best = book.moves(&after).iter().filter_map(|(_, reply)| reply.score).max();
        assert!(best.is_none_or(|best| known.score == Some(-best)), "{known:?} {best:?}");
    }
}

fn arguments(folder: &Path, files: &[&str]) -> build::Args {
    build::Args {
        files: files.iter().map(|file| folder.join(file)).collect(),
        out: folder.join("out.book"),
        own: 0,
        nodes: 300,
        multipv: 4,
        plies: 4,
        min_games: 2,
        margin: 40,
    }
}

const GAMES: &str = "[GameType \"21\"] [Result \"1-0\"] 1. 11-15 23-19 2. 8-11 22-17 1-0\n\
    [GameType \"21\"] [Result \"0-1\"] 1. 11-15 23-19 2. 9-14 22-17 0-1\n\
    [GameType \"21\"] 1. 9-14 22-18 1/2-1/2\n\
    [GameType \"25\"] 1. c3-d4 d6-c5 *\n";

#[test]
fn games_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.pdn"), GAMES).expect("room");
    let start = Start { variant: Some("english".into()), ..Start::default() };
    let args = arguments(folder.path(), &["a.pdn"]);
    assert_eq!(build::run(&args, &start).expect("a book"), Ending::Fine);
    let read = || read_book(&args.out.display().to_string(), &variant("english")).expect("a book");
    let book = read();
    let first = &info::describe(&book)["first"];
    assert_eq!(first.as_array().map(Vec::len), Some(1), "9-14 was played once: {first}");
    assert_eq!((&first[0]["move"], &first[0]["games"], &first[0]["points"]), (&"11-15".into(), &2.into(), &1.0.into()));
    assert_eq!((book.len(), &info::describe(&book)["plies"]), (2, &2.into()));
    let twice = folder.path().join("twice.book");
    merge(&[args.out.clone(), args.out.clone()], &twice, 50, None).expect("a book");
    let sum = open(Some(&twice), None).expect("a book");
    assert_eq!(info::describe(&sum)["first"][0]["games"], 4);
    // With analysis on top nothing of the games is lost that is not bad.
    let both = build::Args { own: 12, ..args.clone() };
    assert_eq!(build::run(&both, &start).expect("a book"), Ending::Fine);
    let told = info::describe(&read());
    assert!(told["positions"].as_u64() >= Some(8) && told["played"].as_u64() >= Some(1), "{told}");
}

#[test]
fn a_dump_is_a_game_that_says_all() {
    let book = analysed("international", 25, 2);
    let text = dump::pdn(&book);
    let games = Reader::new("dump", text.as_bytes(), Options::default()).collect::<Result<Vec<_>, _>>();
    let [game] = &games.expect("a good game")[..] else { panic!("{text}") };
    assert!(game.warnings.is_empty(), "{:?}", game.warnings);
    let moves: usize = book.iter().map(|(_, moves)| moves.len()).sum();
    assert_eq!(text.replace('\n', " ").matches("{w ").count(), moves, "each move once");
    let best = book.moves(&Game::new(variant("international"))).remove(0).0;
    assert_eq!(
        game.moves().next().and_then(|mv| mv.mv.as_ref()).map(|mv| (mv.from, mv.to)),
        Some((best.from, best.to))
    );
    assert_eq!(place(&game.start.clone().expect("a start")).len(), 26);
}

#[test]
fn what_is_no_book_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.book");
    std::fs::write(&path, "my diary").expect("room");
    let error = open(Some(&path), None).map(|_| ()).expect_err("no book").to_string();
    assert!(error.contains("not a book: byte 0 read"), "{error}");
    write(&analysed("english", 2, 1), &path).expect("room");
    assert!(open(Some(&path), None).is_ok_and(|book| book.variant().id == "english"));
    let error = open(Some(&path), Some(variant("turkish"))).map(|_| ()).expect_err("another game").to_string();
    assert!(error.contains("a book of 'english', expected one of the rules"), "{error}");
    assert!(build::run(&arguments(folder.path(), &[]), &Start::default()).is_err());
}
