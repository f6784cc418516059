//! The engine as its users see it: settings, a table, a pool of threads, and `go`.

use super::busy::Busy;
use super::clock::{Budget, Watch};
use super::door::Door;
use super::eval::{Evaluation, Evaluator};
use super::human::{self, Human};
use super::net::Choice;
use super::order::Order;
use super::proof::{self, Probe, Truth};
use super::root::{self, Task};
use super::search::{Shared, Worker, end_score};
use super::table::Table;
use super::{Answer, Info, Limits, Odds, Report, Settings, Signals};
use crate::game::board::Word;
use crate::game::kernels::AnyKernel;
use crate::game::line::{self, Game, Line, Width};
use crate::game::moves::Move;
use crate::game::plain::{PlainMove, State};
use crate::game::position::Referee;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Table of a search below full strength, in MiB.
const HUMAN_TABLE_MB: usize = 1;

/// Searches positions. One search at a time; it remembers what it learned from one to the next until told to forget.
pub struct Engine {
    settings: Settings,
    /// Made when first needed, so that starting the program costs nothing.
    table: Option<Table>,
    pool: Option<rayon::ThreadPool>,
    orders: Vec<Mutex<Order>>,
    /// The way to the endgame tables of the rules searched last.
    door: Option<Door>,
    /// Reductions of late moves by depth and place, from the settings.
    reductions: Vec<[i16; 64]>,
    busy: Busy,
    /// The rules searched last: what was learned under others is worthless.
    rules: Option<crate::game::rules::RuleSet>,
}

impl Engine {
    /// An engine with these settings. Nothing large is allocated before it is needed.
    pub fn new(settings: Settings) -> Engine {
        let reductions = settings.params.late_reductions();
        let (orders, busy) = (Vec::new(), Busy::new());
        Engine { settings, table: None, pool: None, orders, door: None, reductions, busy, rules: None }
    }

    /// Takes over new settings; the table is emptied only when its size changes.
    pub fn configure(&mut self, settings: &Settings) {
        if settings.hash_mb != self.settings.hash_mb {
            self.table = None;
        }
        if settings.threads != self.settings.threads {
            self.pool = None;
        }
        if settings.evaluation != self.settings.evaluation {
            self.clear();
        }
        self.settings = settings.clone();
        self.reductions = settings.params.late_reductions();
    }

