//! Tables as a whole: against published totals, against themselves, and against the slow way.

use super::build::{Plan, Scope, build_into};
use super::material::Material;
use super::progress::{Progress, Quiet};
use super::retro;
use super::solved::{Shelf, Solved, Totals, Values};
use super::world::World;
use super::{Folder, TableError, Tables, forward};
use crate::game::board::Word;
use crate::game::kernels::AnyKernel;
use crate::game::position::Referee;
use crate::game::rules::*;
use crate::game::table::*;
use crate::game::variant::Variant;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn custom(set: RuleSet) -> Arc<Variant> {
    Variant::custom("test", "test", "test", set)
}

/// Solves up to so many pieces both ways and compares everything.
fn both_ways<W: Word>(referee: Referee<W>, pieces: usize) -> Result<u64, TableError> {
    let world = World::new(referee)?;
    let mut shelf = Shelf::default();
    let mut seen = 0;
    for material in (2..=pieces).flat_map(Material::pairs) {
        let fast = retro::solve(&world, material, &shelf, &Quiet)?;
        let slow = forward::solve(&world, material, &shelf, &Quiet)?;
        for (fast, slow) in fast.into_iter().zip(slow) {
            assert_eq!(fast.index, slow.index);
            let differs = (0..fast.values.len()).find(|&n| fast.values[n] != slow.values[n]);
            if let Some(number) = differs {
                let values = [fast.values[number], slow.values[number]].map(super::value::Packed);
                panic!("{} {number}: {values:?} {:?}", fast.index.material, fast.index.unrank(number as u64));
            }
            assert_eq!(fast.totals(), slow.totals());
            seen += fast.totals().positions;
            shelf.put(Arc::new(Solved { index: fast.index, values: Values::new(fast.values) }));
        }
    }
    Ok(seen)
}

fn agree(set: RuleSet, pieces: usize) -> u64 {
    let variant = custom(set);
    let done = match variant.kernel {
        AnyKernel::Narrow(kernel) => both_ways(Referee { variant: &variant, kernel }, pieces),
        AnyKernel::Wide(kernel) => both_ways(Referee { variant: &variant, kernel }, pieces),
    };
    done.expect("solved")
}

/// The way back and the way through all positions give the same, in games with all kinds of ends and duties.
#[test]
fn both_ways_agree() {
    let small = RuleSet { board: crate::game::board::Board::dark(6, 6, true), rows: 2, ..BRAZILIAN };
    let short = RuleSet { king_flies: false, king_captures_afar: false, ..small };
    let sets = [
        small,
        short,
        RuleSet { goal: Goal::Lose, ..small },
        RuleSet { goal: Goal::FirstKing, ..small },
        RuleSet { kings_only: KingsOnly::MoreWins, landing: Landing::Behind, ..small },
        RuleSet { kings_only: KingsOnly::MoreWinsEqualPlaysOn, ..short },
        RuleSet { one_against_one: true, ..short },
        RuleSet { blocked: Blocked::Draws, ..short },
        RuleSet { duty: Duty::Optional, ..short },
        RuleSet { duty: Duty::Optional, ..small },
        RuleSet { man_move: Directions::DIAGONAL, ..short },
        RuleSet { promotion: Promotion::InPassing, choice: [None; 5], ..small },
        RuleSet { board: crate::game::board::Board::dark(6, 7, true), rows: 2, ..short },
        RuleSet {
            board: crate::game::board::Board { width: 5, height: 4, all_squares: true, corner: true },
            rows: 1,
            offset: 0,
            ..TURKISH
        },
    ];
    for set in sets {
        assert!(agree(set, 3) > 4_000, "{set:?}");
    }
}

