//! Which moves the threads of a search are busy with, so that they do not all search the same one.
//!
//! After: Weill, The ABDADA distributed minimax search algorithm (1996), in Kerrigan's simplified form: a small lossy table
//! apart from the transposition table. A wrong answer costs time, never correctness.

use crate::game::moves::MoveKey;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SLOTS: usize = 1 << 14;

/// The table; a slot holds the mark of one move in one position, or 0.
pub(super) struct Busy(Vec<AtomicU64>);

/// What stands for a move in a position.
#[derive(Clone, Copy)]
pub(super) struct Mark(u64);

impl Mark {
    pub(super) fn new(key: u64, mv: MoveKey, depth: i32) -> Mark {
        let mixed = (key ^ u64::from(mv.0) << 8 ^ depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Mark(mixed | 1)
    }
}

impl Busy {
    pub(super) fn new() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, mark: Mark) -> &AtomicU64 {
        &self.0[(mark.0 >> 40) as usize & (SLOTS - 1)]
    }

    /// Whether a thread is searching the move.
    pub(super) fn has(&self, mark: Mark) -> bool {
        self.slot(mark).load(Relaxed) == mark.0
    }

    /// A thread begins to search the move.
    pub(super) fn enter(&self, mark: Mark) {
        self.slot(mark).store(mark.0, Relaxed);
    }

    /// A thread has left the move.
    pub(super) fn leave(&self, mark: Mark) {
        if self.has(mark) {
            self.slot(mark).store(0, Relaxed);
        }
    }
}

/// Searches a move while the others see that it is being searched, where that would pay.
#[inline(always)]
pub(super) fn seen<T>(mark: Option<(&Busy, Mark)>, search: impl FnOnce() -> T) -> T {
    if let Some((busy, mark)) = mark {
        busy.enter(mark);
    }
    let result = search();
    if let Some((busy, mark)) = mark {
        busy.leave(mark);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_between_enter_and_leave() {
        let busy = Busy::new();
        let mark = Mark::new(77, MoveKey(5), 9);
        assert!(!busy.has(mark));
        busy.enter(mark);
        assert!(busy.has(mark) && !busy.has(Mark::new(77, MoveKey(5), 8)) && !busy.has(Mark::new(78, MoveKey(5), 9)));
        busy.leave(mark);
        assert!(!busy.has(mark));
    }
}
