//! The suite of the rules: test data from rule books and independent programs, and a second, slower truth.

mod data;
mod explosion;
mod fast;
mod moves;
mod perft;
mod random;
mod reference;
mod table;
