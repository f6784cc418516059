//! An engine's process: lines in, lines out, the last of them remembered, and always killed in the end.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Lines that are remembered of each direction.
const REMEMBERED: usize = 40;
/// Longest line that is kept, in bytes; the rest of it is dropped.
const LONGEST_LINE: usize = 64 * 1024;
/// Longest remembered line, in characters.
const LONGEST_SHOWN: usize = 4000;
/// Lines that may wait to be heard; an engine that says more has to wait.
const WAITING: usize = 4096;
/// How often a wait looks whether the match is to end.
const TICK: Duration = Duration::from_millis(50);
/// How long an engine that broke down is waited for, to learn how it ended and what it said last.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// What an engine gets to leave by itself when it is told to quit.
const GRACE: Duration = Duration::from_millis(300);

/// What came of waiting for a line.
#[derive(Debug)]
pub enum Heard {
    /// A line and the time at which it arrived.
    Line(String, Instant),
    /// The engine closed its output: it is gone.
    Closed,
    /// Nothing until the time given.
    Nothing,
    /// The match is to end.
    Stopped,
}

/// A running engine. Dropping it ends the process.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// To the thread that writes; `None` once closed.
    out: Option<Sender<String>>,
    lines: Receiver<(String, Instant)>,
    transcript: Transcript,
    errors: Arc<Mutex<VecDeque<String>>>,
    error_reader: Option<JoinHandle<()>>,
}

/// The last lines sent and received, in their common order.
#[derive(Debug, Default)]
struct Transcript {
    count: u64,
    sent: VecDeque<(u64, String)>,
    received: VecDeque<(u64, String)>,
}

impl Transcript {
    fn note(&mut self, sent: bool, line: &str) {
        let list = if sent { &mut self.sent } else { &mut self.received };
        if list.len() == REMEMBERED {
            list.pop_front();
        }
        list.push_back((self.count, format!("{} {}", if sent { '>' } else { '<' }, shortened(line))));
        self.count += 1;
    }

    fn lines(&self) -> Vec<String> {
        let mut all: Vec<_> = self.sent.iter().chain(&self.received).collect();
        all.sort_by_key(|(count, _)| *count);
        all.into_iter().map(|(_, line)| line.clone()).collect()
    }
}

/// A line without its middle when it is very long: both the position and the last moves played are wanted.
fn shortened(line: &str) -> String {
    let length = line.chars().count();
    if length <= LONGEST_SHOWN {
        return line.to_string();
    }
    let half = LONGEST_SHOWN / 2;
    line.chars().take(half).chain(std::iter::once('…')).chain(line.chars().skip(length - half)).collect()
}

impl Process {
    /// Starts a program. It gets a process group of its own, so that a Ctrl-C reaches it only through its end.
    pub fn start(command: &str, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(command);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut command);
        let mut child = command.spawn()?;
        let (out, to_write) = channel::<String>();
        let (heard, lines) = sync_channel(WAITING);
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(stdin) = child.stdin.take() {
            std::thread::spawn(move || write_lines(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || read_lines(stdout, &heard));
        }
        let error_reader = child.stderr.take().map(|stderr| {
            let errors = errors.clone();
            std::thread::spawn(move || remember_lines(stderr, &errors))
        });
        Ok(Process { child, out: Some(out), lines, transcript: Transcript::default(), errors, error_reader })
    }

    /// Sends a line. An engine that is gone shows when it is next listened to.
    pub fn send(&mut self, line: &str) {
        self.transcript.note(true, line);
        if let Some(out) = &self.out {
            let _ = out.send(format!("{line}\n"));
        }
    }

