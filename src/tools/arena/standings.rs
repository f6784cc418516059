//! The score of a match, game by game.

use super::record::{Effort, FaultOf, Record};
use super::sprt::Sprt;
use super::stats::{Interval, Pentanomial};
use std::collections::HashMap;

/// An engine's results.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub faults: u64,
    pub effort: Effort,
    /// Its pairs against everyone.
    pub pairs: Pentanomial,
}

impl Tally {
    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points won.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    fn add(&mut self, half_points: u8) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// The match between two engines, seen from the first.
#[derive(Clone, Debug)]
pub struct Pairing {
    pub a: usize,
    pub b: usize,
    pub score: Tally,
    /// How the match stood after each pair.
    pub history: Vec<Point>,
    /// Half points of the first engine in pairs of which one game is finished.
    open: HashMap<u64, u8>,
}

/// How a pairing stood after a pair.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub games: u64,
    pub elo: Interval,
    /// Log-likelihood ratio of the test, if there is one.
    pub llr: Option<f64>,
}

/// A game that an engine's fault ended.
#[derive(Clone, Debug)]
pub struct Failure {
    pub game: u64,
    pub fault: FaultOf,
}

/// Most failures that are kept with their transcripts.
const MOST_FAILURES: usize = 100;

/// The score of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    pub engines: Vec<Tally>,
    pub pairings: Vec<Pairing>,
    pub failures: Vec<Failure>,
    pub games: u64,
    /// How games ended, and how many did so.
    pub reasons: Vec<(String, u64)>,
    sprt: Option<Sprt>,
}

impl Standings {
    /// Before the first game.
    pub fn new(engines: usize, pairings: &[(usize, usize)], sprt: Option<Sprt>) -> Standings {
        let pairing = |&(a, b): &(usize, usize)| Pairing {
            a,
            b,
            score: Tally::default(),
            history: Vec::new(),
            open: HashMap::new(),
        };
        Standings {
            engines: vec![Tally::default(); engines],
            pairings: pairings.iter().map(pairing).collect(),
            failures: Vec::new(),
            games: 0,
            reasons: Vec::new(),
            sprt,
        }
    }

    /// The test, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Counts a game. Tells whether it finished a pair.
    pub fn add(&mut self, record: &Record) -> bool {
        self.games += 1;
        for (engine, side) in [(record.white, 0), (record.black, 1)] {
            let tally = &mut self.engines[engine];
            tally.add(if side == 0 { record.white_half_points } else { 2 - record.white_half_points });
            tally.effort.add(&record.effort[side]);
        }
        match self.reasons.iter_mut().find(|(reason, _)| *reason == record.reason) {
            Some((_, count)) => *count += 1,
            None => self.reasons.push((record.reason.clone(), 1)),
        }
        if let Some(fault) = &record.fault {
            self.engines[fault.engine].faults += 1;
            if self.failures.len() < MOST_FAILURES {
                self.failures.push(Failure { game: record.game, fault: fault.clone() });
            }
        }
        self.add_to_pairing(record)
    }

    fn add_to_pairing(&mut self, record: &Record) -> bool {
        let ends = (record.white.min(record.black), record.white.max(record.black));
        let Some(pairing) = self.pairings.iter_mut().find(|pairing| (pairing.a, pairing.b) == ends) else {
            return false;
        };
        let first = if record.white == pairing.a { record.white_half_points } else { 2 - record.white_half_points };
        pairing.score.add(first);
        let pair = record.game / 2;
        let Some(other) = pairing.open.remove(&pair) else {
            pairing.open.insert(pair, first);
            return false;
        };
        let both = usize::from(first + other);
        pairing.score.pairs.add(both);
        self.engines[pairing.a].pairs.add(both);
        self.engines[pairing.b].pairs.add(4 - both);
        if let Some(elo) = pairing.score.pairs.elo() {
            let llr = self.sprt.map(|sprt| sprt.llr(&pairing.score.pairs));
            pairing.history.push(Point { games: pairing.score.pairs.pairs() * 2, elo, llr });
        }
        true
    }

    /// The results of `a` against `b`: wins, draws, losses. `None` when they do not meet.
    pub fn between(&self, a: usize, b: usize) -> Option<(u64, u64, u64)> {
        let pairing = self.pairings.iter().find(|pairing| (pairing.a, pairing.b) == (a.min(b), a.max(b)))?;
        let Tally { wins, draws, losses, .. } = pairing.score;
        Some(if pairing.a == a { (wins, draws, losses) } else { (losses, draws, wins) })
    }

    /// Engines from first to last.
    pub fn ranking(&self) -> Vec<usize> {
        let rate = |engine: &usize| {
            let tally = &self.engines[*engine];
            tally.points() / tally.games().max(1) as f64
        };
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        order.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
        order
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tools::arena::client::{Fault, Kind};

    /// A game on record, without anything else than its result.
    pub fn record(game: u64, white: usize, black: usize, white_half_points: u8) -> Record {
        let (reason, pdn) = ("no legal move".to_string(), String::new());
        let effort = [Effort { moves: 1, ..Effort::default() }; 2];
        Record { game, white, black, opening: 0, white_half_points, reason, plies: 2, fault: None, effort, pdn }
    }

    #[test]
    fn pairs_are_put_together_in_any_order() {
        let mut standings = Standings::new(2, &[(0, 1)], None);
        assert!(!standings.add(&record(2, 0, 1, 2)));
        assert!(!standings.add(&record(1, 1, 0, 1)));
        assert!(standings.add(&record(3, 1, 0, 0)));
        assert!(standings.add(&record(0, 0, 1, 0)));
        let pairing = &standings.pairings[0];
        assert_eq!(pairing.score.pairs, Pentanomial([0, 1, 0, 0, 1]));
        assert_eq!((pairing.score.wins, pairing.score.draws, pairing.score.losses), (2, 1, 1));
        assert_eq!(standings.engines[1].pairs, Pentanomial([1, 0, 0, 1, 0]));
        assert_eq!(pairing.history.iter().map(|point| point.games).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(standings.between(1, 0), Some((1, 1, 2)));
    }

    #[test]
    fn ranks_and_failures_are_kept() {
        let mut standings = Standings::new(3, &[(0, 1), (0, 2), (1, 2)], Sprt::read("elo0=0,elo1=5").ok());
        standings.add(&record(0, 0, 1, 0));
        standings.add(&record(2, 0, 2, 1));
        let mut lost = record(4, 1, 2, 2);
        let fault = Fault { kind: Kind::Crash, detail: String::new(), transcript: Vec::new() };
        lost.fault = Some(FaultOf { engine: 2, fault });
        standings.add(&lost);
        assert_eq!(standings.ranking(), [1, 0, 2]);
        assert_eq!((standings.engines[2].faults, standings.failures.len(), standings.failures[0].game), (1, 1, 4));
        assert_eq!(standings.reasons, [("no legal move".to_string(), 3)]);
    }
}
