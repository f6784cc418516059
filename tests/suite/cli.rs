//! The command line: shapes that scripts rely on, and exit codes.

use super::client::{lines, run};
use serde_json::Value;

fn text(words: &[&str]) -> Vec<String> {
    let (lines, code) = lines(words);
    assert_eq!(code, 0, "{words:?}: {lines:?}");
    lines
}

fn object(words: &[&str]) -> Value {
    serde_json::from_str(&text(words).join("\n")).expect("one JSON value")
}

/// The count of a last line `nodes <count> time <ms> nps <n>`.
fn nodes(line: &str) -> u64 {
    let words: Vec<&str> = line.split(' ').collect();
    let [nodes, count, time, ms, nps, speed] = words.as_slice() else { panic!("{line}") };
    assert_eq!([*nodes, *time, *nps], ["nodes", "time", "nps"]);
    ms.parse::<u64>().expect("milliseconds");
    speed.parse::<u64>().expect("a speed");
    count.parse().expect("a count")
}

#[test]
fn perft_ends_with_its_line() {
    assert_eq!(nodes(&text(&["perft", "6"])[0]), 167_140);
    assert_eq!(nodes(&text(&["--variant", "turkish", "perft", "4"])[0]), 7_538);
    assert_eq!(nodes(&text(&["perft", "6", "--variant", "english", "--threads", "1"])[0]), 36_768);
    assert_eq!(nodes(&text(&["perft", "0"])[0]), 1);
    let divided = text(&["perft", "3", "--divide"]);
    assert_eq!(divided.len(), 10);
    let sum: u64 =
        divided[..9].iter().map(|row| row.split(": ").nth(1).expect("a count").parse::<u64>().expect("a number")).sum();
    assert_eq!((sum, nodes(&divided[9])), (658, 658));
}

#[test]
fn perft_as_json_is_one_object_and_the_line() {
    let printed = text(&["perft", "3", "--divide", "--json", "--fen", "W:W31,K20:B1,12"]);
    assert_eq!(printed.len(), 2);
    let object: Value = serde_json::from_str(&printed[0]).expect("an object");
    let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["variant", "fen", "depth", "count", "ends", "nodes", "time_ms", "moves"]);
    assert_eq!(object["nodes"], nodes(&printed[1]));
    let sum: u64 =
        object["moves"].as_array().expect("moves").iter().map(|m| m["nodes"].as_u64().expect("a count")).sum();
    assert_eq!(object["nodes"], sum);
}

/// The ways of counting differ where they should.
#[test]
fn perft_counts_as_told() {
    // The king on 47 takes the same four pieces with the same end in two ways.
    let count = |more: &[&str]| {
        let words = [&["perft", "1", "--fen", "W:WK47:B14,19,29,31,42"], more].concat();
        nodes(&text(&words)[0])
    };
    assert!(count(&["--count", "landings"]) >= count(&["--count", "paths"]));
    assert!(count(&["--count", "paths"]) >= count(&["--count", "unique"]));
    assert_eq!(count(&[]), count(&["--count", "unique"]));
    let fen = ["--variant", "breakthrough", "perft", "3", "--fen", "W:W6,31:B20", "--ends"];
    let ignored = nodes(&text(&[&fen[..], &["ignored"]].concat())[0]);
    let applied = nodes(&text(&[&fen[..], &["applied"]].concat())[0]);
    assert!(applied < ignored, "{applied} {ignored}");
}

#[test]
fn legal_has_the_promised_shape() {
    let printed = text(&["--variant", "russian", "legal", "--fen", "W:Wd4:Bc5,c7,h8", "--json"]);
    let expected = r#"{"variant":"russian","fen":"W:Wd4:Bh8,c7,c5","side":"white","state":"ongoing","reason":null,"moves":[{"move":"d4:d8","full":"d4:b6:d8","from":"d4","to":"d8","captures":["c5","c7"],"path":["d4","b6","d8"],"promotes":true}]}"#;
    assert_eq!(printed, [expected]);
    let plain = text(&["legal", "--fen", "W:W31:B20"]);
    assert_eq!(plain, ["31-26", "31-27", "legal 2 state ongoing"]);
}

