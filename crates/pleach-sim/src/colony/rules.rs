//! The rules of a colony: from the tables of the last tick to the conditions of the next one.
//!
//! In the paper that the colony is after, about behavior trees compiled to logic programs, these are logic rules
//! beside the trees. Here each is a few lines of set algebra; which plants are
//! claimed, and by whom, is no list that somebody keeps, but a join of two tables: dwarves that harvest, and
//! the plants that their claims point at. So a claim ends with the dwarf's harvest, however it ends.

use pleach_vm::table::ActorSet;
use pleach_vm::{ActorId, Outcome, Plane};

use super::error::ColonyError;
use super::life::{Colony, NOBODY, Purpose};
use super::pairing::Spot;
use super::trees::Errand;

/// Streams of the rules' dice. The last one takes a number for each errand.
const RESTLESS: u32 = 0;
const OFFERS: u32 = 1;
const CANDIDATES: u32 = 2;

/// The chance a tick that an idle dwarf looks around again: the paper's.
const RESTLESS_CHANCE: f32 = 0.3;

/// How many ticks a dwarf cuts a plant.
const CUTTING: [u32; 2] = [30, 90];

/// How many ticks a shift in a workshop lasts.
const SHIFT: [u32; 2] = [60, 180];

/// Of so many times more seekers than places the nearest are sent; looking at all of a large colony would take
/// longer than a frame.
const CANDIDATES_A_PLACE: usize = 16;

impl Colony {
    /// What happens between two ticks, in this order.
    pub(super) fn apply_rules(&mut self) -> Result<(), ColonyError> {
        self.clear_felled()?;
        self.sow()?;
        self.finish_harvests()?;
        self.finish_shifts()?;
        self.claim_plants()?;
        self.claim_workshops()?;
        self.build();
        self.stir()?;
        self.count_unclaimed();
        Ok(())
    }

    /// Plants whose growth a harvest has aborted are gone, and those that were cut, whatever their tree made of it:
    /// nobody cuts a plant twice.
    fn clear_felled(&mut self) -> Result<(), ColonyError> {
        let growth = self.plants.table(self.plant_keys.growth)?;
        let cut = self.plants.those_in(&self.sets.cut);
        growth.aborted().or(cut).store(&mut self.sets.felled);
        self.plants.despawn_set(&self.sets.felled)?;
        Ok(())
    }

    /// New plants come up, one in a hundred a tick, until there are as many as there may be.
    fn sow(&mut self) -> Result<(), ColonyError> {
        let wanted = self.settings.plants as usize;
        let missing = wanted.saturating_sub(self.plants.len());
        for _ in 0..missing.min(wanted.div_ceil(100)) {
            let plant = self.plants.spawn()?;
            self.plan_plots();
            let plot = self.somewhere(plant.to_bits(), Purpose::Plot);
            self.plots[plant.index() as usize] = plot;
            self.totals.sprouted += 1;
        }
        Ok(())
    }

    /// Puts into `sets.actors` the dwarves of an errand that are where they were sent and whose time is up; for
    /// those who have just arrived it begins.
    fn find_done(
        &mut self,
        errand: Errand,
        purpose: Purpose,
        lasts: [u32; 2],
    ) -> Result<(), ColonyError> {
        self.sets.actors.clear();
        let table = self.dwarves.table(errand.node)?;
        for dwarf in table.active().minus(table.started()).actors() {
            let place = dwarf.index() as usize;
            if !self.bodies.has_arrived(place) {
                continue;
            }
            match self.bodies.done_at[place] {
                0 => {
                    let time = self.lasting(dwarf, purpose, lasts);
                    self.bodies.done_at[place] = self.tick + time;
                }
                at if at <= self.tick => self.sets.actors.push(dwarf),
                _ => {}
            }
        }
        Ok(())
    }

