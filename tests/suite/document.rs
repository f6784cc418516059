//! protocol.md cannot rot: its transcripts are played against the program, and its tables are those of the code.

use super::client::{Client, run};
use damka::game::Variant;
use damka::protocol::command::COMMANDS;
use damka::protocol::hub::{self, params};
use damka::protocol::options::{Choices, Kind, ROWS};

const DOCUMENT: &str = include_str!("../../protocol.md");

/// Whether a line is as written; `…` stands for any text.
pub fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn wildcards_match_what_they_should() {
    assert!(matches("a … c", "a b c") && matches("…", "") && matches("nodes … nps …", "nodes 1 time 2 nps 3"));
    assert!(!matches("a … c", "a b d") && !matches("a", "ab") && !matches("a…b…c", "a c b"));
}

/// The fenced blocks with that label, each with the number of its first line.
pub fn blocks(label: &str) -> Vec<(usize, Vec<&'static str>)> {
    let fence = format!("```{label}");
    let mut found = Vec::new();
    let mut open: Option<(usize, Vec<&str>)> = None;
    for (number, line) in DOCUMENT.lines().enumerate() {
        match &mut open {
            Some(_) if line == "```" => found.extend(open.take()),
            Some((_, lines)) => lines.push(line),
            None if line == fence => open = Some((number + 2, Vec::new())),
            None => {}
        }
    }
    assert!(open.is_none(), "an open block");
    found
}

/// Plays one conversation: `$ damka …` starts the program, `> ` is sent, `< ` is expected; `< …` alone is any lines.
fn converse(at: usize, lines: &[&str]) {
    let words = lines[0].strip_prefix("$ damka").unwrap_or_else(|| panic!("line {at}: expected $ damka"));
    let mut client = Client::start(&split(words).iter().map(String::as_str).collect::<Vec<_>>());
    let mut any = false;
    for (number, line) in lines.iter().enumerate().skip(1) {
        let at = at + number;
        if let Some(input) = line.strip_prefix("> ") {
            client.send(input);
        } else if *line == "< …" {
            any = true;
        } else {
            let pattern = line.strip_prefix("< ").unwrap_or_else(|| panic!("line {at}: expected '> ' or '< '"));
            let mut answer = client.line();
            while any && !matches(pattern, &answer) {
                answer = client.line();
            }
            assert!(matches(pattern, &answer), "protocol.md, line {at}: expected {pattern:?}, got {answer:?}");
            any = false;
        }
    }
    client.send("quit");
    let (status, rest, _) = client.end();
    assert!(status.success() && rest.is_empty(), "protocol.md, behind line {at}: also {rest:?}");
}

/// Plays one call from the shell: every line printed, then `(exit code N)` when it is not 0.
fn call(at: usize, lines: &[&str]) {
    let words = lines[0].strip_prefix("$ damka").unwrap_or_else(|| panic!("line {at}: expected $ damka"));
    let output = run(&split(words).iter().map(String::as_str).collect::<Vec<_>>());
    let text = String::from_utf8(output.stdout).expect("output is UTF-8") + &String::from_utf8_lossy(&output.stderr);
    let mut got: Vec<String> = text.lines().map(str::to_string).collect();
    if output.status.code() != Some(0) {
        got.push(format!("(exit code {})", output.status.code().expect("an exit code")));
    }
    let mut got = got.iter();
    let mut any = false;
    for (number, pattern) in lines.iter().enumerate().skip(1) {
        if *pattern == "…" {
            any = true;
            continue;
        }
        let found = if any { got.by_ref().find(|line| matches(pattern, line)) } else { got.next() };
        let right = found.is_some_and(|line| matches(pattern, line));
        assert!(right, "protocol.md, line {}: expected {pattern:?}, got {found:?}", at + number);
        any = false;
    }
    assert!(any || got.next().is_none(), "protocol.md, block at line {at}: more is printed");
}

/// Cuts a command line into words, as a shell does with double quotes.
pub fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut some) = (false, false);
    for c in text.chars() {
        match c {
            '"' => (quoted, some) = (!quoted, true),
            ' ' if !quoted => {
                if some {
                    words.push(std::mem::take(&mut word));
                }
                some = false;
            }
            c => {
                word.push(c);
                some = true;
            }
        }
    }
    if some {
        words.push(word);
    }
    words
}

#[test]
fn every_transcript_plays() {
    let transcripts = blocks("transcript");
    assert!(transcripts.len() >= 8, "{}", transcripts.len());
    transcripts.iter().for_each(|(at, lines)| converse(*at, lines));
}

#[test]
fn every_call_prints_what_is_written() {
    let calls = blocks("call");
    assert!(calls.len() >= 6, "{}", calls.len());
    calls.iter().for_each(|(at, lines)| call(*at, lines));
}

#[test]
fn the_table_of_options_is_that_of_the_code() {
    let defaults = Choices::new(Variant::find("international").expect("built in"));
    let expected: Vec<String> = ROWS
        .iter()
        .map(|row| {
            let kind = match (&row.kind, row.name) {
                (Kind::Spin { min, max, .. }, "Threads") => format!("spin, default one a core, {min} to {max}"),
                (Kind::Spin { min, max, get, .. }, _) => format!("spin, default {}, {min} to {max}", get(&defaults)),
                (Kind::Check { get, .. }, _) => format!("check, default {}", get(&defaults)),
                (Kind::Combo { get, .. }, "UCI_Variant") => {
                    format!("combo, default {}, one of `variants`", get(&defaults))
                }
                (Kind::Combo { get, values, .. }, _) => {
                    format!("combo, default {}, one of {}", get(&defaults), values().join(", "))
                }
                (Kind::Text { .. }, _) => "string, default `<empty>`".to_string(),
                (Kind::Button, _) => "button".to_string(),
            };
            format!("| `{}` | {kind} | {} |", row.name, row.help)
        })
        .collect();
    let written: Vec<&str> = DOCUMENT
        .lines()
        .skip_while(|line| !line.starts_with("| option |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(written, expected, "\n{}\n", expected.join("\n"));
}

#[test]
fn the_table_of_parameters_is_that_of_the_code() {
    let expected: Vec<String> =
        params::rows().map(|row| format!("| `{}` | `{}` |", params::name(row), row.name)).collect();
    let mut written = DOCUMENT
        .lines()
        .skip_while(|line| !line.starts_with("| parameter |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    assert_eq!(written.by_ref().take(expected.len()).collect::<Vec<_>>(), expected);
    let own: Vec<&str> = written.collect();
    let defaults = Choices::new(Variant::find("international").expect("built in"));
    assert_eq!(params::listing(&defaults).len(), expected.len() + own.len());
    assert!(own.iter().all(|line| line.contains("| only here: ")), "{own:?}");
}

#[test]
fn every_command_of_hub_has_its_place() {
    for word in hub::command::WORDS {
        assert!(DOCUMENT.contains(&format!("\n| `{word}")), "{word}");
    }
}

#[test]
fn every_command_has_its_place() {
    for row in &COMMANDS {
        assert!(DOCUMENT.contains(&format!("### `{}`", row.usage)), "{}", row.usage);
    }
    let ids: Vec<String> = Variant::all().iter().map(|variant| format!("`{}`", variant.id)).collect();
    let missing: Vec<&String> = ids.iter().filter(|id| !DOCUMENT.contains(id.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
