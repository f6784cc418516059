//! Play below full strength, weak in the way people are: it sees the near and misses the far, now and then takes a move that is
//! nearly as good for the best one, and asks no tables.
//!
//! A level looks no more than so many plies ahead, forced lines included, so a short shot is seen and a long one is not. Every
//! root move gets a score of its own, and a little chance is added before the best is taken. From level [`CAREFUL`] on the
//! chance never reaches half a man, and a move that captures alone would make cost a man is taken only where the others are worse
//! by three: a quick search believes too easily that something came in return. The levels below that also play a move at random now and then.

use super::params::{MAX_DEPTH, MAX_PLY};
use super::root::{Root, RootMove, Task};
use super::score::PROVED;
use super::search::{Pv, Stopped, Worker};
use super::{Answer, Bound, Score, WIN};
use crate::game::board::{Color, Word};
use crate::game::generate::Pieces;
use crate::game::moves::{Move, MoveList};
use crate::game::position::{Position, Referee};
use crate::game::rules::{Duty, Goal};
use std::sync::atomic::Ordering::Relaxed;

/// The level of full strength.
pub const FULL_LEVEL: u16 = 20;
/// From this level on no man is given up for nothing.
pub const CAREFUL: u16 = 5;
/// A move that is worse by more, in hundredths of a man, is not taken by chance from there on.
const MOST_LUCK: Score = 45;
/// Parts that a level is cut into, for strengths between two levels.
const PARTS: u16 = 100;

/// From [`CAREFUL`] on a move that keeps a man is taken before one that offers it, unless it is worse by more than this.
const MOST_CARE: Score = 300;

/// How far each level lies above level 0, in Elo, measured between even levels; README.md says how.
const ELO: [u16; FULL_LEVEL as usize + 1] = [
    0, 110, 210, 360, 510, 740, 1_000, 1_160, 1_320, 1_450, 1_590, 1_680, 1_770, 1_860, 1_950, 2_020, 2_100, 2_180,
    2_260, 2_340, 2_650,
];
/// Where the scale of `UCI_Elo` puts level 0.
const ELO_BASE: u16 = 600;

/// A strength below full, and where its chance comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// The level, in hundredths.
    level: u16,
    /// The same seed gives the same move in the same game.
    seed: u64,
}

impl Handicap {
    /// A level in hundredths; `None` at full strength.
    pub fn new(level: u16, seed: u64) -> Option<Handicap> {
        (level < FULL_LEVEL * PARTS).then_some(Handicap { level, seed })
    }

    /// Whether the move after so many plies is played below full strength. Between the last two levels a share of the moves is
    /// not, as full strength has no measure that one could come near to by degrees.
    pub(super) fn holds(&self, plies: usize) -> bool {
        let full = self.level.saturating_sub((FULL_LEVEL - 1) * PARTS);
        mix(mix(self.seed) ^ plies as u64) % u64::from(PARTS) >= u64::from(full)
    }

    /// The level, in hundredths, that plays at a strength on the scale of `UCI_Elo`.
    pub fn level_of_elo(elo: u16) -> u16 {
        let above = elo.saturating_sub(ELO_BASE);
        let upper = ELO.iter().position(|&rung| rung > above).unwrap_or(ELO.len()).max(1);
        let lower = upper as u16 - 1;
        let Some(&next) = ELO.get(upper) else { return FULL_LEVEL * PARTS };
        let from = ELO[upper - 1];
        let part = u32::from(above - from.min(above)) * u32::from(PARTS) / u32::from((next - from).max(1));
        lower * PARTS + part as u16
    }

    /// The strength of a level on the scale of `UCI_Elo`.
    pub const fn elo_of_level(level: u16) -> u16 {
        ELO_BASE + ELO[if level < FULL_LEVEL { level } else { FULL_LEVEL } as usize]
    }
}

