//! `damka analyse` as a program: its outputs, a kill in the middle and the way back, exit codes.

use super::client::{PROGRAM, beside_others};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const GAME: &str = "[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"0-2\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 \
    5. 35-30 20-25 6. 31-27 15-20 7. 33-29 20-24 8. 29x20 25x14 9. 32-28 23x21 10. 34-29 18-23 0-2\n\n";

fn analyse(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("analyse").args(words).current_dir(folder).stdin(Stdio::null());
    command
}

fn done(output: Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.is_empty(), "{}: {said}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn lines_go_to_standard_output() {
    let _turn = beside_others();
    let mut command = Command::new(PROGRAM);
    command
        .args(["analyse", "-", "--nodes", "1000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(GAME.as_bytes()).expect("it reads");
    let text = done(child.wait_with_output().expect("it ends"));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 22);
    assert_eq!((&lines[0]["variant"], &lines[17]["mark"]), (&"international".into(), &"blunder".into()));
    assert_eq!((&lines[21]["type"], &lines[21]["white"]["blunders"]), (&"summary".into(), &1.into()));
}

#[test]
#[cfg(unix)]
fn killed_or_interrupted_it_goes_on_as_if_nothing_had_been() {
    let _turn = beside_others();
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::write(here.join("games.pdn"), GAME.repeat(40)).expect("room");
    let words = |name: &str| -> Vec<String> {
        let out = |ending: &str| [format!("--{ending}"), format!("{name}.{ending}")];
        let limits = ["games.pdn", "--nodes", "1500", "--resume"].map(str::to_string).to_vec();
        [limits, out("json").to_vec(), out("pdn").to_vec(), out("html").to_vec()].concat()
    };
    let start = |name: &str| {
        let words = words(name);
        analyse(here, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    done(start("whole").output().expect("it runs"));
    let games = || std::fs::read_to_string(here.join("cut.json.progress")).map_or(0, |text| text.lines().count());
    let mut codes = Vec::new();
    for (signal, until) in [("KILL", 6), ("INT", 14)] {
        let mut child = start("cut").stderr(Stdio::piped()).spawn().expect("it starts");
        let since = Instant::now();
        while games() < until && since.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(2));
        }
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
        assert!(sent.expect("kill is there").success());
        codes.push(child.wait().expect("it ends").code());
        assert!(here.join("cut.json.progress").exists(), "it was to be stopped in the middle");
    }
    assert_eq!(codes, [None, Some(130)]);
    // Without the word it is not overwritten.
    let fresh: Vec<String> = words("cut").into_iter().filter(|word| word != "--resume").collect();
    let refused = analyse(here, &fresh.iter().map(String::as_str).collect::<Vec<_>>()).output().expect("it runs");
    assert!(refused.status.code() == Some(2) && String::from_utf8_lossy(&refused.stderr).contains("expected --resume"));
    done(start("cut").output().expect("it runs"));
    for ending in ["json", "pdn", "html"] {
        let read = |name: &str| std::fs::read_to_string(here.join(format!("{name}.{ending}"))).expect("a file");
        assert!(read("cut") == read("whole"), "{ending} differs");
    }
    assert!(!here.join("cut.json.progress").exists());
}

#[test]
fn bad_words_have_exit_code_two() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("games.pdn"), GAME).expect("room");
    for (words, said) in [
        (&["none.pdn"][..], "none.pdn: "),
        (&["games.pdn", "--games", "x"], "--games: read 'x', expected a number from 1"),
        (&["games.pdn", "--json", "games.pdn"], "another file than the one to analyse"),
        (&["games.pdn", "--resume"], "an output that is a file"),
        (&["games.pdn", "--nodes", "0"], "0 is not in 1.."),
        (&["games.pdn", "--variant", "chess"], "unknown rule set 'chess'"),
        (&[], "FILE"),
    ] {
        let output = analyse(folder.path(), words).output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && err.contains(said), "{words:?}: {err}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("games.pdn")).expect("untouched"), GAME);
}
