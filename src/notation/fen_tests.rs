use super::*;
use crate::game::plain::Memory;
use crate::game::rules::Duty;
use proptest::prelude::*;
use std::sync::Arc;

fn variant(name: &str) -> Arc<Variant> {
    Variant::find(name).unwrap()
}

fn again(name: &str, text: &str) -> String {
    let variant = variant(name);
    write(&variant, &read(&variant, text).unwrap_or_else(|e| panic!("{text}: {e}")))
}

fn error(name: &str, text: &str) -> String {
    match read(&variant(name), text) {
        Err(e) => e.to_string(),
        Ok(setup) => panic!("{text} was read as {setup:?}"),
    }
}

const START: &str = "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20";
const RUSSIAN: &str = "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6";

#[test]
fn the_start_of_every_variant_comes_back() {
    for variant in Variant::all() {
        let start = Setup::start(variant);
        assert_eq!(read(variant, &write(variant, &start)), Ok(start), "{}", variant.id);
    }
    assert_eq!(write(&variant("international"), &Setup::start(&variant("international"))), START);
    assert_eq!(write(&variant("russian"), &Setup::start(&variant("russian"))), RUSSIAN);
}

#[test]
fn tolerant_reading() {
    let ways = [
        "W:W31-50:B1-20",
        "W:B1-20:W31-50",
        "W:W:W31-50:B1-20",
        " w : w 31 - 50 : b 01-9 , 10–20 . ",
        "W:W31-50:B1-20.\r\n",
        "[FEN \"W:W31-50:B1-20\"]",
        "[fen   \"W:W:W31-50:B1-20.\"]",
        "\"W:W31-50:B1-20\"",
        "W:W31-50:B1-20:H0",
        "W:W33-35,b4,D4,36-50:Bb10,2-20",
    ];
    for text in ways {
        assert_eq!(again("international", text), START, "{text}");
    }
    for text in ["W:W31-50:B1-20:H0:F1", "W:W31-50:B1-20:H0:F1:+0+0"] {
        assert_eq!(again("international", text), format!("{START}:F1"), "{text}");
    }
    assert_eq!(again("russian", "W:W21-32:B1-12"), RUSSIAN);
    assert_eq!(again("russian", &RUSSIAN.to_uppercase()), RUSSIAN);
    assert_eq!(again("russian", &RUSSIAN.to_lowercase()), RUSSIAN);
    assert_eq!(again("english", "w:wk27,k023:bk28,12."), "W:WK23,K27:B12,K28");
    assert_eq!(again("international", "W:WK31-33,K40-K41:B2"), "W:WK31,K32,K33,K40,K41:B2");
    assert_eq!(again("russian", "B:W17,22-32:B1-12"), again("russian", "B:Wb4,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:B1-12"));
    assert_eq!(again("russian", "W:Wh6:Bg7,c5,d2"), "W:Wh6:Bg7,c5,d2");
}

#[test]
fn one_side_may_be_missing() {
    assert_eq!(again("international", "B:W50:B"), "B:W50:B");
    assert_eq!(again("international", "B:W50"), "B:W50:B");
    assert_eq!(again("international", "B:B:W50"), "B:W50:B");
    assert_eq!(again("international", "B:B:W50:B"), "B:W50:B");
    assert_eq!(again("international", "W:W:B1"), "W:W:B1");
    assert_eq!(again("international", "W:B1:W50"), "W:W50:B1");
}

