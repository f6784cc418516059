//! Lines, parameters, levels, positions and moves of Hub.

use super::*;
use std::time::Instant;

#[test]
fn the_introduction_comes_when_asked_for_and_in_order() {
    let mut client = Client::start(&["hub"]);
    assert_eq!(client.listen(MS(300)), [""; 0]);
    for _ in 0..2 {
        let lines = client.ask("hub", "wait");
        assert!(lines[0].starts_with("id name=damka version=") && lines[0].contains(" author=\""), "{}", lines[0]);
        assert!(lines[1..lines.len() - 1].iter().all(|line| line.starts_with("param name=")), "{lines:#?}");
    }
    for _ in 0..2 {
        assert_eq!(client.ask("init", "ready"), ["ready"]);
    }
    client.quit();
}

#[test]
fn the_word_hub_changes_the_protocol_for_good() {
    let mut client = Client::start(&["--threads", "1"]);
    client.ask("isready", "readyok");
    let lines = client.ask("hub", "wait");
    assert!(lines[0].starts_with("id name=damka "));
    client.ask("init", "ready");
    assert!(refusal(&mut client, "uci").starts_with("bad command: 'uci' was read"));
    search(&mut client, &[START, "level depth=2", "go think"]);
    client.quit();
}

/// As a GUI does that stores all parameters: they come back as declared, empty strings and all.
#[test]
fn declared_values_come_back_and_change_nothing() {
    let mut client = Client::start(&["--variant", "english", "--rule", "captures=optional", "hub"]);
    let lines = client.ask("hub", "wait");
    let pos = position('W', 32, &[(1, 'B'), (30, 'W')]);
    quietly(&mut client, &[&pos]);
    for line in lines.iter().filter(|line| line.starts_with("param ")) {
        let (name, value) = (value(line, "name").expect("a name"), value(line, "value").expect("a value"));
        let quoted = if value.is_empty() { "\"\"" } else { value };
        quietly(
            &mut client,
            &[&format!("set-param name={name} value={quoted}"), &format!("set-param name={name} value={value}")],
        );
    }
    client.ask("init", "ready");
    // The position of before is still there, and so are the rules.
    let lines = search(&mut client, &["level depth=1", "go"]);
    assert!(["3", "7", "8"].contains(&best(&lines).split('-').next().expect("a square")), "{lines:?}");
    client.quit();
}

#[test]
fn parameters_are_set_before_and_after_init_and_before_go() {
    let mut client = hub(&[]);
    quietly(&mut client, &[START, "set-param name=tt-size value=20", "set-param name=variant value=normal"]);
    quietly(
        &mut client,
        &["set-param name=initial-time value=60", "set-param name=threads value=2", "set-param name=multi-pv value=2"],
    );
    client.ask("init", "ready");
    let lines = search(&mut client, &["level depth=2", "go think"]);
    assert!(lines.iter().any(|line| value(line, "multipv") == Some("2")));
    for (line, expected) in [
        ("set-param name=threads value=0", "option Threads: '0' was read, expected a whole number from 1 to 256"),
        ("set-param name=threads", "missing value: expected set-param name=N value=V"),
        ("set-param value=3", "missing name: "),
        ("set-param name=bb-size value=5", "bad parameter: 'bb-size' was read, expected one of: tt-size threads"),
        ("set-param name=variant value=chess", "option UCI_Variant: 'chess' was read, expected one of: "),
        ("set-param name=rules-file value=\"no such file\"", "rule file 'no such file': "),
        ("set-param name=tt-size value=x", "bad parameter tt-size: 'x' was read"),
        ("set-param name=square-numbering value=x", "bad parameter square-numbering: "),
    ] {
        let message = refusal(&mut client, line);
        assert!(message.starts_with(expected), "{line}: {message}");
    }
    search(&mut client, &[START, "level depth=1", "go think"]);
    client.quit();
}

