//! `damka wdl`: what scores mean for the result, out of games.

use super::error::LearnError;
use super::fit;
use super::game::Deaf;
use super::random::Random;
use super::record::Record;
use super::selfplay::evaluation;
use super::shard;
use crate::engine::net::{Choice, Net, fingerprint};
use crate::engine::{Engine, Limits, Odds, Settings, Signals, Verdict};
use crate::game::Game;
use crate::game::board::{Bits, Color};
use crate::game::plain::{Piece, Setup};
use crate::game::variant::Variant;
use crate::tools::common::shard::replace;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Table of each search in MiB.
const HASH_MB: usize = 1;
/// Bounds of the bands of scores in the table that is printed.
const BANDS: [i16; 7] = [0, 25, 50, 100, 150, 250, 400];
/// Positions in which a man is taken off to see what it is worth.
const MEN: usize = 2_000;

/// Fits the chances of win, draw and loss that go with a score, on the games of `damka selfplay`.
///
/// Positions of the games are searched anew by the evaluation in force, and two logistic curves are fitted to the scores and the
/// results of the games, for few pieces and for many. The last line printed is a row of nets/odds.txt.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of damka selfplay.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,
    /// Nodes of each search.
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub nodes: u64,
    /// Positions to search, spread evenly over the games.
    #[arg(long, value_name = "N", default_value_t = 12_000)]
    pub positions: usize,
    /// The network that judges: a file, or hand-made; by default the one inside the program.
    #[arg(long, value_name = "FILE")]
    pub net: Option<String>,
    /// Write the network of --net there, with what was found.
    #[arg(long, value_name = "FILE", requires = "net")]
    pub out: Option<PathBuf>,
}

/// Fits, and prints what was found.
pub fn run(args: &Args, variant: Arc<Variant>, threads: usize) -> Result<(), LearnError> {
    let choice = evaluation(args.net.as_deref(), &variant)?;
    let records = load(args, &variant)?;
    let early = records.iter().filter(|record| is_early(record, pieces(&variant)));
    let worth = man_worth(early, &variant, &choice);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    let judged = match pool {
        Ok(pool) => pool.install(|| judged(args, &variant, &choice, &records)),
        Err(_) => judged(args, &variant, &choice, &records),
    };
    if judged.len() < 1_000 {
        return Err(LearnError::TooFew(judged.len()));
    }
    let odds = fit::odds(&judged, pieces(&variant));
    for line in table(&judged, &odds, pieces(&variant)) {
        println!("{line}");
    }
    match worth {
        Some((worth, count)) => {
            println!("one man at the start of the middle game: {worth:.0} hundredths ({count} positions)")
        }
        None => println!("one man at the start of the middle game: too few positions"),
    }
    let net = choice.net(&variant.set);
    if let (Some(path), Some(net)) = (&args.out, &net) {
        let fitted = Net::new(net.shape, net.rules, net.text.clone(), odds, net.weights().clone())?;
        replace(path, |out| out.write_all(&fitted.write()))?;
    }
    println!("{}", odds.row(fingerprint(&variant.set), &variant.id, pieces(&variant), net.as_deref()));
    Ok(())
}

/// Pieces that a game begins with.
fn pieces(variant: &Variant) -> usize {
    Setup::start(variant).cells.iter().flatten().count()
}

/// Different positions of all files, no more than are wanted.
fn load(args: &Args, variant: &Variant) -> Result<Vec<Record>, LearnError> {
    let rules = fingerprint(&variant.set);
    let (mut seen, mut all) = (FxHashSet::default(), Vec::new());
    for path in &args.data {
        let contents = shard::read(path)?;
        if contents.origin.rules != rules {
            let what = format!("data of other rules ({:016x})", contents.origin.rules);
            let expected = format!("{rules:016x}, {}", variant.id);
            return Err(LearnError::Data { path: path.clone(), what, expected });
        }
        let fresh = |record: &Record| seen.insert((record.sides, record.kings, record.side.index()));
        all.extend(contents.records.into_iter().filter(fresh));
    }
    let step = all.len().div_ceil(args.positions.max(1)).max(1);
    Ok(all.into_iter().step_by(step).collect())
}