/// What a level comes to in one position.
#[derive(Clone, Debug)]
pub(super) struct Human {
    /// Iterations, and the ply beyond which only captures are looked at.
    plies: u32,
    /// Iterations that are finished in any case.
    least_plies: u32,
    /// No further iteration begins after half as many nodes.
    nodes: u64,
    /// Standard deviation of what chance adds to a score.
    noise: f64,
    /// Moves that are worse by more are not taken.
    window: Score,
    /// One move in so many thousand is any move.
    blind: u64,
    /// Whether men are looked after.
    careful: bool,
    dice: u64,
}

impl Human {
    /// The level at a position with this key, after so many plies.
    pub(super) fn new(handicap: &Handicap, key: u64, plies: usize) -> Human {
        let level = f64::from(handicap.level) / f64::from(PARTS);
        let dice = mix(handicap.seed ^ mix(key ^ mix(plies as u64)));
        let careful = handicap.level >= CAREFUL * PARTS;
        let beginner = (f64::from(CAREFUL) - level).max(0.0);
        let skilled = (level - f64::from(CAREFUL)).max(0.0);
        let depth = if careful { 1.0 + 0.9 * skilled } else { 1.0 };
        // Between two depths the share of either makes the difference.
        let plies = (depth + share(mix(dice ^ 1))) as u32;
        let unsteady = 1.0 - skilled / f64::from(FULL_LEVEL - CAREFUL);
        Human {
            plies: plies.max(1),
            least_plies: plies.clamp(1, 2),
            nodes: (40.0 * (0.58 * level).exp2()) as u64,
            noise: if careful { 40.0 * unsteady.powf(1.5) } else { 45.0 + 25.0 * beginner },
            window: if careful { MOST_LUCK } else { 2 * WIN },
            blind: (30.0 * beginner + 12.0 * beginner * beginner) as u64,
            careful,
            dice,
        }
    }

    /// The most nodes a search may ever take: whole iterations are wanted, but not at any price.
    pub(super) fn most_nodes(&self) -> u64 {
        30_000 + 10 * self.nodes
    }

    /// Which of the moves, best first, is played.
    fn choose<W: Word>(&self, referee: Referee<W>, position: &Position<W>, moves: &[RootMove<W>]) -> usize {
        let best = moves[0].score;
        if self.blind > 0 && mix(self.dice ^ 2) % 1000 < self.blind {
            return (mix(self.dice ^ 3) % moves.len() as u64) as usize;
        }
        if best.abs() > PROVED {
            return 0;
        }
        let after = |mv: &Move<W>| -exchange(&referee, &referee.play(position, mv), LONGEST_EXCHANGE, &mut 0);
        let near = |root: &&RootMove<W>| root.score > -WIN && root.score >= best - self.window;
        let guarded = self.careful && referee.set().goal != Goal::Lose;
        // A man is offered only where every move that keeps it is clearly worse.
        let fair = |root: &&RootMove<W>| root.score > -WIN && root.score >= best - MOST_CARE;
        let kept = if guarded { moves.iter().filter(fair).map(|root| after(&root.mv)).max() } else { None };
        let keeps = |root: &RootMove<W>| kept.is_none_or(|kept| after(&root.mv) >= kept);
        let lucky = |root: &RootMove<W>| {
            let luck = bell(mix(self.dice ^ mix(u64::from(root.mv.key().0) + 4)));
            f64::from(root.score) + luck * self.noise
        };
        let first = moves.iter().position(|root| fair(&root) && keeps(root)).unwrap_or(0);
        let mut choice = (first, f64::NEG_INFINITY);
        for (place, root) in moves.iter().enumerate().filter(|(_, root)| near(root)) {
            let worth = lucky(root);
            if worth > choice.1 && keeps(root) {
                choice = (place, worth);
            }
        }
        choice.0
    }
}

/// Plies that captures are followed when they are counted.
const LONGEST_EXCHANGE: u32 = 16;
/// Positions looked at for one count.
const MOST_EXCHANGED: u32 = 2_000;