#[test]
fn a_full_board_is_read() {
    let setup = read(&variant("english"), "W:WK1-16:BK17-32").unwrap();
    assert!(setup.cells.iter().all(Option::is_some));
    assert!(error("english", "W:WK1-20:BK13-32").contains("square 13 is used twice"));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        ("", "nothing read"),
        (" . ", "nothing read"),
        ("W", "character 2: the text ends"),
        ("W:", "the text ends"),
        ("W:W:B", "no piece"),
        ("W::", "the text ends"),
        ("X:W6:B2", "character 1: 'X' is not a side to move"),
        ("?:W29,13,11:B22,4,2", "character 1: '?' is not a side to move"),
        ("W:WK4,WK5,55:B4", "character 7: 'WK5' has a colour letter inside a list"),
        ("W:W31,B20", "'B20' has a colour letter"),
        ("W:W31,B2", "'B2' has a colour letter"),
        ("W:W1,,2:B3", "on 1, its own promotion row"),
        ("W:W31,,32:B3", "character 7: nothing between two commas"),
        ("W:W31,:B3", "character 7: nothing between two commas"),
        ("W:W31-:B1", "character 4: '31-' is not a range"),
        ("W:W-31:B1", "'-31' is not a range"),
        ("W:W50-31:B9", "'50-31' is not a range"),
        ("W:W31-32-33:B9", "is not a range"),
        ("W:Wa3-c3:B9", "is not a range"),
        ("W:W31-51:B9", "'31-51' is not a square, expected a square 1-50 or a1-j10"),
        ("W:WK:B1", "character 4: 'K' is not a square"),
        ("W:W0:B1", "'0' is not a square"),
        ("W:Wa2:B1", "'a2' is not a square"),
        ("W:W99999999999999999999:B1", "'99999999999999999999' is not a square"),
        ("W:W3 1:B1", "'3 1' is not a square"),
        ("W:W6:B6", "character 7: square 6 is used twice"),
        ("W:W31,31:B6", "square 31 is used twice"),
        ("W:W31:W32:B6", "a second list of white pieces"),
        ("W:W4:B49", "character 4: a white man on 4, its own promotion row"),
        ("W:W31:B49", "a black man on 49"),
        ("W:W1-50", "a white man on 1"),
        ("W:W31:B20,G19", "'G19' is a captured piece of an unfinished move"),
        ("W:W31:B20:Z3", "character 11: 'Z3' is not a part of a FEN"),
        ("W:W31:B20:H-1", "'H-1' is out of range, expected a whole number 0-65535"),
        ("W:W31:B20:H65536", "out of range"),
        ("W:W31:B20:F0", "expected a whole number 1-4294967295"),
        ("W:W31:B20:E", "'E' is out of range"),
        ("W:W31:B20:X20", "no huffing"),
        ("[FEN W:W31:B20]", "is not a whole tag"),
        ("[Event \"W:W31:B20\"]", "is not a whole tag"),
        ("[FEN \"", "is not a whole tag"),
        ("W:W31\u{0}:B\u{7}20", "'31\\u{0}' is not a square"),
        ("WW31:B20", "'WW31' is not a side to move"),
    ];
    for (text, wanted) in cases {
        let message = error("international", text);
        assert!(message.contains(wanted), "{text}: {message}");
        assert!(!message.contains(['\n', '\u{0}']), "{text}: {message}");
    }
    assert!(error("international", &"W".repeat(70_000)).contains("70000 bytes"));
    assert!(error("russian", &format!("W:W{}", "a".repeat(1000))).len() < 200);
}

#[test]
fn counters_are_kept() {
    for text in ["B:WK31:BK20:H12", "B:WK31:BK20:F40", "B:WK31:BK20:H12:F40:E7"] {
        assert_eq!(again("international", text), text);
    }
    let frisian = "W:WK31,K32,40:B3,K20:H2:F9:+120+231";
    assert_eq!(again("frisian", frisian), frisian);
    let setup = read(&variant("frisian"), frisian).unwrap();
    assert_eq!(setup.memory.king_run, [Some((Square(31), 2)), Some((Square(20), 1))]);
    assert_eq!((setup.memory.quiet_plies, setup.move_number), (2, Some(9)));
    // Without a square: the side's only king. The older form counts what is left of three.
    assert_eq!(again("frisian", "W:WK31,40:B3,K20:+1+2"), "W:WK31,40:B3,K20:+120+231");
    assert_eq!(again("frisian", "W:WK31,40:B3,K20:2+3"), "W:WK31,40:B3,K20:+120+0");
    assert_eq!(again("frisian", "W:WK31,40:B3,K20:+0+1@31"), "W:WK31,40:B3,K20:+0+131");
    assert!(error("frisian", "W:WK31,K32,40:B3,K20:+1+2").contains("'2' does not say which white king moved"));
    assert!(error("frisian", "W:WK31,40:B3,K20:+13+0").contains("'13' does not say which black king moved"));
    for text in [
        "W:WK31:BK20:+256@20+0",
        "W:WK31:BK20:+",
        "W:WK31:BK20:++",
        "W:WK31:BK20:+1",
        "W:WK31:BK20:+é+0",
        "W:WK31:BK20:9+0",
    ] {
        assert!(error("frisian", text).contains("out of range"), "{text}");
    }
    let many = "W:WK31:B3,K20:+12@20+931";
    assert_eq!(again("frisian", many), many);
    // No rule counts them here.
    assert_eq!(again("international", "W:WK31,40:B3,K20:+1+2"), "W:WK31,40:B3,K20");
}

fn house(change: impl FnOnce(&mut crate::game::rules::RuleSet)) -> Arc<Variant> {
    let mut set = variant("english").set;
    change(&mut set);
    Variant::custom("house", "House rules", "a test", set)
}

