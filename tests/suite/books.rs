//! Opening books as clients use them.

use super::client::{Client, PROGRAM, beside_others, lines};
use std::collections::BTreeSet;
use std::process::Command;

fn book(words: &[&str]) -> (Option<i32>, String, String) {
    let _turn = beside_others();
    let output = Command::new(PROGRAM).arg("book").args(words).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn games_differ_with_the_book_and_do_not_think() {
    let mut client = Client::start(&["--variant", "english", "--threads", "1", "--hash", "1"]);
    client.send("setoption name OwnBook value true");
    client.send("setoption name BookVariety value 100");
    let mut seen = BTreeSet::new();
    for _ in 0..40 {
        client.send("go depth 30");
        let answer = client.until("bestmove");
        assert!(answer.iter().any(|line| line.starts_with("info depth 0 ")), "{answer:?}");
        seen.insert(answer.last().expect("a line").split(' ').nth(1).expect("a move").to_string());
    }
    assert!(seen.len() > 1, "{seen:?}");
    for words in ["setoption name BookDepth value 0", "setoption name OwnBook value false"] {
        client.send(words);
        client.send("go depth 3");
        assert!(client.until("bestmove").iter().any(|line| line.starts_with("info depth 3 ")));
        client.send("setoption name BookDepth value 20");
    }
    client.send("setoption name OwnBook value true");
    client.send("setoption name MultiPV value 2");
    client.send("go depth 3");
    assert!(client.until("bestmove").iter().any(|line| line.starts_with("info depth 3 ")), "analysis has no book");
}

#[test]
fn a_book_is_made_and_read_and_a_foreign_one_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.book");
    let path = path.to_str().expect("a plain name");
    let (code, out, err) = book(&["build", "--self", "8", "--nodes", "500", "--out", path, "--variant", "russian"]);
    assert!(code == Some(0) && out.is_empty() && err.is_empty(), "{out}{err}");
    let (_, told, _) = book(&["info", path, "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert!(told["variant"] == "russian" && told["positions"].as_u64() >= Some(5), "{told}");
    let mut client = Client::start(&["--variant", "english", "--threads", "1", "--hash", "1"]);
    client.send(&format!("setoption name BookFile value {path}"));
    client.send("setoption name BookFile value /no/such/file");
    client.send("setoption name UCI_Variant value russian");
    client.send(&format!("setoption name BookFile value {path}"));
    client.send("setoption name OwnBook value true");
    client.send("go depth 30");
    let answer = client.until("bestmove");
    assert!(answer[0].contains("info string error: book ") && answer[0].contains("a book of 'russian'"), "{answer:?}");
    assert!(answer[1].contains("/no/such/file") && answer[2].starts_with("info depth 0 "), "{answer:?}");
    let (code, out, err) = book(&["dump", path]);
    assert!(code == Some(0) && out.contains("[GameType \"25,") && err.is_empty(), "{out}{err}");
    for (words, said) in [
        (&["info", "/no/such/file"][..], "/no/such/file"),
        (&["build", "--out", path], "PDN files, --self N, or both"),
        (&["info", "--variant", "frisian"], "none of its own for 'frisian'"),
        (&["info", path, "--variant", "turkish"], "a book of 'russian', expected one of the rules"),
    ] {
        let (code, _, err) = book(words);
        assert!(code == Some(2) && err.contains(said), "{words:?}: {err}");
    }
    assert!(lines(&["--variant", "russian", "d"]).1 == 0);
}
