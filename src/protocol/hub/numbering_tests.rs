use super::*;
use crate::game::variant::Variant;
use crate::notation::fen;
use std::sync::Arc;

fn variant(name: &str) -> Arc<Variant> {
    Variant::find(name).expect("built in")
}

fn of(name: &str) -> Numbering {
    Numbering::new(&variant(name).set, Style::Pydraughts)
}

fn game(name: &str, text: &str) -> Game {
    let variant = variant(name);
    let setup = fen::read(&variant, text).expect("a sound FEN");
    Game::from_setup(variant, &setup).expect("a sound position")
}

fn start(name: &str) -> String {
    of(name).text(&Setup::start(&variant(name)))
}

fn error(result: Result<impl std::fmt::Debug, Trouble>) -> String {
    result.expect_err("bad").to_string()
}

#[test]
fn starting_positions_are_those_of_the_clients() {
    let rows = |count: usize, empty: usize| "b".repeat(count) + &"e".repeat(empty) + &"w".repeat(count);
    assert_eq!(start("international"), format!("W{}", rows(20, 10)));
    assert_eq!(start("russian"), format!("W{}", rows(12, 8)));
    assert_eq!(start("italian"), format!("W{}", rows(12, 8)));
    // Black begins, and so is called white.
    assert_eq!(start("english"), format!("W{}", rows(12, 8)));
    let native = Numbering::new(&variant("english").set, Style::Native);
    assert_eq!(native.text(&Setup::start(&variant("english"))), format!("B{}", rows(12, 8)));
    assert_eq!(start("turkish"), format!("W{}{}{}", "e".repeat(8), rows(16, 16), "e".repeat(8)));
}

#[test]
fn russian_counts_moves_from_a1_and_positions_from_the_top() {
    let game = game("russian", "W:Wa1,Kc3:Bh8,b6");
    let numbering = of("russian");
    assert_eq!(numbering.text(&game.setup()), "WeeebeeeebeeeeeeeeeeeeWeeeeeeweee");
    let mv = numbering.read(&game, 1, "10-13").expect("c3-b4");
    assert_eq!(movetext::write(&game, &mv), "c3-b4");
    assert_eq!(numbering.write(&mv), "10-13");
    let game = self::game("russian", "W:Wc3:Bd4");
    let mv = numbering.read(&game, 1, "10x19x14").expect("c3:e5");
    assert_eq!((movetext::write(&game, &mv).as_str(), numbering.write(&mv).as_str()), ("c3:e5", "10x19x14"));
    assert_eq!(numbering.read(&game, 1, "c3:e5").expect("letters are read too"), mv);
}

#[test]
fn turkish_has_65_signs_and_a1_is_1() {
    let game = game("turkish", "W:Wa2,h2:Bh8,b7");
    let mv = of("turkish").read(&game, 1, "9-17").expect("a2-a3");
    assert_eq!(movetext::write(&game, &mv), "a2-a3");
    assert_eq!(of("turkish").text(&game.setup()).len(), 65);
}

#[test]
fn english_moves_keep_their_numbers() {
    let game = Game::new(variant("english"));
    let mv = of("english").read(&game, 1, "10-15").expect("a first move");
    assert_eq!((mv.from, mv.to), (Square(10), Square(15)));
    let setup = of("english").position(&format!("B{}W", "e".repeat(31))).expect("a black king on 1, White to move");
    assert_eq!((setup.side, setup.cells[0]), (Color::White, Some(Piece { color: Color::Black, king: true })));
}

#[test]
fn the_native_style_counts_from_the_top_everywhere() {
    for variant in Variant::all() {
        let numbering = Numbering::new(&variant.set, Style::Native);
        assert!(
            numbering
                .squares
                .iter()
                .enumerate()
                .all(|(index, square)| square.0 as usize == index + 1 && !numbering.turned)
        );
    }
}

