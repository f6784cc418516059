//! Conversations that broke other engines: searching, stopping, pondering, ending. The names in brackets are those of
//! recorded cases.

use super::client::{Client, best_word};
use std::time::Duration;

const LONG: Duration = Duration::from_millis(1_500);
const SHORT: Duration = Duration::from_millis(300);

fn bests(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

/// [EB01] End of input while idle.
#[test]
fn the_end_of_input_ends_the_program() {
    let mut client = Client::start(&[]);
    client.ask("uci", "uciok");
    client.close();
    let (status, lines, took) = client.end();
    assert!(status.success() && lines.is_empty() && took < Duration::from_secs(1), "{status} {lines:?} {took:?}");
}

/// [EB03] Quit, or the end of input, during a search: the search still answers once.
#[test]
fn quit_during_a_search_is_a_clean_end() {
    for quit in [true, false] {
        let mut client = Client::start(&[]);
        client.ask("go infinite", "info depth 3 ");
        if quit {
            client.send("quit")
        } else {
            client.close()
        }
        let (status, lines, took) = client.end();
        assert!(status.success() && took < Duration::from_secs(1), "{status} {took:?}");
        assert_eq!(bests(&lines), 1);
    }
}

/// [EB04] An infinite search does not stop by itself, not even with one legal move and everything known.
#[test]
fn an_infinite_search_answers_only_when_stopped() {
    for limits in ["go infinite", "go infinite depth 1", "go ponder depth 1", "go ponder infinite nodes 5"] {
        let mut client = Client::start(&["--variant", "english", "--hash", "4"]);
        client.send("position fen W:WK29:BK25");
        client.send(limits);
        assert_eq!(bests(&client.listen(LONG)), 0, "{limits}");
        assert_eq!(bests(&client.ask("stop", "bestmove")), 1, "{limits}");
        assert_eq!(bests(&client.effect("stop")), 0, "{limits}");
    }
}

/// [EB06] Terminal positions: one answer, and the next command works.
#[test]
fn without_a_move_there_is_one_answer() {
    let mut client = Client::start(&["--variant", "english"]);
    client.send("position fen W:W29:B22,25");
    let lines = client.ask("go movetime 500", "bestmove");
    assert_eq!(lines, ["info depth 0 score mate 0", "info string black wins: no legal move", "bestmove (none)"]);
    client.send("setoption name UCI_Variant value international");
    client.send("position fen B:W50:B");
    client.send("go infinite");
    assert_eq!(bests(&client.listen(SHORT)), 0);
    let lines = client.ask("stop", "bestmove");
    assert_eq!(lines, ["bestmove (none)"]);
    client.send("position startpos");
    assert_ne!(client.best("go depth 2"), "(none)");
    client.quit();
}

/// [EB07] An empty move list.
#[test]
fn no_moves_after_the_word_moves() {
    let mut client = Client::start(&[]);
    assert_eq!(client.effect("position startpos moves"), [""; 0]);
    assert_ne!(client.best("go depth 4"), "(none)");
}

/// [EB08] A very long game: 2000 plies of king moves.
#[test]
fn a_very_long_game_is_followed() {
    let mut client = Client::start(&[]);
    let moves = "47-24 4-10 24-47 10-4 ".repeat(500);
    assert_eq!(client.effect(&format!("position fen W:WK46,K47:BK5,K4 moves {moves}")), [""; 0]);
    assert!(client.fen().starts_with("W:WK46,K47:BK4,K5"));
    let lines = client.ask("go depth 6", "bestmove");
    assert!(lines[0].starts_with("info string draw: "), "{}", lines[0]);
    assert_ne!(best_word(lines.last().expect("an answer")), "(none)");
}

/// [EB10] The engine's own answers do not change the position.
#[test]
fn the_engine_keeps_no_game_of_its_own() {
    let mut client = Client::start(&["--variant", "english", "--threads", "1"]);
    client.send("position startpos");
    let black = ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"];
    assert!(black.contains(&client.best("go depth 6").as_str()));
    assert!(black.contains(&client.best("go depth 6").as_str()));
    client.send("position startpos moves 11-15");
    let answer = client.best("go depth 6");
    assert!(answer.split('-').next().is_some_and(|from| from.parse::<u8>().is_ok_and(|n| n >= 21)), "{answer}");
}

/// [EB15] A ponder hit lets the clock run; a miss is a stop and a new search. One answer for each `go`.
#[test]
fn pondering_answers_once_whether_hit_or_missed() {
    let mut client = Client::start(&["--variant", "english"]);
    client.send("position startpos moves 11-15 23-19");
    client.send("go ponder wtime 2000 btime 2000");
    assert_eq!(bests(&client.listen(SHORT)), 0);
    assert_eq!(bests(&client.ask("ponderhit", "bestmove")), 1);

    client.send("go ponder wtime 2000 btime 2000");
    client.listen(SHORT);
    // The client does not wait for the answer to `stop`.
    client.send("stop");
    client.send("position startpos moves 11-15");
    client.send("go depth 3");
    let lines = [client.until("bestmove"), client.until("bestmove")].concat();
    assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
    assert_eq!(bests(&client.effect("ponderhit")), 0, "a late hit is nothing");
    client.quit();
}

/// What cannot be done beside a search is refused, and the search goes on; what can be done is done.
#[test]
fn a_search_is_not_disturbed() {
    let mut client = Client::start(&[]);
    client.ask("go infinite", "info depth 1 ");
    for line in ["go depth 3", "position startpos", "setoption name Hash value 8", "ucinewgame", "perft 3", "eval"] {
        client.send(line);
        let error = client.until("info string error").pop().expect("an error");
        let word = line.split(' ').next().expect("a word");
        assert_eq!(error, format!("info string error: {word}: a search is running, expected stop first"));
    }
    client.ask("d", "Legal moves (9)");
    client.ask("isready", "readyok");
    assert_eq!(bests(&client.listen(SHORT)), 0);
    assert_eq!(bests(&client.ask("stop", "bestmove")), 1);
    assert_eq!(client.effect("setoption name Hash value 8"), [""; 0]);
    client.quit();
}

/// After a bad `position` the one before is still there, and `go` answers for it.
#[test]
fn a_bad_position_leaves_the_old_one() {
    let mut client = Client::start(&["--variant", "english"]);
    client.send("position startpos moves 11-15");
    let before = client.fen();
    for bad in ["position fen W:W99:B1", "position startpos moves 11-15 11-15", "position moon", "position fen"] {
        client.refusal(bad);
        assert_eq!(client.fen(), before, "{bad}");
    }
    let error = client.refusal("position startpos moves 11-15 1-2");
    assert!(error.starts_with("info string error: position: move 2: "), "{error}");
    assert_eq!(bests(&client.ask("go depth 3", "bestmove")), 1);
}

/// `searchmoves`, `MultiPV`, chances and move formats reach the search and come back.
#[test]
fn what_is_asked_for_is_what_comes() {
    let mut client = Client::start(&["--threads", "1"]);
    client.send("position startpos");
    assert_eq!(client.best("go depth 4 searchmoves 34-30"), "34-30");
    assert!(client.refusal("go searchmoves 34-31").contains("go searchmoves: move 1: "));
    client.send("setoption name MultiPV value 3");
    client.send("setoption name UCI_ShowWDL value true");
    let lines = client.ask("go depth 4", "bestmove");
    for rank in 1..=3 {
        let rank = format!(" multipv {rank} ");
        assert!(lines.iter().any(|l| l.contains(&rank) && l.contains(" wdl ")), "{rank}");
    }
    client.send("setoption name UCI_MoveFormat value hub");
    client.send("position fen W:W28,33:B23,14");
    assert_eq!(client.best("go depth 1"), "28x10x23x14");
    client.send("setoption name UCI_MoveFormat value full");
    assert_eq!(client.best("go depth 1"), "28x19x10");
}

/// A low level means few nodes.
#[test]
fn levels_limit_the_nodes() {
    let mut client = Client::start(&["--threads", "1"]);
    client.send("setoption name Skill Level value 4");
    client.send("setoption name Skill Seed value 1");
    let lines = client.ask("go depth 30", "bestmove");
    let info = lines.iter().rev().find(|line| line.starts_with("info depth")).expect("an info line");
    let words: Vec<&str> = info.split(' ').collect();
    let at = words.iter().position(|&word| word == "nodes").expect("nodes");
    assert!(words[at + 1].parse::<u64>().expect("a number") <= 500, "{info}");
}

/// Choosing rules sets up their starting position, and a bad choice changes nothing.
#[test]
fn rules_are_chosen_by_name_and_by_file() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("my rules.toml");
    std::fs::write(&path, "base = \"english\"\nname = \"backwards\"\nfirst = \"white\"\n").expect("a file");
    let mut client = Client::start(&[]);
    client.send("setoption name UCI_Variant value warcaby-tureckie");
    assert!(client.ask("d", "Variant").pop().expect("a line").contains("turkish"));
    client.until("Legal moves");
    client.send("position startpos moves a3-a4");
    let file = format!("setoption name RulesFile value {}", path.display());
    assert_eq!(client.effect(&file), [""; 0]);
    assert!(client.fen().starts_with("W:W21,22"), "White begins on the start position");
    for bad in ["setoption name UCI_Variant value chess", "setoption name RulesFile value /no/such/file.toml"] {
        client.refusal(bad);
        assert!(client.fen().starts_with("W:W21,22"), "{bad}");
    }
    client.send("setoption name RulesFile value <empty>");
    assert!(client.ask("d", "Variant").pop().expect("a line").contains("turkish"));
    client.until("Legal moves");
    client.quit();
}

/// Counting is stopped like a search.
#[test]
fn perft_can_be_stopped() {
    let mut client = Client::start(&["--variant", "english"]);
    client.send("perft 30");
    client.ask("isready", "readyok");
    assert_eq!(client.ask("stop", "info"), ["info string perft stopped"]);
    assert_eq!(client.ask("go perft 1", "nodes").len(), 8);
    client.quit();
}
