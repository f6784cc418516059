//! The Hub protocol, against the program itself. The names in brackets are those of recorded cases.

use super::client::{Client, median};
use std::time::{Duration, Instant};

const MS: fn(u64) -> Duration = Duration::from_millis;
const START: &str = "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// One search thread, ready to be spoken to.
fn hub(words: &[&str]) -> Client {
    let mut client = Client::start(&[words, &["--threads", "1", "--hash", "8", "hub"]].concat());
    client.ask("hub", "wait");
    client.ask("init", "ready");
    client
}

/// What a line brings about before the answer to `ping`.
fn effect(client: &mut Client, line: &str) -> Vec<String> {
    client.send(line);
    let mut lines = client.ask("ping", "pong");
    lines.pop();
    lines
}

fn refusal(client: &mut Client, line: &str) -> String {
    let lines = effect(client, line);
    assert_eq!(lines.len(), 1, "{line:?} is answered by {lines:?}");
    let message = lines[0].strip_prefix("error message=\"").and_then(|rest| rest.strip_suffix('"'));
    let message = message.unwrap_or_else(|| panic!("{line:?} is answered by {lines:?}"));
    assert!(!message.contains('"'), "{message}");
    message.to_string()
}

fn quietly(client: &mut Client, lines: &[&str]) {
    for line in lines {
        assert_eq!(effect(client, line), [""; 0], "{line}");
    }
}

fn dones(lines: &[String]) -> usize {
    lines.iter().filter(|line| *line == "done" || line.starts_with("done ")).count()
}

/// The value of an argument.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = &line[line.find(&format!(" {name}="))? + name.len() + 2..];
    Some(match rest.strip_prefix('"') {
        Some(quoted) => &quoted[..quoted.find('"').expect("a closing quote")],
        None => rest.split(' ').next().unwrap_or_default(),
    })
}

/// Whether an info line is one that the analysis of lidraughts takes: these fields, in this order, nothing else.
fn full(line: &str) -> bool {
    let names = ["depth", "mean-depth", "score", "nodes", "time", "nps"];
    let Some((fields, pv)) = line.strip_prefix("info ").and_then(|rest| rest.split_once(" pv=\"")) else {
        return false;
    };
    let fields: Vec<(&str, &str)> = fields.split(' ').filter_map(|field| field.split_once('=')).collect();
    let numbers = fields.iter().all(|(name, value)| {
        if matches!(*name, "depth" | "nodes") { value.parse::<u64>().is_ok() } else { value.parse::<f64>().is_ok() }
    });
    let signs = |c: char| c.is_ascii_digit() || matches!(c, '-' | 'x' | ' ');
    fields.iter().map(|(name, _)| *name).eq(names)
        && numbers
        && pv.strip_suffix('"').is_some_and(|pv| pv.chars().all(signs))
}

/// Searches; checks what every answer must have, and returns all lines.
fn search(client: &mut Client, lines: &[&str]) -> Vec<String> {
    let (last, before) = lines.split_last().expect("a line");
    quietly(client, before);
    let lines = client.ask(last, "done");
    let infos: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("info ") && value(line, "multipv").is_none()).collect();
    assert!(!infos.is_empty() && infos.iter().all(|line| full(line)), "{lines:#?}");
    lines
}

fn best(lines: &[String]) -> &str {
    lines
        .last()
        .and_then(|line| line.strip_prefix("done move="))
        .expect("a best move")
        .split(' ')
        .next()
        .expect("a move")
}

/// A position with pieces on these squares.
fn position(side: char, squares: usize, pieces: &[(usize, char)]) -> String {
    let mut letters = vec!['e'; squares];
    pieces.iter().for_each(|&(square, letter)| letters[square - 1] = letter);
    format!("pos pos={side}{}", letters.into_iter().collect::<String>())
}

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

#[test]
fn further_lines_have_a_rank_and_the_first_is_told_last() {
    let mut client = hub(&[]);
    let lines = search(&mut client, &["set-param name=multi-pv value=3", START, "level depth=3", "go analyze"]);
    for rank in ["2", "3"] {
        assert!(
            lines.iter().any(|line| value(line, "multipv") == Some(rank) && value(line, "pv").is_some()),
            "{lines:#?}"
        );
    }
    let last = &lines[lines.len() - 2];
    assert!(full(last) && value(last, "pv").is_some_and(|pv| pv.starts_with(best(&lines))), "{lines:#?}");
    quietly(&mut client, &["set-param name=multi-pv value=1", "set-param name=show-wdl value=true"]);
    client.send("level depth=1");
    let lines = client.ask("go", "done");
    assert_eq!(value(&lines[0], "wdl").expect("chances").split(' ').count(), 3);
    client.quit();
}

