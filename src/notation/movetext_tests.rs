use super::*;
use crate::game::board::Color;
use crate::game::plain::{Setup, State};
use crate::game::rules::{Duty, Promotion, RuleSet};
use crate::game::variant::Variant;
use crate::notation::fen;
use proptest::prelude::*;
use std::sync::Arc;

fn variant(name: &str) -> Arc<Variant> {
    Variant::find(name).unwrap()
}

fn position(variant: &Arc<Variant>, text: &str) -> Game {
    let setup = fen::read(variant, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    Game::from_setup(variant.clone(), &setup).unwrap()
}

fn game(name: &str, text: &str) -> Game {
    position(&variant(name), text)
}

fn house(base: &str, change: impl FnOnce(&mut RuleSet)) -> Arc<Variant> {
    let mut set = variant(base).set;
    change(&mut set);
    Variant::custom("house", "House rules", "a test", set)
}

fn numbers(squares: &[Square]) -> Vec<u8> {
    squares.iter().map(|square| square.0).collect()
}

/// Short and full text of all legal moves, in order of the full text.
fn texts(game: &Game) -> Vec<(String, String)> {
    let moves = Moves::new(game);
    let mut all: Vec<_> = moves.legal().iter().map(|mv| (moves.write(mv), moves.full(mv))).collect();
    all.sort_by(|a, b| a.1.cmp(&b.1));
    all
}

fn full_texts(game: &Game) -> Vec<String> {
    texts(game).into_iter().map(|(_, full)| full).collect()
}

fn ambiguous(game: &Game, text: &str) -> Vec<String> {
    match read(game, text) {
        Err(MoveError::Ambiguous { mut candidates, .. }) => {
            candidates.sort();
            candidates
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// Whether every legal move comes back from everything that is written of it, and nothing written is longer than it must be.
fn all_moves_come_back(game: &Game) {
    let moves = Moves::new(game);
    for mv in moves.legal() {
        let (short, long) = (moves.write(mv), moves.full(mv));
        let mut ways = vec![short.clone(), long.clone(), long.to_uppercase(), format!(" {long}! ")];
        if mv.is_capture() {
            ways.extend([hub(mv), long.replace([':', 'x'], "-"), long.replace([':', 'x'], " ")]);
            ways.extend(game.paths(mv, 5).iter().filter(|p| p.len() > 2).map(|path| moves.text(mv, path)));
        } else {
            ways.push(short.replace('-', "–"));
        }
        let same_ends = moves.legal().iter().filter(|other| ends_of(other) == ends_of(mv)).count();
        if same_ends == 1 {
            assert_eq!(short, moves.text(mv, &[mv.from, mv.to]));
            ways.extend([short.replace(['-', ':'], "x"), short.replace(['x', ':'], "-")]);
        } else if mv.captures.len() > 1 {
            assert_eq!(short, moves.text(mv, &mv.path));
        }
        // A single capture that shares its ends has only the list of captured squares.
        let single = mv.captures.len() == 1 && same_ends > 1;
        assert_eq!(long.split(['x', ':', '-']).count(), mv.path.len() + usize::from(single), "{long}");
        for way in ways {
            let found = moves.read(&way);
            let context = || format!("{} {} {way}", game.variant().id, fen::write(game.variant(), &game.setup()));
            assert_eq!(found.as_ref(), Ok(mv), "{}", context());
        }
    }
}

/// A small generator of even choices: the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

/// A sprinkling of pieces, many of them kings.
fn random_setup(variant: &Variant, dice: &mut Dice) -> Setup {
    let board = variant.set.board;
    let mut setup = Setup::empty(board, if dice.roll(2) == 0 { Color::White } else { Color::Black });
    let density = 3 + dice.roll(4);
    for index in 0..board.squares() {
        if dice.roll(density) != 0 {
            continue;
        }
        let color = if dice.roll(3) == 0 { setup.side } else { setup.side.other() };
        let row = index / board.per_row();
        let last = if color == Color::White { row == 0 } else { row + 1 == board.height as usize };
        setup.cells[index] = Some(crate::game::plain::Piece { color, king: last || dice.roll(2) == 0 });
    }
    setup
}

fn play_and_check(variant: &Arc<Variant>, dice: &mut Dice) {
    for round in 0..12 {
        let mut game = match round {
            0..3 => Game::new(variant.clone()),
            _ => Game::from_setup(variant.clone(), &random_setup(variant, dice)).unwrap(),
        };
        for _ in 0..if round < 3 { 80 } else { 6 } {
            all_moves_come_back(&game);
            let setup = game.setup();
            if setup.cells.iter().any(Option::is_some) {
                let text = fen::write(variant, &setup);
                assert_eq!(fen::read(variant, &text), Ok(setup), "{text}");
            }
            let moves = game.moves();
            if moves.is_empty() || game.state() != State::Ongoing {
                break;
            }
            game.play(&moves[dice.roll(moves.len())]).unwrap();
        }
    }
}

#[test]
fn every_move_of_random_games_comes_back() {
    let mut dice = Dice(0x6461_6d6b_6121);
    Variant::all().iter().for_each(|variant| play_and_check(variant, &mut dice));
}

#[test]
fn every_move_of_random_games_under_house_rules_comes_back() {
    let mut dice = Dice(0x6875_6666);
    for base in ["english", "russian", "international", "turkish", "frisian", "thai"] {
        play_and_check(&house(base, |set| set.duty = Duty::Optional), &mut dice);
        play_and_check(&house(base, |set| set.duty = Duty::Huffing), &mut dice);
        play_and_check(&house(base, |set| set.choice = Default::default()), &mut dice);
        play_and_check(&house(base, |set| set.promotion = Promotion::InPassing), &mut dice);
    }
}

#[test]
fn stops_tell_captures_with_the_same_ends_apart() {
    let game = game("international", "W:WK4:B13,20,32,37");
    assert_eq!(full_texts(&game), ["4x27x38x15", "4x31x42x15"]);
    assert!(texts(&game).iter().all(|(short, full)| short == full));
    assert_eq!(ambiguous(&game, "4x15"), ["4x27x38x15", "4x31x42x15"]);
    assert_eq!(ambiguous(&game, "4-15"), ["4x27x38x15", "4x31x42x15"]);
    let message = read(&game, "4x15").unwrap_err().to_string();
    assert!(message.starts_with("move '4x15' is ambiguous; expected one of 4x"), "{message}");

    // Captured squares in any order.
    for text in ["4x15x13x32x20", "4x15x20x13x32", "04x15x20x32x13"] {
        assert_eq!(numbers(&read(&game, text).unwrap().path), [4, 27, 38, 15], "{text}");
    }
    for text in ["4x15x13x37x20", "4x15x37x20x13"] {
        assert_eq!(numbers(&read(&game, text).unwrap().path), [4, 31, 42, 15], "{text}");
    }
    // Other landing squares, and only some of them.
    for text in ["4x27x38x15", "4x22x38x15", "4x27x15", "4x38x15"] {
        let read = read(&game, text);
        let taken = read.as_ref().map(|mv| sorted(&mv.captures));
        match text {
            "4x27x15" | "4x38x15" | "4x27x38x15" => assert_eq!(taken, Ok(sorted(&[13, 32, 20].map(Square))), "{text}"),
            _ => assert!(matches!(read, Err(MoveError::Illegal { .. })), "{text}"),
        }
    }
}

#[test]
fn standard_stops_are_written() {
    let game = game("international", "W:WK47:B14,19,29,31,42");
    assert_eq!(full_texts(&game), ["47x38x20x9x36", "47x38x24x13x36"]);
    let long = read(&game, "47x38x24x13x36").unwrap();
    assert_eq!(read(&game, "47x33x24x13x36"), Ok(long.clone()));
    assert_eq!(read(&game, "47x36x42x29x19x31"), Ok(long));
    assert_eq!(ambiguous(&game, "47x36"), ["47x38x20x9x36", "47x38x24x13x36"]);
    assert_eq!(ambiguous(&game, "47x38x36"), ["47x38x20x9x36", "47x38x24x13x36"]);
}

#[test]
fn a_single_capture_with_the_ends_of_a_longer_one() {
    let game = game("russian", "W:We3,g3,h4,a5,b2,h2,a3,Kf8:Bc5,e5,g5,g7,h8");
    assert_eq!(
        texts(&game),
        [("f8:b4:c5", "f8:b4:c5"), ("f8:h6:f4:d6:b4", "f8:h6:f4:d6:b4"), ("h4:b6", "h4:f6:d4:b6")]
            .map(|(short, full)| (short.to_string(), full.to_string()))
    );
    assert_eq!(ambiguous(&game, "f8xb4"), ["f8:b4:c5", "f8:h6:f4:d6:b4"]);
    assert_eq!(read(&game, "F8xB4xC5").unwrap().captures.len(), 1);
    assert_eq!(read(&game, "f8b4g7g5e5c5").unwrap().captures.len(), 4);
    assert_eq!(read(&game, "f8h6b4").unwrap().captures.len(), 4);
}

#[test]
fn rule_book_positions_in_full_notation() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("russian", "W:Wh6:Bg7,c5,d2", &["h6:f8:b4:e1"]),
        ("russian", "W:Wf6:Be7,c7", &["f6:d8:a5", "f6:d8:b6"]),
        ("russian", "W:Wd4:Bc5,c7,e7", &["d4:b6:d8:f6", "d4:b6:d8:g5", "d4:b6:d8:h4"]),
        ("international", "B:W41,42:B36", &["36x47x38"]),
        ("international", "W:W23:B28", &["23x32"]),
        ("english", "B:W11,12,13,19,22,27,28,30:B2,3,6,7,10", &["7x16x23x32"]),
        ("international", "W:WK47:B9,12,33", &["47x20x3x17", "47x20x3x21", "47x20x3x26"]),
        ("international", "W:W48:B24,K31,34,K42,43", &["48x39x30x19"]),
        ("italian", "W:WK30:B10,K12,K18,20,K26,K27", &["30x21x14x5"]),
        ("italian", "W:W30:BK26", &["30-27"]),
        ("english", "W:WK29:BK25", &["29x22"]),
        ("english", "W:W18:B1,6,14", &["18x9x2"]),
        ("english", "B:W26,27:B22", &["22x31"]),
        ("english", "W:WK1,32:B6,27", &["1x10", "32x23"]),
        ("turkish", "W:WKa2:Ba3,b3,b7,d5", &["a2xa7xd7xd3xa3"]),
        ("frisian", "B:W15,33,40,41:BK22", &["22x44x35x5x46"]),
        ("english", "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13", &["10x17x26", "10x19x26"]),
        ("czech", "W:WKa1,g3:Bc3,f4", &["a1xd4", "a1xe5", "a1xf6", "a1xg7", "a1xh8"]),
        (
            "international",
            "W:WK41:BK46,5",
            &["41-10", "41-14", "41-19", "41-23", "41-28", "41-32", "41-36", "41-37", "41-47"],
        ),
        (
            "turkish",
            "W:Wd3,Ke3:Bh8",
            &[
                "d3-c3", "d3-d4", "e3-e1", "e3-e2", "e3-e4", "e3-e5", "e3-e6", "e3-e7", "e3-e8", "e3-f3", "e3-g3",
                "e3-h3",
            ],
        ),
    ];
    for (name, text, wanted) in cases {
        assert_eq!(full_texts(&game(name, text)), *wanted, "{name} {text}");
    }
}

#[test]
fn a_tour_that_comes_home() {
    let game = game("brazilian", "W:Wd4:Bc5,c7,e7,e5");
    let only = game.moves().remove(0);
    assert_eq!(write(&game, &only), "d4xd4");
    for text in ["d4xd4", "d4d4", "d4:f6:d8:b6:d4", "d4b6d8f6d4", "18x18x6x7x14x15"] {
        assert_eq!(read(&game, text).as_ref(), Ok(&only), "{text}");
    }
}

#[test]
fn tolerant_reading() {
    let start = Game::new(variant("international"));
    let wanted = read(&start, "32-28").unwrap();
    for text in [
        "32x28",
        "32:28",
        "32 28",
        "32 - 28",
        "32–28",
        "32‑28",
        " 032-028 ",
        "32-28!",
        "32-28!?",
        "32-28.",
        "32-28+ ",
        "d4-e5",
        "D4e5",
        "d4x28",
        "32e5",
        "32\u{a0}28\r\n",
    ] {
        assert_eq!(read(&start, text).as_ref(), Ok(&wanted), "{text}");
    }
    let start = Game::new(variant("russian"));
    let wanted = read(&start, "c3-d4").unwrap();
    for text in ["c3d4", "C3-D4", "c3:d4", "c3 d4", "22-18", "22x18", "c3—d4?!"] {
        assert_eq!(read(&start, text).as_ref(), Ok(&wanted), "{text}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let start = Game::new(variant("international"));
    let cases = [
        ("", "move: nothing read, expected two squares such as 26-25"),
        ("  ", "nothing read"),
        ("!?", "'!?', character 1: the end read, expected a square 1-50 or a1-j10"),
        ("32", "move '32': one square read"),
        ("32-", "move '32-', character 4: the end read"),
        ("-28", "move '-28', character 1: '-' read"),
        ("- -", "character 1: '-' read"),
        ("3228", "character 1: '3228' read"),
        ("32--28", "character 4: '-' read"),
        ("32-51", "move '32-51', character 4: '51' read, expected a square 1-50 or a1-j10"),
        ("32-a2", "'a2' read"),
        ("32;28", "character 3: ';' read, expected '-', 'x' or ':' and a square"),
        ("e2e4", "'e2' read"),
        ("1.32-28", "character 2: '.' read"),
        ("@12", "move '@12', character 4: the end read, expected '/' and a move"),
        ("@/32-28", "character 2: '/' read"),
        ("32\u{0}28", "'32\\u{0}28', character 3: '\\u{0}' read"),
        ("32-é", "character 4: 'é' read"),
        ("32-27x28", "move '32-27x28' is not legal; legal from 32: 32-27 32-28"),
        ("32-37", "move '32-37' is not legal; legal from 32: 32-27 32-28"),
        ("@12/32-28", "no move starts there"),
        ("46-41", "no move starts there; legal: "),
    ];
    for (text, wanted) in cases {
        let message = read(&start, text).unwrap_err().to_string();
        assert!(message.contains(wanted), "{text}: {message}");
    }
    let listed = read(&start, "46-41").unwrap_err().to_string();
    assert!(listed.ends_with(" and 1 more"), "{listed}");
    assert_eq!(read(&start, &"1".repeat(2000)), Err(MoveError::TooLong { bytes: 2000, limit: 1024 }));
    assert!(
        read(&game("international", "B:W50:B"), "1-6").unwrap_err().to_string().ends_with("there is no legal move")
    );
}

#[test]
fn the_same_move_twice() {
    let mut game = game("international", "W:WK2,25:B14,15,16");
    let mv = read(&game, "25-20").unwrap();
    game.play(&mv).unwrap();
    assert!(matches!(read(&game, "25-20"), Err(MoveError::Illegal { place: None, .. })));
    assert_eq!(fen::write(game.variant(), &game.setup()), "B:WK2,20:B14,15,16");
}

#[test]
fn every_piece_of_a_capture_goes() {
    let mut game = game("english", "B:W11,12,13,19,22,27,28,30:B2,3,6,7,10");
    let mv = read(&game, "7x32").unwrap();
    game.play(&mv).unwrap();
    assert_eq!(fen::write(game.variant(), &game.setup()).split(":F").next(), Some("W:W12,13,22,28,30:B2,3,6,10,K32"));
}

#[test]
fn a_dash_is_the_quiet_move_where_captures_are_optional() {
    let optional = house("russian", |set| set.duty = Duty::Optional);
    let game = position(&optional, "W:WKc1:Be3,e5,c5");
    all_moves_come_back(&game);
    let quiet = read(&game, "c1-a3").unwrap();
    assert!(!quiet.is_capture());
    assert_eq!(write(&game, &quiet), "c1-a3");
    let tour = read(&game, "c1:f4:d6:a3").unwrap();
    assert_eq!(write(&game, &tour), "c1:f4:d6:a3");
    assert_eq!(read(&game, "c1-a3-e3-e5-c5"), Ok(tour));
    for text in ["c1:a3", "c1xa3", "c1 a3", "c1a3"] {
        assert_eq!(ambiguous(&game, text), ["c1-a3", "c1:f4:d6:a3"], "{text}");
    }
}

#[test]
fn a_huff_stands_before_the_move() {
    let huffing = house("english", |set| set.duty = Duty::Huffing);
    let game = position(&huffing, "B:W18,22,30:B9,14,1:X22");
    all_moves_come_back(&game);
    let huff = read(&game, "@22/1-6").unwrap();
    assert_eq!(
        (huff.huffed, write(&game, &huff).as_str(), hub(&huff).as_str()),
        (Some(Square(22)), "@22/1-6", "@22/1-6")
    );
    assert_eq!(read(&game, " @ 22 / 1 - 6 "), Ok(huff));
    assert_eq!(read(&game, "1-6").unwrap().huffed, None);
    let message = read(&game, "@18/1-6").unwrap_err().to_string();
    assert!(message.contains("'@18/1-6' is not legal"), "{message}");
}

#[test]
fn lines_stop_at_a_move_that_is_not_legal() {
    let start = Game::new(variant("international"));
    let first = read(&start, "32-28").unwrap();
    let mut after = start.clone();
    after.play(&first).unwrap();
    let second = read(&after, "19-23").unwrap();
    after.play(&second).unwrap();
    let third = read(&after, "28x19").unwrap();
    assert_eq!(write_line(&start, &[first.clone(), second.clone(), third.clone()]), ["32-28", "19-23", "28x19"]);
    assert_eq!(write_line(&start, &[first, third, second]), ["32-28"]);
    assert_eq!(hub(&read(&after, "28-19").unwrap()), "28x19x23");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC*", index in 0..Variant::all().len()) {
        let _ = read(&Game::new(Variant::all()[index].clone()), &text);
    }

    #[test]
    fn nothing_like_a_move_makes_it_panic(
        text in "(@[0-9]{0,2}/?)?(([0-9]{1,3}|[a-lA-L][0-9]{1,2}|é)[-x: –*]{0,2}){0,9}[!?.+]{0,2}",
        index in 0..Variant::all().len())
    {
        let game = Game::new(Variant::all()[index].clone());
        if let Ok(mv) = read(&game, &text) {
            prop_assert!(game.moves().contains(&mv));
        }
    }
}