#[test]
fn nothing_unknown_ends_the_program() {
    let mut client = hub(&[]);
    for line in
        ["castle a=b c", "uci", "GO", "pos", "pos moves=\"32-28\"", "=", "\"", "pos pos=\"W", "level time=soon", "x\0y"]
    {
        refusal(&mut client, line);
    }
    client.bytes(b"pos \xff\xfe\n");
    assert!(client.until("error").pop().expect("a line").contains("expected UTF-8"));
    client.send(&format!("pos pos={}", "e".repeat(2 << 20)));
    assert!(client.until("error").pop().expect("a line").contains("bytes was read"));
    quietly(&mut client, &["", "   ", "\t\r", "level handicap=2 ply=3", "new-game", "ponder-hit", "stop"]);
    quietly(&mut client, &[&format!("{START} wolf=\"W23=2\" moves=\"\"\r")]);
    search(&mut client, &["level depth=1\r", "go think\r"]);
    client.quit();
}

#[test]
fn levels_add_up_until_go_and_begin_anew_with_a_position() {
    let mut client = hub(&[]);
    let deepest = |lines: &[String]| lines.iter().filter_map(|line| value(line, "depth")?.parse::<u32>().ok()).max();
    let lines =
        search(&mut client, &[START, "level depth=3", "level move-time=30", "level nodes=100000000", "go analyze"]);
    assert_eq!(deepest(&lines), Some(3));
    let lines = search(&mut client, &[START, "level nodes=3000", "level depth=60", "go think"]);
    assert!(deepest(&lines) < Some(60));
    let since = Instant::now();
    search(&mut client, &[START, "level move-time=0.2", "level depth=200", "go think"]);
    assert!(since.elapsed() < Duration::from_secs(3));
    // `done` and `pos` both end what was given before: these two have no limit.
    for lines in [&["level depth=1", START, "go think"][..], &["go analyze"][..]] {
        lines.iter().for_each(|line| client.send(line));
        assert_eq!(dones(&client.listen(MS(400))), 0);
        client.ask("stop", "done move=");
    }
    client.quit();
}

#[test]
fn every_form_of_level_ends() {
    let mut client = hub(&[]);
    for level in [
        "depth=4",
        "nodes=2000",
        "move-time=0.05",
        "move-time=0",
        "time=2.5",
        "moves=10 time=5",
        "time=3 inc=0.1",
        "moves=2 time=1 inc=0.1",
        "time=-0.05 inc=0.1",
        "time=0",
        "time=-3",
    ] {
        search(&mut client, &[START, &format!("level {level}"), "go think"]);
    }
    client.quit();
}

/// [EB14] Wrong position strings: a message, the old position, and an answer to `go` all the same.
#[test]
fn wrong_positions_leave_the_old_one() {
    let mut client = hub(&[]);
    quietly(&mut client, &[&position('W', 50, &[(28, 'w'), (10, 'b')])]);
    let empty = "e".repeat(49);
    for text in [
        "Wbbb".into(),
        "".into(),
        format!("X{empty}e"),
        format!("W{empty}q"),
        format!("W{empty}ee"),
        format!("Ww{empty}"),
    ] {
        assert!(refusal(&mut client, &format!("pos pos={text}")).starts_with("bad position: "), "{text}");
        let lines = search(&mut client, &["level depth=1", "go think"]);
        assert!(best(&lines).starts_with("28-"), "{lines:?}");
    }
    let message = refusal(&mut client, &format!("{START} moves=\"32-28 19-23 31-27\""));
    assert!(message.starts_with("illegal move: move 3: '31-27' was read, expected one of: 28x19x23"), "{message}");
    assert!(
        refusal(&mut client, &format!("{START} moves=\"32-28 castle\""))
            .starts_with("bad move: move 2: 'castle' was read")
    );
    let lines = search(&mut client, &["level depth=1", "go think"]);
    assert!(best(&lines).starts_with("28-"), "{lines:?}");
    client.quit();
}