/// The totals of all tables of so many pieces.
fn totals(name: &str, pieces: usize) -> Totals {
    let variant = Variant::find(name).expect("built in");
    let mut all = Totals::default();
    let plan = Plan { variant: &variant, pieces, folder: None, progress: &Quiet };
    build_into(&plan, &Scope::All, true, &mut |solved| {
        if solved.index.material.pieces() == pieces {
            for number in 0..solved.values.len() as u64 {
                let value = solved.values.get(number);
                if !value.is_none() {
                    all.count(value, false);
                }
            }
        }
    })
    .expect("solved");
    all
}

/// Totals that independent programs have found too.
#[test]
fn totals_are_the_published_ones() {
    let three = totals("english", 3);
    assert_eq!((three.positions, three.results), (196_032, [100_250, 8_477, 87_305]));
    assert_eq!((three.longest_win, three.longest_loss), (61, 62));
    let three = totals("russian", 3);
    assert_eq!((three.results, three.longest_win, three.longest_loss), ([67_475, 95_144, 33_413], 25, 24));
    let two = totals("international", 2);
    assert_eq!((two.results, two.longest_win, two.longest_loss), ([3_205, 3_678, 1_962], 17, 16));
}

/// A board of eight squares, on which five pieces are soon solved.
fn tiny(set: RuleSet) -> RuleSet {
    RuleSet { board: crate::game::board::Board::dark(4, 4, true), rows: 1, ..set }
}

/// Stops after so many tables.
struct Impatient {
    left: AtomicUsize,
}

impl Progress for Impatient {
    fn solved(&self, _: Material, _: Option<&Path>) {
        self.left.fetch_sub(1, Relaxed);
    }
    fn stopped(&self) -> bool {
        self.left.load(Relaxed) as isize <= 0
    }
}

/// Names and contents of the tables in a folder.
fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder.path()).expect("a folder");
    let mut all: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            (path.file_name().expect("a name").to_string_lossy().into_owned(), std::fs::read(&path).expect("a file"))
        })
        .collect();
    all.sort();
    all
}

/// Cut off again and again, and killed in the middle of a file, a build comes to the same bytes in the end.
#[test]
fn a_build_that_was_cut_off_goes_on() {
    let variant = custom(tiny(ENGLISH));
    let (whole, pieced) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let whole = Folder::new(whole.path(), &variant.set);
    let pieced = Folder::new(pieced.path(), &variant.set);
    let run = |folder: &Folder, progress: &dyn Progress| {
        super::build(&Plan { variant: &variant, pieces: 5, folder: Some(folder), progress })
    };
    run(&whole, &Quiet).expect("solved");
    let mut stops = 0;
    loop {
        match run(&pieced, &Impatient { left: AtomicUsize::new(3) }) {
            Ok(()) => break,
            Err(TableError::Stopped) => stops += 1,
            Err(error) => panic!("{error}"),
        }
        // As when the machine went down while files were written.
        let torn = contents(&pieced).into_iter().filter(|(name, _)| name.ends_with(".part")).nth(1);
        if let (1, Some((name, bytes))) = (stops % 4, torn) {
            std::fs::write(pieced.path().join(name), &bytes[..bytes.len() - 1]).expect("room for it");
        }
        std::fs::write(pieced.path().join("kk-k.7.tmp"), b"half").expect("room for it");
        assert!(stops < 100);
    }
    assert!(stops > 15, "{stops}");
    assert_eq!(contents(&pieced), contents(&whole));
    assert_eq!(contents(&whole).len(), 4 + 12 + 25 + 44 + 1);
    let mut checked = 0;
    super::verify(&variant, &whole, 5, &Quiet, &mut |report| {
        assert!(report.is_sound(), "{report:?}");
        checked += 1;
    })
    .expect("all there");
    assert_eq!(checked, 85);
}

