//! `damka selfplay`: games to learn from.

use super::error::LearnError;
use super::game::{self, Plan};
use super::record::Record;
use super::shard::{Origin, Writer};
use crate::engine::net::{Choice, Net, embedded, fingerprint};
use crate::engine::{Engine, Settings};
use crate::game::variant::Variant;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;

/// Games in a block of the file.
const BLOCK: u32 = 16;
/// Table of each player in MiB; it is emptied before each game.
const HASH_MB: usize = 1;

/// Plays games of the program against itself and keeps their positions to learn from.
///
/// The same arguments give the same file, whatever the number of threads. A run that was broken off goes on where it
/// stopped. Beside the file stands another, FILE.json, that says what made it.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Games to play.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub games: u32,
    /// Nodes of each search.
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub nodes: u32,
    /// Decides all random choices; another seed gives other games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Where the positions go.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The network that plays: a file, or hand-made; by default the one inside the program.
    #[arg(long, value_name = "FILE")]
    pub net: Option<String>,
}

/// Plays the games.
pub fn run(args: &Args, variant: Arc<Variant>, threads: usize) -> Result<(), LearnError> {
    let squares = variant.set.board.squares();
    if squares > 64 {
        return Err(LearnError::Board(squares));
    }
    let evaluation = evaluation(args.net.as_deref(), &variant)?;
    let origin = Origin {
        rules: fingerprint(&variant.set),
        squares: squares as u32,
        nodes: args.nodes,
        seed: args.seed,
        net: checksum(&evaluation, &variant),
        block: BLOCK,
    };
    let (mut writer, mut positions) = Writer::open(&args.out, origin)?;
    let blocks = args.games.div_ceil(BLOCK);
    let bar = progress(u64::from(blocks * BLOCK));
    bar.set_position(u64::from(writer.next() * BLOCK));
    bar.reset_eta();
    let plan = Plan { variant: variant.clone(), nodes: u64::from(args.nodes), seed: args.seed };
    let settings = Settings { hash_mb: HASH_MB, evaluation, ..Settings::default() };
    let (next, broken) = (AtomicU32::new(writer.next()), AtomicBool::new(false));
    let (sender, receiver) = mpsc::sync_channel::<(u32, Vec<Record>)>(4 * threads.max(1));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, settings, plan, next, broken) = (sender.clone(), &settings, &plan, &next, &broken);
            scope.spawn(move || {
                let mut engine = Engine::new(settings.clone());
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= blocks || broken.load(Ordering::Relaxed) {
                        return;
                    }
                    let games = (0..BLOCK).map(|game| u64::from(number) * u64::from(BLOCK) + u64::from(game));
                    let records = games.flat_map(|game| game::play(plan, &mut engine, game)).collect();
                    if sender.send((number, records)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let written = write(&mut writer, &args.out, receiver, &bar, &mut positions);
        broken.store(written.is_err(), Ordering::Relaxed);
        written
    })?;
    bar.finish_and_clear();
    manifest(args, &variant, origin, positions)?;
    println!("{}: {} games, {positions} positions", args.out.display(), blocks * BLOCK);
    Ok(())
}

/// Writes blocks in their order, however they come in.
fn write(
    writer: &mut Writer,
    path: &Path,
    receiver: mpsc::Receiver<(u32, Vec<Record>)>,
    bar: &ProgressBar,
    positions: &mut u64,
) -> Result<(), LearnError> {
    let mut early = BTreeMap::new();
    for (number, records) in receiver {
        early.insert(number, records);
        while let Some(records) = early.remove(&writer.next()) {
            writer.add(path, &records)?;
            *positions += records.len() as u64;
            bar.inc(u64::from(BLOCK));
            bar.set_message(format!("{positions} positions"));
        }
    }
    Ok(())
}

/// A bar on the terminal, if stderr is one.
pub(super) fn progress(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed_precise} {bar:30} {pos}/{len} ({per_sec}, {eta} left) {msg}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn evaluation(net: Option<&str>, variant: &Variant) -> Result<Choice, LearnError> {
    match net {
        None => Ok(Choice::BuiltIn),
        Some("hand-made") => Ok(Choice::HandMade),
        Some(path) => {
            let path = Path::new(path);
            let bytes = std::fs::read(path).map_err(LearnError::io(path))?;
            let bad = |error| LearnError::Net { path: path.to_path_buf(), error };
            let net = Net::read(&bytes).map_err(bad)?;
            net.fits(&variant.set).map_err(bad)?;
            Ok(Choice::Given(Arc::new(net)))
        }
    }
}

fn checksum(evaluation: &Choice, variant: &Variant) -> u32 {
    let net = match evaluation {
        Choice::HandMade => None,
        Choice::BuiltIn => embedded(&variant.set),
        Choice::Given(net) => Some(net.clone()),
    };
    net.map_or(0, |net| crc32fast::hash(&net.write()))
}

fn manifest(args: &Args, variant: &Variant, origin: Origin, positions: u64) -> Result<(), LearnError> {
    let mut name = args.out.clone().into_os_string();
    name.push(".json");
    let path = PathBuf::from(name);
    let value = json!({
        "variant": variant.id,
        "rules": format!("{:016x}", origin.rules),
        "games": args.games.div_ceil(BLOCK) * BLOCK,
        "positions": positions,
        "nodes": args.nodes,
        "seed": args.seed,
        "net": args.net,
        "net_crc32": format!("{:08x}", origin.net),
        "version": env!("CARGO_PKG_VERSION"),
    });
    std::fs::write(&path, format!("{value:#}\n")).map_err(LearnError::io(&path))
}
