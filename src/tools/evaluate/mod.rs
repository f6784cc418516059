//! `damka evaluate`: positions in, one a line, answers out, one JSON object a line.
//!
//! Answers keep the order of the lines and do not depend on the number of threads: each position is searched by one thread with
//! an empty table. A line that is no position is answered with an object that says why. Nothing is kept of a line once it is
//! answered, so memory does not grow with the input.

mod answer;
mod request;

use super::Ending;
use super::common::think::{self, Thinker};
use super::common::{Effort, JobError, Results, ordered, source};
use crate::engine::{Limits, Signals, TableChoice};
use crate::protocol::reader::{Line, Lines};
use crate::protocol::start::Start;
use answer::Answer;
use request::Request;
use serde_json::json;
use std::path::PathBuf;

/// Words of `damka evaluate`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// File of positions, one a line; `-` = the standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub input: PathBuf,
    #[command(flatten)]
    pub effort: Effort,
    /// Add the legal moves. Without a limit, the position is not searched.
    #[arg(long)]
    pub legal: bool,
    /// Add the static evaluation and its parts. Without a limit, the position is not searched.
    #[arg(long = "static")]
    pub fixed: bool,
    /// Endgame tables: the folder they are in, or `cache` for that of the user. By default none are used.
    #[arg(long, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
}

const EXAMPLES: &str = "\
A line is a FEN, or a JSON object {\"fen\": …} with \"variant\", \"moves\" and \"id\" if need be; the id comes back.

Examples:
  damka evaluate --nodes 1000 < positions.txt
  echo 'W:W31,32:B19,20' | damka evaluate --depth 8 --multipv 3 | jq .lines
  damka --variant english evaluate --tables cache endings.txt | jq .table
  damka --variant russian evaluate --legal --static positions.txt
  echo '{\"id\": 7, \"variant\": \"turkish\", \"fen\": \"W:Wa1:Bh8\"}' | damka evaluate

Exit codes: 0 all lines answered, 1 some lines were no positions (their answers say why), 2 bad command line or input that cannot be read.";

/// Answers every line.
pub fn run(args: &Args, start: &Start) -> Result<Ending, JobError> {
    let choices = start.choices()?;
    let mut lines = Lines::new(source::open(&args.input)?);
    let mut number = 0;
    let mut failed = None;
    let requests = std::iter::from_fn(|| match lines.next_line() {
        Ok(line) => line.map(|line| {
            number += 1;
            (number, line)
        }),
        Err(error) => {
            failed = Some(error);
            None
        }
    });
    let mut results = Results::stdout();
    let mut ending = Ending::Fine;
    let limits = args.effort.limits();
    let hash = start.hash_mb.unwrap_or_else(|| think::hash_for(&limits));
    let tables = match &args.tables {
        None => TableChoice::Off,
        Some(folder) if folder.as_os_str() == "cache" => TableChoice::Cache,
        Some(folder) if folder.is_dir() => TableChoice::Folder(folder.clone()),
        Some(folder) => {
            let expected = "the folder of endgame tables, or cache";
            return Err(JobError::argument("--tables", folder.display(), expected));
        }
    };
    let worker = || {
        let mut thinker = Thinker::with_tables(hash, args.effort.multipv.into(), tables.clone());
        let (variant, limits) = (&choices.variant, &limits);
        move |(number, line): (usize, Line)| {
            Some(answer(args, &mut thinker, limits, number, Request::read(&line, variant)))
        }
    };
    ordered::run(choices.engine.threads, requests, worker, |answer: Answer| {
        if answer.is_error {
            ending = Ending::Faults;
        }
        results.line(&answer.text)?;
        // Whoever sends lines one by one waits for each answer.
        results.flush()
    })?;
    match failed {
        Some(error) => Err(JobError::File { path: source::name(&args.input).into(), source: error }),
        None => Ok(ending),
    }
}

fn answer(args: &Args, thinker: &mut Thinker, limits: &Limits, line: usize, request: Request) -> Answer {
    let Request { id, game } = request;
    let game = match game {
        Ok(game) => game,
        Err(error) => return Answer::error(line, id, &error),
    };
    let mut object = answer::position(line, id, &game);
    if args.effort.is_given() || !(args.legal || args.fixed) {
        let over = object["state"] != json!("ongoing");
        thinker.forget();
        let found = if over { None } else { thinker.think(&game, limits, &Signals::default()) };
        answer::add_search(&mut object, &game, found.as_deref(), args.effort.multipv > 1);
        answer::add_table(&mut object, thinker.table_value(&game));
    }
    if args.fixed {
        answer::add_static(&mut object, &thinker.engine().evaluate(&game));
    }
    if args.legal {
        answer::add_legal(&mut object, &game);
    }
    Answer { text: object.to_string(), is_error: false }
}
