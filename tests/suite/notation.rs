//! Positions and moves as text: the cases, and every position and move of the tables there and back.

use crate::data;
use crate::fast::named;
use crate::moves::listings;
use damka::game::Game;
use damka::game::plain::{Outcome, Reason, Setup, State};
use damka::notation::fen::{self, FenError};
use damka::notation::movetext::{self, MoveError};
use std::collections::BTreeSet;

fn read(variant: &str, text: &str) -> Result<Setup, FenError> {
    fen::read(&data::variant(variant), text)
}

fn game(variant: &str, text: &str) -> Game {
    Game::from_setup(data::variant(variant), &read(variant, text).expect("a position")).expect("a sound set-up")
}

/// What a text comes back as.
fn again(variant: &str, text: &str) -> String {
    fen::write(&data::variant(variant), &read(variant, text).expect("a position"))
}

#[test]
fn positions_of_the_tables_come_back() {
    let mut seen = BTreeSet::new();
    for table in data::tables("perft") {
        let variant = data::variant(&table);
        for cells in data::rows(&format!("perft/{table}.tsv")) {
            if !seen.insert((table.clone(), cells[1].clone())) {
                continue;
            }
            let expected = data::setup(variant.set.board, &cells[1]);
            let read = fen::read(&variant, &cells[1]).unwrap_or_else(|error| panic!("{table} {}: {error}", cells[1]));
            assert_eq!(read, expected, "{table} {}", cells[1]);
            let text = fen::write(&variant, &read);
            assert_eq!(fen::read(&variant, &text).as_ref(), Ok(&expected), "{table} {text}");
        }
    }
    assert!(seen.len() > 2000, "{} positions", seen.len());
}

#[test]
fn moves_of_the_tables_come_back() {
    let mut count = 0;
    // Lists of hundreds of moves are for the generators.
    for listing in listings().iter().filter(|listing| listing.moves.len() < 100) {
        let game = Game::from_setup(listing.variant.clone(), &listing.setup).expect("a sound set-up");
        let moves = movetext::Moves::new(&game);
        let mut texts = BTreeSet::new();
        for mv in moves.legal() {
            for text in [moves.write(mv), moves.full(mv)] {
                let read = moves.read(&text).unwrap_or_else(|error| panic!("{}: {error}", listing.name));
                assert_eq!(named(&read), named(mv), "{}: {text}", listing.name);
            }
            assert!(texts.insert(moves.write(mv)), "{}: two moves are written {}", listing.name, moves.write(mv));
            count += 1;
        }
    }
    assert!(count > 4_500, "{count} moves");
}

/// Every move that a case lists is read, and is the one with those squares.
#[test]
fn moves_of_the_cases_are_read() {
    let mut count = 0;
    for case in data::objects("cases.jsonl") {
        let (Some(legal), Some(fen)) = (case["legal"].as_array(), case["fen"].as_str()) else { continue };
        let game = game(case["variant"].as_str().expect("a name"), fen);
        let mut read = BTreeSet::new();
        for text in legal.iter().map(|text| text.as_str().expect("a move")) {
            // One piece taken between squares that a longer capture shares: the case calls the short text ambiguous.
            if (case["id"].as_str(), text) == (Some("MG04"), "f8:b4") {
                assert!(matches!(movetext::read(&game, text), Err(MoveError::Ambiguous { .. })));
                continue;
            }
            let mv = movetext::read(&game, text).unwrap_or_else(|error| panic!("{}: {error}", case["id"]));
            read.insert(named(&mv));
            count += 1;
        }
        assert!(read.len() + 1 >= legal.len(), "{}: two texts name the same move", case["id"]);
    }
    assert!(count >= 55, "{count} moves");
}

/// MG01: the short form fits two captures; it is refused and both are named.
#[test]
fn an_ambiguous_capture_is_refused() {
    let game = game("international", "W:WK4:B13,20,32,37");
    match movetext::read(&game, "4x15") {
        Err(MoveError::Ambiguous { candidates, .. }) => assert_eq!(candidates, ["4x27x38x15", "4x31x42x15"]),
        other => panic!("{other:?}"),
    }
}

