//! Searches in Hub: news, answers, pondering, the end, and times.

use super::*;
use crate::client::median;
use std::time::Instant;

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
    assert!(nodes(&lines) <= 100, "{lines:?}");
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
