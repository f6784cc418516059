//! `damka train`: a network out of records.

use super::error::LearnError;
use super::fit;
use super::model::{self, Adam, Model};
use super::random::Random;
use super::record::Record;
use super::selfplay::progress;
use super::shard;
use crate::engine::net::{Net, Shape, fingerprint};
use crate::game::plain::Setup;
use crate::game::rules::{Directions, RuleSet};
use crate::game::variant::Variant;
use crate::tools::Ending;
use crate::tools::common::shard::replace;
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// One game in so many is held out.
const HELD_OUT: u64 = 10;
/// Rate of learning after the last step, as a share of the first.
const LAST_RATE: f32 = 0.005;

/// Trains a network on the records of `damka selfplay`.
///
/// One game in ten is held out to see what was learned. On boards without a difference between left and right, mirror images are
/// learned from too. The same arguments give the same network, whatever the number of threads.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of damka selfplay.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "auto")]
    pub data: Vec<PathBuf>,
    /// Do everything: play games, train on them, keep the network if it beats the one before, and again, until the time is
    /// over. Begun again with the same words it goes on where it stopped.
    #[arg(long, conflicts_with = "data")]
    pub auto: bool,
    /// Time for --auto, as in 90m, 2h or 300s.
    #[arg(long, value_name = "TIME", default_value = "90m", value_parser = super::auto::duration)]
    pub budget: std::time::Duration,
    /// Where --auto keeps its games and networks; by default FILE.work beside the network.
    #[arg(long, value_name = "FOLDER")]
    pub work: Option<PathBuf>,
    /// Folder of `damka tables build`: the games of --auto use its tables, and end where these know the result.
    #[arg(long, value_name = "FOLDER", requires = "auto")]
    pub tables: Option<PathBuf>,
    /// Where the network goes.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Width of the first layer: 32, 64, 128 or 256.
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub hidden: usize,
    /// Output rows, chosen by the number of pieces.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=32))]
    pub buckets: u16,
    /// Times each position is looked at.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub epochs: u32,
    /// How much the result of the game counts against the score of the search, 0 to 1.
    #[arg(long, value_name = "W", default_value_t = 0.3)]
    pub result_weight: f32,
    /// Positions a step.
    #[arg(long, value_name = "N", default_value_t = 8192)]
    pub batch: usize,
    /// Rate of learning at the start.
    #[arg(long, value_name = "RATE", default_value_t = 0.003)]
    pub rate: f32,
    /// Decides where training starts from and the order of positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A word about the network, kept in its file.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub note: String,
}

/// The records of all files, apart.
struct Data {
    train: Vec<Record>,
    held_out: Vec<Record>,
    checksum: u32,
    doubles: usize,
}

