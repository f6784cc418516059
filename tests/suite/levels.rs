//! Levels below full strength: what they never do, what they see and miss, and where their choices come from.

use super::client::Client;
use damka::engine::{Engine, Handicap, Info, Limits, Report, Settings, Signals, TableChoice};
use damka::game::board::Color;
use damka::game::plain::{PlainMove, State};
use damka::game::{Game, Variant};
use damka::notation::{fen, movetext};

struct Silent;
impl Report for Silent {
    fn info(&self, _: &Info) {}
}

/// A small generator for choices that must be the same on every run.
struct Dice(u64);
impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn engine() -> Engine {
    Engine::new(Settings { hash_mb: 4, ..Settings::default() })
}

fn at_level(level: u16, seed: u64) -> Limits {
    Limits { handicap: Handicap::new(100 * level, seed), ..Limits::default() }
}

fn choice(engine: &mut Engine, game: &Game, limits: &Limits) -> PlainMove {
    engine.go(game, limits, &Signals::default(), &Silent).best.expect("a move")
}

fn after(game: &Game, mv: &PlainMove) -> Game {
    let mut next = game.clone();
    next.play(mv).expect("legal");
    next
}

/// Men of the side to move less those of the other; a king counts for three.
fn balance(game: &Game, side: Color) -> i32 {
    let worth = |piece: &damka::game::plain::Piece| {
        let men = if piece.king { 3 } else { 1 };
        if piece.color == side { men } else { -men }
    };
    game.setup().cells.iter().flatten().map(worth).sum()
}

/// What captures alone come to for the side to move, when both take what they must and choose well.
fn captured_out(game: &Game, plies: u32) -> i32 {
    let side = game.side();
    let captures: Vec<PlainMove> = game.moves().into_iter().filter(|mv| !mv.captures.is_empty()).collect();
    if plies == 0 || captures.is_empty() || game.state() != State::Ongoing {
        return balance(game, side);
    }
    captures.iter().map(|mv| -captured_out(&after(game, mv), plies - 1)).max().expect("there are some")
}

/// Positions of games in which most moves are sensible.
fn positions(name: &str, count: usize, dice: &mut Dice) -> Vec<Game> {
    let (mut engine, mut found) = (engine(), Vec::new());
    while found.len() < count {
        let mut game = Game::new(Variant::find(name).expect("built in"));
        while game.state() == State::Ongoing && game.plies() < 80 && found.len() < count {
            let moves = game.moves();
            let mv = match dice.below(4) {
                0 => moves[dice.below(moves.len())].clone(),
                _ => choice(&mut engine, &game, &at_level(7, dice.below(1 << 20) as u64)),
            };
            game.play(&mv).expect("legal");
            if game.state() == State::Ongoing && dice.below(5) == 0 && game.moves().len() > 1 {
                found.push(game.clone());
            }
        }
    }
    found
}

/// From level 5 on a man is not given up for nothing: where captures alone would lose one that another move keeps, a real
/// search agrees that something came in return, unless the game is lost anyway.
#[test]
fn no_man_is_given_up_for_nothing_from_level_five_on() {
    let (mut dice, mut engine, mut offered) = (Dice(5), engine(), 0);
    for name in ["english", "russian", "international", "turkish", "italian", "frisian"] {
        for game in positions(name, 60, &mut dice) {
            let kept = |mv: &PlainMove| -captured_out(&after(&game, mv), 12);
            let best = game.moves().iter().map(kept).max().expect("moves");
            for level in [5, 6, 8] {
                let mv = choice(&mut engine, &game, &at_level(level, dice.below(1 << 20) as u64));
                if kept(&mv) >= best {
                    continue;
                }
                offered += 1;
                engine.clear();
                let limits = |only: Option<&PlainMove>| Limits {
                    nodes: Some(20_000),
                    search_moves: only.into_iter().cloned().collect(),
                    ..Limits::default()
                };
                let score = |engine: &mut Engine, only: Option<&PlainMove>| {
                    let answer = engine.go(&game, &limits(only), &Signals::default(), &Silent);
                    answer.info.expect("a finished iteration").score
                };
                let (all, chosen) = (score(&mut engine, None), score(&mut engine, Some(&mv)));
                let text = fen::write(game.variant(), &game.setup());
                // Who is lost anyway may hope for a slip.
                assert!(
                    all - chosen < 90 || all < -400,
                    "{name} {level} {text}: {} {all} {chosen}",
                    movetext::write(&game, &mv)
                );
            }
        }
    }
    assert!(offered < 200, "{offered} of 1080 moves offer a man");
}

