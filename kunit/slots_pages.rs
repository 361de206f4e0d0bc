// SPDX-License-Identifier: GPL-2.0
//! Who may map a slab, what a fault brings in, and what happens to the pages at the end of an occupancy.

use kernel::error::{code::EINVAL, Result};

use crate::rules::{Cookie, MapRequest, PageSet, Refusal, Role};
use crate::slots_world::{whole, File, Lives, Process, World};

const ALL: PageSet = PageSet::range(0, crate::rules::pages::SLAB_PAGES);
const BAD_COOKIE: Result<Role, Refusal> = Err(Refusal::BadCookie);

/// A producer with its file, and a reader that attached through another.
struct Pair<'a> {
    world: World<'a>,
    owner: Process<'a>,
    reader: Process<'a>,
    file: File,
    other: File,
    cookie: Cookie,
}

impl<'a> Pair<'a> {
    fn new(lives: &'a Lives) -> Result<Self> {
        let mut world = World::new()?;
        let [owner, reader] = lives.some();
        let (mut file, mut other) = (File::opened(true), File::opened(true));
        let cookie = world.acquire(&owner, &mut file).map_err(|_| EINVAL)?;
        world
            .attach(&reader, &mut other, &owner)
            .map_err(|_| EINVAL)?;
        Ok(Self {
            world,
            owner,
            reader,
            file,
            other,
            cookie,
        })
    }

    fn owner_maps(&mut self, request: MapRequest) -> Result<Role, Refusal> {
        let answer = self
            .world
            .store
            .map(&self.owner, &self.file.rights, request);
        answer.map(|(_, role)| role)
    }

    fn reader_maps(&mut self, request: MapRequest) -> Result<Role, Refusal> {
        let answer = self
            .world
            .store
            .map(&self.reader, &self.other.rights, request);
        answer.map(|(_, role)| role)
    }

    /// The owner maps its slab and writes 7 to a page.
    fn owner_writes(&mut self, page: usize) -> Result {
        self.owner_maps(whole(self.cookie)).map_err(|_| EINVAL)?;
        self.world.store.fault(self.cookie, page, ALL, true);
        self.world.memory.write(self.cookie.slot, page, 7)
    }
}

#[kernel::macros::kunit_tests(nds_slots_pages)]
mod tests {
    use super::*;
    use crate::layout::SLAB_SIZE;
    use crate::rules::pages::{MAP_PAGES, PAGE_SIZE, SLAB_PAGES};
    use crate::rules::{Datastore, Fault, Generation, SLOTS};
    use crate::slots_world::Event;

