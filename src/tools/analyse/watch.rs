//! What a person sees while it runs: a bar on the terminal, and what could not be read.

use super::Answer;
use crate::tools::common::say;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::Read;
use std::time::Duration;

/// Shows how far an analysis is.
pub struct Watch {
    bar: ProgressBar,
    games: u64,
    plies: u64,
    warnings: usize,
    doubtful: usize,
    lost: usize,
}

impl Watch {
    /// Drawn on a terminal only. How far it is goes by the lines of the file.
    pub fn new(file: &str) -> Watch {
        let lines = if ProgressBar::no_length().is_hidden() { None } else { lines(file) };
        let bar = lines.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let template = match lines {
            Some(_) => "{bar:24} {percent}% {msg} [{elapsed_precise}, {eta_precise} to go]",
            None => "{spinner} {msg} [{elapsed_precise}]",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Watch { bar, games: 0, plies: 0, warnings: 0, doubtful: 0, lost: 0 }
    }

    /// A game is done.
    pub fn game(&mut self, answer: &Answer) {
        if let Some(error) = &answer.error {
            self.bar.suspend(|| say(error));
            self.lost += 1;
        }
        self.games += 1;
        self.plies += answer.plies as u64;
        self.warnings += answer.warnings;
        self.doubtful += usize::from(answer.warnings > 0);
        if answer.line > 0 {
            self.bar.set_position(answer.line as u64);
        }
        self.bar.set_message(format!("{} games, {} moves", self.games, self.plies));
    }

    /// The end; tells whether a game could not be kept.
    pub fn finish(self) -> bool {
        self.bar.finish_and_clear();
        if self.warnings > 0 {
            say(&format!("{} warnings in {} games, listed with -v", self.warnings, self.doubtful));
        }
        self.lost > 0
    }
}

/// Lines of a plain file.
fn lines(path: &str) -> Option<u64> {
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let mut block = vec![0; 1 << 16];
    let mut lines = 0;
    loop {
        match file.read(&mut block).ok()? {
            0 => return Some(lines),
            read => lines += block[..read].iter().filter(|&&byte| byte == b'\n').count() as u64,
        }
    }
}
