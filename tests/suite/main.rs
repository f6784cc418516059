//! The suite of the rules: test data from rule books and independent programs, and a second, slower truth.

mod data;
mod perft;
mod reference;
mod table;
