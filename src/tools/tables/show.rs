//! Tables and checks, written for people and as JSON.

use crate::endgame::{Header, MAX_PIECES, Material, Report, Totals};
use crate::game::variant::Variant;
use crate::notation::fen;
use serde_json::{Value, json};
use std::path::Path;

/// The sums of each number of pieces, one a line.
pub fn levels(variant: &Variant, folder: &Path, headers: &[Header]) -> String {
    let mut text = format!("{} in {}\n", variant.id, folder.display());
    for pieces in 2..=MAX_PIECES {
        let level: Vec<&Header> = headers.iter().filter(|header| header.material.pieces() == pieces).collect();
        if level.is_empty() {
            continue;
        }
        let mut sum = Totals::default();
        level.iter().for_each(|header| sum.add(&header.totals));
        let bytes: u64 = level.iter().map(|header| header.bytes).sum();
        let missing = Material::all(pieces).len() - level.len();
        let missing = if missing > 0 { format!(" ({missing} missing)") } else { String::new() };
        text += &format!("{pieces} pieces: {} tables{missing}, {}, {bytes} bytes\n", level.len(), in_words(&sum));
    }
    text
}

/// Each table, one a line, and the sums.
pub fn tables(variant: &Variant, folder: &Path, headers: &[Header]) -> String {
    let line = |header: &Header| {
        let kind = if header.distances { "distances" } else { "results" };
        format!("{:8} {kind}, {}, {} bytes\n", header.material.to_string(), in_words(&header.totals), header.bytes)
    };
    headers.iter().map(line).collect::<String>() + &levels(variant, folder, headers)
}

fn in_words(totals: &Totals) -> String {
    let [won, drawn, lost] = totals.results;
    let longest = match totals.longest_win {
        0 => String::new(),
        plies => format!(", longest win {plies} plies"),
    };
    format!("{} positions: {won} won, {drawn} drawn, {lost} lost{longest}", totals.positions)
}

/// What is wrong with a table.
pub fn wrong(variant: &Variant, report: &Report) -> String {
    let example =
        report.example.as_ref().map_or(String::new(), |setup| format!(", as in {}", fen::write(variant, setup)));
    let totals = if report.totals_agree { "" } else { "; the totals of its header are wrong" };
    format!("{}: {} wrong values{example}{totals}", report.material, report.errors)
}

/// Totals as an object. Distances that are not known are null.
pub fn totals(totals: &Totals) -> Value {
    let [win, draw, loss] = totals.results;
    let [quiet_win, quiet_draw, quiet_loss] = totals.quiet;
    let known = totals.longest_win > 0 || totals.longest_loss > 0;
    json!({
        "positions": totals.positions,
        "win": win, "draw": draw, "loss": loss,
        "captures": totals.captures,
        "quiet_win": quiet_win, "quiet_draw": quiet_draw, "quiet_loss": quiet_loss,
        "longest_win": known.then_some(totals.longest_win),
        "longest_wins": known.then_some(totals.longest_wins),
        "longest_loss": known.then_some(totals.longest_loss),
    })
}

/// One table as an object.
pub fn header(header: &Header) -> Value {
    let mut object = totals(&header.totals);
    object["material"] = json!(header.material.to_string());
    object["pieces"] = json!(header.material.pieces());
    object["entries"] = json!(header.entries);
    object["distances"] = json!(header.distances);
    object["bytes"] = json!(header.bytes);
    object
}

/// A check of one table as an object.
pub fn report(variant: &Variant, report: &Report) -> Value {
    let mut object = totals(&report.totals);
    object["material"] = json!(report.material.to_string());
    object["errors"] = json!(report.errors);
    object["totals_agree"] = json!(report.totals_agree);
    object["example"] = json!(report.example.as_ref().map(|setup| fen::write(variant, setup)));
    object
}
