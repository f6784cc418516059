use damka::game::{Game, PerftOptions, Variant};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let v = Variant::find(&a[1]).unwrap();
    let d: u32 = a[2].parse().unwrap();
    let g = Game::new(v);
    let t = std::time::Instant::now();
    let n = g.perft(d, PerftOptions::default());
    println!("{} d{} {} {:.1} M/s", a[1], d, n, n as f64 / t.elapsed().as_secs_f64() / 1e6);
    println!("{:?} {:?}", g.moves().len(), g.state());
}
