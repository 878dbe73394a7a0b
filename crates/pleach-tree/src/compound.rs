//! The one table of compound nodes.
//!
//! A compound node is one of a tree's that no kernel knows: the compiler makes several tokens of it, of
//! kinds that kernels know, and of columns of its own ([`expand`](crate::compile)). A row gives its Rust
//! name, keyword, role and what it does, as `pleach_shape::Op` does for the others.

use pleach_shape::Role;

macro_rules! compounds {
    ($($name:ident = $keyword:literal, $role:ident, $doc:literal;)*) => {
        /// A kind of node that becomes several tokens.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Compound {
            $(#[doc = $doc] $name,)*
        }

        impl Compound {
            /// All of them.
            pub const ALL: &'static [Compound] = &[$(Compound::$name,)*];

            /// The keyword used in text files and paths.
            pub const fn keyword(self) -> &'static str {
                match self {
                    $(Compound::$name => $keyword,)*
                }
            }

            /// How many children it has: one, or one or more.
            pub const fn role(self) -> Role {
                match self {
                    $(Compound::$name => Role::$role,)*
                }
            }

            /// One line on what it does.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Compound::$name => $doc,)*
                }
            }
        }
    };
}

compounds! {
    KeepSequence = "keep-sequence", Composite,
        "A Sequence that keeps its place when it fails or is halted (C7).";
    SkipIf = "skip-if", Decorator,
        "Judged when it starts: where the expression holds, the child is skipped (K1).";
    SuccessIf = "success-if", Decorator,
        "Judged when it starts: where the expression holds, Success (K2).";
    SkipUnless = "skip-unless", Decorator,
        "Judged each tick: where the expression does not hold, the child is halted and skipped (K1).";
    RunOnceThenSkip = "run-once-then-skip", Decorator,
        "The child until it has finished once; from then on it is skipped, for ever (K1).";
    OnSuccess = "on-success", Decorator,
        "Writes a column when the child succeeds (F1).";
    OnFailure = "on-failure", Decorator,
        "Writes a column when the child fails (F1).";
    OnFinish = "on-finish", Decorator,
        "Writes a column when the child finishes, either way (F1).";
    OnHalted = "on-halted", Decorator,
        "Writes a column when the child is halted (F2).";
    PipelineSequence = "pipeline-sequence", Composite,
        "A Sequence whose children go on being visited while later ones run (N1).";
    RoundRobin = "round-robin", Composite,
        "A Selector that begins behind the child that succeeded last (N2).";
    Recovery = "recovery", Composite,
        "The first child; where it fails, the second one, and then the first again (N3).";
    RateController = "rate-controller", Decorator,
        "In a PipelineSequence: the child again whenever a time has passed since it succeeded (N4).";
}
