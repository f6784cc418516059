//! `damka match` with the program itself as both engines.

use crate::client::{PROGRAM, beside_others, program};

fn engine(name: &str, more: &str) -> String {
    format!("name={name},cmd={PROGRAM},option.Threads=1,option.Hash=4{more}")
}

#[test]
fn the_program_plays_a_match_against_itself() {
    let _turn = beside_others();
    let directory = tempfile::tempdir().unwrap();
    let json = directory.path().join("result.json");
    for rules in [["--variant", "turkish"], ["--rule", "captures=optional"]] {
        let output = program()
            .args(rules)
            .args(["match", "--tc", "nodes=300", "--games", "4", "--concurrency", "2", "--openings", "generated:1"])
            .args(["--engine", &engine("A", ""), "--engine", &engine("B", ",tc=depth=2"), "--max-plies", "100"])
            .arg("--json")
            .arg(&json)
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && err.is_empty(), "{out}{err}");
        assert!(out.contains("4 of 4 games, complete"), "{out}");
        let result: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        assert_eq!((&result["games"], result["failures"].as_array().unwrap().len()), (&4.into(), 0), "{result}");
        assert!(result["ranking"][0]["mean_depth"].as_f64().unwrap() >= 1.0);
    }
}

#[test]
fn a_bad_match_is_refused_with_exit_code_2() {
    for (words, said) in [
        (vec!["--engine", "cmd=a"], "at least two engines"),
        (vec!["--engine", "cmd=/no/such", "--engine", "name=B,cmd=/no/such"], "cannot be run"),
        (vec!["--engine", "cmd=a", "--engine", "cmd=b", "--tc", "soon"], "movetime=MS"),
        (vec![], "--engine"),
    ] {
        let output = program().arg("match").args(&words).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && err.contains(said), "{words:?}: {err}");
    }
}
