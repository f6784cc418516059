//! The transposition table: what earlier searches found out about a position, shared by all threads without locks.
//!
//! A slot is two relaxed atomic words, the second the entry and the first the key crossed with it; a torn pair fails the
//! check and reads as absent. After: Hyatt and Mann, A lock-less transposition table implementation (2002).

use super::{Bound, Score};
use crate::game::moves::MoveKey;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Slots that share a cache line.
const CLUSTER: usize = 4;

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best move, or the one that refuted; [`MoveKey::NONE`] when unknown.
    pub best: MoveKey,
    /// Score for the side to move, ends of the game counted from this position.
    pub score: Score,
    /// Static evaluation for the side to move.
    pub static_score: Score,
    /// Plies of nominal depth behind the score.
    pub depth: i32,
    /// Which side of the truth the score lies on.
    pub bound: Bound,
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; CLUSTER]);

/// The table.
pub struct Table {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

fn pack(entry: &Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1u64,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.best.0)
        | (entry.score as i16 as u16 as u64) << 16
        | (entry.static_score as i16 as u16 as u64) << 32
        | ((entry.depth.clamp(-1, 126) + 1) as u64) << 48
        | bound << 56
        | u64::from(generation & 63) << 58
}

fn unpack(data: u64) -> Option<(Entry, u8)> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    let entry = Entry {
        best: MoveKey(data as u16),
        score: Score::from((data >> 16) as i16),
        static_score: Score::from((data >> 32) as i16),
        depth: (data >> 48 & 0xff) as i32 - 1,
        bound,
    };
    Some((entry, (data >> 58) as u8))
}

impl Table {
    /// A table of that many MiB, at least one.
    pub fn new(mebibytes: usize) -> Table {
        let clusters = (mebibytes.max(1) << 20) / size_of::<Cluster>();
        let mut table = Vec::new();
        table.resize_with(clusters, Cluster::default);
        Table { clusters: table, generation: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.clusters.iter_mut().for_each(|cluster| *cluster = Cluster::default());
        *self.generation.get_mut() = 0;
    }

    /// Tells that a new search begins: entries of earlier ones may be replaced first.
    pub fn new_search(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) & 63, Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize;
        &self.clusters[index]
    }

    /// Looks a position up.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key && data != 0 {
                return unpack(data).map(|(entry, _)| entry);
            }
        }
        None
    }

    /// Enters a position, in place of what its cluster can best do without: the same position, else the entry of least
    /// depth, those of earlier searches before those of this one.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            let Some((old, age)) = unpack(data) else {
                victim = Some(slot);
                least = i32::MIN;
                continue;
            };
            if slot.check.load(Relaxed) ^ data == key {
                if entry.best == MoveKey::NONE {
                    entry.best = old.best;
                }
                let shallow = entry.bound != Bound::Exact && entry.depth + 3 < old.depth && age == generation;
                if shallow {
                    return;
                }
                victim = Some(slot);
                break;
            }
            let rank = old.depth - if age == generation { 0 } else { 256 };
            if rank < least {
                least = rank;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            let data = pack(&entry, generation);
            slot.data.store(data, Relaxed);
            slot.check.store(key ^ data, Relaxed);
        }
    }

    /// Share of slots filled by the current search, in permille, from a sample.
    pub fn load(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = self.clusters.len().min(250);
        let fresh = |slot: &&Slot| unpack(slot.data.load(Relaxed)).is_some_and(|(_, age)| age == generation);
        let filled: usize = self.clusters[..sample].iter().map(|cluster| cluster.0.iter().filter(fresh).count()).sum();
        (filled * 1000 / (sample * CLUSTER)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, depth: i32) -> Entry {
        Entry { best: MoveKey(0x1234), score, static_score: -77, depth, bound: Bound::Lower }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = Table::new(1);
        for (key, score, depth) in [(1u64, 29_999, 126), (u64::MAX, -29_999, 0), (77 << 40, 0, -1)] {
            table.store(key, entry(score, depth));
            assert_eq!(table.probe(key), Some(entry(score, depth)));
        }
        assert_eq!(table.probe(2), None);
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_entry() {
        let table = Table::new(1);
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            table.store(key, entry(0, depth));
        }
        assert!(table.probe(2).is_none());
        assert!([1, 3, 4, 5].iter().all(|&key| table.probe(key).is_some()));
    }

    #[test]
    fn clearing_empties_and_load_counts_this_search() {
        let mut table = Table::new(1);
        table.store(1, entry(0, 1));
        assert!(table.load() > 0);
        table.new_search();
        assert_eq!(table.load(), 0);
        table.clear();
        assert_eq!(table.probe(1), None);
    }
}
