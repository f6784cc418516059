use super::*;
use std::time::Duration;

fn international() -> std::sync::Arc<Variant> {
    Variant::find("international").unwrap()
}

#[test]
fn lines_are_taken_apart() {
    let (command, fields) = fields("info depth=14 score = -0.02 pv=\"34-30 17-21\" flag empty=\"\"");
    assert_eq!(command, "info");
    let expected = [("depth", "14"), ("score", "-0.02"), ("pv", "34-30 17-21"), ("flag", ""), ("empty", "")];
    let expected: Vec<(String, String)> = expected.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
    assert_eq!(fields, expected);
}

#[test]
fn the_start_is_written_as_engines_expect_it() {
    let start = Setup::start(&international());
    assert_eq!(position(&start), "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww");
}

#[test]
fn the_variant_is_chosen_by_the_engines_own_name() {
    let declared =
        Hub.declared("param name=variant value=normal type=enum values=\"normal killer bt frisian losing\"").unwrap();
    let spec = EngineSpec::read("cmd=x").unwrap();
    let lines = |variant: &str| {
        let variant = Variant::find(variant).unwrap();
        let ground = Ground { variant: &variant, rules: None };
        Hub.configure(&spec, ground, std::slice::from_ref(&declared))
    };
    assert_eq!(lines("international").unwrap(), ["set-param name=variant value=normal"]);
    assert_eq!(lines("breakthrough").unwrap(), ["set-param name=variant value=bt"]);
    assert_eq!(lines("antidraughts").unwrap(), ["set-param name=variant value=losing"]);
    assert!(lines("russian").unwrap_err().contains("does not play russian"));
}

#[test]
fn levels_are_in_seconds_and_without_the_increment() {
    let ask = |control: &str| {
        let clocks = Clocks::new([control.parse().unwrap(); 2], Duration::ZERO);
        level(Color::White, &clocks)
    };
    assert_eq!(ask("movetime=100"), "level move-time=0.1");
    assert_eq!(ask("10+0.1"), "level time=10 inc=0.1");
    assert_eq!(ask("40/60"), "level moves=40 time=60");
    assert_eq!(ask("depth=7"), "level depth=7");
    assert_eq!(ask("nodes=7"), "level nodes=7");
}

#[test]
fn answers_are_understood() {
    let mut thoughts = Thoughts::default();
    Hub.listen("info depth=14 mean-depth=15.8 score=-0.02 nodes=851959 time=0.214 nps=4.0 pv=\"34-30\"", &mut thoughts);
    assert_eq!(thoughts, Thoughts { score: Some(-2), depth: Some(14), nodes: Some(851_959) });
    Hub.listen("info score=99.97 pv=31-26", &mut thoughts);
    assert_eq!(thoughts.score, Some(WIN - 3));
    Hub.listen("info multipv=2 score=5", &mut thoughts);
    assert_eq!(thoughts.score, Some(WIN - 3));
    assert_eq!(Hub.listen("done move=34-30 ponder=17-21", &mut thoughts), Said::Move("34-30".into()));
    assert_eq!(Hub.complaint("error message=\"bad move\"").as_deref(), Some("bad move"));
}

#[test]
fn captures_are_found_by_their_captured_squares_in_any_order() {
    let variant = international();
    let setup = crate::notation::fen::read(&variant, "W:W28:B22,12,23,13").unwrap();
    let game = Game::from_setup(variant, &setup).unwrap();
    for mv in game.moves() {
        let written = Hub.write(&game, &mv);
        let mut words: Vec<&str> = written.split('x').collect();
        words[2..].reverse();
        let read = Hub.read(&game, &words.join("x")).unwrap();
        assert_eq!(Hub.write(&game, &read), written);
    }
    assert!(Hub.read(&game, "28-1").is_err());
    assert!(Hub.read(&game, "").is_err());
}
