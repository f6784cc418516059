//! Whole matches between small fake engines.

use super::fakes::spec;
use super::*;
use clap::Parser;
use report::Report;

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn args(engines: &[String], rest: &str) -> Args {
    let mut words = vec!["match".to_string()];
    engines.iter().for_each(|engine| words.extend(["--engine".to_string(), engine.clone()]));
    words.extend(rest.split_whitespace().map(str::to_string));
    Line::try_parse_from(words).unwrap().args
}

fn play(variant: &str, engines: &[String], rest: &str) -> Result<Report, ArenaError> {
    run_until(&args(engines, rest), Variant::find(variant).unwrap(), &AtomicBool::new(false))
}

fn two(first: &str, second: &str) -> [String; 2] {
    [spec("A", first, ""), spec("B", second, "")]
}

#[test]
fn a_match_is_played_to_its_end_in_both_protocols() {
    let engines = [spec("A", "steady", ""), spec("B", "hubber", ",proto=hub")];
    for variant in ["international", "russian"] {
        let report =
            play(variant, &engines, "--games 8 --concurrency 2 --tc nodes=1000 --openings generated:2").unwrap();
        assert_eq!((report.status.as_str(), report.games, report.planned), ("complete", 8, 8));
        assert!(report.failures.is_empty(), "{:?}", report.failures);
        assert_eq!(report.pairings[0].pentanomial.pairs(), 4);
        assert_eq!(report.ranking[0].points + report.ranking[1].points, 8.0);
        assert_eq!(report.ranking[0].mean_depth, Some(5.0));
    }
}

#[test]
fn engines_that_break_down_lose_and_are_shown() {
    for (fake, kind, word) in [
        ("crasher", "crash", "! out of memory, or so"),
        ("cheat", "illegal move", "< bestmove 1-1"),
        ("sleeper", "time loss", "> go movetime 50"),
    ] {
        let report = play("english", &two("steady", fake), "--games 2 --tc movetime=50 --margin 1500").unwrap();
        assert_eq!((report.games, report.pairings[0].wins, report.pairings[0].losses), (2, 2, 0), "{fake}");
        assert_eq!(report.failures.len(), 2);
        for failure in &report.failures {
            assert_eq!((failure.engine.as_str(), failure.kind), ("B", kind));
            assert!(failure.transcript.iter().any(|line| line.starts_with(word)), "{fake}: {:?}", failure.transcript);
        }
        assert_eq!((report.ranking[1].name.as_str(), report.ranking[1].faults), ("B", 2));
        assert!(report.endings.iter().any(|(reason, count)| reason == kind && *count == 2));
        assert!(html::page(&report).contains("<details><summary>game 1: B"));
    }
}