/// [EB12] A position with moves: 20 replies, none a capture.
#[test]
fn moves_lead_on_from_the_position() {
    let mut client = hub(&[]);
    let pos = "pos pos=BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee moves=\"38-15 5-41 48-26\"";
    quietly(&mut client, &[pos, "set-param name=multi-pv value=128"]);
    let lines = search(&mut client, &["level depth=1", "level move-time=5", "go think"]);
    let first = |line: &String| value(line, "pv").expect("a line").split(' ').next().expect("a move").to_string();
    let mut moves: Vec<String> = lines.iter().filter(|line| line.starts_with("info ")).map(first).collect();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 20, "{moves:?}");
    assert!(moves.iter().all(|mv| !mv.contains('x')), "{moves:?}");
    assert!(moves.contains(&best(&lines).to_string()));
    client.quit();
}

#[test]
fn captures_are_taken_in_every_spelling() {
    let mut client = hub(&[]);
    for moves in ["32-28 19-23 28x19x23 14x23x19", "32-28 19-23 28x19 14x23", "32-28 19-23 28-19 14-23"] {
        let lines = search(&mut client, &[&format!("{START} moves=\"{moves}\""), "level depth=2", "go think"]);
        assert!(!best(&lines).contains('x'));
    }
    quietly(&mut client, &[&format!("{START} moves=31-27"), &format!("{START} moves=31-27 17-21")]);
    // English, Black to move from 2 to 18 on two ways: the position is turned round, the numbers of moves are not.
    quietly(&mut client, &["set-param name=variant value=english"]);
    let pos = position('W', 32, &[(31, 'w'), (27, 'b'), (26, 'b'), (19, 'b'), (18, 'b'), (4, 'b')]);
    for capture in ["2x18x6x14", "2x18x14x6", "2x18x7x15", "2x9x18", "2-11-18"] {
        quietly(&mut client, &[&format!("{pos} moves=\"{capture} 29-25\"")]);
    }
    let message = refusal(&mut client, &format!("{pos} moves=\"2x18 29-25\""));
    assert!(message.starts_with("ambiguous move: move 1: '2x18' was read, expected one of: 2x18x"), "{message}");
    assert!(message.contains("2x18x6x14") && message.contains("2x18x7x15"), "{message}");
    let lines = search(&mut client, &[&pos, "level depth=2", "go think"]);
    assert!(["2x18x6x14", "2x18x7x15"].contains(&best(&lines)), "{lines:?}");
    client.quit();
}

#[test]
fn small_boards_are_written_as_pydraughts_does_or_natively() {
    let mut client = hub(&[]);
    for (variant, style, pos, expected) in [
        ("russian", "pydraughts", position('W', 32, &[(22, 'w'), (18, 'b')]), "10x19x14"),
        ("russian", "native", position('W', 32, &[(22, 'w'), (18, 'b')]), "22x15x18"),
        ("brazilian", "pydraughts", position('W', 32, &[(22, 'w'), (18, 'b')]), "10x19x14"),
        ("italian", "pydraughts", position('W', 32, &[(22, 'w'), (18, 'b')]), "22x13x18"),
        ("english", "pydraughts", position('W', 32, &[(22, 'w'), (18, 'b')]), "11x18x15"),
        ("english", "native", position('B', 32, &[(11, 'b'), (15, 'w')]), "11x18x15"),
        ("turkish", "pydraughts", position('W', 64, &[(41, 'w'), (33, 'b'), (8, 'b')]), "17x33x25"),
        ("turkish", "native", position('W', 64, &[(41, 'w'), (33, 'b'), (8, 'b')]), "41x25x33"),
        ("normal", "pydraughts", position('W', 50, &[(28, 'w'), (23, 'b')]), "28x19x23"),
    ] {
        quietly(&mut client, &[&format!("set-param name=variant value={variant}")]);
        quietly(&mut client, &[&format!("set-param name=square-numbering value={style}")]);
        let lines = search(&mut client, &[&pos, "level depth=1", "go think"]);
        assert_eq!(best(&lines), expected, "{variant} {style}");
        assert!(lines.iter().any(|line| value(line, "pv").is_some_and(|pv| pv.starts_with(expected))), "{lines:?}");
    }
    client.quit();
}