    #[test]
    fn the_owner_maps_as_producer_and_everybody_else_as_reader() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        assert_eq!(it.owner_maps(whole(it.cookie)), Ok(Role::Producer));
        assert_eq!(it.reader_maps(whole(it.cookie)), Ok(Role::Reader));
        Ok(())
    }

    #[test]
    fn a_mapping_needs_a_successful_acquire_on_that_very_file() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        core::mem::swap(&mut it.file, &mut it.other);
        assert_eq!(it.owner_maps(whole(it.cookie)), BAD_COOKIE);
        assert_eq!(it.reader_maps(whole(it.cookie)), BAD_COOKIE);
        it.file = File::opened(true);
        assert_eq!(it.owner_maps(whole(it.cookie)), BAD_COOKIE);
        Ok(())
    }

    #[test]
    fn only_the_length_of_a_slab_is_a_length() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        let used = MAP_PAGES * PAGE_SIZE;
        for length in [
            0,
            PAGE_SIZE,
            used,
            SLAB_SIZE - PAGE_SIZE,
            SLAB_SIZE + PAGE_SIZE,
            usize::MAX,
        ] {
            let request = MapRequest {
                length,
                ..whole(it.cookie)
            };
            assert_eq!(it.owner_maps(request), Err(Refusal::BadLength));
        }
        Ok(())
    }

    #[test]
    fn interior_foreign_future_and_garbage_cookies_are_refused() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        let this = it.cookie.offset();
        let (neighbour, future) = (this + SLAB_SIZE as u64, this + (SLOTS * SLAB_SIZE) as u64);
        for offset in [
            0,
            this + PAGE_SIZE as u64,
            neighbour,
            future,
            u64::MAX,
            i64::MAX as u64,
        ] {
            let request = MapRequest {
                offset,
                ..whole(it.cookie)
            };
            assert_eq!(it.owner_maps(request), BAD_COOKIE);
        }
        Ok(())
    }

    #[test]
    fn an_old_cookie_does_not_map_the_next_occupancy() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        let next = it
            .world
            .return_to(&it.owner, &mut it.file, it.cookie.slot)
            .map_err(|_| EINVAL)?;
        assert_eq!(it.owner_maps(whole(it.cookie)), BAD_COOKIE);
        assert_eq!(it.reader_maps(whole(it.cookie)), BAD_COOKIE);
        assert_eq!(it.reader_maps(whole(next)), BAD_COOKIE);
        assert_eq!(it.owner_maps(whole(next)), Ok(Role::Producer));
        assert_eq!(it.world.store.statistics().stale_uses, 1);
        Ok(())
    }

    #[test]
    fn a_private_mapping_that_could_be_written_is_refused_to_the_owner() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        let request = MapRequest {
            private: true,
            ..whole(it.cookie)
        };
        assert_eq!(it.owner_maps(request), Err(Refusal::PrivateWritable));
        assert_eq!(it.reader_maps(request), Ok(Role::Reader));
        Ok(())
    }

    #[test]
    fn a_fault_brings_in_the_defined_map_or_one_page_as_far_as_the_mapping_goes() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        let store = &mut it.world.store;
        assert_eq!(
            store.fault(it.cookie, 5, ALL, true),
            Fault::Slab(PageSet::MAP)
        );
        assert_eq!(
            store.fault(it.cookie, 40, ALL, true),
            Fault::Slab(PageSet::single(40))
        );
        let piece = PageSet::range(4, 8);
        assert_eq!(store.fault(it.cookie, 5, piece, true), Fault::Slab(piece));
        assert_eq!(
            store.fault(it.cookie, SLAB_PAGES, ALL, true),
            Fault::Slab(PageSet::EMPTY)
        );
        Ok(())
    }

    #[test]
    fn a_stale_mapping_gets_no_page_whoever_has_the_slot_next() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        it.world.release(&it.owner);
        assert_eq!(it.world.store.fault(it.cookie, 0, ALL, true), Fault::Stale);
        assert!(it
            .world
            .return_to(&it.owner, &mut it.file, it.cookie.slot)
            .is_ok());
        assert_eq!(it.world.store.fault(it.cookie, 0, ALL, false), Fault::Stale);
        assert_eq!(it.world.store.table().stale_uses(it.cookie.slot), 2);
        Ok(())
    }

    #[test]
    fn mappings_go_first_then_counters_are_taken_over_then_pages_are_zeroed() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        it.owner_writes(0)?;
        it.world.release(&it.owner);
        let log = it.world.memory.take_log();
        let slot = it.cookie.slot;
        assert_eq!(log[0], Some(Event::Revoked(it.cookie)));
        assert_eq!(log[1], Some(Event::Retired(slot)));
        assert_eq!(log[2], Some(Event::Zeroed(slot, PageSet::MAP)));
        assert_eq!(log[3], None);
        Ok(())
    }

    #[test]
    fn a_slab_that_was_never_mapped_costs_nothing() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        it.world.release(&it.owner);
        assert_eq!(it.world.memory.take_log()[0], None);
        assert_eq!(it.world.store.statistics().bytes_zeroed, 0);
        Ok(())
    }

    #[test]
    fn a_slab_that_was_only_read_is_not_zeroed() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        assert_eq!(it.reader_maps(whole(it.cookie)), Ok(Role::Reader));
        it.world.store.fault(it.cookie, 0, ALL, false);
        it.world.release(&it.owner);
        let log = it.world.memory.take_log();
        assert_eq!(log[0], Some(Event::Revoked(it.cookie)));
        assert_eq!(log[1], None);
        Ok(())
    }

    #[test]
    fn the_next_owner_finds_zeros() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        it.owner_writes(0)?;
        it.owner_writes(MAP_PAGES - 1)?;
        assert_eq!(it.world.memory.read(it.cookie.slot, 0), 7);
        let [_, _, newcomer] = lives.some();
        it.world.release(&it.owner);
        assert!(it
            .world
            .return_to(&newcomer, &mut it.file, it.cookie.slot)
            .is_ok());
        assert_eq!(it.world.memory.read(it.cookie.slot, 0), 0);
        assert_eq!(it.world.memory.read(it.cookie.slot, MAP_PAGES - 1), 0);
        assert_eq!(
            it.world.store.statistics().bytes_zeroed,
            (MAP_PAGES * PAGE_SIZE) as u64
        );
        Ok(())
    }

    #[test]
    fn only_pages_that_could_be_written_are_zeroed() -> Result {
        let lives = Lives::new();
        let mut it = Pair::new(&lives)?;
        let slot = it.cookie.slot;
        it.world.memory.write(slot, 3, 9)?;
        assert_eq!(it.owner_maps(whole(it.cookie)), Ok(Role::Producer));
        it.world
            .store
            .fault(it.cookie, 4, PageSet::range(4, 8), true);
        it.world.memory.write(slot, 4, 7)?;
        it.world.release(&it.owner);
        assert_eq!(it.world.memory.read(slot, 4), 0);
        assert_eq!(it.world.memory.read(slot, 3), 9);
        Ok(())
    }

    #[test]
    fn a_worn_out_slot_is_cleaned_but_never_handed_out_again() -> Result {
        let lives = Lives::new();
        let [a] = lives.some();
        let last = Generation::new(Generation::LAST).ok_or(EINVAL)?;
        let (mut world, mut file) = (
            World::over(Datastore::starting_at(last))?,
            File::opened(true),
        );
        for slot in 0..SLOTS {
            assert_eq!(world.slot_given(&a, &mut file), Some(slot));
            world.release(&a);
        }
        assert_eq!(world.acquire(&a, &mut file), Err(Refusal::NoSlot));
        assert_eq!(world.used(), 0);
        Ok(())
    }
}
