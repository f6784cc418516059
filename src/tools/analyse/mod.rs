//! Analysis of games: `damka analyse`.
//!
//! Games are read one at a time, each is thought through by one thread ([`study`]), and the answers leave in the order of the
//! file: as NDJSON ([`json`]), as a game with notes ([`annotate`]) or as a page for the browser ([`page`]). At fixed nodes or depth they are
//! the same for any number of threads.

mod annotate;
mod games;
mod json;
mod judge;
mod keep;
mod page;
mod part;
mod study;
mod watch;

use crate::engine::{Limits, Settings, Signals, TableChoice};
use crate::game::variant::Variant;
use crate::protocol::start::Start;
use crate::tools::Ending;
use crate::tools::common::shard::{Shard, working};
use crate::tools::common::{JobError, ordered, say, source, stop, think};
use games::{Games, Task, fingerprint};
use keep::{Finished, Format, Opened, Outputs, Target};
use part::Part;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use study::Study;
use think::Thinker;
use watch::Watch;

/// Analyses the games of a PDN file.
///
/// For each move: the best move and its line, what the played move lost, marks for inaccuracies, mistakes and blunders, and at the
/// end the players' accuracy. Without an output, JSON lines go to standard output. Ctrl-C keeps the games that are finished;
/// --resume goes on behind them, with the same result as without the break.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  damka analyse games.pdn --nodes 20000 --html report.html
  damka analyse games.pdn --depth 12 --games 3-5 --pdn notes.pdn
  damka analyse - --time 500 < games.pdn | jq -c 'select(.mark == \"blunder\") | {game, ply, played, best}'
  damka analyse big.pdn --nodes 2000 --json out.ndjson --resume
  damka analyse big.pdn --nodes 2000 --json parts/3.ndjson --shard 3/10

Exit codes: 0 all games analysed, 1 some could not be kept (told in their place), 2 bad command line or files that cannot be used,
75 no room or no answer from a disk: try again, 130 ended by a signal: --resume goes on.")]
pub struct Args {
    /// PDN file; - reads standard input.
    #[arg(value_name = "FILE|-")]
    pub file: String,
    /// Nodes for each position; 50000 when no limit is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies for each position.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=120))]
    pub depth: Option<u32>,
    /// Milliseconds for each position.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
    /// Moves looked at in each position; two are needed to know an only move.
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=32))]
    pub multipv: u32,
    /// Uses the endgame tables of this folder, from `damka tables build`.
    #[arg(long, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
    /// Only these games of the file: 7, 3-9, 3- or -9.
    #[arg(long, value_name = "A-B", allow_hyphen_values = true)]
    pub games: Option<String>,
    /// Only this part of the file's games, as in 3/10, for `damka merge`; goes on where it was stopped.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["games", "html"])]
    pub shard: Option<Shard>,
    /// Writes one JSON object a line here; - is standard output.
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Writes the games with scores, marks and better lines here; - is standard output.
    #[arg(long, value_name = "OUT")]
    pub pdn: Option<PathBuf>,
    /// Writes a page with boards and graphs here; - is standard output.
    #[arg(long, value_name = "OUT")]
    pub html: Option<PathBuf>,
    /// Goes on with an analysis that was stopped; starts one when there is none.
    #[arg(long)]
    pub resume: bool,
}

/// Analyses as the command line says, until the end or Ctrl-C.
pub fn run(args: &Args, start: &Start) -> Result<Ending, JobError> {
    let variant = start.asked()?;
    let signals = stop::on_ctrl_c();
    run_until(args, variant, start.threads(), &signals)
}

fn run_until(
    args: &Args,
    variant: Option<Arc<Variant>>,
    threads: usize,
    signals: &Signals,
) -> Result<Ending, JobError> {
    let mut targets = targets(args)?;
    if let Some(folder) = args.tables.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(JobError::argument("--tables", folder.display(), "a folder of endgame tables"));
    }
    let mut range = range(args.games.as_deref())?;
    let limits = limits(args);
    let mut settings = settings(args, variant.as_deref(), &targets);
    let part =
        args.shard.map(|shard| Part::new(shard, &args.file, variant.clone(), &settings, &targets)).transpose()?;
    if let Some(part) = &part {
        if part.is_done()? {
            say(&format!("{} is complete", targets[0].path.display()));
            return Ok(Ending::Fine);
        }
        range = part.range();
        settings["shard"] = part.name();
        targets.iter_mut().for_each(|target| target.path = working(&target.path));
    }
    let (mut outputs, done) = match Outputs::open(&targets, &settings, args.resume || part.is_some())? {
        Opened::Ready(outputs, done) => (outputs, done),
        Opened::Complete => {
            if let Some(part) = part {
                return part.finish().map(|()| Ending::Fine);
            }
            say(&format!("{} is complete, nothing to resume", targets[0].path.display()));
            return Ok(Ending::Fine);
        }
    };
    let mut watch = Watch::new(&args.file);
    let reader = source::games(&args.file, variant)?;
    let games = Games::new(reader, range, done, args.file.as_str());
    let formats: Vec<Format> = targets.iter().map(|target| target.format).collect();
    let hash = think::hash_for(&limits);
    let engine = Settings {
        hash_mb: hash,
        multi_pv: args.multipv as usize,
        tables: args.tables.clone().map_or(TableChoice::Off, TableChoice::Folder),
        ..Settings::default()
    };
    let worker = || {
        let mut thinker = Thinker::with(engine.clone());
        let formats = &formats;
        let limits = &limits;
        move |task: Result<Task, JobError>| match task {
            Ok(task) => answer(task, formats, &mut thinker, limits, signals).map(Ok),
            Err(error) => Some(Err(error)),
        }
    };
    let mut count = done.games;
    let worked: Result<(), JobError> = ordered::run(threads, games, worker, |answer: Result<Answer, JobError>| {
        let answer = answer?;
        count += 1;
        outputs.add(&answer.finished, count)?;
        watch.game(&answer);
        Ok(())
    });
    let complete = worked.is_ok() && !signals.stopped();
    outputs.finish(complete)?;
    let faults = watch.finish();
    worked?;
    if complete {
        part.map_or(Ok(()), Part::finish)?;
        return Ok(if faults { Ending::Faults } else { Ending::Fine });
    }
    let further = if targets.iter().any(|target| target.path.as_os_str() != "-") { "; --resume goes on" } else { "" };
    say(&format!("stopped after {count} games{further}"));
    Ok(Ending::Stopped)
}

