// SPDX-License-Identifier: MIT OR Apache-2.0
//! A made-up inference workload: what a runtime publishes, without the inference.
//!
//! Follows what the runtime does at start and after each execution (libnds reference section 7).
//! Everything but the clock is in [`Workload::execute`], so that its sums are exact.

use nds::layout::abi::{MODEL_NAME_LEN, USAGE_CATEGORIES, UUID_LEN};
use nds::layout::catalog::Feature;
use nds::layout::record::{padded, FrameworkType};
use nds::{
    Core, MemoryUsage, Model, ModelHandle, NcCounter, NdCounter, PackedVersion, ProcessInfo,
    ProcessInfoExt, Producer, Result, Version,
};

use crate::args::WorkloadArgs;

const RUNTIME: Version = Version {
    major: 2,
    minor: 31,
    build: 24,
};
const FRAMEWORK: Version = Version {
    major: 2,
    minor: 5,
    build: 1,
};
const FAL: Version = Version {
    major: 1,
    minor: 13,
    build: 4096,
};
const FRAMEWORK_TYPE: FrameworkType = FrameworkType::PyTorch;

/// One execution in so many fails.
const FAILURE_EVERY: u64 = 1000;
/// Microseconds that one execution takes on the device, and until its caller has the result.
const DEVICE_TIME: u64 = 1800;
const TOTAL_TIME: u64 = 2100;
/// Multiply-accumulates of one execution.
const MACS: u64 = 4_000_000_000;
/// Bytes of a model's code and constants.
const CODE: u64 = 12 << 20;
const CONSTANTS: u64 = 340 << 20;
/// Bytes of the tensors of one execution.
const TENSORS: u64 = 3 << 20;

/// Places of the usage table.
const CODE_PLACE: usize = 0;
const TENSORS_PLACE: usize = 1;
const CONSTANTS_PLACE: usize = 2;

/// A producer at work. Dropping it unloads the models.
pub(crate) struct Workload {
    producer: Producer,
    cores: Vec<Core>,
    models: Vec<(ModelHandle, Model)>,
    executed: u64,
    rounds: usize,
}

impl Workload {
    /// Says who this is and loads the models.
    pub(crate) fn start(producer: Producer, args: &WorkloadArgs, pid: i32) -> Result<Self> {
        let cores = args.cores.0.clone();
        let tag = args.tag.clone().unwrap_or_else(|| pid.to_string());
        introduce(&producer, &tag)?;
        if cores.len() > 1 {
            producer.or_nd(NdCounter::FEATURE_BITMAP, Feature::Multicore.mask());
        }
        let placed = cores.iter().cycle().zip(1..=u32::from(args.models));
        let models = placed.map(|(core, number)| load(&producer, *core, number));
        let models = models.collect::<Result<_>>()?;
        Ok(Self {
            producer,
            cores,
            models,
            executed: 0,
            rounds: 0,
        })
    }

    /// Executions so far, over all cores.
    pub(crate) fn executed(&self) -> u64 {
        self.executed
    }

    /// Executes `count` times on each core.
    pub(crate) fn execute(&mut self, count: u64) -> Result<()> {
        for core in self.cores.clone() {
            let failures = (self.executed + count) / FAILURE_EVERY - self.executed / FAILURE_EVERY;
            self.executed += count;
            self.count(core, count, failures);
        }
        self.refresh_a_model()
    }

    fn count(&self, core: Core, count: u64, failures: u64) {
        let producer = &self.producer;
        producer.add_nc(core, NcCounter::INFERENCE_COUNT, count);
        producer.add_nc(core, NcCounter::INFER_COMPLETED, count - failures);
        if failures > 0 {
            producer.add_nc(core, NcCounter::INFER_TIMED_OUT, failures);
        }
        producer.add_nc(core, NcCounter::TIME_IN_USE, count * DEVICE_TIME);
        producer.add_nc(core, NcCounter::MAC_COUNT, count * MACS);
        producer.set_nc(core, NcCounter::LATENCY_DEVICE, DEVICE_TIME);
        producer.set_nc(core, NcCounter::LATENCY_TOTAL, TOTAL_TIME);
    }

    /// Publishes one model again, in turn, as its tensors come and go.
    fn refresh_a_model(&mut self) -> Result<()> {
        self.rounds += 1;
        let Some(turn) = self.rounds.checked_rem(self.models.len()) else {
            return Ok(());
        };
        let (handle, model) = &mut self.models[turn];
        let chunks = (self.rounds % 7) as u32 + 1;
        let tensors = usage(u64::from(chunks) * TENSORS, chunks);
        model.device_usage[TENSORS_PLACE] = tensors;
        handle.update(model)
    }
}

/// Publishes identity and versions.
fn introduce(producer: &Producer, tag: &str) -> Result<()> {
    producer.publish_process_info(&ProcessInfo {
        framework_type: FRAMEWORK_TYPE as i8,
        tag: short(tag.as_bytes()),
        framework_version: FRAMEWORK,
        fal_version: FAL,
        runtime_version: RUNTIME,
    })?;
    producer.publish_process_info_ext(&ProcessInfoExt {
        tag: short(tag.as_bytes()),
    })?;
    let packed = |version, reserved| PackedVersion { version, reserved }.to_word();
    producer.set_nd(NdCounter::RUNTIME_VERSION, packed(RUNTIME, 0));
    producer.set_nd(
        NdCounter::FRAMEWORK_VERSION,
        packed(FRAMEWORK, FRAMEWORK_TYPE as u16),
    );
    producer.set_nd(NdCounter::FAL_VERSION, packed(FAL, 0));
    Ok(())
}

/// The text cut so that a NUL fits, as the runtime does.
fn short<const N: usize>(text: &[u8]) -> [u8; N] {
    padded(&text[..text.len().min(N - 1)])
}

/// Publishes a model and counts it.
fn load(producer: &Producer, core: Core, number: u32) -> Result<(ModelHandle, Model)> {
    let model = model(core, number);
    let handle = producer.publish_model(&model)?;
    producer.add_nc(core, NcCounter::MODEL_LOAD_COUNT, 1);
    producer.add_nc(core, NcCounter::MEM_USAGE_CODE_DEVICE, CODE);
    producer.add_nc(core, NcCounter::MEM_USAGE_CONSTANTS_DEVICE, CONSTANTS);
    producer.add_nd(NdCounter::MEM_USAGE_CODE_HOST, CODE);
    Ok((handle, model))
}

fn model(core: Core, number: u32) -> Model {
    let mut host_usage = [MemoryUsage::default(); USAGE_CATEGORIES];
    let mut device_usage = host_usage;
    host_usage[CODE_PLACE] = usage(CODE, 1);
    device_usage[CODE_PLACE] = usage(CODE, 1);
    device_usage[CONSTANTS_PLACE] = usage(CONSTANTS, 2);
    Model {
        model_id: number,
        model_node_id: number,
        name: short::<MODEL_NAME_LEN>(format!("made-up-{number}.neff").as_bytes()),
        uuid: [number as u8; UUID_LEN],
        nc_index: core.get() as u8,
        sg_index: 0,
        host_usage,
        device_usage,
    }
}

fn usage(total_size: u64, chunk_count: u32) -> MemoryUsage {
    MemoryUsage {
        total_size,
        chunk_count,
    }
}