/// What captures alone come to for the side to move, in men; a king counts for three.
fn exchange<W: Word>(referee: &Referee<W>, position: &Position<W>, plies: u32, seen: &mut u32) -> i32 {
    let balance = balance(&position.pieces, position.side);
    *seen += 1;
    if plies == 0 || *seen > MOST_EXCHANGED || referee.settled(position).is_some() {
        return balance;
    }
    let mut list = MoveList::new();
    referee.generate_captures(position, &mut list);
    let optional = list.is_empty() || referee.set().duty != Duty::Mandatory;
    let mut best = if optional { balance } else { i32::MIN };
    for mv in &list {
        best = best.max(-exchange(referee, &referee.play(position, mv), plies - 1, seen));
    }
    best
}

fn balance<W: Word>(pieces: &Pieces<W>, side: Color) -> i32 {
    let worth = |color| (pieces.men(color).count() + 3 * pieces.kings(color).count()) as i32;
    worth(side) - worth(side.other())
}

/// Runs a search at a level to its end, and chooses.
pub(super) fn lead<W: Word>(worker: &mut Worker<W>, task: &Task<W>, human: &Human) -> Answer {
    worker.horizon = (human.plies as usize).min(MAX_PLY);
    let margin = match task.multi_pv {
        1 if human.careful => human.window.max(MOST_CARE),
        1 => human.window,
        _ => 2 * WIN,
    };
    let deepest = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, human.plies);
    let mut root = Root::new(worker, task);
    let mut known = None;
    for depth in 1..=deepest {
        let before = root.best();
        if every_move(&mut root, depth, margin).is_err() {
            break;
        }
        report(&mut root, depth);
        known = Some((depth, root.moves.clone()));
        let info = root.info(0, depth, Bound::Exact);
        let enough = depth >= human.least_plies && 2 * info.nodes >= human.nodes;
        if root.settles(depth, &before, &info) || enough {
            break;
        }
    }
    root.worker.shared.done.store(true, Relaxed);
    let Some((depth, moves)) = known else { return root.answer(None) };
    root.moves = moves;
    let choice = human.choose(root.worker.referee, task.position, &root.moves);
    root.moves[..=choice].rotate_right(1);
    let info = root.info(0, depth, Bound::Exact);
    if choice > 0 && root.worker.watch.is_some() {
        task.report.info(&info);
    }
    root.answer(Some(info))
}

/// Gives every root move that is not worse than the best by more than `margin` a score of its own.
fn every_move<W: Word>(root: &mut Root<W>, depth: u32, margin: Score) -> Result<(), Stopped> {
    let (position, worker) = (root.task.position, &mut *root.worker);
    worker.deepest = 0;
    worker.root_depth = depth;
    let key = position.full_key(worker.referee.set());
    let mut best = -WIN;
    for entry in &mut root.moves {
        let child = worker.referee.play(position, &entry.mv);
        let alpha = (best - margin - 1).max(-WIN);
        worker.keys.push(key);
        worker.trail[1] = entry.mv.to;
        let score = worker.node::<Pv>(&child, -WIN, -alpha, depth as i32 - 1, 1);
        worker.keys.pop();
        let score = -score?;
        entry.score = if score <= alpha { -WIN } else { score };
        worker.extend_pv(0, entry.mv);
        entry.pv.clone_from(&worker.pv[0]);
        best = best.max(score);
    }
    root.moves.sort_by_key(|entry| std::cmp::Reverse(entry.score));
    Ok(())
}

fn report<W: Word>(root: &mut Root<W>, depth: u32) {
    if root.worker.watch.is_some() {
        for line in 0..root.task.multi_pv.clamp(1, root.moves.len()) {
            let info = root.info(line, depth, Bound::Exact);
            root.task.report.info(&info);
        }
    }
}

/// Scrambles a number. After: Steele, Lea and Flood, Fast splittable pseudorandom number generators (2014).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// From 0 to 1, evenly.
fn share(number: u64) -> f64 {
    (number >> 11) as f64 / (1u64 << 53) as f64
}

