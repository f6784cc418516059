//! The engine as its users see it: settings, a table, a pool of threads, and `go`.

use super::busy::Busy;
use super::clock::{Budget, Watch};
use super::eval::{Evaluation, Evaluator};
use super::order::Order;
use super::root::{self, Task};
use super::search::{Shared, Worker, end_score};
use super::table::Table;
use super::{Answer, Bound, Info, Limits, Report, Settings, Signals};
use crate::game::board::Word;
use crate::game::kernels::AnyKernel;
use crate::game::line::{self, Game, Line, Width};
use crate::game::plain::{PlainMove, State};
use crate::game::position::Referee;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::Duration;

/// Searches positions. One search at a time; it remembers what it learned from one to the next until told to forget.
pub struct Engine {
    settings: Settings,
    /// Made when first needed, so that starting the program costs nothing.
    table: Option<Table>,
    pool: Option<rayon::ThreadPool>,
    orders: Vec<Mutex<Order>>,
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
        Engine { settings, table: None, pool: None, orders: Vec::new(), reductions, busy: Busy::new(), rules: None }
    }

    /// Takes over new settings; the table is emptied only when its size changes.
    pub fn configure(&mut self, settings: &Settings) {
        if settings.hash_mb != self.settings.hash_mb {
            self.table = None;
        }
        if settings.threads != self.settings.threads {
            self.pool = None;
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

    /// Searches until the limits or a signal end it. Always gives a legal move when there is one.
    pub fn go(&mut self, game: &Game, limits: &Limits, signals: &Signals, report: &dyn Report) -> Answer {
        // The clock runs from here: getting table and threads to work counts too.
        let budget = Budget::new(limits, game.side(), self.settings.move_overhead_ms);
        let watch = Watch::new(budget, limits.ponder);
        let rules = game.variant().set;
        if self.rules != Some(rules) {
            if self.rules.is_some() {
                self.clear();
            }
            self.rules = Some(rules);
        }
        self.prepare();
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
        let moves = chosen(&referee, line, &limits.search_moves);
        if moves.is_empty() {
            return over(game);
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
            busy: self.pool.as_ref().map(|_| &self.busy),
            finished: AtomicU32::new(0),
        };
        let eval = Evaluator::new(&referee);
        let watch = Mutex::new(Some(watch));
        let (multi_pv, params) = (self.settings.multi_pv, &self.settings.params);
        let task = Task { position: &line.now, moves, limits, multi_pv, report };
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

    /// Static evaluation of the position now.
    pub fn evaluate(&self, game: &Game) -> Evaluation {
        fn explain<W: Word>(referee: Referee<W>, line: &Line<W>) -> Evaluation {
            Evaluator::new(&referee).explain(&referee, &line.now)
        }
        match (game.width(), &game.variant().kernel) {
            (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
                explain(Referee { variant: game.variant(), kernel }, line)
            }
            (Width::Wide(line), AnyKernel::Wide(kernel)) => explain(Referee { variant: game.variant(), kernel }, line),
            _ => unreachable!("a game's line has its kernel's width"),
        }
    }
}

/// The legal root moves, or those of them that were asked for.
fn chosen<W: Word>(referee: &Referee<W>, line: &Line<W>, wanted: &[PlainMove]) -> Vec<crate::game::moves::Move<W>> {
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
    let info = Info {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        wdl: super::chances(score),
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        tbhits: 0,
        pv: Vec::new(),
    };
    Answer { best: None, ponder: None, info: Some(info) }
}