    /// Forgets everything learned.
    pub fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.orders.clear();
    }

    /// Gets table and threads ready, so that the first search need not.
    pub fn prepare(&mut self) {
        let threads = self.settings.threads.max(1);
        self.table.get_or_insert_with(|| Table::new(self.settings.hash_mb));
        if threads > 1 && self.pool.is_none() {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(|index| format!("search-{index}"))
                .stack_size(8 << 20)
                .build();
            match pool {
                Ok(pool) => self.pool = Some(pool),
                Err(error) => log::warn!("searching on one thread: {error}"),
            }
        }
        self.orders.resize_with(threads, || Mutex::new(Order::new()));
    }

    /// Gets everything ready for a game, the endgame tables of a folder too: they take a while to read.
    pub fn prepare_for(&mut self, game: &Game) {
        self.prepare();
        self.open_door(game);
    }

    /// Searches until the limits or a signal end it. Always gives a legal move when there is one.
    pub fn go(&mut self, game: &Game, limits: &Limits, signals: &Signals, report: &dyn Report) -> Answer {
        // The clock runs from here: getting table and threads to work counts too.
        let budget = Budget::new(limits, game.side(), self.settings.move_overhead_ms);
        let watch = Watch::new(budget, limits.ponder);
        let handicap = limits.handicap.filter(|handicap| handicap.holds(game.plies()));
        let limits = &Limits { handicap, ..limits.clone() };
        let rules = game.variant().set;
        if self.rules != Some(rules) {
            if self.rules.is_some() {
                self.clear();
            }
            self.rules = Some(rules);
        }
        if limits.handicap.is_none() {
            self.prepare();
            self.open_door(game);
        }
        match (game.width(), &game.variant().kernel) {
            (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
                self.go_on(Referee { variant: game.variant(), kernel }, game, line, watch, (limits, signals, report))
            }
            (Width::Wide(line), AnyKernel::Wide(kernel)) => {
                self.go_on(Referee { variant: game.variant(), kernel }, game, line, watch, (limits, signals, report))
            }
            _ => unreachable!("a game's line has its kernel's width"),
        }
    }

    fn go_on<W: Word>(
        &mut self,
        referee: Referee<W>,
        game: &Game,
        line: &Line<W>,
        watch: Watch,
        (limits, signals, report): (&Limits, &Signals, &dyn Report),
    ) -> Answer {
        let mut moves = chosen(&referee, line, &limits.search_moves);
        if moves.is_empty() {
            return over(game);
        }
        if let Some(handicap) = &limits.handicap {
            let human = Human::new(handicap, line.now.full_key(referee.set()), line.keys.len());
            return self.go_weakly(referee, line, watch, (moves, &human), (limits, signals, report));
        }
        let mut table_pieces = 0;
        let mut truth = None;
        if let Some(door) = &self.door {
            door.hits.store(0, Relaxed);
            table_pieces = door.make_ready(&line.now, limits);
            door.notes().iter().for_each(|note| report.note(note));
            match proof::judge(door, referee, line, &moves, self.settings.multi_pv, limits) {
                Truth::Known(lines) => return proof::answer(&referee, line, &lines, watch.elapsed(), report),
                Truth::Narrowed(kept, score) => {
                    // Among moves of one value the search looks for more than the tables know.
                    table_pieces = table_pieces.min(line.now.count() - 1);
                    (moves, truth) = (kept, score);
                }
                Truth::Unknown => {}
            }
        }
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let table = self.table.as_ref().expect("prepared");
        table.new_search();
        let shared = Shared {
            table,
            signals,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit,
            exact_nodes: node_limit < u64::MAX && self.settings.threads == 1,
            door: self.door.as_ref(),
            table_pieces,
            busy: self.pool.as_ref().map(|_| &self.busy),
            finished: AtomicU32::new(0),
        };
        let eval = Evaluator::new(&referee, &self.settings.evaluation);
        let watch = Mutex::new(Some(watch));
        let (multi_pv, params) = (self.settings.multi_pv, &self.settings.params);
        let task = Task { position: &line.now, moves, limits, multi_pv, truth, report };
        let run = |index: usize| {
            let mut order = self.orders[index].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            order.fade();
            let mut own = std::mem::take(&mut *order);
            own.reply_weight = params.reply_history;
            let mut worker = Worker::new(referee, &eval, &shared, (params, &self.reductions), own, line.keys.clone());
            worker.leads = index == 0;
            let answer = if index == 0 {
                worker.watch = watch.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
                Some(root::lead(&mut worker, &task))
            } else {
                root::help(&mut worker, &task);
                None
            };
            worker.count_nodes();
            *order = worker.order;
            answer
        };
        match &self.pool {
            Some(pool) => {
                let answers = pool.broadcast(|context| run(context.index()));
                answers.into_iter().flatten().next().expect("the first thread answers")
            }
            None => run(0).expect("the first thread answers"),
        }
    }

    /// Searches at a level: alone, without tables, and with a memory of its own, so that nothing but the game decides.
    fn go_weakly<W: Word>(
        &self,
        referee: Referee<W>,
        line: &Line<W>,
        watch: Watch,
        (moves, human): (Vec<Move<W>>, &Human),
        (limits, signals, report): (&Limits, &Signals, &dyn Report),
    ) -> Answer {
        let table = Table::new(HUMAN_TABLE_MB);
        let shared = Shared {
            table: &table,
            signals,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit: limits.nodes.unwrap_or(u64::MAX).min(human.most_nodes()),
            exact_nodes: limits.nodes.is_some(),
            door: None,
            table_pieces: 0,
            busy: None,
            finished: AtomicU32::new(0),
        };
        let (multi_pv, params) = (self.settings.multi_pv, &self.settings.params);
        let eval = Evaluator::new(&referee, &self.settings.evaluation);
        let mut order = Order::new();
        order.reply_weight = params.reply_history;
        let keys = line.keys.clone();
        let mut worker = Worker::new(referee, &eval, &shared, (params, &self.reductions), order, keys);
        worker.leads = true;
        worker.watch = Some(watch);
        human::lead(&mut worker, &Task { position: &line.now, moves, limits, multi_pv, truth: None, report }, human)
    }

    /// Opens the way to the tables of these rules, unless it is open.
    fn open_door(&mut self, game: &Game) {
        let choice = &self.settings.tables;
        if !self.door.as_ref().is_some_and(|door| door.fits(game.variant(), choice)) {
            self.door = Door::open(game.variant(), choice);
        }
    }

    /// What the endgame tables know of a position; those of four pieces and fewer that it needs are solved at once.
    /// `None` when tables are off.
    pub fn probe(&mut self, game: &Game) -> Option<Probe> {
        fn ask<W: Word>(door: &Door, referee: Referee<W>, line: &Line<W>) -> Probe {
            door.make_sure(&line.now);
            proof::probe(door, referee, line)
        }
        self.open_door(game);
        let door = self.door.as_ref()?;
        Some(match (game.width(), &game.variant().kernel) {
            (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
                ask(door, Referee { variant: game.variant(), kernel }, line)
            }
            (Width::Wide(line), AnyKernel::Wide(kernel)) => {
                ask(door, Referee { variant: game.variant(), kernel }, line)
            }
            _ => unreachable!("a game's line has its kernel's width"),
        })
    }

    /// What has happened with tables since this was last asked, for people.
    pub fn notes(&self) -> Vec<String> {
        self.door.as_ref().map(Door::notes).unwrap_or_default()
    }

    /// The curves by which scores are read in the position now, and how full its board is: see [`Odds::chances`].
    pub fn odds(&self, game: &Game) -> (Odds, f64) {
        fn ask<W: Word>(referee: Referee<W>, line: &Line<W>, choice: &Choice) -> (Odds, f64) {
            Evaluator::new(&referee, choice).odds(line.now.pieces.occupied().count())
        }
        let choice = &self.settings.evaluation;
        match (game.width(), &game.variant().kernel) {
            (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
                ask(Referee { variant: game.variant(), kernel }, line, choice)
            }
            (Width::Wide(line), AnyKernel::Wide(kernel)) => {
                ask(Referee { variant: game.variant(), kernel }, line, choice)
            }
            _ => unreachable!("a game's line has its kernel's width"),
        }
    }

    /// Static evaluation of the position now.
    pub fn evaluate(&self, game: &Game) -> Evaluation {
        fn explain<W: Word>(referee: Referee<W>, line: &Line<W>, choice: &Choice) -> Evaluation {
            Evaluator::new(&referee, choice).explain(&referee, &line.now)
        }
        let choice = &self.settings.evaluation;
        match (game.width(), &game.variant().kernel) {
            (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
                explain(Referee { variant: game.variant(), kernel }, line, choice)
            }
            (Width::Wide(line), AnyKernel::Wide(kernel)) => {
                explain(Referee { variant: game.variant(), kernel }, line, choice)
            }
            _ => unreachable!("a game's line has its kernel's width"),
        }
    }
}

/// The legal root moves, or those of them that were asked for.
fn chosen<W: Word>(referee: &Referee<W>, line: &Line<W>, wanted: &[PlainMove]) -> Vec<Move<W>> {
    let legal = line::legal(referee, line);
    if wanted.is_empty() {
        return legal;
    }
    let asked: Vec<_> = wanted.iter().filter_map(|mv| line::find(referee, line, mv)).collect();
    legal.into_iter().filter(|mv| asked.contains(mv)).collect()
}

/// The answer in a position without a move to play.
fn over(game: &Game) -> Answer {
    let score = match game.state() {
        State::Over(outcome, _) => end_score(outcome, game.side()),
        State::Ongoing => 0,
    };
    let info = Info::unsearched(score, Vec::new());
    Answer { best: None, ponder: None, info: Some(info) }
}
