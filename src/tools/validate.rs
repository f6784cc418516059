//! `damka validate`: what is wrong in games and positions, and where.

use super::Ending;
use super::common::source::{self, Input};
use super::common::{Format, JobError, Numbers, Positions, Results, score};
use crate::notation::pdn::{PdnError, Reader, Warning};
use crate::protocol::start::Start;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Words of `damka validate`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files; `-` = the standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub inputs: Vec<PathBuf>,
    /// What comes in; by default told by the file's name or its first line.
    #[arg(long, value_name = "FORM")]
    pub from: Option<Format>,
    /// How Hub counts squares.
    #[arg(long, value_name = "HOW", default_value = "pydraughts")]
    pub square_numbering: Numbers,
    /// Deviations from the standard are wrong too, not only what cannot be understood.
    #[arg(long)]
    pub strict: bool,
    /// List errors only.
    #[arg(short, long)]
    pub quiet: bool,
    /// One JSON object for each finding, and one with the counts.
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
An error is what cannot be understood: an illegal or ambiguous move, a position that cannot be set up, a comment or variation that is
never closed, a game too large to hold. A warning is what deviates from PDN 3.0 and was read nevertheless.

Examples:
  damka validate games.pdn
  damka validate --quiet *.pdn
  damka validate --json games.pdn | jq -r 'select(.severity == \"error\") | .message'
  damka --variant russian validate positions.fen

Exit codes: 0 nothing wrong, 1 errors found (with --strict: or warnings), 2 bad command line or input that cannot be read.";

/// What was found so far.
struct Findings<'a> {
    args: &'a Args,
    results: Results,
    /// Name of the input at hand.
    name: String,
    games: usize,
    positions: usize,
    plies: usize,
    errors: usize,
    warnings: usize,
}

/// Looks through every input.
pub fn run(args: &Args, start: &Start) -> Result<Ending, JobError> {
    let results = Results::stdout();
    let mut found =
        Findings { args, results, name: String::new(), games: 0, positions: 0, plies: 0, errors: 0, warnings: 0 };
    for path in &args.inputs {
        let mut input = source::open(path)?;
        let from = match args.from {
            Some(from) => from,
            None => Format::of(path, &mut input).map_err(JobError::file(path))?,
        };
        found.name = source::name(path);
        match from {
            Format::Pdn => found.games(source::reader(path, input, start.asked()?))?,
            _ => found.positions(Positions::new(path, input, from, args.square_numbering, start)?)?,
        }
    }
    found.end()
}

impl Findings<'_> {
    fn games(&mut self, games: Reader<Input>) -> Result<(), JobError> {
        for read in games {
            self.games += 1;
            match read {
                Ok(game) => {
                    self.plies += game.plies();
                    game.warnings.iter().try_for_each(|warning| self.warning(warning))?;
                }
                Err(PdnError::Io { file, source, .. }) => {
                    return Err(JobError::File { path: file.to_string().into(), source });
                }
                Err(error) => self.error(&error.to_string(), &score::unreadable(&error))?,
            }
        }
        Ok(())
    }

    fn warning(&mut self, warning: &Warning) -> Result<(), JobError> {
        if warning.kind.is_error() {
            return self.error(&warning.to_string(), &score::warning(warning));
        }
        self.warnings += 1;
        if self.args.quiet {
            return Ok(());
        }
        self.tell("warning", &warning.to_string(), &score::warning(warning))
    }

    fn error(&mut self, text: &str, object: &Value) -> Result<(), JobError> {
        self.errors += 1;
        self.tell("error", text, object)
    }

    /// `FILE:LINE: error: game N, ply P: what was read, and what was expected`, as compilers do it.
    fn tell(&mut self, severity: &str, text: &str, object: &Value) -> Result<(), JobError> {
        if self.args.json {
            return self.results.line(&object.to_string());
        }
        let place = text.strip_prefix(&*self.name).and_then(|rest| rest.find(": ")).map(|at| self.name.len() + at);
        let (place, message) = text.split_at(place.unwrap_or(0));
        self.results.line(&format!("{place}: {severity}{message}"))
    }

    fn positions(&mut self, mut lines: Positions) -> Result<(), JobError> {
        while let Some(line) = lines.next_line()? {
            self.positions += 1;
            if let Err(message) = line.read {
                let (name, number) = (lines.name.clone(), line.number);
                let text = format!("{name}:{number}: {message}");
                let object = json!({"file": name, "line": number, "severity": "error", "message": message});
                self.error(&text, &object)?;
            }
        }
        Ok(())
    }

    fn end(mut self) -> Result<Ending, JobError> {
        let Findings { games, positions, plies, errors, warnings, .. } = self;
        if self.args.json {
            let counts = json!({
                "games": games, "positions": positions, "plies": plies, "errors": errors, "warnings": warnings,
            });
            self.results.line(&json!({"summary": counts}).to_string())?;
        } else {
            let what =
                if positions > 0 { format!("{games} games, {positions} positions") } else { format!("{games} games") };
            self.results.line(&format!("{what}, {plies} plies, {errors} errors, {warnings} warnings"))?;
        }
        self.results.flush()?;
        let wrong = errors > 0 || self.args.strict && warnings > 0;
        Ok(if wrong { Ending::Faults } else { Ending::Fine })
    }
}
