// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which pages of a slab: those that may be dirty, and those that a fault brings in.
//!
//! Owns the set and its arithmetic; what is done to the pages is the platform's.

use crate::layout::region::{REQUIRED_SIZE, SLAB_SIZE};

/// Bytes of a page of a slab.
pub const PAGE_SIZE: usize = 4096;

/// Pages of a slab.
pub const SLAB_PAGES: usize = SLAB_SIZE / PAGE_SIZE;

/// Pages that hold the defined part of the layout.
pub const MAP_PAGES: usize = REQUIRED_SIZE.div_ceil(PAGE_SIZE);

const _: () = assert!(SLAB_PAGES == u64::BITS as usize && MAP_PAGES == 17);

/// A set of the pages of one slab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageSet(u64);

impl PageSet {
    /// No page.
    pub const EMPTY: Self = Self(0);

    /// The pages of the defined map, which a mapping brings in together.
    pub const MAP: Self = Self((1 << MAP_PAGES) - 1);

    /// The page of that number alone; empty if a slab has no such page.
    pub const fn single(page: usize) -> Self {
        Self::range(page, 1)
    }

    /// What a fault on that page brings in: the whole defined map for one of its pages, else the page alone.
    pub const fn around(page: usize) -> Self {
        if page < MAP_PAGES {
            Self::MAP
        } else {
            Self::single(page)
        }
    }

    /// Both sets together.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What both have.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// `pages` pages from number `first` on, as far as a slab goes.
    pub const fn range(first: usize, pages: usize) -> Self {
        if first >= SLAB_PAGES || pages == 0 {
            return Self::EMPTY;
        }
        let upward = u64::MAX << first;
        let end = first.saturating_add(pages);
        if end >= SLAB_PAGES {
            Self(upward)
        } else {
            Self(upward & !(u64::MAX << end))
        }
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Page n in bit n.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many bytes they are.
    pub const fn bytes(self) -> u64 {
        self.0.count_ones() as u64 * PAGE_SIZE as u64
    }

    /// Its runs of adjacent pages, in ascending order.
    pub const fn runs(self) -> Runs {
        Runs(self.0)
    }
}

/// Iterator over the runs of adjacent pages of a [`PageSet`]: (first page, pages).
#[derive(Clone, Debug)]
pub struct Runs(u64);

impl Iterator for Runs {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros();
        let pages = (self.0 >> first).trailing_ones();
        // Adding the lowest bit carries through the run and clears it.
        self.0 &= self.0.wrapping_add(1 << first);
        Some((first as usize, pages as usize))
    }
}
