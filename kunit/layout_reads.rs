// SPDX-License-Identifier: GPL-2.0
//! A slab that is written and read, against the golden vectors: the bytes of a filled one, the reader's two looks at a
//! changing one, the list of models.

use core::cell::Cell;
use core::time::Duration;

use crate::layout::{
    bitmap, header,
    place::{self, RecordPlace},
    publish::{erase, publish},
    retry, ModelSlot, RawSlab, Slab, SlabRead, WordIndex,
};
use crate::memory::TestSlab;
use crate::tables::{Counter, Kind, Op, Record};
use crate::vectors::{IMAGES, RECORDS, SLAB_BYTES, SLAB_MODELS};

/// Does an operation of the vectors to a counter. Whether all of it was as they say.
fn apply(
    slab: &RawSlab,
    &(op, counter, operand, offset, result): &(Op, Counter, u64, usize, u64),
) -> bool {
    let Some(word) = counter.word() else {
        return false;
    };
    let before = slab.load(word);
    let returned = match op {
        Op::Set => {
            slab.store(word, operand);
            before
        }
        Op::Add => slab.add(word, operand),
        Op::Sub => slab.sub(word, operand),
        Op::Or => slab.or(word, operand),
    };
    (word.byte_offset(), returned, slab.load(word)) == (offset, before, result)
}

/// Fills all model slots and empties those that the vectors' slab has not, as a producer under load would.
fn churn_models(slab: &RawSlab) {
    while let Some(slot) = bitmap::take_lowest(slab) {
        publish(slab, place::model(slot), &[0xa5; Kind::Model.len()]);
    }
    for slot in ModelSlot::all().filter(|&slot| !bitmap::is_taken(SLAB_MODELS, slot)) {
        erase(slab, place::model(slot));
        bitmap::free(slab, slot);
    }
}

/// Publishes the image of that number in its place.
fn publish_record(slab: &RawSlab, number: usize) -> bool {
    let Some(record) = RECORDS.iter().find(|record| record.image == number) else {
        return false;
    };
    let Some(image) = IMAGES.get(number) else {
        return false;
    };
    match image.kind {
        Kind::ProcessInfo => publish(slab, place::PROCESS_INFO, &image.sized()),
        Kind::ProcessInfoExt => publish(slab, place::PROCESS_INFO_EXT, &image.sized()),
        Kind::Model => match ModelSlot::new(record.slot) {
            Some(slot) => publish(slab, place::model(slot), &image.sized()),
            None => return false,
        },
    }
    true
}

/// The word that the vectors have at a place of their slab.
fn expected_word(word: WordIndex) -> u64 {
    let byte = |at: usize| {
        let run = SLAB_BYTES
            .iter()
            .find(|(start, run)| (*start..*start + run.len()).contains(&at));
        run.and_then(|(start, run)| run.get(at - start))
            .copied()
            .unwrap_or(0)
    };
    u64::from_le_bytes(core::array::from_fn(|nth| byte(word.byte_offset() + nth)))
}

/// Where a record of the vectors lies, and how long it is.
fn extent(record: &Record) -> Option<(usize, usize)> {
    fn of<const N: usize>(place: RecordPlace<N>) -> (usize, usize) {
        (place.byte_offset(), N)
    }
    Some(match IMAGES.get(record.image)?.kind {
        Kind::ProcessInfo => of(place::PROCESS_INFO),
        Kind::ProcessInfoExt => of(place::PROCESS_INFO_EXT),
        Kind::Model => of(place::model(ModelSlot::new(record.slot)?)),
    })
}

/// Shows the steps of a scenario one by one: the first at once, the next at each sleep.
struct Scenario<'a, T> {
    steps: &'a [T],
    shown: Cell<usize>,
}

impl<'a, T> Scenario<'a, T> {
    fn start(steps: &'a [T], show: impl FnOnce(&T)) -> Self {
        let shown = Cell::new(0);
        let scenario = Self { steps, shown };
        scenario.step(show);
        scenario
    }

    fn step(&self, show: impl FnOnce(&T)) {
        if let Some(step) = self.steps.get(self.shown.get()) {
            show(step);
        }
        self.shown.set(self.shown.get() + 1);
    }

    /// How often the reader slept.
    fn sleeps(&self) -> usize {
        self.shown.get() - 1
    }
}

