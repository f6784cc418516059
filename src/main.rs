use damka::engine::*;
use damka::game::{Game, Variant};
struct P;
impl Report for P {
    fn info(&self, i: &Info) {
        let pv: Vec<String> =
            i.pv.iter().map(|m| format!("{}{}{}", m.from.0, if m.is_capture() { "x" } else { "-" }, m.to.0)).collect();
        println!(
            "d{} sd{} sc {} {:?} n{} t{:?} nps {:.2}M {}",
            i.depth,
            i.seldepth,
            i.score,
            i.bound,
            i.nodes,
            i.time,
            i.nodes as f64 / i.time.as_secs_f64() / 1e6,
            pv.join(" ")
        );
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let v = Variant::find(&a[1]).unwrap();
    let g = Game::new(v);
    let mut e = Engine::new(Settings {
        hash_mb: 64,
        threads: a[3].parse().unwrap(),
        multi_pv: 1,
        move_overhead_ms: 30,
        skill_level: 20,
    });
    let l = Limits { movetime_ms: Some(a[2].parse().unwrap()), ..Default::default() };
    let s = Signals::default();
    let ans = e.go(&g, &l, &s, &P);
    println!("{:?}", ans.best);
}
