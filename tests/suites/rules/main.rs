//! The rules that are easy to get wrong, with expectations written by hand.

mod composites;
mod compounds;
mod decorators;
mod imports;
mod leaves;
mod random;
mod stage;
