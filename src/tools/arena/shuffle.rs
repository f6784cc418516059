//! Chance that is the same everywhere for the same seed.

/// A stream of pseudo-random numbers. After: SplitMix64 (S. Vigna, public domain description).
#[derive(Clone, Debug)]
pub struct Shuffle(u64);

impl Shuffle {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Shuffle {
        Shuffle(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Brings items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_complete_and_depends_on_the_seed_alone() {
        let order = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            Shuffle::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(order(5), order(5));
        assert_ne!(order(5), order(6));
        let mut sorted = order(5);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