    /// Waits for the next line, until a time or the end of the match.
    pub fn hear(&mut self, until: Instant, stop: &AtomicBool) -> Heard {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Heard::Stopped;
            }
            let rest = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(rest.min(TICK)) {
                Ok((line, at)) => {
                    self.transcript.note(false, &line);
                    return Heard::Line(line, at);
                }
                Err(RecvTimeoutError::Disconnected) => return Heard::Closed,
                Err(RecvTimeoutError::Timeout) if rest.is_zero() => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The last lines each way, `>` sent, `<` received, `!` from the error output, and how the process ended if it did.
    pub fn transcript(&mut self) -> Vec<String> {
        let status = self.wait_for_end(LAST_WORDS);
        if status.is_some() {
            self.wait_for_last_words();
        }
        let mut lines = self.transcript.lines();
        let errors = self.errors.lock().map(|errors| errors.iter().cloned().collect::<Vec<_>>());
        lines.extend(errors.unwrap_or_default());
        lines.extend(status.map(|status| format!("(the process ended: {status})")));
        lines
    }

    /// Lets the reader of the error output come to its end, unless a child of the engine keeps it open.
    fn wait_for_last_words(&self) {
        let until = Instant::now() + LAST_WORDS;
        while self.error_reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn wait_for_end(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.out = None;
        if self.wait_for_end(GRACE).is_none() {
            kill_group(&mut self.child);
            let _ = self.child.wait();
        }
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
fn own_group(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn own_group(_command: &mut Command) {}

/// Kills the engine and, where groups exist, whatever it started itself.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
    }
    let _ = child.kill();
}

fn write_lines(mut stdin: impl Write, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, heard: &SyncSender<(String, Instant)>) {
    let mut reader = BufReader::new(stdout);
    while let Some(line) = next_line(&mut reader) {
        if heard.send((line, Instant::now())).is_err() {
            return;
        }
    }
}

fn remember_lines(stderr: impl Read, errors: &Mutex<VecDeque<String>>) {
    let mut reader = BufReader::new(stderr);
    while let Some(line) = next_line(&mut reader) {
        let Ok(mut errors) = errors.lock() else { return };
        if errors.len() == REMEMBERED {
            errors.pop_front();
        }
        errors.push_back(format!("! {}", shortened(&line)));
    }
}

/// The next line without its end; of a very long one only the beginning. `None` at the end of the stream.
fn next_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let text = &chunk[..end.unwrap_or(chunk.len())];
        let room = LONGEST_LINE - line.len();
        line.extend_from_slice(&text[..text.len().min(room)]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            break;
        }
    }
    any.then(|| String::from_utf8_lossy(&line).trim_end_matches('\r').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_cleaned() {
        let long = "x".repeat(LONGEST_LINE * 2);
        let bytes = [b"one\r\n\nthr\xffee\n".as_slice(), long.as_bytes(), b"\nlast"].concat();
        let mut reader = BufReader::with_capacity(100, bytes.as_slice());
        let lines: Vec<String> = std::iter::from_fn(|| next_line(&mut reader)).collect();
        assert_eq!(lines.len(), 5);
        assert_eq!((lines[0].as_str(), lines[1].as_str(), lines[2].as_str()), ("one", "", "thr\u{fffd}ee"));
        assert_eq!((lines[3].len(), lines[4].as_str()), (LONGEST_LINE, "last"));
    }

    #[test]
    fn the_transcript_keeps_the_last_lines_of_each_direction_in_order() {
        let mut transcript = Transcript::default();
        transcript.note(true, "go");
        (0..100).for_each(|count| transcript.note(false, &format!("info {count}")));
        transcript.note(true, "stop");
        let lines = transcript.lines();
        assert_eq!(lines.len(), 2 + REMEMBERED);
        assert_eq!((lines[0].as_str(), lines[1].as_str()), ("> go", "< info 60"));
        assert_eq!(lines.last().unwrap(), "> stop");
    }

    #[test]
    fn long_lines_lose_their_middle() {
        let line = format!("position {} last", "1-2 ".repeat(5000));
        let shown = shortened(&line);
        assert_eq!(shown.chars().count(), LONGEST_SHOWN + 1);
        assert!(shown.starts_with("position 1-2") && shown.ends_with("1-2  last"));
        assert_eq!(shortened("go"), "go");
    }

    #[test]
    #[cfg(unix)]
    fn a_process_and_its_children_are_killed_when_dropped() {
        let script = "echo $$; sleep 1000 & echo $!; trap '' TERM; while true; do sleep 1; done";
        let mut process = Process::start("sh", &["-c".to_string(), script.to_string()]).unwrap();
        let stop = AtomicBool::new(false);
        let mut ids = Vec::new();
        while ids.len() < 2 {
            match process.hear(Instant::now() + Duration::from_secs(10), &stop) {
                Heard::Line(line, _) => ids.push(line.parse::<i32>().unwrap()),
                other => panic!("{other:?}"),
            }
        }
        drop(process);
        let alive = |id: i32| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), None).is_ok() && !stat.contains(") Z")
        };
        let until = Instant::now() + Duration::from_secs(5);
        while ids.iter().any(|&id| alive(id)) {
            assert!(Instant::now() < until, "{ids:?} still run");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_stop_ends_a_wait() {
        let Ok(mut process) = Process::start("sleep", &["100".to_string()]) else { return };
        let stop = AtomicBool::new(true);
        assert!(matches!(process.hear(Instant::now() + Duration::from_secs(60), &stop), Heard::Stopped));
        stop.store(false, Ordering::Relaxed);
        assert!(matches!(process.hear(Instant::now() + Duration::from_millis(20), &stop), Heard::Nothing));
    }
}
