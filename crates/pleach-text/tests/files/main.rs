//! Files as they are written: read, written, converted, edited and formatted.

mod drafts;
mod edit;
mod edited;
mod json;
mod language;
mod reformat;
mod repository;
