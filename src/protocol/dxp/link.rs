//! One connection: a thread that reads, and a sender that gives the other side time to read.

use super::framing::{Frame, Frames};
use super::message::Message;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

/// Least time between two messages to a side that has not answered in between: some programs lose what arrives together.
const GAP: Duration = Duration::from_millis(60);
/// How long the other side may leave our bytes unread.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// What comes from a connection.
#[derive(Debug)]
pub enum News {
    Frame(Frame),
    /// It is gone; why.
    Lost(String),
}

/// An open connection.
pub struct Link {
    stream: TcpStream,
    last: Option<Instant>,
}

impl Link {
    /// Takes over a connection. What it brings goes into the channel; the thread that reads ends with the connection.
    pub fn new<T: Send + 'static>(
        stream: TcpStream,
        news: SyncSender<T>,
        wrap: impl Fn(News) -> T + Send + 'static,
    ) -> io::Result<Link> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_PATIENCE))?;
        let reader = stream.try_clone()?;
        std::thread::Builder::new().name("dxp-reader".to_string()).spawn(move || read(reader, &news, wrap))?;
        Ok(Link { stream, last: None })
    }

    /// Sends one message in one write.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        if let Some(last) = self.last {
            std::thread::sleep(GAP.saturating_sub(last.elapsed()));
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        log::debug!("dxp > {message}");
        self.stream.write_all(&bytes)?;
        self.last = Some(Instant::now());
        Ok(())
    }

    /// The other side has answered, so it has read what was sent.
    pub fn answered(&mut self) {
        self.last = None;
    }

    /// Says that nothing more will be sent. The other side's end comes as [`News::Lost`].
    pub fn hang_up(&self) {
        // It may be gone already.
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Wakes the reading thread too.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn read<T>(mut stream: TcpStream, news: &SyncSender<T>, wrap: impl Fn(News) -> T) {
    let (mut frames, mut out, mut buffer) = (Frames::default(), Vec::new(), [0; 1024]);
    let why = loop {
        match stream.read(&mut buffer) {
            Ok(0) if frames.inside() => break "the other side has left in the middle of a message".to_string(),
            Ok(0) => break "the other side has left".to_string(),
            Ok(count) => frames.push(&buffer[..count], &mut out),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => break format!("the connection is lost: {error}"),
        }
        for frame in out.drain(..) {
            if news.send(wrap(News::Frame(frame))).is_err() {
                return;
            }
        }
    };
    // Nobody listens when the program ends.
    let _ = news.send(wrap(News::Lost(why)));
}
