//! DXP against the program itself, over real sockets.

use super::client::program;
use super::document::{blocks, matches, split};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Nothing here should come near it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `damka dxp`.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    fn start(words: &[&str]) -> Program {
        Program::run(&[&["--hash", "1", "--threads", "1", "dxp"], words].concat())
    }

    fn run(words: &[&str]) -> Program {
        let mut child = program()
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let errors = child.stderr.take().expect("a piped stderr");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines() {
                if line.map_or(true, |line| sender.send(line).is_err()) {
                    break;
                }
            }
        });
        Program { input: child.stdin.take(), child, lines }
    }

    /// One that listens at a free port, and its address.
    fn listen(words: &[&str]) -> (Program, String) {
        let program = Program::start(&[&["--listen", "127.0.0.1:0"], words].concat());
        let line = program.until("listening at ");
        let address = line.rsplit(' ').next().expect("an address").to_string();
        (program, address)
    }

    /// The next line with that in it.
    fn until(&self, part: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no line with {part:?}"));
            if line.contains(part) {
                return line;
            }
        }
    }

    fn type_line(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("an open input"), "{line}").expect("the program reads");
    }

    /// Waits for its end; exit code, the last lines of stderr, and stdout.
    fn end(mut self) -> (i32, Vec<String>, String) {
        let since = Instant::now();
        while self.child.try_wait().expect("the child can be asked").is_none() {
            assert!(since.elapsed() < PATIENCE, "the program does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
        let code = self.child.wait().expect("it has ended").code().expect("an exit code");
        let mut out = String::new();
        self.child.stdout.take().expect("a piped stdout").read_to_string(&mut out).expect("text");
        (code, self.lines.iter().collect(), out)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Another program, played by the test.
struct Peer {
    stream: TcpStream,
    /// Bytes of messages not asked for yet.
    rest: Vec<u8>,
}

impl Peer {
    fn connect(address: &str) -> Peer {
        let stream = TcpStream::connect(address).expect("the program listens");
        stream.set_nodelay(true).expect("a socket");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        Peer { stream, rest: Vec::new() }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the program reads");
    }

    fn send(&mut self, message: &str) {
        self.bytes(format!("{message}\0").as_bytes());
    }

    /// Asks for a game from the start in which the program has that colour.
    fn ask(&mut self, colour: char) {
        self.send(&format!("R01{:32}{colour}000000A", "test"));
        let answer = self.get();
        assert!(answer.starts_with('A') && answer.ends_with('0'), "{answer}");
    }

    fn get(&mut self) -> String {
        loop {
            if let Some(end) = self.rest.iter().position(|&byte| byte == 0) {
                let message: Vec<u8> = self.rest.drain(..=end).collect();
                return String::from_utf8(message[..end].to_vec()).expect("ASCII");
            }
            let mut buffer = [0; 256];
            let count = self.stream.read(&mut buffer).expect("an answer");
            assert!(count > 0, "the program hung up");
            self.rest.extend(&buffer[..count]);
        }
    }

    /// Whether the program hangs up.
    fn hung_up(&mut self) -> bool {
        match self.stream.read(&mut [0; 256]) {
            Ok(count) => count == 0,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}

/// Two programs play some games; all must end with a result, or at the move limit, and both must agree.
fn match_of(games: u32, variant: &str, more: &[&str]) -> (Vec<String>, Vec<String>) {
    let count = games.to_string();
    let common = [&["--variant", variant, "--movetime", "1", "--games", &count], more].concat();
    let (listener, address) = Program::listen(&common);
    let caller = Program::start(&[&["--connect", &address, "--initiator"], common.as_slice()].concat());
    let (code, ours, out) = caller.end();
    assert_eq!((code, out.as_str()), (0, ""), "{ours:#?}");
    let (code, theirs, out) = listener.end();
    assert_eq!((code, out.as_str()), (0, ""), "{theirs:#?}");
    (overs(&ours), overs(&theirs))
}

fn overs(lines: &[String]) -> Vec<String> {
    lines.iter().filter(|line| line.contains(" over: ")).cloned().collect()
}

#[test]
fn a_match_of_fast_games_ends_without_a_fault() {
    let deep = std::env::var_os("DAMKA_DEEP").is_some();
    let games = if deep { 200 } else { 8 };
    for variant in ["international", "russian"] {
        let (ours, theirs) = match_of(games / 2, variant, &["--name", "damka"]);
        assert_eq!((ours.len(), theirs.len()), (games as usize / 2, games as usize / 2));
        for (line, other) in ours.iter().zip(&theirs) {
            assert!(!line.contains("no result"), "{line}");
            assert_eq!(line, other);
        }
    }
}

#[test]
fn every_kind_of_board_plays() {
    for variant in ["english", "italian", "turkish", "brazilian", "canadian", "losing"] {
        let (ours, theirs) = match_of(1, variant, &["--moves", "20", "--name", "damka"]);
        assert_eq!((ours.len(), &ours), (1, &theirs), "{variant}");
        assert!(!ours[0].contains("no result") || ours[0].contains("move limit"), "{variant}: {ours:?}");
    }
}

/// The initiator may be the one who listens, and games are kept.
#[test]
fn roles_do_not_depend_on_who_listens() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("games.pdn");
    let file = path.to_str().expect("a plain name");
    let words = ["--initiator", "--games", "2", "--movetime", "1", "--moves", "3", "--time", "0.5", "--pdn", file];
    let (listener, address) = Program::listen(&words);
    let caller = Program::start(&["--connect", &address, "--name", "guest", "--movetime", "1"]);
    assert_eq!(listener.end().0, 0);
    assert_eq!(caller.end().0, 2, "its games were broken off at the move limit");
    let text = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(text.matches("[GameType \"20,W,").count(), 2, "{text}");
    assert!(text.contains("[White \"guest\"]") && text.contains("[Black \"guest\"]"), "{text}");
    assert!(text.contains("[Termination \"move limit reached\"]") && text.contains("\n1. "), "{text}");
}

#[test]
fn messages_in_pieces_and_a_broken_connection_do_no_harm() {
    let (program, address) = Program::listen(&["--movetime", "1"]);
    let mut peer = Peer::connect(&address);
    for byte in format!("R01{:32}W000000A\0", "test").bytes() {
        peer.bytes(&[byte]);
    }
    assert!(peer.get().ends_with('0'));
    assert!(peer.get().starts_with('M'));
    // Two messages in one packet, and the first half of a third.
    peer.bytes(b"Chello\0E00\0M00");
    assert_eq!(peer.get(), "E00");
    program.until("says: hello");
    drop(peer);
    program.until("in the middle of a message");
    // In the middle of a game, too; the next one is welcome.
    let mut peer = Peer::connect(&address);
    peer.ask('Z');
    peer.bytes(b"M0001");
    drop(peer);
    program.until("no result (the other side has left in the middle of a message)");
    let mut peer = Peer::connect(&address);
    peer.ask('W');
    assert!(peer.get().starts_with('M'));
}

/// Clients that read once and see only the first message must have the time to do so.
#[test]
fn the_first_move_leaves_time_after_the_answer() {
    let (_program, address) = Program::listen(&["--movetime", "1"]);
    let mut peer = Peer::connect(&address);
    for _ in 0..5 {
        peer.ask('W');
        assert!(peer.rest.is_empty(), "nothing came with the answer");
        let since = Instant::now();
        assert!(peer.get().starts_with("M0000"));
        assert!(since.elapsed() >= Duration::from_millis(45), "{:?}", since.elapsed());
        peer.send("E00");
        assert_eq!(peer.get(), "E00");
    }
}

#[test]
fn an_illegal_move_ends_the_game_cleanly() {
    let (program, address) = Program::listen(&["--movetime", "1"]);
    let mut peer = Peer::connect(&address);
    for bad in ["M0001312500", "M00019999991122", "M0001"] {
        peer.ask('Z');
        peer.send(bad);
        assert_eq!(peer.get(), "E00");
        assert!(peer.get().starts_with('C'));
        peer.send("E00");
    }
    for bad in [
        format!("R02{:32}W000000A", ""),
        format!("R01{:32}W000000BW{}", "", "e".repeat(32)),
        format!("R01{:32}W000000BWw{}", "", "z".repeat(49)),
    ] {
        peer.send(&bad);
        let answer = peer.get();
        assert!(answer.starts_with('A') && "12".contains(&answer[33..]), "{answer}");
    }
    peer.ask('Z');
    peer.send("M0001322800");
    assert!(peer.get().starts_with('M'));
    program.until("game 4: 1. 32-28");
}

#[test]
fn moves_are_taken_back_over_the_wire_and_by_the_user() {
    let (mut program, address) = Program::listen(&["--movetime", "1"]);
    let mut peer = Peer::connect(&address);
    peer.ask('Z');
    peer.send("M0001322800");
    assert!(peer.get().starts_with('M'));
    peer.send("B001W");
    assert_eq!(peer.get(), "K0");
    peer.send("M0001312600");
    assert!(peer.get().starts_with('M'));
    program.type_line("back 1 black");
    assert_eq!(peer.get(), "B001Z");
    peer.send("K0");
    assert!(peer.get().starts_with('M'), "it plays its first move once more");
    program.type_line("chat well played");
    assert_eq!(peer.get(), "Cwell played");
    program.type_line("nonsense");
    program.until("'nonsense' was read, expected chat TEXT");
    program.type_line("quit");
    assert_eq!(peer.get(), "E01");
    peer.send("E00");
    assert!(peer.hung_up());
    assert_eq!(program.end().0, 0);
}

#[test]
fn a_second_guest_is_turned_away_during_a_game() {
    let (program, address) = Program::listen(&["--movetime", "1"]);
    let mut peer = Peer::connect(&address);
    peer.ask('Z');
    assert!(Peer::connect(&address).hung_up());
    program.until("second connection was refused");
    peer.send("M0001322800");
    assert!(peer.get().starts_with('M'));
}

#[test]
fn what_cannot_be_opened_is_explained() {
    let ended = |words: &[&str]| {
        let (code, lines, out) = Program::start(words).end();
        assert!(out.is_empty());
        (code, lines.join("\n"))
    };
    let (code, text) = ended(&["--listen", "nowhere"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("--listen nowhere: ") && text.contains("expected an address"), "{text}");
    let (code, text) = ended(&["--listen", "127.0.0.1:0", "--time", "1e3"]);
    assert_eq!(code, 2);
    assert!(text.contains("--time 1e3: expected minutes"), "{text}");
    let (code, text) = ended(&["--listen", "127.0.0.1:0", "--pdn", "/"]);
    assert_eq!(code, 2);
    assert!(text.contains("--pdn /: "), "{text}");
    assert_eq!(ended(&[]).0, 2, "an address is needed");
    assert_eq!(ended(&["--listen", "127.0.0.1:0", "--connect", "127.0.0.1:1"]).0, 2, "one is enough");
}

/// Ctrl-C says goodbye on the wire and ends the program well.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_cleanly() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("games.pdn");
    let (program, address) = Program::listen(&["--movetime", "60000", "--pdn", path.to_str().expect("a plain name")]);
    let mut peer = Peer::connect(&address);
    peer.ask('W');
    let id = program.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    assert_eq!(peer.get(), "E01");
    peer.send("E00");
    let (code, lines, _) = program.end();
    assert_eq!(code, 0, "{lines:?}");
    assert!(std::fs::read_to_string(&path).expect("a file").contains("[Result \"*\"]"));
}

/// The conversations in protocol.md.
#[test]
fn the_document_is_true() {
    let found = blocks("dxp");
    assert!(!found.is_empty());
    for (at, lines) in found {
        let words = split(lines[0].strip_prefix("$ damka").expect("a call"));
        let program = Program::run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let line = program.until("listening at ");
        let mut peer = Peer::connect(line.rsplit(' ').next().expect("an address"));
        for (number, line) in lines.iter().enumerate().skip(1) {
            if let Some(message) = line.strip_prefix("> ") {
                peer.send(message);
                continue;
            }
            let pattern = line.strip_prefix("< ").expect("a message");
            let message = peer.get();
            assert!(matches(pattern, &message), "line {}: {message:?} was read, expected {pattern:?}", at + number);
        }
        assert!(peer.hung_up());
    }
}
