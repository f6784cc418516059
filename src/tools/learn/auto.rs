//! `damka train --auto`: the whole cycle. Games, a network out of them, a match against the one before; and again.
//!
//! All that is known stands in files of the work folder, so that a run that was broken off goes on where it stopped.

use super::error::LearnError;
use super::gate::Gate;
use super::known::Known;
use super::selfplay::{Work, read_net};
use super::train::{self, Args};
use crate::engine::net::Choice;
use crate::game::variant::Variant;
use crate::tools::arena::sprt::{Decision, Sprt};
use crate::tools::common::stop::on_ctrl_c;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Share of the whole time for each generation, and nodes of its searches.
const GENERATIONS: [(f64, u32); 4] = [(0.12, 300), (0.22, 400), (0.28, 600), (0.38, 800)];
/// Of a generation's time, the share for games; the rest is for training and the match.
const GAMES: f64 = 0.72;
const TRAINING: f64 = 0.1;
/// More blocks of games than fit any budget.
const MOST_BLOCKS: u32 = 1 << 18;
/// Nodes of each search in matches, and most pairs of games.
const MATCH: (u64, u32) = (1_500, 2_000);
/// At least so many steps each time through the data, if that leaves so many positions a step.
const STEPS: usize = 100;
const LEAST_BATCH: usize = 128;
/// Pairs of the last match, against the hand-made evaluation.
const LAST_PAIRS: u32 = 100;

/// How far the work has come.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
struct Progress {
    /// Rules it is for.
    rules: String,
    /// Generations that are done.
    done: usize,
    /// Number of the best network so far; 0 = the hand-made evaluation.
    best: usize,
    /// Seconds used for generations that are done.
    spent: f64,
}

/// Reads a time such as `90m`, `2h`, `300s` or `300`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 'h')) => (&text[..at], 3_600.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 's')) => (&text[..at], 1.0),
        _ => (text, 1.0),
    };
    match number.parse::<f64>() {
        Ok(number) if (number * unit).is_finite() && number * unit >= 10.0 && number * unit <= 1e7 => {
            Ok(Duration::from_secs_f64(number * unit))
        }
        _ => Err("expected a time of ten seconds or more, as in 90m, 2h or 300s".to_string()),
    }
}

struct Cycle<'a> {
    args: &'a Args,
    variant: Arc<Variant>,
    threads: usize,
    folder: PathBuf,
    progress: Progress,
    tables: Option<Arc<Known>>,
}

/// Runs generations until the time is over or a signal comes.
pub fn run(args: &Args, variant: Arc<Variant>, threads: usize) -> Result<(), LearnError> {
    let mut name = args.out.clone().into_os_string();
    name.push(".work");
    let folder = args.work.clone().unwrap_or_else(|| PathBuf::from(name));
    std::fs::create_dir_all(&folder).map_err(LearnError::io(&folder))?;
    let tables = args.tables.as_deref().map(|root| Known::open(root, &variant)).transpose()?.map(Arc::new);
    let mut cycle = Cycle { args, variant, threads, folder, progress: Progress::default(), tables };
    cycle.progress = cycle.read()?;
    let signals = on_ctrl_c();
    let stopped = || signals.stopped();
    while cycle.progress.done < GENERATIONS.len() && !stopped() {
        cycle.generation(&stopped)?;
    }
    if stopped() {
        println!("stopped; the same words go on from here");
        return Ok(());
    }
    cycle.last_match(&stopped)
}

