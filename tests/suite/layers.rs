//! The plan of the house, checked in its source: which room calls which, who prints, how long a file may be.
//!
//! Arrows go down, `main -> tools -> protocol -> engine -> endgame -> game`, and `notation -> game`; they may skip a storey,
//! never go up or sideways.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room and the rooms it may call.
const ROOMS: [(&str, &[&str]); 7] = [
    ("game", &[]),
    ("notation", &["game"]),
    ("endgame", &["game"]),
    ("engine", &["endgame", "game"]),
    ("protocol", &["engine", "endgame", "notation", "game"]),
    ("tools", &["protocol", "engine", "endgame", "notation", "game"]),
    ("main", &["tools", "protocol", "engine", "endgame", "notation", "game"]),
];

/// Most lines of code in a file: without blank lines, comments and the tests at its end.
const LONGEST: usize = 450;

/// Words that only some rooms may use, and why.
const RESERVED: [(&[&str], &[&str], &str); 6] = [
    (
        &["println!", "print!", "eprintln!", "eprint!", "dbg!", "io::stdout", "io::stderr"],
        &["protocol", "tools", "main"],
        "only protocol and tools print",
    ),
    (&["std::fs", "std::net", "std::process"], &["endgame", "engine", "protocol", "tools", "main"], "rules do no I/O"),
    (&["std::thread", "Instant", "SystemTime"], &["endgame", "engine", "protocol", "tools"], "rules know no clock"),
    (&["log::"], &["endgame", "engine", "protocol", "tools", "main"], "rules do not log"),
    (&["rayon"], &["engine", "endgame", "tools"], "parallel work has three homes"),
    (&["unsafe "], &[], "no unsafe code"),
];

/// The one file that may say `unsafe`: functions compiled for instruction sets that a processor may not have.
const UNSAFE_HOME: &str = "src/engine/net/simd.rs";

/// One file of the source.
struct Source {
    path: PathBuf,
    room: String,
    /// Names from the crate down to this module.
    depth: usize,
    /// The text without comments and string contents.
    code: String,
}

impl Source {
    fn read(root: &Path, path: PathBuf) -> Source {
        let inside = path.strip_prefix(root).expect("found there").with_extension("");
        let mut names: Vec<String> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if names.last().is_some_and(|name| name == "mod") {
            names.pop();
        }
        let code = bare(&fs::read_to_string(&path).expect("source is text"));
        Source { path, room: names[0].clone(), depth: names.len(), code }
    }

    /// The code before the tests at the end of the file; nothing of a file that holds tests only.
    fn without_tests(&self) -> &str {
        let only_tests = |name: &str| name == "tests" || name.ends_with("_tests");
        if self.path.with_extension("").iter().any(|name| name.to_str().is_some_and(only_tests)) {
            return "";
        }
        self.code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
    }

    /// Rooms that this file names.
    fn calls(&self) -> Vec<String> {
        let mut called = Vec::new();
        let ups = "super::".repeat(self.depth);
        let starts: [&str; 3] = ["crate::", "damka::", &ups];
        for start in starts {
            for (place, _) in self.code.match_indices(start) {
                let before = self.code[..place].chars().next_back();
                if !before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                    called.extend(heads(&self.code[place + start.len()..]));
                }
            }
        }
        called.retain(|name| ROOMS.iter().any(|(room, _)| room == name));
        called
    }
}

/// First names of a path or of a list of paths in braces.
fn heads(path: &str) -> Vec<String> {
    let word =
        |text: &str| -> String { text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(list) = path.strip_prefix('{') else {
        return vec![word(path)];
    };
    let (mut heads, mut level) = (vec![word(list)], 0);
    for (place, c) in list.char_indices() {
        match c {
            '{' => level += 1,
            '}' if level == 0 => break,
            '}' => level -= 1,
            ',' if level == 0 => heads.push(word(&list[place + 1..])),
            _ => {}
        }
    }
    heads
}

/// The text without comments and without what stands in plain string literals.
fn bare(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        let (mut quoted, mut escaped) = (false, false);
        for (place, c) in line.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' if !line[..place].ends_with('\'') => quoted = !quoted,
                '/' if !quoted && line[place..].starts_with("//") => break,
                _ if quoted => continue,
                _ => {}
            }
            code.push(c);
        }
        code.push('\n');
    }
    code
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// All files of the rooms; `lib.rs` only lists them.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&root, &mut found);
    found.retain(|path| *path != root.join("lib.rs"));
    assert!(found.len() > 40, "{} files", found.len());
    found.into_iter().map(|path| Source::read(&root, path)).collect()
}

fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn arrows_go_down() {
    let mut faults = Vec::new();
    for source in sources() {
        let path = source.path.display();
        let Some((_, below)) = ROOMS.iter().find(|(room, _)| *room == source.room) else {
            faults.push(format!("{path}: no room is called '{}'", source.room));
            continue;
        };
        let calls = source.calls();
        let wrong = calls.iter().filter(|name| **name != source.room && !below.contains(&name.as_str()));
        faults.extend(wrong.map(|name| format!("{path}: {} may not call {name}", source.room)));
    }
    none(&faults);
}

#[test]
fn each_room_keeps_to_its_business() {
    let mut faults = Vec::new();
    for source in sources() {
        for (words, rooms, why) in RESERVED {
            let used = words.iter().filter(|word| source.without_tests().contains(**word));
            if words.contains(&"unsafe ") && source.path.ends_with(UNSAFE_HOME) {
                continue;
            }
            if !rooms.contains(&source.room.as_str()) {
                faults.extend(used.map(|word| format!("{}: '{word}': {why}", source.path.display())));
            }
        }
    }
    none(&faults);
}

/// A rule is read from the rule set, never guessed from the name of the variant: below the rooms of text no name is read at
/// all, and there two names may be compared with each other, none with a word in the code.
#[test]
fn nobody_asks_which_variant_it_is() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.room == "engine" || source.room == "endgame") {
        for word in [".id", "Variant::find", ".title", ".aliases"] {
            if source.without_tests().contains(word) {
                faults.push(format!("{}: '{word}'", source.path.display()));
            }
        }
    }
    for source in sources().iter().filter(|source| source.room != "game") {
        for word in [".id == \"", ".id != \"", ".id.as_str() == \"", "match variant.id"] {
            if source.without_tests().contains(word) {
                faults.push(format!("{}: '{word}'", source.path.display()));
            }
        }
    }
    none(&faults);
}

#[test]
fn files_stay_short() {
    let length = |source: &Source| source.without_tests().lines().filter(|line| !line.trim().is_empty()).count();
    let long = sources().into_iter().filter(|source| length(source) > LONGEST);
    none(&long.map(|s| format!("{}: {} lines of code", s.path.display(), length(&s))).collect::<Vec<_>>());
}

/// The search for paths finds what it should.
#[test]
fn paths_are_found() {
    let source =
        |depth: usize, text: &str| Source { path: PathBuf::new(), room: "game".to_string(), depth, code: bare(text) };
    assert_eq!(source(2, "use crate::engine::Engine; // crate::tools").calls(), ["engine"]);
    assert_eq!(source(2, "use crate::{engine::{Engine, Info},\n  notation};").calls(), ["engine", "notation"]);
    assert_eq!(source(2, "let x = super::super::protocol::run(\"crate::tools\");").calls(), ["protocol"]);
    assert_eq!(source(3, "use super::super::game;").calls(), [""; 0]);
    assert_eq!(source(2, "/// As [`crate::engine`].\nfn f() {} let q = '\"'; crate::tools::f();").calls(), ["tools"]);
}
