//! The network against slow, plain arithmetic, and files good and bad.

use super::simd::Kernels;
use super::*;
use crate::game::board::{Bits, Color, Word};
use crate::game::kernels::AnyKernel;
use crate::game::moves::MoveList;
use crate::game::plain::{Piece, Setup};
use crate::game::position::{Position, Referee};
use crate::game::variant::Variant;

/// Numbers that look random.
fn noise(seed: u64) -> impl FnMut(i32) -> i32 {
    let mut state = seed;
    move |most| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as i32).rem_euclid(2 * most + 1) - most
    }
}

fn net(variant: &Variant, hidden: usize) -> Net {
    let squares = variant.set.board.squares();
    let shape = Shape { squares, hidden, buckets: 8, pieces: 24 };
    let mut noise = noise(hidden as u64);
    let mut some = |count: usize, most: i32| (0..count).map(|_| noise(most) as i16).collect::<Vec<_>>();
    let weights = Weights {
        first: some(shape.inputs() * hidden, 60),
        bias: some(hidden, 100),
        output: some(8 * 2 * hidden, i32::from(MOST_OUTER)),
        output_bias: (0..8).map(|n| n * 500 - 1500).collect(),
        scale: 300,
    };
    Net::new(shape, fingerprint(&variant.set), "a test".to_string(), Odds { margin: [9, 8], spread: [7, 6] }, weights)
        .expect("sound")
}

/// The score by the definition, without any of the machinery.
fn slow<W: Word>(net: &Net, referee: &Referee<W>, position: &Position<W>) -> Score {
    let (geometry, weights) = (&referee.variant.geometry, net.weights());
    let hidden = net.shape.hidden;
    let bucket = net.shape.bucket(position.count());
    let mut total = 0i64;
    for (place, view) in [position.side, position.side.other()].into_iter().enumerate() {
        for unit in 0..hidden {
            let mut sum = i64::from(weights.bias[unit]);
            for color in 0..2 {
                for bit in Bits(position.pieces.sides[color]) {
                    let king = position.pieces.kings.meets(W::bit(bit));
                    let square = geometry.square(bit).0 as usize - 1;
                    let square = if view == Color::White { square } else { net.shape.squares - 1 - square };
                    let kind = 2 * usize::from(king) + usize::from(color != view.index());
                    sum += i64::from(weights.first[(kind * net.shape.squares + square) * hidden + unit]);
                }
            }
            let clipped = sum.clamp(0, 255);
            total += clipped * clipped * i64::from(weights.output[(2 * bucket + place) * hidden + unit]);
        }
    }
    let output = total / 255 + i64::from(weights.output_bias[bucket]);
    (output * i64::from(weights.scale) / (255 * 64)) as Score
}

/// Walks at random, evaluating at plies that go up and down as a search does.
fn walk<W: Word>(referee: Referee<W>, start: Position<W>, hidden: usize) {
    let net = net(referee.variant, hidden);
    let view = View::new(&referee.variant.geometry);
    let mut accumulators = Accumulators::new(Some(&net));
    let mut noise = noise(7);
    let mut line = vec![start];
    let mut seen = std::collections::HashSet::new();
    for _ in 0..400 {
        let position = *line.last().expect("never empty");
        let (ply, pieces) = (line.len() - 1, &position.pieces);
        if noise(3) > 0 {
            let score = accumulators.score(&net, &view, pieces, position.side, ply);
            assert_eq!(score, slow(&net, &referee, &position));
            seen.insert(score);
        }
        let mut list = MoveList::new();
        if referee.settled(&position).is_none() {
            referee.generate(&position, &mut list);
        }
        if list.is_empty() || noise(4) == 0 {
            line.truncate(1 + noise(1_000).unsigned_abs() as usize % line.len());
        } else {
            line.push(referee.play(&position, &list[noise(1_000).unsigned_abs() as usize % list.len()]));
        }
    }
    assert!(seen.len() > 50, "positions differ");
}

#[test]
fn kept_sums_give_the_score_of_the_definition() {
    for (name, hidden) in [("english", 32), ("russian", 64), ("international", 128), ("turkish", 256), ("frisian", 64)]
    {
        let variant = Variant::find(name).expect("built in");
        let game = crate::game::Game::new(variant.clone());
        match (game.width(), &variant.kernel) {
            (crate::game::line::Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
                walk(Referee { variant: &variant, kernel }, line.now, hidden);
            }
            _ => panic!("a narrow board"),
        }
    }
}

#[test]
fn wide_boards_are_evaluated_too() {
    let variant = Variant::find("canadian").expect("built in");
    let game = crate::game::Game::new(variant.clone());
    match (game.width(), &variant.kernel) {
        (crate::game::line::Width::Wide(line), AnyKernel::Wide(kernel)) => {
            walk(Referee { variant: &variant, kernel }, line.now, 64);
        }
        _ => panic!("a wide board"),
    }
}