impl Cycle<'_> {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn net(&self, number: usize) -> PathBuf {
        self.file(&format!("n{number}.net"))
    }

    fn read(&self) -> Result<Progress, LearnError> {
        let path = self.file("progress.json");
        let rules = format!("{:016x}", crate::engine::net::fingerprint(&self.variant.set));
        if !path.exists() {
            return Ok(Progress { rules, ..Progress::default() });
        }
        let text = std::fs::read_to_string(&path).map_err(LearnError::io(&path))?;
        let bad =
            |what: String, expected: &str| LearnError::Data { path: path.clone(), what, expected: expected.into() };
        let found: Progress = serde_json::from_str(&text)
            .map_err(|error| bad(error.to_string(), "the progress of damka train --auto"))?;
        if found.rules == rules { Ok(found) } else { Err(bad(format!("rules {}", found.rules), &rules)) }
    }

    fn keep(&self) -> Result<(), LearnError> {
        let (path, fresh) = (self.file("progress.json"), self.file("progress.json.new"));
        let text = serde_json::to_string_pretty(&self.progress).expect("plain values can be written");
        std::fs::write(&fresh, text).map_err(LearnError::io(&fresh))?;
        std::fs::rename(&fresh, &path).map_err(LearnError::io(&path))
    }

    fn choice(&self, number: usize) -> Result<Choice, LearnError> {
        if number == 0 {
            return Ok(Choice::HandMade);
        }
        read_net(&self.net(number), &self.variant).map(|net| Choice::Given(Arc::new(net)))
    }

    /// Games, training and the match of one generation.
    fn generation(&mut self, stopped: &(dyn Fn() -> bool + Sync)) -> Result<(), LearnError> {
        let number = self.progress.done + 1;
        let (share, nodes) = GENERATIONS[self.progress.done];
        let time = self.args.budget.mul_f64(share);
        let since = Instant::now();
        let best = self.choice(self.progress.best)?;
        let data = self.file(&format!("g{number}.rec"));
        let work = Work {
            variant: self.variant.clone(),
            nodes,
            seed: self.args.seed.wrapping_add(number as u64),
            evaluation: best.clone(),
            tables: self.tables.clone(),
            threads: self.threads,
        };
        // Games of a run that was broken off count as time spent: as many as there are, at their usual speed, are there.
        let until = time.mul_f64(GAMES).saturating_sub(self.already(&data));
        let filled = work.fill(&data, 0..MOST_BLOCKS, &|| stopped() || since.elapsed() > until)?;
        if stopped() {
            return self.note(&data, since.elapsed());
        }
        println!("generation {number}: {} games, {} positions", filled.games, filled.positions);
        self.train(number, time.mul_f64(TRAINING))?;
        let fresh = self.choice(number)?;
        let gate = Gate {
            variant: self.variant.clone(),
            nodes: MATCH.0,
            seed: self.args.seed.wrapping_add(number as u64),
            pairs: MATCH.1,
            threads: self.threads,
        };
        let test = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
        let (pairs, decision) = gate.play(&fresh, &best, &test, &|| stopped() || since.elapsed() > time);
        if stopped() {
            return Ok(());
        }
        let better = decision == Decision::H1 || decision == Decision::Continue && test.llr(&pairs) > 0.0;
        let elo = pairs.elo().map_or(0.0, |elo| elo.value);
        println!(
            "generation {number} against {}: {:?} in pairs, {elo:+.0} Elo, {}",
            self.progress.best,
            pairs.0,
            if better { "kept" } else { "not kept" }
        );
        if better {
            self.progress.best = number;
            std::fs::copy(self.net(number), &self.args.out).map_err(LearnError::io(&self.args.out))?;
        }
        self.progress.done = number;
        self.progress.spent += since.elapsed().as_secs_f64();
        self.keep()
    }

    /// Time that went into a generation's games before.
    fn already(&self, data: &Path) -> Duration {
        let text = std::fs::read_to_string(data.with_extension("seconds")).unwrap_or_default();
        text.trim().parse().map(Duration::from_secs).unwrap_or_default()
    }

    fn note(&self, data: &Path, more: Duration) -> Result<(), LearnError> {
        let (path, seconds) = (data.with_extension("seconds"), (self.already(data) + more).as_secs());
        std::fs::write(&path, seconds.to_string()).map_err(LearnError::io(&path))
    }

    fn train(&self, number: usize, time: Duration) -> Result<(), LearnError> {
        // The games of the generation before are of use too.
        let first = number.saturating_sub(1).max(1);
        let data: Vec<PathBuf> = (first..=number).map(|n| self.file(&format!("g{n}.rec"))).collect();
        let bytes: u64 = data.iter().filter_map(|path| std::fs::metadata(path).ok()).map(|data| data.len()).sum();
        // A core learns from about half a million positions a second at a width of 64, fewer when wider.
        let speed = 500_000.0 * self.threads.max(1) as f64 * 64.0 / self.args.hidden as f64;
        let epochs = (time.as_secs_f64() * speed / (bytes as f64 / 32.0 + 1.0)).clamp(8.0, 25.0) as u32;
        // Few positions in large steps would be too few steps.
        let batch = (bytes as usize / 32 / STEPS).clamp(LEAST_BATCH, self.args.batch.max(LEAST_BATCH));
        let args = Args {
            data,
            out: self.net(number),
            batch,
            epochs,
            auto: false,
            note: format!("{} generation {number} {}", self.variant.id, self.args.note),
            ..self.args.clone()
        };
        train::run(&args, self.variant.clone(), self.threads).map(|_| ())
    }

    /// Says what the work was worth.
    fn last_match(&self, stopped: &(dyn Fn() -> bool + Sync)) -> Result<(), LearnError> {
        if self.progress.best == 0 {
            println!("no network was better than the hand-made evaluation; none was written");
            return Ok(());
        }
        let (variant, seed, threads) = (self.variant.clone(), self.args.seed, self.threads);
        let gate = Gate { variant, nodes: MATCH.0, seed, pairs: LAST_PAIRS, threads };
        let never = Sprt { elo0: -1e3, elo1: 1e3, alpha: 1e-9, beta: 1e-9 };
        let (pairs, _) = gate.play(&self.choice(self.progress.best)?, &Choice::HandMade, &never, stopped);
        if let Some(elo) = pairs.elo() {
            let verdict = if elo.low > 0.0 { "better than" } else { "not surely better than" };
            println!(
                "{}: {verdict} the hand-made evaluation, {:+.0} Elo [{:+.0}, {:+.0}] at {} nodes a move, pairs {:?}",
                self.args.out.display(),
                elo.value,
                elo.low,
                elo.high,
                MATCH.0,
                pairs.0
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(duration("90m"), Ok(Duration::from_secs(5_400)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5_400)));
        assert_eq!(duration("45"), Ok(Duration::from_secs(45)));
        for bad in ["", "m", "-5m", "1s", "1e99h", "soon"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_shares_make_a_whole() {
        let whole: f64 = GENERATIONS.iter().map(|(share, _)| share).sum();
        assert!((whole - 1.0).abs() < 1e-9 && GAMES + TRAINING < 0.9);
    }
}
