//! The program as xboard's engine: dialogues as xboard 4.9.1 holds them.

use std::io::Write;
use std::process::Stdio;

/// Says all lines, waits where a line is `#N` (milliseconds), and gives what came back.
fn talk(lines: &[&str]) -> Vec<String> {
    let mut program = super::client::program()
        .args(["xboard", "--threads", "1", "--hash", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut input = program.stdin.take().expect("piped");
    for line in lines {
        match line.strip_prefix('#') {
            Some(ms) => std::thread::sleep(std::time::Duration::from_millis(ms.parse().expect("a number"))),
            None => writeln!(input, "{line}").expect("the program listens"),
        }
    }
    drop(input);
    let output = program.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_string).collect()
}

const RUSSIAN: [&str; 5] = ["xboard", "protover 2", "new", "variant russian", "st 0.1"];

fn russian(lines: &[&str]) -> Vec<String> {
    let all: Vec<&str> = RUSSIAN.iter().chain(lines).copied().collect();
    let answers = talk(&all);
    let start = answers.iter().position(|line| line.starts_with("setup ")).expect("a setup line");
    assert!(answers[..start].iter().all(|line| line.starts_with("feature ")), "{answers:?}");
    assert_eq!(answers[start - 1], "feature done=1");
    answers[start + 1..].to_vec()
}

#[test]
fn it_answers_a_move_with_a_move() {
    let answers = russian(&["usermove c3d4", "#1500", "ping 7"]);
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers[0].starts_with("move ") && answers[0].len() == "move d6c5".len());
    assert_eq!(answers[1], "pong 7");
}

#[test]
fn captures_name_the_captured_pieces() {
    let answers = russian(&[
        "setboard 7m/8/5m2/8/3m4/8/8/Q7 w - - 0 1",
        "usermove a1d4,d4f6,f6h8",
        "usermove a1d4,d4f6,f6g7",
        "#800",
    ]);
    assert_eq!(answers[0], "Illegal move (not a legal move here): a1d4,d4f6,f6h8");
    assert!(answers[1].starts_with("move h8xg7-"), "{answers:?}");
}

#[test]
fn long_captures_take_turns_with_passes() {
    let answers = russian(&[
        "setboard 1m5m/8/3m4/8/3m4/8/3m4/2M3M1 w - - 0 1",
        "lift c1",
        "usermove c1d2,d2d4,d4c5",
        "lift c5",
        "put d6",
        "lift d6",
        "usermove c5d6,d6e7",
        "#800",
    ]);
    assert_eq!(
        answers[..4],
        ["highlight 8/8/8/8/8/8/3C4/8", "move @@@@", "highlight 8/8/3C4/8/8/8/8/8", "highlight 8/4R3/8/8/8/8/8/8",]
    );
    assert!(answers[4].starts_with("move "), "{answers:?}");
}

#[test]
fn the_engines_own_long_capture_waits_for_a_pass() {
    let answers = russian(&[
        "setboard 1m6/2m5/3M4/8/3M4/8/3M4/6M1 w - - 0 1",
        "usermove g1h2",
        "#800",
        "usermove h2g3",
        "usermove @@@@",
        "#100",
    ]);
    assert_eq!(answers[0], "move c7xd6xd4-c3");
    assert!(answers[1].starts_with("telluser "), "{answers:?}");
    assert!(answers[2].starts_with("Illegal move (the capture goes on"), "{answers:?}");
    assert_eq!(answers[3], "move c3xd2-e1q");
}

#[test]
fn force_undo_and_results() {
    let answers = russian(&[
        "force",
        "usermove c3d4",
        "usermove d6c5",
        "undo",
        "usermove f6e5",
        "remove",
        "undo",
        "setboard 8/8/8/8/8/2m5/8/Q7 w - - 0 1",
        "go",
        "#800",
    ]);
    assert_eq!(answers[0], "Error (no move to take back): undo");
    assert!(answers[1].starts_with("move a1xc3-"), "{answers:?}");
    assert_eq!(answers.last().map(String::as_str), Some("1-0 {no pieces}"));
}

#[test]
fn move_now_and_analysis_end_when_told() {
    let answers = russian(&[
        "st 100",
        "go",
        "#300",
        "?",
        "#300",
        "analyze",
        "#300",
        "exit",
        "force",
        "usermove zzz",
        "go",
        "#100",
        "new",
    ]);
    assert!(answers[0].starts_with("move "), "{answers:?}");
    assert!(answers.iter().filter(|line| line.starts_with("move ")).count() == 1, "{answers:?}");
    assert!(answers.iter().any(|line| line.starts_with("1 ")), "analysis is shown: {answers:?}");
}

#[test]
fn nonsense_is_refused_and_nothing_more() {
    let answers = russian(&[
        "fly",
        "variant chess",
        "setboard nonsense",
        "level 1 x 2",
        "sd -5",
        "usermove",
        "\u{1}",
        "lift a99",
        "ping 1",
    ]);
    assert!(answers.len() >= 8, "{answers:?}");
    assert_eq!(answers[0], "Error (unknown command): fly");
    assert_eq!(answers[1], "Error (unknown variant): variant chess");
    assert_eq!(answers.last().map(String::as_str), Some("pong 1"));
}
