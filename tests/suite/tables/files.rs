//! Tables on the command line, and files that came to harm: a clear message, nothing lost.

use super::{make, variant};
use crate::client::{Client, beside_others, program};
use damka::endgame::Folder;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs `damka --variant english tables WORDS --dir ROOT`.
fn tables(words: &[&str], root: &Path) -> Output {
    let _turn = beside_others();
    let mut command = program();
    command.args(["--variant", "english", "tables"]).args(words).arg("--dir").arg(root);
    command.stdin(Stdio::null()).output().expect("the program runs")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn object(output: &Output) -> Value {
    assert!(output.status.success(), "{}", err(output));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", out(output)))
}

/// A folder with the English tables of two and three pieces, and where one of them lies.
fn three() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().expect("a folder");
    let folder = make(&variant("english"), 3, root.path());
    let table = folder.table("kk-k".parse().expect("a material"));
    (root, table)
}

#[test]
fn tables_are_made_listed_and_checked() {
    let root = tempfile::tempdir().expect("a folder");
    let built = object(&tables(&["build", "--pieces", "3", "--json"], root.path()));
    let level = &built["levels"][1];
    assert_eq!((&level["positions"], &level["win"], &level["draw"]), (&196_032.into(), &100_250.into(), &8_477.into()));
    assert_eq!((&level["longest_win"], &level["tables"], &level["complete"]), (&61.into(), &12.into(), &true.into()));
    let stamp = |path: &Path| fs::metadata(path).expect("it is there").modified().expect("a time");
    let folder = Folder::new(root.path(), &variant("english").set);
    let table = folder.table("mm-k".parse().expect("a material"));
    let before = stamp(&table);
    let again = tables(&["build", "--pieces", "3"], root.path());
    assert!(again.status.success() && out(&again).starts_with("tables of 2 to 3 pieces, "), "{}", err(&again));
    assert!(out(&again).contains("3 pieces: 12 tables, 196032 positions: 100250 won, 8477 drawn, 87305 lost"));
    assert_eq!(stamp(&table), before, "what is there is kept");
    let checked = object(&tables(&["verify", "--pieces", "3", "--json"], root.path()));
    assert_eq!((&checked["errors"], &checked["wrong"]), (&0.into(), &0.into()));
    let listed = object(&tables(&["info", "--json"], root.path()));
    assert_eq!(listed["tables"].as_array().expect("a list").len(), 16);
    assert_eq!(listed["faults"], Value::Array(vec![]));
    assert!(out(&tables(&["info"], root.path())).contains("kk-k     distances, 14880 positions"));
}

#[test]
fn a_position_is_probed() {
    let (root, _) = three();
    let probed = object(&tables(&["probe", "--fen", "W:WK6,K9:BK15", "--json"], root.path()));
    assert_eq!((&probed["value"], &probed["plies"]), (&"win".into(), &27.into()));
    let best = probed["moves"].as_array().expect("a list").iter().find(|mv| mv["move"] == "9-14").expect("9-14");
    assert_eq!((&best["value"], &best["plies"]), (&"win".into(), &27.into()));
    let text = out(&tables(&["probe", "--fen", "W:WK6,K9:BK15"], root.path()));
    assert!(text.contains("9-14: win in 27 plies\n") && text.ends_with("probe win in 27 plies\n"), "{text}");
    let text = out(&tables(&["probe"], root.path()));
    assert!(text.ends_with("probe unknown\n"), "{text}");
}

#[test]
fn bad_words_are_refused() {
    for (words, said) in [
        (vec!["build", "--pieces", "7"], "option --pieces: 7 was read, expected a whole number from 2 to 6"),
        (vec!["build", "--pieces", "1"], "option --pieces: 1 was read"),
        (vec!["verify", "--pieces", "2"], "no table in"),
        (vec!["probe", "--fen", "W:W99"], "position fen"),
        (vec!["knit"], "knit"),
    ] {
        let root = tempfile::tempdir().expect("a folder");
        let refused = tables(&words, root.path());
        assert!(refused.status.code() == Some(2) && err(&refused).contains(said), "{words:?}: {}", err(&refused));
    }
}

/// Changes a file, and looks at what each job says. `harm` is made good by the next build.
fn harmed(change: impl Fn(&mut Vec<u8>), said: &str) {
    let (root, table) = three();
    let whole = fs::read(&table).expect("the table");
    let mut bytes = whole.clone();
    change(&mut bytes);
    fs::write(&table, &bytes).expect("room for it");
    let listed = object(&tables(&["info", "--json"], root.path()));
    assert!(listed["faults"].to_string().contains(said), "{listed}");
    let checked = tables(&["verify", "--pieces", "3"], root.path());
    assert!(checked.status.code() == Some(3) && err(&checked).contains(said), "{}", err(&checked));
    // The engine says so and plays on without.
    let mut client = Client::start(&["--variant", "english", "--threads", "1"]);
    client.send(&format!("setoption name TablesDir value {}", root.path().display()));
    client.send("position fen W:WK6,K9,12:BK15");
    let lines = client.ask("go depth 6", "bestmove");
    let warned = lines.iter().any(|line| line.starts_with("info string tables: ") && line.contains(said));
    assert!(warned && lines.iter().any(|line| line.contains("info string tables: 11 of 12 with 3")), "{lines:?}");
    client.quit();
    let built = tables(&["build", "--pieces", "3"], root.path());
    assert!(built.status.success() && err(&built).contains("made anew"), "{}", err(&built));
    assert_eq!(fs::read(&table).expect("the table"), whole);
}

