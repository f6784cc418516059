//! Input that nobody should send. The names in brackets are those of recorded cases.

use super::client::{Client, abandoned};

/// [RB01] CRLF line ends mean the same as LF.
#[test]
fn carriage_returns_do_not_matter() {
    let mut answers = Vec::new();
    for end in ["\n", "\r\n"] {
        let mut client = Client::start(&["--threads", "1"]);
        let lines = ["position startpos moves 32-28 19-23 28x19", "legal", "go nodes 2000"];
        lines.iter().for_each(|line| client.bytes(format!("{line}{end}").as_bytes()));
        let best = client.until("bestmove");
        answers.push((best[..2].to_vec(), best.last().cloned()));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0].0, ["13x24", "14x23"], "the two ways to take back");
}

/// [RB02] Bytes that are not text: one error, and the engine goes on.
#[test]
fn wrong_bytes_are_refused() {
    let mut client = Client::start(&[]);
    client.bytes(b"\xff\xfe\x00\x80\n");
    assert_eq!(client.line(), "info string error: byte 1 of the line is 0xff, expected UTF-8 text");
    client.bytes(b"is\0ready\n\0\n");
    assert!(client.line().starts_with("info string error: unknown command 'is\\u{0}ready', expected one of: uci "));
    client.line();
    client.ask("uci", "uciok");
    client.quit();
}

/// [RB06] Positions that are none are refused and the position stays; colour lists may come in any order.
#[test]
fn nonsense_positions_are_refused() {
    let mut client = Client::start(&[]);
    client.send("position startpos moves 32-28");
    let before = client.fen();
    for bad in [
        "",
        "W",
        "W:W1,,2:B3",
        "W:W1-:B",
        "W:W50-31:B9",
        "W:WK:B1",
        "W:W0:B1",
        "W:W99999999999999999999:B1",
        "X:W6:B2",
        "W:W6:B6",
    ] {
        let error = client.refusal(&format!("position fen {bad}"));
        assert!(error.contains("position fen") && error.contains("expected"), "{bad}: {error}");
        assert_eq!(client.fen(), before, "{bad}");
    }
    assert_eq!(client.effect("position fen W:B1:W50"), [""; 0]);
    assert_eq!(client.fen(), "W:W50:B1");
}

/// [RB07] A full board is refused or lost at once, and never a crash; 20 men a side do not fit on 32 squares.
#[test]
fn full_boards_do_no_harm() {
    let mut client = Client::start(&["--variant", "english"]);
    client.effect("position fen W:WK1-16:BK17-32");
    let lines = client.ask("go depth 3", "bestmove");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"), "{lines:?}");
    client.refusal("position fen W:W1-20:B13-32");
    client.quit();
}

/// [RB11] Blanks, tabs and capitals.
#[test]
fn blanks_and_capitals_do_not_matter() {
    let mut client = Client::start(&[]);
    for line in ["\t isready  ", "ISREADY", "\u{a0}isready"] {
        assert_eq!(client.ask(line, "readyok"), ["readyok"], "{line:?}");
    }
    for line in ["", "   ", "\t", "# a remark"] {
        assert_eq!(client.effect(line), [""; 0]);
    }
    client.quit();
}

/// Long lines are refused in bounded memory.
#[test]
fn long_lines_are_refused() {
    let mut client = Client::start(&["--hash", "1"]);
    client.ask("isready", "readyok");
    client.send(&"x".repeat(1 << 20));
    assert!(client.line().len() < 2_000);
    client.send(&"x".repeat((1 << 20) + 1));
    assert_eq!(client.line(), "info string error: a line of 1048577 bytes was read, expected at most 1048576");
    let piece = vec![b'y'; 1 << 20];
    (0..200).for_each(|_| client.bytes(&piece));
    assert_eq!(client.effect(""), ["info string error: a line of 209715200 bytes was read, expected at most 1048576"]);
    let fen = format!("position fen W:W{}", "31,".repeat(300_000));
    assert!(client.refusal(&fen).len() < 2_000);
    let moves = format!("position startpos moves{}", " 32-28".repeat(100_000));
    assert!(client.refusal(&moves).contains("position: move 2: "));
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", client.id())).expect("its status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
        let kilobytes: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kilobytes < 62_000, "{kilobytes} kB at most");
    }
    client.quit();
}

/// Memory: no more than the table and 60 MiB, also while searching.
#[test]
#[cfg(target_os = "linux")]
fn memory_stays_near_the_table() {
    let mut client = Client::start(&["--hash", "64", "--threads", "2"]);
    client.ask("go movetime 1500", "bestmove");
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.id())).expect("its status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    let kilobytes: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kilobytes < (64 + 60) << 10, "{kilobytes} kB at most");
    client.quit();
}

/// Numbers out of range, wrong values and unknown names, one error each.
#[test]
fn every_bad_value_is_told() {
    let mut client = Client::start(&[]);
    for (line, said) in [
        ("go depth 99999", "go depth: '99999' is not a whole number from 1 to 200"),
        ("go wtime", "go wtime: nothing follows, expected a whole number from"),
        ("setoption name Hash value 0", "option Hash: '0' was read, expected a whole number from 1 to 65536"),
        ("setoption name Nothing value 0", "no option 'Nothing', expected one of: Hash, Threads"),
        ("setoption name Debug Log File value /", "option Debug Log File: '/' cannot be written"),
        ("perft 1 2", "perft: '2' was read, expected divide"),
        ("hello", "unknown command 'hello', expected one of: uci isready"),
    ] {
        let error = client.refusal(line);
        assert!(error.starts_with(&format!("info string error: {said}")), "{error}");
    }
    client.quit();
}

/// A reader that leaves ends the program quietly, whether it writes from the loop or from a search.
#[test]
fn a_closed_output_is_a_quiet_end() {
    let (code, said) = abandoned(&["variants", "--json"], "");
    assert_eq!((code, said.as_str()), (0, ""));
    let (code, said) = abandoned(&[], "go infinite\n");
    assert_eq!((code, said.as_str()), (0, ""));
    let (code, said) = abandoned(&["--variant", "english", "go", "movetime", "3000"], "");
    assert_eq!((code, said.as_str()), (0, ""));
}
