//! Blocks side by side: which thread ticks which.

use crate::block::{Block, NoMemory};
use crate::kernel::{Tick, Worker, pass_over, tick_block};

/// Half of a common second-level cache.
const NEAR_CACHE_BYTES: u64 = 512 << 10;

/// Ticks all blocks, on several threads where there are several and it can pay. A worker that there is
/// no memory for is done without; without any, nobody ticks, and nobody requests anything. Gives whether the
/// tick took place: if not, who is to be halted waits for the next one.
pub(crate) fn tick_blocks(
    blocks: &mut [Block],
    workers: &mut Vec<Worker>,
    fresh: impl Fn() -> Result<Worker, NoMemory>,
    tick: &Tick<'_>,
) -> bool {
    let wanted = threads_for(blocks, tick);
    while workers.len() < wanted
        && let Ok(worker) = fresh()
    {
        workers.push(worker);
    }
    // What the last tick touched is still in the cache next to the core, if there is not more of it than
    // such a cache holds.
    let far = blocks.len() as u64 * tick.shape.requirements().block_bytes > NEAR_CACHE_BYTES;
    let run = |first: usize, blocks: &mut [Block], worker: &mut Worker| {
        for index in 0..blocks.len() {
            if far && let Some(next) = blocks.get(index + 1) {
                tick.prefetch(next);
            }
            tick_block(tick, first + index, &mut blocks[index], worker);
        }
    };
    #[cfg(feature = "rayon")]
    if wanted > 1 && workers.len() > 1 {
        use rayon::prelude::*;
        let share = blocks.len().div_ceil(wanted.min(workers.len()));
        blocks
            .par_chunks_mut(share)
            .zip(workers.par_iter_mut())
            .enumerate()
            .for_each(|(part, (blocks, worker))| run(part * share, blocks, worker));
        return true;
    }
    match workers.first_mut() {
        Some(worker) => run(0, blocks, worker),
        None => blocks.iter_mut().for_each(|block| pass_over(tick, block)),
    }
    !workers.is_empty()
}

/// Into how many parts a tick is divided.
fn threads_for(blocks: &[Block], tick: &Tick<'_>) -> usize {
    #[cfg(feature = "rayon")]
    {
        let threads = rayon::current_num_threads();
        if threads > 1 && blocks.len() > 1 && tick.pays_in_parallel(blocks.len()) {
            // Several parts a thread: some blocks take longer than others, and so may some threads.
            return (threads * 4).min(blocks.len());
        }
    }
    let _ = (blocks, tick);
    1
}

/// Runs over all blocks, on several threads where there are several.
pub(crate) fn for_each_block(blocks: &mut [Block], run: impl Fn(usize, &mut Block) + Sync + Send) {
    #[cfg(feature = "rayon")]
    if blocks.len() > 1 && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        blocks
            .par_iter_mut()
            .enumerate()
            .for_each(|(index, block)| run(index, block));
        return;
    }
    for (index, block) in blocks.iter_mut().enumerate() {
        run(index, block);
    }
}
