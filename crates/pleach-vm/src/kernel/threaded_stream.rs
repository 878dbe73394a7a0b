//! The threaded-stream kernel: one pass over the threaded stream, forward but for draws (C2).
//!
//! **Walks** leaves, which know where each of their answers leads to, and what is left of parents
//! (see [`pleach_shape::threaded`]). **Keeps** a record for each running leaf, for each loop and Delay that
//! runs by itself, and for each finished child of a running Parallel; none for other parents. **Costs** one
//! token for each leaf visited, whatever the depth, and one or two for each parent that starts something. **Siblings**: [`pure_stream`](super::pure_stream) interprets the guards
//! that are gone here; the lanes kernel walks this stream for a whole block.

use pleach_shape::threaded::ThreadedToken;
use pleach_shape::{Op, StateRecord, Status, Step, TokenIndex};

use super::walk::Walk;
use crate::observe::{Event, Observer};

/// Walks the current lane's actor; gives the root's status.
///
/// Conditions and actions are told apart by comparisons, which are guessed well, in place of a jump
/// table, which is not; and what a condition answered is a branch for the processor to guess, in place of
/// an index: it can be at work on the next token before the answer is known.
pub(crate) fn walk<O: Observer>(walk: &mut Walk<'_, O>) -> Option<Status> {
    let tokens: &[ThreadedToken] = &walk.shape.threaded().tokens;
    let mut at = 0usize;
    while let Some(mut token) = tokens.get(at) {
        if token.step == Step::Region {
            walk.pass();
            // Most actors run no leaf of most regions.
            if walk.runs_before(token.region_end()) {
                at = resume(walk, token.operand, at + 1);
                continue;
            }
            at += 1;
            let Some(next) = tokens.get(at) else { break };
            token = next;
        }
        if token.step == Step::Condition {
            at = match walk.leaf(Op::Condition as u8, token.operand, token.node) {
                Status::Success => {
                    // Keeps the compiler from making an index of it.
                    std::hint::black_box(());
                    token.leads[0] as usize
                }
                _ => token.leads[1] as usize,
            };
            continue;
        }
        if token.step == Step::Action {
            let status = walk.leaf(Op::Action as u8, token.operand, token.node);
            if status == Status::Running {
                walk.keep(token.node, StateRecord::RUNS);
            }
            at = token.leads[status as usize] as usize;
            continue;
        }
        match rare(walk, token) {
            Next::Status(status) => at = token.leads[status as usize] as usize,
            Next::Token => at += 1,
            Next::To(token) => at = token as usize,
            Next::Root(status) => return Some(status),
            Next::Abort => return None,
        }
    }
    Some(Status::Failure)
}

/// What follows a token.
enum Next {
    /// Where that status leads to.
    Status(Status),
    /// The token behind.
    Token,
    /// That token.
    To(u32),
    /// Nothing: the root has answered.
    Root(Status),
    /// Nothing: the actor leaves the tree.
    Abort,
}

/// Steps that do more, or are met less often, than conditions and actions.
#[inline(always)]
fn rare<O: Observer>(walk: &mut Walk<'_, O>, token: &ThreadedToken) -> Next {
    Next::Status(match token.step {
        Step::Idle | Step::PersistentAction | Step::Action => {
            let status = walk.leaf(token.step as u8, token.operand, token.node);
            if status == Status::Running {
                walk.keep(token.node, StateRecord::RUNS);
            }
            status
        }
        // A Task or Wait keeps its record itself.
        Step::Condition
        | Step::Query
        | Step::Task
        | Step::Set
        | Step::Wait
        | Step::Succeed
        | Step::Fail => walk.leaf(token.step as u8, token.operand, token.node),
        Step::Region => return Next::Token,
        Step::Open => {
            walk.pass();
            walk.open_group(token.operand);
            Status::Success
        }
        // C3: a child that has finished is not visited; its old answer counts.
        Step::Done => match walk.take_done(Op::Parallel as u8, token.node) {
            Some(status) => {
                answered(walk, token, status);
                status
            }
            None => return Next::Token,
        },
        Step::ChildSuccess => {
            answered(walk, token, Status::Success);
            Status::Success
        }
        Step::ChildFailure => {
            answered(walk, token, Status::Failure);
            Status::Failure
        }
        Step::ChildRunning => {
            walk.pass();
            walk.count(token.operand, Status::Running);
            Status::Running
        }
        Step::JudgeParallel => {
            walk.pass();
            let status = walk.judge_parallel(token.operand);
            walk.see(Event::Leave(TokenIndex(token.node), status));
            status
        }
        // C4
        Step::JudgeConcurrent => {
            walk.pass();
            let status = walk.judge_concurrent(token.operand);
            walk.see(Event::Leave(TokenIndex(token.node), status));
            status
        }
        Step::FailConcurrent => {
            walk.pass();
            walk.roll_back(token.operand);
            walk.see(Event::Leave(TokenIndex(token.node), Status::Failure));
            Status::Failure
        }
        Step::RootSuccess => return Next::Root(Status::Success),
        Step::RootFailure => return Next::Root(Status::Failure),
        Step::RootRunning => return Next::Root(Status::Running),
        Step::RootAborted => return Next::Abort,
        Step::Test
        | Step::TestOrFail
        | Step::TestThenSucceed
        | Step::Draw
        | Step::Passed
        | Step::Redraw
        | Step::LoopOpen
        | Step::Iterated
        | Step::CooldownOpen
        | Step::CooldownSuccess
        | Step::CooldownFailure
        | Step::TimeoutOpen
        | Step::TimeoutRunning
        | Step::DelayOpen
        | Step::OnceOpen
        | Step::OnceSuccess
        | Step::OnceFailure => return parent(walk, token),
    })
}

