use super::*;

fn read(text: &str) -> Message {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    parse(text.as_bytes()).expect_err(text).to_string()
}

/// The examples of the DamExchange page.
#[test]
fn the_examples_of_the_protocol_page() {
    let request = Request {
        name: "Tornado voor Windows 4.0".into(),
        follower: Color::White,
        minutes: Minutes(6_000),
        moves: 65,
        position: None,
    };
    let of =
        |seconds, from, to, captures: &[u8]| Message::Move(WireMove { seconds, from, to, captures: captures.to_vec() });
    let examples = [
        ("R01Tornado voor Windows 4.0        W060065A", Message::GameReq(request)),
        (
            "ATornado voor Windows 4.0        0",
            Message::GameAcc { name: "Tornado voor Windows 4.0".into(), answer: Acceptance::Accepted },
        ),
        ("M0012061100", of(12, 6, 11, &[])),
        ("M001205250422122320", of(12, 5, 25, &[22, 12, 23, 20])),
        ("E00", Message::GameEnd { ending: Ending::Unknown, stop: false }),
        ("B005Z", Message::BackReq { number: 5, side: Color::Black }),
        ("K1", Message::BackAcc(BackAnswer::NotSupported)),
        ("CWhat do you think about move 35?", Message::Chat("What do you think about move 35?".into())),
    ];
    for (text, message) in examples {
        assert_eq!(read(text), message);
        assert_eq!(message.to_string(), text);
    }
    assert!(refused("This is not a valid DXP message").starts_with("message 'This is not a valid DXP message'"));
}

#[test]
fn a_position_has_a_side_and_a_letter_a_square() {
    for squares in [32, 50, 64] {
        let letters = "zZeWw".chars().cycle().take(squares).collect::<String>();
        let text = format!("R01{:32}Z000000BW{letters}", "peer");
        let Message::GameReq(request) = read(&text) else { panic!("a request") };
        assert_eq!(request.position, Some(Diagram { side: Color::White, letters }));
        assert_eq!((request.follower, request.minutes, request.moves), (Color::Black, Minutes(0), 0));
        assert_eq!(Message::GameReq(request).to_string(), text);
    }
    assert_eq!(read(&format!("R01{:32}W001004A  ", "x")), read(&format!("R01{:32}W001004A", "x")));
}

#[test]
fn faults_are_named_with_their_place() {
    let name = " ".repeat(32);
    assert_eq!(refused(""), "an empty message was read, expected one of the letters R A M E C B K");
    assert_eq!(refused("M00120611"), "MOVE: '' at byte 10, expected a number of captures in two digits");
    assert_eq!(refused("M0012061x00"), "MOVE: '1x' at byte 8, expected a square in two digits");
    assert_eq!(refused("M00120611021"), "MOVE: '1' at byte 12, expected a square in two digits");
    assert_eq!(refused("M001206110099"), "MOVE: '99' at byte 12, expected the end of the message");
    assert_eq!(refused("M00120611+1"), "MOVE: '+1' at byte 10, expected a number of captures in two digits");
    assert_eq!(refused("E40"), "GAMEEND: '4' at byte 2, expected a reason 0 to 3");
    assert_eq!(refused("E0"), "GAMEEND: '' at byte 3, expected 0 (next game) or 1 (finish)");
    assert_eq!(refused("K3"), "BACKACC: '3' at byte 2, expected a code 0 to 2");
    assert_eq!(refused("B000W"), "BACKREQ: '000' at byte 2, expected a move number in three digits");
    assert_eq!(refused("B001B"), "BACKREQ: 'B' at byte 5, expected W or Z");
    assert_eq!(refused("Ashort0"), "GAMEACC: 'short0' at byte 2, expected a name of 32 characters");
    assert_eq!(refused("R02"), "game request of version '02', expected version 01");
    assert_eq!(refused(&format!("R01{name}W00a000A")), "GAMEREQ: '00a' at byte 37, expected minutes in three digits");
    assert_eq!(
        refused(&format!("R01{name}W000000C")),
        "GAMEREQ: 'C' at byte 43, expected A (normal start) or B (position)"
    );
    assert!(refused(&format!("R01{name}W000000BWzzb")).contains("'zzb' at byte 45, expected a letter"));
    assert!(refused(&format!("R01{name}W000000BW")).contains("expected a letter w z W Z e"));
    assert_eq!(refused(&"C".repeat(128)), "a message of more than 127 bytes was read");
}

#[test]
fn what_was_meant_is_told() {
    let bad = |text: &str| parse(text.as_bytes()).expect_err(text);
    assert!(bad("R01x").is_request() && bad("R99").is_request() && !bad("M1").is_request());
    assert!(bad("M1").is_move() && !bad("E").is_move() && !bad("X").is_move());
}

#[test]
fn any_byte_at_any_place_is_read_or_refused() {
    let examples = [format!("R01{:32}W060065BW{}", "x", "e".repeat(50)), "M001205250422122320".into(), "K1".into()];
    for example in examples {
        for place in 0..example.len() {
            for byte in 1..=255 {
                let mut bytes = example.clone().into_bytes();
                bytes[place] = byte;
                if let Ok(message) = parse(&bytes) {
                    let printed = message.to_string();
                    assert_eq!(parse(printed.as_bytes()), Ok(message), "{printed}");
                }
                let _ = parse(&bytes[..place]);
            }
        }
    }
}

#[test]
fn what_is_sent_fits() {
    let long = Message::Chat("é".repeat(500)).to_string();
    assert_eq!((long.len(), &long[..3]), (127, "C??"));
    let acceptance = Message::GameAcc { name: format!("  {}", "n".repeat(50)), answer: Acceptance::NoGame };
    assert_eq!(acceptance.to_string(), format!("A{}3", "n".repeat(32)));
}

#[test]
fn minutes_may_have_a_point() {
    for (text, hundredths) in
        [("000", 0), ("060", 6_000), ("999", 99_900), ("0.5", 50), (".05", 5), ("5", 500), ("1.", 100)]
    {
        assert_eq!(Minutes::parse(text), Some(Minutes(hundredths)), "{text}");
    }
    for text in ["", ".", "1..", "-1", "+1", "1000", "1e1", "0x1"] {
        assert_eq!(Minutes::parse(text), None, "{text}");
    }
    for hundredths in [0, 100, 5, 50, 150, 990, 6_000, 99_900] {
        let text = Minutes(hundredths).to_string();
        assert_eq!((text.len(), Minutes::parse(&text)), (3, Some(Minutes(hundredths))), "{text}");
    }
    assert_eq!(Minutes(50).millis(), 30_000);
}
