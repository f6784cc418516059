//! How long to think.

use super::{Limits, Signals};
use crate::game::board::Color;
use std::time::{Duration, Instant};

/// When to stop: after an iteration that ends beyond `soft`, and at `hard` in any case. `None` = no such time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Budget {
    pub soft: Option<Duration>,
    pub hard: Option<Duration>,
}

/// Moves a player is assumed to have left in a game without a move count.
const MOVES_LEFT: i64 = 28;

impl Budget {
    /// The time that limits give to a side, in thinking time from the moment its clock runs.
    pub(super) fn new(limits: &Limits, side: Color, overhead_ms: u64) -> Budget {
        if limits.infinite {
            return Budget { soft: None, hard: None };
        }
        let overhead = overhead_ms as i64;
        let mut budget = Budget { soft: None, hard: None };
        if let Some(clock) = limits.clock {
            let (soft, hard) = share(
                clock.time_ms[side.index()],
                clock.increment_ms[side.index()],
                clock.moves_to_go.map(i64::from),
                overhead,
            );
            budget = Budget { soft: Some(millis(soft)), hard: Some(millis(hard)) };
        }
        if let Some(movetime) = limits.movetime_ms {
            let all = millis((movetime.min(i64::MAX as u64 / 2) as i64 - overhead.min(movetime as i64 / 10)).max(1));
            budget.hard = Some(budget.hard.map_or(all, |hard| hard.min(all)));
        }
        budget
    }
}

/// Move overheads kept in reserve while the clock holds much more than that.
const RESERVE: i64 = 8;

/// Soft and hard time for one move, in milliseconds.
fn share(time: i64, increment: i64, moves_to_go: Option<i64>, overhead: i64) -> (i64, i64) {
    // A client that counts its own delays must not run out in a long game: a few overheads stay back for good.
    let usable = (time - overhead.max(time / 10).min(RESERVE * overhead).max(overhead)).max(1);
    let moves = moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, 60);
    let gain = increment.max(0);
    let fair = usable / moves + gain * 3 / 4;
    let most = if moves == 1 { usable * 9 / 10 } else { (usable / 4).max(usable / moves) };
    let hard = (fair * 4).min(most).clamp(1, usable);
    let soft = (fair * 7 / 10).clamp(1, hard);
    (soft, hard)
}

fn millis(ms: i64) -> Duration {
    Duration::from_millis(ms.max(1) as u64)
}

/// Watches the time of one search.
pub(super) struct Watch {
    started: Instant,
    budget: Budget,
    ponder: bool,
    /// When the clock of the limits began to run.
    running: Option<Instant>,
}

impl Watch {
    /// Starts now.
    pub(super) fn new(budget: Budget, ponder: bool) -> Watch {
        let started = Instant::now();
        Watch { started, budget, ponder, running: (!ponder).then_some(started) }
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must end now.
    pub(super) fn expired(&mut self, signals: &Signals) -> bool {
        self.past(self.budget.hard, signals)
    }

    /// Whether no further iteration should begin. `ease` scales the soft time.
    pub(super) fn enough(&mut self, signals: &Signals, ease: f64) -> bool {
        let soft = self.budget.soft.map(|soft| soft.mul_f64(ease));
        self.past(soft, signals)
    }

    /// Whether a clock is running that makes quick answers worth something.
    pub(super) fn on_clock(&self) -> bool {
        self.budget.soft.is_some() && !self.ponder
    }

    fn past(&mut self, limit: Option<Duration>, signals: &Signals) -> bool {
        if self.running.is_none() && signals.hit() {
            self.running = Some(Instant::now());
            self.ponder = false;
        }
        match (limit, self.running) {
            (Some(limit), Some(running)) => running.elapsed() >= limit,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_more_than_the_clock_holds() {
        for time in [-50, 0, 1, 10, 40, 300, 2_000, 600_000] {
            for increment in [-10, 0, 100, 5_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let (soft, hard) = share(time, increment, moves, 30);
                    assert!(soft >= 1 && soft <= hard, "{time} {increment} {moves:?}");
                    assert!(hard <= (time - 30).max(1), "{time} {increment} {moves:?}: {hard}");
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_the_control_leaves_a_margin() {
        let (_, hard) = share(300, 0, Some(1), 30);
        assert!(hard <= 243);
    }
}
