//! Nothing is lost between reading and writing.

use super::super::{Item, LineId, PdnGame, write};
use super::*;
use crate::notation::move_scan::scan;
use proptest::prelude::*;

/// A game's items with what the standard has no form for as the comments they become.
fn shape(game: &PdnGame) -> Vec<Vec<String>> {
    let item = |item: &Item| match item {
        Item::Move(mv) if mv.mv.is_none() => match scan(&game.variant, &mv.text) {
            Ok(scan) => format!("{:?}{}", scan.squares, mv.strength),
            Err(_) if mv.text.split(|c: char| !c.is_ascii_digit()).any(|word| word == "0") => {
                format!("{{{}{}}}", mv.text, mv.strength)
            }
            Err(_) => mv
                .text
                .to_ascii_lowercase()
                .replace(|c: char| !c.is_ascii_alphanumeric() || c == 'x', " ")
                .split_whitespace()
                .collect(),
        },
        Item::Move(mv) => format!("{}{} {}", mv.text, mv.strength, mv.mv.is_some()),
        Item::Comment(text) | Item::Text(text) => format!("{{{text}}}"),
        Item::Setup(_, setup) => format!("{setup:?}"),
        other => format!("{other:?}"),
    };
    game.lines.iter().map(|line| line.iter().map(item).collect()).collect()
}

fn round(game: &PdnGame) {
    let text = write(game);
    let mut all: Vec<_> = read_with(game, &text);
    assert_eq!(all.len(), 1, "{text}");
    let again = all.remove(0);
    assert_eq!(shape(&again), shape_with_end(game), "{text}");
    assert_eq!((&again.start, again.first_number), (&game.start, game.first_number), "{text}");
    for tag in &game.tags {
        if !["GameType", "FEN", "Variant"].contains(&tag.name.as_str()) {
            assert!(again.tags.contains(tag), "{tag:?} {text}");
        }
    }
    assert_eq!(write(&again), text);
}

fn read_with(game: &PdnGame, text: &str) -> Vec<PdnGame> {
    let options = Options { variant: Some(game.variant.clone()), ..Options::default() };
    Reader::new("again", text.as_bytes(), options).map(|game| game.unwrap()).collect()
}

/// What stands behind the moves comes back as comments of the main line.
fn shape_with_end(game: &PdnGame) -> Vec<Vec<String>> {
    let mut shape = shape(game);
    let told = game.tag("Result").map(str::trim);
    let result = game.result.iter().filter(|&result| result != "*" && told.is_some_and(|told| told != result));
    shape[0].extend(result.map(|result| format!("{{{result}}}")));
    shape[0].extend(game.epilogue.iter().map(|text| format!("{{{text}}}")));
    shape
}

#[test]
fn all_that_a_game_can_hold() {
    let text = "[Event \"a\"]\n[Unknown_tag \"kept\"]\n[GameType \"20\"]\n\n{at first} $3 1. 32-28! {[%clk 1:55:21]} $7 \
                19-23 $245 (1... 18-23?! {x} 2. 37-32 (2. 38-32 {deep} $1) 12-18) ({only words}) 2. 28x19 14x23(?) {end} 2-0 {late}";
    let game = game(text);
    assert_eq!((game.plies(), game.warnings.len()), (4, 0), "{:?}", messages(&game));
    round(&game);
    for piece in
        ["[Unknown_tag \"kept\"]", "[%clk 1:55:21]", "$245", "18-23?!", "14x23(?)", "{deep} $1", "{at first}", "{late}"]
    {
        assert!(write(&game).contains(piece), "{piece}: {}", write(&game));
    }
}

#[test]
fn every_variant_comes_back() {
    for variant in Variant::all() {
        let moves = random_moves(&variant.id, 60, 5);
        let first = read_as(&variant.id, &moves.join(" "));
        assert_eq!(first.plies(), moves.len(), "{}", variant.id);
        round(&first);
        let again = game(write(&first));
        assert_eq!((&again.variant.id, again.plies()), (&variant.id, moves.len()), "{}", write(&first));
        assert_eq!(again.warnings, [], "{}", write(&first));
    }
}

#[test]
fn lines_are_wrapped() {
    let words = "word ".repeat(100);
    let text = format!(
        "{} {{{words}[Event \"no tag\"] % no; comment {words}}} *",
        random_moves("international", 90, 2).join(" ")
    );
    let game = game(text);
    let written = write(&game);
    assert!(written.lines().all(|line| line.chars().count() <= 80), "{written}");
    round(&game);
}

