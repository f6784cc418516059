//! The Hub protocol, against the program itself. The names in brackets are those of recorded cases.

mod lines;
mod searching;

use super::client::Client;
use std::time::Duration;

const MS: fn(u64) -> Duration = Duration::from_millis;
const START: &str = "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// One search thread, ready to be spoken to.
fn hub(words: &[&str]) -> Client {
    let mut client = Client::start(&[words, &["--threads", "1", "--hash", "8", "hub"]].concat());
    client.ask("hub", "wait");
    client.ask("init", "ready");
    client
}

/// What a line brings about before the answer to `ping`.
fn effect(client: &mut Client, line: &str) -> Vec<String> {
    client.send(line);
    let mut lines = client.ask("ping", "pong");
    lines.pop();
    lines
}

fn refusal(client: &mut Client, line: &str) -> String {
    let lines = effect(client, line);
    assert_eq!(lines.len(), 1, "{line:?} is answered by {lines:?}");
    let message = lines[0].strip_prefix("error message=\"").and_then(|rest| rest.strip_suffix('"'));
    let message = message.unwrap_or_else(|| panic!("{line:?} is answered by {lines:?}"));
    assert!(!message.contains('"'), "{message}");
    message.to_string()
}

fn quietly(client: &mut Client, lines: &[&str]) {
    for line in lines {
        assert_eq!(effect(client, line), [""; 0], "{line}");
    }
}

fn dones(lines: &[String]) -> usize {
    lines.iter().filter(|line| *line == "done" || line.starts_with("done ")).count()
}

/// The value of an argument.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = &line[line.find(&format!(" {name}="))? + name.len() + 2..];
    Some(match rest.strip_prefix('"') {
        Some(quoted) => &quoted[..quoted.find('"').expect("a closing quote")],
        None => rest.split(' ').next().unwrap_or_default(),
    })
}

/// Whether an info line is one that the analysis of lidraughts takes: these fields, in this order, nothing else.
fn full(line: &str) -> bool {
    let names = ["depth", "mean-depth", "score", "nodes", "time", "nps"];
    let Some((fields, pv)) = line.strip_prefix("info ").and_then(|rest| rest.split_once(" pv=\"")) else {
        return false;
    };
    let fields: Vec<(&str, &str)> = fields.split(' ').filter_map(|field| field.split_once('=')).collect();
    let numbers = fields.iter().all(|(name, value)| {
        if matches!(*name, "depth" | "nodes") { value.parse::<u64>().is_ok() } else { value.parse::<f64>().is_ok() }
    });
    let signs = |c: char| c.is_ascii_digit() || matches!(c, '-' | 'x' | ' ');
    fields.iter().map(|(name, _)| *name).eq(names)
        && numbers
        && pv.strip_suffix('"').is_some_and(|pv| pv.chars().all(signs))
}

/// Searches; checks what every answer must have, and returns all lines.
fn search(client: &mut Client, lines: &[&str]) -> Vec<String> {
    let (last, before) = lines.split_last().expect("a line");
    quietly(client, before);
    let lines = client.ask(last, "done");
    let infos: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("info ") && value(line, "multipv").is_none()).collect();
    assert!(!infos.is_empty() && infos.iter().all(|line| full(line)), "{lines:#?}");
    lines
}

fn best(lines: &[String]) -> &str {
    lines
        .last()
        .and_then(|line| line.strip_prefix("done move="))
        .expect("a best move")
        .split(' ')
        .next()
        .expect("a move")
}

/// A position with pieces on these squares.
fn position(side: char, squares: usize, pieces: &[(usize, char)]) -> String {
    let mut letters = vec!['e'; squares];
    pieces.iter().for_each(|&(square, letter)| letters[square - 1] = letter);
    format!("pos pos={side}{}", letters.into_iter().collect::<String>())
}