/// Trains and writes the network.
pub fn run(args: &Args, variant: Arc<Variant>, threads: usize) -> Result<Ending, LearnError> {
    check(args)?;
    if args.auto {
        return super::auto::run(args, variant, threads).map(|()| Ending::Fine);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    match pool {
        Ok(pool) => pool.install(|| train(args, &variant)),
        Err(_) => train(args, &variant),
    }
    .map(|_| Ending::Fine)
}

fn check(args: &Args) -> Result<(), LearnError> {
    if !model::can_be_hidden(args.hidden) {
        let (read, expected) = (args.hidden.to_string(), "32, 64, 128 or 256");
        return Err(LearnError::Option { option: "--hidden", read, expected });
    }
    if !(0.0..=1.0).contains(&args.result_weight) {
        let (read, expected) = (args.result_weight.to_string(), "a number from 0 to 1");
        return Err(LearnError::Option { option: "--result-weight", read, expected });
    }
    if args.batch == 0 {
        return Err(LearnError::Option { option: "--batch", read: "0".to_string(), expected: "1 and more" });
    }
    Ok(())
}

/// Trains and writes the network.
pub(super) fn train(args: &Args, variant: &Variant) -> Result<Net, LearnError> {
    let mut data = load(args, variant)?;
    if data.train.len() < 1_000 {
        return Err(LearnError::TooFew(data.train.len()));
    }
    let unit = fit::score_unit(&data.train);
    println!(
        "{} positions to learn from, {} held out, {} doubles left out; score unit {unit:.0}",
        data.train.len(),
        data.held_out.len(),
        data.doubles
    );
    let pieces = Setup::start(variant).cells.iter().flatten().count();
    let shape =
        Shape { squares: variant.set.board.squares(), hidden: args.hidden, buckets: usize::from(args.buckets), pieces };
    let target = |record: &Record| fit::target(record, args.result_weight, unit as f32);
    let mut model = Model::new(shape, args.seed);
    let losses = learn(args, &mut model, &mut data, &target);
    let rounded = model.rounded();
    let loss = rounded.loss(&data.held_out, &target);
    let worth = fit::man_worth(&model, &data.train, args.seed);
    let scale = worth.filter(|worth| *worth > 0.05).map_or(unit, |worth| 100.0 / worth).clamp(20.0, 2_000.0);
    println!("rounded: loss {loss:.5}; a man is worth {:.3}, scale {scale:.0}", worth.unwrap_or(0.0));
    let text = format!(
        "{} data {:08x} positions {} unit {unit:.0} loss {loss:.5} epochs {} result-weight {} seed {}",
        args.note,
        data.checksum,
        data.train.len(),
        args.epochs,
        args.result_weight,
        args.seed
    );
    let odds = fit::odds(&data.train, pieces);
    println!(
        "a win is as likely as not from {:?} on, spread {:?}, with few pieces and with all",
        odds.margin, odds.spread
    );
    let net = Net::new(shape, fingerprint(&variant.set), text.trim().to_string(), odds, model.weights(scale))?;
    let curve = args.out.with_extension("svg");
    replace(&curve, |out| out.write_all(super::curve::draw(&losses).as_bytes()))?;
    replace(&args.out, |out| out.write_all(&net.write()))?;
    println!("{}: {} bytes", args.out.display(), net.write().len());
    Ok(net)
}

/// Goes through the data again and again; gives the losses after each time, on what was learned and on what was held out.
fn learn(
    args: &Args,
    model: &mut Model,
    data: &mut Data,
    target: &(impl Fn(&Record) -> f32 + Sync),
) -> Vec<(f64, f64)> {
    let mut adam = Adam::new(model.params.len());
    let steps = (data.train.len().div_ceil(args.batch) * args.epochs as usize).max(1);
    let bar = progress(steps as u64);
    let (mut step, mut losses) = (0, Vec::new());
    for epoch in 0..args.epochs {
        shuffle(&mut data.train, &mut Random::new(args.seed, u64::from(epoch) + 1));
        let mut sum = 0.0;
        for batch in data.train.chunks(args.batch) {
            let (gradient, loss) = model.gradient(batch, target);
            let share = step as f32 / steps as f32;
            let rate = args.rate * (LAST_RATE + (1.0 - LAST_RATE) * 0.5 * (1.0 + (std::f32::consts::PI * share).cos()));
            adam.step(&mut model.params, &gradient, rate);
            model.clip();
            sum += loss;
            step += 1;
            bar.inc(1);
        }
        let held_out = model.loss(&data.held_out, target);
        losses.push((sum / data.train.len() as f64, held_out));
        bar.set_message(format!("loss {held_out:.5}"));
        log::info!("epoch {}: loss {:.5}, held out {held_out:.5}", epoch + 1, sum / data.train.len() as f64);
    }
    bar.finish_and_clear();
    for (epoch, (seen, held_out)) in losses.iter().enumerate() {
        if (epoch + 1) % 5 == 0 || epoch + 1 == losses.len() {
            println!("epoch {}: loss {seen:.5}, held out {held_out:.5}", epoch + 1);
        }
    }
    losses
}

fn shuffle(records: &mut [Record], random: &mut Random) {
    for last in (1..records.len()).rev() {
        records.swap(last, random.below(last + 1));
    }
}

/// Reads all files; a position that was there already is left out.
fn load(args: &Args, variant: &Variant) -> Result<Data, LearnError> {
    let rules = fingerprint(&variant.set);
    let mut data = Data { train: Vec::new(), held_out: Vec::new(), checksum: 0, doubles: 0 };
    let symmetric = left_is_right(&variant.set);
    let mut seen = FxHashSet::default();
    let mut checksum = crc32fast::Hasher::new();
    for path in &args.data {
        let contents = shard::read(path)?;
        if contents.origin.rules != rules {
            let what = format!("data of other rules ({:016x})", contents.origin.rules);
            return Err(LearnError::Data {
                path: path.clone(),
                what,
                expected: format!("{rules:016x}, {}", variant.id),
            });
        }
        for record in contents.records {
            checksum.update(&record.bytes());
            if !seen.insert((record.sides, record.kings, record.side.index())) {
                data.doubles += 1;
                continue;
            }
            let apart = Random::new(contents.origin.seed, u64::from(record.game)).next().is_multiple_of(HELD_OUT);
            if apart {
                data.held_out.push(record);
                continue;
            }
            data.train.push(record);
            data.train.extend(symmetric.then(|| record.mirrored(variant.set.board.width)));
        }
    }
    data.checksum = checksum.finalize();
    Ok(data)
}

/// Whether the mirror image of a position, left for right, is as good. Where only dark squares are played on it is not even
/// one.
fn left_is_right(set: &RuleSet) -> bool {
    let both =
        |directions: Directions| [(0, 1), (2, 3), (6, 7)].iter().all(|&(a, b)| directions.has(a) == directions.has(b));
    set.board.all_squares && [set.man_move, set.man_capture, set.king_move, set.king_capture].into_iter().all(both)
}
