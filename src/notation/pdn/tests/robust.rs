//! Input that no program should write.

use super::super::{Item, Kind, Options, PdnError, Reader, write};
use super::*;
use proptest::prelude::*;
use std::io::{BufReader, Read};

const NEXT: &str = "\n\n[Event \"next\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2-0\n";

fn next_is_read(text: impl AsRef<[u8]>) -> Vec<Result<PdnGame, PdnError>> {
    let mut bytes = text.as_ref().to_vec();
    bytes.extend_from_slice(NEXT.as_bytes());
    let all = read(&bytes);
    let last = all.last().unwrap().as_ref().unwrap();
    assert_eq!((last.tag("Event"), last.plies(), last.result.as_deref()), (Some("next"), 2, Some("2-0")));
    all
}

/// Case RB04.
#[test]
fn deep_nesting() {
    let all = next_is_read("1. 32-28 ".to_string() + &"(".repeat(100_000));
    let error = all[0].as_ref().unwrap_err().to_string();
    assert_eq!(
        error,
        "test.pdn:1: game 1: 1000 variations inside each other read, expected less; skipped to the next tags"
    );
    for text in [
        "{", "{ ", "{\n", "}", ")", "[", "[a", "[a ", "[a \"", "$", "$1 ", "(x) ", "/FEN ", "/FEN \"", "@", "1 - ",
        "(!",
    ] {
        next_is_read("1. 32-28 ".to_string() + &text.repeat(100_000));
        next_is_read(text.repeat(100_000));
    }
    let inside = "1. 32-28 ".to_string() + &"( 1. 33-28 ".repeat(900) + &")".repeat(900);
    let game = game(&inside);
    assert_eq!(game.lines.len(), 901);
    assert_eq!(games(write(&game))[0].lines.len(), 901);
}

/// Case RB05.
#[test]
fn things_that_are_never_closed() {
    for (text, told) in [
        ("1. 32-28 { never closed", "test.pdn:1: game 1: a comment is never closed; it is taken to end with its game"),
        ("1. 32-28 (18-23", "test.pdn:1: game 1: a variation is never closed; it is taken to end with its game"),
        (
            "[Event \"a\"]\n[White \"never closed\n1. 32-28 *",
            "test.pdn:2: game 1: tag '[White \"never closed' read, expected",
        ),
        ("1. 32-28 /FEN \"never closed\n 2-0", "test.pdn:1: game 1: a set-up is never closed"),
    ] {
        let all = next_is_read(text);
        let first = all[0].as_ref().unwrap();
        assert_eq!((all.len(), first.plies()), (2, 1), "{text}");
        let found = messages(first);
        assert!(found.iter().any(|message| message.starts_with(told)), "{text}: {found:?}");
    }
    let white = game("[White \"never closed\n1. 32-28 *");
    assert_eq!(white.tag("White"), Some("never closed"));
}

#[test]
fn tags_in_every_shape() {
    let text = "[ Event       \"padded\" ]\n[White \"a \\\"b\\\" c\\\\d\"]\n[Black \"the \"big\" one\"]\n[Round 3]\n\
                [Имя \"Щедрин\"]\n[Path \"C:\\dir\\\"]\n1. 32-28 2-0";
    let game = game(text);
    let values: Vec<&str> = game.tags.iter().map(|tag| tag.value.as_str()).collect();
    assert_eq!(values, ["padded", "a \"b\" c\\d", "the \"big\" one", "3", "Щедрин", "C:\\dir\\"]);
    let again = games(write(&game)).remove(0);
    assert_eq!(again.tags[..6], game.tags[..]);
}

/// Case RB01.
#[test]
fn line_ends_and_wrappers() {
    for end in ["\n", "\r", "\r\n", "\n\r"] {
        let text = NEXT.trim().replace('\n', end) + end + &NEXT.replace('\n', end);
        let all = games(text);
        assert_eq!((all.len(), all[0].plies(), all[1].plies(), all[0].warnings.len()), (2, 2, 2, 0));
    }
    let line = games("[Event \"a\"]\r\n\r\n1. 32-28\r2. 1-99\n\r2-0")[0].faults().next().unwrap().line;
    assert_eq!(line, 4);
    let wrapped = game("\u{feff}[pdn]\n1. 32–28 19‑23 2. 28\u{2212}19 [/pdn]");
    assert_eq!(wrapped.plies(), 3);
    assert_eq!(wrapped.warnings.iter().filter(|w| matches!(w.kind, Kind::Wrapper { .. })).count(), 3);
}