#[test]
fn proved_wins_count_down_from_a_hundred() {
    let mut client = hub(&[]);
    let pos = position('W', 50, &[(28, 'w'), (23, 'b')]);
    let lines = search(&mut client, &[&pos, "level depth=3", "go think"]);
    assert_eq!(value(&lines[lines.len() - 2], "score"), Some("99.99"), "{lines:?}");
    let pos = position('B', 50, &[(27, 'w'), (6, 'b'), (16, 'w')]);
    let lines = search(&mut client, &[&pos, "level depth=8", "go think"]);
    let score = value(&lines[lines.len() - 2], "score").expect("a score");
    assert!(score.starts_with("-99.9"), "{lines:?}");
    client.quit();
}

#[test]
fn the_reply_to_expect_is_legal() {
    let mut client = hub(&[]);
    let lines = search(&mut client, &[START, "level depth=6", "go think"]);
    let last = lines.last().expect("an answer");
    let ponder = value(last, "ponder").expect("a reply");
    assert_eq!(*last, format!("done move={} ponder={ponder}", best(&lines)));
    quietly(&mut client, &[&format!("{START} moves=\"{} {ponder}\"", best(&lines))]);
    client.quit();
}

/// [EB06] Without a move: a full line, a bare `done`, once.
#[test]
fn without_a_move_done_stands_alone() {
    let mut client = hub(&[]);
    let lost = position('W', 50, &[(26, 'b')]);
    let won = "info depth=0 mean-depth=0.0 score=-100.00 nodes=0 time=0.000 nps=0.0 pv=\"\"";
    for level in ["level move-time=0.5", "level infinite", ""] {
        for go in ["go think", "go analyze"] {
            assert_eq!(search(&mut client, &[&lost, level, go]), [won, "done"]);
            assert_eq!(effect(&mut client, "stop"), [""; 0]);
        }
    }
    quietly(&mut client, &[&lost, "level depth=1"]);
    client.send("go ponder");
    assert_eq!(dones(&client.listen(MS(300))), 0);
    assert_eq!(client.ask("ponder-hit", "done"), ["done"]);
    search(&mut client, &[START, "level depth=1", "go think"]);
    client.quit();
}

/// [EB15] A ponder hit lets the clock run; a miss is a stop and a new search. One answer for each `go`.
#[test]
fn pondering_answers_once_whether_hit_or_missed() {
    let mut client = hub(&[]);
    let pos = format!("{START} moves=\"32-28 19-23\"");
    for level in ["level time=5", "level depth=2", "level time=2 inc=0.1"] {
        quietly(&mut client, &[&pos, level]);
        client.send("go ponder");
        assert_eq!(dones(&client.listen(MS(300))), 0, "{level}");
        let since = Instant::now();
        client.ask("ponder-hit", "done move=28x19x23");
        assert!(since.elapsed() < Duration::from_secs(4));
        quietly(&mut client, &["ponder-hit", "stop"]);
        quietly(&mut client, &[&pos, level]);
        client.send("go ponder");
        assert_eq!(dones(&client.ask("stop", "done move=28x19x23")), 1);
        search(&mut client, &[START, "level depth=3", "go think"]);
    }
    // Without waiting for the answer to the miss: both come, in their order.
    quietly(&mut client, &[&pos]);
    for line in ["level time=5", "go ponder", "stop", START, "level depth=3", "go think"] {
        client.send(line);
    }
    client.until("done move=28x19x23");
    client.until("done move=3");
    assert_eq!(dones(&client.listen(MS(100))), 0);
    client.quit();
}

#[test]
fn each_go_has_its_answer_even_without_a_stop_between() {
    let mut client = hub(&[]);
    for line in [START, "go analyze", &position('W', 50, &[(28, 'w'), (23, 'b')]), "level depth=1", "go think"] {
        client.send(line);
    }
    client.until("done move=3");
    client.until("done move=28x19x23");
    client.send("go analyze");
    client.until("info depth=1 ");
    assert!(refusal_in_search(&mut client, "set-param name=threads value=2").contains("a search is running"));
    client.send("init");
    client.until("ready");
    client.send("new-game");
    client.until("done");
    assert_eq!(dones(&client.listen(MS(100))), 0);
    client.quit();
}

fn refusal_in_search(client: &mut Client, line: &str) -> String {
    client.ask(line, "error").pop().expect("a line")
}

/// [EB01] [EB03] The end of input and `quit`, idle and in mid-search.
#[test]
fn the_end_is_clean_in_every_state() {
    for searching in [false, true] {
        for quit in [false, true] {
            let mut client = hub(&[]);
            if searching {
                client.ask("go analyze", "info depth=3 ");
            }
            if quit {
                client.send("quit")
            } else {
                client.close()
            }
            let (status, lines, took) = client.end();
            assert!(status.success() && took < Duration::from_secs(1), "{status} {took:?}");
            assert_eq!(dones(&lines), usize::from(searching));
        }
    }
}

