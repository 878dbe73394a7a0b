//! Files of BehaviorTree.CPP.

mod corpus;
mod hostile;
mod nodes;
mod told;
mod written;
