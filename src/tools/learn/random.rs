//! Numbers that look random and are the same on every machine.

/// SplitMix64. After: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed and place.
    pub fn new(seed: u64, place: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ place.wrapping_mul(0x9e6c_63d0_876a_68ee));
        random.next();
        random
    }

    /// 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A whole number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Whether a chance of one in `of` came true.
    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// A number from -1 to 1.
    pub fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_fixed_and_differ() {
        let take = |seed, place| {
            let mut random = Random::new(seed, place);
            [random.next(), random.next()]
        };
        assert_eq!(take(1, 2), take(1, 2));
        assert_ne!(take(1, 2), take(1, 3));
        assert_ne!(take(1, 2), take(2, 2));
        let mut random = Random::new(5, 5);
        let mut seen = [0; 7];
        (0..7_000).for_each(|_| seen[random.below(7)] += 1);
        assert!(seen.iter().all(|count| (800..1_200).contains(count)), "{seen:?}");
        assert!((0..1_000).all(|_| random.signed().abs() <= 1.0));
    }
}
