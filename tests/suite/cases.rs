//! Cases from bug reports and rule books: positions that other programs got wrong.

use crate::data;
use crate::reference::{Count, Reference};
use damka::game::board::{Board, Color, Square};
use damka::game::plain::{Outcome, PlainMove, Reason, State};
use damka::game::rules::Notation;
use damka::game::{Game, PerftOptions};
use serde_json::Value;

fn case(id: &str) -> Value {
    let found = data::objects("cases.jsonl").into_iter().find(|case| case["id"] == id);
    found.unwrap_or_else(|| panic!("no case {id}"))
}

fn game(variant: &str, fen: &str) -> Game {
    let variant = data::variant(variant);
    let setup = data::setup(variant.set.board, fen);
    Game::from_setup(variant, &setup).expect("a sound set-up")
}

/// The squares of a move written in full with any of the usual signs.
fn squares(board: Board, notation: Notation, text: &str) -> Vec<Square> {
    let words = text.split(['-', 'x', ':']);
    words
        .map(|word| match notation {
            Notation::Numeric => Square(word.parse().expect("a square number")),
            Notation::Algebraic => data::algebraic(board, word),
        })
        .collect()
}

/// The one legal move that starts, stops and ends on those squares.
fn find(game: &Game, text: &str) -> PlainMove {
    let set = &game.variant().set;
    let path = squares(set.board, set.notation, text);
    let (from, to) = (path[0], path[path.len() - 1]);
    let fits =
        |mv: &PlainMove| mv.from == from && mv.to == to && (path.len() == 2 || game.paths(mv, 1000).contains(&path));
    let moves: Vec<PlainMove> = game.moves().into_iter().filter(fits).collect();
    assert_eq!(moves.len(), 1, "{text}: {moves:?}");
    moves.into_iter().next().expect("one move")
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split(' ') {
        let mv = find(game, text);
        game.play(&mv).expect("a legal move");
    }
}

#[test]
fn every_listed_move_is_legal_and_no_other() {
    let mut checked = Vec::new();
    for case in data::objects("cases.jsonl") {
        let (Some(legal), Some(fen)) = (case["legal"].as_array(), case["fen"].as_str()) else { continue };
        let id = case["id"].as_str().expect("an id");
        let game = game(case["variant"].as_str().expect("a name"), fen);
        let moves = game.moves();
        assert_eq!(moves.len(), legal.len(), "{id}: {moves:?}");
        let mut found: Vec<PlainMove> = legal
            .iter()
            .map(|text| {
                let set = &game.variant().set;
                let path = squares(set.board, set.notation, text.as_str().expect("a move"));
                let fits = |mv: &&PlainMove| game.paths(mv, 1000).contains(&path);
                moves.iter().find(fits).unwrap_or_else(|| panic!("{id}: no {text} in {moves:?}")).clone()
            })
            .collect();
        found.dedup();
        assert_eq!(found.len(), legal.len(), "{id}: two texts name the same move");
        checked.push(id.to_string());
    }
    assert!(checked.len() >= 23, "{checked:?}");
}

#[test]
fn captured_pieces_are_those_the_case_names() {
    let mut checked = 0;
    for case in data::objects("cases.jsonl") {
        let (Some(legal), Some(fen)) = (case["legal"].as_array(), case["fen"].as_str()) else { continue };
        let game = game(case["variant"].as_str().expect("a name"), fen);
        let set = &game.variant().set;
        for text in legal.iter().map(|text| text.as_str().expect("a move")) {
            let expected = case["expected"].as_str().expect("text");
            let Some(at) = expected.find(&format!("{text} (captures ")) else { continue };
            let list = &expected[at + text.len() + " (captures ".len()..];
            let named = list.split(", crowns").next().and_then(|list| list.split(')').next()).expect("a list");
            let captures = squares(set.board, set.notation, &named.replace(',', "-"));
            let path = squares(set.board, set.notation, text);
            let fits = |mv: &&PlainMove| game.paths(mv, 1000).contains(&path);
            let moves = game.moves();
            let mv = moves.iter().find(fits).expect("a legal move");
            let sorted = |mut squares: Vec<Square>| {
                squares.sort();
                squares
            };
            assert_eq!(sorted(mv.captures.clone()), sorted(captures), "{} {text}", case["id"]);
            assert_eq!(mv.promotes, list.starts_with(&format!("{named}, crowns")), "{} {text}", case["id"]);
            checked += 1;
        }
    }
    assert!(checked >= 34, "{checked} moves checked");
}

