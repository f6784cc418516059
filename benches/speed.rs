//! Speed of counting and of searching: `cargo bench`. Short runs; to compare two programs, measure them in turn.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use damka::engine::{Engine, Info, Limits, Report, Settings, Signals};
use damka::game::{Game, PerftOptions, Variant};
use std::time::Duration;

/// Rule set and depth of a count that takes some milliseconds.
const COUNTS: [(&str, u32); 7] = [
    ("international", 7),
    ("english", 8),
    ("russian", 8),
    ("brazilian", 8),
    ("junior", 8),
    ("turkish", 6),
    ("frisian", 7),
];

/// Nodes of one search.
const NODES: u64 = 50_000;

/// Nobody listens.
struct Deaf;

impl Report for Deaf {
    fn info(&self, _: &Info) {}
}

fn start(name: &str) -> Game {
    Game::new(Variant::find(name).expect("a built-in rule set"))
}

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for (name, depth) in COUNTS {
        let game = start(name);
        group.throughput(Throughput::Elements(game.perft(depth, PerftOptions::default())));
        group.bench_function(format!("{name}/{depth}"), |bencher| {
            bencher.iter(|| game.perft(depth, PerftOptions::default()));
        });
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES));
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let settings = Settings { hash_mb: 16, threads: 1, multi_pv: 1, move_overhead_ms: 0, ..Settings::default() };
    for name in ["international", "english", "turkish"] {
        let game = start(name);
        let mut engine = Engine::new(settings.clone());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                engine.clear();
                engine.go(&game, &limits, &Signals::default(), &Deaf)
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = speed;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = perft, search
}
criterion_main!(speed);
