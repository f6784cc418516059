//! Studies with exact values, and games won out by the tables against their own best defence.

use super::{root_with, variant};
use crate::client::Client;
use crate::data;
use damka::endgame::Value;
use damka::engine::{Engine, Info, Limits, Probe, Report, Settings, Signals, TableChoice, Verdict};
use damka::game::plain::{Outcome, PlainMove, State};
use damka::game::{Game, Variant};
use damka::notation::{fen, movetext};
use std::sync::{Arc, Mutex};

/// Keeps the last line of analysis and the notes.
#[derive(Default)]
struct Listener(Mutex<Vec<String>>);

impl Report for Listener {
    fn info(&self, _: &Info) {}
    fn note(&self, text: &str) {
        self.0.lock().expect("no panic").push(text.to_string());
    }
}

fn engine(variant: &Arc<Variant>, pieces: usize) -> Engine {
    let tables = TableChoice::Folder(root_with(variant, pieces));
    Engine::new(Settings { hash_mb: 1, tables, ..Settings::default() })
}

fn game(variant: &Arc<Variant>, text: &str) -> Game {
    let setup = fen::read(variant, text).expect("a good FEN");
    Game::from_setup(variant.clone(), &setup).expect("a sound position")
}

fn probe(engine: &mut Engine, game: &Game) -> Probe {
    engine.probe(game).expect("tables are in use")
}

fn worth(probe: &Probe, mv: &PlainMove) -> Value {
    probe
        .moves
        .iter()
        .find(|(known, _)| known == mv)
        .and_then(|(_, value)| *value)
        .expect("a legal move of known worth")
}

fn nodes(n: u64) -> Limits {
    Limits { nodes: Some(n), ..Limits::default() }
}

fn best(engine: &mut Engine, game: &Game) -> (PlainMove, Info) {
    let answer = engine.go(game, &nodes(500), &Signals::default(), &Listener::default());
    (answer.best.expect("a move"), answer.info.expect("a line"))
}

/// Plays the winner's moves by the engine and the loser's by the longest defence; the plies until the win.
fn win_out(engine: &mut Engine, game: &Game, most: usize) -> usize {
    let (mut game, mut plies) = (game.clone(), 0);
    let winner = match probe(engine, &game).value.expect("known") {
        Value::Win(_) => game.side(),
        Value::Loss(_) => game.side().other(),
        Value::Draw => panic!("not a win"),
    };
    while game.state() == State::Ongoing {
        assert!(plies < most, "no end after {plies} plies");
        let mv = if game.side() == winner {
            best(engine, &game).0
        } else {
            let probed = probe(engine, &game);
            let (mv, _) = probed.moves.iter().max_by_key(|(_, value)| value.expect("known").rank()).expect("a move");
            mv.clone()
        };
        game.play(&mv).expect("a legal move");
        plies += 1;
    }
    assert!(matches!(game.state(), State::Over(Outcome::Win(side), _) if side == winner), "{:?}", game.state());
    plies
}

/// `win in 65 plies (33 moves)`, `draw`, `loss in 40 plies`.
fn value(text: &str) -> Value {
    let words: Vec<&str> = text.split(' ').collect();
    let plies = words.get(2).map(|word| word.parse().expect("plies"));
    match words[0] {
        "win" => Value::Win(plies),
        "loss" => Value::Loss(plies),
        _ => Value::Draw,
    }
}

#[test]
fn studies_of_four_pieces() {
    let english = variant("english");
    let mut engine = engine(&english, 4);
    let rows = data::rows("suite_english_4piece.tsv");
    for row in &rows {
        let game = game(&english, &row[0]);
        let probed = probe(&mut engine, &game);
        let expected = value(&row[1]);
        assert_eq!(probed.value, Some(expected), "{row:?}");
        let keeps = |(_, known): &&(PlainMove, Option<Value>)| known.expect("known").sign() == expected.sign();
        let kept: Vec<&PlainMove> = probed.moves.iter().filter(keeps).map(|(mv, _)| mv).collect();
        if row[2].starts_with('(') {
            assert_eq!(kept.len(), probed.moves.len(), "{row:?}");
        } else {
            let listed: Vec<&str> = row[2].split(' ').collect();
            assert_eq!(listed.len(), kept.len(), "{row:?}");
            for text in listed {
                let mv = movetext::read(&game, text.trim_end_matches('*')).expect("a legal move");
                let quickest = worth(&probed, &mv) == expected;
                assert!(kept.contains(&&mv), "{row:?} {text}");
                assert_eq!(quickest, text.ends_with('*') || expected == Value::Draw, "{row:?} {text}");
            }
        }
        let (mv, _) = best(&mut engine, &game);
        assert_eq!(worth(&probed, &mv), expected, "{row:?}: {mv:?}");
        if let Some(plies) = expected.plies() {
            assert_eq!(win_out(&mut engine, &game, 200), usize::from(plies), "{row:?}");
        }
    }
    assert_eq!(rows.len(), 66);
}

