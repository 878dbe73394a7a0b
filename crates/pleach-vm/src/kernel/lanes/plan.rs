//! Plans: what the sweeps of a population need and its shape does not say outright.

use pleach_shape::{Comparison, ExprCode, Op, Predicate, Shape, ValueType};

/// A predicate, ready to be asked of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ask {
    /// For nobody.
    Never,
    /// For everybody.
    Always,
    /// The plane of a column, at that line.
    Plane { line: u32 },
    /// A column, from that line on, against a constant.
    U8 {
        line: u32,
        cmp: Comparison,
        value: u8,
    },
    /// The same.
    U16 {
        line: u32,
        cmp: Comparison,
        value: u16,
    },
    /// The same.
    I32 {
        line: u32,
        cmp: Comparison,
        value: i32,
    },
    /// The same.
    F32 {
        line: u32,
        cmp: Comparison,
        value: f32,
    },
    /// The same.
    U64 {
        line: u32,
        cmp: Comparison,
        value: u64,
    },
    /// The code of an expression.
    Code { expr: u32 },
}

/// Where the counters of a level of groups lie in the scratch.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counters {
    /// The plane of those with a running child; then the successes' bits, then the failures'.
    pub(crate) first: usize,
    /// Bits of a counter.
    pub(crate) bits: usize,
}

/// See the module.
pub(crate) struct Plans {
    /// One for each distinct predicate.
    pub(crate) asks: Box<[Ask]>,
    /// For each distinct predicate, the columns that it reads and some Set writes.
    pub(crate) written: Box<[Box<[u32]>]>,
    /// For each level of groups.
    pub(crate) counters: Box<[Counters]>,
    /// The most operands at once of any predicate's code.
    pub(crate) operands: usize,
    /// Lines of a block that its tick is likely to need: from the first, up to but without the second.
    pub(crate) wanted_lines: Box<[[usize; 2]]>,
}

impl Plans {
    pub(crate) fn of(shape: &Shape) -> Plans {
        let predicates = &shape.threaded().predicates;
        let tables = shape.tables();
        let mut set = vec![false; tables.columns.len()];
        for def in &tables.sets {
            set[def.column as usize] = true;
        }
        let mut read = vec![false; tables.columns.len()];
        let mut operands = 0;
        let mut written = Vec::with_capacity(predicates.len());
        for predicate in predicates {
            let mut columns: Vec<u32> = match predicate {
                Predicate::Bool { column, .. }
                | Predicate::U8 { column, .. }
                | Predicate::U16 { column, .. }
                | Predicate::I32 { column, .. }
                | Predicate::F32 { column, .. }
                | Predicate::U64 { column, .. } => vec![column.0],
                Predicate::General(expr) => {
                    operands = operands.max(most_operands(shape, *expr));
                    let code = shape.expr_code(*expr).iter();
                    let loads = code.filter(|op| op.code == ExprCode::Column as u8);
                    loads.map(|op| op.imm).collect()
                }
            };
            for &column in &columns {
                read[column as usize] = true;
            }
            columns.sort_unstable();
            columns.dedup();
            columns.retain(|&column| set[column as usize]);
            written.push(columns.into_boxed_slice());
        }
        Plans {
            wanted_lines: wanted_lines(shape, &read),
            asks: predicates.iter().map(|&asked| ask(shape, asked)).collect(),
            written: written.into(),
            counters: counters(shape),
            operands,
        }
    }

    /// Planes of all counters.
    pub(crate) fn counter_planes(&self) -> usize {
        let end = |counters: &Counters| counters.first + 1 + 2 * counters.bits;
        self.counters.last().map_or(0, end)
    }
}

/// Lines that are worth asking for while the block before is at work: more would push each other out.
const MOST_WANTED: usize = 256;

