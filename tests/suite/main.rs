//! The suite of the rules: test data from rule books and independent programs, and a second, slower truth.

mod cases;
mod data;
mod explosion;
mod fast;
mod games;
mod moves;
mod notation;
mod perft;
mod random;
mod reference;
