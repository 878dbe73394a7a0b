//! What the lanes kernel can get wrong that a walk of one actor cannot, and what came with it:
//! intervals, batch calls, requests as planes, conversion of states, narrow timers.

mod batches;
mod conversion;
mod crowd;
mod diary;
mod groups;
mod intervals;
mod lifetimes;
mod panics;
mod poison;
mod requests;
mod scripted;
mod timers;
mod traps;
mod writes;
