//! One game of the program against itself, and which of its positions are worth learning from.

use super::known::Known;
use super::random::Random;
use super::record::Record;
use crate::engine::{Engine, Limits, Report, Score, Signals, Verdict};
use crate::game::Game;
use crate::game::board::Color;
use crate::game::kernels::AnyKernel;
use crate::game::line::Width;
use crate::game::plain::{Outcome, PlainMove, State};
use crate::game::position::Referee;
use crate::game::variant::Variant;
use std::sync::Arc;

/// Random plies at the start of a game, at least and at most.
const OPENING: (usize, usize) = (4, 9);
/// Openings that a search finds this unequal are not played.
const MOST_UNEQUAL: Score = 150;
/// Openings looked at before an unequal one is taken.
const MOST_OPENINGS: usize = 100;
/// One move in so many is random,
const RANDOM_MOVE: usize = 10;
/// up to this share of a long game, in plies for each square of the board.
const RANDOM_UNTIL: f64 = 1.7;
/// A score beyond this for [`DECIDED_PLIES`] plies decides a game.
const DECIDED: Score = 600;
/// Plies for which a score must stand.
const DECIDED_PLIES: usize = 6;
/// Longest game.
pub(super) const MOST_PLIES: usize = 300;
/// A draw after so many plies in which nothing lasting happened.
const NO_PROGRESS: u16 = 50;
/// Positions later than so many plies after the last progress are kept one time in [`STALE_KEPT`].
const STALE: u16 = 8;
const STALE_KEPT: usize = 4;
/// Positions with fewer pieces are not kept.
const FEWEST: u32 = 4;
/// No position with a score beyond this is kept.
const MOST_KEPT: Score = 2_000;

/// How games are played.
#[derive(Clone)]
pub struct Plan {
    /// The rules.
    pub variant: Arc<Variant>,
    /// Nodes of each search.
    pub nodes: u64,
    /// Where random choices come from.
    pub seed: u64,
    /// What ends drawn games; wins are seen by the searches, which use these tables too.
    pub tables: Option<Arc<Known>>,
}

/// Nobody listens to the single searches.
pub(super) struct Deaf;

impl Report for Deaf {
    fn info(&self, _: &crate::engine::Info) {}
}

/// What is known of a position before it is searched.
struct Look {
    /// Neither side can capture, and more than one move is legal.
    quiet: bool,
    stale: u16,
    record: Record,
}

/// Plays game `number` and gives the positions to learn from, with its result.
pub fn play(plan: &Plan, engine: &mut Engine, number: u64) -> Vec<Record> {
    let mut random = Random::new(plan.seed, number);
    engine.clear();
    let mut game = opening(plan, engine, &mut random);
    let until = (RANDOM_UNTIL * plan.variant.set.board.squares() as f64) as usize;
    let (mut kept, mut decided) = (Vec::new(), 0i32);
    let outcome = loop {
        if let State::Over(outcome, _) = game.state() {
            break outcome;
        }
        let look = look(&game, number);
        let dead = plan.tables.as_ref().is_some_and(|known| known.is_draw(&game));
        if game.plies() >= MOST_PLIES || look.stale >= NO_PROGRESS || dead {
            break Outcome::Draw;
        }
        let (score, best) = search(plan, engine, &game);
        if let Verdict::End { won, .. } = Verdict::of(score) {
            break Outcome::Win(if won { game.side() } else { game.side().other() });
        }
        decided = run_of(decided, white(score, game.side()));
        if decided.unsigned_abs() as usize >= DECIDED_PLIES {
            break Outcome::Win(if decided > 0 { Color::White } else { Color::Black });
        }
        let fresh = look.stale <= STALE || random.one_in(STALE_KEPT);
        if look.quiet && fresh && score.abs() <= MOST_KEPT && look.record.count() >= FEWEST {
            kept.push(Record { score: score as i16, ..look.record });
        }
        let chance = game.plies() < until && random.one_in(RANDOM_MOVE);
        let mv = if chance { any(&game, &mut random) } else { best };
        game.play(&mv).expect("a legal move");
    };
    kept.iter_mut().for_each(|record| record.result = result(outcome, record.side));
    kept
}

/// A position after some random moves, about equal. Where the rules hardly have any, one that is not.
fn opening(plan: &Plan, engine: &mut Engine, random: &mut Random) -> Game {
    for attempt in 0.. {
        let mut game = Game::new(plan.variant.clone());
        let plies = OPENING.0 + random.below(OPENING.1 - OPENING.0 + 1);
        for _ in 0..plies {
            if game.state() != State::Ongoing {
                break;
            }
            let mv = any(&game, random);
            game.play(&mv).expect("a legal move");
        }
        let ongoing = game.state() == State::Ongoing;
        if attempt >= MOST_OPENINGS && (ongoing || plies == OPENING.0) {
            return game;
        }
        if ongoing && search(plan, engine, &game).0.abs() <= MOST_UNEQUAL {
            return game;
        }
    }
    unreachable!("attempts are counted without end")
}

fn any(game: &Game, random: &mut Random) -> PlainMove {
    let mut moves = game.moves();
    moves.swap_remove(random.below(moves.len()))
}

fn search(plan: &Plan, engine: &mut Engine, game: &Game) -> (Score, PlainMove) {
    let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    let answer = engine.go(game, &limits, &Signals::default(), &Deaf);
    let score = answer.info.map_or(0, |info| info.score);
    (score, answer.best.expect("the game goes on"))
}

fn white(score: Score, side: Color) -> Score {
    if side == Color::White { score } else { -score }
}

/// Plies in a row that a score has been beyond [`DECIDED`], negative when Black wins.
fn run_of(before: i32, white: Score) -> i32 {
    if white.abs() < DECIDED {
        0
    } else if white > 0 {
        before.max(0) + 1
    } else {
        before.min(0) - 1
    }
}

fn result(outcome: Outcome, side: Color) -> u8 {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) => 2 * u8::from(winner == side),
    }
}

fn look(game: &Game, number: u64) -> Look {
    let variant = game.variant();
    match (game.width(), &variant.kernel) {
        (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
            let referee = Referee { variant, kernel };
            let pieces = &line.now.pieces;
            let threats = referee.capturers(pieces, Color::White) | referee.capturers(pieces, Color::Black);
            let choice = referee.mobility(pieces, line.now.side) > 1;
            let (sides, kings) = Record::squares(&variant.geometry, pieces);
            let ply = game.plies().min(255) as u8;
            let record =
                Record { sides, kings, score: 0, result: 1, ply, side: line.now.side, game: number as u32 & 0xff_ffff };
            Look { quiet: threats == 0 && choice, stale: line.now.quiet_plies, record }
        }
        _ => unreachable!("only narrow boards are learned"),
    }
}
