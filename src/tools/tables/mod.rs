//! Endgame tables on the command line: `damka tables build`, `verify`, `slices` and `info`.

mod bar;
mod show;

use crate::endgame::{self, Folder, Header, MAX_PIECES, Material, Plan, Report, TableError, Totals};
use crate::game::variant::Variant;
use crate::tools::Ending;
use crate::tools::common::{Failure, Trouble};
use bar::Bar;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Which tables, where.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Most pieces on the board, both sides together.
    #[arg(long, value_name = "N", default_value_t = endgame::EXACT_PIECES)]
    pub pieces: usize,
    /// Folder of the tables; by default that of the user's cache which the engine uses too.
    #[arg(long, value_name = "FOLDER")]
    pub dir: Option<PathBuf>,
    /// Only this slice, a material as in kkm-k with its mirror image, of those that `slices` lists; what it is made from is made too
    /// where it is missing. Several machines may make slices in the same folder.
    #[arg(long, value_name = "MATERIAL", conflicts_with = "pieces")]
    pub slice: Option<Material>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// What to do with tables.
#[derive(clap::Subcommand, Clone, Debug)]
pub enum Job {
    /// Make all tables up to a number of pieces; what is there already is kept.
    Build(Args),
    /// Check tables against the rules: every value is the best of what its moves lead to.
    Verify(Args),
    /// List the slices that building falls into, and which others each is made from.
    Slices(Args),
    /// List the tables that are there.
    Info(Args),
}

/// Why it could not be done.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("option --pieces: {0} was read, expected a whole number from 2 to {MAX_PIECES}")]
    Pieces(usize),
    #[error("no folder for tables: this user has no cache folder; expected --dir FOLDER")]
    NoFolder,
    #[error("{0} of {1} tables are wrong")]
    Wrong(usize, usize),
    #[error("no threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Failure for TablesError {
    fn trouble(&self) -> Trouble {
        match self {
            TablesError::Table(TableError::Stopped) => Trouble::Stopped,
            TablesError::Table(TableError::Locked(_)) => Trouble::Again,
            TablesError::Table(error) if error.is_harm() => Trouble::Anew,
            TablesError::Table(error) => error.disk().map_or(Trouble::GiveUp, Failure::trouble),
            _ => Trouble::GiveUp,
        }
    }
}

/// Does the job for a rule set. `threads`: by default one a core.
pub fn run(job: &Job, variant: &Arc<Variant>, threads: Option<usize>) -> Result<Ending, TablesError> {
    let (Job::Build(args) | Job::Verify(args) | Job::Slices(args) | Job::Info(args)) = job;
    if !(2..=MAX_PIECES).contains(&args.pieces) {
        return Err(TablesError::Pieces(args.pieces));
    }
    let root = args.dir.clone().or_else(endgame::default_root).ok_or(TablesError::NoFolder)?;
    let folder = Folder::new(&root, &variant.set);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()?;
    let bar = Bar::new(stop_on_signal(), args.json);
    match job {
        Job::Build(args) => pool.install(|| build(args, variant, &folder, &bar)),
        Job::Verify(args) => pool.install(|| verify(args, variant, &folder, &bar)),
        Job::Slices(args) => slices(args, variant, &folder),
        Job::Info(args) => info(args, variant, &folder),
    }?;
    Ok(Ending::Fine)
}

/// Set when the user wants an end: what is being made is left, what is made stays.
fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let signal = stop.clone();
    if let Err(error) = ctrlc::set_handler(move || signal.store(true, Ordering::Relaxed)) {
        log::warn!("Ctrl-C will not end the work cleanly: {error}");
    }
    stop
}

fn print(text: &str) {
    // Nobody may listen any more; the files are written.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn build(args: &Args, variant: &Arc<Variant>, folder: &Folder, bar: &Bar) -> Result<(), TablesError> {
    let since = Instant::now();
    let plan = Plan { variant, pieces: args.pieces, folder: Some(folder), progress: bar };
    let done = match args.slice {
        Some(slice) => endgame::build_slice(&plan, slice),
        None => endgame::build(&plan),
    };
    bar.end();
    done?;
    let mut headers = Vec::new();
    let made = |material: &Material| args.slice.is_none_or(|slice| slice.pair() == material.pair());
    let pieces = args.slice.map_or(args.pieces, Material::pieces);
    for material in (2..=pieces).flat_map(Material::all).filter(made) {
        headers.extend(folder.header(material)?);
    }
    if args.json {
        let mut object = described(variant, folder.path(), &headers);
        object["seconds"] = json!(since.elapsed().as_secs_f64());
        print(&format!("{object}\n"));
    } else {
        let seconds = since.elapsed().as_secs_f64();
        print(&format!("{}{seconds:.1} s\n", show::levels(variant, folder.path(), &headers)));
    }
    Ok(())
}