#[test]
fn damaged_files_are_found_and_made_anew() {
    harmed(|bytes| *bytes.last_mut().expect("not empty") ^= 0x40, "does not fit its checksum");
    harmed(|bytes| bytes[40] ^= 1, "the header does not fit its checksum");
    harmed(|bytes| bytes.truncate(bytes.len() - 5), "cut off");
    harmed(|bytes| bytes.truncate(20), "cut off");
    harmed(Vec::clear, "0 bytes, expected");
    harmed(|bytes| bytes.fill(0), "the header does not fit its checksum");
}

/// `isready` reads the tables, so that the first move does not pay for it.
#[test]
#[cfg(unix)]
fn tables_are_read_before_the_first_search() {
    for asked in [true, false] {
        let (root, _) = three();
        let mut client = Client::start(&["--variant", "english", "--threads", "1"]);
        client.send(&format!("setoption name TablesDir value {}", root.path().display()));
        if asked {
            client.ask("isready", "readyok");
        } else {
            client.ask("legal", "legal");
        }
        fs::remove_dir_all(root.path()).expect("ours");
        client.send("position fen W:WK6,K9,12:BK15,K16");
        let lines = client.ask("go depth 6", "bestmove");
        let late = lines.iter().any(|line| line.contains("tables: none for these rules"));
        assert_eq!(late, !asked, "{lines:?}");
        client.quit();
    }
}

/// What is not ours is not touched.
#[test]
fn foreign_files_are_refused_and_kept() {
    let (root, table) = three();
    let russian = make(&variant("russian"), 3, root.path());
    let other = fs::read(russian.table("kk-k".parse().expect("a material"))).expect("the table");
    let swapped = fs::read(table.with_file_name("mm-k.tab")).expect("the table");
    for (bytes, said) in
        [(b"A letter to my aunt.".to_vec(), "not a table"), (other, "made for other rules"), (swapped, "holds mm-k")]
    {
        fs::write(&table, &bytes).expect("room for it");
        for job in ["build", "verify"] {
            let refused = tables(&[job, "--pieces", "3"], root.path());
            assert!(refused.status.code() == Some(2) && err(&refused).contains(said), "{job}: {}", err(&refused));
        }
        assert_eq!(fs::read(&table).expect("still there"), bytes);
    }
}

/// A disk that takes no more: nothing half-written is left, and what was there is as it was.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let _turn = beside_others();
    let root = tempfile::tempdir().expect("a folder");
    let folder = make(&variant("english"), 2, root.path());
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("a folder");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let mut program = program();
    // Files may grow to 1 KiB or 512 bytes, as the shell counts, and not a byte more.
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]).arg(program.get_program());
    shell.args(["--variant", "english", "tables", "build", "--pieces", "3", "--dir"]).arg(root.path());
    let full = shell.stdin(Stdio::null()).output().expect("a shell");
    assert!(full.status.code() == Some(75), "{full:?}");
    assert!(err(&full).contains(".tab: "), "{}", err(&full));
    assert!(names().iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "{:?}", names());
    assert!(before.iter().all(|name| names().contains(name)));
    program.args(["--variant", "english", "tables", "build", "--pieces", "3", "--dir"]).arg(root.path());
    let enough = program.stdin(Stdio::null()).output().expect("the program runs");
    assert!(enough.status.success(), "{}", err(&enough));
    assert!(tables(&["verify", "--pieces", "3"], root.path()).status.success());
}

/// While one process makes tables, another waits for it and then has nothing left to do.
#[test]
fn two_processes_do_not_disturb_each_other() {
    let _turn = beside_others();
    let root = tempfile::tempdir().expect("a folder");
    let folder = make(&variant("english"), 2, root.path());
    // As a process leaves it that was killed while it wrote.
    let stale = folder.path().join("kk-k.1.tmp");
    fs::write(&stale, b"half").expect("room for it");
    let lock = folder.lock().expect("nobody else");
    assert!(folder.lock().is_err());
    let start = || {
        let mut program = program();
        program.args(["--variant", "english", "tables", "build", "--pieces", "3", "--dir"]).arg(root.path());
        program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    };
    let waiting = [start(), start()];
    std::thread::sleep(std::time::Duration::from_millis(300));
    drop(lock);
    for child in waiting {
        let ended = child.wait_with_output().expect("it ends");
        assert!(ended.status.success(), "{}", err(&ended));
    }
    assert!(!stale.exists(), "swept away");
    assert!(tables(&["verify", "--pieces", "3"], root.path()).status.success());
}

/// A cache that cannot be written: tables in memory, a note, and a move in time.
#[cfg(target_os = "linux")]
#[test]
fn a_cache_that_cannot_be_written_does_no_harm() {
    use std::io::{BufRead, BufReader, Write};
    let _turn = beside_others();
    let mut program = program();
    program.env("XDG_CACHE_HOME", "/proc/nowhere").args(["--variant", "english", "--threads", "1"]);
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let since = std::time::Instant::now();
    let noted = (0..).any(|_| {
        writeln!(input, "position fen W:WK6,K9:BK15,4\ngo movetime 200").expect("it listens");
        let heard: Vec<String> =
            lines.by_ref().map_while(Result::ok).take_while(|l| !l.starts_with("bestmove")).collect();
        assert!(since.elapsed().as_secs() < 60, "{heard:?}");
        heard
            .iter()
            .any(|line| line.starts_with("info string tables: /proc/nowhere") && line.contains("in memory only"))
    });
    assert!(noted);
    writeln!(input, "quit").expect("it listens");
    assert!(child.wait().expect("it ends").success());
}