#[test]
fn leaf_counts_of_the_cases() {
    for id in ["PF01", "PF03", "PF05"] {
        let case = case(id);
        let fen = case["fen"].as_str().expect("a FEN");
        let game = game("international", fen);
        let slow = Reference::new(game.variant().set, &data::setup(game.variant().set.board, fen));
        for (depth, nodes) in (1..).zip(case["expected"].as_str().expect("counts").split(' ')) {
            let nodes: u64 = nodes.parse().expect("a count");
            assert_eq!(game.perft(depth, PerftOptions::default()), nodes, "{id} depth {depth}");
            if nodes < 10_000 {
                assert_eq!(slow.perft(depth, Count::Unique, false).expect("few walks"), nodes, "{id} depth {depth}");
            }
        }
    }
}

/// MG13: a short king takes one piece and stops; under Russian rules the same placement has four captures.
#[test]
fn a_short_king_does_not_leap_over_two() {
    let mut game = Game::new(data::variant("english"));
    let mut setup = game.setup();
    setup.side = Color::White;
    game = Game::from_setup(game.variant().clone(), &setup).expect("a sound set-up");
    play(
        &mut game,
        "24-20 12-16 28-24 8-12 32-28 4-8 24-19 9-13 28-24 10-14 22-18 6-10 18x9 5x14 25-22 1-5 22-18 5-9 18-15 11x18 \
         20x11x4 3-8",
    );
    let fen = "W:WK4,19,21,23,24,26,27,29,30,31:B2,7,8,9,10,12,13,14,18";
    assert_eq!(game.setup().cells, data::setup(Board::CHECKERS, fen).cells);
    let ends = |game: &Game| game.moves().iter().map(|mv| (mv.from.0, mv.to.0)).collect::<Vec<_>>();
    assert_eq!(ends(&game), [(4, 11)]);
    let mut russian = ends(&self::game("russian", fen));
    russian.sort();
    assert_eq!(
        russian.iter().filter(|(from, _)| *from == 4).copied().collect::<Vec<_>>(),
        [(4, 1), (4, 6), (4, 22), (4, 25)]
    );
}

/// MG33: the same move twice.
#[test]
fn a_move_is_not_played_twice() {
    let mut game = game("international", "W:WK2,25:B14,15,16");
    let mv = find(&game, "25-20");
    game.play(&mv).expect("a legal move");
    let before = game.setup();
    assert!(game.play(&mv).is_err());
    assert_eq!(game.setup(), before);
}

/// MG34: all pieces of a triple jump go.
#[test]
fn a_triple_jump_removes_three() {
    let mut game = game("english", "B:W11,12,13,19,22,27,28,30:B2,3,6,7,10");
    play(&mut game, "7x32");
    assert_eq!(game.setup().cells, data::setup(Board::CHECKERS, "W:W12,13,22,28,30:B2,3,6,10,K32").cells);
}

/// NT03: two captures with the same ends, told apart by where they turn; another landing square may be read.
#[test]
fn paths_are_written_with_their_turns() {
    let game = game("international", "W:WK47:B14,19,29,31,42");
    let text = |path: &Vec<Square>| path.iter().map(|square| square.0.to_string()).collect::<Vec<_>>().join("x");
    let moves = game.moves();
    let mut paths: Vec<String> = moves.iter().flat_map(|mv| game.paths(mv, 100)).map(|path| text(&path)).collect();
    paths.sort();
    assert_eq!(paths, ["47x38x20x9x36", "47x38x24x13x36"]);
    let read = [33, 24, 13].map(Square);
    assert!(moves.iter().any(|mv| game.follows(mv, &read)));
}

