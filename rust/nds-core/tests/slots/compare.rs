// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules' world and the naive model's, compared in everything that can be seen of them.

use nds_core::pages::SLAB_PAGES;
use nds_core::{Cookie, Owner, Slot};

use super::device::Event;
use super::history::{History, Open};
use super::model::Effect;

impl History {
    /// Compares what a step did to the device, in its order.
    pub(crate) fn compare_effects(&mut self) {
        let log = self.world.device.take_log();
        let real: Vec<_> = log.into_iter().map(|event| self.effect(event)).collect();
        assert_eq!(real, self.model.take_effects());
    }

    fn effect(&self, event: Event) -> Effect {
        match event {
            Event::Revoked(cookie) => {
                let life = self.names.iter().position(|&name| name == cookie);
                Effect::Revoked(life.expect("a name that was given"))
            }
            Event::Retired(slot) => Effect::Retired(slot.index()),
            Event::Zeroed(slot, pages) => {
                let pages = pages.runs().flat_map(|(first, count)| first..first + count);
                Effect::Zeroed(slot.index(), pages.collect())
            }
        }
    }

    /// Compares the states.
    pub(crate) fn compare(&self) {
        assert_eq!(*self.world.store.statistics(), self.model.counted);
        Slot::all().for_each(|slot| self.compare_slot(slot));
        let open = self.files.iter().flatten();
        open.for_each(|open| self.compare_rights(open));
    }

    fn compare_slot(&self, slot: Slot) {
        let table = self.world.store.table();
        let present = self.model.present(slot.index());
        let found = table.get(slot);
        let real = found.map(|(cookie, occupancy)| (cookie, occupancy.owner.id()));
        let naive = present.map(|life| (self.names[life], self.model.lives[life].owner));
        assert_eq!(real, naive);
        assert_eq!(table.stale_uses(slot), self.model.stale_uses[slot.index()]);
        self.compare_pages(slot, present);
    }

    /// A present occupancy's pages hold what was written in it, a free slab's nothing.
    fn compare_pages(&self, slot: Slot, present: Option<usize>) {
        let written = present.map(|life| &self.model.lives[life].contents);
        if written.is_none_or(|contents| contents.is_empty()) {
            assert!(self.world.device.is_zero(slot));
            return;
        }
        for page in 0..SLAB_PAGES {
            let naive = written.and_then(|contents| contents.get(&page));
            let real = self.world.device.page(slot, page).get();
            assert_eq!(real, naive.copied().unwrap_or(0), "page {page}");
        }
    }

    fn compare_rights(&self, open: &Open) {
        let live = self.world.store.live_rights(&open.file.rights);
        let naive = &self.model.files[open.model];
        let (holds, reads) = (naive.holds.values(), naive.reads.values());
        assert_eq!(live.held().collect::<Vec<_>>(), self.present_names(holds));
        assert_eq!(
            live.readable().collect::<Vec<_>>(),
            self.present_names(reads)
        );
    }

    fn present_names<'a>(&self, lives: impl Iterator<Item = &'a usize>) -> Vec<Cookie> {
        lives
            .filter(|&&life| !self.model.lives[life].ended)
            .map(|&life| self.names[life])
            .collect()
    }

    /// Lets everything go, and makes sure that nothing is left.
    pub(crate) fn ends_clean(mut self) {
        self.wind_up();
        self.compare();
        assert!(self.world.store.table().used().iter().next().is_none());
        assert!(Slot::all().all(|slot| self.world.device.is_zero(slot)));
    }
}
