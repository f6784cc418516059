//! The program around the state machine: connections, the engine, the user, and the record of the games.

use super::console;
use super::door::{Address, Door, DoorError};
use super::event::{Act, Event, Terms, Wish};
use super::framing::Frame;
use super::link::{Link, News};
use super::message::{BadMessage, Minutes, parse};
use super::pdn;
use super::player::Player;
use super::thinker::{Thinker, Thought};
use crate::protocol::options::Choices;
use crate::protocol::reader::{Line, Lines};
use crate::protocol::refused::Refused;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// News that wait to be read; a side that sends more is held up.
const MOST_NEWS: usize = 64;
/// How often connections and the wish to end are looked for.
const GLANCE: Duration = Duration::from_millis(20);
/// How long to wait for the other side to hang up too.
const GOODBYE: Duration = Duration::from_secs(1);
/// A connection without a game for this long gives way to a new one.
const IDLE: Duration = Duration::from_secs(30);

/// What the user asks for on the command line.
#[derive(Clone, Debug)]
pub struct Plan {
    pub address: Address,
    pub name: Option<String>,
    pub initiator: bool,
    /// `None`: one for an initiator that connects or listens, no end for a follower.
    pub games: Option<u32>,
    /// Minutes for each player.
    pub time: Option<String>,
    /// Moves of each player; 0 = to the end.
    pub moves: u16,
    pub movetime_ms: Option<u64>,
    /// File that the games are added to.
    pub pdn: Option<String>,
}

/// Anything that wakes the program.
enum Wake {
    /// From the connection of that number.
    Link(u64, News),
    Thought(Thought),
    Line(Line),
}

/// Plays games as planned. `Ok(false)`: a connection we made was lost before its games were played.
pub fn run(choices: &Choices, plan: &Plan) -> Result<bool, Refused> {
    let terms = terms(choices, plan)?;
    let file = plan.pdn.as_ref().map(|path| open(path)).transpose()?;
    let door = Door::open(&plan.address)?;
    let leave = Arc::new(AtomicBool::new(false));
    let flag = leave.clone();
    if let Err(error) = ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst)) {
        log::warn!("Ctrl-C will end the program without a goodbye: {error}");
    }
    let (wake, news) = sync_channel(MOST_NEWS);
    let thoughts = wake.clone();
    // Nobody waits for a thought when the program ends.
    let answer = move |thought| drop(thoughts.send(Wake::Thought(thought)));
    let thinker = Thinker::start(choices.engine.clone(), answer).map_err(Refused::Thread)?;
    hear_user(wake.clone()).map_err(Refused::Thread)?;
    let since = Instant::now();
    let mut host =
        Host { player: Player::new(terms), door, link: None, number: 0, thinker, file, wake, news, leave, since };
    host.greet(&plan.address);
    host.run()
}

fn terms(choices: &Choices, plan: &Plan) -> Result<Terms, DoorError> {
    let minutes = match &plan.time {
        None => Minutes::default(),
        Some(text) => Minutes::parse(text).ok_or_else(|| DoorError::Minutes(text.clone()))?,
    };
    Ok(Terms {
        variant: choices.variant.clone(),
        name: plan.name.clone().unwrap_or_else(|| format!("damka {}", env!("CARGO_PKG_VERSION"))),
        initiator: plan.initiator,
        minutes,
        moves: plan.moves,
        movetime_ms: plan.movetime_ms,
        games: plan.games.unwrap_or(u32::from(plan.initiator)),
    })
}

fn open(path: &str) -> Result<File, DoorError> {
    let file = File::options().create(true).append(true).open(path);
    file.map_err(|error| DoorError::Pdn { path: path.to_string(), error })
}

/// Reads what the user types; the end of input is no wish.
fn hear_user(wake: SyncSender<Wake>) -> std::io::Result<()> {
    std::thread::Builder::new().name("dxp-user".to_string()).spawn(move || {
        let mut lines = Lines::new(std::io::stdin().lock());
        while let Ok(Some(line)) = lines.next_line() {
            if wake.send(Wake::Line(line)).is_err() {
                break;
            }
        }
    })?;
    Ok(())
}

struct Host {
    player: Player,
    door: Door,
    link: Option<Link>,
    /// Number of the connection; news of earlier ones are stale.
    number: u64,
    thinker: Thinker,
    file: Option<File>,
    wake: SyncSender<Wake>,
    news: Receiver<Wake>,
    leave: Arc<AtomicBool>,
    /// When something last happened on the connection.
    since: Instant,
}

impl Host {
    fn greet(&self, address: &Address) {
        match (self.door.listens_at(), address) {
            (Some(place), _) => tell(&format!("listening at {place}")),
            (None, Address::Connect(place) | Address::Listen(place)) => tell(&format!("connecting to {place}")),
        }
    }

