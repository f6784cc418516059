//! The suite of the rules: test data from rule books and independent programs, and a second, slower truth.

mod data;
mod moves;
mod perft;
mod reference;
mod table;