/// Results of six pieces fit those of five, though no distances are kept.
#[test]
fn six_pieces_on_a_tiny_board() {
    let variant = custom(tiny(BRAZILIAN));
    let root = tempfile::tempdir().expect("a folder");
    let folder = Folder::new(root.path(), &variant.set);
    super::build(&Plan { variant: &variant, pieces: 6, folder: Some(&folder), progress: &Quiet }).expect("solved");
    super::verify(&variant, &folder, 6, &Quiet, &mut |report| assert!(report.is_sound(), "{report:?}")).expect("all");
}

/// Goes on without files.
struct Undaunted;

impl Progress for Undaunted {
    fn cannot_write(&self, _: &TableError) -> bool {
        true
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_done_without() {
    let variant = custom(tiny(ENGLISH));
    let file = tempfile::NamedTempFile::new().expect("a file");
    let folder = Folder::new(file.path(), &variant.set);
    let tables = Tables::new(&variant.set).expect("a plain board");
    assert!(matches!(tables.solve(&variant, 4, Some(&folder), &Quiet), Err(TableError::Io { .. })));
    assert!(!tables.complete(2));
    tables.solve(&variant, 4, Some(&folder), &Undaunted).expect("solved in memory");
    assert!(tables.complete(4) && tables.largest() == 4);
}

/// Another process makes the same tables: nobody waits while playing.
#[test]
fn a_lock_held_by_others_is_told() {
    let variant = custom(tiny(ENGLISH));
    let root = tempfile::tempdir().expect("a folder");
    let folder = Folder::new(root.path(), &variant.set);
    folder.create().expect("room for it");
    let lock = folder.lock().expect("nobody else");
    let tables = Tables::new(&variant.set).expect("a plain board");
    assert!(matches!(tables.solve(&variant, 3, Some(&folder), &Quiet), Err(TableError::Locked(_))));
    drop(lock);
    tables.solve(&variant, 3, Some(&folder), &Quiet).expect("solved");
    let loaded = Tables::new(&variant.set).expect("a plain board");
    assert_eq!(loaded.load(&folder, 3, &mut |error| panic!("{error}")), 12);
}

/// Where one may huff, moves depend on what the other left undone: the slow way, checked forwards.
#[test]
fn huffing_is_solved_the_slow_way() {
    let variant = custom(tiny(RuleSet { duty: Duty::Huffing, ..ENGLISH }));
    let root = tempfile::tempdir().expect("a folder");
    let folder = Folder::new(root.path(), &variant.set);
    super::build(&Plan { variant: &variant, pieces: 4, folder: Some(&folder), progress: &Quiet }).expect("solved");
    super::verify(&variant, &folder, 4, &Quiet, &mut |report| assert!(report.is_sound(), "{report:?}")).expect("all");
    // By huffing or not, the results differ somewhere.
    let plain = custom(tiny(RuleSet { duty: Duty::Optional, ..ENGLISH }));
    let other = Folder::new(root.path(), &plain.set);
    super::build(&Plan { variant: &plain, pieces: 4, folder: Some(&other), progress: &Quiet }).expect("solved");
    let results = |folder: &Folder, variant: &Variant| -> Vec<[u64; 3]> {
        let header = |m| folder.header(m).expect("sound").expect("there").totals.results;
        assert_eq!(folder.path(), Folder::new(root.path(), &variant.set).path());
        Material::all(4).into_iter().map(header).collect()
    };
    assert_ne!(results(&folder, &variant), results(&other, &plain));
}

/// Values asked for while playing are those of the check, captures and huffs included.
#[test]
fn positions_of_all_kinds_are_valued() {
    for set in [
        tiny(RUSSIAN),
        tiny(RuleSet { duty: Duty::Huffing, ..BRAZILIAN }),
        tiny(RuleSet { goal: Goal::Lose, ..ENGLISH }),
    ] {
        let variant = custom(set);
        let tables = Tables::new(&variant.set).expect("a plain board");
        tables.solve(&variant, 4, None, &Quiet).expect("solved");
        let AnyKernel::Narrow(kernel) = variant.kernel else { panic!("a small board") };
        let referee = Referee { variant: &variant, kernel };
        let world = World::new(referee).expect("a plain board");
        let mut seen = 0;
        for material in (2..=4).flat_map(Material::all) {
            let index = super::index::Index::new(&world.grid, material);
            index.visit(0..index.rows(), |_, spots| {
                let position = super::world::bare(world.grid.pieces::<u64>(spots), crate::game::board::Color::White);
                let mut list = Vec::new();
                referee.generate(&position, &mut list);
                let value = tables.value(referee, &position).expect("at hand");
                let moves = tables.moves(referee, &position, &list).expect("at hand");
                // What a move is worth does not depend on the side that is drawn as White.
                if referee.settled(&position).is_none()
                    && let Some(best) = moves.into_iter().max_by_key(|value| value.rank())
                {
                    assert_eq!(best, value, "{material} {spots:?}");
                }
                seen += 1;
            });
        }
        assert!(seen > 3_000, "{seen}");
    }
}

/// Three kings against two on 8x8: exact distances in five pieces, and the way through the large table falls with every move.
#[test]
fn three_kings_against_two() {
    let variant = Variant::find("english").expect("built in");
    let material: Material = "kkk-kk".parse().expect("a material");
    let plan = Plan { variant: &variant, pieces: 5, folder: None, progress: &Quiet };
    let mut shelf = Shelf::default();
    build_into(&plan, &Scope::Family(material), true, &mut |solved| shelf.put(solved)).expect("solved");
    let worth = |us: &[u8], them: &[u8]| {
        let mut spots = super::grid::Spots::default();
        us.iter().for_each(|square| spots.kings[0].insert(square - 1));
        them.iter().for_each(|square| spots.kings[1].insert(square - 1));
        let material = Material { men: [0, 0], kings: [us.len() as u8, them.len() as u8] };
        shelf.value(material, &spots).expect("solved").value()
    };
    use super::Value::{Loss, Win};
    assert_eq!(worth(&[22, 23, 24], &[31, 32]), Win(Some(15)));
    assert_eq!(worth(&[3, 4, 25], &[15, 21]), Win(Some(67)));
    // Black to move, turned round.
    let turned = |squares: &[u8]| squares.iter().map(|square| 33 - square).collect::<Vec<u8>>();
    assert_eq!(worth(&turned(&[31, 32]), &turned(&[22, 23, 24])), Loss(Some(36)));
    let longest = shelf.get(material).expect("solved");
    let plies = (0..longest.values.len() as u64).map(|n| longest.values.get(n)).filter(|v| v.is_win());
    assert_eq!(plies.map(|v| v.plies()).max(), Some(67));
}

/// Checksums of the 10x10 databases of another program, for the same positions: Moby Dam's, in its own layout. Place
/// 50 * (50 * first + second) + third and so on over White's men and kings, Black's men and kings, White to move; plies of a
/// win, minus plies of a loss, 100 for a draw and for what is no position or not in rising order.
mod other_program {
    use super::super::Value;
    use super::super::grid::Spots;
    use super::*;

    /// CRC-16 with the polynomial 0x1021, begun with all ones.
    fn crc(bytes: impl Iterator<Item = u8>) -> u16 {
        bytes.fold(0xffff, |crc: u16, byte| {
            (0..8)
                .fold(crc ^ u16::from(byte) << 8, |crc, _| if crc & 0x8000 != 0 { crc << 1 ^ 0x1021 } else { crc << 1 })
        })
    }

    /// The byte of each place.
    fn bytes(shelf: &Shelf, material: Material) -> Vec<i8> {
        let pieces = material.pieces() as u32;
        let groups = [material.men[0], material.kings[0], material.men[1], material.kings[1]];
        (0..50u32.pow(pieces)).map(|place| byte(shelf, material, groups, place)).collect()
    }

    fn byte(shelf: &Shelf, material: Material, groups: [u8; 4], place: u32) -> i8 {
        let pieces = material.pieces() as u32;
        let mut squares = (0..pieces).map(|digit| (place / 50u32.pow(pieces - 1 - digit) % 50) as u8);
        let mut taken = Vec::new();
        let mut spots = Spots::default();
        for (group, count) in groups.into_iter().enumerate() {
            let squares: Vec<u8> = squares.by_ref().take(usize::from(count)).collect();
            let last_row = if group == 0 { 0..5 } else { 45..50 };
            let man = group % 2 == 0;
            let rising = squares.windows(2).all(|pair| pair[0] < pair[1]);
            let bad = |square: &u8| taken.contains(square) || man && last_row.contains(square);
            if !rising || squares.iter().any(bad) {
                return 100;
            }
            let kind = if man { &mut spots.men } else { &mut spots.kings };
            squares.iter().for_each(|square| kind[group / 2].insert(*square));
            taken.extend(squares);
        }
        match shelf.value(material, &spots).expect("solved").value() {
            Value::Win(Some(plies)) => plies as i8,
            Value::Loss(Some(plies)) => -(plies as i8),
            _ => 100,
        }
    }

    fn solved(variant: &Variant, material: &str) -> (Shelf, Material) {
        let material: Material = material.parse().expect("a material");
        let plan = Plan { variant, pieces: material.pieces(), folder: None, progress: &Quiet };
        let mut shelf = Shelf::default();
        build_into(&plan, &Scope::Family(material), true, &mut |solved| shelf.put(solved)).expect("solved");
        (shelf, material)
    }

    #[test]
    fn two_and_three_pieces_have_its_checksums() {
        let variant = Variant::find("international").expect("built in");
        for (name, sum) in [("k-k", 0x7585), ("m-m", 0xd2d8), ("kk-k", 0x703d)] {
            let (shelf, material) = solved(&variant, name);
            let bytes = bytes(&shelf, material);
            assert_eq!(crc(bytes.iter().map(|byte| *byte as u8)), sum, "{name}");
        }
    }

    /// Four pieces are packed in blocks of 256 places; a whole block of draws is written once.
    fn packed(bytes: &[i8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut seen_draws = false;
        for block in bytes.chunks(256) {
            // The last one is shorter and like no other.
            let draws = block.len() == 256 && block.iter().all(|byte| *byte == 100);
            if draws && seen_draws {
                continue;
            }
            seen_draws |= draws;
            for run in block.chunk_by(|a, b| a == b) {
                let (value, n) = (run[0].unsigned_abs(), run.len());
                match (value, n) {
                    (100, 1..=10) => out.push([61, 125, 189, 253, 62, 126, 190, 254, 63, 127][n - 1]),
                    (100, _) => out.extend([191, (n - 1) as u8]),
                    (_, 1..=4) => out.push(value + 64 * (n as u8 - 1)),
                    (_, 5..=8) => out.extend([value + 64 * 3, value + 64 * (n as u8 - 5)]),
                    _ => out.extend([255, (n - 1) as u8, value]),
                }
            }
        }
        out
    }

    #[test]
    fn four_kings_have_its_checksum() {
        let variant = Variant::find("international").expect("built in");
        let (shelf, material) = solved(&variant, "kkk-k");
        let packed = packed(&bytes(&shelf, material));
        assert_eq!((packed.len(), crc(packed.into_iter())), (548_310, 0xb61a));
    }

    /// All of three against one on 10x10: with `DAMKA_DEEP=1`.
    #[test]
    fn four_men_have_its_checksum() {
        if std::env::var_os("DAMKA_DEEP").is_none() {
            return;
        }
        let variant = Variant::find("international").expect("built in");
        let (shelf, material) = solved(&variant, "mmm-m");
        let packed = packed(&bytes(&shelf, material));
        assert_eq!((packed.len(), crc(packed.into_iter())), (347_326, 0x9444));
    }
}
