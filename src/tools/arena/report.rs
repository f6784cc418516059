//! The result of a match: as values (JSON), and as text.

use super::runner::{Ending, Plan};
use super::standings::{Failure, Pairing, Standings, Tally};
use super::stats::{Interval, Pentanomial};
use serde::Serialize;
use std::fmt::Write;

/// The result of a match so far.
#[derive(Debug, Serialize)]
pub struct Report {
    pub variant: String,
    /// `running`, `complete`, `interrupted`, or what the test decided.
    pub status: String,
    pub games: u64,
    pub planned: u64,
    /// Engines from first to last.
    pub ranking: Vec<EngineReport>,
    pub pairings: Vec<PairingReport>,
    /// Row against column, in the order of the ranking: wins, draws, losses; `null` where they do not meet.
    pub crosstable: Vec<Vec<Option<(u64, u64, u64)>>>,
    pub endings: Vec<(String, u64)>,
    pub failures: Vec<FailureReport>,
}

/// One engine's result.
#[derive(Debug, Serialize)]
pub struct EngineReport {
    pub name: String,
    pub command: String,
    pub protocol: String,
    pub time_control: String,
    pub games: u64,
    pub points: f64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub faults: u64,
    /// Against everyone it met; `null` where it is infinite or unknown.
    pub elo: Option<EloReport>,
    pub mean_depth: Option<f64>,
    pub nodes_per_second: Option<f64>,
    pub milliseconds_per_move: Option<f64>,
}

/// An Elo difference with its 95 % interval.
#[derive(Debug, Serialize, Clone, Copy)]
pub struct EloReport {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The result between two engines, seen from the first.
#[derive(Debug, Serialize)]
pub struct PairingReport {
    pub engines: [String; 2],
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs of games that brought 0, 1/2, 1, 3/2 and 2 points.
    pub pentanomial: Pentanomial,
    pub elo: Option<EloReport>,
    pub normalised_elo: Option<f64>,
    pub normalised_elo_error: Option<f64>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
    pub sprt: Option<SprtReport>,
    #[serde(skip)]
    pub history: Vec<super::standings::Point>,
}

/// The sequential test.
#[derive(Debug, Serialize)]
pub struct SprtReport {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub llr: f64,
    pub bounds: (f64, f64),
    pub decision: &'static str,
}

/// A game that a fault ended.
#[derive(Debug, Serialize)]
pub struct FailureReport {
    /// Number of the game, from 1 as in the Round tag.
    pub game: u64,
    pub engine: String,
    pub kind: &'static str,
    pub detail: String,
    pub transcript: Vec<String>,
}

impl Report {
    /// Sums a match up; without an ending it is still running.
    pub fn new(plan: &Plan, standings: &Standings, ending: Option<Ending>) -> Report {
        let order = standings.ranking();
        let row = |a: usize| order.iter().map(|&b| standings.between(a, b).filter(|_| a != b)).collect();
        Report {
            variant: plan.variant.id.clone(),
            status: match ending {
                None => "running".to_string(),
                Some(Ending::Complete) => "complete".to_string(),
                Some(Ending::Interrupted) => "interrupted".to_string(),
                Some(Ending::Decided(decision)) => decision.name().to_string(),
            },
            games: standings.games,
            planned: plan.games.end - plan.games.start,
            ranking: order.iter().map(|&engine| engine_report(plan, engine, &standings.engines[engine])).collect(),
            pairings: standings.pairings.iter().map(|pairing| pairing_report(plan, standings, pairing)).collect(),
            crosstable: order.iter().map(|&engine| row(engine)).collect(),
            endings: standings.reasons.clone(),
            failures: standings.failures.iter().map(|failure| failure_report(plan, failure)).collect(),
        }
    }

    /// The report as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report is plain data") + "\n"
    }

