//! The door to the endgame tables: which are at hand, how they get there, and what they say inside the tree.
//!
//! Tables of two and three pieces are solved in memory, those of four in the user's cache folder, both when a game first
//! comes near them and on a thread of their own; larger ones are taken from a folder that the user names. A search with a
//! clock never waits for any of it. A search that is to be the same every time, one limited by depth or nodes, uses what it
//! can have every time: the tables of a folder named by the user, else those of three pieces, solved before it begins.

use super::search::Worker;
use super::{Limits, Score, WIN};
use crate::endgame::{
    EXACT_PIECES, Folder, MAX_PIECES, Material, Progress, Route, TableError, Tables, Value, default_root, memory_needed,
};
use crate::game::board::Word;
use crate::game::moves::MoveKey;
use crate::game::position::{Position, Referee};
use crate::game::rules::{Duty, RuleSet};
use crate::game::variant::Variant;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Where endgame tables come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TableChoice {
    /// None are used.
    #[default]
    Off,
    /// Those of the user's cache folder, made there as they are needed.
    Cache,
    /// Those of this folder; nothing is written there.
    Folder(PathBuf),
}

/// Tables are made ready when no more pieces than this are on the board.
const NEAR: u32 = 10;
/// A search to a depth or number of nodes uses tables when no more pieces than this are on the board.
const NEAR_COUNTED: u32 = 8;
/// Pieces of the tables that are solved in memory.
const SMALL: usize = 3;
/// Four-piece tables that take more bytes of memory than this while they are made are not made unasked.
const MOST_UNASKED: u64 = 256 << 20;
/// How long to wait before looking again whether another process has made the tables.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// Large tables, which are unpacked block by block, are asked about nodes of this depth and more only.
const LARGE_DEPTH: i32 = 4;

/// A win whose distance is not known, where no move count can spoil it.
pub(super) const TABLE_WIN: Score = 21_000;
/// A win that a draw by move count may yet spoil.
pub(super) const HOPED_WIN: Score = 3_000;

/// The tables of one rule set, and who makes them.
pub(super) struct Door {
    pub(super) tables: Arc<Tables>,
    pub(super) variant: Arc<Variant>,
    choice: TableChoice,
    making: AtomicBool,
    stop: Arc<AtomicBool>,
    notes: Arc<Mutex<Vec<String>>>,
    /// The way through the large table that was wanted last.
    route: Arc<Mutex<Wanted>>,
    /// Positions found in tables by the search that runs.
    pub(super) hits: AtomicU64,
}

impl Drop for Door {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

impl Door {
    /// Opens the door for a rule set; a folder named by the user is read at once.
    pub fn open(variant: &Arc<Variant>, choice: &TableChoice) -> Option<Door> {
        if *choice == TableChoice::Off {
            return None;
        }
        let tables = Tables::new(&variant.set).map_err(|error| log::info!("{error}")).ok()?;
        let door = Door {
            tables: Arc::new(tables),
            variant: variant.clone(),
            choice: choice.clone(),
            making: AtomicBool::new(false),
            stop: Arc::default(),
            notes: Arc::default(),
            route: Arc::default(),
            hits: AtomicU64::new(0),
        };
        if let TableChoice::Folder(root) = choice {
            let folder = Folder::new(root, &variant.set);
            for pieces in 2..=MAX_PIECES {
                take_in(&door.tables, &folder, pieces, &door.notes);
            }
            if door.tables.largest() == 0 {
                push(&door.notes, format!("tables: none for these rules in {}", folder.path().display()));
            }
        }
        Some(door)
    }

    /// Whether this is the door for these rules and this choice.
    pub fn fits(&self, variant: &Variant, choice: &TableChoice) -> bool {
        same_tables(&self.variant.set, &variant.set) && self.choice == *choice
    }

    /// What has happened since the last call, for people.
    pub fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes ready, or begins to, what a search of this position wants. Gives the pieces of the largest tables that the
    /// search is to ask; 0 = none.
    pub fn make_ready<W: Word>(&self, position: &Position<W>, limits: &Limits) -> u32 {
        let pieces = position.count();
        if !is_counted(limits) {
            if pieces <= NEAR {
                self.begin();
                // They may get ready while the search runs.
                return self.tables.largest().max(EXACT_PIECES) as u32;
            }
            return self.tables.largest() as u32;
        }
        let slow = self.variant.set.duty == Duty::Huffing;
        if pieces > NEAR_COUNTED || slow && self.choice == TableChoice::Cache {
            return 0;
        }
        if !self.tables.complete(SMALL) {
            let solved = self.tables.solve(&self.variant, SMALL, None, &*self.stop);
            note_error(&self.notes, solved);
        }
        if self.choice == TableChoice::Cache {
            self.make_sure(position);
        }
        if self.choice == TableChoice::Cache { SMALL as u32 } else { self.tables.largest() as u32 }
    }