#[test]
fn bytes_that_are_not_utf8() {
    let game = game(b"[White \"Andr\xe9\"]\n1. 32-28 {\xff} 2-0");
    assert_eq!(game.tag("White"), Some("André"));
    assert_eq!(game.main()[1], Item::Comment("ÿ".to_string()));
    assert_eq!(messages(&game), ["test.pdn:1: game 1: byte 0xe9 is not UTF-8; the game is read as Latin-1"]);
    let mixed = games(b"[White \"\xd0\x96\"]\n1. 32-28 2-0\n[White \"\xd0\"]\n1. 32-28 2-0");
    assert_eq!((mixed[0].tag("White"), mixed[1].tag("White")), (Some("Ж"), Some("Ð")));
    next_is_read("1. 32-28 \0\0 19-23 \u{1} ");
    next_is_read("1. ".to_string() + &"9".repeat(1_000_000) + "-1");
}

#[test]
fn games_that_are_too_large() {
    let options = Options { limit: 1000, ..Options::default() };
    let text = format!("1. 32-28 {{{}}} 2-0{NEXT}", "x \n".repeat(1000));
    let all: Vec<_> = Reader::new("t", text.as_bytes(), options.clone()).collect();
    assert_eq!(all.len(), 2);
    assert!(matches!(all[0], Err(PdnError::TooLarge { line: 1, game: 1, limit: 1000, .. })), "{:?}", all[0]);
    assert_eq!(all[1].as_ref().unwrap().number, 2);
    let text = format!("1. 32-28 {{{}}} 2-0{NEXT}", "x".repeat(100_000));
    assert_eq!(Reader::new("t", text.as_bytes(), options).filter(Result::is_err).count(), 1);
    let many = read("1. 32-28 ".to_string() + &"{}".repeat(500_000));
    assert!(matches!(many[0], Err(PdnError::TooMany { .. })));
}

#[test]
fn files_without_end() {
    struct Endless<'t> {
        text: &'t [u8],
        at: usize,
        left: usize,
    }
    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let part = &self.text[self.at..];
            let count = part.len().min(buffer.len()).min(self.left).min(777);
            buffer[..count].copy_from_slice(&part[..count]);
            self.at = (self.at + count) % self.text.len();
            self.left -= count;
            Ok(count)
        }
    }
    // With tags, and without any: then games end with their results.
    for text in [NEXT, "1. 32-28 19-23\n2. 28x19 2-0\n"] {
        let source = Endless { text: text.as_bytes(), at: 0, left: 4_000_000 / text.len() * text.len() };
        let wanted = source.left / text.len();
        let mut count = 0;
        for game in Reader::new("t", BufReader::new(source), Options::default()) {
            count += usize::from(game.unwrap().plies() >= 2);
        }
        assert_eq!(count, wanted);
    }
}

#[test]
fn a_source_that_fails() {
    struct Broken(bool);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(std::io::Error::other("gone"));
            }
            buffer[..NEXT.len()].copy_from_slice(NEXT.as_bytes());
            Ok(NEXT.len())
        }
    }
    let all: Vec<_> = Reader::new("t", BufReader::new(Broken(false)), Options::default()).collect();
    assert!(matches!(all.last(), Some(Err(PdnError::Io { .. }))), "{all:?}");
}

#[test]
fn warnings_have_an_end() {
    let game = game("1. 32-28 } ".to_string() + &"19-23 !! } ".repeat(5_000));
    assert!(game.warnings.len() <= 1_001);
    assert!(matches!(game.warnings.last().unwrap().kind, Kind::More { count } if count > 4_000));
    // Ambiguity without end is given up, not followed.
    let text = format!("[FEN \"W:WK47:B14,19,29,31,42\"]\n{}", "47x36 1-6 ".repeat(200));
    assert_eq!(super::game(text).plies(), 0);
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for game in read(&bytes).into_iter().flatten() {
            read(write(&game));
        }
    }
}