#[test]
fn play_shows_the_position_after_the_moves() {
    let played = object(&["play", "--fen", "W:W28:B22,45", "--moves", "28x17 45-50", "--json"]);
    assert_eq!((&played["side"], &played["state"]), (&"white".into(), &"ongoing".into()));
    let over = object(&["play", "--fen", "W:W28:B22", "--moves", "28-17", "--json"]);
    assert_eq!(
        (&over["side"], &over["state"], &over["reason"]),
        (&"black".into(), &"loss".into(), &"no pieces".into())
    );
    assert_eq!(over["moves"], Value::Array(vec![]));
    let shuffle = "47-24 4-10 24-47 10-4 47-24 4-10 24-47 10-4";
    let drawn = object(&["play", "--fen", "W:WK46,K47,48:BK5,K4,1", "--moves", shuffle, "--json"]);
    assert_eq!((&drawn["state"], &drawn["reason"]), (&"draw".into(), &"threefold repetition".into()));
}

#[test]
fn variants_are_listed_with_all_their_fields() {
    let all = object(&["variants", "--json"]);
    let all = all.as_array().expect("an array");
    assert_eq!(all.len(), damka::game::Variant::all().len());
    for variant in all {
        for key in ["name", "title", "aliases", "source", "custom", "evaluation"] {
            assert!(!variant[key].is_null(), "{key} of {variant}");
        }
        assert!(variant["rules"].as_object().expect("rules").len() >= 28, "{variant}");
    }
    assert_eq!(text(&["variants"]).len(), all.len());
}

#[test]
fn words_are_run_as_one_command() {
    assert!(text(&["--variant", "russian", "go", "depth", "5"]).last().expect("a line").starts_with("bestmove "));
    let reply = text(&["go", "depth", "5", "--fen", "W:W28:B22", "--hash", "1"]);
    assert!(reply.last().expect("a line").starts_with("bestmove 28x17"), "{reply:?}");
    assert!(text(&["go", "wtime", "-5", "btime", "10"]).last().expect("a line").starts_with("bestmove "));
    assert_eq!(text(&["uci"]).last().expect("a line"), "uciok");
    assert_eq!(text(&["isready"]), ["readyok"]);
    assert_eq!(text(&["position", "startpos", "moves", "32-28"]), [""; 0]);
    assert!(text(&["eval", "--fen", "W:W28:B22,1"]).last().expect("a line").starts_with("eval total "));
    assert!(text(&["d", "--variant", "turkish"]).contains(&"   a b c d e f g h".to_string()));
}

#[test]
fn bad_input_has_exit_code_two_and_says_why() {
    for (words, told, said) in [
        (&["xyzzy"][..], true, "unknown command 'xyzzy', expected one of: uci"),
        (&["go", "depth", "x"], true, "go depth: 'x' is not a whole number from 1 to 200"),
        (&["go", "depth", "3", "--fen", "nonsense"], true, "position fen: "),
        (&["legal", "--fen", "W:W99:B1", "--json"], false, "position fen: "),
        (&["play", "--moves", "1-2", "--json"], false, "position: move 1: "),
        (&["perft", "x"], false, "perft: 'x' is not a whole number from 0 to 60"),
        (&["perft", "3", "--count", "all"], false, "perft count: 'all' was read, expected unique, paths or landings"),
        (&["--variant", "chess", "perft", "3"], false, "unknown rule set 'chess', expected one of: international"),
        (&["--rules", "/no/such/file", "perft", "3"], false, "rule file '/no/such/file': "),
        (&["--rule", "captures=sometimes", "perft", "3"], false, "option --rule: "),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(err.starts_with(&format!("damka: {said}")) && err.lines().count() == 1, "{words:?}: {err}");
        let expected = if told { format!("info string error: {said}") } else { String::new() };
        assert!(out.starts_with(&expected) && out.lines().count() == usize::from(told), "{words:?}: {out}");
    }
    for words in [&["--hash", "0", "d"][..], &["--nonsense"], &["--variant", "english", "--rules", "x", "d"]] {
        assert_eq!(run(words).status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn own_rules_are_laid_over_a_rule_set() {
    let fen = ["legal", "--fen", "W:W31,22:B18", "--json"];
    let strict = object(&[&["--variant", "english"], &fen[..]].concat());
    let free = object(&[&["--variant", "english", "--rule", "captures=optional"], &fen[..]].concat());
    let count = |value: &Value| value["moves"].as_array().expect("moves").len();
    assert!(count(&free) > count(&strict), "{free}");
}
