//! The small books inside the program, so that games differ without any file. Made by `scripts/books`.

use super::file::rules_of;
use super::{Book, fingerprint};
use crate::game::Variant;
use std::sync::Arc;

/// All of them; each says for itself which rules it is for.
const BOOKS: [&[u8]; 7] = [
    include_bytes!("books/international.book"),
    include_bytes!("books/english.book"),
    include_bytes!("books/russian.book"),
    include_bytes!("books/brazilian.book"),
    include_bytes!("books/polish8.book"),
    include_bytes!("books/turkish.book"),
    include_bytes!("books/junior.book"),
];

/// The book inside the program for these rules, or for others that play the same; `None` when there is none.
pub fn embedded(variant: &Arc<Variant>) -> Option<Book> {
    let rules = fingerprint(variant);
    let own = BOOKS.iter().find(|bytes| rules_of(bytes).is_ok_and(|(_, found, _)| found == rules))?;
    Book::read(own, variant).ok()
}
