//! Side tables: what does not fit a token's operand. Plain old data, indexed by the newtypes of
//! [`index`](crate::index).

use alloc::boxed::Box;
use alloc::vec::Vec;
use bytemuck::{Pod, Zeroable};

use crate::expr::{ExprDef, ExprOp};
use crate::value::{Value, ValueType};

/// A blackboard column: its type and the value a new actor starts with. 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct ColumnDef {
    /// Index into the names.
    pub name: u32,
    /// A [`ValueType`].
    pub ty: u32,
    /// The default, as [`Value::to_bits`] gives it.
    pub default: u64,
}

/// A world value as one shape sees it: its type and the value it has until somebody sets it. 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct WorldDef {
    /// Index into the names.
    pub name: u32,
    /// A [`ValueType`].
    pub ty: u32,
    /// The default, as [`Value::to_bits`] gives it.
    pub default: u64,
}

fn value_type(ty: u32) -> Option<ValueType> {
    u8::try_from(ty).ok().and_then(ValueType::from_u8)
}

impl ColumnDef {
    /// The type, if the field is one.
    pub fn ty(&self) -> Option<ValueType> {
        value_type(self.ty)
    }
}

impl WorldDef {
    /// The type, if the field is one.
    pub fn ty(&self) -> Option<ValueType> {
        value_type(self.ty)
    }
}

/// What the shape knows of a node besides its token. 16 bytes, one for each plain token.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct NodeDef {
    /// The node's [`NodeId`](crate::NodeId) in its tree.
    pub id: u32,
    /// Index into the names, [`NONE`](crate::NONE) without a name.
    pub name: u32,
    /// First parameter, an index into the parameters.
    pub first_param: u32,
    /// Number of parameters.
    pub params: u32,
}

/// A slot of a deferred or persistent action. 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct SlotDef {
    /// The leaf's token index.
    pub node: u32,
    /// Index into the action kinds.
    pub action: u32,
}

/// A host function that tasks or conditions call by name. 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct FunctionDef {
    /// Index into the names.
    pub name: u32,
    /// A [`FunctionKind`].
    pub kind: u32,
}

/// What a host function is called for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub enum FunctionKind {
    /// Enter, run, exit (L4).
    Task = 0,
    /// A condition (L1).
    Query = 1,
}

impl FunctionDef {
    /// The kind, if the field is one.
    pub const fn kind(&self) -> Option<FunctionKind> {
        match self.kind {
            0 => Some(FunctionKind::Task),
            1 => Some(FunctionKind::Query),
            _ => None,
        }
    }
}

/// A Set leaf: which column takes which expression. 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct SetDef {
    /// Index into the columns.
    pub column: u32,
    /// Index into the expressions.
    pub expr: u32,
}

/// A timer slot: of a Wait, Delay, Timeout or Cooldown. 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct TimerDef {
    /// Duration in microseconds: where it is drawn, the longest. It decides how wide deadlines are kept.
    pub micros: u64,
    /// The shortest duration in microseconds: `micros`, or less for a Wait that draws its own.
    pub shortest: u64,
    /// The node's token index.
    pub node: u32,
    /// Always 0.
    pub reserved: u32,
}

impl TimerDef {
    /// Whether each start draws a duration, from `shortest` to `micros`.
    pub const fn is_drawn(&self) -> bool {
        self.shortest != self.micros
    }
}

/// A node that may halt what runs below it within a tick: a Parallel, Concurrent or Timeout. 28 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct GroupDef {
    /// The node's token index.
    pub node: u32,
    /// Number of children.
    pub children: u32,
    /// Parallel: how many children must succeed, 1 to `children`. Others: `children`.
    pub success: u32,
    /// Parallel: how many children must fail, 1 to `children`. Others: 1.
    pub failure: u32,
    /// How many groups enclose this one: its place among a walk's open counters.
    pub level: u32,
    /// The first deferred slot at or behind the node: requests of its range are those of this slot
    /// and above, as long as the walk is inside.
    pub first_slot: u32,
    /// Timeout: its timer. Others: [`NONE`](crate::NONE).
    pub timer: u32,
}

/// A loop: Repeat, RepeatUntilFailure or RepeatUntilSuccess. 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct LoopDef {
    /// The node's token index.
    pub node: u32,
    /// After how many iterations it ends; 0 is never.
    pub limit: u32,
    /// Repeat: 1 if a failure of the child ends it, else 0. Others: 0.
    pub breaks: u32,
}