/// A position and its mirror image with colours exchanged have the same score for the side to move.
#[test]
fn both_sides_are_judged_alike() {
    let variant = Variant::find("russian").expect("built in");
    let AnyKernel::Narrow(kernel) = &variant.kernel else { panic!("a narrow board") };
    let referee = Referee { variant: &variant, kernel };
    let own = [(32, false), (22, false), (9, true)];
    let enemy = [(1, false), (7, false), (18, true)];
    let set_up = |mover: Color| {
        let mut setup = Setup::empty(variant.set.board, mover);
        for (color, pieces) in [(mover, own), (mover.other(), enemy)] {
            for (place, king) in pieces {
                let place = if mover == Color::White { place } else { 33 - place };
                setup.cells[place - 1] = Some(Piece { color, king });
            }
        }
        referee.position(&setup).expect("sound")
    };
    let (one, two) = (set_up(Color::White), set_up(Color::Black));
    let (net, view) = (net(&variant, 64), View::new(&variant.geometry));
    let score =
        |position: &Position<u64>| Accumulators::new(Some(&net)).score(&net, &view, &position.pieces, position.side, 0);
    assert_eq!(score(&one), score(&two));
    assert_ne!(score(&one), 0);
}

#[test]
fn every_instruction_set_gives_the_same_numbers() {
    for hidden in HIDDEN {
        let mut noise = noise(3);
        let mut some = |count: usize, most: i32| (0..count).map(|_| noise(most) as i16).collect::<Vec<_>>();
        let (first, from) = (some(40 * hidden, 400), some(hidden, 30_000));
        let weights = some(hidden, 127);
        let portable = Kernels::portable(hidden).expect("a known width");
        let (high, most) = (vec![255; hidden], vec![127; hidden]);
        assert_eq!((portable.output)(&high, &most), 255 * 255 * 127 * hidden as i64);
        for wider in Kernels::all(hidden) {
            for (added, removed) in [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (3, 1), (4, 7), (30, 0)] {
                let rows = |count: usize, step: usize| (0..count).map(|n| (n * step % 40) as u16).collect::<Vec<_>>();
                let (added, removed) = (rows(added, 7), rows(removed, 11));
                let (mut one, mut two) = (vec![0; hidden], vec![1; hidden]);
                (portable.update)(&mut one, &from, &first, &added, &removed);
                (wider.update)(&mut two, &from, &first, &added, &removed);
                assert_eq!(one, two);
                assert_eq!((portable.output)(&one, &weights), (wider.output)(&two, &weights));
            }
            assert_eq!((wider.output)(&high, &most), 255 * 255 * 127 * hidden as i64);
        }
    }
}

#[test]
fn a_file_gives_back_the_network() {
    let variant = Variant::find("english").expect("built in");
    let net = net(&variant, 32);
    let read = Net::read(&net.write()).expect("just written");
    assert_eq!((read.shape, read.rules, &read.text, read.odds), (net.shape, net.rules, &net.text, net.odds));
    assert_eq!(read.weights(), net.weights());
    assert_eq!(read.fits(&variant.set), Ok(()));
    let other = Variant::find("russian").expect("built in");
    assert!(matches!(read.fits(&other.set), Err(BadNet::Rules { .. })));
}

#[test]
fn bad_files_are_refused_with_the_reason() {
    let variant = Variant::find("english").expect("built in");
    let good = net(&variant, 32).write();
    let refused = |bytes: &[u8]| Net::read(bytes).expect_err("a bad file").to_string();
    assert!(refused(b"").contains("DAMKANET"));
    assert!(refused(b"DAMKANETxx").contains("version"));
    for length in 10..good.len() {
        let error = refused(&good[..length]);
        assert!(error.contains("ends after"), "{length}: {error}");
    }
    for place in (8..good.len()).step_by(97) {
        let mut bad = good.clone();
        bad[place] ^= 0x10;
        assert!(Net::read(&bad).is_err(), "byte {place}");
    }
    let mut long = good.clone();
    long.push(0);
    assert!(refused(&long).contains("expected"));
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    assert!(refused(&damaged).contains("checksum"));
}

#[test]
fn embedded_networks_fit_their_rules() {
    let mut found = 0;
    for variant in Variant::all() {
        if let Some(net) = embedded(&variant.set) {
            assert_eq!(net.fits(&variant.set), Ok(()), "{}", variant.id);
            found += net.write().len();
        }
    }
    assert!(found < 3_000_000, "{found} bytes");
}

/// Rule sets that differ only in how draws are counted share a network; others do not.
#[test]
fn fingerprints_tell_games_apart() {
    let of = |name: &str| fingerprint(&Variant::find(name).expect("built in").set);
    assert_eq!(of("brazilian"), of("polish8"));
    assert_eq!(of("turkish"), of("turkish-official"));
    let apart = ["international", "english", "russian", "brazilian", "junior", "turkish", "pool", "italian", "killer"];
    let distinct: std::collections::HashSet<_> = apart.iter().map(|name| of(name)).collect();
    assert_eq!(distinct.len(), apart.len());
}
