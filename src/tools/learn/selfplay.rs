//! `damka selfplay`: games to learn from.

use super::error::LearnError;
use super::game::{self, Plan};
use super::known::Known;
use super::record::Record;
use super::shard::{Origin, Writer};
use crate::engine::net::{Choice, Net, embedded, fingerprint};
use crate::engine::{Engine, Settings, TableChoice};
use crate::game::variant::Variant;
use crate::tools::Ending;
use crate::tools::common::shard::{Manifest, Shard, replace, with, working};
use crate::tools::common::stop::on_ctrl_c;
use crate::tools::common::{ordered, say};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// Only this part of the games, as in 3/10, for `damka merge`; the file gets its name when all of it is there.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// The network that plays: a file, or hand-made; by default the one inside the program.
    #[arg(long, value_name = "FILE")]
    pub net: Option<String>,
    /// Folder of `damka tables build`: the players use its tables, and games end where these know the result.
    #[arg(long, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
}

/// Plays the games.
pub fn run(args: &Args, variant: Arc<Variant>, threads: usize) -> Result<Ending, LearnError> {
    let evaluation = evaluation(args.net.as_deref(), &variant)?;
    let tables = args.tables.as_deref().map(|folder| Known::open(folder, &variant)).transpose()?.map(Arc::new);
    let work = Work { variant, nodes: args.nodes, seed: args.seed, evaluation, tables, threads };
    let signals = on_ctrl_c();
    let stopped = || signals.stopped();
    let all = args.games.div_ceil(BLOCK);
    let Some(shard) = args.shard else {
        let filled = work.fill(&args.out, 0..all, &stopped)?;
        let settings = work.settings(args.net.as_deref(), Some(&filled));
        replace(&with(&args.out, ".json"), |out| out.write_all(format!("{settings:#}\n").as_bytes()))?;
        println!("{}: {} games, {} positions", args.out.display(), filled.games, filled.positions);
        return Ok(if filled.complete { Ending::Fine } else { Ending::Stopped });
    };
    // Where the network lies does not matter; what it is does.
    let part = Manifest::new("selfplay", shard, u64::from(all), work.settings(None, None));
    if part.is_done(&args.out)? {
        say(&format!("{} is complete", args.out.display()));
        return Ok(Ending::Fine);
    }
    let filled = work.fill(&working(&args.out), part.first as u32..part.end as u32, &stopped)?;
    if !filled.complete {
        return Ok(Ending::Stopped);
    }
    part.finish(&args.out)?;
    println!("{}: part {shard}, {} games, {} positions", args.out.display(), filled.games, filled.positions);
    Ok(Ending::Fine)
}

/// What is to be played, and by whom.
pub(super) struct Work {
    pub variant: Arc<Variant>,
    /// Nodes of each search.
    pub nodes: u32,
    pub seed: u64,
    pub evaluation: Choice,
    pub tables: Option<Arc<Known>>,
    pub threads: usize,
}

/// What a file holds after work on it.
pub(super) struct Filled {
    pub games: u32,
    pub positions: u64,
    /// Whether all the blocks asked for are there.
    pub complete: bool,
}

impl Work {
    fn origin(&self) -> Origin {
        let net = match &self.evaluation {
            Choice::HandMade => None,
            Choice::BuiltIn => embedded(&self.variant.set),
            Choice::Given(net) => Some(net.clone()),
        };
        Origin {
            rules: fingerprint(&self.variant.set),
            squares: self.variant.set.board.squares() as u32,
            nodes: self.nodes,
            seed: self.seed,
            net: net.map_or(0, |net| net.checksum()),
            block: BLOCK,
            tables: self.tables.as_ref().map_or(0, |known| known.pieces() as u32),
        }
    }

    /// Plays until the file holds these blocks, or it is enough. What is there already counts.
    pub(super) fn fill(
        &self,
        path: &Path,
        blocks: Range<u32>,
        enough: &(dyn Fn() -> bool + Sync),
    ) -> Result<Filled, LearnError> {
        let squares = self.variant.set.board.squares();
        if squares > 64 {
            return Err(LearnError::Board(squares));
        }
        let (mut writer, mut positions) = Writer::open(path, self.origin(), blocks.start)?;
        let games = |next: u32| (next - blocks.start) * BLOCK;
        let bar = progress(u64::from(games(blocks.end)));
        bar.set_position(u64::from(games(writer.next())));
        bar.reset_eta();
        let plan = Plan {
            variant: self.variant.clone(),
            nodes: u64::from(self.nodes),
            seed: self.seed,
            tables: self.tables.clone(),
        };
        let tables = self.tables.as_ref().map_or(TableChoice::Off, |known| known.choice());
        let settings =
            Settings { hash_mb: HASH_MB, evaluation: self.evaluation.clone(), tables, ..Settings::default() };
        let player = || {
            let mut engine = Engine::new(settings.clone());
            let plan = &plan;
            move |block: u32| {
                let mut records = Vec::new();
                for game in block * BLOCK..(block + 1) * BLOCK {
                    if enough() {
                        return None;
                    }
                    records.extend(game::play(plan, &mut engine, u64::from(game)));
                }
                Some(records)
            }
        };
        ordered::run(self.threads, writer.next()..blocks.end, player, |records: Vec<Record>| {
            positions += records.len() as u64;
            bar.inc(u64::from(BLOCK));
            bar.set_message(format!("{positions} positions"));
            writer.add(path, &records)
        })?;
        bar.finish_and_clear();
        writer.sync(path)?;
        Ok(Filled { games: games(writer.next()), positions, complete: writer.next() >= blocks.end })
    }

    /// What makes the games, and how much of it there is.
    fn settings(&self, net: Option<&str>, filled: Option<&Filled>) -> Value {
        let origin = self.origin();
        let mut value = json!({ "variant": self.variant.id, "rules": format!("{:016x}", origin.rules) });
        if let Some(filled) = filled {
            value["games"] = json!(filled.games);
            value["positions"] = json!(filled.positions);
        }
        value["nodes"] = json!(origin.nodes);
        value["seed"] = json!(origin.seed);
        if filled.is_some() {
            value["net"] = json!(net);
        }
        value["net_crc32"] = json!(format!("{:08x}", origin.net));
        value["tables"] = json!(origin.tables);
        value["version"] = json!(env!("CARGO_PKG_VERSION"));
        value
    }
}

/// A bar on the terminal, if stderr is one.
pub(super) fn progress(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed_precise} {bar:30} {pos}/{len} ({per_sec}, {eta} left) {msg}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The evaluation that a word asks for.
pub(super) fn evaluation(net: Option<&str>, variant: &Variant) -> Result<Choice, LearnError> {
    match net {
        None => Ok(Choice::BuiltIn),
        Some("hand-made") => Ok(Choice::HandMade),
        Some(path) => read_net(Path::new(path), variant).map(|net| Choice::Given(Arc::new(net))),
    }
}

/// Reads a network that must fit the rules.
pub(super) fn read_net(path: &Path, variant: &Variant) -> Result<Net, LearnError> {
    let bytes = std::fs::read(path).map_err(LearnError::io(path))?;
    let bad = |error| LearnError::Net { path: path.to_path_buf(), error };
    let net = Net::read(&bytes).map_err(bad)?;
    net.fits(&variant.set).map_err(bad)?;
    Ok(net)
}
