//! Jobs for scripts: positions and games in, answers out.

use super::client::{abandoned, beside_others, program};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

/// Runs the program with an input; the exit code, what it printed, and what it said on stderr.
fn fed(words: &[&str], input: &str) -> (i32, String, String) {
    let _turn = beside_others();
    let mut child = program()
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a piped input");
    let input = input.to_string();
    let feeder = std::thread::spawn(move || {
        // It may end before it has read everything.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("it ends");
    feeder.join().expect("the feeder ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

/// Positions from the first plies of many games: every reply to every reply from the start.
fn positions(count: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![damka::game::Game::new(damka::game::Variant::find("english").expect("built in"))];
    while found.len() < count {
        let game = open.remove(0);
        for mv in game.moves() {
            let mut next = game.clone();
            next.play(&mv).expect("a legal move");
            found.push(damka::notation::fen::write(next.variant(), &next.setup()));
            open.push(next);
        }
    }
    found.truncate(count);
    found
}

#[test]
fn answers_keep_their_order_and_bad_lines_are_answered() {
    let input = "W:W31,32:B19,20\nbad\nW:W31,32:B19,20\r\n\n{\"id\":\"x\",\"variant\":\"russian\",\"fen\":\"W:Wd4:Bc5,c7,h8\"}\nB:W50:B";
    let (code, out, err) = fed(&["evaluate", "--nodes", "500", "--threads", "3"], input);
    let answers = objects(&out);
    assert_eq!((code, answers.len(), err.as_str()), (1, 6, ""), "{out}");
    assert!(answers.iter().enumerate().all(|(place, answer)| answer["line"] == place + 1));
    let keys: Vec<&String> = answers[0].as_object().expect("an object").keys().collect();
    let expected = "line variant fen side state reason best score wdl depth nodes pv table";
    assert_eq!(keys, expected.split(' ').collect::<Vec<_>>());
    assert!(answers[1]["error"].as_str().is_some_and(|text| text.starts_with("fen: ")), "{out}");
    assert!(answers[3]["error"].is_string() && answers[3].get("fen").is_none(), "{out}");
    assert_eq!(answers[0]["pv"], answers[2]["pv"]);
    assert_eq!((&answers[4]["id"], &answers[4]["best"]), (&"x".into(), &"d4:d8".into()));
    assert_eq!(answers[4]["score"], serde_json::json!({"win": 7}));
    assert_eq!(
        (&answers[5]["state"], &answers[5]["best"], &answers[5]["nodes"]),
        (&"loss".into(), &Value::Null, &0.into())
    );
}

#[test]
fn answers_do_not_depend_on_threads_or_neighbours() {
    let lines = positions(60);
    let words =
        |threads| ["--variant", "english", "evaluate", "--nodes", "1000", "--multipv", "2", "--threads", threads];
    let (code, all, _) = fed(&words("2"), &lines.join("\n"));
    assert_eq!(code, 0);
    assert_eq!(fed(&words("1"), &lines.join("\n")).1, all);
    let all = objects(&all);
    for place in [0, 17, 59] {
        let alone = objects(&fed(&words("1"), &lines[place]).1).remove(0);
        for key in ["fen", "best", "score", "wdl", "depth", "nodes", "pv", "lines"] {
            assert_eq!(alone[key], all[place][key], "{key} of {}", lines[place]);
        }
        let go = ["--variant", "english", "go", "nodes", "1000", "--threads", "1", "--fen", &lines[place]];
        let (_, text, _) = fed(&go, "");
        let (_, one, _) = fed(&["--variant", "english", "evaluate", "--nodes", "1000"], &lines[place]);
        let one = objects(&one).remove(0);
        let best = text.lines().last().and_then(|line| line.split(' ').nth(1)).expect("a best move");
        assert_eq!(one["best"], best, "{text}");
        let info = text.lines().rev().find(|line| line.starts_with("info depth")).expect("an info line");
        assert!(info.contains(&format!("depth {} ", one["depth"])), "{info} {one}");
    }
}

#[test]
fn an_answer_comes_before_the_next_line_is_sent() {
    let _turn = beside_others();
    let words = ["evaluate", "--depth", "3", "--threads", "2"];
    let mut child =
        program().args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a piped input");
    let mut lines = BufReader::new(child.stdout.take().expect("a piped output")).lines();
    for text in ["W:W31:B20", "x", "B:W31:B20"] {
        writeln!(stdin, "{text}").and_then(|()| stdin.flush()).expect("it listens");
        assert!(lines.next().expect("an answer").expect("text").starts_with("{\"line\":"));
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn legal_and_static_need_no_search() {
    let (code, out, _) = fed(&["evaluate", "--legal", "--static"], "W:W31,32:B19,20");
    let answer = objects(&out).remove(0);
    assert_eq!(code, 0);
    assert_eq!(answer["legal"], serde_json::json!(["31-26", "32-27", "31-27", "32-28"]));
    assert!(
        answer["static"]["cp"].is_i64() && answer["static"]["parts"].as_object().is_some_and(|parts| !parts.is_empty()),
        "{answer}"
    );
    assert!(answer.get("best").is_none());
    let (_, out, _) = fed(&["evaluate", "--legal", "--depth", "2", "--multipv", "9"], "W:W31,32:B19,20");
    let answer = objects(&out).remove(0);
    assert_eq!(answer["lines"].as_array().map(Vec::len), Some(4), "{answer}");
    assert_eq!(answer["lines"][0]["move"], answer["best"]);
}

#[test]
fn tables_speak_when_asked_to() {
    let ending = "B:W19,18:BK20,K17";
    let words = ["--variant", "english", "evaluate", "--nodes", "500", "--threads", "1"];
    let answer = |more: &[&str]| objects(&fed(&[&words[..], more].concat(), ending).1).remove(0);
    assert_eq!(answer(&[])["table"], Value::Null);
    let known = answer(&["--tables", "cache"]);
    assert_eq!((&known["table"]["value"], &known["best"]), (&"win".into(), &"20-24".into()), "{known}");
    assert_eq!(known["table"]["plies"], 51);
    let (code, _, err) = fed(&["evaluate", "--tables", "/no/such/folder"], ending);
    assert!(code == 2 && err.starts_with("damka: --tables: "), "{err}");
}

#[test]
fn a_reader_that_leaves_ends_a_job_quietly() {
    let _turn = beside_others();
    let many = "W:W31,32:B19,20\n".repeat(500);
    assert_eq!(abandoned(&["evaluate", "--nodes", "100"], &many), (0, String::new()));
    let pdn = "[Event \"x\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n".repeat(2_000);
    assert_eq!(abandoned(&["convert", "--from", "pdn", "--to", "json"], &pdn), (0, String::new()));
}

const GAMES: &str = "\
[Event \"A, \\\"B\\\"\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"2004.10.27\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n
1. 32-28 {first} 19-23 ( 1... 18-23 2. 38-32 ) 2. 28x19 $1 14x23 2-0\n
[Event \"C\"]\n[White \"Bob\"]\n[Black \"Ann\"]\n[Date \"1.1.1965\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n
1. 09-14 24x20 2. 5-9 1-0\n
[Event \"C\"]\n[White \"Cleo\"]\n[Black \"Ann\"]\n[GameType \"25\"]\n
1. c3-b4 b6-a5 2. b4-c5 d6:b4 3. a3:c5 a5-h4 1/2-1/2\n";

fn folder() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pdn");
    fs::write(&path, GAMES).expect("room for a file");
    let path = path.to_str().expect("a plain name").to_string();
    (folder, path)
}

#[test]
fn games_become_strict_and_stay_so() {
    let (_folder, path) = folder();
    let (code, strict, err) = fed(&["convert", &path, "--to", "pdn"], "");
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("game 3, ply 6: move 'a5-h4'") && err.contains("deviations from the standard"), "{err}");
    for piece in ["{first}", "( 1... 18-23 2. 38-32 )", "$1", "[GameType \"21,B,8,8,N1,0\"]", "1. 9-14 24-20", "a5-h4"]
    {
        assert!(strict.contains(piece), "{piece}: {strict}");
    }
    let (code, _, err) = fed(&["convert", &path, "--to", "pdn", "--out", &path], "");
    assert!(code == 2 && err.contains("another file than those that are read"), "{err}");
    assert_eq!(fs::read_to_string(&path).expect("still there"), GAMES);
    let (_, again, _) = fed(&["convert", "-", "--to", "pdn"], &strict);
    assert_eq!(again, strict);
    let (code, _, _) = fed(&["validate", "-"], &strict.replace("3. a3:c5 a5-h4", "3. a3:c5"));
    assert_eq!(code, 0);
}

#[test]
fn positions_of_games_come_out_in_every_form() {
    let (_folder, path) = folder();
    let last = fed(&["convert", &path, "--to", "fen", "-q"], "").1;
    assert_eq!(last.lines().count(), 3);
    assert_eq!(fed(&["convert", &path, "--to", "fen", "--positions", "4", "-q"], "").1.lines().count(), 2);
    let all = fed(&["convert", &path, "--to", "json", "--positions", "all", "-q"], "").1;
    let all = objects(&all);
    assert_eq!(all.len(), 5 + 4 + 6);
    assert_eq!((&all[0]["id"], &all[0]["played"]), (&"1:0".into(), &"32-28".into()));
    assert_eq!((&all[4]["id"], &all[4]["played"]), (&"1:4".into(), &Value::Null));
    assert_eq!(all[4]["fen"], last.lines().next().expect("a line"));
    let games = objects(&fed(&["convert", &path, "--to", "json", "-q"], "").1);
    assert_eq!(games[2]["unread"], serde_json::json!(["a5-h4"]));
    assert_eq!(games[0]["moves"], serde_json::json!(["32-28", "19-23", "28x19", "14x23"]));
    assert_eq!(games[0]["tags"]["Event"], "A, \"B\"");
    let twice = objects(&fed(&["convert", &path, &path, "--to", "json", "--positions", "start", "-q"], "").1);
    assert_eq!((twice.len(), &twice[3]["id"]), (6, &format!("{path}:1:0").into()));
    // And back, each form told by its first line.
    let asked = ["--variant", "russian", "convert", "-", "--to"];
    let start = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8";
    let canonical = fed(&[&asked[..], &["fen"]].concat(), start).1;
    for form in ["hub", "dxp", "pdn"] {
        let there = fed(&[&asked[..], &[form]].concat(), &canonical).1;
        assert_eq!(fed(&[&asked[..], &["fen", "--positions", "start"]].concat(), &there).1, canonical, "{there}");
    }
}

#[test]
fn squares_are_written_both_ways() {
    let (_folder, path) = folder();
    let (_, numeric, _) = fed(&["convert", &path, "--to", "pdn", "--squares", "numeric", "-q"], "");
    assert!(numeric.contains("1. 22-17 9-13 2. 17-14 10:17") && numeric.contains("25,W,8,8,N2,0"), "{numeric}");
    let (_, back, _) = fed(&["convert", "-", "--to", "pdn", "--squares", "algebraic", "-q"], &numeric);
    assert!(back.contains("1. c3-b4 b6-a5 2. b4-c5 d6:b4 3. a3:c5") && back.contains("25,W,8,8,A0,0"), "{back}");
    assert!(back.contains("21,B,8,8,A0,0") || back.contains("1. a7-b6"), "{back}");
    let fen = fed(&["--variant", "auto", "convert", "--to", "fen", "--squares", "numeric"], "W:Wa1:Bh8\n").1;
    assert_eq!(fen, "W:W29:B4\n");
}

#[test]
fn what_is_wrong_is_listed_with_its_place() {
    let (folder, path) = folder();
    let (code, out, err) = fed(&["validate", &path], "");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    let fault = format!("{path}:24: error: game 3, ply 6: move 'a5-h4' is not legal; ");
    assert!(lines.iter().any(|line| line.starts_with(&fault)), "{out}");
    assert!(
        lines.iter().any(|line| line.starts_with(&format!("{path}:17: warning: game 2, ply 1: move '09-14'"))),
        "{out}"
    );
    assert!(lines.last().expect("a line").starts_with("3 games, 12 plies, 1 errors, "), "{out}");
    let found = objects(&fed(&["validate", "--json", &path], "").1);
    assert!(found.iter().any(|object| object["severity"] == "error" && object["game"] == 3 && object["ply"] == 6));
    assert_eq!(found.last().expect("a summary")["summary"]["errors"], 1);
    let good = folder.path().join("good.fen");
    fs::write(&good, "W:W31:B20\n").expect("room for a file");
    assert_eq!(fed(&["validate", good.to_str().expect("a plain name")], "").0, 0);
    assert_eq!(fed(&["validate", "-"], "[Event \"x\"]\n1. 32-28 {open").0, 1);
    let deep = format!("[Event \"x\"]\n1. 32-28 {}", "(".repeat(5_000));
    let (code, out, _) = fed(&["validate", "--json", "-"], &deep);
    let object = objects(&out).remove(0);
    assert!(code == 1 && object["file"] == "stdin" && object["game"] == 1 && object["severity"] == "error", "{out}");
    let deviating = "[Event \"x\"]\n1. 032-28 *\n";
    assert_eq!((fed(&["validate", "-"], deviating).0, fed(&["validate", "--strict", "-"], deviating).0), (0, 1));
    let (code, out, _) = fed(&["validate", "--from", "fen"], "W:W31:B20\nW:W99:B1\n");
    assert!(code == 1 && out.starts_with("stdin:2: error: fen: "), "{out}");
}

#[test]
fn games_are_counted() {
    let (_folder, path) = folder();
    let rows = |words: &[&str]| -> Value {
        let (code, out, err) = fed(&[&["stats", "--json", &path], words].concat(), "");
        assert_eq!((code, err.as_str()), (0, ""));
        serde_json::from_str(&out).expect("one object")
    };
    let variants = rows(&[]);
    let english = variants["rows"].as_array().expect("rows").iter().find(|row| row["variant"] == "english");
    // In English draughts the points of Black, who moves first, stand first.
    assert_eq!(english.expect("a row")["black"], 1);
    assert_eq!(
        (&variants["total"]["games"], &variants["total"]["white"], &variants["total"]["draws"]),
        (&3.into(), &1.into(), &1.into())
    );
    assert_eq!(rows(&["--white-first"])["total"]["white"], 2);
    let players = rows(&["--by", "player"]);
    assert_eq!(players["rows"][0]["player"], "Ann");
    assert_eq!(
        (&players["rows"][0]["games"], &players["rows"][0]["wins"], &players["rows"][0]["draws"]),
        (&3.into(), &2.into(), &1.into())
    );
    let openings = rows(&["--by", "opening", "--plies", "2", "--top", "1"]);
    assert_eq!(openings["rows"].as_array().map(Vec::len), Some(1));
    assert!(openings["rows"][0]["fen"].is_string(), "{openings}");
    assert_eq!(rows(&["--by", "year"])["rows"][0]["year"], "1965");
    let csv = fed(&["stats", "--by", "event", "--csv", &path], "").1;
    assert!(csv.lines().any(|line| line.starts_with("\"A, \"\"B\"\"\",1,1,0,0,0,100.0,4,4.0,0,")), "{csv}");
    let table = fed(&["stats", "--by", "file", &path, &path], "").1;
    assert_eq!(table.lines().count(), 3, "{table}");
}

#[test]
fn pictures_go_where_they_should() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.svg");
    let name = path.to_str().expect("a plain name");
    let (code, out, err) = fed(&["draw", "--fen", "W:W31:BK20", "--moves", "31-27", "--out", name], "");
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    let picture = fs::read_to_string(&path).expect("a picture");
    assert_eq!(picture.matches("class=\"last\"").count(), 2);
    assert_eq!(fed(&["draw", "--fen", "W:W31:BK20", "--moves", "31-27"], "").1, picture);
    let (code, out, err) = fed(&["draw", "--fen", "W:W99:B"], "");
    assert!(code == 2 && out.is_empty() && err.starts_with("damka: position fen: "), "{err}");
    let missing = folder.path().join("none/board.svg");
    let (code, _, err) = fed(&["draw", "--out", missing.to_str().expect("a plain name")], "");
    assert!(code == 2 && err.starts_with(&format!("damka: {}: ", missing.display())), "{err}");
}

#[test]
fn every_command_has_its_page_and_its_completion() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().to_str().expect("a plain name");
    assert_eq!(fed(&["man", "--out", name], "").0, 0);
    for page in ["damka", "damka-evaluate", "damka-validate", "damka-match", "damka-go"] {
        let text = fs::read_to_string(folder.path().join(format!("{page}.1"))).expect("a page");
        assert!(text.contains(".TH ") && text.contains(".SH NAME"), "{page}: {text}");
    }
    assert!(fed(&["man"], "").1.contains("damka\\-evaluate(1)"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = fed(&["completions", shell], "").1;
        assert!(text.contains("evaluate") && text.contains("multipv"), "{shell}");
    }
    let (code, _, err) = fed(&["completions", "sh"], "");
    assert!(code == 2 && err.contains("bash"), "{err}");
}

#[test]
fn help_has_examples_and_exit_codes() {
    for job in ["evaluate", "convert", "validate", "stats", "draw"] {
        let (code, text, _) = fed(&[job, "--help"], "");
        assert!(
            code == 0 && text.contains("Examples:\n  damka") || text.contains("Examples:\n  echo"),
            "{job}: {text}"
        );
        assert!(text.contains("Exit codes: 0 "), "{job}: {text}");
    }
    for job in [
        "man",
        "completions",
        "match",
        "selfplay",
        "wdl",
        "train",
        "legal",
        "perft",
        "go",
        "play",
        "hub",
        "dxp",
        "bench",
        "variants",
    ] {
        let (_, text, _) = fed(&[job, "--help"], "");
        assert!(text.contains("Examples:\n  damka "), "{job}: {text}");
    }
    let (_, text, _) = fed(&["--help"], "");
    assert!(text.contains("Exit codes:") && text.contains("Examples:"), "{text}");
}

#[test]
fn input_that_cannot_be_read_has_exit_code_two() {
    let none = "/no/such/file.pdn";
    for job in ["evaluate", "validate", "stats"] {
        let (code, out, err) = fed(&[job, none], "");
        assert!(code == 2 && out.is_empty() && err.starts_with(&format!("damka: {none}: ")), "{job}: {err}");
    }
    assert!(Path::new("/").is_dir());
    assert_eq!(fed(&["validate", "/"], "").0, 2);
    for words in [
        &["evaluate", "--nodes", "0"][..],
        &["convert", "--to", "xml"],
        &["stats", "--by", "moon"],
        &["--variant", "auto", "evaluate"],
    ] {
        assert_eq!(fed(words, "").0, 2, "{words:?}");
    }
}