#[test]
fn engines_are_given_the_users_own_rules() {
    let text = "name = \"house\"\nbase = \"english\"\nflying_kings = true\ncaptures = \"optional\"\n";
    let variant = crate::notation::rulefile::read(text).unwrap();
    let args = args(&two("steady", "other"), "--games 4 --tc nodes=1");
    let report = run_until(&args, variant.clone(), &AtomicBool::new(false)).unwrap();
    assert_eq!((report.games, report.failures.len()), (4, 0));
    let file = RuleFile::of(&variant).unwrap().unwrap();
    let path = file.path().to_path_buf();
    let again = crate::notation::rulefile::read(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert!(again.set == variant.set);
    drop(file);
    assert!(!path.exists());
}

#[test]
fn the_test_ends_a_match_early() {
    let bounds = "--rounds 200 --tc nodes=1 --sprt elo0=0,elo1=200 --openings generated:3";
    let report = play("english", &two("steady", "cheat"), bounds).unwrap();
    let sprt = report.pairings[0].sprt.as_ref().unwrap();
    assert_eq!((report.status.as_str(), sprt.decision), ("H1 accepted", "H1 accepted"));
    assert!(report.games < 60 && sprt.llr >= sprt.bounds.1, "{} {}", report.games, sprt.llr);
    let report = play("english", &two("cheat", "steady"), bounds).unwrap();
    assert_eq!(report.status, "H0 accepted");
}

#[test]
fn a_match_goes_on_where_it_was_cut_off() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let line = |rounds: u32, name: &str| {
        format!(
            "--rounds {rounds} --tc nodes=5 --openings generated:2 --seed 4 --resume {} --pdn {} --json {} --html {}",
            path(&format!("{name}.jsonl")),
            path(&format!("{name}.pdn")),
            path(&format!("{name}.json")),
            path(&format!("{name}.html"))
        )
    };
    let engines = two("steady", "other");
    let games = |name: &str| std::fs::read_to_string(path(name)).unwrap().matches("[Result ").count();
    let whole = play("russian", &engines, &line(6, "whole")).unwrap();
    assert_eq!((whole.games, games("whole.pdn")), (12, 12));

    play("russian", &engines, &line(2, "cut")).unwrap();
    // The last games did not get into the PDN file, and the journal's last line only half.
    let journal = std::fs::read_to_string(path("cut.jsonl")).unwrap();
    std::fs::write(path("cut.jsonl"), &journal[..journal.len() - 100]).unwrap();
    std::fs::write(path("cut.pdn"), "").unwrap();
    let resumed = play("russian", &engines, &line(6, "cut")).unwrap();
    assert_eq!((resumed.games, games("cut.pdn")), (12, 12));
    assert_eq!(resumed.pairings[0].pentanomial, whole.pairings[0].pentanomial);
    let points = |report: &Report| report.ranking.iter().map(|e| (e.name.clone(), e.wins, e.draws)).collect::<Vec<_>>();
    assert_eq!(points(&resumed), points(&whole));
    let mut endings = (resumed.endings.clone(), whole.endings.clone());
    endings.0.sort();
    endings.1.sort();
    assert_eq!(endings.0, endings.1);

    // Nothing is left to play; other settings are refused.
    assert_eq!(play("russian", &engines, &line(6, "cut")).unwrap().games, 12);
    let error = play("russian", &engines, &line(6, "cut").replace("nodes=5", "nodes=6")).unwrap_err().to_string();
    assert!(error.contains("another match") && error.contains("nodes=5"), "{error}");

    let json: Value = serde_json::from_str(&std::fs::read_to_string(path("cut.json")).unwrap()).unwrap();
    assert_eq!((&json["games"], &json["status"]), (&json!(12), &json!("complete")));
    let page = std::fs::read_to_string(path("cut.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("width=device-width") && !page.contains("http"));
}

#[test]
fn openings_are_the_same_for_both_colours_and_games_can_be_read_back() {
    let directory = tempfile::tempdir().unwrap();
    let pdn = directory.path().join("games.pdn");
    play("english", &two("steady", "other"), &format!("--games 4 --tc depth=1 --pdn {}", pdn.display())).unwrap();
    let variant = Variant::find("english").unwrap();
    let text = std::fs::read_to_string(&pdn).unwrap();
    let tags = |name: &str| -> Vec<&str> { text.lines().filter(|line| line.starts_with(name)).collect() };
    let fens = tags("[FEN");
    assert!(fens[0] == fens[1] && fens[2] == fens[3] && fens[0] != fens[2]);
    assert_eq!(tags("[White "), ["[White \"A\"]", "[White \"B\"]", "[White \"A\"]", "[White \"B\"]"]);
    // As openings, cut while the games still go on, they are read again.
    assert_eq!(Source::File(pdn).load(&variant, Some(8), 1).unwrap().len(), 4);
}

#[test]
fn scores_end_decided_games_only_when_that_is_asked_for() {
    let engines = [spec("A", "boaster", ""), spec("B", "boaster", "")];
    let report = play("english", &engines, "--games 2 --tc nodes=1 --adjudicate win=3:500,draw=5:5:1").unwrap();
    // Both claim to win: nobody is believed.
    assert!(report.endings.iter().all(|(reason, _)| reason != "adjudication"), "{:?}", report.endings);
    let report = play("english", &two("steady", "other"), "--games 2 --tc nodes=1 --adjudicate draw=5:5:1").unwrap();
    assert_eq!(report.endings, [("adjudication".to_string(), 2)]);
    assert_eq!(report.pairings[0].draws, 2);
    let report = play("english", &two("steady", "other"), "--games 2 --tc nodes=1 --max-plies 20").unwrap();
    assert_eq!(report.endings, [("20 plies played".to_string(), 2)]);
}

#[test]
fn a_tournament_has_a_crosstable() {
    let engines = [spec("A", "steady", ""), spec("B", "other", ""), spec("C", "cheat", "")];
    let report = play("english", &engines, "--games 2 --tc nodes=1 --round-robin --concurrency 2").unwrap();
    assert_eq!((report.games, report.pairings.len()), (6, 3));
    assert_eq!((report.ranking[2].name.as_str(), report.ranking[2].losses), ("C", 4));
    assert_eq!(report.crosstable[2][2], None);
    assert_eq!(report.crosstable[2].iter().flatten().map(|cell| cell.2).sum::<u64>(), 4);
    assert!(report.text().lines().nth(1).unwrap().starts_with("  1 "), "{}", report.text());
    assert!(html::page(&report).contains("Crosstable"));
    let gauntlet = play("english", &engines, "--games 2 --tc nodes=1").unwrap();
    assert_eq!((gauntlet.games, gauntlet.pairings.len()), (4, 2));
}

#[test]
fn a_stop_ends_the_match_at_once_and_keeps_what_was_played() {
    let stop = AtomicBool::new(false);
    let variant = Variant::find("english").unwrap();
    let args = args(&two("sleeper", "steady"), "--games 100 --tc nodes=1");
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(1500));
            stop.store(true, Ordering::Relaxed);
        });
        let started = std::time::Instant::now();
        let report = run_until(&args, variant, &stop).unwrap();
        assert!(started.elapsed() < Duration::from_secs(5));
        report
    });
    assert_eq!(report.status, "interrupted");
}

#[test]
fn what_cannot_be_started_is_said() {
    let error = |engines: &[String], rest: &str| play("english", engines, rest).unwrap_err().to_string();
    let steady = spec("A", "steady", "");
    let missing = "name=B,cmd=/no/such/engine".to_string();
    assert!(error(&[steady.clone(), missing], "").contains("'/no/such/engine' cannot be run"));
    let mute = "name=B,cmd=true".to_string();
    assert!(error(&[steady.clone(), mute], "").contains("gone before it said 'uciok'"));
    let option = spec("B", "steady", ",option.Hsh=1");
    assert!(error(&[steady.clone(), option], "").contains("no option 'Hsh'; it declares UCI_Variant"));
    let hub = spec("B", "hubber", ",proto=hub");
    assert!(error(&[steady.clone(), hub], "").contains("does not play english"));
    let three = [steady.clone(), spec("B", "other", ""), spec("C", "other", "")];
    assert!(error(&three, "--sprt elo0=0,elo1=5").contains("two engines"));
    assert!(error(&[steady.clone(), spec("B", "other", "")], "--games 0").contains("at least 1"));
    assert!(error(&[steady.clone(), spec("B", "other", "")], "--openings none.fen").contains("none.fen"));
    assert!(error(&[steady.clone(), spec("B", "other", "")], "--tc soon").contains("movetime=MS"));
}