    /// Whether the root may be judged: in a search that is to be the same every time only by tables that are there every time.
    pub fn may_judge<W: Word>(&self, position: &Position<W>, limits: &Limits) -> bool {
        let always = self.choice != TableChoice::Cache || position.count() as usize <= EXACT_PIECES;
        always || !is_counted(limits)
    }

    /// Solves at once, in memory, what a position of few pieces needs.
    pub fn make_sure<W: Word>(&self, position: &Position<W>) {
        let material = Material::of(&position.pieces, position.side);
        let both = material.side(0) > 0 && material.side(1) > 0;
        if both && material.pieces() <= EXACT_PIECES && !self.tables.has(material) {
            if let TableChoice::Cache = self.choice
                && let Some(root) = default_root()
            {
                take_in(&self.tables, &Folder::new(&root, &self.variant.set), material.pieces(), &self.notes);
            }
            note_error(&self.notes, self.tables.solve_family(&self.variant, material, &*self.stop));
        }
    }

    /// The way to go in a won position of a large table. Where none is known yet it is looked for: at once in a search
    /// that is to be the same every time, beside the search in any other.
    pub fn route(&self, material: Material, at_once: bool) -> Option<Arc<Route>> {
        let pair = material.pair();
        let mut wanted = self.route.lock().unwrap_or_else(PoisonError::into_inner);
        if wanted.pair != Some(pair) {
            *wanted = Wanted { pair: Some(pair), route: None };
            let (route, variant, stop) = (self.route.clone(), self.variant.clone(), self.stop.clone());
            let folder = self.folder()?;
            if at_once {
                wanted.route = found(&variant, &folder, pair, &stop);
            } else {
                let look = move || {
                    let found = found(&variant, &folder, pair, &stop);
                    let mut wanted = route.lock().unwrap_or_else(PoisonError::into_inner);
                    if wanted.pair == Some(pair) {
                        wanted.route = found;
                    }
                };
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
                let thread = std::thread::Builder::new().name("route".to_string());
                let begun = thread.spawn(move || pool.map(|pool| pool.install(look)));
                begun.map_err(|error| log::warn!("no way is looked for: {error}")).ok();
            }
        }
        wanted.route.clone()
    }

    /// Where the large tables are.
    fn folder(&self) -> Option<Folder> {
        let root = match &self.choice {
            TableChoice::Off => None,
            TableChoice::Cache => default_root(),
            TableChoice::Folder(root) => Some(root.clone()),
        };
        root.map(|root| Folder::new(&root, &self.variant.set))
    }

    /// Begins to make what is missing, beside the search.
    fn begin(&self) {
        if self.making.swap(true, Relaxed) {
            return;
        }
        let maker = Maker {
            tables: self.tables.clone(),
            variant: self.variant.clone(),
            folder: self.folder().filter(|_| self.choice == TableChoice::Cache),
            stop: self.stop.clone(),
            notes: self.notes.clone(),
        };
        let thread = std::thread::Builder::new().name("tables".to_string()).spawn(move || maker.run());
        if let Err(error) = thread {
            log::warn!("no tables are made: {error}");
        }
    }
}

/// A pair of materials and, when it is found, the way through it.
#[derive(Default)]
struct Wanted {
    pair: Option<Material>,
    route: Option<Arc<Route>>,
}

fn found(variant: &Variant, folder: &Folder, pair: Material, stop: &AtomicBool) -> Option<Arc<Route>> {
    Route::find(variant, folder, pair, stop)
        .map_err(|error| log::info!("no way through {pair}: {error}"))
        .ok()
        .map(Arc::new)
}

/// Whether a search is to be the same every time.
pub(super) fn is_counted(limits: &Limits) -> bool {
    let timed = limits.clock.is_some() || limits.movetime_ms.is_some() || limits.infinite || limits.ponder;
    !timed && (limits.depth.is_some() || limits.nodes.is_some())
}

/// Whether two rule sets have the same tables and the same draws by move count.
fn same_tables(a: &RuleSet, b: &RuleSet) -> bool {
    a == b
}

fn push(notes: &Mutex<Vec<String>>, text: String) {
    log::info!("{text}");
    notes.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

fn note_error(notes: &Mutex<Vec<String>>, done: Result<(), TableError>) {
    match done {
        Ok(()) | Err(TableError::Stopped) => {}
        Err(error) => push(notes, format!("tables: {error}; playing on without")),
    }
}

/// Takes in what a folder has, and tells of it.
fn take_in(tables: &Tables, folder: &Folder, pieces: usize, notes: &Mutex<Vec<String>>) {
    let found = tables.load(folder, pieces, &mut |error| push(notes, format!("tables: {error}; playing on without")));
    if found > 0 {
        let of = Material::all(pieces).len();
        push(notes, format!("tables: {found} of {of} with {pieces} pieces from {}", folder.path().display()));
    }
}

/// Makes tables on a thread of its own.
struct Maker {
    tables: Arc<Tables>,
    variant: Arc<Variant>,
    folder: Option<Folder>,
    stop: Arc<AtomicBool>,
    notes: Arc<Mutex<Vec<String>>>,
}

impl Maker {
    fn run(self) {
        // One thread, so that the search keeps its cores.
        match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(|| self.make()),
            Err(error) => log::warn!("no tables are made: {error}"),
        }
    }

    fn make(&self) {
        if !self.tables.complete(SMALL) {
            note_error(&self.notes, self.tables.solve(&self.variant, SMALL, None, self));
            if self.tables.complete(SMALL) {
                push(&self.notes, "tables: 2 and 3 pieces solved".to_string());
            }
        }
        let Some(folder) = &self.folder else { return };
        // Rules with huffing are solved the slow way.
        let large = self.variant.set.duty == Duty::Huffing
            || memory_needed(&self.variant.set, EXACT_PIECES).is_ok_and(|bytes| bytes > MOST_UNASKED);
        (EXACT_PIECES..=MAX_PIECES).for_each(|pieces| take_in(&self.tables, folder, pieces, &self.notes));
        while !self.tables.complete(EXACT_PIECES) && !large && !self.stopped() {
            match self.tables.solve(&self.variant, EXACT_PIECES, Some(folder), self) {
                Err(TableError::Locked(_)) => {
                    // Another process makes the same; its tables do as well.
                    std::thread::sleep(LOOK_AGAIN);
                    take_in(&self.tables, folder, EXACT_PIECES, &self.notes);
                }
                Ok(()) => push(&self.notes, format!("tables: 4 pieces solved, kept in {}", folder.path().display())),
                error => return note_error(&self.notes, error),
            }
        }
    }
}

impl Progress for Maker {
    fn cannot_write(&self, error: &TableError) -> bool {
        push(&self.notes, format!("tables: {error}; kept in memory only"));
        true
    }

