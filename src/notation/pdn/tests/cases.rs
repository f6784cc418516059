//! What real files hold, one test a deviation. Those that go back to a case of the collection of bug reports name it.

use super::super::{Item, Kind, write};
use super::*;

/// Case PD01.
#[test]
fn nested_braces() {
    let game = game("1. 33-29 19-23 2. 35-30 { nested { comment } }\n");
    assert_eq!((game.plies(), line(&game).as_str()), (3, "33-29 19-23 35-30"));
    assert_eq!(game.main()[3], Item::Comment(" nested { comment ".to_string()));
    assert!(warned(&game, |kind| matches!(kind, Kind::NestedBrace)));
    assert!(warned(&game, |kind| matches!(kind, Kind::Stray { read } if read == "}")));
}

/// Case PD02.
#[test]
fn variations_inside_variations() {
    let text = "32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 28x19 14x23";
    let game = game(text);
    assert_eq!(line(&game), "32-28 19-23 28x19 14x23");
    assert_eq!(
        end(&game),
        "W:W31,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:\
         B1,2,3,4,5,6,7,8,9,10,11,12,13,15,16,17,18,20,23"
    );
    let legal = |line: usize| {
        let moves = game.lines[line].iter().filter_map(|item| match item {
            Item::Move(mv) if mv.mv.is_some() => Some(format!("{}{}", mv.text, mv.strength)),
            _ => None,
        });
        moves.collect::<Vec<_>>().join(" ")
    };
    assert_eq!((legal(1).as_str(), legal(2).as_str()), ("18-23 38-32 12-18", "37-32? 23-29!"));
    let wanted = "1. 32-28 19-23 ( 1... 18-23 2. 38-32 ( 2. 37-32? 23-29! { Black wins } ) 2...\n\
                  12-18 ) 2. 28x19 14x23 *\n";
    assert!(write(&game).ends_with(wanted), "{}", write(&game));
}

/// Case PD04.
#[test]
fn line_comments() {
    let game = game("% Board game: International Draughts 10x10\n[Date \"2012.02.01\"]\n1. 32-28 19-23 \n");
    assert_eq!((game.plies(), game.tag("Date")), (2, Some("2012.02.01")));
    assert!(write(&game).contains("{Board game: International Draughts 10x10}"));
    assert!(warned(&game, |kind| matches!(kind, Kind::Comment { .. })));
}

/// Case PD05.
#[test]
fn marks_and_stars() {
    let first = game("1.32-28!? 19-23(!?!!!) 2.28x19 *");
    let strengths: Vec<&str> = first.moves().map(|mv| mv.strength.as_str()).collect();
    assert_eq!((first.plies(), strengths), (3, vec!["!?", "(!?!!!)", ""]));
    assert_eq!(first.result.as_deref(), Some("*"));
    let second = game("[FEN \"B:W31,32,33:B1,2\"] 1-6* 32-28");
    assert_eq!(line(&second), "1-6 32-28");
    assert_eq!(second.main()[1], Item::Nag(7));
    assert!(write(&second).contains("1. 1-6 $7 1... 32-28") || write(&second).contains("1. 1-6 $7 32-28"));
}

