//! What is told while tables are made, on stderr: a bar with rate and time left where a person looks on.

use crate::endgame::{Material, Progress, TableError};
use crate::tools::common::say;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The bar; it draws itself on a terminal only.
pub struct Bar {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    /// The standard output is for one JSON object alone.
    json: bool,
}

impl Bar {
    /// A bar for work that ends when `stop` is set.
    pub fn new(stop: Arc<AtomicBool>, json: bool) -> Bar {
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template(
            "{bar:24} {human_pos}/{human_len} {msg} {per_sec} [{elapsed_precise}, {eta_precise} to go]",
        );
        bar.set_style(style.expect("the template is sound"));
        Bar { bar, stop, json }
    }

    /// Writes a line beside the bar.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| say(text));
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, pieces: usize, entries: u64, memory: u64) {
        let memory = HumanBytes(memory);
        let text = format!("tables of 2 to {pieces} pieces, {entries} entries, at most {memory} of memory");
        if self.json {
            self.say(&text);
        } else {
            // Nobody may listen.
            let _ = writeln!(std::io::stdout(), "{text}");
        }
        self.bar.set_length(entries);
        self.bar.reset();
        self.bar.enable_steady_tick(Duration::from_millis(250));
    }

    fn advance(&self, entries: u64) {
        self.bar.inc(entries);
    }

    fn solved(&self, material: Material, _file: Option<&Path>) {
        self.bar.set_message(material.to_string());
    }

    fn waits(&self, lock: &Path) {
        self.say(&format!("another process is making these tables ({}); waiting for it", lock.display()));
    }

    fn distrusts(&self, error: &TableError) {
        self.say(&format!("{error}; it is made anew"));
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