    /// A dwarf has done what it was sent for, or could not: its claim ends.
    fn finish(
        &mut self,
        dwarf: ActorId,
        errand: Errand,
        outcome: Outcome,
    ) -> Result<(), ColonyError> {
        self.dwarves.set(dwarf, self.dwarf_keys.claim, NOBODY)?;
        self.bodies.stay(dwarf.index() as usize);
        Ok(self.dwarves.set_result(dwarf, errand.slot, outcome)?)
    }

    /// Who has cut a plant brings in its wood, and the plant is told that it is harvested.
    fn finish_harvests(&mut self) -> Result<(), ColonyError> {
        let harvest = self.dwarf_keys.harvest;
        self.find_done(harvest, Purpose::Cutting, CUTTING)?;
        self.sets.cut.clear(&self.plants);
        for index in 0..self.sets.actors.len() {
            let dwarf = self.sets.actors[index];
            let claim = self.dwarves.get(dwarf, self.dwarf_keys.claim)?;
            let plant = ActorId::from_bits(claim);
            // A plant's tree may have ended by itself, and there is nothing left to cut.
            if self.sets.cut.insert(&self.plants, plant).is_err() {
                self.finish(dwarf, harvest, Outcome::Failure)?;
                continue;
            }
            self.finish(dwarf, harvest, Outcome::Success)?;
            self.wood += 1;
            self.totals.harvested += 1;
        }
        self.plants
            .conclude("harvests", self.plant_keys.harvested, &self.sets.cut)?;
        Ok(())
    }

    /// Who has worked a shift has made something.
    fn finish_shifts(&mut self) -> Result<(), ColonyError> {
        let work = self.dwarf_keys.work;
        self.find_done(work, Purpose::Shift, SHIFT)?;
        for index in 0..self.sets.actors.len() {
            self.finish(self.sets.actors[index], work, Outcome::Success)?;
            self.totals.goods += 1;
        }
        Ok(())
    }

    /// Dwarves that have begun to harvest get a plant each, as far as there are grown ones that nobody has claimed.
    fn claim_plants(&mut self) -> Result<(), ColonyError> {
        let (keys, sets) = (&self.dwarf_keys, &mut self.sets);
        let harvest = self.dwarves.table(keys.harvest.node)?;
        let holding = harvest.active().minus(harvest.started());
        holding.pointed_at(keys.claim, &self.plants, &mut sets.claimed)?;

        let [.., grown] = self.plant_keys.stages;
        let free = (self.plants.table(grown)?.active())
            .minus(self.plants.those_in(&sets.claimed))
            .minus(self.plants.those_in(&sets.cut));
        let unclaimed = free.count();

        // A dwarf has one claim, also where its tree would do both at once.
        let work = self.dwarves.table(keys.work.node)?;
        let working = work.active().minus(work.started());
        working.store(&mut sets.engaged);
        let seeking = harvest.active().and(harvest.started()).minus(working);
        let seeking = seeking.count();
        free.store_sample(seeking, self.plants.dice(OFFERS), &mut sets.offered);
        sets.pairing.places.clear();
        for plant in self.plants.those_in(&sets.offered).actors() {
            let [x, y] = self.plots[plant.index() as usize];
            let index = sets.claims.len() as u32;
            sets.claims.push(plant.to_bits());
            sets.pairing.places.push(Spot { x, y, index });
        }
        let given = self.assign(self.dwarf_keys.harvest)?;
        self.unclaimed[0] = unclaimed - given;
        // Who was not sent is still in `seeking`; all others that harvest have their claim, or had it until now.
        let harvest = self.dwarves.table(self.dwarf_keys.harvest.node)?;
        let refused = self.dwarves.those_in(&self.sets.seeking);
        (harvest.active().minus(refused)).store(&mut self.sets.engaged);
        Ok(())
    }

