//! Which compiled kernel serves which rule set.
//!
//! Rule sets that differ only in how games end, who begins or how squares are written share a kernel. A user's rule set
//! takes the kernel of a built-in one when its moves are the same; otherwise the run-time kernel of its board.

use super::board::{Board, Color, Geometry, Word};
use super::generate::{self, Pieces};
use super::moves::MoveList;
use super::rules::*;
use super::steps::{Black, Rules, Shape, White};
use super::table;

/// Leaves of the move tree at a depth of at least 1, with one move list a ply.
type Perft<W> = fn(&RuleSet, &Geometry, &Pieces<W>, Color, u32, &mut [MoveList<W>]) -> u64;

/// The entry points of one compiled kernel. The record and layout are read only by run-time kernels.
pub struct Kernel<W> {
    /// Appends the legal moves, or only captures.
    pub generate: fn(&RuleSet, &Geometry, &Pieces<W>, Color, &mut MoveList<W>, only_captures: bool),
    /// Pieces that could make a first jump.
    pub capturers: fn(&RuleSet, &Geometry, &Pieces<W>, Color) -> W,
    /// Number of quiet moves.
    pub mobility: fn(&RuleSet, &Geometry, &Pieces<W>, Color) -> u32,
    /// Leaves at a depth of at least 1.
    pub perft: Perft<W>,
}

impl<W> std::fmt::Debug for Kernel<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kernel")
    }
}

/// A way to make the kernel's view of the rules out of a run-time record.
trait Bind {
    type Word: Word;
    type Rules<'a>: Rules<Word = Self::Word>;
    fn bind<'a>(set: &'a RuleSet, geometry: &'a Geometry) -> Self::Rules<'a>;
}

const fn kernel<B: Bind>() -> Kernel<B::Word> {
    Kernel {
        generate: |set, geometry, pieces, side, list, only_captures| {
            let rules = B::bind(set, geometry);
            match side {
                Color::White => generate::generate::<_, White>(rules, pieces, list, only_captures),
                Color::Black => generate::generate::<_, Black>(rules, pieces, list, only_captures),
            }
        },
        capturers: |set, geometry, pieces, side| {
            let rules = B::bind(set, geometry);
            match side {
                Color::White => generate::capturers::<_, White>(rules, pieces),
                Color::Black => generate::capturers::<_, Black>(rules, pieces),
            }
        },
        mobility: |set, geometry, pieces, side| {
            let rules = B::bind(set, geometry);
            match side {
                Color::White => generate::mobility::<_, White>(rules, pieces),
                Color::Black => generate::mobility::<_, Black>(rules, pieces),
            }
        },
        perft: |set, geometry, pieces, side, depth, lists| {
            let rules = B::bind(set, geometry);
            match side {
                Color::White => generate::perft::<_, White>(rules, pieces, depth, lists),
                Color::Black => generate::perft::<_, Black>(rules, pieces, depth, lists),
            }
        },
    }
}

/// One zero-sized type a rule set, and the tables of their kernels.
macro_rules! fixed {
    ($table:ident: $word:ty; $($name:ident = $set:expr;)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $name;
            impl $name {
                const SET: RuleSet = $set;
                const GEOMETRY: Geometry = Geometry::new(Self::SET.board);
            }
            impl Rules for $name {
                type Word = $word;
                #[inline(always)]
                fn set(&self) -> &RuleSet {
                    const { &Self::SET }
                }
                #[inline(always)]
                fn geometry(&self) -> &Geometry {
                    const { &Self::GEOMETRY }
                }
            }
            impl Bind for $name {
                type Word = $word;
                type Rules<'a> = $name;
                #[inline(always)]
                fn bind<'a>(_: &'a RuleSet, _: &'a Geometry) -> $name {
                    $name
                }
            }
        )*
        static $table: &[(RuleSet, Kernel<$word>)] = &[$(($name::SET, kernel::<$name>())),*];
    };
}

fixed! { NARROW: u64;
    International = table::INTERNATIONAL;
    English = table::ENGLISH;
    Russian = table::RUSSIAN;
    Brazilian = table::BRAZILIAN;
    Junior = table::JUNIOR;
    Turkish = table::TURKISH_OFFICIAL;
    Jamaican = RuleSet { board: Board::MIRRORED, ..table::POOL };
    Pool = table::POOL;
    Italian = table::ITALIAN;
    Spanish = table::SPANISH;
    Czech = table::CZECH;
    German = table::GERMAN;
    Thai = table::THAI;
    Philippine = RuleSet { board: Board::MIRRORED, ..table::BRAZILIAN };
    Frisian = table::FRISIAN;
    Killer = table::KILLER;
    KillerLight = RuleSet { landing: Landing::BehindLastKingMulti, ..table::KILLER };
    Spantsireti = RuleSet { board: Board::dark(10, 8, true), ..table::RUSSIAN };
    Gothic = table::GOTHIC;
    Armenian = table::ARMENIAN;
}

fixed! { WIDE: u128;
    Canadian = table::CANADIAN;
    Srilankan = RuleSet { board: Board::dark(12, 12, false), ..table::CANADIAN };
}

