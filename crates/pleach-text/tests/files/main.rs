//! Files as they are written: read, written, converted, edited and formatted.

mod drafts;
mod json;
mod reformat;
mod repository;
