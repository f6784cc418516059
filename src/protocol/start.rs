//! From what a user asks for at the start to choices: the rule set by name, by file or by single rules.

use super::options::{Choices, MAX_THREADS};
use super::refused::Refused;
use crate::engine::book::{self, Book};
use crate::engine::net::{Choice, Net};
use crate::game::variant::Variant;
use crate::notation::rulefile;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// Largest rule file, in bytes.
const MAX_RULE_FILE: u64 = 64 * 1024;

/// Largest network file, in bytes.
const MAX_NET_FILE: u64 = 4 << 20;

/// The word by which `EvalFile` asks for the hand-made evaluation.
const HAND_MADE: &str = "hand-made";

/// What may be asked for on the command line before the first command.
#[derive(Clone, Default, Debug)]
pub struct Start {
    /// Name or alias of a built-in rule set.
    pub variant: Option<String>,
    /// Path of a rule file.
    pub rules: Option<String>,
    /// Single rules, `FIELD=VALUE`, laid over the rule set in turn.
    pub rule: Vec<String>,
    /// Transposition table in MiB.
    pub hash_mb: Option<usize>,
    /// Search threads.
    pub threads: Option<usize>,
    /// List the numbers of the search as options too.
    pub tune: bool,
}

impl Start {
    /// The choices a session starts with.
    pub fn choices(&self) -> Result<Choices, Refused> {
        let name = self.variant.as_deref().unwrap_or("international");
        let named = Variant::find(name).ok_or_else(|| Refused::Variant(name.to_string()))?;
        let mut choices = Choices::new(named);
        if let Some(path) = &self.rules {
            choices.variant = read_rules(path)?;
            choices.rules_file = path.clone();
        }
        choices.variant = rulefile::with_rules(&choices.variant, &self.rule).map_err(Refused::Rule)?;
        if let Some(hash) = self.hash_mb {
            room_for(hash)?;
            choices.engine.hash_mb = hash;
        }
        if let Some(threads) = self.threads {
            choices.engine.threads = threads.clamp(1, MAX_THREADS as usize);
        }
        choices.tune = self.tune;
        Ok(choices)
    }

    /// Threads asked for, or one a core.
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
        self.threads.unwrap_or_else(cores).clamp(1, MAX_THREADS as usize)
    }

    /// The rules for files that may name their own: `None`, to find them out game by game, when none or `auto` is asked for.
    pub fn asked(&self) -> Result<Option<Arc<Variant>>, Refused> {
        let named = self.variant.as_deref().is_some_and(|name| !name.eq_ignore_ascii_case("auto"));
        let own = self.rules.is_some() || !self.rule.is_empty();
        if named || own { self.choices().map(|choices| Some(choices.variant)) } else { Ok(None) }
    }
}

/// Refuses a table that this machine could not hold: allocating it would end the program.
pub fn room_for(hash_mb: usize) -> Result<(), Refused> {
    let bytes = hash_mb.saturating_mul(1 << 20);
    let fits = available_mb().is_none_or(|mb| hash_mb <= mb);
    if fits && Vec::<u8>::new().try_reserve_exact(bytes).is_ok() { Ok(()) } else { Err(Refused::Memory(hash_mb)) }
}

/// MiB that new allocations may fill, where the system tells: address space alone is given away freely there.
#[cfg(target_os = "linux")]
fn available_mb() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes >> 10)
}

/// Elsewhere a large reservation fails by itself.
#[cfg(not(target_os = "linux"))]
fn available_mb() -> Option<usize> {
    None
}

/// What `EvalFile` asks for: the built-in evaluation, the hand-made one, or a network out of a file, which must fit the rules.
pub fn read_net(path: &str, variant: &Variant) -> Result<Choice, Refused> {
    match path {
        "" => return Ok(Choice::BuiltIn),
        HAND_MADE => return Ok(Choice::HandMade),
        _ => {}
    }
    let bytes = read_bytes(path, MAX_NET_FILE).map_err(|error| Refused::NetIo { path: path.to_string(), error })?;
    let refused = |error| Refused::Net { path: path.to_string(), error };
    let net = Net::read(&bytes).map_err(refused)?;
    net.fits(&variant.set).map_err(refused)?;
    Ok(Choice::Given(Arc::new(net)))
}

