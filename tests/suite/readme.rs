//! The README keeps what it promises: its commands run, its rule files are rule files.
//!
//! A block labelled `sh` is run line by line, one labelled `toml` is read as a rule file; a file that a block calls by its
//! `name` is there as `name.toml` for the commands after it. Blocks with other labels are for reading only.

use super::client::{self, beside_others};
use damka::notation::rulefile;
use damka::protocol::start::Start;
use std::fs;
use std::process::Stdio;

const DOCUMENT: &str = include_str!("../../README.md");

/// A fenced block: line of its fence, label and content.
struct Block {
    line: usize,
    label: &'static str,
    text: String,
}

fn blocks() -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in DOCUMENT.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some("")) => found.extend(open.take()),
            (Some(block), _) => block.text += &format!("{line}\n"),
            (None, Some(label)) => open = Some(Block { line: number + 1, label, text: String::new() }),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "an open block");
    found
}

/// The words of a command, as a shell cuts them; what the shell itself would do is refused.
fn words(line: &str) -> Vec<String> {
    assert!(!line.contains(['|', '>', '<', ';', '$', '*', '\'']), "more than a plain command: {line}");
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn rule_files_are_read() {
    let mut read = 0;
    for block in blocks().iter().filter(|block| block.label == "toml") {
        if let Err(error) = rulefile::read(&block.text) {
            panic!("README.md, block at line {}: {error}", block.line);
        }
        read += 1;
    }
    assert!(read >= 8, "{read}");
}

#[test]
fn commands_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let _turn = beside_others();
    let mut run = 0;
    for block in blocks() {
        if block.label == "toml" {
            let variant = rulefile::read(&block.text).expect("read by the test above");
            fs::write(folder.path().join(format!("{}.toml", variant.id)), &block.text).expect("room for a file");
        }
        for line in block.text.lines().filter(|_| block.label == "sh") {
            let words = words(line.split(" # ").next().unwrap_or_default());
            let [program, rest @ ..] = words.as_slice() else { continue };
            assert!(program == "damka", "README.md, block at line {}: {line}", block.line);
            let output = client::program().args(rest).current_dir(folder.path()).stdin(Stdio::null()).output();
            let output = output.expect("the program starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "README.md, line {line}: {}: {said}", output.status);
            run += 1;
        }
    }
    assert!(run >= 10, "{run}");
}

/// The table of house rules: what stands in a cell goes behind `damka --variant english`.
#[test]
fn single_rules_are_taken() {
    let mut taken = 0;
    for text in DOCUMENT.split('`').skip(1).step_by(2).filter(|text| text.starts_with("--rule ") && text.contains('='))
    {
        if text.contains("FIELD=VALUE") {
            continue;
        }
        let rule = text.split(' ').filter(|word| *word != "--rule").map(str::to_string).collect();
        let start = Start {
            variant: Some("english".to_string()),
            rules: None,
            rule,
            hash_mb: None,
            threads: None,
            tune: false,
        };
        if let Err(refused) = start.choices() {
            panic!("README.md, `{text}`: {refused}");
        }
        taken += 1;
    }
    assert!(taken >= 31, "{taken}");
}
