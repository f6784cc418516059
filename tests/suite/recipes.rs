//! The recipes of the README are run as they stand, each in a folder with the files that they speak of.
//!
//! A block labelled `bash recipe` or `python recipe` is run; the block labelled `text` behind it is what it prints, `…` standing for
//! any text and a line of `…` for any lines. Both may be indented, as in a list.

use super::client::{PROGRAM, beside_others};
use super::data;
use super::document::matches;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const DOCUMENT: &str = include_str!("../../README.md");

/// A recipe: line of its fence, the program that runs it, its text and what it prints.
#[derive(Default)]
struct Recipe {
    line: usize,
    runner: &'static str,
    text: String,
    printed: Vec<String>,
}

fn recipes() -> Vec<Recipe> {
    let mut found: Vec<Recipe> = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    for (number, line) in DOCUMENT.lines().enumerate() {
        let inner = line.trim_start();
        match (open, inner.strip_prefix("```")) {
            (Some(_), Some("")) => open = None,
            (Some((label, indent)), _) => {
                let text = line.get(indent..).unwrap_or_default();
                match (label, found.last_mut()) {
                    ("text", Some(recipe)) => recipe.printed.push(text.to_string()),
                    (_, Some(recipe)) => recipe.text += &format!("{text}\n"),
                    (_, None) => {}
                }
            }
            (None, Some(label)) => {
                let runner = label.strip_suffix(" recipe");
                let follows = label == "text" && found.last().is_some_and(|recipe| recipe.printed.is_empty());
                if let Some(runner) = runner {
                    found.push(Recipe { line: number + 1, runner, ..Recipe::default() });
                }
                let indent = line.len() - inner.len();
                open = (runner.is_some() || follows).then_some((if follows { "text" } else { "recipe" }, indent));
                if open.is_none() {
                    // Some other block: up to its end nothing is ours.
                    open = Some(("other", indent));
                    found.push(Recipe::default());
                }
            }
            (None, None) => {}
        }
    }
    found.retain(|recipe| !recipe.runner.is_empty());
    found
}

/// Whether lines are as written.
fn fits(patterns: &[String], lines: &[&str]) -> bool {
    match (patterns.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first == "…" => {
            fits(rest, lines) || lines.split_first().is_some_and(|(_, behind)| fits(patterns, behind))
        }
        (Some((first, rest)), Some((line, behind))) => matches(first, line) && fits(rest, behind),
        _ => false,
    }
}

fn run(recipe: &Recipe, folder: &Path) {
    for file in ["games.pdn", "old.pdn", "positions.txt"] {
        fs::copy(data::path("recipes").join(file), folder.join(file)).expect("room for a file");
    }
    let programs = Path::new(PROGRAM).parent().expect("a folder of programs").display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let (runner, words): (&str, &[&str]) = match recipe.runner {
        "bash" => ("bash", &["-euo", "pipefail", "-c"]),
        _ => ("python3", &["-c"]),
    };
    let output = Command::new(runner)
        .args(words)
        .arg(&recipe.text)
        .current_dir(folder)
        .env("PATH", path)
        .env("PYTHONUTF8", "1")
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{runner}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let place = format!("README.md, recipe at line {}", recipe.line);
    assert!(output.status.success() && err.is_empty(), "{place}: {}: {err}{out}", output.status);
    let lines: Vec<&str> = out.lines().collect();
    assert!(fits(&recipe.printed, &lines), "{place}: expected {:#?}, got {lines:#?}", recipe.printed);
}

#[test]
fn recipes_print_what_they_promise() {
    let _turn = beside_others();
    let recipes = recipes();
    assert!(recipes.len() >= 10, "{}", recipes.len());
    assert!(["bash", "python"].iter().all(|runner| recipes.iter().any(|recipe| recipe.runner == *runner)));
    for recipe in recipes {
        assert!(!recipe.text.is_empty() && !recipe.printed.is_empty(), "README.md, line {}", recipe.line);
        let folder = tempfile::tempdir().expect("a folder");
        run(&recipe, folder.path());
    }
}

#[test]
fn lines_of_dots_stand_for_any_lines() {
    let patterns = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    assert!(fits(&patterns("a\n…\nd"), &["a", "b", "c", "d"]) && fits(&patterns("…"), &[]));
    assert!(!fits(&patterns("a\n…\nd"), &["a", "b"]) && !fits(&patterns("a"), &["a", "b"]));
}
