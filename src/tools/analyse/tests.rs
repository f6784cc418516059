//! Whole analyses: any number of threads, breaks and the way back.

use super::*;
use crate::tools::common::JobError;
use std::fs;

/// Games of several kinds, one of them with a move that is not legal.
fn games() -> String {
    let mut text = String::new();
    for n in 0..12 {
        let (tags, moves) = match n % 4 {
            0 => ("[GameType \"20\"]", "1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 4. 37x28 *"),
            1 => ("[GameType \"21\"]", "1. 11-15 23-19 2. 8-11 22-17 3. 9-13 1-0"),
            2 => ("[GameType \"25\"]", "1. c3-d4 d6-c5 2. b2-c3 f6-g5 1/2-1/2"),
            _ => ("[GameType \"20\"]", "1. 32-28 1-50 2. 3-4 2-0"),
        };
        text += &format!("[White \"w{n}\"]\n[Black \"b{n}\"]\n{tags}\n\n{moves}\n\n");
    }
    text
}

fn arguments(folder: &Path, name: &str, resume: bool) -> Args {
    let out = |ending: &str| Some(folder.join(format!("{name}.{ending}")));
    Args {
        file: folder.join("in.pdn").display().to_string(),
        nodes: Some(400),
        depth: None,
        time: None,
        multipv: 2,
        tables: None,
        games: None,
        shard: None,
        json: out("ndjson"),
        pdn: out("pdn"),
        html: out("html"),
        resume,
    }
}

fn texts(args: &Args) -> [String; 3] {
    [&args.json, &args.pdn, &args.html]
        .map(|path| fs::read_to_string(path.as_ref().expect("an output")).expect("a file"))
}

fn analyse(args: &Args, threads: usize) -> Result<Ending, JobError> {
    run_until(args, None, threads, &Signals::default())
}

#[test]
fn every_number_of_threads_gives_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.pdn"), games()).expect("room");
    let all = [1, 2, 5].map(|threads| {
        let args = arguments(folder.path(), &format!("t{threads}"), false);
        assert_eq!(analyse(&args, threads).expect("a good run"), Ending::Fine);
        texts(&args)
    });
    assert!(all[0] == all[1] && all[1] == all[2]);
    let [json, pdn, html] = &all[0];
    assert_eq!(json.matches("\"type\":\"game\"").count(), 12);
    assert_eq!(json.matches("\"type\":\"summary\"").count(), 12);
    assert_eq!(pdn.matches("\n*\n").count() + pdn.matches(" *\n").count(), 12, "{pdn}");
    assert!(html.ends_with(page::END) && html.matches("class=\"game\">{").count() == 12);
    assert!(!keep::progress_path(Path::new(&folder.path().join("t1.ndjson"))).exists());
}

#[test]
fn a_broken_analysis_ends_like_a_whole_one() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.pdn"), games()).expect("room");
    let whole = arguments(folder.path(), "whole", false);
    analyse(&whole, 2).expect("a good run");
    let args = arguments(folder.path(), "cut", true);
    let signals = Signals::default();
    std::thread::scope(|scope| {
        let progress = keep::progress_path(args.json.as_ref().expect("an output"));
        let stop = &signals;
        scope.spawn(move || {
            // Stopped when some games are done, wherever the others are.
            while fs::read_to_string(&progress).map_or(0, |text| text.lines().count()) < 5 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            stop.stop();
        });
        run_until(&args, None, 2, &signals).expect("what is finished is kept");
    });
    // Half a game more, as after a crash.
    for path in [&args.json, &args.pdn] {
        let path = path.as_ref().expect("an output");
        fs::write(path, fs::read_to_string(path).expect("a file") + "[White \"ha").expect("room");
    }
    assert_eq!(analyse(&args, 1).expect("a good run"), Ending::Fine);
    assert!(texts(&args) == texts(&whole));
    // Once more is not too often.
    assert_eq!(analyse(&args, 1).expect("a good run"), Ending::Fine);
    assert!(texts(&args) == texts(&whole));
}

#[test]
fn another_file_is_not_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("in.pdn");
    fs::write(&input, games()).expect("room");
    let args = arguments(folder.path(), "cut", true);
    let signals = Signals::default();
    signals.stop();
    assert_eq!(run_until(&args, None, 1, &signals).expect("nothing done"), Ending::Stopped);
    let progress = keep::progress_path(args.json.as_ref().expect("an output"));
    let text = fs::read_to_string(&progress).expect("a file");
    let last = text.lines().last().expect("a row").replace("\"games\":0", "\"games\":1");
    fs::write(&progress, format!("{text}{last}\n")).expect("room");
    let error = analyse(&args, 1).expect_err("another game").to_string();
    assert!(error.contains("game 1: it is not the game analysed before"), "{error}");
}

#[test]
fn words_are_read_or_refused() {
    for (text, expected) in [("7", (7, 7)), ("3-9", (3, 9)), ("3-", (3, u64::MAX)), ("-9", (1, 9))] {
        assert_eq!(range(Some(text)).expect("a range"), expected);
    }
    for text in ["", "-", "0", "9-3", "a", "1-b", "0-4"] {
        assert!(range(Some(text)).is_err(), "{text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.pdn"), games()).expect("room");
    let mut args = arguments(folder.path(), "x", false);
    args.pdn = args.json.clone();
    assert!(analyse(&args, 1).is_err());
    args.pdn = Some(folder.path().join("in.pdn"));
    assert!(analyse(&args, 1).expect_err("its own input").to_string().contains("another file"));
    assert_eq!(fs::read_to_string(&args.file).expect("untouched"), games());
}

#[test]
fn only_the_games_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.pdn"), games()).expect("room");
    let args = Args { games: Some("3-4".to_string()), ..arguments(folder.path(), "some", false) };
    analyse(&args, 2).expect("a good run");
    let [json, ..] = texts(&args);
    let numbers: Vec<&str> = json.lines().filter(|line| line.contains("\"type\":\"game\"")).collect();
    assert!(numbers.len() == 2 && numbers[0].contains("\"game\":3,") && numbers[1].contains("\"game\":4,"), "{json}");
    assert!(numbers[1].contains("\"unread\":\"1-50\""), "{json}");
}
