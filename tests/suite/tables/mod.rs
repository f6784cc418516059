//! Endgame tables: totals against those that other programs counted, files that came to harm, studies with one right move,
//! and games won by them.

mod files;
mod play;
mod totals;

use damka::endgame::{Folder, Plan, Quiet, build};
use damka::game::Variant;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A folder in which the tables of a variant are made once for all tests; the root of it.
fn root_with(variant: &Arc<Variant>, pieces: usize) -> PathBuf {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    make(variant, pieces, &root);
    root
}

/// Makes what is missing.
fn make(variant: &Variant, pieces: usize, root: &Path) -> Folder {
    let folder = Folder::new(root, &variant.set);
    let plan = Plan { variant, pieces, folder: Some(&folder), progress: &Quiet };
    build(&plan).expect("tables can be made");
    folder
}

fn variant(name: &str) -> Arc<Variant> {
    Variant::find(name).expect("built in")
}
