//! The command line: reads the words, makes one call into the rooms, and ends with an exit code.

#[path = "main/help.rs"]
mod help;

use clap::{ArgGroup, Args, CommandFactory, Parser, Subcommand};
use damka::protocol::Refused;
use damka::protocol::cecp::Cecp;
use damka::protocol::command::{self, Command, Position};
use damka::protocol::diagram::Look;
use damka::protocol::dxp;
use damka::protocol::options;
use damka::protocol::output::Output;
use damka::protocol::perft::{self, PerftWords};
use damka::protocol::session::{Session, complain};
use damka::protocol::start::Start;
use damka::tools::common::{Failure, Trouble};
use damka::tools::{Ending, Tool, bench, learn, merge, tables};
use std::io::Write;
use std::process::ExitCode;

/// Exit code for input that was wrong in parts, though the work was done.
const FAULTS: u8 = 1;
/// Exit code for bad input, as clap uses it too.
const BAD_INPUT: u8 = 2;
/// Exit code when files that were to be put together or read have to be made anew first.
const ANEW: u8 = 3;
/// Exit code when the same words may succeed later; sysexits.h calls it EX_TEMPFAIL.
const AGAIN: u8 = 75;
/// Exit code when a signal ended a job; what was finished is kept.
const STOPPED: u8 = 130;

/// A draughts and checkers engine for the whole family of games.
///
/// Without a command it speaks a dialect of UCI on its standard input and output; see protocol.md. Any other words are
/// run as one line of that protocol.
#[derive(Parser)]
#[command(name = "damka", version, args_conflicts_with_subcommands = false, after_long_help = help::PROGRAM)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    job: Option<Job>,
}