/// FENs, values, and moves with what each is worth.
#[test]
fn studies_of_the_cases() {
    type Row = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);
    let rows: [Row; 17] = [
        (
            "english",
            "W:WK19,K23:B12,K28",
            "win in 61",
            &[
                ("23-27", "win in 61"),
                ("23-18", "win"),
                ("23-26", "win"),
                ("19-15", "win"),
                ("19-16", "loss"),
                ("19-24", "loss"),
            ],
        ),
        (
            "english",
            "B:WK19,K23:B12,K28",
            "draw",
            &[("28-32", "draw"), ("12-16", "loss in 26"), ("28-24", "loss in 6")],
        ),
        (
            "english",
            "B:WK26,K27:B21,K25",
            "loss in 40",
            &[("25-29", "loss in 40"), ("25-22", "loss in 8"), ("25-30", "loss in 10")],
        ),
        ("english", "W:WK6,K9:BK15", "win in 27", &[("9-14", "win in 27")]),
        ("english", "B:W19,18:BK20,K17", "win in 51", &[("20-24", "win in 51")]),
        ("english", "B:W29,K1:BK18,2", "win in 99", &[("18-22", "win in 99")]),
        ("english", "W:W31,23:BK22,2", "draw", &[("23-19", "draw")]),
        ("english", "W:WK21,K2:BK26,3", "win in 89", &[("21-17", "win in 89")]),
        ("english", "W:WK22,19:B14,K11", "loss in 42", &[]),
        ("russian", "W:WKa1,Kc1,Ke1:BKf8", "win in 21", &[]),
        ("russian", "W:WKb4,Kc5,Kd6:BKa1", "draw", &[]),
        ("russian", "B:WKb4,Kc5,Kd6:BKa1", "draw", &[]),
        ("russian", "W:WKb8,Kd8:BKh2", "win in 7", &[]),
        ("russian", "W:WKa1,Kc1:BKf8", "draw", &[]),
        ("international", "W:WK1,K2:BK45", "win in 7", &[]),
        ("turkish-official", "W:WKa8:BKb8", "win in 1", &[]),
        ("turkish-official", "W:WKa1:BKh8", "draw", &[]),
    ];
    for (name, text, expected, moves) in rows {
        let variant = variant(name);
        let mut engine = engine(&variant, if name == "english" || name == "russian" { 4 } else { 3 });
        let game = game(&variant, text);
        let probed = probe(&mut engine, &game);
        assert_eq!(probed.value, Some(value(expected)), "{name} {text}");
        for (mv, expected) in moves {
            let found = worth(&probed, &movetext::read(&game, mv).expect("a legal move"));
            let wanted = value(expected);
            assert_eq!(found.result(), wanted.result(), "{name} {text} {mv}");
            assert!(wanted.plies().is_none() || found == wanted, "{name} {text} {mv}: {found}");
        }
        let (mv, info) = best(&mut engine, &game);
        assert_eq!(Some(worth(&probed, &mv)), probed.value, "{name} {text}");
        if let Some(Value::Win(Some(plies)) | Value::Loss(Some(plies))) = probed.value {
            assert_eq!(win_out(&mut engine, &game, 200), usize::from(plies), "{name} {text}");
        } else {
            assert_eq!(info.score, 0, "{name} {text}");
        }
    }
}

/// Three kings win against one off the main road within 15 moves each, whoever begins and wherever they stand.
#[test]
fn petrov_in_fifteen_moves() {
    let russian = variant("russian");
    let mut engine = engine(&russian, 4);
    for text in ["W:WKa1,Kc1,Ke1:BKf8", "W:WKh2,Kg1,Ka3:BKd8", "W:WKf8,Kd8,Kb8:BKc1", "B:WKa1,Kc1,Ke1:BKh4"] {
        let game = game(&russian, text);
        match probe(&mut engine, &game).value {
            Some(Value::Draw) => continue,
            _ => assert!(win_out(&mut engine, &game, 31) <= 30, "{text}"),
        }
    }
}

/// What a count in force would spoil is not called a win: Russian and klyo 15 moves, FMJD 16 and 5.
#[test]
fn wins_that_a_count_spoils_are_not_announced() {
    for (name, text, announced) in [
        ("russian", "W:WKa1,Kc1,Ke1:BKf8", true),
        ("russian", "W:WKa1,Kc1,Ke1:BKf8:H9:E9", true),
        ("russian", "W:WKa1,Kc1,Ke1:BKf8:H22:E22", false),
        ("polish8", "W:WKa1,Kc1,Ke1:BKf8", true),
        ("polish8", "W:WKa1,Kc1,Ke1:BKf8:H22", false),
        ("international", "W:WK1,K2:BK45", true),
        ("international", "W:WK1,K2:BK45:H3:E3", true),
        ("international", "W:WK1,K2:BK45:H4:E4", false),
    ] {
        let variant = variant(name);
        let mut engine = engine(&variant, if name == "international" { 3 } else { 4 });
        let game = game(&variant, text);
        let probed = probe(&mut engine, &game);
        assert!(matches!(probed.value, Some(Value::Win(_))), "{name} {text}");
        assert_eq!(probed.in_time, announced, "{name} {text}");
        let (mv, info) = best(&mut engine, &game);
        assert_eq!(matches!(Verdict::of(info.score), Verdict::End { won: true, .. }), announced, "{name} {text}");
        // By distance all the same.
        assert_eq!(Some(worth(&probed, &mv)), probed.value, "{name} {text}");
        if announced {
            win_out(&mut engine, &game, 200);
        }
    }
}

