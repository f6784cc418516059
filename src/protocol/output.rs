//! The one way out: whole lines, flushed at once, shared by the session and its search thread.

use super::words::shortened;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Longest message of an error line, in characters.
const MAX_MESSAGE: usize = 1_000;

/// Longest line kept in a log file, in characters.
const MAX_LOGGED: usize = 4_000;

/// Where lines go. Clones write to the same place.
#[derive(Clone)]
pub struct Output {
    inner: Arc<Mutex<Inner>>,
    errors: Arc<AtomicUsize>,
}

struct Inner {
    sink: Box<dyn Write + Send>,
    log: Option<(File, Instant)>,
    /// When the last line went out.
    last: Option<Instant>,
    /// What to do when nobody reads any more.
    closed: fn(),
}

/// Nobody reads what we write: there is nothing left to do, and nothing to complain about.
fn leave() {
    std::process::exit(0);
}

impl Output {
    /// The process's standard output; when it is closed, the program ends quietly.
    pub fn stdout() -> Output {
        Output::new(Box::new(io::stdout()), leave)
    }

    /// Any other place, with what to do when it is closed.
    pub fn new(sink: Box<dyn Write + Send>, closed: fn()) -> Output {
        Output { inner: Arc::new(Mutex::new(Inner { sink, log: None, last: None, closed })), errors: Arc::default() }
    }

    /// Writes one line, or several with line feeds between them, in one piece.
    pub fn line(&self, text: &str) {
        self.lock().line(text);
    }

    /// Writes one line at least `gap` after the one before it.
    ///
    /// There are clients on pipes that find only one line in what they read at once.
    pub fn spaced(&self, text: &str, gap: Duration) {
        loop {
            let mut inner = self.lock();
            let wait = inner.last.map_or(Duration::ZERO, |last| gap.saturating_sub(last.elapsed()));
            if wait.is_zero() {
                return inner.line(text);
            }
            drop(inner);
            std::thread::sleep(wait);
        }
    }

    /// Writes the line that tells of bad input, and counts it.
    pub fn error(&self, message: &str) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        self.line(&format!("info string error: {}", shortened(message, MAX_MESSAGE)));
    }

    /// How many errors were told.
    pub fn errors(&self) -> usize {
        self.errors.load(Ordering::Relaxed)
    }

    /// Notes a line that came in, when a log is kept.
    pub fn note(&self, text: &str) {
        self.lock().log('>', text);
    }

    /// Keeps a log of both directions in a file from now on; an empty name ends it. The file is added to.
    pub fn keep_log(&self, name: &str) -> io::Result<()> {
        let log = if name.is_empty() {
            None
        } else {
            let path = Path::new(name);
            Some((File::options().create(true).append(true).open(path)?, Instant::now()))
        };
        self.lock().log = log;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A thread that panicked between two lines leaves nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn line(&mut self, text: &str) {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        let written = self.sink.write_all(&bytes).and_then(|()| self.sink.flush());
        if written.is_err() {
            (self.closed)();
        }
        self.last = Some(Instant::now());
        self.log('<', text);
    }

    fn log(&mut self, mark: char, text: &str) {
        let Some((file, since)) = &mut self.log else { return };
        let seconds = since.elapsed().as_secs_f64();
        let lines: String =
            text.lines().map(|line| format!("{seconds:10.3} {mark} {}\n", shortened(line, MAX_LOGGED))).collect();
        if let Err(error) = file.write_all(lines.as_bytes()) {
            log::warn!("the debug log is closed: {error}");
            self.log = None;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// A sink whose lines a test can wait for.
    struct Wire(Sender<String>, Vec<u8>);

    impl Write for Wire {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            let text = String::from_utf8(std::mem::take(&mut self.1)).expect("lines are UTF-8");
            for line in text.lines() {
                self.0.send(line.to_string()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            }
            Ok(())
        }
    }

    /// An output and the lines written to it.
    pub fn wire() -> (Output, Receiver<String>) {
        let (sender, receiver) = channel();
        (Output::new(Box::new(Wire(sender, Vec::new())), || ()), receiver)
    }

    #[test]
    fn errors_are_one_line_however_wild_the_text() {
        let (output, lines) = wire();
        output.error(&format!("'a\nb\r\0{}", "x".repeat(5_000)));
        let line = lines.recv().expect("one line");
        assert!(line.starts_with("info string error: 'a\\nb\\r\\0xxx"), "{line}");
        assert!(line.len() < 1_100 && lines.try_recv().is_err());
        assert_eq!(output.errors(), 1);
    }

    #[test]
    fn a_log_keeps_both_directions() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("damka.log");
        let (output, _lines) = wire();
        output.note("before");
        output.keep_log(path.to_str().expect("a plain name")).expect("a file may be made there");
        output.note("uci");
        output.line("id name damka\nuciok");
        output.keep_log("").expect("closing always works");
        output.note("after");
        let log = std::fs::read_to_string(&path).expect("the log");
        let marks: Vec<&str> = log.lines().map(|l| l.split_once(' ').map_or(l, |_| l[11..].trim())).collect();
        assert_eq!(marks, ["> uci", "< id name damka", "< uciok"]);
        assert!(output.keep_log(folder.path().to_str().expect("a plain name")).is_err(), "a folder is no file");
    }

    #[test]
    fn spaced_lines_keep_their_distance() {
        let output = Output::new(Box::new(io::sink()), || ());
        let since = Instant::now();
        output.spaced("the first comes at once", Duration::from_secs(60));
        output.spaced("a", Duration::from_millis(30));
        output.spaced("b", Duration::from_millis(30));
        output.spaced("c", Duration::ZERO);
        let took = since.elapsed();
        assert!(took >= Duration::from_millis(60) && took < Duration::from_secs(30), "{took:?}");
    }

    #[test]
    fn a_closed_sink_is_told_once_per_line_and_never_panics() {
        use std::sync::atomic::AtomicBool;
        static CLOSED: AtomicBool = AtomicBool::new(false);
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let output = Output::new(Box::new(Broken), || CLOSED.store(true, Ordering::Relaxed));
        output.line("x");
        assert!(CLOSED.load(Ordering::Relaxed));
    }
}
