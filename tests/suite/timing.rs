//! Times, with margins for busy machines: medians where a single slow answer proves nothing.

use super::client::{Client, best_word, median};
use std::time::{Duration, Instant};

const MS: fn(u64) -> Duration = Duration::from_millis;

fn timed(client: &mut Client, line: &str, last: &str) -> (Duration, String) {
    let since = Instant::now();
    let lines = client.ask(line, last);
    (since.elapsed(), lines.last().expect("a last line").clone())
}

/// Start-up, from nothing to the end of the handshake.
#[test]
fn the_program_is_there_at_once() {
    drop(Client::alone(&[]));
    let times = (0..11).map(|_| {
        let since = Instant::now();
        let mut client = Client::alone(&[]);
        client.ask("uci", "uciok");
        let took = since.elapsed();
        client.quit();
        took
    });
    let middle = median(times.collect());
    assert!(middle < MS(50), "{middle:?}");
}

/// [EB11] Readiness is told during a search.
#[test]
fn readiness_is_told_at_once_during_a_search() {
    let mut client = Client::alone(&[]);
    client.ask("go infinite", "info depth 1 ");
    let times = (0..9).map(|_| {
        std::thread::sleep(MS(30));
        timed(&mut client, "isready", "readyok").0
    });
    let middle = median(times.collect());
    assert!(middle < MS(100), "{middle:?}");
    let stopped = timed(&mut client, "stop", "bestmove").0;
    assert!(stopped < MS(500), "{stopped:?}");
}

/// With a millisecond on the clock there is still a legal move, soon.
#[test]
fn no_time_at_all_is_enough_for_a_move() {
    let mut client = Client::alone(&[]);
    client.ask("isready", "readyok");
    for go in
        ["go wtime 1 btime 1", "go wtime -50 btime -50", "go movetime 1", "go movetime 0", "go wtime 0 winc 1 binc 1"]
    {
        let answers = (0..9).map(|_| {
            let (time, line) = timed(&mut client, go, "bestmove");
            assert_ne!(best_word(&line), "(none)");
            time
        });
        let middle = median(answers.collect());
        assert!(middle < MS(50), "{go}: {middle:?}");
    }
}

/// [EB16] The last move before the time control does not use all the time.
#[test]
fn the_last_move_before_the_control_keeps_some_time() {
    let mut client = Client::alone(&[]);
    client.ask("isready", "readyok");
    let times = (0..7).map(|_| timed(&mut client, "go wtime 300 btime 300 movestogo 1", "bestmove").0);
    let middle = median(times.collect());
    assert!(middle < MS(290), "{middle:?}");
}

/// [EB19] A fixed time for each move is kept.
#[test]
fn a_fixed_time_is_kept() {
    let mut client = Client::alone(&[]);
    client.ask("isready", "readyok");
    let times: Vec<Duration> = (0..20).map(|_| timed(&mut client, "go movetime 250", "bestmove").0).collect();
    let late = times.iter().filter(|&&time| time > MS(300)).count();
    assert!(median(times.clone()) <= MS(260) && late <= 1, "{times:?}");
}

/// [EB18] Sudden death over a long game: no flag falls.
#[test]
fn a_long_game_is_played_within_its_time() {
    let mut client = Client::alone(&["--hash", "16"]);
    client.ask("isready", "readyok");
    let mut left = [2_000_i64; 2];
    let mut moves: Vec<String> = Vec::new();
    let mut used = Vec::new();
    for ply in 0..100 {
        client.send(&format!("position startpos moves {}", moves.join(" ")));
        let (time, line) = timed(&mut client, &format!("go wtime {} btime {}", left[0], left[1]), "bestmove");
        let best = best_word(&line);
        if best == "(none)" {
            break;
        }
        left[ply % 2] -= time.as_millis() as i64;
        used.push(time.as_millis());
        assert!(left[ply % 2] > 0, "the flag falls at ply {ply}; times used: {used:?}");
        moves.push(best);
    }
    assert!(moves.len() > 20, "{moves:?}");
}
