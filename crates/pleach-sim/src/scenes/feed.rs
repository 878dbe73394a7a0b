//! The feed: how blackboards and results move from tick to tick.

use std::fmt;
use std::time::Duration;

use pleach_shape::layout::BLOCK_LANES;
use pleach_shape::{ColumnIndex, ExprCode, ExprIndex, ExprType, Shape, SlotIndex};
use pleach_vm::random::{below, draw, unit};
use pleach_vm::{
    ActorId, BlockMut, ColumnError, ColumnKey, NumberType, PLANE_WORDS, Plane, Population, Value,
    ValueType,
};

/// How data moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Data {
    /// Each actor's values are drawn anew each tick, and its tree starts afresh each tick: no walk
    /// resumes anything.
    Fresh,
    /// Each actor's values are drawn once, no action ever ends and no time passes: actors keep
    /// running the same leaf.
    Resumed,
    /// All actors see the same values, drawn anew each tick, and their actions end together: walks
    /// differ only from tick to tick.
    Coherent,
    /// Each actor's values and results are drawn anew each tick, independently.
    Divergent,
}

impl Data {
    /// All of them.
    pub const ALL: [Data; 4] = [Data::Fresh, Data::Resumed, Data::Coherent, Data::Divergent];

    /// The name used on command lines and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Data::Fresh => "fresh",
            Data::Resumed => "resumed",
            Data::Coherent => "coherent",
            Data::Divergent => "divergent",
        }
    }

    /// The data of that name.
    pub fn from_name(name: &str) -> Option<Data> {
        Self::ALL.into_iter().find(|data| data.name() == name)
    }

    /// The time between two ticks. Without it a Wait would end after all.
    pub const fn dt(self) -> Duration {
        match self {
            Data::Resumed => Duration::ZERO,
            Data::Fresh | Data::Coherent | Data::Divergent => Duration::from_micros(16_667),
        }
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a draw is for: part of its key, so that two of them never meet.
#[derive(Clone, Copy)]
enum Purpose {
    Column,
    World,
    Done,
    Success,
    Persistent,
}

/// The numbers that a column or world value is drawn from, both ends included.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Spread {
    low: f64,
    high: f64,
}

impl Spread {
    /// Around the constants that a tree compares with, so that its conditions hold for some and
    /// fail for others: their range and half as much on either side; zero to twice a constant that
    /// stands alone.
    fn around(constants: &[f64], ty: ValueType) -> Spread {
        let low = constants.iter().copied().fold(f64::INFINITY, f64::min);
        let high = constants.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match constants {
            [] => (0.0, 1.0),
            _ if low == high => (low - low.abs().max(1.0), high + high.abs().max(1.0)),
            _ => (low - (high - low) / 2.0, high + (high - low) / 2.0),
        };
        let (least, greatest) = match ty {
            ValueType::Bool => (0.0, 1.0),
            ValueType::U8 => (0.0, u8::MAX.into()),
            ValueType::U16 => (0.0, u16::MAX.into()),
            ValueType::I32 => (i32::MIN.into(), i32::MAX.into()),
            ValueType::F32 => (f32::MIN.into(), f32::MAX.into()),
            ValueType::U64 => (0.0, u32::MAX.into()),
        };
        Spread {
            low: low.max(least),
            high: high.min(greatest),
        }
    }

    fn whole(self, bits: u64) -> i64 {
        let (low, high) = (self.low as i64, self.high as i64);
        low + below(bits, (high - low) as u64 + 1) as i64
    }

    fn float(self, bits: u64) -> f32 {
        self.low as f32 + unit(bits) * (self.high - self.low) as f32
    }

    fn value(self, ty: ValueType, bits: u64) -> Value {
        match ty {
            ValueType::Bool => Value::Bool(bits & 1 != 0),
            ValueType::U8 => Value::U8(self.whole(bits) as u8),
            ValueType::U16 => Value::U16(self.whole(bits) as u16),
            ValueType::I32 => Value::I32(self.whole(bits) as i32),
            ValueType::F32 => Value::F32(self.float(bits)),
            ValueType::U64 => Value::U64(self.whole(bits) as u64),
        }
    }
}