/// The position of a record, without its history.
fn game(record: &Record, variant: &Arc<Variant>) -> Option<Game> {
    let mut setup = Setup::empty(variant.set.board, record.side);
    for color in [Color::White, Color::Black] {
        for place in Bits(record.sides[color.index()]) {
            let king = record.kings >> place & 1 == 1;
            *setup.cells.get_mut(place as usize)? = Some(Piece { color, king });
        }
    }
    Game::from_setup(variant.clone(), &setup).ok()
}

/// The records with scores of searches by the evaluation in force; proved ends of games are left out.
fn judged(args: &Args, variant: &Arc<Variant>, choice: &Choice, records: &[Record]) -> Vec<Record> {
    let settings = Settings { hash_mb: HASH_MB, evaluation: choice.clone(), ..Settings::default() };
    let limits = Limits { nodes: Some(args.nodes.max(1)), ..Limits::default() };
    let one = |engine: &mut Engine, record: &Record| {
        engine.clear();
        let answer = engine.go(&game(record, variant)?, &limits, &Signals::default(), &Deaf);
        match Verdict::of(answer.info?.score) {
            Verdict::Cp(score) => Some(Record { score: score as i16, ..*record }),
            Verdict::End { .. } => None,
        }
    };
    let chunk = |records: &[Record]| {
        let mut engine = Engine::new(settings.clone());
        records.iter().filter_map(|record| one(&mut engine, record)).collect::<Vec<_>>()
    };
    records.par_chunks(256).flat_map_iter(chunk).collect()
}

/// Whether a position has most of its men and no king.
fn is_early(record: &Record, pieces: usize) -> bool {
    record.kings == 0 && record.count() as usize * 4 >= pieces * 3
}

/// What one man of the mover's is worth: the mean change of the evaluation when one that is chosen at random is taken off.
fn man_worth<'a>(
    early: impl Iterator<Item = &'a Record>,
    variant: &Arc<Variant>,
    choice: &Choice,
) -> Option<(f64, u32)> {
    let engine = Engine::new(Settings { evaluation: choice.clone(), ..Settings::default() });
    let mut random = Random::new(1, 0x7764_6c00);
    let (mut sum, mut count) = (0.0, 0);
    for record in early.take(MEN) {
        let own = record.sides[record.side.index()];
        let lost = Bits(own).nth(random.below(own.count_ones().max(1) as usize))?;
        let mut less = *record;
        less.sides[record.side.index()] &= !(1u64 << lost);
        let (Some(all), Some(less)) = (game(record, variant), game(&less, variant)) else { continue };
        sum += f64::from(engine.evaluate(&all).total - engine.evaluate(&less).total);
        count += 1;
    }
    (count >= 100).then(|| (sum / f64::from(count), count))
}

/// What was seen beside what the curves expect, by pieces and score; seen from the side that the score speaks for.
fn table(records: &[Record], odds: &Odds, pieces: usize) -> Vec<String> {
    let mut lines = vec!["pieces   score      positions   seen W D L (permille)   expected".to_string()];
    for part in 0..3 {
        let in_part =
            |record: &&Record| ((record.count() as usize * 3).saturating_sub(1) / pieces.max(1)).min(2) == part;
        for (nth, low) in BANDS.iter().enumerate() {
            let high = BANDS.get(nth + 1).copied().unwrap_or(i16::MAX);
            let in_band = |record: &&Record| (*low..high).contains(&record.score.saturating_abs());
            let (mut count, mut seen, mut expected) = (0u32, [0u32; 3], [0u64; 3]);
            for record in records.iter().filter(in_part).filter(in_band) {
                let result = if record.score < 0 { record.result } else { 2 - record.result };
                let score = i32::from(record.score.saturating_abs());
                let chances = odds.chances(score, Odds::fullness(record.count(), pieces));
                expected.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += u64::from(chance));
                seen[usize::from(result)] += 1;
                count += 1;
            }
            if count >= 20 {
                let seen = seen.map(|n| 1000 * n / count);
                let expected = expected.map(|sum| sum / u64::from(count));
                let share = ["few", "half", "many"][part];
                lines.push(format!("{share:6} {low:4} and up {count:8}     {seen:?}   {expected:?}"));
            }
        }
    }
    lines
}