#[test]
fn nobody_left_or_nowhere_to_go_ends_the_game() {
    // NF01, DR08, DR13 and RB07.
    let over = |variant: &str, fen: &str| game(variant, fen).state();
    assert_eq!(over("international", "B:W50:B"), State::Over(Outcome::Win(Color::White), Reason::NoPieces));
    assert_eq!(over("english", "W:W29:B22,25"), State::Over(Outcome::Win(Color::Black), Reason::NoMoves));
    assert_eq!(over("antidraughts", "W:W50:B1"), State::Ongoing);
    assert_eq!(over("antidraughts", "B:W28:B"), State::Over(Outcome::Win(Color::Black), Reason::NoPieces));
    assert_eq!(over("english", "W:WK1-16:BK17-32"), State::Over(Outcome::Win(Color::Black), Reason::NoMoves));
}

/// DR10: after the last piece is taken no move is accepted.
#[test]
fn no_move_follows_the_last_capture() {
    let mut game = game("english", "W:WK29:BK25");
    play(&mut game, "29x22");
    assert_eq!(game.state(), State::Over(Outcome::Win(Color::White), Reason::NoPieces));
    assert!(game.moves().is_empty());
}

/// The moves of a case after `; moves ` or ` moves `, from its position.
fn replay(id: &str, over_at: usize) {
    let case = case(id);
    let input = case["input"].as_str().expect("text");
    let (fen, moves) = input.trim_start_matches("FEN ").split_once(" ; moves ").expect("a FEN and moves");
    let mut game = game(case["variant"].as_str().expect("a name"), fen);
    for (ply, text) in moves.split(' ').enumerate() {
        assert_eq!(game.state(), State::Ongoing, "{id} before ply {}", ply + 1);
        play(&mut game, text);
    }
    assert_eq!(game.plies(), over_at, "{id}");
    assert!(matches!(game.state(), State::Over(Outcome::Draw, _)), "{id}: {:?}", game.state());
}

#[test]
fn counts_run_out_on_the_right_ply() {
    replay("DR01", 10);
    replay("DR04", 50);
    replay("DR05", 8);
}

/// DR07: one piece each is drawn under the Turkish rules of the project, and played on elsewhere.
#[test]
fn one_against_one() {
    let drawn = State::Over(Outcome::Draw, Reason::OneAgainstOne);
    assert_eq!(game("turkish", "W:WKa1:BKh8").state(), drawn);
    assert_eq!(game("turkish", "W:Wa1:Bh8").state(), State::Over(Outcome::Draw, Reason::OneAgainstOne));
    let mut official = game("turkish-official", "W:WKa8:BKb8");
    assert_eq!(official.moves().len(), 6, "every square behind the king");
    play(&mut official, "a8-c8");
    assert_eq!(official.state(), State::Over(Outcome::Win(Color::White), Reason::NoPieces));
}

/// DR11: eighty plies without a man move or a capture, or the third occurrence before that.
#[test]
fn english_kings_may_not_shuffle_for_ever() {
    let mut game = game("english", "W:WK22:BK4");
    let shuffle = ["22-17", "4-8", "17-22", "8-4"];
    for text in shuffle.iter().cycle().take(8) {
        assert_eq!(game.state(), State::Ongoing);
        play(&mut game, text);
    }
    assert_eq!(game.state(), State::Over(Outcome::Draw, Reason::Repetition(3)));
    let mut setup = data::setup(Board::CHECKERS, "W:WK22:BK4");
    setup.memory.quiet_plies = 79;
    let mut late = Game::from_setup(data::variant("english"), &setup).expect("a sound set-up");
    play(&mut late, "22-17");
    assert_eq!(late.state(), State::Over(Outcome::Draw, Reason::QuietMoves(80)));
}

/// Both ways round take the same four pieces, but only one meets a king first: the other is not a legal way to play it.
#[test]
fn an_italian_round_trip_meets_the_kings_early() {
    let game = game("italian", "W:WK7:B1,2,4,K9,K10,K11,K12,17,19,K20,K27");
    let moves = game.moves();
    let way = [7, 16, 23, 14, 7].map(Square);
    let home = moves.iter().find(|mv| mv.to == mv.from).expect("a legal round trip");
    assert_eq!(home.path, way);
    assert_eq!(game.paths(home, 10), [way]);
}