#[test]
fn positions_and_moves_of_every_rule_set_survive_the_way_out_and_back() {
    for variant in Variant::all() {
        for style in Style::ALL {
            let numbering = Numbering::new(&variant.set, style);
            let mut game = Game::new(variant.clone());
            for ply in 0..60 {
                let (setup, moves) = (game.setup(), game.moves());
                let back = numbering.position(&numbering.text(&setup)).expect("as written");
                assert_eq!((back.side, &back.cells), (setup.side, &setup.cells), "{}", variant.id);
                for mv in &moves {
                    let text = numbering.write(mv);
                    let read = numbering.read(&game, 1, &text).expect("as written");
                    assert_eq!(numbering.write(&read), text, "{}", variant.id);
                    assert_eq!((read.from, read.to, read.promotes), (mv.from, mv.to, mv.promotes));
                }
                let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                game.play(mv).expect("a legal move");
            }
        }
    }
}

#[test]
fn captures_are_read_in_every_spelling() {
    let game = game("english", "B:W6,7,14,15:B2");
    let numbering = of("english");
    let read = |text: &str| numbering.read(&game, 1, text).map(|mv| numbering.write(&mv));
    for text in ["2x18x6x14", "2x18x14x6", "2x9x18", "2-9-18", "02X18x06x14", "2 x 18 x 6 x 14"] {
        assert_eq!(read(text).expect(text), "2x18x6x14", "{text}");
    }
    assert_eq!(read("2x11x18").expect("a path"), "2x18x7x15");
    for text in ["2x18", "2-18"] {
        let message = error(read(text));
        let start = format!("ambiguous move: move 1: '{text}' was read, expected one of: 2x18x");
        assert!(message.starts_with(&start), "{message}");
        assert!(message.contains("2x18x6x14") && message.contains("2x18x7x15"), "{message}");
    }
    let numbering = of("international");
    let single = self::game("international", "W:W28:B23");
    for text in ["28x19x23", "28x19", "28-19"] {
        assert_eq!(numbering.write(&numbering.read(&single, 1, text).expect(text)), "28x19x23");
    }
}

#[test]
fn wrong_moves_are_told_in_the_numbers_of_the_client() {
    let game = Game::new(variant("russian"));
    let read = |text: &str| error(of("russian").read(&game, 7, text));
    assert!(read("9-14x").starts_with("bad move: move 7: '9-14x' was read, expected squares such as 17-16 or "));
    assert!(read("0-5").starts_with("bad move: move 7: "));
    assert!(read("9-99999999999999999999999").starts_with("bad move: "));
    let message = read("1-5");
    let (told, legal) = message.split_once("expected one of: ").expect("the legal moves");
    assert_eq!(told, "illegal move: move 7: '1-5' was read, ");
    let mut legal: Vec<&str> = legal.split(' ').collect();
    legal.sort_unstable();
    assert_eq!(legal, ["10-13", "10-14", "11-14", "11-15", "12-15", "12-16", "9-13"]);
}

#[test]
fn wrong_position_strings_are_refused() {
    let numbering = of("international");
    let read = |text: String| error(numbering.position(&text));
    assert_eq!(
        read("Wbbb".into()),
        "bad position: 4 characters were read, expected 51: W or B, and one of w b W B e a square"
    );
    assert_eq!(read(format!("X{}", "e".repeat(50))), "bad position: 'X' was read at character 1, expected W or B");
    let message = read(format!("W{}q", "e".repeat(49)));
    assert_eq!(message, "bad position: 'q' was read at character 51, expected one of w b W B e");
    assert!(read("é".repeat(2_000)).starts_with("bad position: 2000 characters"));
    assert!(read(String::new()).starts_with("bad position: 0 characters"));
    let last_row = numbering.position(&format!("Ww{}", "e".repeat(49))).expect("sound signs");
    assert!(Game::from_setup(variant("international"), &last_row).is_err(), "a man on its last row");
}