#[test]
fn huffable_pieces_are_kept() {
    let house = house(|set| set.duty = Duty::Huffing);
    let text = "B:W21,K22:B1,2:X21,22";
    let setup = read(&house, "B:W21,K22:B1,2:x 22 , 21").unwrap();
    assert_eq!(setup.memory.huffable, vec![Square(21), Square(22)]);
    assert_eq!(write(&house, &setup), text);
    for (text, wanted) in [
        ("B:W21,22:B1,2:X1", "'1' has nothing to huff, expected a square with a white piece"),
        ("B:W21,22:B1,2:X5", "'5' has nothing to huff"),
        ("B:W21,22:B1,2:X33", "'33' is not a square"),
        ("B:W21,22:B1,2:X", "'' is not a square"),
        ("B:W21,22:B1,2:X21,21", "square 21 is used twice"),
        ("B:W21,22:B1,2:X21:X21", "square 21 is used twice"),
    ] {
        let message = read(&house, text).unwrap_err().to_string();
        assert!(message.contains(wanted), "{text}: {message}");
    }
}

#[test]
fn column_k_and_kings_are_told_apart() {
    // Numbers are the custom on this board, so k means king.
    assert_eq!(again("canadian", "W:WK12,k3:Bk70,15"), "W:WK3,K12:B15,K70");
    // With letters as the custom, a small k is a column where there is such a square.
    let set = crate::game::rules::RuleSet { notation: Notation::Algebraic, ..variant("canadian").set };
    let house = Variant::custom("house", "House rules", "a test", set);
    let text = "W:WKk5,k3:Bl10,k9,Kk1";
    assert_eq!(write(&house, &read(&house, text).unwrap()), text);
    assert_eq!(write(&house, &read(&house, "W:WK3,K70:Bk9").unwrap()), "W:WKf12,Kg1:Bk9");
}

/// Any set-up of a variant: pieces anywhere but men on their last row, and counters that its rules know.
fn any_setup(variant: Arc<Variant>) -> impl Strategy<Value = Setup> {
    let squares = variant.set.board.squares();
    let cells = proptest::collection::vec(0..9u8, squares);
    (cells, any::<bool>(), 0..200u16, 0..200u16, 1..500u32, 0..=variant.set.same_king_moves).prop_map(
        move |(codes, white, quiet_plies, ending_plies, move_number, run)| {
            let mut setup = Setup::empty(variant.set.board, if white { Color::White } else { Color::Black });
            for (index, code) in codes.iter().enumerate() {
                let color = if code % 2 == 0 { Color::White } else { Color::Black };
                let row = index / variant.set.board.per_row();
                let last = if color == Color::White { 0 } else { variant.set.board.height as usize - 1 };
                setup.cells[index] = (*code < 4).then_some(Piece { color, king: *code < 2 || row == last });
            }
            setup.memory = Memory { quiet_plies, ending_plies, ..Memory::default() };
            setup.move_number = (move_number < 400).then_some(move_number);
            for color in [Color::White, Color::Black] {
                let king = setup.cells.iter().position(|cell| *cell == Some(Piece { color, king: true }));
                if let (Some(index), 1..) = (king, run) {
                    setup.memory.king_run[color.index()] = Some((Square(index as u8 + 1), run));
                }
            }
            setup
        },
    )
}

proptest! {
    #[test]
    fn any_position_comes_back(setup_and_variant in (0..Variant::all().len())
        .prop_flat_map(|i| { let v = Variant::all()[i].clone(); any_setup(v.clone()).prop_map(move |s| (s, v.clone())) }))
    {
        let (setup, variant) = setup_and_variant;
        prop_assume!(setup.cells.iter().any(Option::is_some));
        let text = write(&variant, &setup);
        prop_assert_eq!(read(&variant, &text), Ok(setup), "{}", text);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC*", index in 0..Variant::all().len()) {
        let _ = read(&Variant::all()[index], &text);
    }

    #[test]
    fn nothing_like_a_fen_makes_it_panic(
        text in "[WBwbXx?]?:?([WBKwbkGPHFEX+@:,. -]{0,3}([0-9]{1,3}|[a-l][0-9]{1,2}|é)?){0,12}",
        index in 0..Variant::all().len())
    {
        let variant = &Variant::all()[index];
        if let Ok(setup) = read(variant, &text) {
            let written = write(variant, &setup);
            prop_assert_eq!(read(variant, &written), Ok(setup), "{} -> {}", text, written);
        }
    }
}