/// What is left of parents that test, draw, count or keep time. Hold it beside
/// [`parent`](super::parent): the same rules, taken apart.
#[inline(never)]
fn parent<O: Observer>(walk: &mut Walk<'_, O>, token: &ThreadedToken) -> Next {
    walk.pass();
    let (operand, node) = (token.operand, token.node);
    match token.step {
        // C2
        Step::Draw => {
            walk.start_order(operand);
            return drawn(walk, token);
        }
        Step::Passed => walk.pass_child(operand, token.mark),
        Step::Redraw => return drawn(walk, token),
        // C5, D5
        Step::Test => return Next::Status(Status::from_bool(walk.test(operand))),
        Step::TestOrFail if !walk.test(operand) => return left(walk, token, Status::Failure),
        Step::TestThenSucceed => {
            if walk.test(operand) {
                return left(walk, token, Status::Success);
            }
            return Next::Status(Status::Failure);
        }
        // D2
        Step::LoopOpen if walk.take(node).is_none() => walk.start_count(operand),
        Step::Iterated => {
            if walk.count_iteration(operand) {
                return left(walk, token, Status::from_bool(!token.negated));
            }
            walk.keep(node, StateRecord::RUNS);
            return left(walk, token, Status::Running);
        }
        // D3
        Step::CooldownOpen if walk.is_cooling(operand) => {
            return left(walk, token, Status::Failure);
        }
        Step::CooldownSuccess | Step::CooldownFailure => walk.cool(operand),
        // D4
        Step::TimeoutOpen => {
            walk.start_timer(walk.groups[operand as usize].timer);
        }
        Step::TimeoutRunning => {
            let is_up = walk.time_is_up(operand);
            let status = if is_up {
                Status::Failure
            } else {
                Status::Running
            };
            return left(walk, token, status);
        }
        Step::DelayOpen => {
            if walk.take(node).is_none() {
                walk.start_timer(operand);
            }
            if !walk.is_over(operand) {
                walk.keep(node, StateRecord::RUNS);
                return left(walk, token, Status::Running);
            }
        }
        // D6
        Step::OnceOpen => {
            return match walk.ended(operand) {
                Some(success) => left(walk, token, Status::from_bool(success)),
                // In the place of Running stands the child.
                None => Next::Status(Status::Running),
            };
        }
        Step::OnceSuccess => walk.end(operand, true),
        Step::OnceFailure => walk.end(operand, false),
        // The others have one way on; and nothing else comes here.
        _ => {}
    }
    Next::Status(Status::Success)
}

/// The node answers.
fn left<O: Observer>(walk: &mut Walk<'_, O>, token: &ThreadedToken, status: Status) -> Next {
    walk.see(Event::Leave(TokenIndex(token.node), status));
    Next::Status(status)
}

/// C2: on to the child that is drawn, or out if all have finished.
fn drawn<O: Observer>(walk: &mut Walk<'_, O>, token: &ThreadedToken) -> Next {
    let threaded = walk.shape.threaded();
    match walk.draw(token.operand) {
        Some(number) => {
            let first = threaded.first_random_child[token.operand as usize];
            Next::To(threaded.random_children[(first + number) as usize])
        }
        None => left(walk, token, Status::from_bool(!token.negated)),
    }
}

/// A Parallel's child has finished, in this tick or an earlier one: counted and remembered.
fn answered<O: Observer>(walk: &mut Walk<'_, O>, token: &ThreadedToken, status: Status) {
    walk.pass();
    walk.count(token.operand, status);
    let done = StateRecord::done(TokenIndex(token.node), status);
    walk.keep(done.node, done.value);
}

/// Where to go on at the beginning of a region: at the leaf that runs, or what holds it; else at its
/// first token.
///
/// The way from a leaf outward is walked once, for the outermost region that it runs in, and taken back
/// step by step in the regions within: whatever the nesting, a tick stays linear in tokens (T1).
fn resume<O: Observer>(walk: &mut Walk<'_, O>, region: u32, first: usize) -> usize {
    let threaded = walk.shape.threaded();
    let bounds = threaded.regions[region as usize];
    let Some(node) = walk.next_within(bounds.node, bounds.end) else {
        return first;
    };
    let way_in = &mut walk.scratch.way_in;
    if walk.way_in_of != node {
        walk.way_in_of = node;
        way_in.clear();
        let [mut around, mut token] = threaded.entries[node as usize];
        way_in.push([around, token]);
        while around > region {
            let held = &threaded.regions[around as usize];
            (around, token) = (held.parent, held.parent_token);
            way_in.push([around, token]);
        }
    }
    while let Some(&[around, token]) = way_in.last() {
        if around >= region {
            return token as usize;
        }
        way_in.pop();
    }
    first
}