/// [EB04] [EB11] Endless analysis: `ping` is answered, the search goes on, one `done` after `stop`.
#[test]
fn ping_is_answered_in_every_state() {
    let mut client = hub(&[]);
    quietly(
        &mut client,
        &["set-param name=variant value=english", &position('W', 32, &[(1, 'W'), (5, 'B'), (20, 'b')])],
    );
    for level in ["level infinite", ""] {
        client.send(level);
        client.send("go analyze");
        let times = (0..9).map(|_| {
            std::thread::sleep(MS(20));
            let since = Instant::now();
            assert_eq!(dones(&client.ask("ping", "pong")), 0);
            since.elapsed()
        });
        let middle = median(times.collect());
        assert!(middle < MS(100), "{middle:?}");
        assert_eq!(dones(&client.ask("stop", "done")), 1);
        quietly(&mut client, &["stop", "ping"].map(|line| if line == "ping" { "" } else { line }));
    }
    client.quit();
}

/// [EB07] [EB08] [EB10] No moves, very many moves, and no game of the engine's own.
#[test]
fn the_position_is_what_the_client_says() {
    let mut client = hub(&[]);
    search(&mut client, &[&format!("{START} moves=\"\""), "level depth=4", "go think"]);
    let kings = position('W', 50, &[(46, 'W'), (47, 'W'), (5, 'B'), (4, 'B')]);
    let moves = "47-24 4-10 24-47 10-4 ".repeat(500);
    search(&mut client, &[&format!("{kings} moves=\"{moves}\""), "level depth=4", "go think"]);
    quietly(&mut client, &[START]);
    for _ in 0..2 {
        let lines = search(&mut client, &["level depth=3", "go think"]);
        assert!(best(&lines).starts_with('3'), "{lines:?}");
    }
    let lines = search(&mut client, &[&format!("{START} moves=31-27"), "level depth=3", "go think"]);
    assert!(matches!(best(&lines).as_bytes(), [b'1' | b'2', ..]), "{lines:?}");
    client.quit();
}

/// [EB16] The last move before the time control leaves a margin.
#[test]
fn the_last_move_before_the_control_is_in_time() {
    let mut client = Client::alone(&["--threads", "1", "hub"]);
    client.ask("hub", "wait");
    client.ask("init", "ready");
    let times = (0..5).map(|_| {
        quietly(&mut client, &[START, "level moves=1 time=0.3"]);
        let since = Instant::now();
        client.ask("go think", "done move=");
        since.elapsed()
    });
    let middle = median(times.collect());
    assert!(middle < MS(290), "{middle:?}");
    client.quit();
}

/// [EB18] A game of sudden death, the clock kept here.
#[test]
fn no_flag_falls_in_a_game_of_sudden_death() {
    let mut client = Client::alone(&["--threads", "1", "hub"]);
    client.ask("hub", "wait");
    client.ask("init", "ready");
    let mut clocks = [1.0_f64; 2];
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < 60 {
        let clock = &mut clocks[moves.len() % 2];
        client.send(&format!("{START} moves=\"{}\"", moves.join(" ")));
        client.send(&format!("level time={clock:.3}"));
        let since = Instant::now();
        let lines = client.ask("go think", "done");
        *clock -= since.elapsed().as_secs_f64();
        assert!(*clock > 0.0, "after {} moves", moves.len());
        if lines.last().is_some_and(|line| line == "done") {
            break;
        }
        moves.push(best(&lines).to_string());
    }
    assert!(moves.len() > 20);
    client.quit();
}

/// Analysis is at full strength whatever the level of play.
#[test]
fn a_low_level_plays_weakly_and_analyses_well() {
    let mut client = hub(&[]);
    quietly(&mut client, &["set-param name=skill-level value=0"]);
    let nodes =
        |lines: &[String]| value(&lines[lines.len() - 2], "nodes").and_then(|n| n.parse::<u64>().ok()).expect("nodes");
    let lines = search(&mut client, &[START, "level depth=7", "go think"]);
    assert!(nodes(&lines) <= 60, "{lines:?}");
    let lines = search(&mut client, &[START, "level depth=7", "go analyze"]);
    assert!(nodes(&lines) > 100, "{lines:?}");
    client.quit();
}

/// Lines of the introduction come apart, unless the client does without.
#[test]
fn there_is_a_gap_between_lines() {
    let mut client = Client::start(&["hub"]);
    let since = Instant::now();
    let count = client.ask("hub", "wait").len() as u64;
    assert!(since.elapsed() >= MS(count - 2 + 20), "{:?} for {count} lines", since.elapsed());
    client.quit();
}
