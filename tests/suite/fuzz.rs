//! A hundred thousand lines of noise: random bytes and mutated commands, in batches, through one process.

use super::client::Client;
use std::time::Duration;

const BATCHES: usize = 100;
const LINES: usize = 1_000;

/// A small generator of its own (xorshift), so that every run sends the same lines.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// A line without its end: noise, or one of these commands with some words and bytes changed.
    fn line(&mut self, commands: &[&str]) -> Vec<u8> {
        if self.below(3) == 0 {
            let length = self.below(60);
            return (0..length).map(|_| self.next() as u8).filter(|&byte| byte != b'\n').collect();
        }
        let mut words: Vec<&str> = self.pick(commands).split(' ').collect();
        for _ in 0..self.below(4) {
            let at = self.below(words.len() + 1);
            match self.below(3) {
                0 if at < words.len() => drop(words.remove(at)),
                1 if at < words.len() => words[at] = self.pick(WORDS),
                _ => words.insert(at, self.pick(WORDS)),
            }
        }
        let mut line = words.join(" ").into_bytes();
        for _ in 0..self.below(3) {
            if !line.is_empty() {
                let at = self.below(line.len());
                line[at] = self.next() as u8;
            }
        }
        line.retain(|&byte| byte != b'\n');
        line
    }
}

/// Whether a line may be sent: none that ends the program, makes files, or asks for gigabytes.
fn harmless(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_lowercase();
    let first = text.split_whitespace().next().unwrap_or_default();
    !matches!(first, "quit" | "exit") && !["log", "hash", "threads", "tt-size"].iter().any(|word| text.contains(word))
}

const COMMANDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 50",
    "setoption name UCI_Variant value russian",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_MoveFormat value hub",
    "setoption name RulesFile value x.toml",
    "setoption name Skill Level value 3",
    "setoption name Ponder value false",
    "position startpos",
    "position startpos moves 32-28 19-23 28x19 14x23",
    "position fen W:W31-50:B1-20",
    "position fen B:WK3,12,18,K22:B1,7,K30:H3:F12 moves 7-11",
    "position fen W:Wa1,c3,Ke5:Bb8,Kd8 moves c3-d4",
    "go depth 3",
    "go nodes 200 movetime 5",
    "go infinite",
    "go ponder wtime 10 btime 10 winc 1 binc 1 movestogo 3",
    "go searchmoves 32-28 depth 2",
    "go mate 2 nodes 100",
    "go perft 2",
    "perft 2 divide count paths ends applied",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "legal",
    "legal json",
    "help",
];

const WORDS: &[&str] = &[
    "-1",
    "0",
    "1",
    "99999999999999999999",
    "value",
    "name",
    "moves",
    "fen",
    "startpos",
    "W:",
    "W:W1:B2",
    "W:WK1:BK50",
    "x",
    "32-28",
    "@12/9-14",
    "1x2x3x4",
    "\u{2013}",
    "é",
    "\0",
    "\t",
    "--json",
    "depth",
    "infinite",
    "go",
    "stop",
    "a1:h8",
    "W:W1-50:B1-50",
    "true",
    "turkish",
    "frisian",
    "canadian",
    "position",
    "json",
    "1e9",
    "0x10",
    ",,,",
    ":::",
    "K",
    "\"",
];

#[test]
fn noise_is_survived() {
    let mut client = Client::start(&["--hash", "1", "--threads", "2"]);
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let mut sent = 0;
    for batch in 0..BATCHES {
        let mut bytes = Vec::new();
        for _ in 0..LINES {
            let line = noise.line(COMMANDS);
            if harmless(&line) {
                bytes.extend(line);
            }
            bytes.push(if noise.below(10) == 0 { b'\r' } else { b' ' });
            bytes.push(b'\n');
            sent += 1;
        }
        client.bytes(&bytes);
        client.send("stop");
        let mark = format!("mark-{batch}");
        client.send(&mark);
        client.send("isready");
        loop {
            if client.line().contains(&mark) {
                break;
            }
        }
        client.until("readyok");
    }
    assert_eq!(sent, BATCHES * LINES);
    client.listen(Duration::from_millis(200));
    client.send("setoption name UCI_Variant value international");
    client.send("position startpos");
    client.ask("go depth 2", "bestmove");
    client.quit();
}

const HUB_COMMANDS: &[&str] = &[
    "hub",
    "init",
    "new-game",
    "set-param name=multi-pv value=3",
    "set-param name=variant value=russian",
    "set-param name=variant value=\"normal\"",
    "set-param name=square-numbering value=native",
    "set-param name=show-wdl value=true",
    "set-param name=rules-file value=x.toml",
    "pos start moves=\"32-28 19-23 28x19 14x23\"",
    "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww moves=32-28",
    "pos pos=WeeebeeeebeeeeeeeeeeeeWeeeeeeweee moves = \"10-13\"",
    "level depth=3",
    "level nodes=200 move-time=0.005",
    "level moves=3 time=-0.05 inc=0.1",
    "level infinite",
    "go think",
    "go ponder",
    "go analyze",
    "ponder-hit",
    "stop",
    "ping",
];

#[test]
fn noise_in_hub_is_survived() {
    let mut client = Client::start(&["--hash", "1", "--threads", "2", "hub"]);
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    for batch in 0..BATCHES / 2 {
        let mut bytes = b"set-param name=line-gap value=0\n".to_vec();
        for _ in 0..LINES {
            let line = noise.line(HUB_COMMANDS);
            if harmless(&line) {
                bytes.extend(line);
            }
            bytes.extend(if noise.below(10) == 0 { b"\r\n" } else { b" \n" });
        }
        // A quotation mark or a stray byte cannot reach over the end of a line.
        client.bytes(&bytes);
        client.send("stop");
        let mark = format!("mark-{batch}");
        client.send(&mark);
        while !client.line().contains(&mark) {}
        client.send("ping");
        client.until("pong");
    }
    client.listen(Duration::from_millis(200));
    client.send("set-param name=variant value=normal");
    client.send("set-param name=multi-pv value=1");
    client.send("pos start");
    client.send("level depth=2");
    client.ask("go think", "done move=");
    client.quit();
}