/// A column's key by its type.
#[derive(Clone, Copy)]
enum Key {
    Bool(ColumnKey<bool>),
    U8(ColumnKey<u8>),
    U16(ColumnKey<u16>),
    I32(ColumnKey<i32>),
    F32(ColumnKey<f32>),
    U64(ColumnKey<u64>),
}

impl Key {
    fn find(population: &Population, name: &str, ty: ValueType) -> Result<Key, ColumnError> {
        Ok(match ty {
            ValueType::Bool => Key::Bool(population.column(name)?),
            ValueType::U8 => Key::U8(population.column(name)?),
            ValueType::U16 => Key::U16(population.column(name)?),
            ValueType::I32 => Key::I32(population.column(name)?),
            ValueType::F32 => Key::F32(population.column(name)?),
            ValueType::U64 => Key::U64(population.column(name)?),
        })
    }
}

/// Moves the data of one population. A pure function of (data, seed, tick): two populations of one
/// shape see the same, whatever kernel walks them.
pub struct Feed {
    data: Data,
    seed: u64,
    /// The number of refreshes so far.
    tick: u64,
    columns: Vec<(Key, ValueType, Spread)>,
    world: Vec<(String, ValueType, Spread)>,
    deferred: usize,
    persistent: usize,
    actors: Vec<ActorId>,
}

impl Feed {
    /// A feed for the actors that a population has now.
    ///
    /// # Errors
    /// When the population's shape has two columns of one name.
    pub fn new(population: &Population, data: Data, seed: u64) -> Result<Feed, ColumnError> {
        let shape = population.shape();
        let tables = shape.tables();
        let constants = Constants::of(shape);
        let mut columns = Vec::new();
        // What nodes remember is no data.
        let own = tables.columns.iter().take(shape.own_columns());
        for (def, constants) in own.zip(&constants.columns) {
            let Some(ty) = def.ty() else { continue };
            let key = Key::find(population, shape.name(def.name), ty)?;
            columns.push((key, ty, Spread::around(constants, ty)));
        }
        let world = tables
            .world
            .iter()
            .zip(&constants.world)
            .filter_map(|(def, constants)| {
                let ty = def.ty()?;
                Some((
                    shape.name(def.name).to_owned(),
                    ty,
                    Spread::around(constants, ty),
                ))
            });
        Ok(Feed {
            data,
            seed,
            tick: 0,
            columns,
            world: world.collect(),
            deferred: tables.deferred.len(),
            persistent: tables.persistent.len(),
            actors: population.actors().collect(),
        })
    }

    /// How the data moves.
    pub fn data(&self) -> Data {
        self.data
    }

    /// Whether each refresh also takes every actor out of its tree.
    pub fn resets(&self) -> bool {
        self.data == Data::Fresh
    }

    /// Whether the last refresh wrote columns.
    pub fn writes(&self) -> bool {
        self.data != Data::Resumed || self.tick <= 1
    }

    /// Whether refreshes hand in results. (A reset would drop them.)
    fn ends_actions(&self) -> bool {
        matches!(self.data, Data::Coherent | Data::Divergent)
    }

    /// Readies the population for its next tick: columns, world values, results, resets.
    ///
    /// Must be the population that the feed was made for, or another one of the same shape with at
    /// least as many actors; columns of another shape are left alone.
    pub fn refresh(&mut self, population: &mut Population) {
        self.tick += 1;
        if self.writes() {
            self.refresh_world(population);
            for mut block in population.blocks_mut() {
                self.refresh_columns(&mut block);
            }
        }
        if self.ends_actions() {
            for mut block in population.blocks_mut() {
                self.refresh_results(&mut block);
            }
        }
        if self.resets() {
            for &actor in &self.actors {
                // An actor that has left the population since needs no reset.
                let _ = population.reset(actor);
            }
        }
    }