/// The lowest level gives men away, and chance makes its games differ.
#[test]
fn the_lowest_level_is_weak_and_varied() {
    let (mut dice, mut engine) = (Dice(9), engine());
    let (mut given, mut different) = (0, 0);
    let games = positions("english", 120, &mut dice);
    for game in &games {
        let kept = |mv: &PlainMove| -captured_out(&after(game, mv), 12);
        let best = game.moves().iter().map(kept).max().expect("moves");
        let moves = [1, 2, 3].map(|seed| choice(&mut engine, game, &at_level(0, seed)));
        given += usize::from(kept(&moves[0]) < best);
        different += usize::from(moves.iter().any(|mv| *mv != moves[0]));
    }
    assert!(given > 5 && different > 20, "{given} {different} of {}", games.len());
}

/// A seed, the game and the level decide; what was searched before does not, nor do threads.
#[test]
fn the_same_seed_gives_the_same_moves() {
    let mut dice = Dice(3);
    let games = positions("russian", 12, &mut dice);
    let play = |engine: &mut Engine, level| -> Vec<PlainMove> {
        games.iter().map(|game| choice(engine, game, &at_level(level, 77))).collect()
    };
    let mut busy = Engine::new(Settings { hash_mb: 4, threads: 2, ..Settings::default() });
    for level in [1, 6, 11] {
        let first = play(&mut engine(), level);
        let full = Limits { nodes: Some(5_000), ..Limits::default() };
        choice(&mut busy, &games[0], &full);
        assert_eq!(play(&mut busy, level), first, "level {level}");
    }
}

/// A low level does not know an ending by heart: it says nothing of proved ends that the tables would tell.
#[test]
fn tables_are_not_asked_at_a_level() {
    let settings = Settings { hash_mb: 4, tables: TableChoice::Cache, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let variant = Variant::find("english").expect("built in");
    // Two kings against one: a win of many moves.
    let setup = fen::read(&variant, "W:WK1,K5:BK32").expect("sound");
    let game = Game::from_setup(variant, &setup).expect("sound");
    let info = |engine: &mut Engine, limits: &Limits| {
        engine.go(&game, limits, &Signals::default(), &Silent).info.expect("a finished iteration")
    };
    let known = info(&mut engine, &Limits { nodes: Some(1_000), ..Limits::default() });
    assert!(known.score > 29_000, "{}", known.score);
    for level in [2, 8, 14] {
        let found = info(&mut engine, &at_level(level, 1));
        assert!(found.score < 28_000 && found.tbhits == 0, "level {level}: {}", found.score);
    }
}

/// Short shots are seen where long ones are not.
#[test]
fn short_shots_are_seen_and_long_ones_missed() {
    let found = |text: &str, best: &str, level| {
        let variant = Variant::find("international").expect("built in");
        let setup = fen::read(&variant, text).expect("sound");
        let game = Game::from_setup(variant, &setup).expect("sound");
        let shot = movetext::read(&game, best).expect("legal");
        (0..10).filter(|&seed| choice(&mut engine(), &game, &at_level(level, seed)) == shot).count()
    };
    for level in [6, 10, 14] {
        for (text, best) in [
            ("W:W18,22,24,29,30,34,41,45,48:B8,9,13,14,19,32,37,38,40", "22-17"),
            ("W:W23,28,33,34,39,41,45,50:B9,17,22,25,27,30,36", "23-19"),
        ] {
            assert!(found(text, best, level) >= 8, "{level} {text}");
        }
        assert!(found("W:W14,15,24,31,34,42,44:B3,18,21,23,28,33,38", "14-10", level) <= 2, "{level}");
    }
}

/// Limits, several lines and pondering go together with a level.
#[test]
fn the_protocol_goes_on_at_a_level() {
    let mut client = Client::start(&["--variant", "english", "--threads", "2"]);
    client.send("setoption name Skill Level value 3");
    client.send("setoption name Skill Seed value 5");
    let first = client.best("go movetime 1000");
    assert_eq!(client.best("go movetime 1000"), first, "the seed decides");
    client.send("setoption name MultiPV value 3");
    let lines = client.ask("go depth 1", "bestmove");
    assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:?}");
    client.send("setoption name MultiPV value 1");
    client.send("go ponder");
    client.send("ponderhit");
    client.until("bestmove");
    client.send("go infinite");
    client.send("stop");
    client.until("bestmove");
    client.send("setoption name UCI_LimitStrength value true");
    let lines = client.ask("go nodes 1", "bestmove");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    // A game at low levels goes on to its end.
    let mut moves: Vec<String> = Vec::new();
    client.send("setoption name Skill Seed value 0");
    for ply in 0..300 {
        client.send(&format!("setoption name Skill Level value {}", ply % 2 * 4));
        client.send(&format!("position startpos moves {}", moves.join(" ")));
        let best = client.best("go movetime 1000");
        if best == "(none)" {
            break;
        }
        moves.push(best);
    }
    assert!(moves.len() > 20, "{moves:?}");
    client.quit();
}
