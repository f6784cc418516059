//! Opening books: `damka book build|merge|dump|info`.

mod build;
mod dump;
mod expand;
mod info;

use super::Ending;
use super::common::JobError;
use crate::engine::book::Book;
use crate::game::Variant;
use crate::protocol::start::{Start, read_book};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Makes and reads opening books.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(subcommand)]
    job: Job,
}

#[derive(clap::Subcommand, Clone, Debug)]
enum Job {
    /// Makes a book from games, from the engine's own analysis, or from both.
    #[command(after_help = "\
Examples:
  damka book build games.pdn --min-games 3 --out games.book
  damka book build --self 500 --nodes 50000 --out own.book --variant russian
  damka book build games.pdn --self 200 --out both.book")]
    Build(build::Args),
    /// Adds books up; games are counted together, the scores of later books go before those of earlier ones.
    Merge {
        /// The books.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The book to write.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Hundredths of a man that a move may lose.
        #[arg(long, value_name = "CP", default_value_t = 50, value_parser = clap::value_parser!(i16).range(0..))]
        margin: i16,
    },
    /// Writes a book as one PDN game with variations, to standard output.
    Dump {
        /// The book; without it the one inside the program.
        file: Option<PathBuf>,
    },
    /// Tells what is in a book.
    Info {
        /// The book; without it the one inside the program.
        file: Option<PathBuf>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

/// Does what the command line says. When a signal ends it, the book holds what was finished.
pub fn run(args: &Args, start: &Start) -> Result<Ending, JobError> {
    let asked = start.asked()?;
    match &args.job {
        Job::Build(args) => return build::run(args, start),
        Job::Merge { files, out, margin } => merge(files, out, *margin, asked)?,
        Job::Dump { file } => dump::run(&open(file.as_deref(), asked)?)?,
        Job::Info { file, json } => info::run(&open(file.as_deref(), asked)?, *json)?,
    }
    Ok(Ending::Fine)
}

/// Opens a book; without rules those that its name says.
fn open(file: Option<&Path>, asked: Option<Arc<Variant>>) -> Result<Book, JobError> {
    let Some(path) = file else {
        let variant = asked.unwrap_or_else(|| Variant::all()[0].clone());
        let none = || {
            JobError::argument(
                "FILE",
                "nothing",
                format!("a book; the program has none of its own for '{}'", variant.id),
            )
        };
        return crate::engine::book::embedded(&variant).ok_or_else(none);
    };
    let text = path.display().to_string();
    let variant = match asked {
        Some(variant) => variant,
        None => crate::protocol::start::rules_of_book(&text)?,
    };
    Ok(read_book(&text, &variant)?)
}

fn merge(files: &[PathBuf], out: &Path, margin: i16, asked: Option<Arc<Variant>>) -> Result<(), JobError> {
    let mut sum: Option<Book> = None;
    for file in files {
        let rules = sum.as_ref().map(|book| book.variant().clone()).or(asked.clone());
        let book = open(Some(file), rules)?;
        match &mut sum {
            Some(sum) => sum.merge(&book),
            None => sum = Some(book),
        }
    }
    let mut book = sum.expect("at least one file is required");
    book.weigh(margin);
    book.prune();
    write(&book, out)
}

/// Writes a book in one step, so that nobody reads half of it.
fn write(book: &Book, path: &Path) -> Result<(), JobError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let fresh = path.with_file_name(name);
    std::fs::write(&fresh, book.write(&book.variant().id))
        .and_then(|()| std::fs::rename(&fresh, path))
        .map_err(JobError::file(path))
}

#[cfg(test)]
mod tests;
