//! Reads one line of Hub. Pure, as the reader of UCI is.

use super::scan::{Message, scan};
use super::trouble::Trouble;
use crate::engine::{Clock, Limits};
use crate::protocol::go::MAX_DEPTH;

/// What a client may ask for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `hub`: who are you, what are your parameters.
    Hub,
    /// `set-param name=N value=V`.
    SetParam { name: String, value: String },
    /// `init`: get ready.
    Init,
    /// `new-game`: forget earlier searches.
    NewGame,
    /// `pos pos=P [moves="…"]`; no `pos` is the starting position.
    Pos { pos: Option<String>, moves: Vec<String> },
    /// `level …`: adds to the limits of the next search.
    Level(Level),
    /// `go …`: search.
    Go(Mode),
    /// `ponder-hit`: the expected move was played.
    PonderHit,
    /// `stop`: end the search and answer.
    Stop,
    /// `ping`: answer `pong`.
    Ping,
    /// `quit`.
    Quit,
}

/// All commands.
pub const WORDS: [&str; 11] =
    ["hub", "set-param", "init", "new-game", "pos", "level", "go", "ponder-hit", "stop", "ping", "quit"];

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A move in a game.
    Think,
    /// Thinking on the opponent's time.
    Ponder,
    /// The truth about a position.
    Analyze,
}

/// Limits of a search, in the protocol's units.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Level {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Seconds for this move.
    pub move_time: Option<f64>,
    /// Seconds left.
    pub time: Option<f64>,
    /// Seconds gained before each move.
    pub inc: Option<f64>,
    /// Moves until more time is given.
    pub moves: Option<u32>,
}

impl Level {
    /// Takes over what another line gives.
    pub fn add(&mut self, more: &Level) {
        *self = Level {
            depth: more.depth.or(self.depth),
            nodes: more.nodes.or(self.nodes),
            move_time: more.move_time.or(self.move_time),
            time: more.time.or(self.time),
            inc: more.inc.or(self.inc),
            moves: more.moves.or(self.moves),
        };
    }

    /// The same for the engine; without any limit the search is endless.
    ///
    /// The increment is counted as given before each move, so what is left now is `time + inc`.
    pub fn limits(&self) -> Limits {
        let inc = self.inc.unwrap_or(0.0);
        let clock = self.time.map(|time| Clock {
            time_ms: [millis(time + inc); 2],
            increment_ms: [millis(inc); 2],
            moves_to_go: self.moves,
        });
        let movetime_ms = self.move_time.map(|seconds| millis(seconds).max(0) as u64);
        let infinite = self.depth.is_none() && self.nodes.is_none() && movetime_ms.is_none() && clock.is_none();
        Limits { depth: self.depth, nodes: self.nodes, movetime_ms, clock, infinite, ..Limits::default() }
    }
}

fn millis(seconds: f64) -> i64 {
    (seconds * 1_000.0).round() as i64
}

/// Reads one line; `None` for a blank one. Arguments that are not known mean nothing.
pub fn parse(line: &str) -> Result<Option<Command>, Trouble> {
    let Some(message) = scan(line)? else { return Ok(None) };
    Ok(Some(match message.word.as_str() {
        "hub" => Command::Hub,
        "set-param" => set_param(&message)?,
        "init" => Command::Init,
        "new-game" => Command::NewGame,
        "pos" => pos(&message)?,
        "level" => Command::Level(level(&message)?),
        "go" => Command::Go(mode(&message)?),
        "ponder-hit" => Command::PonderHit,
        "stop" => Command::Stop,
        "ping" => Command::Ping,
        "quit" => Command::Quit,
        _ => return Err(Trouble::Command(message.word)),
    }))
}

fn set_param(message: &Message) -> Result<Command, Trouble> {
    let expected = "set-param name=N value=V";
    let name = message.get("name").filter(|name| !name.is_empty());
    let name = name.ok_or(Trouble::Missing { what: "name", expected })?.to_string();
    let value = message.text("value").ok_or(Trouble::Missing { what: "value", expected })?;
    Ok(Command::SetParam { name, value })
}

fn pos(message: &Message) -> Result<Command, Trouble> {
    let pos = message.get("pos").map(str::to_string);
    if pos.is_none() && message.get("start").is_none() {
        return Err(Trouble::Missing { what: "position", expected: "pos pos=P or pos start, then moves=\"…\"" });
    }
    let moves = message.text("moves").unwrap_or_default();
    Ok(Command::Pos { pos, moves: moves.split_whitespace().map(str::to_string).collect() })
}

fn mode(message: &Message) -> Result<Mode, Trouble> {
    let known = |(name, value): &(String, Option<String>)| match (name.as_str(), value) {
        ("think", None) => Some(Mode::Think),
        ("ponder", None) => Some(Mode::Ponder),
        ("analyze" | "analyse", None) => Some(Mode::Analyze),
        _ => None,
    };
    // A word that is not known must not keep a client waiting: it gets a search, and so an answer.
    Ok(message.arguments.iter().find_map(known).unwrap_or(Mode::Think))
}

