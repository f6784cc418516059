//! The counts as a table, as CSV or as JSON.

use super::tally::{Row, Tally};
use super::{Args, By};
use crate::tools::common::{JobError, Results};
use serde_json::{Map, Value, json};

/// Writes the counts.
pub fn show(args: &Args, tally: &Tally, results: &mut Results) -> Result<(), JobError> {
    let rows = chosen(args, tally);
    if args.json {
        let by = name(args.by);
        let rows: Vec<Value> = rows.iter().map(|row| object(args, row, true)).collect();
        return results.line(&json!({"by": by, "rows": rows, "total": object(args, &tally.total, false)}).to_string());
    }
    let mut table = vec![heads(args).map(str::to_string).to_vec()];
    table.extend(rows.iter().map(|row| fields(row)));
    if args.csv {
        return table
            .iter()
            .try_for_each(|row| results.line(&row.iter().map(|f| quoted(f)).collect::<Vec<_>>().join(",")));
    }
    let mut total = fields(&tally.total);
    total[0] = "total".to_string();
    table.push(total);
    aligned(&table, results)
}

/// The rows in order: files as they came, years in order, all else by the number of games.
fn chosen<'t>(args: &Args, tally: &'t Tally) -> Vec<&'t Row> {
    let mut rows: Vec<&Row> =
        tally.rows.iter().filter(|row| row.games >= args.min_games || args.by == By::File).collect();
    match args.by {
        By::File => {}
        By::Year => rows.sort_by(|a, b| a.name.cmp(&b.name)),
        _ => rows.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name))),
    }
    rows.truncate(args.top.unwrap_or(usize::MAX));
    rows
}

fn name(by: By) -> &'static str {
    match by {
        By::Variant => "variant",
        By::Opening => "opening",
        By::Player => "player",
        By::Event => "event",
        By::Year => "year",
        By::Result => "result",
        By::File => "file",
    }
}

/// Names of the columns.
fn heads(args: &Args) -> [&'static str; 11] {
    let [won, lost] = if args.by == By::Player { ["wins", "losses"] } else { ["white", "black"] };
    [name(args.by), "games", won, "draws", lost, "unknown", "score", "plies", "average", "errors", "warnings"]
}

fn fields(row: &Row) -> Vec<String> {
    let score = row.score().map_or(String::new(), |score| format!("{score:.1}"));
    let counts = [row.games, row.wins, row.draws, row.losses, row.unknown()].map(|count| count.to_string());
    let mut out = vec![row.name.clone()];
    out.extend(counts);
    out.extend([score, row.plies.to_string(), format!("{:.1}", row.average())]);
    out.extend([row.errors.to_string(), row.warnings.to_string()]);
    out
}

fn object(args: &Args, row: &Row, named: bool) -> Value {
    let heads = heads(args);
    let rounded = |value: f64| json!((value * 10.0).round() / 10.0);
    let mut out = Map::new();
    if named {
        out.insert(heads[0].to_string(), row.name.clone().into());
    }
    if let (Some(variant), Some(fen)) = (&row.variant, &row.fen) {
        out.insert("variant".to_string(), variant.clone().into());
        out.insert("fen".to_string(), fen.clone().into());
    }
    let counts = [row.games, row.wins, row.draws, row.losses, row.unknown()];
    for (head, count) in heads[1..6].iter().zip(counts) {
        out.insert(head.to_string(), count.into());
    }
    out.insert("score".to_string(), row.score().map_or(Value::Null, rounded));
    out.insert("plies".to_string(), row.plies.into());
    out.insert("average".to_string(), rounded(row.average()));
    out.insert("errors".to_string(), row.errors.into());
    out.insert("warnings".to_string(), row.warnings.into());
    Value::Object(out)
}

/// A field of CSV, in quotes where it needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}

/// Names to the left, numbers to the right.
fn aligned(table: &[Vec<String>], results: &mut Results) -> Result<(), JobError> {
    let columns = table.first().map_or(0, Vec::len);
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in table {
        let mut line = String::new();
        for (column, (field, width)) in row.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width - field.chars().count());
            line += &if column == 0 { format!("{field}{padding}") } else { format!("  {padding}{field}") };
        }
        results.line(line.trim_end())?;
    }
    Ok(())
}
