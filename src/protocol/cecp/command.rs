//! One line of xboard's to one command. Pure.

/// What xboard asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `protover`: tell the features.
    Features,
    /// Nothing to do or to say.
    Ignored,
    New,
    Variant(String),
    SetBoard(String),
    Force,
    Go,
    PlayOther,
    Move(String),
    /// `?`: play now.
    MoveNow,
    Undo,
    /// `remove`: takes back a move of each side.
    Remove,
    Result,
    Analyze,
    Exit,
    Post(bool),
    /// Moves a period (0 = whole game), milliseconds a period, gain in milliseconds.
    Level {
        moves: u32,
        base_ms: i64,
        gain_ms: i64,
    },
    /// Milliseconds for each move.
    MoveTime(u64),
    Depth(u32),
    /// Milliseconds on the engine's clock.
    Time(i64),
    /// Milliseconds on the other clock.
    OtherTime(i64),
    Ping(String),
    Lift(String),
    Put(String),
    Memory(usize),
    Cores(usize),
    Quit,
}

/// Why a line is no command: `Error (reason): line`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadLine {
    Unknown,
    /// A number is missing or makes no sense.
    Parameters,
}

impl BadLine {
    /// The reason as xboard reads it.
    pub fn reason(self) -> &'static str {
        match self {
            BadLine::Unknown => "unknown command",
            BadLine::Parameters => "bad parameters",
        }
    }
}

/// Reads a line; `None` when it is empty.
pub fn parse(line: &str) -> Result<Option<Command>, BadLine> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let text = |word: &&str| (*word).to_string();
    Ok(Some(match words.as_slice() {
        [] => return Ok(None),
        ["protover", ..] => Command::Features,
        ["new"] => Command::New,
        ["variant", name] => Command::Variant(text(name)),
        ["setboard", rest @ ..] => Command::SetBoard(rest.join(" ")),
        ["force"] => Command::Force,
        ["go"] => Command::Go,
        ["playother"] => Command::PlayOther,
        ["usermove", mv] => Command::Move(text(mv)),
        ["?"] => Command::MoveNow,
        ["undo"] => Command::Undo,
        ["remove"] => Command::Remove,
        ["result", ..] => Command::Result,
        ["analyze"] => Command::Analyze,
        ["exit"] => Command::Exit,
        ["post"] => Command::Post(true),
        ["nopost"] => Command::Post(false),
        ["level", moves, base, gain] => level(moves, base, gain)?,
        ["st", seconds] => Command::MoveTime(millis(seconds, 1000.0)? as u64),
        ["sd", depth] => Command::Depth(number(depth)?),
        ["time", centis] => Command::Time(millis(centis, 10.0)?),
        ["otim", centis] => Command::OtherTime(millis(centis, 10.0)?),
        ["ping", id] => Command::Ping(text(id)),
        ["lift", square] => Command::Lift(text(square)),
        ["put", square] => Command::Put(text(square)),
        ["memory", mb] => Command::Memory(number(mb)?),
        ["cores", cores] => Command::Cores(number(cores)?),
        ["quit"] => Command::Quit,
        [
            "xboard" | "accepted" | "rejected" | "random" | "hard" | "easy" | "computer" | "name" | "rating" | "draw",
            ..,
        ]
        | ["hover" | "hint" | "bk" | "ics" | "option" | "." | "nps" | "white" | "black" | "beep", ..] => {
            Command::Ignored
        }
        _ => return Err(BadLine::Unknown),
    }))
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, BadLine> {
    text.parse().map_err(|_| BadLine::Parameters)
}

/// A decimal number of units of so many milliseconds.
fn millis(text: &str, unit: f64) -> Result<i64, BadLine> {
    let value: f64 = number(text)?;
    if value.is_finite() { Ok((value * unit).clamp(-1e12, 1e12) as i64) } else { Err(BadLine::Parameters) }
}

/// `level 40 5 0`, `level 0 0:30 2`: moves, minutes or minutes:seconds, seconds.
fn level(moves: &str, base: &str, gain: &str) -> Result<Command, BadLine> {
    let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
    Ok(Command::Level {
        moves: number(moves)?,
        base_ms: millis(minutes, 60_000.0)? + millis(seconds, 1000.0)?,
        gain_ms: millis(gain, 1000.0)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(parse(""), Ok(None));
        assert_eq!(parse("usermove c3d4,d4e5"), Ok(Some(Command::Move("c3d4,d4e5".into()))));
        assert_eq!(parse("level 0 0:30 1.5"), Ok(Some(Command::Level { moves: 0, base_ms: 30_000, gain_ms: 1500 })));
        assert_eq!(parse("level 40 5 0"), Ok(Some(Command::Level { moves: 40, base_ms: 300_000, gain_ms: 0 })));
        assert_eq!(parse("time 29968"), Ok(Some(Command::Time(299_680))));
        assert_eq!(parse("rating 1 2"), Ok(Some(Command::Ignored)));
    }

    #[test]
    fn what_is_no_command_has_a_reason() {
        assert_eq!(parse("castle"), Err(BadLine::Unknown));
        for line in ["level 1 2", "usermove", "ping"] {
            assert_eq!(parse(line), Err(BadLine::Unknown), "{line}");
        }
        for line in ["level x 5 0", "st nan", "sd -1", "time inf", "memory lots", "cores 1e9"] {
            assert_eq!(parse(line), Err(BadLine::Parameters), "{line}");
        }
    }
}
