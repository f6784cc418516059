//! Time controls and the clocks of one game.

use super::error::ArenaError;
use crate::game::board::Color;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What an engine may spend on its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// Milliseconds for each move.
    MoveTime(u64),
    /// Nodes for each move.
    Nodes(u64),
    /// Plies of depth for each move.
    Depth(u32),
    /// A clock: time at the start, gain a move, and the number of moves after which the first is given again.
    Clock { base_ms: u64, increment_ms: u64, moves: Option<u32> },
}

const EXPECTED: &str = "movetime=MS, nodes=N, depth=N, SECONDS, SECONDS+INCREMENT or MOVES/SECONDS[+INCREMENT]";

/// Longest time a clock is set to: thirty days.
const LONGEST_SECONDS: f64 = 30.0 * 86_400.0;

impl FromStr for TimeControl {
    type Err = ArenaError;

    fn from_str(text: &str) -> Result<TimeControl, ArenaError> {
        read(text.trim()).ok_or_else(|| ArenaError::argument("time control", text, EXPECTED))
    }
}

fn read(text: &str) -> Option<TimeControl> {
    if let Some((kind, value)) = text.split_once('=') {
        let value = value.trim();
        return match kind.trim() {
            "movetime" => {
                positive(value).filter(|ms| *ms as f64 <= LONGEST_SECONDS * 1000.0).map(TimeControl::MoveTime)
            }
            "nodes" => positive(value).map(TimeControl::Nodes),
            "depth" => positive(value).and_then(|depth| u32::try_from(depth).ok()).map(TimeControl::Depth),
            _ => None,
        };
    }
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(u32::try_from(positive(moves)?).ok()?), time),
        None => (None, text),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    let (base_ms, increment_ms) = (milliseconds(base)?, milliseconds(increment)?);
    (base_ms + increment_ms > 0).then_some(TimeControl::Clock { base_ms, increment_ms, moves })
}

fn positive(text: &str) -> Option<u64> {
    text.parse().ok().filter(|&number| number > 0)
}

fn milliseconds(seconds: &str) -> Option<u64> {
    let seconds: f64 = seconds.parse().ok()?;
    (0.0..=LONGEST_SECONDS).contains(&seconds).then(|| (seconds * 1000.0).round() as u64)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        match *self {
            TimeControl::MoveTime(ms) => write!(f, "movetime={ms}"),
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
            TimeControl::Clock { base_ms, increment_ms, moves } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", seconds(base_ms))?;
                if increment_ms > 0 {
                    write!(f, "+{}", seconds(increment_ms))?;
                }
                Ok(())
            }
        }
    }
}

/// The clocks of one game, White first.
#[derive(Clone, Debug)]
pub struct Clocks {
    controls: [TimeControl; 2],
    left_ms: [i64; 2],
    played: [u32; 2],
    /// Overrun that is forgiven.
    margin: Duration,
}

/// A move that took too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overrun {
    /// What it took.
    pub took: Duration,
    /// What it could take, without the margin.
    pub allowed: Duration,
}

impl Clocks {
    /// Clocks as a game starts.
    pub fn new(controls: [TimeControl; 2], margin: Duration) -> Clocks {
        let base = |control| match control {
            TimeControl::Clock { base_ms, increment_ms, .. } => (base_ms + increment_ms) as i64,
            _ => 0,
        };
        Clocks { controls, left_ms: controls.map(base), played: [0; 2], margin }
    }

    /// A side's time control.
    pub fn control(&self, side: Color) -> TimeControl {
        self.controls[side.index()]
    }

    /// Milliseconds on the clock of a side before its move; `None` = it has no clock.
    pub fn left_ms(&self, side: Color) -> Option<i64> {
        matches!(self.control(side), TimeControl::Clock { .. }).then(|| self.left_ms[side.index()])
    }

    /// Moves until the side's clock is filled up again.
    pub fn moves_to_go(&self, side: Color) -> Option<u32> {
        match self.control(side) {
            TimeControl::Clock { moves: Some(moves), .. } => Some(moves - self.played[side.index()] % moves),
            _ => None,
        }
    }

    /// The time a side's move may take, the margin not counted; `None` = no limit.
    pub fn allowed(&self, side: Color) -> Option<Duration> {
        match self.control(side) {
            TimeControl::MoveTime(ms) => Some(Duration::from_millis(ms)),
            TimeControl::Clock { .. } => Some(Duration::from_millis(self.left_ms[side.index()].max(0) as u64)),
            _ => None,
        }
    }

    /// When to give a move up: the allowed time and the margin.
    pub fn patience(&self, side: Color) -> Option<Duration> {
        self.allowed(side).map(|allowed| allowed + self.margin)
    }

    /// Takes a move's time from the side's clock. An overrun within the margin costs nothing.
    pub fn spend(&mut self, side: Color, took: Duration) -> Result<(), Overrun> {
        if let Some(allowed) = self.allowed(side)
            && took > allowed + self.margin
        {
            return Err(Overrun { took, allowed });
        }
        self.played[side.index()] += 1;
        if let TimeControl::Clock { base_ms, increment_ms, moves } = self.control(side) {
            let left = &mut self.left_ms[side.index()];
            *left = (*left - took.as_millis() as i64).max(0) + increment_ms as i64;
            if moves.is_some_and(|moves| self.played[side.index()].is_multiple_of(moves)) {
                *left += base_ms as i64;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["movetime=100", "nodes=2000", "depth=8", "10+0.1", "40/60", "40/60.5+0.25", "5"] {
            assert_eq!(control(text).to_string(), text);
        }
        assert_eq!(control("40/60"), TimeControl::Clock { base_ms: 60_000, increment_ms: 0, moves: Some(40) });
        for bad in ["", "movetime=0", "nodes=-1", "depth=x", "speed=3", "0/60", "10+", "-5", "0", "inf", "nan", "1e300"]
        {
            let error = bad.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains("movetime=MS"), "{bad}: {error}");
        }
    }

    #[test]
    fn a_clock_runs_down_gains_and_is_filled_up() {
        let mut clocks = Clocks::new([control("2/1+0.1"), control("nodes=5")], Duration::from_millis(50));
        assert_eq!(clocks.left_ms(Color::White), Some(1100));
        assert_eq!(clocks.left_ms(Color::Black), None);
        assert_eq!(clocks.moves_to_go(Color::White), Some(2));
        clocks.spend(Color::White, Duration::from_millis(600)).unwrap();
        assert_eq!((clocks.left_ms(Color::White), clocks.moves_to_go(Color::White)), (Some(600), Some(1)));
        clocks.spend(Color::White, Duration::from_millis(640)).unwrap();
        assert_eq!((clocks.left_ms(Color::White), clocks.moves_to_go(Color::White)), (Some(1100), Some(2)));
        clocks.spend(Color::Black, Duration::from_secs(999)).unwrap();
        let overrun = clocks.spend(Color::White, Duration::from_millis(1151)).unwrap_err();
        assert_eq!(overrun.allowed, Duration::from_millis(1100));
    }

    #[test]
    fn a_move_time_has_its_margin() {
        let mut clocks = Clocks::new([control("movetime=100"); 2], Duration::from_millis(50));
        assert!(clocks.spend(Color::Black, Duration::from_millis(150)).is_ok());
        assert!(clocks.spend(Color::Black, Duration::from_millis(151)).is_err());
        assert_eq!(clocks.patience(Color::Black), Some(Duration::from_millis(150)));
    }
}