/// From six pieces into the tables: the search knows what comes.
#[test]
fn the_search_asks_the_tables() {
    let english = variant("english");
    let mut engine = engine(&english, 4);
    // Only one move holds the draw.
    let game = game(&english, "W:W29,13,11:B22,4,2");
    let limits = Limits { depth: Some(15), ..Limits::default() };
    let listener = Listener::default();
    let answer = engine.go(&game, &limits, &Signals::default(), &listener);
    assert_eq!(answer.best, movetext::read(&game, "13-9").ok());
    assert!(answer.info.expect("a line").tbhits > 0);
    let notes = listener.0.into_inner().expect("no panic");
    assert!(notes.iter().any(|note| note.starts_with("tables: 25 of 25 with 4 pieces from ")), "{notes:?}");
}

/// The same search twice gives the same, and off is off.
#[test]
fn counted_searches_are_the_same_every_time() {
    let search = |option: &str| {
        let mut client = Client::start(&["--variant", "russian", "--threads", "1"]);
        client.send(&format!("setoption name Tables value {option}"));
        client.send("position fen W:Wc3,e3,Ka1:Bf6,h6,Kd8");
        let line = client.ask("go nodes 20000", "bestmove");
        client.quit();
        let last = line.iter().rev().find(|line| line.starts_with("info depth")).expect("a line").clone();
        let field = |name: &str| last.split(' ').skip_while(|word| *word != name).nth(1).expect("a field").to_string();
        (line.last().expect("a best move").clone(), field("depth"), field("nodes"), field("score"), field("tbhits"))
    };
    let first = search("true");
    assert_eq!(search("true"), first);
    assert_ne!(first.4, "0");
    assert_eq!(search("false").4, "0");
}

/// Four pieces are solved beside the game, into the cache, and found there by the next program.
#[test]
fn four_pieces_are_solved_beside_the_game() {
    let cache = tempfile::tempdir().expect("a folder");
    let start = || {
        let variable = ("XDG_CACHE_HOME", cache.path());
        let mut client = Client::start_with(&["--variant", "english", "--threads", "1"], variable);
        client.send("position fen B:W29,K1:BK18,2");
        client
    };
    let mut client = start();
    let solved = (0..300).any(|_| {
        let lines = client.ask("go movetime 200", "bestmove");
        lines.iter().any(|line| line.starts_with("info string tables: 4 pieces solved, kept in "))
    });
    assert!(solved);
    let known = client.ask("go movetime 200", "bestmove 18-22");
    assert!(known.iter().any(|line| line.contains(" pv 18-22 ")), "{known:?}");
    client.quit();
    let mut client = start();
    let probed = client.ask("probe", "probe");
    assert_eq!(probed.last().map(String::as_str), Some("probe win in 99 plies"), "{probed:?}");
    assert!(probed.iter().any(|line| line.contains("from ")), "{probed:?}");
    let error = client.refusal("probe me");
    assert!(error.contains("probe: 'me' was read"), "{error}");
    client.send("setoption name Tables value false");
    assert!(client.refusal("probe").contains("no tables are in use"));
    client.quit();
}

/// Five pieces know no distances, and yet every win is brought home: `DAMKA_DEEP=1`, since the tables take a while.
#[test]
fn large_tables_are_won_out() {
    if std::env::var_os("DAMKA_DEEP").is_none() {
        return;
    }
    let english = variant("english");
    let mut engine = engine(&english, 5);
    let mut rival = Engine::new(Settings { hash_mb: 1, ..Settings::default() });
    let texts = ["W:WK22,K23,K24:BK31,K32", "B:WK22,K23,K24:BK31,K32", "W:WK3,K4,K25:BK15,K21", "W:W30,K19:B18,1,K2"];
    let mut won = 0;
    for text in texts {
        let mut game = game(&english, text);
        let value = probe(&mut engine, &game).value.expect("five pieces are known");
        let winner = match value {
            Value::Win(_) => game.side(),
            Value::Loss(_) => game.side().other(),
            Value::Draw => continue,
        };
        won += 1;
        let mut plies = 0;
        while game.state() == State::Ongoing {
            assert!(plies < 250, "{text}: no end in sight");
            // The loser's search knows no tables but sees far enough to hold out.
            let player = if game.side() == winner { &mut engine } else { &mut rival };
            let answer = player.go(&game, &nodes(3_000), &Signals::default(), &Listener::default());
            game.play(&answer.best.expect("a move")).expect("a legal move");
            plies += 1;
        }
        assert!(
            matches!(game.state(), State::Over(Outcome::Win(side), _) if side == winner),
            "{text}: {:?}",
            game.state()
        );
    }
    assert!(won >= 3, "{won}");
}