fn level(message: &Message) -> Result<Level, Trouble> {
    let count = |name: &str| -> Result<Option<u64>, Trouble> {
        let read = |text: &str| text.parse().map_err(|_| argument(name, text, "a whole number"));
        message.get(name).map(read).transpose()
    };
    let seconds = |name: &str| -> Result<Option<f64>, Trouble> {
        let read = |text: &str| match text.parse::<f64>() {
            Ok(seconds) if seconds.abs() < 1e9 => Ok(seconds),
            _ => Err(argument(name, text, "seconds, fewer than 1000000000")),
        };
        message.get(name).map(read).transpose()
    };
    Ok(Level {
        depth: count("depth")?.map(|depth| depth.clamp(1, MAX_DEPTH as u64) as u32),
        nodes: count("nodes")?.map(|nodes| nodes.max(1)),
        move_time: seconds("move-time")?,
        time: seconds("time")?,
        inc: seconds("inc")?,
        moves: count("moves")?.filter(|&moves| moves > 0).map(|moves| moves.min(10_000) as u32),
    })
}

fn argument(name: &str, read: &str, expected: &'static str) -> Trouble {
    Trouble::Argument { what: format!("level {name}"), read: read.to_string(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse(line).expect("a sound line").expect("not blank")
    }

    fn error(line: &str) -> String {
        parse(line).expect_err("a bad line").to_string()
    }

    fn limits(lines: &[&str]) -> Limits {
        let mut all = Level::default();
        for line in lines {
            let Command::Level(level) = read(line) else { panic!("{line} is no level") };
            all.add(&level);
        }
        all.limits()
    }

    #[test]
    fn every_command_is_read() {
        for (word, command) in [
            ("hub", Command::Hub),
            ("init", Command::Init),
            ("new-game", Command::NewGame),
            ("ponder-hit", Command::PonderHit),
            ("stop", Command::Stop),
            ("ping", Command::Ping),
            ("quit", Command::Quit),
        ] {
            assert_eq!(read(word), command);
        }
        for (line, mode) in [
            ("go", Mode::Think),
            ("go think", Mode::Think),
            ("go ponder", Mode::Ponder),
            ("go analyze", Mode::Analyze),
            ("go now", Mode::Think),
        ] {
            assert_eq!(read(line), Command::Go(mode), "{line}");
        }
        let set = Command::SetParam { name: "a-b".into(), value: "c d".into() };
        assert_eq!(read("set-param name=a-b value=\"c d\""), set);
        assert_eq!(read("set-param name=a-b value=c d"), set);
        assert_eq!(read("pos start"), Command::Pos { pos: None, moves: vec![] });
        let pos = Command::Pos { pos: Some("We".into()), moves: vec!["1-2".into(), "3-4".into()] };
        assert_eq!(read("pos pos=We moves=\" 1-2  3-4\" wolf=\"W23=2 B18=1\""), pos);
        assert_eq!(read("pos pos=We moves=1-2 3-4"), pos);
        assert_eq!(read("pos pos=We moves=\"\""), Command::Pos { pos: Some("We".into()), moves: vec![] });
    }

    #[test]
    fn levels_add_up() {
        let limits = limits(&["level depth=9", "level move-time=1.5", "level nodes=1000 handicap=3 ply=7"]);
        assert_eq!((limits.depth, limits.movetime_ms, limits.nodes), (Some(9), Some(1_500), Some(1_000)));
        assert!(!limits.infinite && limits.clock.is_none());
    }

    #[test]
    fn every_form_of_level_is_read() {
        for line in ["level infinite", "level", "level handicap=2", "level inc=1", "level moves=3"] {
            assert!(limits(&[line]).infinite, "{line}");
        }
        assert!(!limits(&["level infinite", "level depth=3"]).infinite);
        let clock = |line: &str| {
            let clock = limits(&[line]).clock.expect("a clock");
            (clock.time_ms[0], clock.increment_ms[1], clock.moves_to_go)
        };
        assert_eq!(clock("level time=2.5"), (2_500, 0, None));
        assert_eq!(clock("level moves=10 time=5"), (5_000, 0, Some(10)));
        assert_eq!(clock("level time=3 inc=0.1"), (3_100, 100, None));
        assert_eq!(clock("level moves=4 time=3 inc=0.1"), (3_100, 100, Some(4)));
        assert_eq!(clock("level time=-0.05 inc=0.1"), (50, 100, None));
        assert_eq!(clock("level time=1e-05"), (0, 0, None));
        assert_eq!(limits(&["level depth=0 nodes=0"]).depth, Some(1));
        assert_eq!(limits(&["level depth=100000"]).depth, Some(200));
        assert_eq!(limits(&["level move-time=-1"]).movetime_ms, Some(0));
    }

    #[test]
    fn bad_lines_say_what_was_expected() {
        assert!(error("castle now").starts_with("bad command: 'castle' was read, expected one of: hub set-param "));
        assert_eq!(error("set-param value=3"), "missing name: expected set-param name=N value=V");
        assert_eq!(error("set-param name=threads"), "missing value: expected set-param name=N value=V");
        assert!(error("pos moves=\"1-2\"").starts_with("missing position: expected pos pos=P"));
        for bad in ["depth=x", "depth=-1", "nodes=1.5", "moves="] {
            assert!(error(&format!("level {bad}")).contains("expected a whole number"), "{bad}");
        }
        for bad in ["nan", "inf", "1e10", "soon", "1,5"] {
            assert!(error(&format!("level time={bad}")).starts_with("bad level time: "), "{bad}");
        }
    }
}