fn wanted_lines(shape: &Shape, read: &[bool]) -> Box<[[usize; 2]]> {
    let layout = shape.layout();
    let mut wanted = Vec::new();
    let mut total = 0;
    let mut want = |first: usize, end: usize| {
        if first < end && total + end - first <= MOST_WANTED {
            total += end - first;
            wanted.push([first, end]);
        }
    };
    // Slots of a large tree are mostly nobody's.
    if layout.marks - layout.control <= MOST_WANTED / 4 {
        want(layout.control, layout.marks);
    } else {
        want(layout.control, layout.deferred);
    }
    for (index, column) in shape.tables().columns.iter().enumerate() {
        if let (true, Some(ty)) = (read[index], column.ty()) {
            let first = layout.columns[index] as usize;
            want(first, first + pleach_shape::layout::column_lines(ty));
        }
    }
    want(layout.marks, layout.timers);
    want(layout.timers, layout.lines);
    wanted.into()
}

fn most_operands(shape: &Shape, expr: pleach_shape::ExprIndex) -> usize {
    let (mut now, mut most) = (0usize, 0usize);
    for op in shape.expr_code(expr) {
        match ExprCode::from_u8(op.code) {
            Some(ExprCode::Const | ExprCode::Column | ExprCode::World) => now += 1,
            Some(ExprCode::ToFloat | ExprCode::Not | ExprCode::Neg | ExprCode::Abs) | None => {}
            Some(_) => now = now.saturating_sub(1),
        }
        most = most.max(now);
    }
    most
}

fn ask(shape: &Shape, predicate: Predicate) -> Ask {
    let line = |column: pleach_shape::ColumnIndex| shape.layout().columns[column.at()];
    let declared = |column: pleach_shape::ColumnIndex| shape.tables().columns[column.at()].ty();
    match predicate {
        // Distinct predicates are asked for true; the token turns the answer.
        Predicate::Bool { column, .. } => Ask::Plane { line: line(column) },
        Predicate::U8 { column, cmp, value } => match u8::try_from(value) {
            Ok(value) => Ask::U8 {
                line: line(column),
                cmp,
                value,
            },
            Err(_) => beyond(cmp, value > 0),
        },
        Predicate::U16 { column, cmp, value } => match u16::try_from(value) {
            Ok(value) => Ask::U16 {
                line: line(column),
                cmp,
                value,
            },
            Err(_) => beyond(cmp, value > 0),
        },
        Predicate::I32 { column, cmp, value } => Ask::I32 {
            line: line(column),
            cmp,
            value,
        },
        Predicate::F32 { column, cmp, value } => {
            debug_assert_eq!(declared(column), Some(ValueType::F32));
            Ask::F32 {
                line: line(column),
                cmp,
                value,
            }
        }
        Predicate::U64 { column, cmp, value } => Ask::U64 {
            line: line(column),
            cmp,
            value,
        },
        Predicate::General(expr) => Ask::Code { expr: expr.0 },
    }
}

/// A constant that no value of the column reaches: above all of them, or below.
fn beyond(cmp: Comparison, above: bool) -> Ask {
    let holds = match cmp {
        Comparison::Lt | Comparison::Le => above,
        Comparison::Gt | Comparison::Ge => !above,
        Comparison::Eq => false,
        Comparison::Ne => true,
    };
    if holds { Ask::Always } else { Ask::Never }
}

fn counters(shape: &Shape) -> Box<[Counters]> {
    let mut levels = vec![Counters::default(); shape.requirements().group_levels as usize];
    for group in &shape.tables().groups {
        let level = &mut levels[group.level as usize];
        // A Concurrent counts nothing but who runs.
        let parallel = shape.plain()[group.node as usize].op() == Some(Op::Parallel);
        let bits = if parallel {
            (u32::BITS - group.children.leading_zeros()) as usize
        } else {
            0
        };
        level.bits = level.bits.max(bits);
    }
    let mut first = 0;
    for level in &mut levels {
        level.first = first;
        first += 1 + 2 * level.bits;
    }
    levels.into()
}