/// Whether a reader that may sleep these microseconds each time looks at the header as the vectors say.
fn header_looks(slab: &RawSlab, (words, found, sleeps): &(&[u64], bool, &[u64])) -> bool {
    let show = |word: &u64| slab.store(WordIndex::HEADER, *word);
    let scenario = Scenario::start(words, show);
    let mut slept = None;
    let seen = retry::check_header(slab, |time: Duration| {
        slept = Some(time.as_micros() as u64);
        scenario.step(show);
    });
    seen == *found && scenario.sleeps() == sleeps.len() && slept.as_ref() == sleeps.first()
}

/// The same of a record.
fn record_looks<const N: usize>(
    slab: &TestSlab,
    place: RecordPlace<N>,
    (attempts, found, sleeps): (&[usize], bool, &[u64]),
) -> bool {
    let show = |number: &usize| {
        if let Some(image) = IMAGES.get(*number) {
            slab.put(place, &image.sized::<N>());
        }
    };
    let scenario = Scenario::start(attempts, show);
    let mut slept = None;
    let read = retry::read(&**slab, place, |time| {
        slept = Some(time.as_micros() as u64);
        scenario.step(show);
    });
    let last = attempts.last().and_then(|number| IMAGES.get(*number));
    let right = match read {
        Ok(bytes) => found && last.is_some_and(|image| image.sized() == bytes),
        Err(_) => !found,
    };
    right && scenario.sleeps() == sleeps.len() && slept.as_ref() == sleeps.first()
}

#[kernel::macros::kunit_tests(nds_layout_reads)]
mod tests {
    use super::*;
    use crate::tables::every;
    use crate::vectors::*;
    use kernel::prelude::*;

    #[test]
    fn records_lie_where_the_vectors_say() {
        assert!(every(RECORDS, |record| extent(record)
            .map(|(start, _)| start)
            == Some(record.offset)));
        assert!(every(RECORDS, |record| {
            let length = IMAGES
                .get(record.image)
                .map(|image| image.with(<[u8]>::len));
            extent(record).map(|(_, length)| length) == length
        }));
    }

    #[test]
    fn a_filled_slab_has_the_bytes_of_the_vectors() -> Result {
        let slab = TestSlab::new()?;
        header::commit(&*slab);
        assert!(every(SLAB_OPS, |row| apply(&slab, row)));
        churn_models(&slab);
        assert!(every(SLAB_RECORDS, |number| publish_record(&slab, *number)));
        for word in (0..).map_while(WordIndex::new) {
            assert_eq!(slab.load(word), expected_word(word));
        }
        Ok(())
    }

    #[test]
    fn the_header_is_looked_at_twice() -> Result {
        let slab = TestSlab::new()?;
        assert!(every(HEADER_LOOKS, |row| header_looks(&slab, row)));
        Ok(())
    }

    #[test]
    fn a_record_is_read_twice() -> Result {
        let slab = TestSlab::new()?;
        let fifth = ModelSlot::new(5).ok_or(EINVAL)?;
        assert!(every(RECORD_LOOKS, |&(kind, attempts, found, sleeps)| {
            let expected = (attempts, found, sleeps);
            match kind {
                Kind::ProcessInfo => record_looks(&slab, place::PROCESS_INFO, expected),
                Kind::ProcessInfoExt => record_looks(&slab, place::PROCESS_INFO_EXT, expected),
                Kind::Model => record_looks(&slab, place::model(fifth), expected),
            }
        }));
        Ok(())
    }

    #[test]
    fn the_list_of_models_has_the_whole_records_of_taken_slots_in_order() -> Result {
        for (bits, shown, handles) in MODEL_LISTS {
            let slab = TestSlab::new()?;
            slab.store(WordIndex::MODEL_BITMAP, *bits);
            for (slot, number) in *shown {
                let (slot, image) = (ModelSlot::new(*slot), IMAGES.get(*number));
                slab.put(
                    place::model(slot.ok_or(EINVAL)?),
                    &image.ok_or(EINVAL)?.sized::<672>(),
                );
            }
            let read = |slot| retry::read(&*slab, place::model(slot), |_| ()).ok();
            let found = bitmap::taken(bitmap::load(&*slab)).filter_map(read);
            let expected = handles.iter().filter_map(|number| IMAGES.get(*number));
            assert!(found.eq(expected.map(|image| image.sized())));
        }
        Ok(())
    }
}