fn slices(args: &Args, variant: &Arc<Variant>, folder: &Folder) -> Result<(), TablesError> {
    let mut slices = Vec::new();
    for pair in (2..=args.pieces).flat_map(Material::pairs) {
        let files: Vec<_> = [pair, pair.mirror()].into_iter().take(if pair.is_even() { 1 } else { 2 }).collect();
        slices.push((pair, files.iter().map(|material| folder.table(*material)).collect::<Vec<_>>()));
    }
    let names = |needs: Vec<Material>| needs.iter().map(Material::to_string).collect::<Vec<_>>();
    if args.json {
        let slice = |(pair, files): &(Material, Vec<PathBuf>)| {
            let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            json!({ "slice": pair.to_string(), "pieces": pair.pieces(), "needs": names(pair.needs()), "files": files })
        };
        let object = json!({
            "variant": variant.id,
            "rules": format!("{:016x}", endgame::rules_hash(&variant.set)),
            "folder": folder.path().display().to_string(),
            "memory": endgame::memory_needed(&variant.set, args.pieces)?,
            "slices": slices.iter().map(slice).collect::<Vec<_>>(),
        });
        print(&format!("{object}\n"));
    } else {
        let line = |(pair, _): &(Material, Vec<PathBuf>)| {
            let line = format!("{:8} {}", pair.to_string(), names(pair.needs()).join(" "));
            line.trim_end().to_string() + "\n"
        };
        print(&slices.iter().map(line).collect::<String>());
    }
    Ok(())
}

fn info(args: &Args, variant: &Arc<Variant>, folder: &Folder) -> Result<(), TablesError> {
    let mut headers = Vec::new();
    let mut faults = Vec::new();
    for material in (2..=MAX_PIECES).flat_map(Material::all) {
        match folder.header(material) {
            Ok(header) => headers.extend(header),
            Err(error) => faults.push(error.to_string()),
        }
    }
    if args.json {
        let mut object = described(variant, folder.path(), &headers);
        object["faults"] = json!(faults);
        print(&format!("{object}\n"));
    } else {
        let faults: String = faults.iter().map(|fault| format!("{fault}\n")).collect();
        print(&(show::tables(variant, folder.path(), &headers) + &faults));
    }
    Ok(())
}

fn verify(args: &Args, variant: &Arc<Variant>, folder: &Folder, bar: &Bar) -> Result<(), TablesError> {
    let since = Instant::now();
    let mut reports: Vec<Report> = Vec::new();
    let mut tell = |report: &Report| {
        if !report.is_sound() {
            bar.say(&show::wrong(variant, report));
        }
        reports.push(report.clone());
    };
    let done = match args.slice {
        Some(slice) => endgame::verify_slice(variant, folder, slice, bar, &mut tell),
        None => endgame::verify(variant, folder, args.pieces, bar, &mut tell),
    };
    bar.end();
    done?;
    let wrong = reports.iter().filter(|report| !report.is_sound()).count();
    let checked = |level: usize| reports.iter().filter(move |r| r.material.pieces() == level);
    if args.json {
        let tables: Vec<Value> = reports.iter().map(|report| show::report(variant, report)).collect();
        let object = json!({
            "variant": variant.id, "folder": folder.path().display().to_string(), "tables": tables,
            "errors": reports.iter().map(|r| r.errors).sum::<u64>(), "wrong": wrong,
            "seconds": since.elapsed().as_secs_f64(),
        });
        print(&format!("{object}\n"));
    } else {
        for level in args.slice.map_or(2..=args.pieces, |slice| slice.pieces()..=slice.pieces()) {
            let positions: u64 = checked(level).map(|r| r.totals.positions).sum();
            let errors: u64 = checked(level).map(|r| r.errors).sum();
            let count = checked(level).count();
            print(&format!("{level} pieces: {count} tables, {positions} positions, {errors} errors\n"));
        }
        print(&format!("{:.1} s\n", since.elapsed().as_secs_f64()));
    }
    if wrong > 0 { Err(TablesError::Wrong(wrong, reports.len())) } else { Ok(()) }
}

/// Tables as an object: the sums of each number of pieces, and each table.
fn described(variant: &Variant, folder: &Path, headers: &[Header]) -> Value {
    let levels: Vec<Value> = (2..=MAX_PIECES)
        .filter_map(|pieces| {
            let level: Vec<&Header> = headers.iter().filter(|header| header.material.pieces() == pieces).collect();
            let bytes: u64 = level.iter().map(|header| header.bytes).sum();
            let mut sum = Totals::default();
            level.iter().for_each(|header| sum.add(&header.totals));
            let mut object = show::totals(&sum);
            object["pieces"] = json!(pieces);
            object["tables"] = json!(level.len());
            object["complete"] = json!(level.len() == Material::all(pieces).len());
            object["bytes"] = json!(bytes);
            (!level.is_empty()).then_some(object)
        })
        .collect();
    let tables: Vec<Value> = headers.iter().map(show::header).collect();
    json!({
        "variant": variant.id,
        "rules": format!("{:016x}", endgame::rules_hash(&variant.set)),
        "folder": folder.display().to_string(),
        "levels": levels,
        "tables": tables,
    })
}
