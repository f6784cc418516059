//! The engine through its own interface: symmetry, determinism, legality, shots with one winning move.

use damka::engine::{Answer, Engine, Info, Limits, Params, Report, Settings, Signals, Verdict};
use damka::game::board::{Color, Square};
use damka::game::plain::{PlainMove, Setup};
use damka::game::{Game, Variant};
use damka::notation::{fen, movetext};
use std::sync::Arc;

struct Silent;
impl Report for Silent {
    fn info(&self, _: &Info) {}
}

fn engine(threads: usize) -> Engine {
    Engine::new(Settings { hash_mb: 16, threads, multi_pv: 1, move_overhead_ms: 30, ..Settings::default() })
}

fn variant(name: &str) -> Arc<Variant> {
    Variant::find(name).expect("a built-in rule set")
}

fn at(name: &str, text: &str) -> Game {
    let variant = variant(name);
    let setup = fen::read(&variant, text).expect("a sound position");
    Game::from_setup(variant, &setup).expect("a sound position")
}

fn search(engine: &mut Engine, game: &Game, limits: Limits) -> Answer {
    engine.go(game, &limits, &Signals::default(), &Silent)
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

/// The board turned by 180 degrees with the colours exchanged.
fn mirrored(game: &Game) -> Game {
    let setup = game.setup();
    let mut turned = Setup::empty(game.variant().set.board, setup.side.other());
    let last = setup.cells.len();
    for (index, piece) in setup.cells.iter().enumerate() {
        turned.cells[last - 1 - index] = piece.map(|mut piece| {
            piece.color = piece.color.other();
            piece
        });
    }
    Game::from_setup(game.variant().clone(), &turned).expect("the mirror image is as sound")
}

fn turned(game: &Game, square: Square) -> Square {
    Square((game.variant().set.board.squares() + 1) as u8 - square.0)
}

/// A small generator for choices that must be the same on every run.
struct Dice(u64);
impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Positions from random games, counters reset.
fn random_positions(name: &str, count: usize, dice: &mut Dice) -> Vec<Game> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut game = Game::new(variant(name));
        for _ in 0..6 + dice.below(50) {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            game.play(&moves[dice.below(moves.len())]).expect("legal");
        }
        if !game.moves().is_empty() {
            let mut setup = game.setup();
            setup.memory = Default::default();
            found.push(Game::from_setup(game.variant().clone(), &setup).expect("sound"));
        }
    }
    found
}

#[test]
fn a_position_and_its_mirror_image_are_worth_the_same() {
    let mut dice = Dice(7);
    for name in ["international", "english", "russian", "turkish", "italian", "frisian", "junior", "antidraughts"] {
        for game in random_positions(name, 25, &mut dice) {
            let mirror = mirrored(&game);
            let engine = engine(1);
            let text = fen::write(game.variant(), &game.setup());
            assert_eq!(engine.evaluate(&game).total, engine.evaluate(&mirror).total, "{name} {text}");
        }
    }
}

#[test]
fn a_search_and_its_mirror_image_end_alike() {
    let mut dice = Dice(11);
    for name in ["international", "english", "russian", "turkish"] {
        for game in random_positions(name, 12, &mut dice) {
            let mirror = mirrored(&game);
            let (mut first, mut second) = (engine(1), engine(1));
            let one = search(&mut first, &game, depth(7)).info.expect("a line");
            let two = search(&mut second, &mirror, depth(7)).info.expect("a line");
            let text = fen::write(game.variant(), &game.setup());
            assert_eq!(one.score, two.score, "{name} {text}");
            let moved: Vec<Square> = two.pv[0].path.iter().map(|&square| turned(&game, square)).collect();
            assert_eq!((one.pv[0].from, one.pv[0].to), (moved[0], moved[moved.len() - 1]), "{name} {text}");
        }
    }
}

#[test]
fn one_thread_with_nodes_or_depth_repeats_itself() {
    for limits in [depth(9), Limits { nodes: Some(30_000), ..Limits::default() }] {
        let game = Game::new(variant("russian"));
        let runs: Vec<_> = (0..2).map(|_| search(&mut engine(1), &game, limits.clone())).collect();
        let key = |answer: &Answer| {
            let info = answer.info.as_ref().expect("a line");
            (answer.best.clone(), answer.ponder.clone(), info.score, info.nodes, info.pv.clone())
        };
        assert_eq!(key(&runs[0]), key(&runs[1]));
        if let Some(nodes) = limits.nodes {
            assert!(runs[0].info.as_ref().expect("a line").nodes <= nodes);
        }
    }
}

#[test]
fn every_line_is_legal_on_one_thread_and_on_two() {
    let mut dice = Dice(3);
    for variant in Variant::all() {
        for mut game in random_positions(&variant.id, 3, &mut dice) {
            for threads in [1, 2] {
                let answer = search(&mut engine(threads), &game, Limits { nodes: Some(3_000), ..Limits::default() });
                let legal = game.moves();
                let best = answer.best.expect("there is a legal move");
                assert!(legal.contains(&best), "{}", variant.id);
                let pv = answer.info.map_or(vec![best.clone()], |info| info.pv);
                let mut line = game.clone();
                for mv in &pv {
                    line.play(mv).unwrap_or_else(|_| panic!("{}: {pv:?}", variant.id));
                }
            }
            let moves = game.moves();
            game.play(&moves[0]).expect("legal");
        }
    }
}

