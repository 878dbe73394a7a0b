//! Files of BehaviorTree.CPP.

mod corpus;
mod written;
