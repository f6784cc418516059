//! The opening book of a session: read when it is first needed.

use super::options::Choices;
use super::refused::Refused;
use super::start::read_book;
use crate::engine::book::{Book, Taste, embedded};
use crate::game::variant::Variant;
use std::sync::Arc;

/// The book in use, with the rules it was looked for; `None` inside when there is none for them.
#[derive(Default)]
pub struct Shelf(Option<(Arc<Variant>, Option<Arc<Book>>)>);

impl Shelf {
    /// Reads the file of the choices; without a file the shelf is filled later.
    pub fn open(choices: &Choices) -> Result<Shelf, Refused> {
        if choices.book_file.is_empty() {
            return Ok(Shelf::default());
        }
        let book = read_book(&choices.book_file, &choices.variant)?;
        Ok(Shelf(Some((choices.variant.clone(), Some(Arc::new(book))))))
    }

    /// The book to play from and how, if the choices want one.
    pub fn for_search(&mut self, choices: &Choices) -> Option<(Arc<Book>, Taste)> {
        if !choices.own_book || choices.analyse {
            return None;
        }
        let rules = &choices.variant;
        if self.0.as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, rules)) {
            self.0 = Some((rules.clone(), embedded(rules).map(Arc::new)));
        }
        let (_, book) = self.0.as_ref()?;
        book.clone().map(|book| (book, choices.taste))
    }
}
