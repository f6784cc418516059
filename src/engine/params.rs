//! The numbers of the search, in one table. Scores are hundredths of a man, depths plies.

use super::Score;

/// Deepest nominal depth.
pub(super) const MAX_DEPTH: u32 = 120;
/// Deepest ply that a line may reach.
pub(super) const MAX_PLY: usize = 240;

/// One number that a tuner may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knob {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The value that damka plays with.
    pub default: i32,
    /// Least value that makes sense.
    pub min: i32,
    /// Greatest value that makes sense.
    pub max: i32,
}

macro_rules! params {
    ($($(#[doc = $help:literal])+ $name:ident = $default:literal in $min:literal to $max:literal;)+) => {
        /// The numbers of a search.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[doc = $help])+ pub(super) $name: i32,)+
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)+ }
            }
        }

        impl Params {
            /// All numbers, with bounds.
            pub const KNOBS: &'static [Knob] = &[$(Knob {
                name: stringify!($name),
                help: concat!($($help,)+).trim_ascii(),
                default: $default,
                min: $min,
                max: $max,
            },)+];

            /// The value of one number; `None` when there is none of that name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// Changes one number; `false` when there is none of that name or the value lies outside its bounds.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($min..=$max).contains(&value) => self.$name = value,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

params! {
    /// Half width of the first aspiration window.
    aspiration = 20 in 2 to 500;
    /// Depth from which aspiration windows are used.
    aspiration_depth = 5 in 2 to 100;
    /// Least depth at which a shallow search far above beta may stand for a deep one.
    probe_depth = 3 in 2 to 100;
    /// Margin above beta for that, for each ply of depth.
    probe_margin = 8 in 0 to 100;
    /// Margin above beta for that, whatever the depth.
    probe_base = 0 in -50 to 200;
    /// Share of the depth that the shallow search goes, in percent.
    probe_share = 40 in 10 to 90;
    /// Nodes of this depth without a table move are searched one ply less deep.
    unknown_depth = 5 in 2 to 100;
    /// Least depth at which late moves are reduced.
    late_depth = 2 in 1 to 100;
    /// Moves of a node that are never reduced.
    late_first = 2 in 1 to 100;
    /// Constant part of a late move's reduction, in hundredths of a ply.
    late_base = 40 in -100 to 300;
    /// Divisor of the part that grows with depth and place, in hundredths.
    late_divisor = 240 in 80 to 1000;
    /// Reduction less for a move that forces a capture, in hundredths of a ply.
    late_forcing = 0 in -200 to 400;
    /// Reduction less on the principal variation, in hundredths of a ply.
    late_pv = 100 in -100 to 300;
    /// Static score needed above beta before a shallow search is tried for a cut.
    probe_static = 0 in -300 to 200;
    /// Greatest depth at which a static score far above beta settles a node; 0 = never.
    above_depth = 0 in 0 to 20;
    /// How far, for each ply of depth,
    above_margin = 30 in 0 to 300;
    /// and whatever the depth.
    above_base = 20 in 0 to 300;
    /// Greatest depth at which moves from a hopeless static score are dropped; 0 = never.
    futile_depth = 3 in 0 to 20;
    /// Margin below alpha for that, for each ply of depth,
    futile_margin = 40 in 0 to 400;
    /// and whatever the depth.
    futile_base = 40 in 0 to 400;
    /// Least depth at which it is looked whether the table's move is the only good one.
    singular_depth = 100 in 3 to 100;
    /// How much worse the others must be, in tenths for each ply of depth.
    singular_margin = 20 in 0 to 200;
    /// Whether another good move settles the node.
    multi_cut = 1 in 0 to 1;
    /// Weight of what was learned about the evaluation's mistakes, in percent.
    correction = 0 in 0 to 300;
    /// Hundredths of a percent that an evaluation loses for each ply without a man move or a capture.
    fade = 0 in 0 to 90;
    /// Weight of what was learned about replies to the last move, in percent.
    reply_history = 100 in 0 to 400;
    /// Least depth at which moves that another thread is searching are put off.
    defer_depth = 3 in 1 to 100;
    /// Quiet moves in one quiescence line that answer a threat.
    threat_plies = 1 in 0 to 4;
    /// Table scores are not trusted when a draw by move count lies within the depth plus this many plies.
    draw_near = 4 in 0 to 40;
}

impl Params {
    /// Hundredths of a ply by which a late move is reduced, by depth and place.
    pub(super) fn late_reductions(&self) -> Vec<[i16; 64]> {
        let (base, divisor) = (f64::from(self.late_base), f64::from(self.late_divisor) / 100.0);
        let reduction = |depth: usize, place: usize| {
            let product = (depth.max(1) as f64).ln() * (place.max(1) as f64).ln();
            (base + 100.0 * product / divisor) as i16
        };
        (0..64).map(|depth| std::array::from_fn(|place| reduction(depth, place))).collect()
    }
}

/// The score window around a guess that aspiration starts with.
pub(super) const WIDEST_WINDOW: Score = 1_000;