    fn run(&mut self) -> Result<bool, Refused> {
        let mut left = false;
        let mut connected = false;
        loop {
            if !left && self.leave.load(Ordering::SeqCst) {
                left = true;
                self.hear(Event::User(Wish::Leave));
            }
            if self.player.finished() {
                break;
            }
            if connected && self.link.is_none() && matches!(self.door, Door::Calling { .. }) {
                break;
            }
            connected |= self.look()?;
            match self.news.recv_timeout(GLANCE) {
                Ok(wake) => self.woken(wake),
                Err(_) => self.check_silence(),
            }
        }
        let (played, complete) = self.player.played();
        tell(&format!("{played} games played, {complete} with a result"));
        Ok(self.player.finished() || played > 0 && played == complete)
    }

    /// Looks for a new connection; says whether there is one.
    fn look(&mut self) -> Result<bool, Refused> {
        if self.link.is_some() && matches!(self.door, Door::Calling { .. }) {
            return Ok(false);
        }
        let Some(stream) = self.door.look()? else { return Ok(false) };
        if self.link.is_some() {
            if self.player.busy() || self.since.elapsed() < IDLE {
                tell("a second connection was refused");
                return Ok(false);
            }
            self.hear(Event::Lost("another program takes its place".to_string()));
            self.link = None;
        }
        self.number += 1;
        let number = self.number;
        match Link::new(stream, self.wake.clone(), move |news| Wake::Link(number, news)) {
            Ok(link) => self.link = Some(link),
            Err(error) => {
                tell(&format!("a connection failed: {error}"));
                return Ok(false);
            }
        }
        tell("connected");
        self.hear(Event::Connected);
        Ok(true)
    }

    fn woken(&mut self, wake: Wake) {
        match wake {
            Wake::Link(number, _) if number != self.number || self.link.is_none() => {}
            Wake::Link(_, News::Lost(why)) => {
                self.link = None;
                self.hear(Event::Lost(why));
            }
            Wake::Link(_, News::Frame(frame)) => {
                let message = match frame {
                    Frame::Bytes(bytes) => parse(&bytes),
                    Frame::TooLong => Err(BadMessage::TooLong),
                };
                log::debug!("dxp < {message:?}");
                self.since = Instant::now();
                if let (Some(link), false) = (&mut self.link, chatter(&message)) {
                    link.answered();
                }
                self.hear(Event::Message(message));
            }
            Wake::Thought((ticket, best, took)) => self.hear(Event::Thought { ticket, best, took }),
            Wake::Line(Line::Text(text)) => match console::parse(&text) {
                Ok(None) => {}
                Ok(Some(wish)) => self.hear(Event::User(wish)),
                Err(error) => tell(&error),
            },
            Wake::Line(_) => tell("a line that is no text was ignored"),
        }
    }

    fn check_silence(&mut self) {
        if self.player.patience().is_some_and(|patience| self.since.elapsed() > patience) {
            self.hear(Event::Silence);
        }
    }

    /// Tells the player what happened, and does what it wants.
    fn hear(&mut self, event: Event) {
        for act in self.player.hear(event) {
            self.carry_out(act);
        }
    }

    fn carry_out(&mut self, act: Act) {
        match act {
            Act::Tell(text) => tell(&text),
            Act::Forget => self.thinker.forget(),
            Act::Think(task) => self.thinker.think(task),
            Act::StopThinking => self.thinker.stop(),
            Act::Save(record) => {
                let text = pdn::text(&record);
                if let Some(Err(error)) = self.file.as_mut().map(|file| file.write_all(text.as_bytes())) {
                    tell(&format!("the game could not be written: {error}"));
                }
            }
            Act::Send(message) => {
                self.since = Instant::now();
                let Some(link) = &mut self.link else { return };
                // When the connection is gone, its reader tells; one that nobody reads from is given up here.
                if let Err(error) = link.send(&message) {
                    log::warn!("dxp message not sent: {error}");
                    link.hang_up();
                }
            }
            Act::Close => self.close(),
        }
    }

    /// Hangs up and waits a moment for the other side to do so, so that our last words are not lost.
    fn close(&mut self) {
        let Some(link) = self.link.take() else { return };
        link.hang_up();
        let since = Instant::now();
        while let Ok(wake) = self.news.recv_timeout(GOODBYE.saturating_sub(since.elapsed())) {
            match wake {
                Wake::Link(number, News::Lost(_)) if number == self.number => break,
                Wake::Line(Line::Text(text)) if console::parse(&text) == Ok(Some(Wish::Leave)) => {
                    self.leave.store(true, Ordering::SeqCst);
                }
                _ => {}
            }
        }
    }
}

/// Messages that do not show that ours were read.
fn chatter(message: &Result<super::message::Message, BadMessage>) -> bool {
    matches!(message, Ok(super::message::Message::Chat(_)) | Err(_))
}

/// Progress goes to stderr; nobody may be reading there.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "dxp: {}", crate::protocol::words::shortened(text, 1_000));
}
