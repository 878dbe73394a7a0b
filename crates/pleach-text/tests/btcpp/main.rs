//! Files of BehaviorTree.CPP.

mod corpus;