/// Case PD06.
#[test]
fn results_that_look_like_moves() {
    let draw = game("1. 32-28 18-23 1-1\n");
    assert_eq!((draw.plies(), draw.result.as_deref()), (2, Some("1-1")));
    let score = game("1. 32-28 18-23 2. 38-32 12-18 4-6\n");
    assert_eq!((score.plies(), score.moves().count(), score.result.as_deref()), (4, 4, Some("4-6")));
    assert_eq!(messages(&score), ["test.pdn:1: game 1, ply 5: '4-6' is no legal move; taken for the result"]);
    let tagged = game("[Result \"7-4\"]\n1. 32-28 18-23 2. 38-32 12-18 7-4\n");
    assert_eq!((tagged.plies(), tagged.result.as_deref(), tagged.warnings.len()), (4, Some("7-4"), 1));
    let two = games("1. 32-28 18-23 2. 38-32 12-18 4-6\n1. 33-29 19-23 1-9");
    assert_eq!((two[0].result.as_deref(), two[1].result.as_deref()), (Some("4-6"), Some("1-9")));
    let all = games("1. 32-28 1-0 1. 32-28 0-1 1. 32-28 1/2-1/2 1. 32-28 2 - 0 1. 32-28 0-0 1. 32-28 1/2 1. 32-28 *");
    let results: Vec<_> = all.iter().filter_map(|game| game.result.as_deref()).collect();
    assert_eq!(results, ["1-0", "0-1", "1/2-1/2", "2-0", "0-0", "1/2", "*"]);
}

/// Case PD07.
#[test]
fn padding_and_zeros() {
    let game = game("01. 34-29 18-22  02. 40- 34   1- 7?");
    assert_eq!(line(&game), "34-29 18-22 40-34 [1- 7]");
    let start = read_as("international", "1. 34-29  17-22 2. 040-034 11 -17 3. 45- 40 06-11 4. 50\u{a0}- 45  1- 6 2-0");
    assert_eq!(line(&start), "34-29 17-22 40-34 11-17 45-40 6-11 50-45 1-6");
    let spelling: Vec<String> = messages(&start);
    assert_eq!(spelling.len(), 6, "{spelling:?}");
    assert_eq!(spelling[5], "test.pdn:1: game 1, ply 8: move '1- 6' read, expected 1-6");
    let bare = read_as("international", "1. 32 28 19 23 2. 28x19 14x 23 2-0");
    assert_eq!(line(&bare), "32-28 19-23 28x19 14x23");
}

/// Case PD08.
#[test]
fn capitals_and_relocations() {
    let text = "[GameType \"25\"]\n1. A3-B4\n*\n[GameType \"25\"]\n1. A1-A5 A7-H4\n*\n[GameType \"25\"]\n1. c3:d4 *";
    let all = games(text);
    assert_eq!(all.iter().map(line).collect::<Vec<_>>(), ["a3-b4", "[A1-A5] [A7-H4]", "c3-d4"]);
    let fault = all[1].faults().next().unwrap().to_string();
    assert!(fault.starts_with("test.pdn:5: game 2, ply 1: move 'A1-A5'"), "{fault}");
    assert_eq!(messages(&all[2]), ["test.pdn:8: game 3, ply 1: move 'c3:d4' read, expected c3-d4"]);
    let relocated = read_as("russian", "1. A1-A5 a7-b6? 40:09 e9-e0! *");
    assert!(write(&relocated).contains("1. a1-a5 a7-b6? 2. 40:9 {e9-e0!} *"), "{}", write(&relocated));
}

const SETTLED: &str = "[FEN \"W:W32,K36,37,38,42,45,47:B3,6,8,11,12,14,19,27,34\"]\n36x16 19-24 38-33 24-30 32-28 30-35 \
     16-32 14-20 28-22 20-25 32-49 6-11 33-29 34x23 45-40 35x44 49x16 25-30 22-18 30-35 18-13 35-40 16-11 40-45 11-50 3-9 *";

/// Case PD10.
#[test]
fn later_moves_settle_a_capture() {
    let game = game(SETTLED);
    assert_eq!(game.plies(), 26);
    assert_eq!(game.moves().next().unwrap().text, "36x13x2x16");
    let told = messages(&game);
    assert!(told.iter().any(|text| text.contains("'36x16' can be 36x18x7x16 or 36x13x2x16")), "{told:?}");
    assert_eq!(game.faults().count(), 0);
    assert!(write(&game).contains("1. 36x13x2x16 19-24"));
}