/// A RandomSequence or RandomSelector. 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct RandomDef {
    /// The node's token index.
    pub node: u32,
    /// Number of children, 1 to [`MAX_RANDOM_CHILDREN`](crate::MAX_RANDOM_CHILDREN).
    pub children: u32,
}

/// A Switch. 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct SwitchDef {
    /// The node's token index.
    pub node: u32,
    /// Its first case, an index into the cases.
    pub first_case: u32,
    /// Number of cases: of its children, or one less if the last one is for all other values.
    pub cases: u32,
}

/// What a node keeps for ever: a Cooldown or RunOnce. 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct LatchDef {
    /// The node's token index.
    pub node: u32,
    /// Cooldown: its timer. RunOnce: [`NONE`](crate::NONE).
    pub timer: u32,
}

/// A parameter of an action, task or query. 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct ParamDef {
    /// A constant's bits, as [`Value::to_bits`] gives them; else 0.
    pub bits: u64,
    /// Index into the names.
    pub name: u32,
    /// A [`ParamSource`] code.
    pub source: u32,
    /// Constant: a [`ValueType`]. Column, world value, text: an index.
    pub index: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Where a parameter's value comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ParamSource {
    /// A typed constant.
    Const(Value),
    /// The actor's value of a blackboard column, when it is read.
    Column(crate::ColumnIndex),
    /// A world value, when it is read.
    World(crate::WorldIndex),
    /// A text: index into the names.
    Text(u32),
}

impl ParamDef {
    /// A parameter called `name` (an index into the names).
    pub fn new(name: u32, source: ParamSource) -> ParamDef {
        let (source, index, bits) = match source {
            ParamSource::Const(value) => (0, value.ty() as u32, value.to_bits()),
            ParamSource::Column(column) => (1, column.0, 0),
            ParamSource::World(world) => (2, world.0, 0),
            ParamSource::Text(text) => (3, text, 0),
        };
        ParamDef {
            bits,
            name,
            source,
            index,
            reserved: 0,
        }
    }

    /// Where the value comes from, if the fields say so validly (indices are not checked).
    pub fn source(&self) -> Option<ParamSource> {
        match self.source {
            0 => {
                value_type(self.index).map(|ty| ParamSource::Const(Value::from_bits(ty, self.bits)))
            }
            1 => Some(ParamSource::Column(crate::ColumnIndex(self.index))),
            2 => Some(ParamSource::World(crate::WorldIndex(self.index))),
            3 => Some(ParamSource::Text(self.index)),
            _ => None,
        }
    }
}

/// All side tables of a shape, as they come from the compiler or a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tables {
    /// Texts that other tables name by index; the first one is the tree's name.
    pub names: Vec<Box<str>>,
    /// One entry for each plain token.
    pub nodes: Vec<NodeDef>,
    /// Blackboard columns.
    pub columns: Vec<ColumnDef>,
    /// World values.
    pub world: Vec<WorldDef>,
    /// Expressions.
    pub exprs: Vec<ExprDef>,
    /// The code of all expressions.
    pub code: Vec<ExprOp>,
    /// 64-bit constants of the code.
    pub constants: Vec<u64>,
    /// Kinds of actions: indices into the names.
    pub actions: Vec<u32>,
    /// Deferred actions in stream order.
    pub deferred: Vec<SlotDef>,
    /// Persistent actions in stream order.
    pub persistent: Vec<SlotDef>,
    /// Host functions.
    pub functions: Vec<FunctionDef>,
    /// Set leaves in stream order.
    pub sets: Vec<SetDef>,
    /// Timers in stream order.
    pub timers: Vec<TimerDef>,
    /// Groups in stream order.
    pub groups: Vec<GroupDef>,
    /// Loops in stream order.
    pub loops: Vec<LoopDef>,
    /// RandomSequences and RandomSelectors in stream order.
    pub randoms: Vec<RandomDef>,
    /// Switches in stream order.
    pub switches: Vec<SwitchDef>,
    /// The expressions that test for the cases of all switches: indices into the expressions.
    pub cases: Vec<u32>,
    /// Latches in stream order.
    pub latches: Vec<LatchDef>,
    /// Parameters, those of one node side by side.
    pub params: Vec<ParamDef>,
}

const _: () = assert!(size_of::<GroupDef>() == 28 && size_of::<ParamDef>() == 24);
