//! Index newtypes: mixing two kinds of index is a type error.

use core::fmt;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as `usize`, for slices.
            #[inline]
            pub const fn at(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// Indices of a shape fit 32 bits (the verifier limits every table); a larger number
            /// becomes `u32::MAX`, which no table reaches.
            #[inline]
            fn from(index: usize) -> Self {
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    )*};
}

index! {
    /// A node of a shape: the position of its token in the plain stream, depth first, root 0.
    ///
    /// State records, traces and the census name nodes by this index, whichever stream a kernel walks.
    TokenIndex, "#";
    /// The position of a token in the guarded stream.
    GuardedIndex, "g";
    /// A deferred or persistent action of a tree: one for each such leaf, numbered in stream
    /// order, the deferred ones and the persistent ones apart.
    SlotIndex, "slot ";
    /// A kind of action (its name): several slots may share one.
    ActionIndex, "action ";
    /// A blackboard column.
    ColumnIndex, "column ";
    /// A world value as one shape sees it.
    WorldIndex, "world ";
    /// An expression of a shape.
    ExprIndex, "expr ";
    /// A host function (task or condition) that a shape calls by name.
    FunctionIndex, "function ";
    /// A timer slot: one for each leaf or decorator that measures time.
    TimerIndex, "timer ";
    /// A Parallel or Concurrent: the parents under which several children may run at once.
    GroupIndex, "group ";
}

/// A node's identity, given once by its `Tree` and kept through edits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}", self.0)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
