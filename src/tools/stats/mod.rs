//! `damka stats`: results, lengths and deviations of games, counted by rule set, opening, player and more.

mod outcome;
mod show;
mod tally;

use super::Ending;
use super::common::{JobError, Results, source};
use crate::game::Game;
use crate::notation::pdn::{Item, PdnError, PdnGame};
use crate::protocol::start::Start;
use std::path::PathBuf;
use tally::{Key, Tally};

/// Words of `damka stats`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files of games; `-` = the standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub inputs: Vec<PathBuf>,
    /// What the rows are.
    #[arg(long, value_name = "WHAT", default_value = "variant")]
    pub by: By,
    /// Plies of an opening. Different move orders to the same position are one opening.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub plies: u16,
    /// Leave out rows of fewer games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_games: u64,
    /// Only the rows with the most games.
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// White's points come first in every result. Otherwise they are those of the side that moves first in the rules, which in
    /// English draughts is Black.
    #[arg(long)]
    pub white_first: bool,
    /// Comma-separated values.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Columns: games; white, draws, black: games won by White, drawn, won by Black; unknown: games without such a result; score: White's
points in percent of the games with a result; plies: legal moves of the main lines; average: plies a game; errors and warnings as
damka validate counts them. By player the result columns are wins, draws, losses of that player.

Examples:
  damka stats games.pdn
  damka stats --by opening --plies 6 --top 20 games.pdn
  damka stats --by player --min-games 10 --csv games.pdn > players.csv
  damka stats --by file --json *.pdn | jq .total

Exit codes: 0 counted, 1 some games could not be read (counted as errors), 2 bad command line or input that cannot be read.";

/// What the rows are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum By {
    /// Rule sets.
    Variant,
    /// Positions after the first plies.
    Opening,
    /// Players: the tags White and Black.
    Player,
    /// The tag Event.
    Event,
    /// The first four digits of the tag Date.
    Year,
    /// Results as they are written.
    Result,
    /// Files.
    File,
}

/// Counts every input.
pub fn run(args: &Args, start: &Start) -> Result<Ending, JobError> {
    let mut tally = Tally::default();
    for path in &args.inputs {
        let name = source::name(path);
        if args.by == By::File {
            tally.row(&name);
        }
        for read in source::games(path, start.asked()?)? {
            match read {
                Ok(game) => count(args, &mut tally, &name, &game),
                Err(PdnError::Io { file, source, .. }) => {
                    return Err(JobError::File { path: file.to_string().into(), source });
                }
                Err(_) => tally.unreadable(if args.by == By::File { &name } else { "(unreadable)" }),
            }
        }
    }
    let mut results = Results::stdout();
    show::show(args, &tally, &mut results)?;
    results.flush()?;
    Ok(if tally.lost > 0 { Ending::Faults } else { Ending::Fine })
}

fn count(args: &Args, tally: &mut Tally, file: &str, game: &PdnGame) {
    let result = outcome::read(game, args.white_first);
    let tag = |name: &str| game.tag(name).map(str::trim).filter(|value| !matches!(*value, "" | "?")).unwrap_or("?");
    match args.by {
        By::Variant => tally.game(Key::text(&game.variant.id), game, result),
        By::File => tally.game(Key::text(file), game, result),
        By::Event => tally.game(Key::text(tag("Event")), game, result),
        By::Year => tally.game(Key::text(year(tag("Date"))), game, result),
        By::Result => tally.game(Key::text(game.outcome().unwrap_or("?").trim()), game, result),
        By::Opening => {
            if let Some(key) = opening(game, args.plies.into()) {
                tally.game(key, game, result);
            } else {
                tally.game(Key::text("(shorter)"), game, result);
            }
        }
        By::Player => {
            tally.player(Key::text(tag("White")), game, result);
            tally.player(Key::text(tag("Black")), game, result.map(outcome::Outcome::turned));
        }
    }
    tally.total.game(game, result);
}

/// Four digits of a date such as `2004.10.27` or `1.1.1965`.
fn year(date: &str) -> &str {
    let parts = date.split(|c: char| !c.is_ascii_digit());
    parts.into_iter().find(|part| part.len() == 4).unwrap_or("?")
}

/// The position after some plies, named by the moves of the first game that reached it.
fn opening(game: &PdnGame, plies: usize) -> Option<Key> {
    let mut now: Game = game.start_game()?;
    let mut texts = Vec::with_capacity(plies);
    for item in game.main() {
        if texts.len() == plies {
            break;
        }
        match item {
            Item::Move(item) => {
                let mv = item.mv.as_ref()?;
                texts.push(item.text.clone());
                now.play(mv).ok()?;
            }
            Item::Setup(..) => return None,
            _ => {}
        }
    }
    (texts.len() == plies).then(|| Key::position(&game.variant, &now, texts.join(" ")))
}
