//! The C structures and numbers of CheckerBoard's engine interface.

use std::ffi::c_int;

/// Piece codes: a colour and a kind added up.
pub const WHITE: c_int = 1;
/// Black.
pub const BLACK: c_int = 2;
/// A man.
pub const MAN: c_int = 4;
/// A king.
pub const KING: c_int = 8;
/// How old versions mark a light square, which is always free.
pub const LIGHT: c_int = 16;

/// What `getmove` returns: the result as the engine sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Draw = 0,
    Win = 1,
    Loss = 2,
    Unknown = 3,
}

/// `board[x][y]`, x from the left, y from the bottom; Black is at the bottom.
pub type Cells = [[c_int; 8]; 8];

/// `struct coor`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Coor {
    pub x: c_int,
    pub y: c_int,
}

/// Most captures that `struct CBmove` has room for.
pub const MOST_JUMPS: usize = 12;

/// `struct CBmove`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CbMove {
    /// Number of pieces captured.
    pub jumps: c_int,
    /// What stands on `to` afterwards.
    pub newpiece: c_int,
    /// What stood on `from`.
    pub oldpiece: c_int,
    pub from: Coor,
    pub to: Coor,
    /// Where the piece lands: `path[1]` after the first jump. `path[0]` is `from`.
    pub path: [Coor; MOST_JUMPS],
    /// Captured squares; the first unused one has x = -1.
    pub del: [Coor; MOST_JUMPS],
    /// What was captured there.
    pub delpiece: [c_int; MOST_JUMPS],
}

const _: () = assert!(size_of::<CbMove>() == 268, "CheckerBoard's own size");