#[test]
fn what_is_not_settled_is_kept_as_text() {
    let end = SETTLED.find("38-33").unwrap();
    let game = game(format!("{} *", &SETTLED[..end]));
    assert_eq!((game.plies(), line(&game).as_str()), (0, "[36x16] [19-24]"));
    let told = messages(&game);
    assert!(told[0].contains("game 1, ply 1: move '36x16' can be 36x18x7x16 or 36x13x2x16, and"), "{told:?}");
    assert!(write(&game).contains("1. 36x16 19-24 *"), "{}", write(&game));
}

/// Case PD12.
#[test]
fn one_corrupt_game_among_many() {
    let mut text = String::new();
    for number in 0..30 {
        let mut moves = random_moves("english", 40, number);
        if number == 17 {
            moves[22] = "32-28".to_string();
            moves[23] = "28-32".to_string();
        }
        text += &format!("[Event \"{number}\"]\n[GameType \"21\"]\n\n{}\n1-0\n\n", moves.join(" "));
    }
    let all = games(&text);
    assert_eq!(all.len(), 30);
    for (number, game) in all.iter().enumerate() {
        assert_eq!((game.number, game.tag("Event")), (number + 1, Some(number.to_string().as_str())));
        let wanted = if number == 17 { 22 } else { random_moves("english", 40, number).len() };
        assert_eq!((game.plies(), game.faults().count()), (wanted, usize::from(number == 17)), "{number}");
    }
    let fault = all[17].faults().next().unwrap();
    assert_eq!((fault.game, fault.ply, fault.line), (18, Some(23), 17 * 6 + 4));
    assert!(fault.to_string().contains("'32-28'"));
}

/// Case PD13.
#[test]
fn signs_are_not_believed() {
    let mut moves = random_moves("english", 60, 3);
    moves.iter_mut().for_each(|text| *text = text.replace('-', "*").replace('x', "-").replace('*', "x"));
    let game = read_as("english", &moves.join(" "));
    assert_eq!(line(&game), random_moves("english", 60, 3).join(" "));
    assert_eq!(game.warnings.len(), moves.len() + 1, "every move, and the end");
}

/// Case PD14.
#[test]
fn tag_and_end_disagree() {
    let game = game("[Result \"0-1\"]\n1. 32-28 17-21 1/2-1/2");
    assert_eq!((game.result.as_deref(), game.tag("Result")), (Some("1/2-1/2"), Some("0-1")));
    assert_eq!(
        messages(&game),
        ["test.pdn:2: game 1: the game ends with '1/2-1/2', its Result tag says '0-1'; both are kept"]
    );
    let written = write(&game);
    assert!(written.contains("[Result \"0-1\"]") && written.contains("{1/2-1/2} *"), "{written}");
    assert_eq!(read_as("international", "[Result \"2-0\"] 1. 32-28 1-0").warnings, []);
}

/// Case PD15.
#[test]
fn moves_of_dashes() {
    let all = games("[GameType \"25\"]\n1. - - 2. - - 3. - - 1/2-1/2\n\n[GameType \"25\"]\n1. a3-b4 *");
    assert_eq!(all.len(), 2);
    assert_eq!((all[0].plies(), all[0].result.as_deref()), (0, Some("1/2-1/2")));
    assert!(all[0].main().iter().all(|item| matches!(item, Item::Text(_))));
    assert_eq!(line(&all[1]), "a3-b4");
}

/// Case PD17.
#[test]
fn italian_tags() {
    let text = "[Dati \"69° ASSOLUTO\"]\n[Bianco \"White\"]\n[Nero \"Black\"]\n[Risultato \"0-1\"]\n[Apertura \"0020\"]\n\n\
                1. 21-17 11-15 2. 23-20 15-19 {Nero Vince} 0-1\n";
    let game = game(text);
    assert_eq!((game.variant.id.as_str(), game.plies(), game.result.as_deref()), ("italian", 4, Some("0-1")));
    assert_eq!(game.tag("Bianco"), Some("White"));
    let written = write(&game);
    assert!(written.contains("[Apertura \"0020\"]\n[Result \"0-1\"]\n[GameType \"22,W,8,8,N2,1\"]\n"), "{written}");
    assert!(written.contains("{Nero Vince} *"));
}

