//! Which rules a game is read by.

use super::super::{Kind, write};
use super::*;

fn id(text: &str) -> String {
    game(text).variant.id.clone()
}

#[test]
fn tags_name_the_rules() {
    for (tag, wanted) in [
        ("GameType \"20\"", "international"),
        ("GameType \"20,W,10,10,N1,0\"", "international"),
        ("GameType \"21\"", "english"),
        ("GameType \"25,W,8,8,A0,0\"", "russian"),
        ("GameType \"26\"", "brazilian"),
        ("GameType \"27\"", "canadian"),
        ("GameType \"30\"", "turkish"),
        ("GameType \"40\"", "frisian"),
        ("GameType \"98\"", "antidraughts"),
        ("Variant \"American/English\"", "english"),
        ("Variant \"Frysk!\"", "frysk"),
        ("Variant \"Russian Draughts\"", "russian"),
        ("Variant \"polish8\"] [GameType \"26\"", "polish8"),
        ("Variant \"Standard\"] [GameType \"25\"", "russian"),
    ] {
        assert_eq!(id(&format!("[{tag}]\n*")), wanted, "{tag}");
    }
}

#[test]
fn squares_tell_the_board() {
    for (text, wanted) in [
        ("1. 32-28 19-23 2. 28x19 *", "international"),
        ("1. 11-15 23-19 *", "english"),
        ("1. 21-17 11-15 *", "italian"),
        ("1. c3-d4 b6-a5 *", "russian"),
        ("1. 33-29 20-25 *", "international"),
        ("[FEN \"W:W60:B12\"] 1. 60-54 *", "canadian"),
        ("[FEN \"W:W60:B12\"] *", "canadian"),
        ("[FEN \"W:W45:B12\"] *", "international"),
        ("[FEN \"W:WK27,K23:BK28,12.\"] *", "english"),
        ("1. a3-a4 a6-a5 2. a4xa8 *", "turkish"),
        ("[FEN \"W:Wi1,a1:Bb10\"] 1. i1-j2 *", "international"),
        ("*", "international"),
    ] {
        let game = game(text);
        assert_eq!((game.variant.id.as_str(), game.faults().count()), (wanted, 0), "{text} {:?}", messages(&game));
    }
    assert_eq!(id(&random_moves("frisian", 60, 4).join(" ")), "frisian");
    assert_eq!(id(&random_moves("canadian", 60, 4).join(" ")), "canadian");
    assert_eq!(id(&random_moves("turkish", 60, 4).join(" ")), "turkish");
    let told = messages(&game("1. 11-15 23-19 1-0"));
    assert_eq!(told, ["test.pdn:1: game 1: no GameType; read as english, going by its squares and moves"]);
}

#[test]
fn unknown_tags_are_told() {
    let game = game("[GameType \"99,W,3\"]\n1. 11-15 23-19 1-0");
    assert_eq!(game.variant.id, "english");
    assert!(messages(&game)[0].contains("GameType '99,W,3' is not known; read as english"), "{:?}", messages(&game));
    let asked = read_as("russian", "[GameType \"21\"]\n1. c3-d4 *");
    assert!(warned(&asked, |kind| matches!(kind, Kind::OtherVariant { .. })));
    assert_eq!(asked.plies(), 1);
}

#[test]
fn a_file_may_mix() {
    let text = "[GameType \"25\"]\n1. c3-d4 *\n\n[Event \"e\"]\n1. 11-15 23-19 *\n\n[Event \"i\"]\n1. 32-28 18-23 *\n\n\
                [GameType \"40\"]\n1. 32-28 *\n\n[Event \"none\"]\n*\n";
    let ids: Vec<String> = games(text).iter().map(|game| game.variant.id.clone()).collect();
    assert_eq!(ids, ["russian", "english", "international", "frisian", "international"]);
}

#[test]
fn games_before_tell_too() {
    // Czech men never capture backwards: what the first game proves holds for the second, which Russian rules allow as well.
    let text = "[Event \"1\"]\n[FEN \"W:Wc5,g1:Bb4,h8\"]\ng1-f2 *\n\n[Event \"2\"]\n1. c3-d4 b6-a5 *\n";
    let all = games(text);
    assert_eq!(all[0].variant.id, "czech", "{:?}", messages(&all[0]));
    assert_eq!(all[1].variant.id, "czech");
}

#[test]
fn white_may_move_first() {
    let game = game("[Variant \"American/English\"]\n1. c3-d4 b6-a5 2. g3-h4 *");
    assert_eq!(line(&game), "22-18 9-13 24-20");
    assert!(warned(&game, |kind| matches!(kind, Kind::OtherSideFirst { side: "white" })));
    let written = write(&game);
    assert!(
        written.contains("[FEN \"W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\"]"),
        "{written}"
    );
    assert_eq!(read_as("english", &written).plies(), 3);
}
