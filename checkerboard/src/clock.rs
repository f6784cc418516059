//! CheckerBoard's times to damka's limits.

use damka::engine::{Clock, Limits};
use std::ffi::c_int;

/// Bit of `info`: a new game, or a position out of the blue.
pub const NEW_GAME: c_int = 1;
/// Bit of `info`: use all of the time, and no more.
const EXACT: c_int = 2;

/// Longest time for one move, in seconds: analysis without end is asked for with large numbers.
const MOST_SECONDS: f64 = 1e6;

/// Moves over which an average time is kept.
const AVERAGE_OVER: u32 = 20;

/// The limits of one move. `maxtime` is in seconds: exact, or an average that a hard move may exceed twofold. With a
/// clock, `moreinfo` holds the time left in its high and the gain a move in its low 16 bits.
pub fn limits(maxtime: f64, info: c_int, moreinfo: c_int) -> Limits {
    let seconds = if maxtime.is_nan() { 0.0 } else { maxtime.clamp(0.0, MOST_SECONDS) };
    let movetime = ((seconds * 1000.0) as u64).max(1);
    let exact = info & EXACT != 0;
    let unit = match info >> 2 & 3 {
        0 => None,
        1 => Some(1),
        2 => Some(10),
        _ => Some(100),
    };
    let clock = match unit {
        Some(unit) => {
            let (left, gain) = (i64::from(moreinfo >> 16 & 0xffff) * unit, i64::from(moreinfo & 0xffff) * unit);
            Some(Clock { time_ms: [left; 2], increment_ms: [gain; 2], moves_to_go: None })
        }
        None if exact => None,
        None => {
            let total = movetime as i64 * i64::from(AVERAGE_OVER);
            Some(Clock { time_ms: [total; 2], increment_ms: [0; 2], moves_to_go: Some(AVERAGE_OVER) })
        }
    };
    let movetime_ms = match (unit, exact) {
        (_, true) => Some(movetime),
        (None, false) => Some(movetime * 2),
        (Some(_), false) => None,
    };
    Limits { movetime_ms, clock, ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_time_is_the_time_of_the_move() {
        let limits = limits(2.5, EXACT, 0);
        assert_eq!((limits.movetime_ms, limits.clock), (Some(2500), None));
    }

    #[test]
    fn an_average_may_be_exceeded_twofold() {
        let limits = limits(1.0, 0, 0);
        assert_eq!(limits.movetime_ms, Some(2000));
        assert_eq!(limits.clock.and_then(|clock| clock.moves_to_go), Some(20));
    }

    #[test]
    fn clocks_are_read_in_their_unit() {
        for (unit, ms) in [(1, 1), (2, 10), (3, 100)] {
            let clock = limits(1.0, unit << 2, (60_000u32 << 16 | 15) as i32).clock.expect("a clock");
            assert_eq!((clock.time_ms, clock.increment_ms), ([60_000 * ms; 2], [15 * ms; 2]));
        }
    }

    #[test]
    fn times_that_are_none_are_short_or_long_but_never_wrong() {
        for bad in [f64::NAN, -1.0, f64::NEG_INFINITY, 0.0] {
            assert_eq!(limits(bad, EXACT, 0).movetime_ms, Some(1));
        }
        assert_eq!(limits(f64::INFINITY, EXACT, 0).movetime_ms, Some(1_000_000_000));
    }
}
