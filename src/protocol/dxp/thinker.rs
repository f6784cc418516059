//! The engine on a thread of its own: positions go in, moves come out.

use super::event::Task;
use crate::engine::{Engine, Info, Report, Settings, Signals};
use crate::game::plain::PlainMove;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// What comes of a search: its ticket, the move and the time it took.
pub type Thought = (u64, Option<PlainMove>, Duration);

enum Order {
    Forget,
    Think(Box<Task>, Arc<Signals>),
}

/// The one who thinks.
pub struct Thinker {
    orders: Sender<Order>,
    signals: Arc<Signals>,
}

struct Silent;

impl Report for Silent {
    fn info(&self, info: &Info) {
        log::debug!("depth {} score {} nodes {}", info.depth, info.score, info.nodes);
    }
}

impl Thinker {
    /// Starts the thread. Each thought is handed to `answer`.
    pub fn start(settings: Settings, answer: impl Fn(Thought) + Send + 'static) -> std::io::Result<Thinker> {
        let (orders, inbox) = channel();
        std::thread::Builder::new().name("dxp-thinker".to_string()).spawn(move || work(settings, &inbox, answer))?;
        Ok(Thinker { orders, signals: Arc::default() })
    }

    /// A new game begins.
    pub fn forget(&self) {
        self.order(Order::Forget);
    }

    /// Starts a search.
    pub fn think(&mut self, task: Box<Task>) {
        self.signals = Arc::default();
        self.order(Order::Think(task, self.signals.clone()));
    }

    /// Ends the search that runs.
    pub fn stop(&self) {
        self.signals.stop();
    }

    fn order(&self, order: Order) {
        self.orders.send(order).expect("the thread outlives its sender");
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn work(settings: Settings, inbox: &Receiver<Order>, answer: impl Fn(Thought)) {
    let mut engine = Engine::new(settings.clone());
    engine.prepare();
    for order in inbox {
        match order {
            Order::Forget => engine.clear(),
            Order::Think(task, signals) => {
                let since = Instant::now();
                let search = || engine.go(&task.game, &task.limits, &signals, &Silent).best;
                let best = catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|_| {
                    log::error!("the search failed; this is a fault of the program");
                    engine = Engine::new(settings.clone());
                    None
                });
                answer((task.ticket, best, since.elapsed()));
            }
        }
    }
}