/// Board and shape that a user's rules share with a pattern, known at compile time; the rest is read at run time.
macro_rules! shaped {
    ($table:ident: $word:ty; $($name:ident = $pattern:expr;)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $name<'a>(&'a RuleSet);
            impl $name<'_> {
                const PATTERN: RuleSet = $pattern;
                const GEOMETRY: Geometry = Geometry::new(Self::PATTERN.board);
                const SHAPE: Shape = Shape::of(&Self::PATTERN);
            }
            impl Rules for $name<'_> {
                type Word = $word;
                #[inline(always)]
                fn set(&self) -> &RuleSet {
                    self.0
                }
                #[inline(always)]
                fn geometry(&self) -> &Geometry {
                    const { &Self::GEOMETRY }
                }
                #[inline(always)]
                fn shape(&self) -> Shape {
                    const { Self::SHAPE }
                }
            }
            impl Bind for $name<'static> {
                type Word = $word;
                type Rules<'a> = $name<'a>;
                #[inline(always)]
                fn bind<'a>(set: &'a RuleSet, _: &'a Geometry) -> $name<'a> {
                    $name(set)
                }
            }
        )*
        static $table: &[(RuleSet, Kernel<$word>)] = &[$(($name::PATTERN, kernel::<$name<'static>>())),*];
    };
}

// The shapes of the house rules on 8x8 (men capture forwards or both ways, kings short or flying) and those of 10x10 and
// of the boards on which all squares are played.
shaped! { SHAPED: u64;
    ShortForward = table::ENGLISH;
    ShortBothWays = RuleSet { man_capture: Directions::DIAGONAL, ..table::ENGLISH };
    FlyingForward = table::CZECH;
    FlyingBothWays = table::BRAZILIAN;
    InternationalShape = table::INTERNATIONAL;
    TurkishShape = table::TURKISH_OFFICIAL;
    GothicShape = table::GOTHIC;
    MirroredShort = table::ITALIAN;
    MirroredFlying = table::SPANISH;
    FrisianShape = table::FRISIAN;
}

shaped! { SHAPED_WIDE: u128;
    CanadianShape = table::CANADIAN;
}

/// Rules and board both read at run time.
#[derive(Clone, Copy)]
struct Anywhere<'a, W>(&'a RuleSet, &'a Geometry, std::marker::PhantomData<W>);

impl<W: Word> Rules for Anywhere<'_, W> {
    type Word = W;
    #[inline(always)]
    fn set(&self) -> &RuleSet {
        self.0
    }
    #[inline(always)]
    fn geometry(&self) -> &Geometry {
        self.1
    }
}

struct OnAny<W>(std::marker::PhantomData<W>);

impl<W: Word> Bind for OnAny<W> {
    type Word = W;
    type Rules<'a> = Anywhere<'a, W>;
    #[inline(always)]
    fn bind<'a>(set: &'a RuleSet, geometry: &'a Geometry) -> Anywhere<'a, W> {
        Anywhere(set, geometry, std::marker::PhantomData)
    }
}

static ON_ANY_NARROW: Kernel<u64> = kernel::<OnAny<u64>>();
static ON_ANY_WIDE: Kernel<u128> = kernel::<OnAny<u128>>();

/// The kernel of a rule set, by the width of the word its board needs.
#[derive(Clone, Copy, Debug)]
pub enum AnyKernel {
    /// Boards whose layout fits 64 bits.
    Narrow(&'static Kernel<u64>),
    /// Larger boards.
    Wide(&'static Kernel<u128>),
}

/// Finds the kernel that serves a rule set.
pub fn find(set: &RuleSet) -> AnyKernel {
    if Geometry::new(set.board).squares >> 64 != 0 {
        AnyKernel::Wide(pick(set, WIDE, SHAPED_WIDE).unwrap_or(&ON_ANY_WIDE))
    } else {
        AnyKernel::Narrow(pick(set, NARROW, SHAPED).unwrap_or(&ON_ANY_NARROW))
    }
}

/// A kernel made for exactly these moves, else one made for their board and shape.
fn pick<W>(
    set: &RuleSet,
    fixed: &'static [(RuleSet, Kernel<W>)],
    shaped: &'static [(RuleSet, Kernel<W>)],
) -> Option<&'static Kernel<W>> {
    let alike = |row: &RuleSet| same_board(row.board, set.board) && Shape::of(row) == Shape::of(set);
    let exact = fixed.iter().find(|(row, _)| same_moves(row, set));
    exact.or_else(|| shaped.iter().find(|(row, _)| alike(row))).map(|(_, kernel)| kernel)
}

/// Whether two rule sets have the same moves in every position.
fn same_moves(a: &RuleSet, b: &RuleSet) -> bool {
    same_board(a.board, b.board) && moves_only(a) == moves_only(b)
}

/// Whether two boards have the same squares; which corner is played on means nothing when all are.
fn same_board(a: Board, b: Board) -> bool {
    a == b || a.all_squares && b.all_squares && (a.width, a.height) == (b.width, b.height)
}

/// The record with everything set to one value that the generator does not read.
fn moves_only(set: &RuleSet) -> RuleSet {
    RuleSet {
        board: set.board,
        man_move: set.man_move,
        man_capture: set.man_capture,
        king_move: set.king_move,
        king_capture: set.king_capture,
        king_flies: set.king_flies,
        king_captures_afar: set.king_captures_afar,
        landing: set.landing,
        man_takes_king: set.man_takes_king,
        removal: set.removal,
        may_reverse: set.may_reverse,
        promotion: set.promotion,
        duty: set.duty,
        choice: set.choice,
        scope: set.scope,
        ..table::INTERNATIONAL
    }
}
