use damka::game::{board::*, generate::Pieces, kernels::*, plain::Setup, variant::Variant};
fn run<W: Word>(k: &Kernel<W>, v: &Variant, depth: u32) {
    let s = Setup::start(v);
    let mut p = Pieces::<W>::default();
    for (i, c) in s.cells.iter().enumerate() {
        if let Some(c) = c {
            p.sides[c.color.index()] |= W::bit(v.geometry.bit(Square(i as u8 + 1)));
        }
    }
    for d in 1..=depth {
        let t = std::time::Instant::now();
        let mut lists = vec![Vec::new(); d as usize];
        let n = (k.perft)(&v.set, &v.geometry, &p, s.side, d, &mut lists);
        let e = t.elapsed().as_secs_f64();
        if d == depth { println!("{} d{} {} {:.3}s {:.1} M/s", v.id, d, n, e, n as f64 / e / 1e6); }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let v = Variant::find(&a[1]).unwrap();
    let d = a[2].parse().unwrap();
    let v = if a.len() > 3 { let mut s = v.set; match a[3].as_str() { "back" => s.man_capture = damka::game::rules::Directions::DIAGONAL, _ => s.choice[4] = Some(damka::game::rules::Criterion::ByKing) }; Variant::custom("x", "x", "x", s) } else { v };
    match find(&v.set) {
        AnyKernel::Narrow(k) => run(k, &v, d),
        AnyKernel::Wide(k) => run(k, &v, d),
    }
}
