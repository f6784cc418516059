//! Jobs in parts, and the parts put together: the whole is what one run makes, and what does not belong is refused.

use super::client::{beside_others, program};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn damka(folder: &Path, words: &str) -> Output {
    let _turn = beside_others();
    let words = words.split_whitespace();
    program().args(words).current_dir(folder).stdin(Stdio::null()).output().expect("the program runs")
}

fn done(folder: &Path, words: &str) -> String {
    let output = damka(folder, words);
    assert!(output.status.success(), "{words}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The exit code, and what was said on stderr.
fn refused(folder: &Path, words: &str) -> (i32, String) {
    let output = damka(folder, words);
    (output.status.code().expect("an exit code"), String::from_utf8_lossy(&output.stderr).into_owned())
}

const GAMES: &str = "[White \"Anna\"]\n[Result \"*\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *\n\n\
    1. 33-29 18-22 *\n\n[GameType \"25\"]\n\n1. c3-b4 b6-a5 *\n\n[Black \"Ben\"]\n\n1. c3-d4 *\n\n[GameType \"20\"]\n\n1. 31-26 *\n";

/// Parts of an analysis, three of five games.
fn analysed(folder: &Path) {
    fs::write(folder.join("games.pdn"), GAMES).expect("room");
    for part in 1..=3 {
        done(folder, &format!("analyse games.pdn --nodes 300 --json {part}.nd --pdn {part}.pdn --shard {part}/3"));
    }
}

#[test]
fn an_analysis_in_parts_is_that_of_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    analysed(here);
    done(here, "analyse games.pdn --nodes 300 --json whole.nd --pdn whole.pdn");
    for kind in ["nd", "pdn"] {
        done(here, &format!("merge 2.{kind} 3.{kind} 1.{kind} --out merged.{kind}"));
        let read = |name: &str| fs::read_to_string(here.join(format!("{name}.{kind}"))).expect("a file");
        assert_eq!(read("merged"), read("whole"));
    }
    // What is done is not done again, and not taken for another part.
    done(here, "analyse games.pdn --nodes 300 --json 1.nd --pdn 1.pdn --shard 1/3");
    let (code, said) = refused(here, "analyse games.pdn --nodes 300 --json 1.nd --pdn 1.pdn --shard 2/3");
    assert!(code == 2 && said.contains("number is 1"), "{code} {said}");
    let (code, said) = refused(here, "analyse games.pdn --nodes 300 --json - --shard 2/3");
    assert!(code == 2 && said.contains("--shard"), "{code} {said}");
}

#[test]
fn parts_that_do_not_belong_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    analysed(here);
    let says = |words: &str, part: &str| {
        let (code, said) = refused(here, &format!("merge {words} --out merged.nd"));
        assert!(code == 3 && said.contains(part), "{words}: {code} {said}");
        assert!(!here.join("merged.nd").exists());
    };
    says("1.nd 3.nd", "missing of 3 parts: 2");
    says("1.nd 2.nd 3.nd 4.nd", "4.nd: missing");
    fs::copy(here.join("2.nd"), here.join("two.nd")).expect("room");
    says("1.nd two.nd 3.nd", "no manifest two.nd.shard");
    fs::copy(here.join("2.nd.shard"), here.join("two.nd.shard")).expect("room");
    says("1.nd 2.nd two.nd 3.nd", "two.nd: part 2 again, which is 2.nd too");
    says("1.nd 2.nd 3.pdn", "kind is \"analyse pdn\", not \"analyse json\"");
    done(here, "analyse games.pdn --nodes 301 --json other.nd --shard 2/3");
    says("1.nd other.nd 3.nd", "nodes is 301, not 300");
    let mut bytes = fs::read(here.join("2.nd")).expect("a file");
    bytes[20] ^= 1;
    fs::write(here.join("2.nd"), &bytes).expect("room");
    says("1.nd 2.nd 3.nd --discard", "damaged");
    assert!(here.join("2.nd.bad").exists() && here.join("2.nd.shard.bad").exists() && here.join("1.nd").exists());
    done(here, "analyse games.pdn --nodes 300 --json 2.nd --shard 2/3");
    done(here, "merge 1.nd 2.nd 3.nd --out merged.nd");
}

