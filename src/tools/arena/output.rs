//! What a match leaves behind while it is played: journal, PDN, reports and a progress bar.

use super::Args;
use super::error::ArenaError;
use super::html;
use super::journal::Journal;
use super::record::Record;
use super::report::Report;
use super::runner::{Ending, Plan};
use super::standings::Standings;
use crate::tools::common::shard::replace;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often reports are written while the match runs.
const REFRESH: Duration = Duration::from_secs(10);

/// Lines of a transcript that are shown when all of it goes to a file.
const SHOWN_LINES: usize = 12;

/// The open files of a match.
pub struct Output {
    journal: Option<Journal>,
    pdn: Option<PathBuf>,
    json: Option<PathBuf>,
    html: Option<PathBuf>,
    bar: ProgressBar,
    refreshed: Instant,
}

impl Output {
    /// Opens everything; gives the games that the journal knows already.
    pub fn open(args: &Args, plan: &Plan, settings: &Value) -> Result<(Output, Vec<Record>), ArenaError> {
        let (journal, played) = match &args.resume {
            Some(path) => {
                let (journal, played) = Journal::open(path, settings)?;
                (Some(journal), played)
            }
            None => (None, Vec::new()),
        };
        if let Some(path) = &args.pdn {
            add_missing(path, &played)?;
        }
        // Drawn on a terminal only.
        let bar = ProgressBar::new(plan.games.end - plan.games.start);
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {msg} [{elapsed_precise}, {eta_precise} to go]");
        bar.set_style(style.expect("the template is sound"));
        let (pdn, json, html) = (args.pdn.clone(), args.json.clone(), args.html.clone());
        Ok((Output { journal, pdn, json, html, bar, refreshed: Instant::now() }, played))
    }

    /// Shows where the match stands as it goes on.
    pub fn resume(&self, standings: &Standings) {
        self.bar.set_position(standings.games);
        self.bar.reset_eta();
        self.bar.set_message(message(standings));
        self.bar.enable_steady_tick(Duration::from_secs(1));
    }

    /// Puts a finished game where it belongs.
    pub fn game(&mut self, plan: &Plan, record: &Record, standings: &Standings) -> Result<(), ArenaError> {
        if let Some(journal) = &mut self.journal {
            journal.add(record)?;
        }
        if let Some(path) = &self.pdn {
            append(path, record.pdn.as_bytes())?;
        }
        let name = |engine: usize| &plan.engines[engine].name;
        if let Some(of) = &record.fault {
            let head =
                format!("game {}: {}, {}: {}", record.game + 1, name(of.engine), of.fault.kind.name(), of.fault.detail);
            // Whoever gets the transcript in a file is shown its end only.
            let kept = self.journal.is_some() || self.json.is_some() || self.html.is_some();
            let transcript = &of.fault.transcript;
            let from = if kept { transcript.len().saturating_sub(SHOWN_LINES) } else { 0 };
            let lines = transcript[from..].iter().fold(head, |text, line| text + "\n  " + line);
            self.bar.suspend(|| eprintln!("{lines}"));
        }
        log::info!(
            "game {}: {} - {} {}:{} ({})",
            record.game + 1,
            name(record.white),
            name(record.black),
            f32::from(record.white_half_points) / 2.0,
            f32::from(2 - record.white_half_points) / 2.0,
            record.reason
        );
        self.bar.set_position(standings.games);
        self.bar.set_message(message(standings));
        if self.refreshed.elapsed() > REFRESH {
            self.refreshed = Instant::now();
            self.write(&Report::new(plan, standings, None))?;
        }
        Ok(())
    }

    /// Writes the reports for the last time.
    pub fn finish(&mut self, plan: &Plan, standings: &Standings, ending: Ending) -> Result<Report, ArenaError> {
        self.bar.finish_and_clear();
        let report = Report::new(plan, standings, Some(ending));
        self.write(&report)?;
        Ok(report)
    }

    fn write(&self, report: &Report) -> Result<(), ArenaError> {
        if let Some(path) = &self.json {
            replace(path, |out| out.write_all(report.json().as_bytes()))?;
        }
        if let Some(path) = &self.html {
            replace(path, |out| out.write_all(html::page(report).as_bytes()))?;
        }
        Ok(())
    }
}

/// The score of the first pairing in a few words.
fn message(standings: &Standings) -> String {
    let Some(pairing) = standings.pairings.first().filter(|_| standings.pairings.len() == 1) else {
        return String::new();
    };
    let score = &pairing.score;
    let mut text = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
    if let Some(elo) = score.pairs.elo() {
        text += &format!(" Elo {:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high);
    }
    if let Some(sprt) = standings.sprt() {
        let (low, high) = sprt.bounds();
        text += &format!(" LLR {:.2} ({low:.2}, {high:.2})", sprt.llr(&score.pairs));
    }
    text
}

/// Adds the games of the journal that a cut-off match did not get to write; only the last ones can be missing.
fn add_missing(path: &Path, played: &[Record]) -> Result<(), ArenaError> {
    /// Games that are looked for.
    const LAST: usize = 64;
    append(path, b"")?;
    let last = &played[played.len().saturating_sub(LAST)..];
    if last.is_empty() {
        return Ok(());
    }
    let text = std::fs::read(path).map_err(ArenaError::file(path))?;
    let text = String::from_utf8_lossy(&text);
    let missing = last.iter().filter(|record| !text.contains(record.pdn.trim_end()));
    missing.into_iter().try_for_each(|record| append(path, record.pdn.as_bytes()))
}

fn append(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.and_then(|mut file| file.write_all(bytes)).map_err(ArenaError::file(path))
}

/// Today in UTC, `YYYY.MM.DD`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The date of a day counted from 1 January 1970. After: H. Hinnant, "chrono-compatible low-level date algorithms".
fn date(day: u64) -> String {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{:04}.{month:02}.{day:02}", era * 400 + year + u64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right() {
        for (day, expected) in
            [(0, "1970.01.01"), (11_016, "2000.02.29"), (11_017, "2000.03.01"), (20_453, "2025.12.31")]
        {
            assert_eq!(date(day), expected);
        }
    }
}