    fn refresh_world(&self, population: &mut Population) {
        macro_rules! put {
            ($name:expr, $value:expr) => {
                if let Ok(key) = population.world_key($name) {
                    population.set_world(key, $value);
                }
            };
        }
        for (index, (name, ty, spread)) in self.world.iter().enumerate() {
            match spread.value(*ty, self.bits(Purpose::World, index, 0)) {
                Value::Bool(value) => put!(name, value),
                Value::U8(value) => put!(name, value),
                Value::U16(value) => put!(name, value),
                Value::I32(value) => put!(name, value),
                Value::F32(value) => put!(name, value),
                Value::U64(value) => put!(name, value),
            }
        }
    }

    fn refresh_columns(&self, block: &mut BlockMut<'_>) {
        for (index, &(key, _, spread)) in self.columns.iter().enumerate() {
            match key {
                Key::Bool(key) => {
                    let values = self.plane(Purpose::Column, index, block.index());
                    if let Ok(plane) = block.plane_mut(key) {
                        *plane = values;
                    }
                }
                Key::U8(key) => self.fill(block, index, key, |bits| spread.whole(bits) as u8),
                Key::U16(key) => self.fill(block, index, key, |bits| spread.whole(bits) as u16),
                Key::I32(key) => self.fill(block, index, key, |bits| spread.whole(bits) as i32),
                Key::F32(key) => self.fill(block, index, key, |bits| spread.float(bits)),
                Key::U64(key) => self.fill(block, index, key, |bits| spread.whole(bits) as u64),
            }
        }
    }

    fn fill<T: NumberType>(
        &self,
        block: &mut BlockMut<'_>,
        column: usize,
        key: ColumnKey<T>,
        value: impl Fn(u64) -> T,
    ) {
        let first = block.index() * BLOCK_LANES;
        let Ok(values) = block.values_mut(key) else {
            return;
        };
        if self.data == Data::Coherent {
            values.fill(value(self.bits(Purpose::Column, column, 0)));
            return;
        }
        for (lane, place) in values.iter_mut().enumerate() {
            *place = value(self.bits(Purpose::Column, column, first + lane));
        }
    }

    fn refresh_results(&self, block: &mut BlockMut<'_>) {
        for slot in 0..self.deferred {
            let [done, success] = self.results(SlotIndex::from(slot), block.index());
            // A slot that does not exist belongs to another shape.
            let _ = block.set_results(SlotIndex::from(slot), done, success);
        }
        for slot in 0..self.persistent {
            let [done, success] = self.answers(Purpose::Persistent, slot, block.index());
            let lanes = Plane::FULL;
            let _ = block.set_persistent(SlotIndex::from(slot), lanes, done & success, done);
        }
    }

    /// The value of a column for the actor at that place, as of the last refresh; `None` if there
    /// is no such column.
    pub fn value(&self, column: ColumnIndex, actor: usize) -> Option<Value> {
        let &(_, ty, spread) = self.columns.get(column.at())?;
        if ty == ValueType::Bool {
            let plane = self.plane(Purpose::Column, column.at(), actor / BLOCK_LANES);
            return Some(Value::Bool(plane.get(actor % BLOCK_LANES)));
        }
        Some(spread.value(ty, self.bits(Purpose::Column, column.at(), actor)))
    }

    /// The results of the last refresh for one slot and block of 512 actors: whose action ends if
    /// it runs, one of four, and for whom it succeeds, three of four.
    pub fn results(&self, slot: SlotIndex, block: usize) -> [Plane; 2] {
        if !self.ends_actions() {
            return [Plane::EMPTY; 2];
        }
        self.answers(Purpose::Done, slot.at(), block)
    }

    fn answers(&self, purpose: Purpose, slot: usize, block: usize) -> [Plane; 2] {
        // Each draw of a plane halves it; the upper half of the slots' numbers is free.
        let other = slot | 1 << 30;
        let done = self.plane(purpose, slot, block) & self.plane(purpose, other, block);
        let success =
            self.plane(Purpose::Success, slot, block) | self.plane(Purpose::Success, other, block);
        [done, success]
    }

