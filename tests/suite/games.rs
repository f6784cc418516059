//! Games whose end the rule books decide: repetition, move counts, small endings, no move, kings only and the rest.

use crate::data;
use damka::game::Game;
use damka::game::board::Color;
use damka::game::plain::{Outcome, PlainMove, Reason, State};
use damka::game::rules::{Duty, RuleSet};
use damka::game::variant::Variant;
use serde_json::Value;

/// The legal move written `12-16` or `12x3`.
fn find(game: &Game, text: &str) -> PlainMove {
    let squares: Vec<u8> = text.split(['-', 'x']).map(|square| square.parse().expect("a square")).collect();
    let fits = |mv: &PlainMove| mv.from.0 == squares[0] && mv.to.0 == squares[1] && mv.huffed.is_none();
    let moves: Vec<PlainMove> = game.moves().into_iter().filter(fits).collect();
    assert_eq!(moves.len(), 1, "{text} of {:?}", game.setup());
    moves.into_iter().next().expect("one move")
}

fn written(mv: &PlainMove) -> String {
    format!("{}{}{}", mv.from.0, if mv.is_capture() { 'x' } else { '-' }, mv.to.0)
}

/// Whether a state is the one a case expects; the reasons of the cases are words for people.
fn fits(state: State, expected: &Value) -> bool {
    let reason = expected["reason"].as_str().unwrap_or("");
    let State::Over(outcome, why) = state else { return expected["result"] == "*" };
    let result = match outcome {
        Outcome::Draw => "1/2-1/2",
        Outcome::Win(Color::White) => "1-0",
        Outcome::Win(Color::Black) => "0-1",
    };
    let reason_fits = match why {
        Reason::NoPieces => reason == "no pieces",
        Reason::NoMoves => reason == "no legal move",
        Reason::FirstKing => reason == "promotion",
        Reason::KingsOnly => reason == "kings only",
        Reason::OneAgainstOne => reason == "one against one",
        Reason::Repetition(_) => reason == "repetition",
        Reason::QuietMoves(_) => reason == "kings-only moves",
        // Two rules may be fulfilled by the same move: three kings against one, and fifteen moves of kings.
        Reason::Ending(_) => reason.contains("ending") || reason.contains(" v ") || reason == "kings-only moves",
    };
    expected["result"] == result && reason_fits
}

/// Plays the moves of a case; every position but the last must go on.
fn play(case: &Value, variant: std::sync::Arc<Variant>) -> Game {
    let setup = data::setup(variant.set.board, case["fen"].as_str().expect("a FEN"));
    let mut game = Game::from_setup(variant, &setup).expect("a sound set-up");
    for text in case["moves"].as_array().expect("moves") {
        assert_eq!(game.state(), State::Ongoing, "{} before ply {}", case["name"], game.plies() + 1);
        let mv = find(&game, text.as_str().expect("a move"));
        game.play(&mv).expect("a legal move");
    }
    game
}

#[test]
fn games_end_as_the_rule_books_say() {
    let cases = data::objects("games.jsonl");
    let mut checked = 0;
    for case in cases.iter().filter(|case| case["option"].is_null()) {
        let name = format!("{}: {}", case["variant"], case["name"]);
        let game = play(case, data::variant(case["variant"].as_str().expect("a name")));
        let expected = &case["expected"];
        assert!(fits(game.state(), expected), "{name}: {:?}, expected {expected}", game.state());
        if let Some(ply) = expected["at_ply"].as_u64() {
            assert_eq!(game.plies() as u64, ply, "{name}");
        }
        if let Some(legal) = expected["legal"].as_array() {
            let mut found: Vec<String> = game.moves().iter().map(written).collect();
            found.sort();
            assert_eq!(serde_json::json!(found), serde_json::json!(legal), "{name}");
        }
        checked += 1;
    }
    assert_eq!((checked, cases.len()), (51, 52), "all but the one on huffing, which has a test of its own");
}

/// The man on 14 could take 18 and moved to 17 instead: White may take it off there and then moves.
#[test]
fn the_man_that_moved_instead_of_capturing_is_huffed_where_it_stands() {
    let cases = data::objects("games.jsonl");
    let case = cases.iter().find(|case| case["option"] == "huffing").expect("the case on huffing");
    let base = data::variant(case["variant"].as_str().expect("a name"));
    let set = RuleSet { duty: Duty::Huffing, ..base.set };
    let variant = Variant::custom("huffing", "huffing", "a test", set);
    let setup = data::setup(set.board, case["fen"].as_str().expect("a FEN"));
    let mut game = Game::from_setup(variant, &setup).expect("a sound set-up");
    assert!(game.moves().iter().all(|mv| mv.huffed.is_none()), "nobody has failed to capture yet");
    game.play(&find(&game, "14-17")).expect("captures are optional");
    let huffs: Vec<PlainMove> = game.moves().into_iter().filter(|mv| mv.huffed.is_some()).collect();
    assert!(!huffs.is_empty() && huffs.iter().all(|mv| mv.huffed.is_some_and(|square| square.0 == 17)), "{huffs:?}");
    let quiet = huffs.iter().find(|mv| written(mv) == "18-15").expect("a man moves after the huff");
    game.play(quiet).expect("a huff and a move");
    assert_eq!(game.side(), Color::Black, "a huff costs no turn");
    assert_eq!(game.setup().cells, data::setup(set.board, "B:W15,30:B5").cells);
}

#[test]
fn a_capture_instead_of_a_huff_leaves_nothing_to_huff() {
    let set = RuleSet { duty: Duty::Huffing, ..data::variant("english").set };
    let variant = Variant::custom("huffing", "huffing", "a test", set);
    let mut game = Game::from_setup(variant, &data::setup(set.board, "B:W18,30:B1,14")).expect("a sound set-up");
    game.play(&find(&game, "14x23")).expect("a capture");
    assert!(game.moves().iter().all(|mv| mv.huffed.is_none()));
}
