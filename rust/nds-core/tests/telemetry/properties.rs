// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random histories of a device against the naive model: what producers added is what totals and posts say.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::checks::world::World;
use crate::layout::{Core, NcCounter, NdCounter};
use crate::model::Model;
use crate::rules::posts_table::{Source, ROWS};
use crate::rules::{Message, Part, Slot, Snapshot};
use crate::support::{with_dense_world, DenseSlab};

/// One step of a history. Processes are numbered from 1; there are more than slots.
#[derive(Clone, Debug)]
enum Step {
    Begin(u32),
    /// Stores any value.
    SetCore(u32, u32, u32, u64),
    SetDevice(u32, u32, u64),
    End(u32),
    /// A tick, and whether its message is delivered.
    Tick(bool),
}

fn processes() -> impl Strategy<Value = u32> {
    1..=20_u32
}

/// Small and large values, and those around the wrap.
fn values() -> impl Strategy<Value = u64> {
    prop_oneof![
        0..100_u64,
        any::<u64>(),
        (0..4_u64).prop_map(|below| u64::MAX - below)
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let set_core = (processes(), 0..16_u32, 0..95_u32, values());
    // Few distinct values, so that no version table overflows: that is another rule.
    let set_device = (processes(), 0..31_u32, 0..8_u64);
    let step = prop_oneof![
        3 => processes().prop_map(Step::Begin),
        6 => set_core.prop_map(|(process, core, counter, value)| Step::SetCore(process, core, counter, value)),
        3 => set_device.prop_map(|(process, counter, value)| Step::SetDevice(process, counter, value)),
        2 => processes().prop_map(Step::End),
        1 => any::<bool>().prop_map(Step::Tick),
    ];
    prop::collection::vec(step, 0..60)
}

/// A device, its model, and who sits where.
struct History<'a, 'w> {
    world: &'a mut World<'w, DenseSlab>,
    model: Model,
    slots: BTreeMap<u32, Slot>,
    /// What the delivered messages say has grown, by record id.
    delivered: BTreeMap<u8, u64>,
}

impl<'a, 'w> History<'a, 'w> {
    fn new(world: &'a mut World<'w, DenseSlab>) -> Self {
        Self {
            world,
            model: Model::default(),
            slots: BTreeMap::new(),
            delivered: BTreeMap::new(),
        }
    }

    fn run(&mut self, step: &Step) {
        match *step {
            Step::Begin(process) => self.begin(process),
            Step::SetCore(process, core, counter, value) => {
                self.set_core(process, core, counter, value)
            }
            Step::SetDevice(process, counter, value) => self.set_device(process, counter, value),
            Step::End(process) => self.end(process),
            Step::Tick(delivered) => self.tick(delivered),
        }
    }

    fn begin(&mut self, process: u32) {
        if !self.model.is_live(process) {
            if let Ok(slot) = self.world.begin(process) {
                self.slots.insert(process, slot);
                self.model.begin(process);
            }
        }
    }

    fn set_core(&mut self, process: u32, core: u32, counter: u32, value: u64) {
        if let Some(counters) = self.model.counters(process) {
            counters.nc[core as usize][counter as usize] = value;
            let counter = NcCounter::new(counter).unwrap();
            self.world
                .set_nc(self.slots[&process], core, counter, value);
        }
    }

    fn set_device(&mut self, process: u32, counter: u32, value: u64) {
        if let Some(counters) = self.model.counters(process) {
            counters.nd[counter as usize] = value;
            let counter = NdCounter::new(counter).unwrap();
            self.world.set_nd(self.slots[&process], counter, value);
        }
    }

    fn end(&mut self, process: u32) {
        if self.model.is_live(process) {
            self.model.end(process);
            self.world.end(process);
        }
    }

    fn tick(&mut self, delivered: bool) {
        self.model.tick();
        if delivered {
            let message = self.world.tick();
            self.note(&message);
        } else {
            self.world.tick_undelivered();
        }
    }

    fn note(&mut self, message: &Message) {
        assert!(message.as_bytes().len() <= 128);
        for record in message.records() {
            assert_ne!(record.id, 0);
            if let Ok(number) = std::str::from_utf8(record.value).unwrap().parse::<u64>() {
                let sum = self.delivered.entry(record.id).or_default();
                *sum = sum.wrapping_add(number);
            }
        }
    }

    /// Everything ends, and all that waits is delivered.
    fn drain(&mut self) {
        self.model
            .live()
            .into_iter()
            .for_each(|process| self.end(process));
        (0..2 * ROWS.len()).for_each(|_| self.tick(true));
    }
}

/// Every number of a report is that of the model.
fn assert_conserved(snapshot: &Snapshot, model: &Model) {
    for core in Core::all() {
        for counter in NcCounter::all() {
            let total = snapshot.core(core, counter);
            assert_eq!(
                total,
                Some(model.core(core, counter)),
                "core {core:?} {counter:?}"
            );
        }
    }
    for counter in NdCounter::all() {
        assert_eq!(
            snapshot.device(counter),
            model.device(counter),
            "{counter:?}"
        );
        if let Some(versions) = snapshot.versions(counter) {
            let found = versions
                .iter()
                .map(|usage| (usage.word, usage.count))
                .collect();
            assert_eq!(model.versions(counter), found, "{counter:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Conservation of totals after every step.
    #[test]
    fn totals_are_what_the_model_says_after_every_step(steps in steps()) {
        with_dense_world(|world| {
            let mut history = History::new(world);
            for step in &steps {
                history.run(step);
                history.world.report();
                assert_conserved(history.world.snapshot, &history.model);
            }
        });
    }

    /// Conservation of posts: in the end, what grew was delivered exactly once, whatever was not delivered before.
    #[test]
    fn posts_deliver_what_grew(steps in steps()) {
        with_dense_world(|world| {
            let mut history = History::new(world);
            steps.iter().for_each(|step| history.run(step));
            history.drain();
            for row in &ROWS {
                if let Source::Growth(counter, id) = row.source {
                    let grown = history.model.grown.get(&counter.get()).copied().unwrap_or(0);
                    let delivered = history.delivered.get(&id.get()).copied().unwrap_or(0);
                    assert_eq!(delivered, grown, "{counter:?}");
                }
            }
        });
    }
}

/// What happens between two parts of a report: producers add, come and go.
#[derive(Clone, Debug)]
enum Event {
    Begin(u32),
    Add(u32, u32, u64),
    End(u32),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        processes().prop_map(Event::Begin),
        (processes(), 0..16_u32, 1..1000_u64)
            .prop_map(|(process, core, value)| Event::Add(process, core, value)),
        processes().prop_map(Event::End),
    ];
    prop::collection::vec(event, 0..6)
}

const COUNTED: NcCounter = NcCounter::INFERENCE_COUNT;

fn apply(history: &mut History<'_, '_>, event: &Event) {
    match *event {
        Event::Begin(process) => history.begin(process),
        Event::End(process) => history.end(process),
        Event::Add(process, core, value) => {
            let counters = history.model.counters(process);
            let before = counters.map_or(0, |counters| counters.nc[core as usize][COUNTED.index()]);
            history.set_core(process, core, COUNTED.get(), before + value);
        }
    }
}

fn truth(model: &Model) -> Vec<u64> {
    Core::all().map(|core| model.core(core, COUNTED)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A report that is taken while the device goes on says no less than what was counted when it began, no more than
    /// what is counted when it ends, and no less than the report before.
    #[test]
    fn a_report_is_between_its_beginning_and_its_end(
        reports in prop::collection::vec(prop::collection::vec(events(), 17), 1..5)
    ) {
        with_dense_world(|world| {
            let mut history = History::new(world);
            let mut last = [0; Core::COUNT];
            for between in &reports {
                let before = truth(&history.model);
                for (part, events) in Part::all().zip(between) {
                    events.iter().for_each(|event| apply(&mut history, event));
                    history.world.collect(part);
                }
                let after = truth(&history.model);
                for (core, number) in Core::all().zip(0..) {
                    let total = history.world.snapshot.core(core, COUNTED).unwrap();
                    assert!(before[number] <= total && total <= after[number]);
                    assert!(last[number] <= total);
                    last[number] = total;
                }
            }
        });
    }
}
