// SPDX-License-Identifier: MIT OR Apache-2.0
//! One look at a whole slab: all counters and all valid records, in private memory.

use std::time::Duration;

use nds_layout::address::{nd_word, RUNS};
use nds_layout::hash::RecordFault;
use nds_layout::region::{EXTRA_CORE_COUNT, EXT_DATA_CORE_WORDS, ND_COUNTER_COUNT};
use nds_layout::{
    band_of, bitmap, header, nc_word, place, Core, NcCounter, NdCounter, ProcessInfo,
    ProcessInfoExt, SlabRead, WordIndex,
};

use crate::attempt::read_record;
use crate::bulk::{read_models, Method, Models};

/// Words of the longest of the three counter bands.
const LONGEST_BAND: usize = EXTRA_CORE_COUNT * EXT_DATA_CORE_WORDS;

/// A copy of everything a slab says.
///
/// Each counter is one load and each record is verified. There is no instant at which the slab had
/// all these values together: its producer goes on while it is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlabSnapshot {
    header: u64,
    nd: [u64; ND_COUNTER_COUNT],
    bands: Box<[[u64; LONGEST_BAND]; RUNS.len()]>,
    process_info: Result<ProcessInfo, RecordFault>,
    process_info_ext: Result<ProcessInfoExt, RecordFault>,
    model_bitmap: u64,
    models: Models,
}

impl SlabSnapshot {
    /// That of a slab that nobody wrote to.
    #[must_use]
    pub fn new() -> Self {
        Self {
            header: 0,
            nd: [0; ND_COUNTER_COUNT],
            bands: Box::new([[0; LONGEST_BAND]; RUNS.len()]),
            process_info: Err(RecordFault::Unpublished),
            process_info_ext: Err(RecordFault::Unpublished),
            model_bitmap: 0,
            models: Models::new(),
        }
    }

    /// Reads a slab, in place of what was read before. `pause` is called at most three times: for
    /// each process record and once for all models.
    pub fn read(&mut self, slab: &impl SlabRead, method: Method, pause: impl Fn(Duration)) {
        self.header = slab.load_acquire(WordIndex::HEADER);
        slab.copy_words(nd_word(NdCounter::RUNTIME_VERSION), &mut self.nd);
        for (run, band) in RUNS.iter().zip(self.bands.iter_mut()) {
            slab.copy_words(run.first_word, &mut band[..run.words()]);
        }
        self.process_info =
            read_record(slab, place::PROCESS_INFO, &pause).map(|image| ProcessInfo::decode(&image));
        self.process_info_ext = read_record(slab, place::PROCESS_INFO_EXT, &pause)
            .map(|image| ProcessInfoExt::decode(&image));
        self.model_bitmap = bitmap::load(slab);
        read_models(slab, method, &pause, &mut self.models);
    }

    /// The header word.
    #[must_use]
    pub fn header(&self) -> u64 {
        self.header
    }

    /// Whether the header announces the known layout; if not, nothing else here means anything.
    #[must_use]
    pub fn is_initialised(&self) -> bool {
        header::is_valid(self.header)
    }

    /// One per-device counter.
    #[must_use]
    pub fn nd(&self, counter: NdCounter) -> u64 {
        self.nd[counter.index()]
    }

    /// One counter of a NeuronCore.
    #[must_use]
    pub fn nc(&self, core: Core, counter: NcCounter) -> u64 {
        let band = band_of(core, counter);
        let nth = nc_word(core, counter).get() - band.run().first_word.get();
        self.bands[band as usize][nth]
    }

    /// The cores that have a counter other than 0, in ascending order.
    pub fn active_cores(&self) -> impl Iterator<Item = Core> + Clone + '_ {
        Core::all().filter(|&core| NcCounter::all().any(|counter| self.nc(core, counter) != 0))
    }

    /// What the producer says about itself, or why it cannot be told.
    ///
    /// # Errors
    ///
    /// How the second attempt failed.
    pub fn process_info(&self) -> Result<&ProcessInfo, RecordFault> {
        self.process_info.as_ref().map_err(|fault| *fault)
    }

    /// The producer's long tag, or why it cannot be told.
    ///
    /// # Errors
    ///
    /// How the second attempt failed.
    pub fn process_info_ext(&self) -> Result<&ProcessInfoExt, RecordFault> {
        self.process_info_ext.as_ref().map_err(|fault| *fault)
    }

    /// All models whose record verified.
    #[must_use]
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// Model slots that were taken but had no valid record, at two attempts.
    #[must_use]
    pub fn unreadable_models(&self) -> usize {
        (self.model_bitmap.count_ones() as usize).saturating_sub(self.models.len())
    }
}

impl Default for SlabSnapshot {
    fn default() -> Self {
        Self::new()
    }
}