    /// The same for workshops.
    fn claim_workshops(&mut self) -> Result<(), ColonyError> {
        let (keys, sets) = (&self.dwarf_keys, &mut self.sets);
        let work = self.dwarves.table(keys.work.node)?;
        sets.crews.resize(self.sites.len(), 0);
        let holding = work.active().minus(work.started());
        holding.count_by(keys.claim, &mut sets.crews)?;
        sets.pairing.places.clear();
        for (workshop, &[x, y]) in self.sites.iter().enumerate() {
            if sets.crews[workshop] == 0 {
                let index = sets.claims.len() as u32;
                sets.claims.push(workshop as u64);
                sets.pairing.places.push(Spot { x, y, index });
            }
        }
        let unclaimed = sets.pairing.places.len();
        let given = self.assign(self.dwarf_keys.work)?;
        self.unclaimed[1] = unclaimed - given;
        Ok(())
    }

    /// Sends dwarves that have begun an errand to the places of the pairing, the nearest to each. Who gets none,
    /// or is engaged by the other errand, is told so: to the tree, the errand has failed. Gives how many places
    /// were given.
    fn assign(&mut self, errand: Errand) -> Result<usize, ColonyError> {
        let sets = &mut self.sets;
        let table = self.dwarves.table(errand.node)?;
        let seeking = table.started().and(table.active());
        seeking.store(&mut sets.seeking);
        let wanted = sets.pairing.places.len().saturating_mul(CANDIDATES_A_PLACE);
        let dice = self.dwarves.dice(CANDIDATES + errand.slot.0);
        let engaged = self.dwarves.those_in(&sets.engaged);
        (seeking.minus(engaged)).store_sample(wanted, dice, &mut sets.candidates);
        sets.actors.clear();
        sets.pairing.seekers.clear();
        for dwarf in self.dwarves.those_in(&sets.candidates).actors() {
            let place = dwarf.index() as usize;
            let index = sets.actors.len() as u32;
            sets.actors.push(dwarf);
            sets.pairing.seekers.push(Spot {
                x: self.bodies.x[place],
                y: self.bodies.y[place],
                index,
            });
        }
        sets.pairing.pair();
        for &(seeker, place) in sets.pairing.pairs() {
            let dwarf = sets.actors[seeker.index as usize];
            let claim = sets.claims[place.index as usize];
            self.dwarves.set(dwarf, self.dwarf_keys.claim, claim)?;
            self.bodies.send(dwarf.index() as usize, [place.x, place.y]);
            sets.seeking.remove(&self.dwarves, dwarf)?;
        }
        sets.claims.clear();
        for (block, &left) in sets.seeking.planes().iter().enumerate() {
            if !left.is_empty() {
                self.dwarves
                    .set_result_plane(errand.slot, block, left, Plane::EMPTY)?;
            }
        }
        Ok(sets.pairing.pairs().len())
    }

    /// Wood becomes workshops.
    fn build(&mut self) {
        let cost = u64::from(self.settings.wood_per_workshop);
        while self.wood >= cost && self.sites.len() < self.settings.workshops as usize {
            self.wood -= cost;
            let site = self.somewhere(self.sites.len() as u64, Purpose::Site);
            self.sites.push(site);
            self.totals.built += 1;
        }
    }

    /// Idle dwarves get restless by chance.
    fn stir(&mut self) -> Result<(), ColonyError> {
        let resting = self.dwarves.table(self.dwarf_keys.rest)?.active();
        let dice = self.dwarves.dice(RESTLESS);
        resting
            .chance(RESTLESS_CHANCE, dice)
            .store(&mut self.sets.restless);
        self.dwarves.conclude(
            "restlessness",
            self.dwarf_keys.restless,
            &self.sets.restless,
        )?;
        Ok(())
    }

    /// What is left to claim is a world value that all dwarves read.
    fn count_unclaimed(&mut self) {
        let [plants, workshops] = self.unclaimed.map(|count| count as i32);
        let keys = &self.dwarf_keys;
        self.dwarves.set_world(keys.unclaimed_plants, plants);
        self.dwarves.set_world(keys.unclaimed_workshops, workshops);
    }
}
