//! The exported C functions. All pointers of the caller are touched here, and nowhere else; no panic leaves.

use crate::command;
use crate::game_type::GameType;
use crate::host::{Gui, Host, Question};
use crate::layout::{CbMove, Cells, Verdict};
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// Size of the buffers for text, the final NUL included.
const BUFFER: usize = 1024;

/// Size of the buffer that `enginename` gets.
const NAME_BUFFER: usize = 255;

/// Longest command read, in bytes. The interface speaks of 256, but histories of games are sent longer than that.
const COMMAND: usize = 4096;

fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| Host::new(GameType::chosen()))
}

/// Runs the body of an exported function; a panic becomes the answer for "something is wrong".
fn guarded(otherwise: c_int, body: impl FnOnce() -> c_int) -> c_int {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// Writes text and its final NUL, cut to the size of the buffer.
///
/// # Safety
/// `buffer` is null or valid for writes of `size` bytes, and `size` is not 0.
unsafe fn put(buffer: *mut c_char, size: usize, text: &str) {
    if buffer.is_null() {
        return;
    }
    let length = text.len().min(size - 1);
    // SAFETY: `length` + 1 bytes fit by the line above; text and buffer do not overlap, since the text is ours.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), length);
        buffer.add(length).write(0);
    }
}

/// Reads a command up to its NUL; `None` when there is none in reach or it is not text.
///
/// # Safety
/// `command` is null or points to bytes that end with a NUL.
unsafe fn taken(command: *const c_char) -> Option<String> {
    if command.is_null() {
        return None;
    }
    let mut bytes = Vec::new();
    while bytes.len() < COMMAND {
        // SAFETY: no byte up to here was the NUL, so this one belongs to the text or is its NUL.
        match unsafe { command.add(bytes.len()).read() } as u8 {
            0 => return String::from_utf8(bytes).ok(),
            byte => bytes.push(byte),
        }
    }
    None
}

/// The caller's buffers during a search.
struct Caller {
    text: *mut c_char,
    playnow: *const c_int,
}

impl Gui for Caller {
    fn show(&mut self, text: &str) {
        // SAFETY: the caller of `getmove` gives null or a buffer of that size.
        unsafe { put(self.text, BUFFER, text) }
    }

    fn play_now(&mut self) -> bool {
        // SAFETY: null or a valid pointer; volatile, because another thread of the caller writes to it.
        !self.playnow.is_null() && unsafe { self.playnow.read_volatile() } != 0
    }
}

/// Chooses a move, plays it on the board and describes it. Returns 0 for a draw, 1 for a win, 2 for a loss, else 3.
///
/// # Safety
/// Each pointer is null or valid as the interface says: a board of 8 by 8 `int`, 1024 bytes of text, an `int`, a `CBmove`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn getmove(
    board: *mut Cells,
    color: c_int,
    maxtime: f64,
    text: *mut c_char,
    playnow: *mut c_int,
    info: c_int,
    moreinfo: c_int,
    record: *mut CbMove,
) -> c_int {
    guarded(Verdict::Unknown as c_int, || {
        let mut caller = Caller { text, playnow };
        if board.is_null() {
            caller.show("no board was given");
            return Verdict::Unknown as c_int;
        }
        // SAFETY: not null, so a valid board.
        let cells = unsafe { board.read() };
        let reply = host().get_move(&Question { cells, color, maxtime, info, moreinfo }, &mut caller);
        if let Some((cells, described)) = reply.played {
            // SAFETY: the board as above; the record is null or valid.
            unsafe {
                board.write(cells);
                if !record.is_null() {
                    record.write(described);
                }
            }
        }
        reply.verdict as c_int
    })
}

/// Answers a command. Returns 1 when it was understood, else 0.
///
/// # Safety
/// `command` is null or ends with a NUL; `reply` is null or has 1024 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginecommand(command: *const c_char, reply: *mut c_char) -> c_int {
    guarded(0, || {
        // SAFETY: as promised by the caller.
        let text = unsafe { taken(command) };
        let answer = text.map_or_else(|| Err("?".to_string()), |text| command::carry_out(host(), &text));
        let (understood, text) = match &answer {
            Ok(text) => (1, text),
            Err(text) => (0, text),
        };
        // SAFETY: as promised by the caller.
        unsafe { put(reply, BUFFER, text) };
        understood
    })
}

/// Whether a move between two square numbers is legal: 1 and its description, or 0.
///
/// # Safety
/// Each pointer is null or valid: a board of 8 by 8 `int`, a `CBmove`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn islegal(
    board: *const Cells,
    color: c_int,
    from: c_int,
    to: c_int,
    record: *mut CbMove,
) -> c_int {
    guarded(0, || {
        if board.is_null() {
            return 0;
        }
        // SAFETY: not null, so a valid board.
        let cells = unsafe { board.read() };
        let Some(described) = host().is_legal(&cells, color, from, to) else { return 0 };
        if !record.is_null() {
            // SAFETY: not null, so valid.
            unsafe { record.write(described) };
        }
        1
    })
}

/// The engine's name, for old versions. Returns 1.
///
/// # Safety
/// `name` is null or has 255 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginename(name: *mut c_char) -> c_int {
    guarded(0, || {
        let text = command::name(host().desk().game);
        // SAFETY: as promised by the caller.
        unsafe { put(name, NAME_BUFFER, &text) };
        1
    })
}
