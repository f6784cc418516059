//! Plays the games of a match, several at a time.

use super::adjudicate::Rules;
use super::client::{Client, Trouble};
use super::clock::TimeControl;
use super::dialect::Ground;
use super::error::ArenaError;
use super::play::{self, Terms};
use super::record::{Heading, Record};
use super::rulefile::RuleFile;
use super::schedule::{Fixture, Schedule};
use super::spec::EngineSpec;
use super::sprt::Decision;
use super::standings::Standings;
use crate::game::Game;
use crate::game::plain::Setup;
use crate::game::variant::Variant;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Everything that is settled before the first game.
#[derive(Debug)]
pub struct Plan {
    pub variant: Arc<Variant>,
    /// The rules in a file, when they are not built in.
    pub rule_file: Option<RuleFile>,
    pub engines: Vec<EngineSpec>,
    /// Each engine's time control.
    pub controls: Vec<TimeControl>,
    pub openings: Vec<Setup>,
    pub schedule: Schedule,
    /// The games of the schedule that are to be played: all, or a part.
    pub games: Range<u64>,
    pub rules: Rules,
    pub margin: Duration,
    pub patience: Duration,
    pub most_plies: usize,
    pub concurrency: usize,
    /// The day the match is played, `YYYY.MM.DD`.
    pub date: String,
}

impl Plan {
    fn ground(&self) -> Ground<'_> {
        Ground { variant: &self.variant, rules: self.rule_file.as_ref().map(RuleFile::path) }
    }
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The sequential test came to a decision.
    Decided(Decision),
    /// It was stopped.
    Interrupted,
}

/// What is done with every finished game, with the standings that it makes.
pub type Sink<'a> = dyn FnMut(&Record, &Standings) -> Result<(), ArenaError> + 'a;

/// Plays all games that are not `done` yet, until the end, a decision of the test, or `stop`.
pub fn run(
    plan: &Plan,
    standings: &mut Standings,
    done: &HashSet<u64>,
    stop: &AtomicBool,
    sink: &mut Sink,
) -> Result<Ending, ArenaError> {
    if let Some(decision) = decision(standings) {
        return Ok(Ending::Decided(decision));
    }
    let next = AtomicU64::new(plan.games.start);
    let take = || loop {
        let game = next.fetch_add(1, Ordering::Relaxed);
        match game < plan.games.end {
            true if done.contains(&game) => {}
            true => return Some(plan.schedule.fixture(game)),
            false => return None,
        }
    };
    let failure = Mutex::new(None);
    let mut decided = None;
    std::thread::scope(|scope| {
        let (results, records) = channel();
        for _ in 0..plan.concurrency.max(1) {
            let (results, failure, take) = (results.clone(), &failure, &take);
            scope.spawn(move || {
                let _guard = StopOnPanic(stop);
                if let Err(error) = work(plan, take, &results, stop) {
                    stop.store(true, Ordering::Relaxed);
                    keep_first(failure, error);
                }
            });
        }
        drop(results);
        let _guard = StopOnPanic(stop);
        for record in records {
            let pair = standings.add(&record);
            if let Err(error) = sink(&record, standings) {
                stop.store(true, Ordering::Relaxed);
                keep_first(&failure, error);
            }
            decided = decided.or_else(|| decision(standings).filter(|_| pair));
            if decided.is_some() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    match (failure.into_inner().ok().flatten(), decided) {
        (Some(error), _) => Err(error),
        (None, Some(decision)) => Ok(Ending::Decided(decision)),
        (None, None) if standings.games >= plan.games.end - plan.games.start => Ok(Ending::Complete),
        (None, None) => Ok(Ending::Interrupted),
    }
}

fn keep_first(failure: &Mutex<Option<ArenaError>>, error: ArenaError) {
    if let Ok(mut failure) = failure.lock() {
        failure.get_or_insert(error);
    }
}

/// Stops the match when a thread panics, so that the others end and every engine is killed.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

fn decision(standings: &Standings) -> Option<Decision> {
    let decision = standings.sprt()?.decide(&standings.pairings.first()?.score.pairs);
    (decision != Decision::Continue).then_some(decision)
}

/// Plays games one after the other, keeping the engines of the last one running.
fn work(
    plan: &Plan,
    take: &(dyn Fn() -> Option<Fixture> + Sync),
    results: &Sender<Record>,
    stop: &AtomicBool,
) -> Result<(), ArenaError> {
    let mut seats = Seats { plan, clients: HashMap::new() };
    while !stop.load(Ordering::Relaxed) {
        let Some(fixture) = take() else { break };
        let Some(record) = seats.play(&fixture, stop)? else { break };
        if results.send(record).is_err() {
            break;
        }
    }
    Ok(())
}

struct Seats<'a> {
    plan: &'a Plan,
    clients: HashMap<usize, Client>,
}

impl Seats<'_> {
    /// Plays a game; `None` when the match is to end first.
    fn play(&mut self, fixture: &Fixture, stop: &AtomicBool) -> Result<Option<Record>, ArenaError> {
        let plan = self.plan;
        let engines = [fixture.white, fixture.black];
        self.clients.retain(|engine, _| engines.contains(engine));
        let mut pair = Vec::with_capacity(2);
        for engine in engines {
            match self.seat(engine, stop)? {
                Some(client) => pair.push(client),
                None => return Ok(None),
            }
        }
        let [white, black] = &mut pair[..] else { unreachable!("two engines were seated") };
        let start = Game::from_setup(plan.variant.clone(), &plan.openings[fixture.opening])
            .expect("openings were played through when they were loaded");
        let terms = Terms {
            ground: plan.ground(),
            start: &start,
            controls: engines.map(|engine| plan.controls[engine]),
            margin: plan.margin,
            patience: plan.patience,
            rules: plan.rules,
            most_plies: plan.most_plies,
        };
        let Some(played) = play::play([white, black], &terms, stop) else { return Ok(None) };
        let faulty = played.fault.as_ref().map(|(side, _)| side.index());
        // A faulty engine is started anew for its next game.
        for (index, (engine, client)) in engines.into_iter().zip(pair).enumerate() {
            if faulty != Some(index) {
                self.clients.insert(engine, client);
            }
        }
        let controls = terms.controls.map(|control| control.to_string());
        let heading = Heading {
            variant: &plan.variant,
            names: engines.map(|engine| plan.engines[engine].name.as_str()),
            controls: [&controls[0], &controls[1]],
            start: &start,
            date: &plan.date,
        };
        Ok(Some(Record::new(fixture, &played, &heading)))
    }

    /// An engine that runs already, or a fresh one. An engine that does not come up ends the match.
    fn seat(&mut self, engine: usize, stop: &AtomicBool) -> Result<Option<Client>, ArenaError> {
        if let Some(client) = self.clients.remove(&engine) {
            return Ok(Some(client));
        }
        let spec = &self.plan.engines[engine];
        match Client::start(spec, self.plan.ground(), stop) {
            Ok(client) => Ok(Some(client)),
            Err(Trouble::Stopped) => Ok(None),
            Err(Trouble::Fault(fault)) => {
                Err(ArenaError::Start { name: spec.name.clone(), why: fault.detail, transcript: fault.transcript })
            }
        }
    }
}