#[test]
fn numbers_start_where_they_did() {
    let game = game("[FEN \"B:W31,32:B1,2\"]\n12... 1-6 13. 31-26 2-7 *");
    assert_eq!(game.first_number, (12, true));
    assert!(write(&game).contains("12... 1-6 13. 31-26 2-7 *"), "{}", write(&game));
}

#[test]
fn annotations_can_be_added() {
    let mut game = game("1. 32-28 19-23 2. 28x19 14x23 2-0");
    let spots: Vec<_> = game.positions().collect();
    assert_eq!(spots.len(), 4);
    for spot in spots.iter().rev().take(3) {
        let other = spot.game.moves().into_iter().find(|mv| *mv != spot.mv);
        let mut items = vec![Item::Nag(4), Item::Comment("[%eval -0.5]".to_string())];
        if let Some(other) = other {
            items.push(game.add_variation(&spot.game, &[other]));
        }
        game.insert_after(LineId::MAIN, spot.item, items);
    }
    game.set_tag("Annotator", "damka");
    let written = write(&game);
    assert!(written.contains("1. 32-28 19-23 $4 {[%eval -0.5]} ( 1... "), "{written}");
    let again = super::game(&written);
    assert_eq!((again.plies(), again.faults().count(), again.tag("Annotator")), (4, 0, Some("damka")));
    assert!(again.lines[1..].iter().flatten().all(|item| matches!(item, Item::Move(mv) if mv.mv.is_some())));
    assert_eq!(again.lines.len(), game.lines.len());
}

#[test]
fn a_line_inside_itself_is_left_out() {
    let mut game = game("1. 32-28 *");
    game.lines[0].push(Item::Variation(LineId::MAIN));
    game.lines[0].push(Item::Variation(LineId(7)));
    game.lines[0].push(Item::Comment("a } b\nc".to_string()));
    assert!(write(&game).contains("1. 32-28 ( ) {a ) b c} *"), "{}", write(&game));
}

fn pieces() -> impl Strategy<Value = String> {
    let words = [
        "(", ")", "(", ")", "{", "}", "!", "(?)", "$5", "1.", "2...", "7", "1-0", "*", "-", "--", "x", "%", ";", "...",
        "\n",
    ];
    let more = [
        "/FEN \"W:W50:B1\"/",
        "/FEN \"B::\"/",
        "[Tag \"v\\\"w\"]",
        "[FEN \"W:W31,32:B1,2.\"]",
        "\n\n[Event \"e\"]\n",
        "[GameType \"20\"]",
        "{a  b}",
        "{ lead [x \"y\"] % trail }",
        "1-7",
        "31-99",
        "A1-B2",
        "1- 6",
        "4-6",
        "word",
        "32-28*",
        "31-26!?",
        "[pdn]",
        "\"",
        "é",
    ];
    let moves = random_moves("international", 8, 1).into_iter().chain(random_moves("international", 3, 2));
    let all: Vec<String> = words.iter().chain(&more).map(|text| text.to_string()).chain(moves).collect();
    prop::collection::vec(prop::sample::select(all), 0..60).prop_map(|parts| parts.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn whatever_is_read_comes_back(text in pieces()) {
        for game in read(&text).into_iter().flatten() {
            round(&game);
        }
    }

    #[test]
    fn comments_come_back(text in "[^{}\r\n]{0,300}", value in "[^\r\n]{0,40}") {
        let mut game = PdnGame::new(Variant::all()[0].clone());
        game.set_tag("Event", &value);
        game.lines[0].push(Item::Comment(text.clone()));
        let again = super::game(write(&game));
        prop_assert_eq!(&again.main()[0], &Item::Comment(text));
        prop_assert_eq!(again.tag("Event"), Some(value.as_str()));
    }
}

#[test]
fn commands_in_comments_stay_on_one_line() {
    let comment = "[%clk 0:10:00] [%eval -0.35] some words to fill a line with until it is full [%eval 0.35] and some more words [%emt 0:01]";
    for fill in 0..40 {
        let text = format!("[GameType \"20\"]\n\n1. 32-28 {{{}{comment}}} *", "x".repeat(fill));
        let wrote = write(&game(&text));
        for command in ["[%clk 0:10:00]", "[%eval -0.35]", "[%eval 0.35]", "[%emt 0:01]"] {
            assert!(wrote.contains(command), "{wrote}");
        }
        assert!(wrote.lines().all(|line| line.chars().count() <= 80), "{wrote}");
    }
}