#[test]
fn no_evaluation_looks_like_a_proved_win() {
    for (name, text) in [
        ("international", "W:WK1-20:B45"),
        ("international", "W:WK31-50:BK1-20"),
        ("turkish", "W:WKa1,Kb1,Kc1,Kd1,Ke1,Kf1,Kg1,Kh1,Ka2,Kb2,Kc2,Kd2,Ke2,Kf2,Kg2,Kh2:Ba7"),
        ("antidraughts", "W:WK1-20:B45"),
    ] {
        let total = engine(1).evaluate(&at(name, text)).total;
        assert!(matches!(Verdict::of(total), Verdict::Cp(_)), "{name} {text}: {total}");
    }
}

fn best(name: &str, text: &str, nodes: u64) -> (String, Answer) {
    let game = at(name, text);
    let answer = search(&mut engine(1), &game, Limits { nodes: Some(nodes), ..Limits::default() });
    let mv: PlainMove = answer.best.clone().expect("a move");
    (movetext::write(&game, &mv), answer)
}

/// Shots on 10x10 with one winning move. Source: composition files of the PDN standard's test games.
#[test]
fn shots_are_found() {
    for (text, expected) in [
        ("W:W18,22,24,29,30,34,41,45,48:B8,9,13,14,19,32,37,38,40", "22-17"),
        ("W:W23,28,33,34,39,41,45,50:B9,17,22,25,27,30,36", "23-19"),
        ("W:W7,17,28,35,40,47,49:B22,24,30,38,39,43,44", "17-12"),
        ("W:W11,23,28,33,38,41,50:B10,13,20,27,34,36,45", "28-22"),
        ("W:W14,15,24,31,34,42,44:B3,18,21,23,28,33,38", "14-10"),
        ("W:W19,27,28,40,48,49:B7,8,17,29,36,38", "49-43"),
        ("W:W6,9,11,18,33,41:B1,19,20,30,36,40", "11-7"),
    ] {
        assert_eq!(best("international", text, 400_000).0, expected, "{text}");
    }
    assert_eq!(best("english", "W:W29,25,21,18,15:B13,8,6,5,4", 200_000).0, "21-17");
}

#[test]
fn ends_of_the_game_are_counted_in_plies() {
    let (mv, answer) = best("english", "W:WK29:BK25", 10_000);
    assert_eq!(mv, "29x22");
    let score = answer.info.expect("a line").score;
    assert_eq!(Verdict::of(score), Verdict::End { plies: 1, won: true });
    let (_, answer) = best("international", "W:WK1,K2:BK45", 400_000);
    assert_eq!(Verdict::of(answer.info.expect("a line").score), Verdict::End { plies: 7, won: true });
    let (_, answer) = best("russian", "W:WKb8,Kd8:BKh2", 400_000);
    assert_eq!(Verdict::of(answer.info.expect("a line").score), Verdict::End { plies: 7, won: true });
}

#[test]
fn a_side_that_wins_avoids_the_third_repetition() {
    let mut game = at("english", "W:WK6,K9:BK15");
    // Both sides shuffle until the position stands on the board for the second time.
    for text in ["6-2", "15-19", "2-6", "19-15"] {
        let mv = movetext::read(&game, text).expect("legal");
        game.play(&mv).expect("legal");
    }
    let answer = search(&mut engine(1), &game, Limits { nodes: Some(600_000), ..Limits::default() });
    let mut after = game.clone();
    after.play(&answer.best.expect("a move")).expect("legal");
    assert_eq!(after.side(), Color::Black);
    assert!(answer.info.expect("a line").score > 0);
    assert_eq!(after.state(), damka::game::plain::State::Ongoing);
}

#[test]
fn quiet_move_limits_are_draws_in_the_search() {
    // One ply before the limit the side that is behind only has to make a quiet move.
    let (_, answer) = best("polish8", "B:WKa1,Kb2:BKh2:H29", 50_000);
    assert_eq!(answer.info.expect("a line").score, 0);
}

#[test]
fn whatever_the_numbers_of_the_search_are_it_ends_and_answers() {
    let mut dice = Dice(11);
    for round in 0..40 {
        let name = ["international", "english", "russian", "turkish", "junior"][round % 5];
        let mut settings = Settings { hash_mb: 1, threads: 1 + round % 2, ..Settings::default() };
        for knob in Params::KNOBS {
            let value = [knob.min, knob.default, knob.max][dice.below(3)];
            assert!(settings.params.set(knob.name, value), "{}", knob.name);
        }
        let mut engine = Engine::new(settings);
        let mut game = Game::new(variant(name));
        for _ in 0..10 {
            let limits = Limits { nodes: Some(3_000), depth: Some(12), ..Limits::default() };
            let Some(best) = search(&mut engine, &game, limits).best else { break };
            game.play(&best).expect("a legal move");
        }
    }
}