    /// Half of the lanes.
    fn plane(&self, purpose: Purpose, index: usize, block: usize) -> Plane {
        if self.data == Data::Coherent {
            let all = self.bits(purpose, index, 0) & 1 != 0;
            return if all { Plane::FULL } else { Plane::EMPTY };
        }
        let mut plane = Plane::EMPTY;
        for (word, place) in plane.0.iter_mut().enumerate() {
            *place = self.bits(purpose, index, block * PLANE_WORDS + word);
        }
        plane
    }

    #[inline]
    fn bits(&self, purpose: Purpose, index: usize, place: usize) -> u64 {
        let place = if self.data == Data::Coherent {
            0
        } else {
            place as u64
        };
        let tick = if self.data == Data::Resumed {
            0
        } else {
            self.tick
        };
        draw(
            self.seed.wrapping_add((purpose as u64) << 56),
            place,
            index as u32,
            tick,
        )
    }
}

/// The constants that a shape's expressions hold against each column and world value.
struct Constants {
    columns: Vec<Vec<f64>>,
    world: Vec<Vec<f64>>,
}

impl Constants {
    /// In an expression of several columns, every constant counts for every column of its type.
    fn of(shape: &Shape) -> Constants {
        let tables = shape.tables();
        let mut found = Constants {
            columns: vec![Vec::new(); tables.columns.len()],
            world: vec![Vec::new(); tables.world.len()],
        };
        for index in 0..tables.exprs.len() {
            let code = shape.expr_code(ExprIndex::from(index));
            for constant in code.iter().filter(|op| op.code == ExprCode::Const as u8) {
                let number = match ExprType::from_u8(constant.ty) {
                    Some(ExprType::I32) => f64::from(constant.imm as i32),
                    Some(ExprType::F32) => f64::from(f32::from_bits(constant.imm)),
                    Some(ExprType::U64) => tables.constants[constant.imm as usize] as f64,
                    Some(ExprType::Bool) | None => continue,
                };
                for load in code.iter().filter(|op| op.ty == constant.ty) {
                    match ExprCode::from_u8(load.code) {
                        Some(ExprCode::Column) => found.columns[load.imm as usize].push(number),
                        Some(ExprCode::World) => found.world[load.imm as usize].push(number),
                        _ => {}
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_spread_around_constants() {
        let spread = Spread::around(&[0.25, 0.75], ValueType::F32);
        assert_eq!(
            spread,
            Spread {
                low: 0.0,
                high: 1.0
            }
        );
        let spread = Spread::around(&[2.0], ValueType::U8);
        assert_eq!(
            spread,
            Spread {
                low: 0.0,
                high: 4.0
            }
        );
        let spread = Spread::around(&[10.0, 40.0], ValueType::U16);
        assert_eq!(
            spread,
            Spread {
                low: 0.0,
                high: 55.0
            }
        );
        let seen: std::collections::BTreeSet<i64> = (0..1000)
            .map(|draws| spread.whole(draw(1, draws, 0, 0)))
            .collect();
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            (0..=55).collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_nodes_remember_is_no_data() {
        let root = pleach_tree::keep_sequence([pleach_tree::succeed()]);
        let tree = pleach_tree::Tree::build("t").column("n", 1_u8).root(root);
        let shape = pleach_tree::compile(&tree).unwrap();
        assert_eq!((shape.own_columns(), shape.tables().columns.len()), (1, 2));
        let feed = Feed::new(&Population::new(shape), Data::ALL[0], 1).unwrap();
        assert_eq!(feed.columns.len(), 1);
    }

    #[test]
    fn names_lead_back() {
        for data in Data::ALL {
            assert_eq!(Data::from_name(data.name()), Some(data));
        }
        assert_eq!(Data::from_name("no such data"), None);
    }
}