/// NT01: captured squares in any order.
#[test]
fn hub_moves_in_any_order() {
    let game = game("international", "W:WK4:B13,20,32,37");
    let captures = |text: &str| named(&movetext::read(&game, text).unwrap_or_else(|error| panic!("{error}"))).captured;
    assert_eq!(captures("4x15x13x32x20"), [13, 20, 32]);
    assert_eq!(captures("4x15x20x13x32"), [13, 20, 32]);
    assert_eq!(captures("4x15x13x37x20"), [13, 20, 37]);
    assert_eq!(captures("4x15x37x20x13"), [13, 20, 37]);
}

/// NT03: written with the standard stops, read with others.
#[test]
fn other_landing_squares_are_read() {
    let game = game("international", "W:WK47:B14,19,29,31,42");
    let moves = movetext::Moves::new(&game);
    let mut texts: Vec<String> = moves.legal().iter().map(|mv| moves.full(mv)).collect();
    texts.sort();
    assert_eq!(texts, ["47x38x20x9x36", "47x38x24x13x36"]);
    let read = moves.read("47x33x24x13x36").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(moves.full(&read), "47x38x24x13x36");
}

/// NF01, NF04a, NF06, NF09 and NF10.
#[test]
fn positions_that_must_be_read() {
    assert_eq!(again("international", "B:W50:B"), "B:W50:B");
    let lost = State::Over(Outcome::Win(damka::game::board::Color::White), Reason::NoPieces);
    assert_eq!(game("international", "B:W50:B").state(), lost);
    for variant in ["international", "russian"] {
        let start = Setup::start(&data::variant(variant));
        let range = if variant == "russian" { "W:W21-32:B1-12" } else { "W:W31-50:B1-20" };
        assert_eq!(read(variant, range), Ok(start), "{variant}");
    }
    assert_eq!(again("english", "W:WK27,K23:BK28,12."), "W:WK23,K27:B12,K28");
    let mut russian = Game::new(data::variant("russian"));
    let opening = movetext::read(&russian, "a3-b4").unwrap_or_else(|error| panic!("{error}"));
    russian.play(&opening).expect("a legal move");
    let numbered = read("russian", "B:W17,22,23,24,25,26,27,28,29,30,31,32:B1-12").expect("a position");
    assert_eq!(russian.setup().cells, numbered.cells);
    let letters = "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6";
    assert_eq!(read("russian", letters), Ok(Setup::start(&data::variant("russian"))));
    assert_eq!(game("russian", letters).moves().len(), 7);
    assert_eq!(read("english", "W:WK4:B20").map(|setup| setup.cells.iter().flatten().count()), Ok(2));
}

/// NF03, NF05, NF08, RB06 and RB07: refused, and the text says what was read.
#[test]
fn positions_that_must_be_refused() {
    let huge = "W:W1-32:B1-32";
    let refused = [
        "W:WK4,WK5,55:B4",
        "W:W4:B49",
        "W:W4:B20",
        "?:W29,13,11:B22,4,2",
        "",
        "W",
        "W:W1,,2:B3",
        "W:W1-:B",
        "W:W50-31:B9",
        "W:WK:B1",
        "W:W0:B1",
        "W:W99999999999999999999:B1",
        "X:W6:B2",
        "W:W6:B6",
    ];
    for text in refused {
        let error = read("international", text).expect_err(text).to_string();
        assert!(error.starts_with("FEN") && error.contains("expected"), "{text}: {error}");
        assert!(error.len() < 300 && !error.contains('\n'), "{text}: {error}");
    }
    assert!(read("english", huge).is_err());
    assert_eq!(again("international", "W:B1:W50"), "W:W50:B1");
    assert_eq!(game("english", "W:WK1-16:BK17-32").moves(), []);
}

/// RB01: a carriage return is not part of a move.
#[test]
fn a_carriage_return_is_not_part_of_a_move() {
    let game = Game::new(data::variant("international"));
    let mv = movetext::read(&game, "32-28\r").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(movetext::write(&game, &mv), "32-28");
}
