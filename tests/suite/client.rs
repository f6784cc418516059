//! Talks to the program as a client does: lines in, lines out, each with a time limit.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_damka");

/// How long any answer may take before the test gives up: nothing here should come near it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Searches of other tests beside a measured one would make its times worthless: whoever measures is alone.
static QUIET: RwLock<()> = RwLock::new(());

/// The right to run: beside others, or alone.
#[allow(dead_code, reason = "held for its drop")]
enum Turn {
    Shared(RwLockReadGuard<'static, ()>),
    Alone(RwLockWriteGuard<'static, ()>),
}

/// The right to run beside others, for work without a conversation of this kind; no measuring test runs while it is held.
pub fn beside_others() -> RwLockReadGuard<'static, ()> {
    QUIET.read().unwrap_or_else(PoisonError::into_inner)
}

/// A running conversation. A test has one at a time.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    _turn: Turn,
}

impl Client {
    /// Starts the program with these words and collects what it prints.
    pub fn start(words: &[&str]) -> Client {
        Client::begin(words, Turn::Shared(beside_others()))
    }

    /// As [`Client::start`], with a variable of the environment.
    pub fn start_with(words: &[&str], (name, value): (&str, &std::path::Path)) -> Client {
        let mut program = command(words);
        program.env(name, value);
        Client::spawn(program, Turn::Shared(beside_others()))
    }

    /// As [`Client::start`], while no other conversation runs.
    pub fn alone(words: &[&str]) -> Client {
        Client::begin(words, Turn::Alone(QUIET.write().unwrap_or_else(PoisonError::into_inner)))
    }

    fn begin(words: &[&str], turn: Turn) -> Client {
        Client::spawn(command(words), turn)
    }

    fn spawn(mut program: Command, turn: Turn) -> Client {
        let mut child = program.stderr(Stdio::inherit()).spawn().expect("the program starts");
        let output = child.stdout.take().expect("a piped output");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let line = line.expect("output is UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Client { input: child.stdin.take(), child, lines, _turn: turn }
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program listens");
    }

    /// The next line.
    pub fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("an answer")
    }

    /// All lines up to the first that begins so, that one included.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// Sends a line and returns the answer up to a line that begins so.
    pub fn ask(&mut self, line: &str, last: &str) -> Vec<String> {
        self.send(line);
        self.until(last)
    }

    /// Sends a line and returns everything it brings about before the answer to `isready`.
    pub fn effect(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        let mut lines = self.ask("isready", "readyok");
        lines.pop();
        lines
    }

    /// The one error line that a line brings about.
    pub fn refusal(&mut self, line: &str) -> String {
        let lines = self.effect(line);
        assert_eq!(lines.len(), 1, "{line:?} is answered by {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{line:?} is answered by {lines:?}");
        lines[0].clone()
    }

    /// The word after `bestmove`.
    pub fn best(&mut self, go: &str) -> String {
        best_word(self.ask(go, "bestmove").last().expect("a best move"))
    }

    /// What is printed within that time.
    pub fn listen(&self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return lines,
            }
        }
    }

    /// The FEN of the position in force.
    pub fn fen(&mut self) -> String {
        let lines = self.ask("d", "Legal moves");
        lines.iter().find_map(|line| line.strip_prefix("FEN: ")).expect("d prints the FEN").to_string()
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the end; returns the exit status, the lines still printed and how long it took.
    pub fn end(mut self) -> (ExitStatus, Vec<String>, Duration) {
        let since = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the child can be asked") {
                break status;
            }
            assert!(since.elapsed() < PATIENCE, "the program does not end");
            std::thread::sleep(Duration::from_millis(1));
        };
        let took = since.elapsed();
        (status, self.lines.iter().collect(), took)
    }

    /// Says goodbye and checks that all went well.
    pub fn quit(mut self) {
        self.send("quit");
        assert!(self.end().0.success());
    }

    /// Number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Only this very child, should a test have failed half-way.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, with a cache folder of the tests' own: endgame tables go there.
pub fn program() -> Command {
    let mut command = Command::new(PROGRAM);
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

fn command(words: &[&str]) -> Command {
    let mut command = program();
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// The move of a `bestmove` line.
pub fn best_word(line: &str) -> String {
    line.split_whitespace().nth(1).expect("a word after bestmove").to_string()
}

/// Runs the program once with these words and no input.
pub fn run(words: &[&str]) -> Output {
    program().args(words).stdin(Stdio::null()).output().expect("the program runs")
}

/// As [`run`]; the lines printed and the exit code.
pub fn lines(words: &[&str]) -> (Vec<String>, i32) {
    let output = run(words);
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    (text.lines().map(str::to_string).collect(), output.status.code().expect("an exit code"))
}

/// Runs the program with a reader that leaves after a few bytes; the exit code and what it said on stderr.
pub fn abandoned(words: &[&str], input: &str) -> (i32, String) {
    let mut child = command(words).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut output = child.stdout.take().expect("a piped output");
    let mut stdin = child.stdin.take().expect("a piped input");
    stdin.write_all(input.as_bytes()).expect("the program listens");
    let mut some = [0; 10];
    output.read_exact(&mut some).expect("it begins to answer");
    drop(output);
    // The input stays open: it is the closed output that ends the program.
    let result = child.wait_with_output().expect("it ends");
    drop(stdin);
    (result.status.code().expect("an exit code"), String::from_utf8_lossy(&result.stderr).into_owned())
}

/// The middle one of some times.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
