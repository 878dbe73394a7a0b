//! Which kernel walks.

use pleach_shape::{Requirements, Shape};

use crate::stream::Form;

/// How a population walks its actors. All kernels give the same bits; they differ in speed, and in what
/// they keep from one tick to the next.
///
/// Which one to choose: the default, unless `pleach bench-modes` says otherwise for your tree on your
/// machine. One actor at a time, the threaded stream visits the fewest tokens. The pure stream and the
/// traversal stack visit every parent as well: a [trace](crate::Population::trace) is told by one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Kernel {
    /// The guarded stream, one actor at a time: twice the tokens, no stack.
    PureStream,
    /// The guarded stream with its jumps threaded, one actor at a time: leaves know where to go on, and
    /// most guards are gone.
    ThreadedStream,
    /// The plain stream with a stack of open parents, one actor at a time.
    TraversalStack,
    /// The threaded stream, 512 actors at once: a bit an actor, a plane a token.
    Lanes,
    /// For each block of 512 actors, [`Lanes`](Kernel::Lanes) where there are enough actors in it to
    /// pay, else [`ThreadedStream`](Kernel::ThreadedStream): see
    /// [`lanes_from`](Kernel::lanes_from).
    #[default]
    Auto,
}

impl Kernel {
    /// All kernels that walk; [`Auto`](Kernel::Auto) is a choice between them.
    pub const ALL: [Kernel; 4] = [
        Kernel::PureStream,
        Kernel::ThreadedStream,
        Kernel::TraversalStack,
        Kernel::Lanes,
    ];

    /// All of them, [`Auto`](Kernel::Auto) included.
    pub const CHOICES: [Kernel; 5] = [
        Kernel::PureStream,
        Kernel::ThreadedStream,
        Kernel::TraversalStack,
        Kernel::Lanes,
        Kernel::Auto,
    ];

    /// [`Auto`](Kernel::Auto) goes over to lanes in a block with at least so many actors to tick: 2, and
    /// one more for each 16 tokens of the threaded stream, at most 32; and one more for each 16 that the
    /// passes of random composites may look at besides ([`sweep_tokens`](pleach_shape::Threaded::sweep_tokens)).
    /// Where that is more than a block has, always the threaded stream.
    ///
    /// Measured with values that differ from actor to actor: a sweep costs as much as 2 walks of *guard*
    /// (14 tokens), 4 of *deep* (67), 7 of *random* (295), 24 of *wide* (303), and 60 of *divergent* (163),
    /// which is made for actors to share nothing; see `docs/benchmarks.md`.
    pub fn lanes_from(shape: &Shape) -> usize {
        let once = shape.threaded().tokens.len();
        let again = shape.threaded().sweep_tokens - once as u64;
        let again = usize::try_from(again / 16).unwrap_or(usize::MAX);
        (2 + once / 16).min(32).saturating_add(again)
    }

    /// [`Auto`](Kernel::Auto) leaves lanes in a block with fewer actors to tick than this, half of
    /// [`lanes_from`](Kernel::lanes_from): far enough below that a number that moves a little does not
    /// convert the block's state each tick.
    pub fn lanes_to(shape: &Shape) -> usize {
        Kernel::lanes_from(shape) / 2
    }

    /// The name used on command lines and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::PureStream => "pure-stream",
            Kernel::ThreadedStream => "threaded-stream",
            Kernel::TraversalStack => "traversal-stack",
            Kernel::Lanes => "lanes",
            Kernel::Auto => "auto",
        }
    }

    /// The kernel of that name.
    pub fn from_name(name: &str) -> Option<Kernel> {
        let all = Kernel::CHOICES.into_iter();
        all.into_iter().find(|kernel| kernel.name() == name)
    }

    /// Bytes an actor takes besides its columns while this kernel walks it, rounded up: what it carries
    /// from tick to tick, what a tick writes for others to read, and its state stream if it has one. (For
    /// [`Auto`](Kernel::Auto) where it has chosen lanes.)
    pub fn state_bytes_per_actor(self, needs: &Requirements) -> u64 {
        let records = match self.form() {
            Form::Parents => needs.state_capacity,
            Form::Leaves => needs.leaf_capacity,
            Form::Marks => 0,
        };
        needs.state_bytes_per_actor
            + needs.output_bytes_per_actor
            + pleach_shape::requirements::stream_bytes(records)
    }

    /// The kernel for a block whose state has that form, of which usually so many tick.
    pub(crate) fn resolve(self, shape: &Shape, usual: u32, form: Form) -> Kernel {
        if self != Kernel::Auto {
            return self;
        }
        let actors = usual as usize;
        let enough = match form {
            // Nobody to tick, nothing to gain.
            _ if actors == 0 => return Kernel::Auto.of_form(form),
            Form::Marks => actors >= Kernel::lanes_to(shape),
            Form::Parents | Form::Leaves => actors >= Kernel::lanes_from(shape),
        };
        if enough {
            Kernel::Lanes
        } else {
            Kernel::ThreadedStream
        }
    }

    /// The form of state that it reads and writes.
    pub(crate) const fn form(self) -> Form {
        match self {
            Kernel::PureStream | Kernel::TraversalStack => Form::Parents,
            Kernel::ThreadedStream => Form::Leaves,
            Kernel::Lanes | Kernel::Auto => Form::Marks,
        }
    }

    /// This kernel if it works on that form, else one that does.
    pub(crate) fn of_form(self, form: Form) -> Kernel {
        match form {
            _ if self.form() == form && self != Kernel::Auto => self,
            Form::Parents => Kernel::PureStream,
            Form::Leaves => Kernel::ThreadedStream,
            Form::Marks => Kernel::Lanes,
        }
    }
}

impl std::fmt::Display for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