/// Case PD18.
#[test]
fn comments_of_programs() {
    let game = game("1. 33-29 {[%drgnode 0 1]} 20-25 {[%drgnode 1 2][%inbook]} 2. ... {[%clk 1:55:21]} *");
    let comments: Vec<&Item> = game.main().iter().filter(|item| matches!(item, Item::Comment(_))).collect();
    assert_eq!(comments.len(), 3);
    assert_eq!(*comments[1], Item::Comment("[%drgnode 1 2][%inbook]".to_string()));
    assert_eq!((game.plies(), game.warnings.len()), (2, 0));
    assert!(write(&game).contains("{[%clk 1:55:21]}"));
}

/// Case PD20.
#[test]
fn a_capture_split_into_its_jumps() {
    let text = "[Variant \"American/English\"]\n[FEN \"W:Wh4,a1:Bg5,g7,a7\"]\n20. h4xf6 f6xh8 21. a7-b6 a1-b2 *";
    let game = game(text);
    assert_eq!((game.variant.id.as_str(), line(&game).as_str()), ("english", "20x4 5-9 29-25"));
    assert!(warned(
        &game,
        |kind| matches!(kind, Kind::Merged { read, wrote } if read == "h4xf6 f6xh8" && wrote == "20x4")
    ));
}

/// Case PD21.
#[test]
fn games_without_moves() {
    let text = "[Event \"x\"]\n[White \"White\"]\n[Black \"Black\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\
                [Termination \"Time forfeit\"]\n\n[Event \"y\"]\n[Result \"0-2\"]\n\n1. 32-28 0-2\n";
    let all = games(text);
    assert_eq!(all.len(), 2);
    assert_eq!((all[0].plies(), all[0].outcome(), all[0].tag("Event")), (0, Some("2-0"), Some("x")));
    assert_eq!((all[1].plies(), all[1].outcome(), all[1].tag("Termination")), (1, Some("0-2"), None));
    assert_eq!(all[1].tag("White"), None);
}

/// Case PD22.
#[test]
fn two_event_tags() {
    let text = "[Event \"Opening\"]\n[Black \"Black\"]\n[White \"White\"]\n[Event \"This is an 8x8 draughts game\"]\n\
                [Result \"1/2-1/2\"]\n[GameType \"21\"]\n\n1.  9-14 22-17 2. 11-15 25-22 *\n";
    let game = game(text);
    assert_eq!((game.plies(), game.tags.len()), (4, 6));
    assert_eq!(game.tag("Event"), Some("This is an 8x8 draughts game"));
    assert!(warned(&game, |kind| matches!(kind, Kind::SecondTag { name } if name == "Event")));
    assert!(warned(&game, |kind| matches!(kind, Kind::ResultMismatch { read, .. } if read == "*")));
}

/// Case NF08.
#[test]
fn a_position_of_no_side() {
    for text in
        ["[FEN \"?:W29,13,11:B22,4,2\"]\n*", "[FEN \"?:W29,13,11:B22,4,2\"]\n1. 29-24 *", "[FEN \"\u{0}\"] 1-7 *"]
    {
        let game = game(text);
        assert!(game.start.is_none() && game.last().is_none() && game.positions().next().is_none());
        assert!(warned(&game, |kind| matches!(kind, Kind::Fen { .. })), "{:?}", messages(&game));
    }
    let game = game("[FEN \"?:W29,13,11:B22,4,2\"]\n1. 29-24 *");
    assert!(messages(&game)[1].contains("FEN '?:W29,13,11:B22,4,2'"), "{:?}", messages(&game));
    assert!(write(&game).contains("[FEN \"?:W29,13,11:B22,4,2\"]") && write(&game).contains("29-24"));
}