    /// The report as text for a terminal.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "{}: {} of {} games, {}", self.variant, self.games, self.planned, self.status)?;
        if self.ranking.len() > 2 {
            self.write_table(out)?;
        }
        for pairing in &self.pairings {
            pairing.write(out)?;
        }
        for engine in &self.ranking {
            let number =
                |value: Option<f64>, digits: usize| value.map_or("?".into(), |value| format!("{value:.digits$}"));
            writeln!(
                out,
                "{}: {} ms a move, depth {}, {} nodes a second, {} faults",
                engine.name,
                number(engine.milliseconds_per_move, 1),
                number(engine.mean_depth, 1),
                number(engine.nodes_per_second, 0),
                engine.faults
            )?;
        }
        let endings: Vec<String> = self.endings.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        if endings.is_empty() { Ok(()) } else { writeln!(out, "endings: {}", endings.join(", ")) }
    }

    /// The crosstable: a row an engine, a column each opponent in the same order.
    fn write_table(&self, out: &mut String) -> std::fmt::Result {
        let width = self.ranking.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0);
        for (place, (engine, row)) in self.ranking.iter().zip(&self.crosstable).enumerate() {
            let elo = engine
                .elo
                .map_or("?".to_string(), |elo| format!("{:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high));
            write!(
                out,
                "{:3} {:width$} {:>7}/{:<5} Elo {elo:22}",
                place + 1,
                engine.name,
                engine.points,
                engine.games
            )?;
            for cell in row {
                let cell = cell.map_or("-".to_string(), |(wins, draws, losses)| format!("+{wins}={draws}-{losses}"));
                write!(out, " {cell:>12}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

impl PairingReport {
    /// Share of the points, in percent.
    pub fn percent(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) * 100.0 / self.games.max(1) as f64
    }

    /// Elo, interval and likelihood of superiority in words.
    pub fn strength(&self) -> String {
        let elo = self.elo.map_or("Elo ?".to_string(), |elo| {
            format!("Elo {:+.1} [{:+.1}, {:+.1}] (95 %)", elo.value, elo.low, elo.high)
        });
        let los = self.los.map_or(String::new(), |los| format!(", LOS {:.1} %", los * 100.0));
        let normalised = self.normalised_elo.zip(self.normalised_elo_error);
        elo + &los + &normalised.map_or(String::new(), |(value, error)| format!(", nElo {value:+.1} ± {error:.1}"))
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let [a, b] = &self.engines;
        let Self { wins, draws, losses, .. } = self;
        writeln!(out, "{a} - {b}: {} games, +{wins} ={draws} -{losses}, {:.1} %", self.games, self.percent())?;
        writeln!(out, "  pairs with 0, 1/2, 1, 3/2, 2 points: {:?}", self.pentanomial.0)?;
        writeln!(out, "  {}", self.strength())?;
        match &self.sprt {
            Some(sprt) => writeln!(out, "  {}", sprt.words()),
            None => Ok(()),
        }
    }
}

impl SprtReport {
    /// The test in words.
    pub fn words(&self) -> String {
        let Self { elo0, elo1, alpha, beta, llr, bounds: (low, high), decision } = self;
        format!(
            "SPRT elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}: LLR {llr:.2} in ({low:.2}, {high:.2}), {decision}"
        )
    }
}

fn elo_report(interval: Interval) -> EloReport {
    EloReport { value: interval.value, low: interval.low, high: interval.high }
}

fn engine_report(plan: &Plan, engine: usize, tally: &Tally) -> EngineReport {
    let spec = &plan.engines[engine];
    let effort = &tally.effort;
    let ratio = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
    EngineReport {
        name: spec.name.clone(),
        command: std::iter::once(&spec.command).chain(&spec.arguments).cloned().collect::<Vec<_>>().join(" "),
        protocol: spec.protocol.to_string(),
        time_control: plan.controls[engine].to_string(),
        games: tally.games(),
        points: tally.points(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        faults: tally.faults,
        elo: tally.pairs.elo().map(elo_report),
        mean_depth: ratio(effort.depths, effort.depth_moves),
        nodes_per_second: ratio(effort.nodes * 1000, effort.node_milliseconds),
        milliseconds_per_move: ratio(effort.milliseconds, effort.moves),
    }
}

fn pairing_report(plan: &Plan, standings: &Standings, pairing: &Pairing) -> PairingReport {
    let Tally { wins, draws, losses, pairs, .. } = pairing.score;
    let sprt = standings.sprt().map(|sprt| SprtReport {
        elo0: sprt.elo0,
        elo1: sprt.elo1,
        alpha: sprt.alpha,
        beta: sprt.beta,
        llr: sprt.llr(&pairs),
        bounds: sprt.bounds(),
        decision: sprt.decide(&pairs).name(),
    });
    PairingReport {
        engines: [pairing.a, pairing.b].map(|engine| plan.engines[engine].name.clone()),
        games: pairing.score.games(),
        wins,
        draws,
        losses,
        pentanomial: pairs,
        elo: pairs.elo().map(elo_report),
        normalised_elo: pairs.normalised_elo().map(|(value, _)| value),
        normalised_elo_error: pairs.normalised_elo().map(|(_, error)| error),
        los: pairs.superiority(),
        sprt,
        history: pairing.history.clone(),
    }
}

fn failure_report(plan: &Plan, failure: &Failure) -> FailureReport {
    FailureReport {
        game: failure.game + 1,
        engine: plan.engines[failure.fault.engine].name.clone(),
        kind: failure.fault.fault.kind.name(),
        detail: failure.fault.fault.detail.clone(),
        transcript: failure.fault.fault.transcript.clone(),
    }
}
