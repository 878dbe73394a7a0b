//! Runs a colony and measures it.

use std::num::NonZeroUsize;

use pleach_vm::Kernel;

use super::error::ColonyError;
use super::figures::{ColonyFigures, FrameLog};
use super::history::History;
use super::life::Colony;
use super::scene::Scene;
use super::settings::Settings;
use super::trees::Trees;
#[cfg(doc)]
use crate::run::MAX_THREADS;
use crate::run::thread_pool;

/// How to run a colony: which trees and kernel, how many threads.
pub struct ColonyRun {
    settings: Settings,
    trees: Trees,
    kernel: Kernel,
    threads: Option<NonZeroUsize>,
}

impl ColonyRun {
    /// A run with the default kernel, on as many threads as the machine has cores.
    pub fn new(settings: Settings, trees: Trees) -> ColonyRun {
        ColonyRun {
            settings,
            trees,
            kernel: Kernel::default(),
            threads: None,
        }
    }

    /// Chooses the kernel.
    pub fn kernel(mut self, kernel: Kernel) -> ColonyRun {
        self.kernel = kernel;
        self
    }

    /// Chooses how many threads walk; more than [`MAX_THREADS`] are not started.
    pub fn threads(mut self, threads: NonZeroUsize) -> ColonyRun {
        self.threads = Some(threads);
        self
    }

    /// Runs, and calls `watch` before the first tick and behind each, outside of what is timed, with the
    /// colony and its history so far. Gives the figures, and the scene at the end.
    ///
    /// # Errors
    /// As [`Colony::found`] and [`Colony::frame`]; also when the threads cannot be started, and what `watch`
    /// gives.
    pub fn go<E: From<ColonyError> + Send>(
        &self,
        watch: &mut (dyn FnMut(&Colony, &History) -> Result<(), E> + Send),
    ) -> Result<(ColonyFigures, Scene), E> {
        let pool = thread_pool(self.threads).map_err(ColonyError::Threads)?;
        let threads = pool.current_num_threads();
        pool.install(|| self.live(threads, watch))
    }

    fn live<E: From<ColonyError>>(
        &self,
        threads: usize,
        watch: &mut dyn FnMut(&Colony, &History) -> Result<(), E>,
    ) -> Result<(ColonyFigures, Scene), E> {
        let mut colony = Colony::found(self.settings.clone(), &self.trees)?;
        colony.set_kernel(self.kernel);
        let mut log = FrameLog::new(self.settings.ticks);
        let mut history = History::new();
        history.record(colony.scene().sample(colony.totals()));
        watch(&colony, &history)?;
        for tick in 1..=u64::from(self.settings.ticks) {
            let time = colony.frame()?;
            log.push(time.decisions, time.rules, time.movement);
            colony.fold();
            if history.wants(tick) {
                history.record(colony.scene().sample(colony.totals()));
            }
            watch(&colony, &history)?;
        }
        let scene = colony.scene();
        history.finish(scene.sample(colony.totals()));
        let Settings {
            dwarves,
            plants,
            workshops,
            width,
            height,
            ticks,
            dt,
            seed,
            wood_per_workshop: _,
        } = self.settings;
        let figures = ColonyFigures {
            scenario: "colony",
            dwarves,
            plants,
            workshops,
            width,
            height,
            ticks,
            dt: dt.as_secs_f64(),
            kernel: self.kernel.name(),
            threads,
            seed,
            hash: colony.fingerprint(),
            frame_ns: log.times(),
            totals: *colony.totals(),
            history,
        };
        Ok((figures, scene))
    }
}
