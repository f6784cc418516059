//! The inner loops of the network, compiled for each instruction set worth having and chosen when the program runs.
//!
//! The loops are plain code over arrays of fixed size, which the compiler turns into vector instructions; what differs is
//! only how wide these are. Whole numbers throughout, so the results are the same on every path. This is the one file of
//! the engine with `unsafe` in it: calling a function compiled for AVX2 or AVX-512 is sound only on a processor that has it.
#![allow(unsafe_code)]

use super::INNER;

/// Adds rows of the first layer to sums and takes others off: into, from, first layer, added rows, removed rows.
type Update = fn(&mut [i16], &[i16], &[i16], &[u16], &[u16]);
/// Clips and squares the sums of one view, weighs and adds them up.
type Output = fn(&[i16], &[i16]) -> i64;

/// The loops for one width of the first layer on this processor.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    pub update: Update,
    pub output: Output,
}

impl Kernels {
    /// The fastest there are for this width and this processor; `None` for a width without kernels.
    pub(super) fn best(hidden: usize) -> Option<Kernels> {
        Kernels::all(hidden).pop()
    }

    /// All that run on this processor, from the narrowest to the widest.
    pub(super) fn all(hidden: usize) -> Vec<Kernels> {
        let mut all: Vec<_> = Kernels::portable(hidden).into_iter().collect();
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(avx2::kernels(hidden));
            all.extend(avx512::kernels(hidden));
        }
        all
    }

    /// Those that run on every processor.
    pub(super) fn portable(hidden: usize) -> Option<Kernels> {
        fn of<const H: usize>() -> Kernels {
            Kernels { update: update::<H>, output: output::<H> }
        }
        by_width(hidden, [of::<32>, of::<64>, of::<128>, of::<256>])
    }
}

fn by_width(hidden: usize, kernels: [fn() -> Kernels; 4]) -> Option<Kernels> {
    let place = super::HIDDEN.iter().position(|&width| width == hidden)?;
    Some(kernels[place]())
}

/// A module with the same loops, compiled for instructions that a processor may have or not.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($name:ident, $($feature:tt),+) => {
        mod $name {
            use super::{Kernels, by_width};

            $(#[target_feature(enable = $feature)])+
            fn update<const H: usize>(into: &mut [i16], from: &[i16], first: &[i16], added: &[u16], removed: &[u16]) {
                super::update::<H>(into, from, first, added, removed);
            }

            $(#[target_feature(enable = $feature)])+
            fn output<const H: usize>(sums: &[i16], weights: &[i16]) -> i64 {
                super::output::<H>(sums, weights)
            }

            /// The kernels, when the processor can run them.
            pub(super) fn kernels(hidden: usize) -> Option<Kernels> {
                fn of<const H: usize>() -> Kernels {
                    Kernels {
                        // SAFETY: these kernels are handed out below, and only when the processor has what they need.
                        update: |into, from, first, added, removed| unsafe {
                            update::<H>(into, from, first, added, removed)
                        },
                        output: |sums, weights| unsafe { output::<H>(sums, weights) },
                    }
                }
                if !($(std::arch::is_x86_feature_detected!($feature))&&+) {
                    return None;
                }
                by_width(hidden, [of::<32>, of::<64>, of::<128>, of::<256>])
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(avx2, "avx2");
#[cfg(target_arch = "x86_64")]
compiled_for!(avx512, "avx512f", "avx512bw", "avx512vl");

#[inline(always)]
fn array<const H: usize>(slice: &[i16]) -> &[i16; H] {
    slice.try_into().expect("sums and rows have the width of their kernels")
}

#[inline(always)]
fn row<const H: usize>(first: &[i16], row: u16) -> &[i16; H] {
    array(&first[row as usize * H..][..H])
}

#[inline(always)]
fn update<const H: usize>(into: &mut [i16], from: &[i16], first: &[i16], added: &[u16], removed: &[u16]) {
    let into: &mut [i16; H] = into.try_into().expect("sums have the width of their kernels");
    let from = array::<H>(from);
    let pairs = added.len().min(removed.len());
    let (mut add, mut take) = (added, removed);
    // The first pass also moves the sums to their new place: most updates are one piece that moves.
    if pairs > 0 {
        let (plus, minus) = (row::<H>(first, added[0]), row::<H>(first, removed[0]));
        for i in 0..H {
            into[i] = from[i].wrapping_add(plus[i]).wrapping_sub(minus[i]);
        }
        (add, take) = (&added[1..], &removed[1..]);
    } else {
        *into = *from;
    }
    for &index in take {
        let minus = row::<H>(first, index);
        for i in 0..H {
            into[i] = into[i].wrapping_sub(minus[i]);
        }
    }
    while let [one, two, rest @ ..] = add {
        let (one, two) = (row::<H>(first, *one), row::<H>(first, *two));
        for i in 0..H {
            into[i] = into[i].wrapping_add(one[i]).wrapping_add(two[i]);
        }
        add = rest;
    }
    for &index in add {
        let plus = row::<H>(first, index);
        for i in 0..H {
            into[i] = into[i].wrapping_add(plus[i]);
        }
    }
}

#[inline(always)]
fn output<const H: usize>(sums: &[i16], weights: &[i16]) -> i64 {
    let (sums, weights) = (array::<H>(sums), array::<H>(weights));
    let mut sum = 0i32;
    for i in 0..H {
        let clipped = sums[i].clamp(0, INNER as i16);
        // At most 255 * 127, so still 16 bits; and 256 products of it with 255 are still 32.
        let weighed = clipped.wrapping_mul(weights[i]);
        sum = sum.wrapping_add(i32::from(clipped) * i32::from(weighed));
    }
    i64::from(sum)
}