#[derive(Args)]
struct Common {
    /// Rule set, by name or alias (`damka variants` lists them).
    #[arg(long, global = true, value_name = "NAME", conflicts_with = "rules")]
    variant: Option<String>,
    /// File with your own rules.
    #[arg(long, global = true, value_name = "FILE")]
    rules: Option<String>,
    /// One rule laid over the rule set; may be given several times.
    #[arg(long, global = true, value_name = "FIELD=VALUE")]
    rule: Vec<String>,
    /// Transposition table in MiB.
    #[arg(long, global = true, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: Option<u32>,
    /// Threads; by default one a core.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// List the numbers of the search as options too (`Tune.*`), for tuning.
    #[arg(long, global = true, hide = true)]
    tune: bool,
    /// Say more on stderr; twice for even more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// Which position.
#[derive(Args)]
struct At {
    /// Position to start from; by default the starting position.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Moves to play from there, between blanks.
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    moves: String,
}

#[derive(Args)]
struct DxpArgs {
    /// Wait for connections there; 27531 is the usual port.
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Connect to a program that waits there.
    #[arg(long, value_name = "HOST:PORT")]
    connect: Option<String>,
    /// Ask for the games; otherwise the other side has to.
    #[arg(long)]
    initiator: bool,
    /// End after so many games, 0 = never; by default 1 for the initiator and never for the other.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Minutes for each player and game, such as 20 or 0.5; 0 = none. The initiator's word holds.
    #[arg(long, value_name = "MIN", default_value = "0")]
    time: String,
    /// Break games off after so many moves of each player; 0 = never. The initiator's word holds.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=999))]
    moves: u16,
    /// Most milliseconds for one of our moves; by default 1000 where there is no clock.
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Our name.
    #[arg(long, value_name = "S")]
    name: Option<String>,
    /// Add the games to this file.
    #[arg(long, value_name = "FILE")]
    pdn: Option<String>,
}

impl DxpArgs {
    fn plan(self) -> dxp::Plan {
        let address = match (self.listen, self.connect) {
            (Some(listen), _) => dxp::Address::Listen(listen),
            (None, connect) => dxp::Address::Connect(connect.expect("one of the two is required")),
        };
        dxp::Plan {
            address,
            name: self.name,
            initiator: self.initiator,
            games: self.games,
            time: Some(self.time),
            moves: self.moves,
            movetime_ms: self.movetime,
            pdn: self.pdn,
        }
    }
}

#[derive(Subcommand)]
enum Job {
    /// Search: `go depth 12`, `go movetime 2000` … as in the protocol.
    #[command(after_long_help = help::GO)]
    Go {
        #[command(flatten)]
        at: At,
        /// Limits, as in the protocol.
        #[arg(allow_negative_numbers = true)]
        limits: Vec<String>,
    },
    /// Count the move sequences of a depth.
    #[command(after_long_help = help::PERFT)]
    Perft {
        /// Plies.
        depth: String,
        #[command(flatten)]
        at: At,
        /// Print the count of each move.
        #[arg(long)]
        divide: bool,
        /// What counts as one move: unique (from, to and captured pieces), paths or landings.
        #[arg(long, value_name = "HOW", default_value = "unique")]
        count: String,
        /// Whether positions that end the game are searched on: applied or ignored.
        #[arg(long, value_name = "HOW", default_value = "ignored")]
        ends: String,
        /// Print one JSON object before the last line.
        #[arg(long)]
        json: bool,
    },
    /// List the legal moves.
    #[command(after_long_help = help::LEGAL)]
    Legal {
        #[command(flatten)]
        at: At,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Play moves and show where they lead.
    #[command(after_long_help = help::PLAY)]
    Play {
        #[command(flatten)]
        at: At,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List the rule sets.
    #[command(after_long_help = help::VARIANTS)]
    Variants {
        /// Print a JSON array with all fields.
        #[arg(long)]
        json: bool,
    },
    /// Draw a position.
    #[command(after_long_help = help::D)]
    D {
        #[command(flatten)]
        at: At,
    },
    /// Evaluate a position without searching.
    #[command(after_long_help = help::EVAL)]
    Eval {
        #[command(flatten)]
        at: At,
    },
    /// Speak the Hub protocol (version 2) on standard input and output.
    #[command(after_long_help = help::HUB)]
    Hub,
    /// Run the benchmark.
    #[command(after_long_help = help::BENCH)]
    Bench {
        /// Plies.
        depth: Option<String>,
    },
    /// Play against another program over TCP (DXP).
    ///
    /// Progress goes to stderr. While it runs you may type: chat TEXT, back NUMBER white|black, end, quit.
    #[command(group(ArgGroup::new("address").required(true).args(["listen", "connect"])), after_long_help = help::DXP)]
    Dxp(DxpArgs),
    /// Play a match between engines.
    #[command(after_long_help = help::MATCH)]
    Match(damka::tools::arena::Args),
    /// Make, check and list endgame tables.
    #[command(after_long_help = help::TABLES)]
    Tables {
        #[command(subcommand)]
        job: TablesJob,
    },
    /// Play games against itself, to learn from.
    #[command(after_long_help = help::SELFPLAY)]
    Selfplay(learn::selfplay::Args),
    /// Learn an evaluation out of such games.
    #[command(after_long_help = help::TRAIN)]
    Train(learn::train::Args),
    /// Fit the chances that go with a score on such games.
    #[command(after_long_help = help::WDL)]
    Wdl(learn::wdl::Args),
    /// Put together what parts of a job made with --shard.
    Merge(merge::Args),
    /// Speak to xboard (CECP) on standard input and output.
    #[command(after_long_help = help::XBOARD)]
    Xboard,
    #[command(flatten)]
    Tool(Tool),
    /// Any other line of the protocol.
    #[command(external_subcommand)]
    Line(Vec<String>),
}

#[derive(Subcommand)]
enum TablesJob {
    #[command(flatten)]
    Offline(tables::Job),
    /// Show what the tables know of a position and each of its moves.
    Probe {
        #[command(flatten)]
        at: At,
        /// Folder of the tables; by default the user's cache folder.
        #[arg(long, value_name = "FOLDER")]
        dir: Option<String>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log(cli.common.verbose);
    let start = start(&cli.common);
    if let Some(Job::Tool(tool)) = &cli.job {
        return told(tool.run(&start, Cli::command));
    }
    match run(cli.job, &start) {
        Ok(code) => code,
        Err(refused) => {
            complain(&refused);
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Says what is wrong. Nobody may be reading there.
fn tell(error: &impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "damka: {error}");
}

fn start_log(verbose: u8) {
    let level = match verbose {
        0 => log::LevelFilter::Off,
        1 => log::LevelFilter::Info,
        _ => log::LevelFilter::Debug,
    };
    env_logger::Builder::new().filter_level(level).parse_default_env().init();
}

fn start(common: &Common) -> Start {
    Start {
        variant: common.variant.clone(),
        rules: common.rules.clone(),
        rule: common.rule.clone(),
        hash_mb: common.hash.map(|mb| mb as usize),
        threads: common.threads.map(|n| n as usize),
        tune: common.tune,
    }
}

/// Does a job; the exit code that says how it ended.
fn run(job: Option<Job>, start: &Start) -> Result<ExitCode, Refused> {
    let mut choices = start.choices()?;
    if let Some(Job::Tables { job: TablesJob::Probe { dir: Some(dir), .. } }) = &job {
        options::set(&mut choices, "TablesDir", Some(dir))?;
    }
    let job = match job {
        Some(Job::Match(args)) => return Ok(told(damka::tools::arena::run(&args, choices.variant))),
        Some(Job::Selfplay(args)) => {
            let threads = choices.engine.threads;
            return Ok(told(learn::selfplay::run(&args, choices.variant, threads)));
        }
        Some(Job::Train(args)) => {
            let threads = choices.engine.threads;
            return Ok(told(learn::train::run(&args, choices.variant, threads)));
        }
        Some(Job::Wdl(args)) => {
            let threads = choices.engine.threads;
            return Ok(told(learn::wdl::run(&args, choices.variant, threads).map(|()| Ending::Fine)));
        }
        Some(Job::Merge(args)) => return Ok(told(merge::run(&args))),
        Some(Job::Dxp(args)) => return dxp::run(&choices, &args.plan()).map(done),
        Some(Job::Tables { job: TablesJob::Offline(job) }) => {
            let threads = start.threads;
            return Ok(told(tables::run(&job, &choices.variant, threads)));
        }
        Some(Job::Xboard) => {
            Cecp::new(choices, Output::stdout()).run(std::io::stdin().lock());
            return Ok(ExitCode::SUCCESS);
        }
        job => job,
    };
    let mut session = Session::new(choices, Output::stdout(), Some(bench::run));
    session.draw_for(Look::of_stdout());
    let Some(job) = job else {
        session.run(std::io::stdin().lock());
        return Ok(ExitCode::SUCCESS);
    };
    if let Job::Hub = job {
        session.run_hub(std::io::stdin().lock());
        return Ok(ExitCode::SUCCESS);
    }
    // Words of the protocol are answered as the protocol answers, the others only on stderr.
    let told = matches!(job, Job::Go { .. } | Job::D { .. } | Job::Eval { .. } | Job::Line(_));
    match commands(job) {
        Ok(commands) => Ok(done(session.once(commands, told))),
        Err(refused) => {
            if told {
                Output::stdout().error(&refused.to_string());
            }
            Err(refused)
        }
    }
}

/// What a job comes to in commands of the protocol.
fn commands(job: Job) -> Result<Vec<Command>, Refused> {
    let line = |words: &[String]| -> Result<Vec<Command>, Refused> {
        Ok(command::parse(&words.join(" "))?.into_iter().collect())
    };
    Ok(match job {
        Job::Go { at, limits } => {
            let mut commands = position(at);
            commands.extend(line(&[vec!["go".to_string()], limits].concat())?);
            commands
        }
        Job::Perft { depth, at, divide, count, ends, json } => {
            let words = PerftWords {
                divide,
                json,
                counting: perft::counting("perft", &count)?,
                ends: perft::ends("perft", &ends)?,
                ..PerftWords::parse("perft", &[&depth])?
            };
            then(at, Command::Perft(words))
        }
        Job::Legal { at, json } => then(at, Command::Legal { json }),
        Job::Play { at, json: true } => then(at, Command::Legal { json: true }),
        Job::Play { at, json: false } | Job::D { at } => then(at, Command::Draw),
        Job::Variants { json } => vec![Command::Variants { json }],
        Job::Eval { at } => then(at, Command::Eval),
        Job::Tables { job: TablesJob::Probe { at, json, .. } } => then(at, Command::Probe { json }),
        Job::Bench { depth } => line(&["bench".to_string(), depth.unwrap_or_default()])?,
        Job::Hub => vec![Command::Hub],
        Job::Line(words) => line(&words)?,
        // Have been done without a session.
        Job::Match(_) | Job::Selfplay(_) | Job::Train(_) | Job::Wdl(_) | Job::Merge(_) => Vec::new(),
        Job::Dxp(_) | Job::Xboard | Job::Tool(_) => Vec::new(),
        Job::Tables { job: TablesJob::Offline(_) } => Vec::new(),
    })
}

/// The exit code of an offline job; what went wrong is told on stderr.
fn told(done: Result<Ending, impl Failure>) -> ExitCode {
    let code = match done {
        Ok(Ending::Fine) => return ExitCode::SUCCESS,
        Ok(Ending::Faults) => FAULTS,
        Ok(Ending::Stopped) => STOPPED,
        Err(error) => {
            tell(&error);
            match error.trouble() {
                Trouble::GiveUp => BAD_INPUT,
                Trouble::Anew => ANEW,
                Trouble::Again => AGAIN,
                Trouble::Stopped => STOPPED,
            }
        }
    };
    ExitCode::from(code)
}

/// Whether nothing was refused; what was has been told.
fn done(done: bool) -> ExitCode {
    if done { ExitCode::SUCCESS } else { ExitCode::from(BAD_INPUT) }
}

fn position(at: At) -> Vec<Command> {
    let moves = at.moves.split_whitespace().map(str::to_string).collect();
    vec![Command::Position(Position { fen: at.fen, moves })]
}

fn then(at: At, command: Command) -> Vec<Command> {
    let mut commands = position(at);
    commands.push(command);
    commands
}