/// About normally distributed, with mean 0, deviation 1 and no value beyond 3.5.
fn bell(number: u64) -> f64 {
    let sum: f64 = (0..4).map(|nth| ((number >> (16 * nth)) & 0xffff) as f64 / 65_535.0 - 0.5).sum();
    sum * 3f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::line::Width;
    use crate::game::{Game, Variant, kernels::AnyKernel};

    #[test]
    fn strengths_between_levels_lie_between_them() {
        assert!(ELO.is_sorted_by(|a, b| a < b), "{ELO:?}");
        for level in 0..=FULL_LEVEL {
            assert_eq!(Handicap::level_of_elo(Handicap::elo_of_level(level)), 100 * level);
        }
        let mut last = 0;
        for elo in 0..=Handicap::elo_of_level(FULL_LEVEL) + 100 {
            let level = Handicap::level_of_elo(elo);
            assert!((last..=100 * FULL_LEVEL).contains(&level), "{elo}: {level}");
            last = level;
        }
        assert_eq!((Handicap::level_of_elo(0), last), (0, 100 * FULL_LEVEL));
        assert!(Handicap::new(100 * FULL_LEVEL, 1).is_none());
    }

    #[test]
    fn a_share_of_moves_between_the_last_levels_is_played_in_full() {
        let full = |level: u16| (0..10_000).filter(|&plies| !Handicap { level, seed: 7 }.holds(plies)).count();
        assert_eq!((full(100), full(1_900)), (0, 0));
        assert!((2_300..2_700).contains(&full(1_925)), "{}", full(1_925));
        assert!((9_700..10_000).contains(&full(1_998)), "{}", full(1_998));
    }

    #[test]
    fn levels_get_more_of_everything() {
        let at = |level: u16| Human::new(&Handicap { level: 100 * level, seed: 1 }, 2, 3);
        for level in 0..FULL_LEVEL - 1 {
            let (one, next) = (at(level), at(level + 1));
            assert!(one.plies <= next.plies && one.nodes < next.nodes && one.blind >= next.blind, "{level}");
            assert!(one.noise > next.noise && one.careful == (level >= CAREFUL), "{level}");
            assert!(!one.careful || one.window < 50 && one.blind == 0, "{level}");
        }
    }

    #[test]
    fn luck_is_spread_as_it_says() {
        let luck: Vec<f64> = (0..20_000).map(|n| bell(mix(n))).collect();
        let mean = luck.iter().sum::<f64>() / luck.len() as f64;
        let square = luck.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / luck.len() as f64;
        assert!(mean.abs() < 0.03 && (square - 1.0).abs() < 0.05, "{mean} {square}");
        assert!(luck.iter().all(|x| x.abs() < 3.5));
        assert!((0..1_000).map(|n| share(mix(n))).all(|x| (0.0..1.0).contains(&x)));
    }

    /// Captures are counted to their end: a man that is taken and taken back costs nothing.
    #[test]
    fn exchanges_are_counted_to_their_end() {
        let count = |men: &[(u8, Color)], side| {
            let variant = Variant::find("english").expect("built in");
            let mut setup = crate::game::plain::Setup::empty(variant.set.board, side);
            for &(square, color) in men {
                setup.cells[square as usize - 1] = Some(crate::game::plain::Piece { color, king: false });
            }
            let game = Game::from_setup(variant.clone(), &setup).expect("sound");
            let (Width::Narrow(line), AnyKernel::Narrow(kernel)) = (game.width(), &variant.kernel) else {
                panic!("a board of 32 squares")
            };
            exchange(&Referee { variant: &variant, kernel }, &line.now, LONGEST_EXCHANGE, &mut 0)
        };
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(count(&[(18, white), (15, black), (1, black)], white), 0, "one is taken");
        assert_eq!(
            count(&[(18, white), (15, black), (8, black), (4, black)], white),
            -2,
            "one is taken and taken back"
        );
        assert_eq!(count(&[(18, white), (15, black), (7, black)], white), 3, "two are taken, and the man is crowned");
        assert_eq!(count(&[(22, white), (1, black), (2, black)], white), -1, "nothing to take");
    }
}
