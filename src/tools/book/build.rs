//! Books from games and from analysis.

use super::expand::{Expander, Plan};
use crate::engine::book::Book;
use crate::game::board::Color;
use crate::game::{Game, Variant};
use crate::notation::pdn::{Kind, PdnGame};
use crate::protocol::start::Start;
use crate::tools::Ending;
use crate::tools::common::{JobError, source, stop};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// PDN files; - is standard input. Games by other rules are left out.
    pub files: Vec<PathBuf>,
    /// The book to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Positions to analyse, the likeliest to be met first. Without files at least 1.
    #[arg(long = "self", value_name = "N", default_value_t = 0)]
    pub own: usize,
    /// Nodes for each analysed position.
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Moves looked at in each of them.
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=32))]
    pub multipv: u32,
    /// Plies from the start.
    #[arg(long, value_name = "PLIES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub plies: u32,
    /// Moves that were played in fewer games are left out.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_games: u32,
    /// Hundredths of a man that a move may lose.
    #[arg(long, value_name = "CP", default_value_t = 30, value_parser = clap::value_parser!(i16).range(0..))]
    pub margin: i16,
}

/// Builds a book.
pub fn run(args: &Args, start: &Start) -> Result<Ending, JobError> {
    if args.files.is_empty() && args.own == 0 {
        return Err(JobError::argument("book build", "no files and no --self", "PDN files, --self N, or both"));
    }
    let asked = start.asked()?;
    let variant = match &asked {
        Some(variant) => variant.clone(),
        None => start.choices()?.variant,
    };
    let signals = stop::on_ctrl_c();
    let mut book = Book::new(variant.clone());
    let mut others = 0;
    for file in &args.files {
        for game in source::games(file, asked.clone())? {
            match game {
                Ok(game) if plays(&game, &variant) => count(&mut book, &game, args.plies),
                Ok(_) => others += 1,
                Err(error) => eprintln!("damka: {error}"),
            }
        }
    }
    if others > 0 {
        eprintln!("damka: {others} games by other rules than '{}' are left out; --variant chooses", variant.id);
    }
    book.keep(|mv| mv.games >= args.min_games);
    let mut complete = true;
    if args.own > 0 {
        let plan = Plan {
            positions: args.own,
            nodes: args.nodes,
            lines: args.multipv as usize,
            plies: args.plies,
            margin: args.margin,
            threads: start.threads(),
        };
        let mut expander = Expander::new(plan);
        expander.add(&Game::new(variant));
        expander.follow(&book);
        complete = expander.run(&signals);
        expander.tell(&mut book);
    }
    book.weigh(args.margin);
    book.prune();
    super::write(&book, &args.out)?;
    Ok(if complete { Ending::Fine } else { Ending::Stopped })
}

/// Whether a game was played by the book's rules from their starting position.
fn plays(game: &PdnGame, variant: &Arc<Variant>) -> bool {
    let foreign = game.warnings.iter().any(|warning| matches!(warning.kind, Kind::OtherVariant { .. }));
    !foreign && game.variant.set == variant.set
}

/// Adds a game's first moves. The first number of its result is taken to be White's.
fn count(book: &mut Book, game: &PdnGame, plies: u32) {
    let white = points(game.outcome().unwrap_or("*"));
    for position in game.positions().take(plies as usize) {
        let side = position.game.side();
        let known = book.entry(&position.game, &position.mv);
        known.games = known.games.saturating_add(1);
        let made = white.map_or(1, |white| if side == Color::White { white } else { 2 - white });
        known.half_points = known.half_points.saturating_add(made);
    }
}

/// White's half points, 0 to 2; `None` when nothing is known.
fn points(result: &str) -> Option<u32> {
    match result {
        "1/2-1/2" => return Some(1),
        "*" => return None,
        _ => {}
    }
    let (white, black) = result.split_once('-')?;
    let (white, black) = (white.trim().parse::<u32>().ok()?, black.trim().parse::<u32>().ok()?);
    Some(match white.cmp(&black) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0,
    })
}
