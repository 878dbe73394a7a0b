//! Trees of BehaviorTree.CPP, read from XML and written to it.

mod scan;
mod script;
mod xml;
