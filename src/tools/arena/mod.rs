//! Matches between engines: `damka match`.
//!
//! Engines are processes that speak the UCI dialect or Hub. Every opening is played twice with colours reversed; results
//! are counted in pairs ([`stats`]), and a sequential test may end the match early ([`sprt`]). An engine that crashes,
//! plays an illegal move or oversteps its time loses the game, and its last words are reported.

mod adjudicate;
mod client;
mod clock;
mod deviate;
mod dialect;
mod error;
#[cfg(test)]
mod fakes;
pub(super) mod generate;
mod html;
mod hub;
mod journal;
pub(super) mod merge;
mod openings;
mod output;
mod play;
mod process;
mod record;
mod report;
mod rulefile;
mod runner;
mod schedule;
mod shuffle;
mod spec;
pub(super) mod sprt;
mod standings;
pub(super) mod stats;
mod svg;
#[cfg(test)]
mod tests;
mod uci;

pub use error::ArenaError;

use crate::game::variant::Variant;
use crate::tools;
use crate::tools::common::say;
use crate::tools::common::shard::{Manifest, Shard, working};
use adjudicate::Rules;
use clock::TimeControl;
use openings::Source;
use output::Output;
use rulefile::RuleFile;
use runner::{Ending, Plan};
use schedule::Schedule;
use serde_json::{Value, json};
use spec::EngineSpec;
use sprt::Sprt;
use standings::Standings;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Plays matches between engines.
///
/// Every opening is played twice with colours reversed. A crash, an illegal move or a time loss is a lost game, shown
/// with the last lines that went to and fro. Ctrl-C ends the match cleanly.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// An engine: name=A,cmd=PATH,args="a b",proto=uci|hub,option.NAME=VALUE,tc=CONTROL. Given twice or more.
    #[arg(long = "engine", value_name = "PARTS", required = true)]
    pub engines: Vec<String>,
    /// Time for each move or game: movetime=MS, nodes=N, depth=N, SECONDS[+INCREMENT] or MOVES/SECONDS[+INCREMENT].
    #[arg(long, value_name = "CONTROL", default_value = "movetime=100")]
    pub tc: String,
    /// generated:PLIES[:DEPTH] = all positions after so many plies whose material stays level; or a file of FENs or PDN.
    #[arg(long, value_name = "SOURCE", default_value = "generated:3")]
    pub openings: String,
    /// Cuts the games of a PDN file of openings after this many plies.
    #[arg(long, value_name = "PLIES")]
    pub opening_plies: Option<usize>,
    /// Games between each two engines; rounded up to whole pairs.
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub games: Option<u64>,
    /// Pairs of games between each two engines. Without it and --games, each opening is played once.
    #[arg(long, value_name = "N")]
    pub rounds: Option<u64>,
    /// Games played at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub concurrency: usize,
    /// Ends the match when the test decides: elo0=0,elo1=5[,alpha=0.05,beta=0.05]. For two engines.
    #[arg(long, value_name = "BOUNDS")]
    pub sprt: Option<String>,
    /// Ends decided games by the engines' scores in hundredths of a man: draw=MOVES:SCORE:FROM,win=MOVES:SCORE.
    #[arg(long, value_name = "RULES", default_value = "off")]
    pub adjudicate: String,
    /// A game of this many plies is a draw.
    #[arg(long, value_name = "PLIES", default_value_t = 600)]
    pub max_plies: usize,
    /// Milliseconds by which an engine may overstep its time.
    #[arg(long, value_name = "MS", default_value_t = 200)]
    pub margin: u64,
    /// Seconds that a search of given nodes or depth may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub patience: u64,
    /// With more than two engines: everyone plays everyone, not only the first the others.
    #[arg(long)]
    pub round_robin: bool,
    /// Decides the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Adds the games to this file, with scores, depths and times.
    #[arg(long, value_name = "FILE")]
    pub pdn: Option<PathBuf>,
    /// Keeps a journal here, and goes on with the match in it.
    #[arg(long, value_name = "JOURNAL")]
    pub resume: Option<PathBuf>,
    /// Plays only this part of the rounds, as in 3/10, for `damka merge`. The part is the journal; --sprt does not end it.
    #[arg(long, value_name = "I/N", requires = "resume", conflicts_with = "pdn")]
    pub shard: Option<Shard>,
    /// Writes the result here as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes the result here as a page with charts.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Plays a match as the command line says and prints its result.
pub fn run(args: &Args, variant: Arc<Variant>) -> Result<tools::Ending, ArenaError> {
    let stop = Arc::new(AtomicBool::new(false));
    let signal = stop.clone();
    if let Err(error) = ctrlc::set_handler(move || signal.store(true, Ordering::Relaxed)) {
        log::warn!("Ctrl-C will not end the match cleanly: {error}");
    }
    let report = match (args.shard, &args.resume) {
        (Some(shard), Some(path)) => match play_part(args, variant, shard, path, &stop)? {
            Some(report) if report.status == "complete" => report,
            Some(_) => return Ok(tools::Ending::Stopped),
            None => {
                say(&format!("{} is complete", path.display()));
                return Ok(tools::Ending::Fine);
            }
        },
        _ => run_until(args, variant, &stop)?,
    };
    // Nobody may listen any more; the files are written.
    let _ = std::io::stdout().write_all(report.text().as_bytes());
    Ok(tools::Ending::Fine)
}

