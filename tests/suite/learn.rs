//! Learning from end to end: games, a network out of them, and the engine that plays by it.

use super::client::{Client, PROGRAM, beside_others};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the program in a folder; gives what it printed.
fn run(folder: &Path, words: &str) -> Result<String, String> {
    let words: Vec<&str> = words.split(' ').collect();
    let output = Command::new(PROGRAM).args(&words).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

fn done(folder: &Path, words: &str) -> String {
    run(folder, words).unwrap_or_else(|error| panic!("{words}: {error}"))
}

const PLAY: &str = "--variant english selfplay --nodes 60 --seed 3 --net hand-made";

#[test]
fn games_become_a_network_that_the_engine_plays_by() {
    let _turn = beside_others();
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (at, file) = (folder.path(), |name: &str| std::fs::read(folder.path().join(name)).expect("a file"));
    done(at, &format!("--threads 1 {PLAY} --games 48 --out one.rec"));
    done(at, &format!("--threads 3 {PLAY} --games 48 --out three.rec"));
    assert_eq!(file("one.rec"), file("three.rec"), "the same games on one thread and on three");

    // What was broken off in the middle of a block goes on to the same end.
    std::fs::write(at.join("torn.rec"), &file("one.rec")[..file("one.rec").len() / 2]).expect("written");
    done(at, &format!("--threads 2 {PLAY} --games 48 --out torn.rec"));
    assert_eq!(file("one.rec"), file("torn.rec"));
    let error =
        run(at, &format!("{PLAY} --games 48 --out one.rec").replace("--seed 3", "--seed 4")).expect_err("mixed");
    assert!(error.contains("seed: 3"), "{error}");

    let train = "--variant english train --data one.rec --hidden 32 --epochs 3 --batch 512";
    let said = done(at, &format!("--threads 1 {train} --out one.net"));
    assert!(said.contains("held out"), "{said}");
    done(at, &format!("--threads 2 {train} --out two.net"));
    assert_eq!(file("one.net"), file("two.net"), "the same network on one thread and on two");
    let error = run(at, &format!("{train} --out x.net").replace("english", "russian")).expect_err("other rules");
    assert!(error.contains("other rules"), "{error}");

    // Games of one network are no part of the games of another.
    done(at, &format!("{train} --seed 2 --out other.net"));
    let by = |net: &str| format!("--variant english selfplay --nodes 20 --games 16 --net {net} --out by.rec");
    done(at, &by("one.net"));
    let error = run(at, &by("other.net")).expect_err("another player");
    assert!(error.contains("net: "), "{error}");

    let net = at.join("one.net").display().to_string();
    let mut client = Client::start(&["--variant", "english", "--threads", "1"]);
    let built_in = client.effect("eval");
    assert_eq!(client.effect(&format!("setoption name EvalFile value {net}")), [""; 0]);
    let learned = client.effect("eval");
    assert!(learned[0].starts_with("eval network") && built_in != learned, "{learned:?}");
    let best = client.best("go nodes 2000");
    client.send("ucinewgame");
    assert_eq!(client.best("go nodes 2000"), best);
    let told = client.effect("setoption name UCI_Variant value russian");
    assert_eq!(told, ["info string the network of EvalFile is for other rules and not used for these"]);
    assert_eq!(client.effect("setoption name UCI_Variant value pool").len(), 0, "told once");
    assert_eq!(client.effect("setoption name UCI_Variant value english").len(), 0);
    assert_eq!(client.effect("eval"), learned);
    client.quit();
}

/// Tables make other games, the same on any number of threads, and what was played with them is not mixed with what was not.
/// (When they end one is tested beside the code.)
#[test]
fn games_with_tables_are_games_of_their_own() {
    let _turn = beside_others();
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (at, file) = (folder.path(), |name: &str| std::fs::read(folder.path().join(name)).expect("a file"));
    let error = run(at, &format!("{PLAY} --games 16 --out x.rec --tables .")).expect_err("no tables");
    assert!(error.contains("no table was read"), "{error}");
    assert!(!at.join("x.rec").exists());
    done(at, "--variant english tables build --pieces 3 --dir tables");
    done(at, &format!("--threads 1 {PLAY} --games 32 --out plain.rec"));
    done(at, &format!("--threads 1 {PLAY} --games 32 --out one.rec --tables tables"));
    done(at, &format!("--threads 3 {PLAY} --games 32 --out three.rec --tables tables"));
    assert_eq!(file("one.rec"), file("three.rec"), "the same games on one thread and on three");
    assert_ne!(file("one.rec"), file("plain.rec"));
    let told = String::from_utf8(file("one.rec.json")).expect("text");
    assert!(told.contains("\"tables\": 3"), "{told}");
    // Games with tables are no part of games without.
    let error = run(at, &format!("{PLAY} --games 48 --out plain.rec --tables tables")).expect_err("mixed");
    assert!(error.contains("tables: 0"), "{error}");
}

/// A network that cannot be used is refused with the reason, and the one before stays.
#[test]
fn bad_networks_are_refused() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("bad.net");
    std::fs::write(&path, b"DAMKANET\x01\x00 and no more").expect("written");
    let mut client = Client::start(&["--variant", "english", "--threads", "1"]);
    let before = client.effect("eval");
    for (value, reason) in [
        (path.display().to_string(), "expected 32, 64, 128 or 256"),
        (folder.path().display().to_string(), "not a plain file"),
        ("/no/such/file.net".to_string(), "No such file"),
    ] {
        let error = client.refusal(&format!("setoption name EvalFile value {value}"));
        assert!(error.contains("EvalFile") && error.contains(reason), "{error}");
        assert_eq!(client.effect("eval"), before);
    }
    assert_eq!(client.effect("setoption name EvalFile value hand-made"), [""; 0]);
    assert_eq!(client.effect("setoption name EvalFile value <empty>"), [""; 0]);
    client.quit();
}