#[test]
fn games_to_learn_from_in_parts_are_those_of_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let play = |more: &str| format!("--variant english selfplay --games 80 --nodes 20 --net hand-made {more}");
    done(here, &play("--out whole.rec"));
    for part in 1..=2 {
        done(here, &play(&format!("--out {part}.rec --shard {part}/2")));
    }
    done(here, &play("--out again.rec --shard 2/2"));
    let summary = "merge 1.rec 2.rec --audit again.rec --out merged.rec --json merged.json";
    assert!(done(here, summary).contains("2 parts"));
    assert!(fs::read(here.join("merged.rec")).expect("a file") == fs::read(here.join("whole.rec")).expect("a file"));
    assert!(fs::read_to_string(here.join("merged.json")).expect("a file").contains("\"sha256\""));
    // A machine that plays otherwise is found out, though its file is whole.
    done(here, "--variant english selfplay --games 80 --nodes 21 --net hand-made --out other.rec --shard 2/2");
    let text =
        fs::read_to_string(here.join("other.rec.shard")).expect("a file").replace("\"nodes\": 21", "\"nodes\": 20");
    fs::write(here.join("other.rec.shard"), text).expect("room");
    let (code, said) = refused(here, "merge 1.rec 2.rec --audit other.rec --out merged.rec");
    assert!(code == 3 && said.contains("is not equal to 2.rec"), "{code} {said}");
}

#[test]
fn a_match_in_parts_counts_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let engine = |name: &str, more: &str| {
        format!("--engine name={name},cmd={},option.Threads=1,option.Hash=1{more}", program().get_program().display())
    };
    let engines = format!("{} {}", engine("a", ""), engine("b", ",option.EvalFile=hand-made"));
    let play = |more: &str| {
        format!("--variant english match {engines} --tc nodes=60 --openings generated:1 --rounds 5 {more}")
    };
    done(here, &play("--json whole.json --resume whole.jsonl"));
    for part in 1..=2 {
        done(here, &play(&format!("--resume {part}.jsonl --shard {part}/2")));
    }
    done(
        here,
        "merge 1.jsonl 2.jsonl --out merged.jsonl --json merged.json --sprt elo0=-400,elo1=400 --pdn merged.pdn",
    );
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(here.join(name)).expect("a file")).expect("JSON")
    };
    let (merged, whole) = (read("merged.json"), read("whole.json"));
    if merged["decided"] == false {
        assert_eq!(merged["pairings"][0]["pentanomial"], whole["pairings"][0]["pentanomial"]);
    }
    // The journal is that of the whole match.
    done(here, "merge 1.jsonl 2.jsonl --out all.jsonl --json all.json");
    assert_eq!(read("all.json")["pairings"][0]["pentanomial"], whole["pairings"][0]["pentanomial"]);
    assert!(done(here, &play("--resume all.jsonl")).contains("10 of 10 games, complete"));
    let (code, said) = refused(here, "merge 2.jsonl --so-far --out some.jsonl");
    assert!(code == 3 && said.contains("missing of 2 parts: 1"), "{code} {said}");
    assert_eq!(
        (&read("all.json")["status"], &read("all.json")["workers"][0]["deviates"]),
        (&"complete".into(), &false.into())
    );
}

#[test]
fn tables_slice_by_slice_are_those_of_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let listed = done(here, "--variant english tables slices --pieces 3");
    assert!(listed.contains("\nkm-k     kk-k k-k m-k\n"), "{listed}");
    done(here, "--variant english tables build --pieces 3 --dir whole");
    for slice in listed.lines().filter_map(|line| line.split_whitespace().next()) {
        done(here, &format!("--variant english tables build --slice {slice} --dir sliced"));
        done(here, &format!("--variant english tables verify --slice {slice} --dir sliced"));
    }
    let files = |root: &str| -> Vec<(String, Vec<u8>)> {
        let rules = fs::read_dir(here.join(root)).expect("a folder").next().expect("one").expect("read").path();
        let entries = fs::read_dir(rules).expect("a folder").map(|entry| entry.expect("read").path());
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut files: Vec<_> = entries.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect();
        files.sort();
        files
    };
    assert!(files("sliced") == files("whole") && files("whole").len() > 12);
    // A slice alone makes what it needs.
    done(here, "--variant english tables build --slice km-k --dir alone");
    assert!(files("alone").iter().all(|file| files("whole").contains(file)));
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_a_reason_to_try_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    fs::write(here.join("games.pdn"), GAMES.repeat(4)).expect("room");
    let damka = program();
    for (words, part) in [
        ("analyse games.pdn --nodes 100 --json a.nd --shard 1/2", "a.nd"),
        ("--variant english selfplay --games 64 --nodes 10 --out a.rec --shard 1/2", "a.rec"),
    ] {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]).arg(damka.get_program());
        shell.args(words.split(' ')).current_dir(here).stdin(Stdio::null());
        let full = shell.output().expect("a shell");
        assert_eq!(full.status.code(), Some(75), "{words}: {}", String::from_utf8_lossy(&full.stderr));
        assert!(!here.join(part).exists() && !here.join(format!("{part}.shard")).exists());
        done(here, words);
    }
    done(here, "analyse games.pdn --nodes 100 --json b.nd --shard 1/2");
    assert!(fs::read(here.join("a.nd")).expect("a file") == fs::read(here.join("b.nd")).expect("a file"));
}