    fn distrusts(&self, error: &TableError) {
        push(&self.notes, format!("tables: {error}; made anew"));
    }

    fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Whether no draw by move count can come before an end that is so many plies away, whatever is played on the way.
pub(super) fn is_safe<W: Word>(set: &RuleSet, position: &Position<W>, plies: u16) -> bool {
    if set.quiet_plies > 0 && position.quiet_plies.saturating_add(plies) > set.quiet_plies {
        return false;
    }
    set.endings.iter().enumerate().all(|(place, limit)| {
        let in_force = usize::from(position.ending) == place + 1;
        let gone = if in_force { position.ending_plies } else { 0 };
        limit.is_none_or(|limit| gone.saturating_add(plies) <= limit.plies)
    })
}

/// Whether the rules have no draws by move count.
pub(super) fn has_no_counts(set: &RuleSet) -> bool {
    set.quiet_plies == 0 && set.endings.iter().all(Option::is_none)
}

impl<W: Word> Worker<'_, W> {
    /// What the tables say of a position in the tree, where that settles it: exactly, or as a bound that lies outside the
    /// window. Positions in which somebody must capture are left to the search, which soon comes to quiet ones.
    #[inline]
    pub(super) fn table_score(
        &mut self,
        position: &Position<W>,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        let most = self.shared.table_pieces;
        let most = if depth >= LARGE_DEPTH { most } else { most.min(EXACT_PIECES as u32) };
        // A search that leaves a move out is not about the position's own value.
        if position.count() > most || self.excluded[ply] != MoveKey::NONE {
            return None;
        }
        let door = self.shared.door?;
        let score = ask(door, &self.referee, position, ply)?;
        self.table_hits += 1;
        match score {
            Told::Exact(score) => Some(score),
            Told::AtLeast(score) => (score >= beta).then_some(score),
            Told::AtMost(score) => (score <= alpha).then_some(score),
        }
    }
}

/// A score from a table.
enum Told {
    Exact(Score),
    AtLeast(Score),
    AtMost(Score),
}

fn ask<W: Word>(door: &Door, referee: &Referee<W>, position: &Position<W>, ply: usize) -> Option<Told> {
    let set = referee.set();
    let material = Material::of(&position.pieces, position.side);
    if !door.tables.has(material) || !door.tables.holds(material) || !position.huffable.is_empty() {
        return None;
    }
    if set.duty == Duty::Mandatory && !referee.capturers(&position.pieces, position.side).is_empty() {
        return None;
    }
    let value = door.tables.quiet(position)?;
    let size = match value {
        Value::Draw => return Some(Told::Exact(0)),
        Value::Win(Some(plies)) | Value::Loss(Some(plies)) if is_safe(set, position, plies) => {
            return Some(Told::Exact(value.sign() * (WIN - ply as Score - Score::from(plies))));
        }
        _ if has_no_counts(set) => TABLE_WIN,
        _ => HOPED_WIN,
    };
    let size = size - ply as Score;
    Some(if value.sign() > 0 { Told::AtLeast(size) } else { Told::AtMost(-size) })
}