/// Plays a part of a match; `None` when it is there already. The test does not end it: only all parts together decide.
fn play_part(
    args: &Args,
    variant: Arc<Variant>,
    shard: Shard,
    path: &Path,
    stop: &AtomicBool,
) -> Result<Option<report::Report>, ArenaError> {
    args.sprt.as_deref().map(Sprt::read).transpose()?;
    let plan = plan(args, variant.clone())?;
    let part = Manifest::new("match", shard, plan.schedule.rounds(), settings(args, &plan));
    if part.is_done(path)? {
        return Ok(None);
    }
    let own = Args { sprt: None, resume: Some(working(path)), ..args.clone() };
    let report = run_until(&own, variant, stop)?;
    if report.status == "complete" {
        part.finish(path)?;
    }
    Ok(Some(report))
}

/// Plays a match until it ends or `stop` is set.
fn run_until(args: &Args, variant: Arc<Variant>, stop: &AtomicBool) -> Result<report::Report, ArenaError> {
    let sprt = args.sprt.as_deref().map(Sprt::read).transpose()?;
    let plan = plan(args, variant)?;
    if sprt.is_some() && plan.engines.len() != 2 {
        return Err(ArenaError::argument("--sprt", &format!("{} engines", plan.engines.len()), "two engines"));
    }
    let mut standings = Standings::new(plan.engines.len(), plan.schedule.pairings(), sprt);
    let (mut output, played) = Output::open(args, &plan, &settings(args, &plan))?;
    let mut done = HashSet::new();
    for record in played.iter().filter(|record| plan.games.contains(&record.game)) {
        if done.insert(record.game) {
            standings.add(record);
        }
    }
    output.resume(&standings);
    let ending =
        runner::run(&plan, &mut standings, &done, stop, &mut |record, standings| output.game(&plan, record, standings));
    let shown = *ending.as_ref().unwrap_or(&Ending::Interrupted);
    let report = output.finish(&plan, &standings, shown);
    ending?;
    report
}

/// Settles everything that the command line leaves open.
fn plan(args: &Args, variant: Arc<Variant>) -> Result<Plan, ArenaError> {
    let engines = EngineSpec::read_all(&args.engines)?;
    let common: TimeControl = args.tc.parse()?;
    let openings = Source::read(&args.openings)?.load(&variant, args.opening_plies, args.seed)?;
    let rounds = args.rounds.or(args.games.map(|games| games.div_ceil(2))).unwrap_or(openings.len() as u64);
    if rounds == 0 {
        return Err(ArenaError::argument("--games or --rounds", "0", "at least 1"));
    }
    if rounds > openings.len() as u64 {
        log::warn!("{rounds} rounds from {} openings: some are played again", openings.len());
    }
    let schedule = Schedule::new(engines.len(), openings.len(), rounds, args.round_robin, args.seed);
    Ok(Plan {
        controls: engines.iter().map(|engine| engine.control.unwrap_or(common)).collect(),
        games: args.shard.map_or(0..schedule.games(), |shard| schedule.games_of(shard.range(rounds))),
        schedule,
        rule_file: RuleFile::of(&variant)?,
        rules: Rules::read(&args.adjudicate)?,
        margin: Duration::from_millis(args.margin),
        patience: Duration::from_secs(args.patience.clamp(1, 86_400)),
        most_plies: args.max_plies.max(1),
        concurrency: args.concurrency.clamp(1, 256),
        date: output::today(),
        variant,
        engines,
        openings,
    })
}

/// What decides the games: a journal belongs to a match with the same. The number of games is not part of it, so that
/// a match can be made longer.
fn settings(args: &Args, plan: &Plan) -> Value {
    let engine = |(spec, control): (&EngineSpec, &TimeControl)| {
        json!({
            "name": spec.name, "command": spec.command, "arguments": spec.arguments,
            "protocol": spec.protocol.to_string(), "options": spec.options, "time": control.to_string(),
        })
    };
    let positions = format!("{:?}", plan.openings);
    let rules = if plan.variant.custom { crate::notation::rulefile::to_toml(&plan.variant) } else { String::new() };
    json!({
        "variant": plan.variant.id,
        "rules": format!("{:016x}", journal::fingerprint(rules.as_bytes())),
        "engines": plan.engines.iter().zip(&plan.controls).map(engine).collect::<Vec<_>>(),
        "openings": format!("{:016x}", journal::fingerprint(positions.as_bytes())),
        "round_robin": args.round_robin,
        "seed": args.seed,
        "adjudicate": args.adjudicate,
        "max_plies": plan.most_plies,
        "margin": args.margin,
    })
}
