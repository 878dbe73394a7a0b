//! Files of BehaviorTree.CPP.

mod corpus;
mod declared;
mod hostile;
mod nodes;
mod project;
mod told;
mod written;
