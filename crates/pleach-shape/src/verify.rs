//! The verifier. A [`Shape`](crate::Shape) exists only if all of these properties hold, and the
//! kernels rely on every one of them:
//!
//! **Plain stream**
//! - P1 It holds 1 to [`MAX_NODES`] tokens, and the node table as many entries.
//! - P2 Every `op` is a node operation, the flags are its [reaction](crate::reaction); reserved bytes are 0.
//! - P3 Ranges nest: a node's `end` lies behind it and not behind its parent's; the root's is the
//!   stream's end; a leaf's range is itself.
//! - P4 Every composite has a child, every decorator exactly one.
//! - P5 Every `link` is the node's parent, the root's [`NONE`](crate::NONE).
//! - P6 Every operand lies in the table of its operation. Slots, sets, timers, groups, loops,
//!   random orders, switches, their cases and latches are numbered in stream order, each entry names its node, and none is left over; functions have
//!   the kind of the leaf that calls them; a condition's expression is a bool; a set's expression
//!   fits its column; only a Wait's timer has a shortest time of its own.
//! - P7 No more than [`MAX_DEPTH`] parents are open at once.
//! - P8 A group's count of children, level and first slot are what the stream says, and its
//!   thresholds lie between 1 and its children. A Concurrent's and a Timeout's are "all" and 1. A
//!   Timeout's names its timer.
//! - P9 A RandomSequence or RandomSelector has at most [`MAX_RANDOM_CHILDREN`] children, an IfThenElse
//!   or WhileDoElse two or three, a Switch one for each of its cases, at least one, and at most one more.
//!
//! **Tables**
//! - T1 Every name index lies in the names, of which the first is the tree's; the tree's and nodes'
//!   names have at most [`MAX_NAME_BYTES`] bytes; reserved fields are 0; a timer's shortest time is not
//!   above its longest.
//! - T2 There are at most [`MAX_VALUES`] columns and as many world values. They have a type, a default that is canonical for it, and unique names.
//! - T3 The code of the expressions lies side by side in the code table, in their order, with nothing
//!   left over. It takes operands that are there and of the right
//!   type, needs no more than [`MAX_EXPR_STACK`](crate::expr::MAX_EXPR_STACK) of them, and leaves
//!   one result of the stated type.
//! - T4 The parameters of the nodes lie side by side in the parameter table, in their order, with
//!   nothing left over, and name constants, columns, world values or texts that exist.
//! - T5 Node ids are unique, but that a token may have its parent's: it is then a part of that node.
//!
//! **Guarded stream**
//! - G1 It holds twice as many tokens as the plain one, less one.
//! - G2 Every jump goes forward and lands on a token or on the stream's end.
//! - G3 It is the stream that [`guarded_stream`] derives from the
//!   plain one.
//!
//! **Requirements**
//! - R1 They are those that the streams and tables give, depth and capacities included.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::guard::guarded_stream;
use crate::requirements::Requirements;
use crate::shape::ShapeParts;
use crate::token::Token;

/// The most nodes a tree can have.
pub const MAX_NODES: usize = 1 << 20;
/// The most columns a blackboard can have, and the most world values a tree can read.
pub const MAX_VALUES: usize = 1 << 16;
/// The longest name of a tree or node: paths and listings repeat it once for each descendant.
pub const MAX_NAME_BYTES: usize = 1 << 10;
/// The most children a RandomSequence or RandomSelector can have: which of them have finished fits a
/// word, so that a draw costs the same for all.
pub const MAX_RANDOM_CHILDREN: usize = 64;
/// The deepest nesting a tree can have, in open parents.
pub const MAX_DEPTH: usize = 1 << 16;

/// Why a set of parts is not a shape: the property that failed, where, and how.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyError {
    property: &'static str,
    place: Place,
    what: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Shape,
    Plain(usize),
    Guarded(usize),
    Entry(&'static str, usize),
}

impl VerifyError {
    #[cold]
    fn new(property: &'static str, place: Place, what: impl Into<String>) -> VerifyError {
        VerifyError {
            property,
            place,
            what: what.into(),
        }
    }

    /// The property that does not hold, as named in the [module documentation](self): "P3".
    pub fn property(&self) -> &'static str {
        self.property
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a valid shape: ")?;
        match self.place {
            Place::Shape => {}
            Place::Plain(index) => write!(f, "plain token {index} ")?,
            Place::Guarded(index) => write!(f, "guarded token {index} ")?,
            Place::Entry(table, index) => write!(f, "{table} {index} ")?,
        }
        write!(f, "{} (property {})", self.what, self.property)
    }
}

impl fmt::Debug for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for VerifyError {}

type Verified = Result<(), VerifyError>;

mod stream;
mod tables;

pub(crate) use stream::plain_stream;

/// Checks every property of the [module documentation](self).
pub(crate) fn verify(parts: &ShapeParts) -> Verified {
    tables::tables(&parts.tables, &parts.plain)?;
    plain_stream(&parts.plain, &parts.tables)?;
    guarded(&parts.plain, &parts.guarded)?;
    let requirements = Requirements::of(&parts.plain, parts.guarded.len(), &parts.tables);
    if parts.requirements != requirements {
        return Err(VerifyError::new(
            "R1",
            Place::Shape,
            format!(
                "its stated requirements are not those of its streams: stated {:?}, found {requirements:?}",
                parts.requirements
            ),
        ));
    }
    Ok(())
}

fn guarded(plain: &[Token], guarded: &[Token]) -> Verified {
    let expected = plain.len() * 2 - 1;
    if guarded.len() != expected {
        return Err(VerifyError::new(
            "G1",
            Place::Shape,
            format!(
                "its guarded stream holds {} tokens, expected are {expected}",
                guarded.len()
            ),
        ));
    }
    for (index, token) in guarded.iter().enumerate() {
        let end = token.end as usize;
        if end <= index || end > guarded.len() {
            return Err(VerifyError::new(
                "G2",
                Place::Guarded(index),
                format!(
                    "jumps to {end}, allowed is {} to {}",
                    index + 1,
                    guarded.len()
                ),
            ));
        }
    }
    let derived = guarded_stream(plain);
    for (index, (found, expected)) in guarded.iter().zip(&derived).enumerate() {
        if found != expected {
            return Err(VerifyError::new(
                "G3",
                Place::Guarded(index),
                format!("is ({found:?}), but the plain stream gives ({expected:?})"),
            ));
        }
    }
    Ok(())
}