/// What became of a game.
struct Answer {
    finished: Finished,
    /// Lines of the file up to this game.
    line: usize,
    plies: usize,
    warnings: usize,
    /// Told at once when the game could not be kept.
    error: Option<String>,
}

fn answer(task: Task, formats: &[Format], thinker: &mut Thinker, limits: &Limits, signals: &Signals) -> Option<Answer> {
    match task.game {
        Ok(game) => {
            for warning in &game.warnings {
                log::warn!("{warning}");
            }
            let study = Study::of(*game, thinker, limits, signals)?;
            let texts = formats.iter().map(|format| match format {
                Format::Json => json::lines(&study),
                Format::Pdn => annotate::pdn(&study),
                Format::Html => page::game(&study),
            });
            Some(Answer {
                finished: Finished { sum: task.sum, texts: texts.collect() },
                line: study.game.line,
                plies: study.plies.len(),
                warnings: study.game.warnings.len(),
                error: None,
            })
        }
        Err(error) => {
            let text = |format: &Format| match format {
                Format::Json => json::error(task.number, &error),
                Format::Pdn | Format::Html => String::new(),
            };
            let finished = Finished { sum: task.sum, texts: formats.iter().map(text).collect() };
            Some(Answer { finished, line: 0, plies: 0, warnings: 0, error: Some(error.to_string()) })
        }
    }
}

fn targets(args: &Args) -> Result<Vec<Target>, JobError> {
    let given = [(Format::Json, &args.json), (Format::Pdn, &args.pdn), (Format::Html, &args.html)];
    let mut targets: Vec<Target> = given
        .into_iter()
        .filter_map(|(format, path)| path.as_ref().map(|path| Target { format, path: path.clone() }))
        .collect();
    if targets.is_empty() {
        targets.push(Target { format: Format::Json, path: "-".into() });
    }
    for (index, target) in targets.iter().enumerate() {
        let read = target.path.display();
        if args.file != "-" && same_file(&target.path, Path::new(&args.file)) {
            return Err(JobError::argument("output", read, "another file than the one to analyse"));
        }
        if targets[..index].iter().any(|other| other.path == target.path) {
            return Err(JobError::argument("output", read, "a file for each output"));
        }
    }
    Ok(targets)
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

fn limits(args: &Args) -> Limits {
    let none = args.nodes.is_none() && args.depth.is_none() && args.time.is_none();
    Limits {
        nodes: args.nodes.or(none.then_some(50_000)),
        depth: args.depth,
        movetime_ms: args.time,
        ..Limits::default()
    }
}

/// Reads `7`, `3-9`, `3-` or `-9`; everything without a text.
fn range(text: Option<&str>) -> Result<(u64, u64), JobError> {
    let Some(text) = text else { return Ok((1, u64::MAX)) };
    let wrong = || JobError::argument("--games", text, "a number from 1, or two as in 3-9, 3- or -9");
    let number = |text: &str, empty: u64| if text.is_empty() { Ok(empty) } else { text.parse().map_err(|_| wrong()) };
    let (first, last) = match text.split_once('-') {
        Some(("", "")) => return Err(wrong()),
        Some((first, last)) => (number(first, 1)?, number(last, u64::MAX)?),
        None => (number(text, 0)?, number(text, 0)?),
    };
    if first >= 1 && first <= last { Ok((first, last)) } else { Err(wrong()) }
}

/// What decides the outputs. The number of threads does not.
fn settings(args: &Args, variant: Option<&Variant>, targets: &[Target]) -> Value {
    let rules = match variant {
        None => "auto".to_string(),
        Some(variant) => {
            let rules = format!("{:?}", variant.set);
            format!("{} {:016x}", variant.id, fingerprint(0, rules.as_bytes()))
        }
    };
    let limits = limits(args);
    let outputs = targets.iter().map(|target| format!("{:?} {}", target.format, target.path.display()));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "file": args.file,
        "variant": rules,
        "nodes": limits.nodes,
        "depth": limits.depth,
        "time": limits.movetime_ms,
        "multipv": args.multipv,
        "games": args.games,
        "tables": args.tables,
        "outputs": outputs.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests;