/// Reads a rule file; never more than its size limit, and nothing that is not a plain file.
pub fn read_rules(path: &str) -> Result<Arc<Variant>, Refused> {
    let text = read_text(path).map_err(|error| Refused::RulesIo { path: path.to_string(), error })?;
    rulefile::read(&text).map_err(|error| Refused::Rules { path: path.to_string(), error })
}

/// Reads an opening book for these rules.
pub fn read_book(path: &str, variant: &Arc<Variant>) -> Result<Book, Refused> {
    let bytes = book_bytes(path)?;
    Book::read(&bytes, variant).map_err(|error| Refused::Book { path: path.to_string(), error })
}

/// The built-in rules that an opening book is for.
pub fn rules_of_book(path: &str) -> Result<Arc<Variant>, Refused> {
    let (name, rules, _) =
        book::rules_of(&book_bytes(path)?).map_err(|error| Refused::Book { path: path.to_string(), error })?;
    let fits = |variant: &Arc<Variant>| book::fingerprint(variant) == rules;
    let named = Variant::find(&name).filter(fits);
    named.or_else(|| Variant::all().iter().find(|variant| fits(variant)).cloned()).ok_or(Refused::Variant(name))
}

fn book_bytes(path: &str) -> Result<Vec<u8>, Refused> {
    let bytes = || -> io::Result<Vec<u8>> {
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(book::MOST_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    bytes().map_err(|error| Refused::BookIo { path: path.to_string(), error })
}

fn read_text(path: &str) -> io::Result<String> {
    let bytes = read_bytes(path, MAX_RULE_FILE)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

fn read_bytes(path: &str, most: u64) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is larger"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(start: &Start) -> String {
        start.choices().expect_err("a bad start").to_string()
    }

    #[test]
    fn files_may_be_asked_for_their_own_rules() {
        let asked = |name: Option<&str>| Start { variant: name.map(str::to_string), ..Start::default() }.asked();
        assert!(asked(None).expect("nothing asked").is_none() && asked(Some("Auto")).expect("asked").is_none());
        assert_eq!(
            asked(Some("russian")).expect("a known name").map(|variant| variant.id.clone()),
            Some("russian".into())
        );
        assert!(asked(Some("chess")).is_err());
        let rule = Start { rule: vec!["captures=optional".into()], ..Start::default() };
        assert!(rule.asked().expect("a good rule").is_some_and(|variant| variant.custom));
    }

    #[test]
    fn rules_come_by_name_by_file_or_one_by_one() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("house.toml");
        std::fs::write(&path, "base = \"english\"\ncaptures = \"optional\"\n").expect("a file may be made there");
        let path = Some(path.to_str().expect("a plain name").to_string());

        let named = Start { variant: Some("Russian".into()), ..Start::default() }.choices().expect("a known name");
        assert_eq!(named.variant.id, "russian");
        let file = Start { rules: path, ..Start::default() }.choices().expect("a good file");
        assert!(file.variant.custom);
        let start =
            Start { variant: Some("english".into()), rule: vec!["captures=optional".into()], ..Start::default() };
        let single = start.choices().expect("a good rule");
        assert_eq!(single.variant.set, file.variant.set);
        assert_ne!(single.variant.set, Variant::find("english").expect("built in").set);
    }

    #[test]
    fn a_table_beyond_the_memory_is_refused() {
        assert!(room_for(1).is_ok());
        assert!(room_for(usize::MAX).is_err());
        let start = Start { hash_mb: Some(1 << 30), ..Start::default() };
        assert_eq!(
            error(&start),
            "option Hash: 1073741824 MiB was read, expected no more than this machine's memory can give"
        );
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let start = Start { variant: Some("chess".into()), ..Start::default() };
        assert!(error(&start).starts_with("unknown rule set 'chess', expected one of: international "));
        let rules = |path: &str| Start { rules: Some(path.into()), ..Start::default() };
        assert!(error(&rules("/no/such/file")).starts_with("rule file '/no/such/file': "));
        let folder = tempfile::tempdir().expect("a folder for the test");
        assert!(error(&rules(folder.path().to_str().expect("a plain name"))).contains("not a plain file"));
        let large = folder.path().join("large.toml");
        std::fs::write(&large, vec![b'#'; 70_000]).expect("a file may be made there");
        assert!(error(&rules(large.to_str().expect("a plain name"))).contains("it is larger, expected a TOML file"));
        let start = Start { rule: vec!["colour=blue".into()], ..Start::default() };
        assert!(error(&start).starts_with("option --rule: "));
    }
}