/// Case NF06.
#[test]
fn positions_of_problem_files() {
    let text = "[Event \"X #1\"]\n[Date \"\"]\n[Setup \"1\"]\n[FEN \"W:WK27,K23:BK28,12.\"]\n0-1\n\n\
                [Event \"X #2\"]\n[FEN \"B:W13,12,K8:B6,3,K1\"]\n1-0";
    let all = games(text);
    assert_eq!(all.len(), 2);
    assert_eq!((end(&all[0]).as_str(), all[0].result.as_deref()), ("W:WK23,K27:B12,K28", Some("0-1")));
    assert!(write(&all[0]).contains("[FEN \"W:WK23,K27:B12,K28\"]"));
    assert_eq!(all[1].tag("Event"), Some("X #2"));
}

#[test]
fn words_among_the_moves() {
    let game = game("1. 32-28 see above 19-23 2. 28x19Redoversteppedthetime. 14x23 (x) -- 2-0");
    assert_eq!(line(&game), "32-28 19-23 28x19 14x23");
    let texts: Vec<&Item> = game.main().iter().filter(|item| matches!(item, Item::Text(_))).collect();
    assert_eq!(texts.len(), 3);
    assert_eq!(*texts[0], Item::Text("see above".to_string()));
    let written = write(&game).replace('\n', " ");
    for piece in ["{see above}", "{Redoversteppedthetime.}", "( {x} )", "{--}"] {
        assert!(written.contains(piece), "{piece}: {written}");
    }
}

#[test]
fn set_ups_in_mid_game() {
    let game = game("1. 32-28 /FEN \"W:W50:B1\"/ 50-45 1-6 /FEN \"B::\"/ 6-11 45-40 /FEN \"x\"/ 1-6 *");
    assert_eq!(line(&game), "32-28 50-45 1-6 6-11 45-40 [1-6]");
    assert_eq!(game.faults().count(), 1);
    assert_eq!(game.positions().count(), 5);
    assert_eq!(read_as("international", &write(&game)).plies(), 5);
}

#[test]
fn paths_that_are_not_needed() {
    let text = "[GameType \"25\"]\n[FEN \"W:Wa3,g1:Bb4,d6,h8\"]\n1. a3xc5xe7 h8-g7 *";
    let game = game(text);
    assert_eq!(line(&game), "a3:e7 h8-g7");
    assert!(messages(&game).iter().any(|text| text.contains("move 'a3xc5xe7' read, expected a3:e7")));
}

#[test]
fn comments_behind_the_end() {
    let all = games("[Event \"a\"]\n1. 32-28 2-0 {Black lost on time}\n{twice}\n\n[Event \"b\"]\n{before} 1. 33-28 *");
    assert_eq!(all[0].epilogue, ["Black lost on time", "twice"]);
    assert_eq!(all[1].main()[0], Item::Comment("before".to_string()));
    assert!(write(&all[0]).contains("{Black lost on time} {twice} *"));
    assert_eq!(games("1. 32-28 2-0 {of the next} 1. 33-28 *")[1].main().len(), 2);
}

#[test]
fn tags_that_stand_behind_a_result() {
    let all = games("[Event \"a\"]\n1. 32-28 0-1[Event \"b\"]\n[Date \"\"]\n1. 33-28 2-0\n");
    assert_eq!(all.len(), 2);
    assert_eq!((all[1].tag("Event"), all[1].tag("Date"), all[1].line), (Some("b"), Some(""), 2));
    let all = games("[Event \"a\"]\n1. 32-28 19-23 [Event \"b\"]\n1. 33-28 2-0\n");
    assert_eq!((all.len(), all[0].result.as_deref()), (2, None));
    assert!(warned(&all[0], |kind| matches!(kind, Kind::NoTerminator)));
}
